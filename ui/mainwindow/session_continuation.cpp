// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/session_continuation.h"

#include "core/compaction/policy.h"
#include "core/compaction/validity.h"

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// The array as it is.
core::Compaction unchanged(const core::SessionPtr &session, core::Position position)
{
    core::CompactOptions options;
    options.position = position;
    return core::compact(core::Transcript(session, core::rangesAt(*session, position)),
        std::make_shared<const core::Policy>(*core::policyNamed("none")), *core::roughTokens(*session), options);
}

} // namespace

SessionContinuation::SessionContinuation(ViewState &state, NoticeBar *bar, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_bar(bar)
{
}

QString SessionContinuation::obstacle() const
{
    const core::SessionPtr &session = m_state.session();
    if (!session)
        return tr("There is no session to continue.");
    if (const std::string why = core::whyNotContinued(*session, m_state.position()); !why.empty())
        return displayText(why);
    if (m_job.isRunning() || m_undoJob.isRunning())
        return tr("Another session is being written.");
    if (!m_state.workspace().plan().isSimulated())
        return {};
    if (m_state.aftermath() != Aftermath::Simulated)
        return tr("The new session gets the simulated array. Show the simulated array first.");
    return m_state.isPlanning() || !m_state.picture().simulated ? tr("The simulated array is not ready yet.")
                                                                : QString();
}

void SessionContinuation::start()
{
    if (const QString sentence = obstacle(); !sentence.isEmpty())
        return m_bar->setNotice({ sentence, {}, {}, {} });
    const bool isSimulated = m_state.workspace().plan().isSimulated();
    const core::CompactionPtr compaction = isSimulated ? m_state.picture().simulated : nullptr;
    const core::Position position = m_state.position();
    const auto refusals = compaction ? core::refusalsOf(*compaction) : std::vector<core::Violation>();
    if (refusals.empty())
        return write(compaction, position);
    m_bar->setNotice({ displayText(core::refusalSentence(refusals)), {}, tr("Continue Anyway"),
        [this, compaction, position] { write(compaction, position); } });
}

void SessionContinuation::write(const core::CompactionPtr &compaction, core::Position position)
{
    core::ContinueOptions options;
    options.position = position;
    options.time = QDateTime::currentMSecsSinceEpoch();
    options.surroundings = core::Surroundings::ofProcess();
    m_bar->setNotice({ tr("Writing a new session…"), {}, {}, {} });
    m_job.start(
        this,
        [compaction, options, session = m_state.session()](core::Progress &) {
            return compaction ? core::continueSession(*compaction, options)
                              : core::continueSession(unchanged(session, options.position), options);
        },
        [this](const core::Result<core::Continued> &made) {
            if (made) {
                m_written.insert(QString::fromStdString(made->file.string()));
                report(*made, tr("A new session of %1 is ready: %2"));
            } else
                m_bar->setNotice(
                    { tr("Nothing was written: %1").arg(displayText(made.error().sentence())), {}, {}, {} });
            Q_EMIT finished(made.has_value());
        });
}

void SessionContinuation::report(const core::Continued &made, const QString &words)
{
    QStringList details;
    details << tr("The file: %1").arg(displayText(made.file.string()));
    details << tr("The removed texts: the git repository %1").arg(displayText(made.exported.store.string()));
    for (const std::string &note : made.notes)
        details << displayText(note);
    QString sentence = words.arg(displayText(made.harness), displayText(made.command));
    if (!made.notes.empty())
        sentence += u" · "_s + counted(made.notes.size(), tr("remark"), tr("remarks"));
    Notice notice { sentence, details.join(u'\n'), tr("Copy Command"), [this, made] {
                       QGuiApplication::clipboard()->setText(QString::fromStdString(made.command));
                       report(made, tr("Copied. A new session of %1 is ready: %2"));
                   } };
    notice.undoWords = tr("Undo");
    notice.undo = [this, copy = made.file] { undo(copy); };
    m_bar->setNotice(std::move(notice));
}

void SessionContinuation::undo(const std::filesystem::path &copy)
{
    m_undoJob.start(
        this, [copy](core::Progress &) { return core::removeContinued(copy); },
        [this](const core::Result<void> &removed) {
            m_bar->setNotice(
                { removed ? tr("The new session was removed.") : displayText(removed.error().sentence()), {}, {}, {} });
            Q_EMIT undone(removed.has_value());
        });
}

} // namespace ui
