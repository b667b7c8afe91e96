// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/head_line.h"
#include "ui/hub/view_state.h"

#include <QWidget>

class QToolButton;

namespace ui {

/// The line under the menu: a description of the session and one notable fact; without a session, the tuned folder. The
/// number of user messages in context is a link. Large arrays are read in a job; the line before stays until then.
class HeadLineBar final : public QWidget {
    Q_OBJECT

public:
    explicit HeadLineBar(ViewState &state, QWidget *parent = nullptr);

    /// What the line shows while there is no session.
    void setFolder(const QString &name, const QString &path);
    /// For pictures and tests: waits for the line.
    void waitForContent() { m_job.wait(); }

Q_SIGNALS:
    /// Asks the window to list the messages that the user typed.
    void typedMessagesRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void showLine(const core::HeadLine &line, const QString &link);
    void applyTheme();
    /// The facts that fit, and their place.
    [[nodiscard]] QString shownFacts() const;
    [[nodiscard]] QRect factsRect() const;
    void placeLink();

    ViewState &m_state;
    QToolButton *m_link; ///< a part of the facts, over their place
    QString m_folder;
    QString m_folderPath;
    QString m_harness;
    QString m_facts;
    core::SessionPtr m_shownOf;
    Job<core::HeadLine> m_job;
};

} // namespace ui
