// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/redaction.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/mainwindow/notice_bar.h"

#include <QObject>

namespace ui {

/// Writes the report of the shown session and call to a new file, as `palimpsest report` does. Secrets are masked; the
/// notice bar says how many places are masked or suspicious, and lists them. Errors appear there, too.
class SessionReportSave final : public QObject {
    Q_OBJECT

public:
    SessionReportSave(ViewState &state, NoticeBar *bar, QObject *parent);

    /// Asks where to write. `window` is the parent of the dialog.
    void choosePlace(QWidget *window);
    /// The ending of the path chooses the kind of file: `.html` or `.md`.
    void saveTo(const QString &path);

Q_SIGNALS:
    void finished(bool isWritten);

private:
    /// Shows why there is nothing to save; false if there is.
    bool sayObstacle();
    void report(const std::vector<core::RedactedPlace> &places, const QString &path);

    ViewState &m_state;
    NoticeBar *m_bar;
    Job<core::Result<std::vector<core::RedactedPlace>>> m_job;
};

} // namespace ui
