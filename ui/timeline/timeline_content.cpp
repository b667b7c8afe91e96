// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/timeline_content.h"

#include "core/cache/recorded_requests.h"
#include "core/session/outline.h"
#include "ui/hub/bookmarks.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/look/call_time.h"

#include <algorithm>

namespace ui {

namespace {

/// True if calls report cache usage and the cache's rules are known: a band will follow.
bool reportsCache(const core::Session &session, const core::Thread &thread)
{
    return core::rulesOf(session) && std::ranges::any_of(thread.calls, [](const core::Call &call) {
        return call.usage && call.usage->cacheRead + call.usage->cacheWrite > 0;
    });
}

} // namespace

TimelineContent::TimelineContent(ViewState &state)
    : m_state(state)
    , m_traces(state.workspace().facts().traces())
    , m_comparisons(state.workspace().comparisons())
{
}

TimelineContent::Change TimelineContent::readSession()
{
    const core::SessionPtr &session = m_state.session();
    const core::BlockTokensPtr &tokens = m_state.workspace().tokens();
    const core::ThreadIndex thread = m_state.position().thread;
    if (session == m_session && tokens == m_tokens && thread == m_thread)
        return Change::None;
    const Change change = thread == m_thread ? Change::SameThread : Change::OtherThread;
    m_session = session;
    m_tokens = tokens;
    m_thread = thread;
    m_series = {};
    m_spansDays = false;
    if (const core::ArraySumsPtr sums = m_state.workspace().sums(thread)) {
        const core::Thread &shown = session->thread(thread);
        m_series
            = TimelineSeries(core::contextCurve(*sums, *tokens), shown.compactions, core::outlineOf(*session, thread));
        m_spansDays = ui::spansDays(shown);
    }
    return change;
}

void TimelineContent::readReplay()
{
    const core::ReplayPtr &replay = m_state.workspace().replays().current();
    const bool isOfThis = replay && replay->ground->log.session == m_session && replay->ground->log.thread == m_thread
        && replay->steps.size() == m_series.columnCount();
    m_replay = isOfThis ? replay : nullptr;
    m_policyCurve = m_replay ? PolicyCurve(*m_replay) : PolicyCurve();
    m_policyPrompts = m_replay ? core::promptSums(*m_replay) : core::PromptSums();
}

void TimelineContent::readFigures()
{
    const RunFigures &figures = m_state.workspace().figures();
    const auto isOfThis = [this](const core::ReplayGround &ground) {
        return ground.log.session == m_session && ground.log.thread == m_thread
            && ground.callCount() == m_series.callCount();
    };
    m_expectsCache = m_session && !isEmpty() && reportsCache(*m_session, thread());
    const core::RecordedFiguresPtr &recorded = figures.recorded();
    const core::PolicyFiguresPtr &policy = figures.policy();
    m_bands[0] = recorded && isOfThis(*recorded->ground) ? CacheBand(*recorded) : CacheBand();
    m_bands[1] = policy && isOfThis(*policy->replay->ground) ? CacheBand(*policy) : CacheBand();
}

void TimelineContent::readComparisons()
{
    m_comparedCurves.clear();
    for (size_t i = 0; i < m_comparisons.count(); ++i) {
        const core::PolicyFiguresPtr &figures = m_comparisons.at(i).figures;
        const bool isOfThis = figures && figures->replay->ground->log.session == m_session
            && figures->replay->steps.size() == m_series.columnCount();
        m_comparedCurves.push_back(isOfThis ? PolicyCurve(*figures->replay) : PolicyCurve());
    }
}

void TimelineContent::readTriggers()
{
    const core::PolicyPtr &policy = plan().policy;
    m_triggers = policy && m_session ? TriggerLevels::of(*policy, policy->windowOf(*m_session)) : TriggerLevels();
}

void TimelineContent::readFindings()
{
    const FindingsPtr &findings = m_state.workspace().findings().get();
    m_findings = findings && findings->session == m_session ? findings : nullptr;
    m_findingTrack = m_findings ? FindingTrack(*m_findings, m_thread) : FindingTrack();
}

void TimelineContent::readBookmarks()
{
    m_bookmarks.clear();
    if (!m_session || m_session != m_state.session())
        return;
    for (const core::BlockId block : m_state.workspace().bookmarks().places()) {
        const auto first = core::nearestPositionWith(*m_session, block, { m_thread, core::CallIndex(0U) });
        if (first && first->thread == m_thread)
            m_bookmarks.push_back({ first->isEnd() ? m_series.columnCount() - 1 : first->call.index(), block });
    }
}

size_t TimelineContent::bandCount() const
{
    if (!m_showsCache || !m_expectsCache)
        return 0;
    return plan().isSimulated() ? 2 : 1;
}

size_t TimelineContent::comparedRowCount() const
{
    if (m_comparisons.count() == 0 || isEmpty() || !m_showsCompareTable)
        return 0;
    return 1 + (plan().isSimulated() ? 1 : 0) + m_comparisons.count();
}

double TimelineContent::windowTokens() const
{
    return m_session ? static_cast<double>(m_session->windowTokens.value_or(0)) : 0.0;
}

double TimelineContent::topTokens() const
{
    double simulated = m_policyCurve.peak();
    for (const PolicyCurve &compared : m_comparedCurves)
        simulated = std::max(simulated, compared.peak());
    return timelineTop(m_series.peak(), windowTokens(), simulated);
}

size_t TimelineContent::chosenColumn() const
{
    const core::Position position = m_state.position();
    return position.isEnd() ? m_series.callCount() : std::min(position.call.index(), m_series.callCount());
}

void TimelineContent::choose(size_t column) const
{
    core::Position position = m_state.position();
    position.call = m_series.isEnd(column) ? core::CallIndex() : core::CallIndex(column);
    m_state.setPosition(position);
}

void TimelineContent::chooseFindings(const FindingTrack::Group &group) const
{
    choose(m_findingTrack.columnOf(group.first));
    m_state.workspace().findings().choose(m_findingTrack.findingsOf(group).front());
}

void TimelineContent::chooseMark(size_t mark) const
{
    core::Position position = m_state.position();
    position.call = core::CallIndex(m_series.marks()[mark].column);
    m_state.setPosition(position, mark);
}

core::TokenFigure TimelineContent::recordedSent() const
{
    const core::RecordedFiguresPtr &figures = m_state.workspace().figures().recorded();
    const bool isOfThis
        = figures && figures->ground->log.session == m_session && figures->ground->log.thread == m_thread;
    if (isOfThis)
        return figures->prompts.computed.sum;
    const TimelineSeries::Measure measure = m_series.measure(0, std::max<size_t>(1, m_series.callCount()) - 1);
    return { measure.sent, measure.isExact ? core::Basis::Exact : core::Basis::Estimated };
}

QString TimelineContent::nameOf(size_t column) const
{
    return m_series.isEnd(column) ? tr("end") : tr("call %1").arg(static_cast<qulonglong>(column));
}

QString TimelineContent::tokensText(size_t column) const
{
    const core::BlockTokensPtr &tokens = m_state.workspace().tokens();
    const core::Basis basis = m_series.isExact(column) ? core::Basis::Exact
        : tokens                                       ? tokens->basis
                                                       : core::Basis::Estimated;
    return tr("%1 tokens")
        .arg(displayText(core::shown({ m_series.tokens(column), basis, tokens ? tokens->error : 0 })));
}

QString TimelineContent::policyTokensText(size_t column) const
{
    return displayText(core::shown(core::promptFigure(*m_replay, column)));
}

QString TimelineContent::timeText(size_t column) const
{
    if (m_series.isEnd(column) || !m_session)
        return {};
    return callTimeText(thread().calls[column], m_spansDays);
}

} // namespace ui
