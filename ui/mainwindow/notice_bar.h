// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace ui {

/// A message, possibly with an action.
struct Notice {
    QString words;
    QString details;            ///< lines shown on demand
    QString deedWords;          ///< label of the button; none if empty
    std::function<void()> deed; ///< action of the button
    QString undoWords {};       ///< label of a second button, which takes back what was done; none if empty
    std::function<void()> undo {};
};

/// The quiet bar above the picture: skipped records, errors, a changed file. Hidden when empty; never modal.
class NoticeBar final : public QWidget {
    Q_OBJECT

public:
    explicit NoticeBar(ViewState &state, QWidget *parent = nullptr);

    void setChangedOnDisk(bool changed);
    /// Shows a notice until it is dismissed, acted on or replaced.
    void setNotice(Notice notice);
    /// Whether it lists what could not be read of the session: only where the session is shown.
    void setShowsWarnings(bool shows);
    /// Hides the notice; false if there was none.
    bool dismiss();

private:
    void follow();
    void act(std::function<void()> Notice::*deed);
    void refresh();
    void applyTheme();

    ViewState &m_state;
    QLabel *m_words;
    QPushButton *m_details;
    QPushButton *m_reload;
    QPushButton *m_close;
    QPlainTextEdit *m_list;
    QPushButton *m_deed;
    QPushButton *m_undo;
    std::optional<Notice> m_notice;
    bool m_changedOnDisk = false;
    bool m_showsWarnings = true;
    bool m_dismissed = false;
};

} // namespace ui
