// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/tuning/folder/folder_sweeps.h"

#include <QList>
#include <QPushButton>

class QAction;
class QLineEdit;
class QMenu;

namespace ui {

/// Chooses which runs of a folder count: by start date or age, and with or without subagents. The button shows the
/// choice.
class RunsMenu final : public QPushButton {
    Q_OBJECT

public:
    explicit RunsMenu(FolderSweeps &sweeps, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addRanges();
    void addField();
    /// Sets a date or an age; an empty text means all dates. Other text is reported in the field and changes nothing.
    void setSince(const QString &text);
    void apply();
    void refresh();

    FolderSweeps &m_sweeps;
    QMenu *m_menu;
    QList<QAction *> m_ranges; ///< their data is the text that could be typed instead
    QLineEdit *m_field;
    QAction *m_subagents;
    QString m_since; ///< as typed
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
