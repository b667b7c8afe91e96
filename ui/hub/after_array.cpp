// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/after_array.h"

#include "core/compaction/observe.h"
#include "core/replay/replay.h"
#include "core/tokens/array_weights.h"
#include "ui/hub/workspace.h"

#include <utility>

namespace ui {

namespace {

/// Blocks in the arrays up to which a plan is made at once.
constexpr size_t kMadeAtOnce = 6'000;
constexpr size_t kMadeWhileDragged = 1'000; ///< the same in a gesture, which is painted at every move

} // namespace

AfterArray::AfterArray(Workspace &workspace)
    : m_workspace(workspace)
{
}

void AfterArray::forget()
{
    m_job.cancel();
    m_made = {};
}

core::Transcript AfterArray::arrayAt(core::Position position) const
{
    const core::SessionPtr &session = m_workspace.session();
    if (m_made.compaction && m_made.session == session.get() && m_made.position == position)
        return m_made.compaction->before;
    return { session, core::rangesAt(*session, position) };
}

AfterArray::Work AfterArray::compacting(const core::Transcript &array, core::Position position) const
{
    const Plan &plan = m_workspace.plan();
    core::CompactOptions options;
    options.position = position;
    options.ignoresTriggers = !plan.honoursTriggers;
    options.overrides = plan.overrides;
    options.memo = m_workspace.memo();
    options.sums = m_workspace.sums(position.thread);
    return [array, policy = plan.policy ? plan.policy : core::preset("none"),
               tokens = core::tokensAt(
                   *m_workspace.session(), core::rangesAt(*m_workspace.session(), position), m_workspace.tokens()),
               options](core::Progress &) {
        return std::make_shared<const core::Compaction>(core::compact(array, policy, *tokens, options));
    };
}

AfterArray::Work AfterArray::replaying(core::Position position) const
{
    const Plan &plan = m_workspace.plan();
    core::ReplayOptions options;
    options.overrides = plan.overrides;
    options.memo = m_workspace.memo();
    return [session = m_workspace.session(), tokens = m_workspace.tokens(), sums = m_workspace.sums(position.thread),
               policy = plan.policy, position, options](core::Progress &progress) {
        core::ReplayOptions own = options;
        own.progress = &progress;
        return core::ownArrayAt(core::replayGround(session, position.thread, tokens, sums), policy, position, own);
    };
}

void AfterArray::make(core::Position position, Aftermath kind)
{
    const core::Transcript before = arrayAt(position);
    size_t blocks = before.blocks().size();
    Made wanted { nullptr, kind, m_workspace.session().get(), nullptr, position };
    m_asked = wanted;
    Work work;
    if (kind == Aftermath::Observed) {
        const AfterFile &file = *m_workspace.afterFile();
        const core::Transcript after(file.session, core::rangesAt(*file.session, { file.thread, {} }));
        blocks += after.blocks().size();
        wanted.otherSession = file.session.get();
        if (m_made.compaction && m_made.isForTheSame(wanted))
            return; // neither plan nor weights change it
        work = [before, after, tokens = file.counts.tokens](core::Progress &) {
            return std::make_shared<const core::Compaction>(core::observe(before, after, tokens));
        };
    } else if (kind == Aftermath::OwnRun) {
        work = replaying(position);
    } else {
        work = compacting(before, position);
    }
    const bool isQuick = kind != Aftermath::OwnRun; // that plans all calls before this one
    if (isQuick && blocks <= (m_workspace.isInGesture() ? kMadeWhileDragged : kMadeAtOnce)) {
        m_job.cancel();
        core::Progress progress;
        m_made = wanted;
        m_made.compaction = work(progress);
        return;
    }
    // Keeps the current compaction until the new one is ready, if it is for the same array.
    if (!m_made.isForTheSame(wanted))
        m_made = {};
    m_isOutdated = m_job.isRunning() && m_beingMade.isForTheSame(wanted);
    if (!m_isOutdated)
        start(wanted, work);
}

void AfterArray::start(const Made &wanted, const Work &work)
{
    m_beingMade = wanted;
    m_job.start(
        this, work,
        [this, wanted](core::CompactionPtr compaction) {
            Made result = wanted;
            result.compaction = std::move(compaction);
            take(std::move(result));
        },
        [this](const core::Error &error) {
            m_workspace.report(error);
            take({});
        });
}

void AfterArray::take(Made result)
{
    m_made = std::move(result);
    if (std::exchange(m_isOutdated, false))
        make(m_asked.position, m_asked.kind);
    Q_EMIT made();
}

} // namespace ui
