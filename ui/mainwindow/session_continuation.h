// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/continuation.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/mainwindow/notice_bar.h"

#include <QObject>
#include <QSet>

namespace ui {

/// Writes the session up to the shown call as a new session of its harness, with the simulated array if there is one.
/// The notice bar shows the command that resumes it, with buttons that copy the command and remove the new session.
class SessionContinuation final : public QObject {
    Q_OBJECT

public:
    SessionContinuation(ViewState &state, NoticeBar *bar, QObject *parent);

    /// Asks first if the array is invalid; then writes in a job.
    void start();
    /// Whether this window wrote the file.
    [[nodiscard]] bool hasWritten(const QString &file) const { return m_written.contains(file); }

Q_SIGNALS:
    void finished(bool isWritten);
    void undone(bool isRemoved);

private:
    [[nodiscard]] QString obstacle() const;
    void write(const core::CompactionPtr &compaction, core::Position position);
    void report(const core::Continued &made, const QString &words);
    void undo(const std::filesystem::path &copy);

    ViewState &m_state;
    NoticeBar *m_bar;
    QSet<QString> m_written;
    Job<core::Result<core::Continued>> m_job;
    Job<core::Result<void>> m_undoJob;
};

} // namespace ui
