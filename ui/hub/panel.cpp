// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/panel.h"

#include <QAbstractItemView>
#include <QContextMenuEvent>
#include <QMenu>

#include <utility>

namespace ui {

namespace {

/// Calls `open` for the menu of a row: that at the pointer, or the current one if a key asks for the menu.
class RowMenu final : public QObject {
public:
    using Open = std::function<void(const QModelIndex &row, QPoint global)>;

    RowMenu(QAbstractItemView &view, Open open)
        : QObject(&view)
        , m_view(view)
        , m_open(std::move(open))
    {
        view.installEventFilter(this);
        view.viewport()->installEventFilter(this);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::ContextMenu)
            return QObject::eventFilter(watched, event);
        const auto *asked = static_cast<QContextMenuEvent *>(event);
        const bool isByMouse = asked->reason() == QContextMenuEvent::Mouse;
        const QWidget *rows = m_view.viewport();
        const QModelIndex row
            = isByMouse ? m_view.indexAt(rows->mapFromGlobal(asked->globalPos())) : m_view.currentIndex();
        if (row.isValid())
            m_open(row, isByMouse ? asked->globalPos() : rows->mapToGlobal(m_view.visualRect(row).center()));
        return true;
    }

private:
    QAbstractItemView &m_view;
    Open m_open;
};

} // namespace

void Panel::setInSight(bool isInSight)
{
    if (std::exchange(m_isInSight, isInSight) != isInSight && isInSight)
        comeIntoSight();
}

void Panel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    setInSight(true);
}

void Panel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    setInSight(false);
}

void Panel::offerRowMenu(QAbstractItemView &view, std::function<void(const QModelIndex &)> choose)
{
    new RowMenu(view, [this, choose = std::move(choose)](const QModelIndex &row, QPoint global) {
        if (m_rowActions.isEmpty())
            return;
        choose(row);
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions(m_rowActions);
        menu->popup(global);
    });
}

} // namespace ui
