// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder_sweeps.h"

#include <QPushButton>

class QAction;
class QMenu;

namespace ui {

/// Which runs of a folder count: since when, and subagents or not. Its button says what is chosen.
class RunsMenu final : public QPushButton {
    Q_OBJECT

public:
    explicit RunsMenu(FolderSweeps &sweeps, QWidget *parent = nullptr);

private:
    void apply();

    FolderSweeps &m_sweeps;
    QMenu *m_menu;
    QAction *m_subagents;
    QString m_words;
    int m_days = 0; ///< before now; 0: of all dates
};

} // namespace ui
