// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QStatusBar;

namespace ui {

/// Says that a file is being loaded. It covers the right end of the status bar, so nothing moves when it comes and
/// goes.
class LoadingBar final : public QWidget {
    Q_OBJECT

public:
    LoadingBar(ViewState &state, QStatusBar &bar);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void follow();
    void refresh();
    void place();
    void applyTheme();

    ViewState &m_state;
    QStatusBar &m_bar;
    QLabel *m_words;
    QProgressBar *m_progress;
    QPushButton *m_cancel;
};

} // namespace ui
