// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeView>

namespace ui {

/// Makes a tree view a table of uniform rows that a delegate paints, without a frame.
inline void makePlainTable(QTreeView &table, const QString &objectName, const QString &accessibleName)
{
    table.setObjectName(objectName);
    table.setAccessibleName(accessibleName);
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.setRootIsDecorated(false);
    table.setItemsExpandable(false);
    table.setUniformRowHeights(true);
    table.setFrameShape(QFrame::NoFrame);
    table.setAllColumnsShowFocus(true);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.header()->setSectionsMovable(false);
    table.header()->setTextElideMode(Qt::ElideRight);
    table.header()->setStretchLastSection(true);
}

/// Makes a label the line above such a table.
inline void makeTableSummary(QLabel &label, const QString &objectName)
{
    label.setObjectName(objectName);
    label.setTextFormat(Qt::PlainText);
    label.setContentsMargins(14, 4, 14, 2);
    label.setMinimumWidth(10);
}

/// The look of a panel with such a line and such a table. `first`: pixels before the title of the first column.
inline void setTableTheme(QWidget &panel, QLabel &summary, QTreeView &table, const Theme &theme, int first = 10)
{
    panel.setPalette(theme.palette());
    summary.setFont(Theme::textFont(12));
    QPalette palette = theme.palette();
    palette.setColor(QPalette::WindowText, theme.secondary);
    summary.setPalette(palette);
    table.header()->setFont(Theme::textFont(12));
    table.header()->setStyleSheet(theme.headerStyle(first));
    table.viewport()->update();
    panel.update();
}

} // namespace ui
