// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/base/theme.h"
#include "ui/tuning/folder_sweeps.h"

#include <QColor>
#include <QPushButton>

class QAction;
class QMenu;

namespace ui {

/// Which runs of a folder count: since when, and subagents or not. Its button says what is chosen.
class RunsMenu final : public QPushButton {
    Q_OBJECT

public:
    explicit RunsMenu(FolderSweeps &sweeps, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void apply();

    FolderSweeps &m_sweeps;
    QColor m_arrow;
    QMenu *m_menu;
    QAction *m_subagents;
    QString m_words;
    int m_days = 0; ///< before now; 0: of all dates
};

} // namespace ui
