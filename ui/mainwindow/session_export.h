// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/export.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/mainwindow/notice_bar.h"

#include <QObject>

namespace ui {

/// Exports the session with its simulated array to a new file, with the originals beside it. Questions and messages
/// appear in the notice bar: what a provider would refuse, what the new file still contains, errors.
class SessionExport final : public QObject {
    Q_OBJECT

public:
    SessionExport(ViewState &state, NoticeBar *bar, QObject *parent);

    /// Why there is nothing to export, in one sentence; empty if there is.
    [[nodiscard]] QString obstacle() const;
    /// Shows the obstacle in the notice bar and offers a way around it; false if there is none.
    bool sayObstacle();
    /// Asks first if the array is invalid or not the final one; then writes in a job.
    void exportTo(const QString &path);
    /// An unused file name beside the session.
    [[nodiscard]] QString proposedPath() const;

Q_SIGNALS:
    void finished(bool isWritten);

private:
    void write(const core::CompactionPtr &compaction, core::Position position, const QString &path);
    void report(const core::CompactionPtr &compaction, const core::Exported &exported, const QString &path);

    ViewState &m_state;
    NoticeBar *m_bar;
    Job<core::Result<core::Exported>> m_job;
};

} // namespace ui
