// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/array_facts.h"

#include "core/weight/block_reasons.h"
#include "core/weight/resent_unused.h"
#include "ui/hub/thread_facts.h"
#include "ui/hub/workspace.h"

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr size_t kSmallArray = 4'000;        ///< blocks
constexpr size_t kUnusedCallsAtOnce = 1'000; ///< calls of the thread, over which tokens resent unused are counted

} // namespace

ArrayFacts::ArrayFacts(Workspace &workspace, ArrayPicture &picture)
    : m_workspace(workspace)
    , m_picture(picture)
{
    connect(&workspace.facts(), &ThreadFacts::usesChanged, this, &ArrayFacts::onUsesChanged);
}

bool ArrayFacts::isSmall() const { return m_picture.before.blocks().size() <= kSmallArray; }

bool ArrayFacts::ranksAtOnce() const
{
    return isSmall() && m_workspace.session()->thread(m_picture.position.thread).calls.size() <= kUnusedCallsAtOnce;
}

void ArrayFacts::stop()
{
    m_hotJob.cancel();
    m_reasonsJob.cancel();
}

void ArrayFacts::wait()
{
    m_hotJob.wait();
    m_reasonsJob.wait();
}

bool ArrayFacts::readArray(core::WeightUnit unit)
{
    const core::SessionPtr &session = m_workspace.session();
    const core::BlockTokensPtr &tokens = m_workspace.tokens();
    const core::Position position = m_picture.position;
    const bool isKnown = m_ground.session == session && m_ground.tokens == tokens && m_ground.position == position
        && m_ground.unit == unit && m_ground.compaction == m_picture.compaction;
    if (!isKnown)
        m_ground = { session, tokens, position, unit, m_picture.compaction,
            m_workspace.sums(position.thread)->at(position), {} };
    m_picture.sum = m_ground.sum;
    return !isKnown;
}

void ArrayFacts::findHot()
{
    if (!isSmall()) {
        m_picture.hot = m_ground.hot.zones;
        return startFinding();
    }
    core::Progress progress;
    take(finding(ranksAtOnce())(progress));
    if (!m_ground.hot.isRanked && m_workspace.facts().uses())
        startFinding();
}

ArrayFacts::Work ArrayFacts::finding(bool ranks) const
{
    return [hot = m_ground.hot, array = m_picture.before, position = m_picture.position, weights = m_picture.weights,
               cutoff = m_picture.cutoff, sums = m_workspace.sums(m_picture.position.thread),
               uses = ranks && m_workspace.tokens() ? m_workspace.facts().uses() : nullptr,
               explains = isSmall()](core::Progress &) mutable {
        if (!hot.finder)
            hot.finder = std::make_shared<const core::HotZoneFinder>(array, position, weights, *sums);
        if (uses && !hot.isRanked) {
            const core::ResentUnused unused = core::resentUnused(
                array, position, array.slotCount(), core::GroupBy::Block, weights.tokens(), *uses, *sums);
            core::HotZoneFinder finder = *hot.finder;
            finder.rank(core::unusedRanks(*array.session(), unused));
            hot.finder = std::make_shared<const core::HotZoneFinder>(std::move(finder));
            hot.isRanked = true;
        }
        core::HotZones zones = hot.finder->before(cutoff);
        for (core::HotBlock &each : zones.blocks) {
            if (const auto known = hot.reasons->find(each.block); known != hot.reasons->end())
                each.reason = known->second;
        }
        hot.zones = std::make_shared<const core::HotZones>(std::move(zones));
        return explains ? explained(hot, array, position.thread) : hot;
    };
}

ArrayFacts::Hot ArrayFacts::explained(Hot hot, const core::Transcript &array, core::ThreadIndex thread)
{
    std::vector<core::BlockId> unknown;
    for (const core::HotBlock &each : hot.zones->blocks) {
        if (each.reason.empty())
            unknown.push_back(each.block);
    }
    if (unknown.empty())
        return hot;
    Reasons reasons = *hot.reasons;
    std::vector<std::string> found = core::blockReasons(array, thread, unknown);
    for (size_t i = 0; i < unknown.size(); ++i)
        reasons[unknown[i]] = std::move(found[i]);
    core::HotZones zones = *hot.zones;
    for (core::HotBlock &each : zones.blocks)
        each.reason = reasons.at(each.block);
    hot.reasons = std::make_shared<const Reasons>(std::move(reasons));
    hot.zones = std::make_shared<const core::HotZones>(std::move(zones));
    return hot;
}

void ArrayFacts::startFinding()
{
    m_hotJob.start(
        this, finding(true),
        [this](Hot hot) {
            take(std::move(hot));
            if (lacksReasons())
                Q_EMIT reasonsWanted();
            Q_EMIT hotChanged();
        },
        [this](const core::Error &error) {
            m_workspace.report(error);
            Q_EMIT hotChanged();
        });
}

void ArrayFacts::take(Hot hot)
{
    m_ground.hot = std::move(hot);
    m_picture.hot = m_ground.hot.zones;
}

void ArrayFacts::onUsesChanged()
{
    const core::SessionPtr &session = m_workspace.session();
    if (!session || m_ground.session != session || m_picture.before.session() != session || !m_workspace.tokens())
        return;
    if (std::exchange(m_ground.hot.isRanked, false))
        m_ground.hot.finder.reset();
    if (!m_workspace.facts().uses())
        return;
    if (!ranksAtOnce())
        return startFinding();
    core::Progress progress;
    take(finding(true)(progress));
    Q_EMIT hotChanged();
}

bool ArrayFacts::lacksReasons() const
{
    return std::ranges::any_of(
        m_ground.hot.zones->blocks, [](const core::HotBlock &each) { return each.reason.empty(); });
}

void ArrayFacts::settle()
{
    if (m_hotJob.isRunning() || !lacksReasons())
        return; // the reasons are asked for once the blocks are found
    m_reasonsJob.start(
        this,
        [hot = m_ground.hot, array = m_picture.before, thread = m_picture.position.thread](
            core::Progress &) { return explained(hot, array, thread); },
        [this](Hot hot) {
            take(std::move(hot));
            Q_EMIT hotChanged();
        },
        m_workspace.reporter());
}

} // namespace ui
