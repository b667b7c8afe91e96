// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/session_report_save.h"

#include "core/base/new_file.h"
#include "ui/files/free_path.h"
#include "ui/hub/run_figures.h"
#include "ui/mainwindow/report_file.h"

#include <QFileDialog>
#include <QThread>

namespace ui {

using namespace Qt::StringLiterals;

SessionReportSave::SessionReportSave(ViewState &state, NoticeBar *bar, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_bar(bar)
{
}

bool SessionReportSave::sayObstacle()
{
    const Workspace &workspace = m_state.workspace();
    QString sentence;
    if (!m_state.session())
        sentence = tr("There is no session to report on.");
    else if (workspace.isLoading() || !workspace.tokens() || !workspace.tokens()->isCounted)
        sentence = tr("The session is still being read. Its report can be saved when its tokens are counted.");
    else if (m_job.isRunning())
        sentence = tr("Another report is being written.");
    if (sentence.isEmpty())
        return false;
    m_bar->setNotice({ sentence, {}, {}, {} });
    return true;
}

void SessionReportSave::choosePlace(QWidget *window)
{
    if (sayObstacle())
        return;
    const QFileInfo session(QString::fromStdString(m_state.workspace().sessionPath().string()));
    const QString name = session.completeBaseName().isEmpty() ? tr("session") : session.completeBaseName();
    // An existing file is never replaced.
    QString path = QFileDialog::getSaveFileName(window, tr("Save Report"),
        freePath(QDir::home(), name + u".report"_s, u"html"_s), tr("HTML (*.html);;Markdown (*.md)"), nullptr,
        QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += u".html"_s;
    saveTo(path);
}

void SessionReportSave::saveTo(const QString &path)
{
    if (sayObstacle())
        return;
    const Workspace &workspace = m_state.workspace();
    m_bar->setNotice({ tr("Writing %1…").arg(QFileInfo(path).fileName()), {}, {}, {} });
    m_job.start(
        this,
        [session = m_state.session(), position = m_state.position(), tokens = workspace.tokens(),
            prices = workspace.figures().prices(), file = workspace.sessionPath().string(),
            path = path.toStdString()](core::Progress &) -> core::Result<std::vector<core::RedactedPlace>> {
            const auto kind = reportKindOf(path);
            if (!kind)
                return std::unexpected(kind.error());
            if (const auto free = core::NewFile::check(path); !free)
                return std::unexpected(free.error());
            core::Redaction redaction;
            redaction.learn(*session);
            const auto threads = static_cast<unsigned>(std::max(2, QThread::idealThreadCount()));
            const core::SessionReport made = core::sessionReport(file, session, position, tokens, *prices, threads);
            const std::string text = reportText(made, *kind, core::ReportTexts::Included, redaction);
            // The file may have changed while it was read.
            if (const auto torn = session->torn())
                return std::unexpected(*torn);
            if (const auto leak = redaction.leakIn(text))
                return core::failure(core::ErrorKind::NotWritable, *leak, path);
            if (const auto written = core::writeNewFile(path, text); !written)
                return std::unexpected(written.error());
            return redaction.places();
        },
        [this, path](const core::Result<std::vector<core::RedactedPlace>> &places) {
            if (places)
                report(*places, path);
            else
                m_bar->setNotice(
                    { tr("Nothing was written: %1").arg(displayText(places.error().sentence())), {}, {}, {} });
            Q_EMIT finished(places.has_value());
        });
}

void SessionReportSave::report(const std::vector<core::RedactedPlace> &places, const QString &path)
{
    QString review = tr("The file: %1").arg(path);
    if (!places.empty())
        review += u"\n\n"_s + QString::fromStdString(core::drawReview(places));
    m_bar->setNotice(
        { tr("Written to %1. %2").arg(QFileInfo(path).fileName(), displayText(core::redactionSentence(places))), review,
            {}, {} });
}

} // namespace ui
