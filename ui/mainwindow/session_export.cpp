// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/session_export.h"

#include "core/compaction/validity.h"
#include "ui/files/free_path.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

namespace ui {

using namespace Qt::StringLiterals;

SessionExport::SessionExport(ViewState &state, NoticeBar *bar, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_bar(bar)
{
}

QString SessionExport::obstacle() const
{
    if (!m_state.session())
        return tr("There is no session to export.");
    if (!m_state.workspace().plan().isSimulated())
        return tr("Choose a policy, or pin or drop something first. Without a change, the export would equal the "
                  "session file.");
    if (m_state.aftermath() != Aftermath::Simulated)
        return tr("Export writes the simulated array. Show it first.");
    if (m_state.isPlanning() || !m_state.picture().simulated)
        return tr("The simulated array is not ready yet.");
    if (m_job.isRunning())
        return tr("Another export is being written.");
    return {};
}

bool SessionExport::sayObstacle()
{
    const QString sentence = obstacle();
    if (sentence.isEmpty())
        return false;
    Notice notice { sentence, {}, {}, {} };
    if (m_state.session() && m_state.workspace().plan().isSimulated() && m_state.aftermath() != Aftermath::Simulated) {
        notice.deedWords = tr("Show Simulated");
        notice.deed = [this] { m_state.setAftermath(Aftermath::Simulated); };
    }
    m_bar->setNotice(std::move(notice));
    return true;
}

QString SessionExport::proposedPath() const
{
    const QFileInfo session(QString::fromStdString(m_state.workspace().path().string()));
    const QString folder = session.filePath().startsWith(u':') ? QDir::homePath() : session.path();
    return freePath(folder, session.completeBaseName() + u".compacted"_s, session.suffix());
}

void SessionExport::exportTo(const QString &path)
{
    if (sayObstacle())
        return;
    const core::CompactionPtr compaction = m_state.picture().simulated;
    const core::Position position = m_state.position();
    const std::vector<core::Violation> refusals = core::refusalsOf(*compaction);
    if (refusals.empty() && position.isEnd())
        return write(compaction, position, path);
    QStringList questions;
    QStringList sentences;
    if (!position.isEnd())
        questions << tr(
            "The new session ends with the last message that call %1 sent. A store beside it keeps the later messages.")
                         .arg(position.call.value());
    for (const core::AlikeViolations &each : core::alikeIn(refusals)) {
        const core::SlotIndex slot = each.first->slot;
        sentences << (slot.isValid() ? u"[%1]  "_s.arg(slot.value()) : QString()) + displayText(each.sentence());
    }
    if (refusals.size() == 1)
        questions << tr("A provider would refuse this array. %1").arg(sentences.front());
    else if (!sentences.isEmpty())
        questions << tr("A provider would refuse this array in %1. The first: %2")
                         .arg(counted(refusals.size(), tr("place"), tr("places")), sentences.front());
    m_bar->setNotice({ questions.join(u' '), sentences.join(u'\n'), tr("Export Anyway"),
        [this, compaction, position, path] { write(compaction, position, path); } });
}

void SessionExport::write(const core::CompactionPtr &compaction, core::Position position, const QString &path)
{
    core::ExportOptions options;
    options.position = position;
    options.file = path.toStdString();
    options.seconds = QDateTime::currentSecsSinceEpoch();
    m_bar->setNotice({ tr("Writing %1…").arg(QFileInfo(path).fileName()), {}, {}, {} });
    m_job.start(
        this, [compaction, options](core::Progress &) { return core::exportCompaction(*compaction, options); },
        [this, compaction, path](const core::Result<core::Exported> &exported) {
            if (exported)
                report(compaction, *exported, path);
            else
                m_bar->setNotice(
                    { tr("Nothing was written: %1").arg(displayText(exported.error().sentence())), {}, {}, {} });
            Q_EMIT finished(exported.has_value());
        });
}

void SessionExport::report(const core::CompactionPtr &compaction, const core::Exported &exported, const QString &path)
{
    m_state.workspace().setKept(
        { compaction, exported.store, QString::fromStdString(exported.commit.oid).first(10).toStdString() });
    QStringList details;
    details << tr("The file: %1").arg(path);
    details << tr("The removed texts: the git repository %1, commit %2")
                   .arg(displayText(exported.store.string()), displayText(exported.commit.oid));
    for (const std::string &note : exported.notes)
        details << displayText(note);
    m_bar->setNotice(
        { tr("Written to %1. The new file still holds text that was never in the context, such as the harness's own "
             "copies of tool results. These copies can repeat text that the policy removed.")
                .arg(QFileInfo(path).fileName()),
            details.join(u'\n'), {}, {} });
}

} // namespace ui
