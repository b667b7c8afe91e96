// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/base/view_state.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace ui {

/// The quiet bar above the picture: loading, what was skipped, errors, a file that changed on disk. Hidden when there
/// is nothing to say; never modal.
class NoticeBar final : public QWidget {
    Q_OBJECT

public:
    explicit NoticeBar(ViewState &state, QWidget *parent = nullptr);

    void setChangedOnDisk(bool changed);
    /// Hides what can be dismissed; false if there was nothing.
    bool dismiss();

private:
    void refresh();
    void applyTheme();

    ViewState &m_state;
    QLabel *m_words;
    QProgressBar *m_progress;
    QPushButton *m_details;
    QPushButton *m_reload;
    QPushButton *m_close;
    QPlainTextEdit *m_list;
    bool m_changedOnDisk = false;
    bool m_dismissed = false;
};

} // namespace ui
