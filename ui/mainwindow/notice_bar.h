// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace ui {

/// Something to say, and perhaps to decide.
struct Notice {
    QString words;
    QString details;            ///< lines that are shown on demand
    QString deedWords;          ///< of a button; none if empty
    std::function<void()> deed; ///< what it does
};

/// The quiet bar above the picture: loading, what was skipped, errors, a file that changed on disk. Hidden when there
/// is nothing to say; never modal.
class NoticeBar final : public QWidget {
    Q_OBJECT

public:
    explicit NoticeBar(ViewState &state, QWidget *parent = nullptr);

    void setChangedOnDisk(bool changed);
    /// Says it until it is dismissed, done, or something else is said.
    void setNotice(Notice notice);
    /// Hides what can be dismissed; false if there was nothing.
    bool dismiss();

private:
    void follow();
    void act();
    /// Stops loading, or hides what the bar says.
    void closeNotice();
    void refresh();
    void applyTheme();

    ViewState &m_state;
    QLabel *m_words;
    QProgressBar *m_progress;
    QPushButton *m_details;
    QPushButton *m_reload;
    QPushButton *m_close;
    QPlainTextEdit *m_list;
    QPushButton *m_deed;
    std::optional<Notice> m_notice;
    bool m_changedOnDisk = false;
    bool m_dismissed = false;
};

} // namespace ui
