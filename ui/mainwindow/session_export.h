// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/export.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/mainwindow/notice_bar.h"

#include <QObject>

namespace ui {

/// Writes the session with its simulated array to a new file, the originals beside it. Everything it has to ask or to
/// say stands in the quiet bar: what a provider would refuse, what the new file still holds, what went wrong.
class SessionExport final : public QObject {
    Q_OBJECT

public:
    SessionExport(ViewState &state, NoticeBar *bar, QObject *parent);

    /// Why there is nothing that could be written, in a sentence; empty if there is.
    [[nodiscard]] QString obstacle() const;
    /// Says the obstacle in the bar, and offers the way around it; false if there is none.
    bool sayObstacle();
    /// Asks first if the array is not valid, or not the one at the end; then writes in a job.
    void exportTo(const QString &path);
    /// A name beside the session that is still free.
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
