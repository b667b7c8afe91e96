// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/array_facts.h"

#include "core/weight/block_reasons.h"
#include "ui/hub/thread_facts.h"
#include "ui/hub/workspace.h"

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

void ArrayFacts::stop()
{
    m_reasonsJob.cancel();
    m_unusedJob.cancel();
}

bool ArrayFacts::readArray(core::WeightUnit unit)
{
    const core::SessionPtr &session = m_workspace.session();
    const core::BlockTokensPtr &tokens = m_workspace.tokens();
    const core::Position position = m_picture.position;
    const bool isKnown = m_ground.session == session && m_ground.tokens == tokens && m_ground.position == position
        && m_ground.unit == unit && m_ground.compaction == m_picture.compaction;
    if (!isKnown) {
        const core::ArraySums &sums = *m_workspace.sums(position.thread);
        m_ground = { session, tokens, position, unit, m_picture.compaction,
            core::HotZoneFinder(m_picture.before, position, m_picture.weights, sums), false, sums.at(position), {} };
    }
    m_picture.sum = m_ground.sum;
    return !isKnown;
}

void ArrayFacts::findHot()
{
    if (!m_ground.isRanked)
        findUnused();
    showHot();
    if (isSmall())
        explain();
}

void ArrayFacts::showHot()
{
    m_picture.hot = m_ground.hot.before(m_picture.cutoff);
    showReasons();
}

void ArrayFacts::onUsesChanged()
{
    if (std::exchange(m_ground.isRanked, false))
        m_ground.hot.rank({});
    const core::SessionPtr &session = m_workspace.session();
    if (session && m_picture.before.session() == session && findUnused())
        showUnused();
}

bool ArrayFacts::findUnused()
{
    const UsesPtr &uses = m_workspace.facts().uses();
    if (!uses || !m_workspace.tokens())
        return false;
    const auto find = [session = m_workspace.session(), array = m_picture.before, position = m_picture.position,
                          tokens = m_picture.weights.tokens(), uses,
                          sums = m_workspace.sums(m_picture.position.thread)](core::Progress &) {
        const core::ResentUnused unused
            = core::resentUnused(array, position, array.slotCount(), core::GroupBy::Block, tokens, *uses, *sums);
        return core::unusedRanks(*session, unused);
    };
    const size_t calls = m_workspace.session()->thread(m_picture.position.thread).calls.size();
    if (isSmall() && calls <= kUnusedCallsAtOnce) {
        core::Progress progress;
        rank(find(progress));
        return true;
    }
    m_unusedJob.start(
        this, find,
        [this](const std::vector<uint32_t> &ranks) {
            rank(ranks);
            showUnused();
        },
        m_workspace.reporter());
    return false;
}

void ArrayFacts::rank(const std::vector<uint32_t> &ranks)
{
    m_ground.hot.rank(ranks);
    m_ground.isRanked = true;
}

void ArrayFacts::showUnused()
{
    showHot();
    if (isSmall())
        explain();
    else
        Q_EMIT reasonsWanted();
    Q_EMIT hotChanged();
}

void ArrayFacts::settle()
{
    if (!isSmall())
        explain();
}

void ArrayFacts::explain()
{
    std::vector<core::BlockId> unknown;
    for (const core::HotBlock &each : m_picture.hot.blocks) {
        if (!m_ground.reasons.contains(each.block))
            unknown.push_back(each.block);
    }
    if (unknown.empty())
        return;
    const core::ThreadIndex thread = m_picture.position.thread;
    if (isSmall())
        return learnReasons(unknown, core::blockReasons(m_picture.before, thread, unknown));
    m_reasonsJob.start(
        this,
        [array = m_picture.before, thread, unknown](
            core::Progress &) { return core::blockReasons(array, thread, unknown); },
        [this, unknown](std::vector<std::string> reasons) {
            learnReasons(unknown, std::move(reasons));
            Q_EMIT hotChanged();
        },
        m_workspace.reporter());
}

void ArrayFacts::learnReasons(const std::vector<core::BlockId> &blocks, std::vector<std::string> reasons)
{
    for (size_t i = 0; i < blocks.size(); ++i)
        m_ground.reasons[blocks[i]] = std::move(reasons[i]);
    showReasons();
}

void ArrayFacts::showReasons()
{
    for (core::HotBlock &each : m_picture.hot.blocks) {
        const auto known = m_ground.reasons.find(each.block);
        if (known != m_ground.reasons.end())
            each.reason = known->second;
    }
}

} // namespace ui
