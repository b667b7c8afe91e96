// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace ui {

/// The part of the status line about a file that grows: whether it is followed, and in how many calls a compaction
/// would come.
class LiveStatus final : public QWidget {
    Q_OBJECT

public:
    explicit LiveStatus(ViewState &state, QWidget *parent = nullptr);

private:
    void refresh();
    void applyTheme();

    ViewState &m_state;
    QToolButton *m_button;
    QLabel *m_forecast;
};

} // namespace ui
