// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/view_state.h"

#include "core/compaction/observe.h"
#include "core/replay/replay_figures.h"
#include "core/session/heaviest_call.h"
#include "core/session/outline.h"
#include "core/session/slot_label.h"
#include "core/tokens/array_weights.h"
#include "ui/hub/replays.h"

#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <utility>

namespace ui {

namespace {

constexpr std::chrono::milliseconds kSettledAfter { 120 }; ///< of stillness

} // namespace

ViewState::ViewState(Workspace &workspace, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_search(workspace)
    , m_after(workspace)
    , m_facts(workspace, m_picture)
{
    connect(&workspace, &Workspace::sessionChanged, this, &ViewState::onSessionChanged);
    connect(&workspace, &Workspace::tokensChanged, this, &ViewState::rebuild);
    connect(&workspace, &Workspace::planChanged, this, &ViewState::onPlanChanged);
    m_settleTimer.setSingleShot(true);
    m_settleTimer.setInterval(kSettledAfter);
    connect(&m_settleTimer, &QTimer::timeout, this, &ViewState::onStill);
    connect(&workspace, &Workspace::afterFileChanged, this, &ViewState::onAfterFileChanged);
    connect(&m_after, &AfterArray::made, this, &ViewState::compose);
    // The total of the own run is the replay's. Queued: the job of the replay must have ended.
    connect(
        &workspace.replays(), &Replays::changed, this,
        [this] {
            if (m_picture.ownRun)
                compose();
        },
        Qt::QueuedConnection);
    connect(&m_facts, &ArrayFacts::hotChanged, this, &ViewState::onHotChanged);
    connect(
        &m_facts, &ArrayFacts::reasonsWanted, this, [this] { m_isSettled ? m_facts.settle() : m_settleTimer.start(); });
    connect(&m_search, &SessionSearch::changed, this, &ViewState::findMatches);
}

void ViewState::onSessionChanged(bool isNew)
{
    const bool isReloaded = isNew && m_workspace.isReloaded();
    if (isNew) {
        m_showsChange = false;
        m_after.forget();
        m_current = isReloaded ? m_workspace.carried(m_current) : core::BlockId();
        m_hovered = {};
        m_selection.clear();
    }
    if (m_workspace.isGrown()) {
        m_followsHeaviest = false;
        const bool stoodAtLast = !m_position.isEnd() && m_position.call.index() + 1 == m_callCount;
        if (stoodAtLast) // the newest call is followed only by a view that stands there
            m_position.call = core::CallIndex(session()->thread(m_position.thread).calls.size() - 1);
    }
    // The position before the reload, if it still exists.
    const auto &threads = session()->threads;
    const bool isThere = m_position.thread.index() < threads.size()
        && (m_position.isEnd() || m_position.call.index() < threads[m_position.thread.index()].calls.size());
    if ((isNew && !isReloaded) || !isThere) {
        m_position = {};
        m_compaction.reset();
        m_followsHeaviest = true;
    }
    if (m_followsHeaviest)
        m_position = heaviestPosition(m_position.thread);
    m_workspace.setShownThread(m_position.thread);
    m_callCount = session()->thread(m_position.thread).calls.size();
    rebuild();
    if (isNew && !m_current.isValid())
        chooseOpeningSlot();
    else if (isReloaded)
        Q_EMIT currentChanged();
}

core::Position ViewState::heaviestPosition(core::ThreadIndex thread) const
{
    return session() ? core::heaviestPosition(*session(), thread) : core::Position { thread, {} };
}

void ViewState::setPosition(core::Position position, std::optional<size_t> compaction)
{
    m_followsHeaviest = false;
    if (position == m_position && compaction == m_compaction)
        return;
    const bool isOtherThread = position.thread != m_position.thread;
    m_position = position;
    m_compaction = compaction;
    m_callCount = session() ? session()->thread(position.thread).calls.size() : 0;
    m_workspace.setShownThread(position.thread);
    rebuild();
    if (isOtherThread && !currentSlot().isValid())
        chooseOpeningSlot();
}

const core::RecordedCompaction *ViewState::shownCompaction() const
{
    const auto &all = session()->thread(m_position.thread).compactions;
    const bool isOne = m_compaction && *m_compaction < all.size() && all[*m_compaction].call == m_position.call;
    return isOne && !m_position.isEnd() ? &all[*m_compaction] : core::compactionAfter(*session(), m_position);
}

void ViewState::chooseOpeningSlot()
{
    setCurrentSlot(m_picture.hot->blocks.empty() ? core::SlotIndex(0U) : m_picture.hot->blocks.front().slot);
    m_awaitsHottest = isFindingHot();
}

void ViewState::onHotChanged()
{
    if (m_awaitsHottest)
        chooseOpeningSlot();
    if (m_isSettled)
        m_search.setHot(core::blocksOf(*m_picture.hot));
    Q_EMIT hotChanged();
}

void ViewState::waitForPicture()
{
    m_after.wait();
    m_facts.wait();
}

void ViewState::overrideCurrentBlock(std::optional<Workspace::Override> what)
{
    if (currentSlot().isValid() && !m_added.isValid())
        m_workspace.commitOverride(withPartners({ m_current }), what);
}

/// A provider refuses a result without its call, and a call without its result.
std::vector<core::BlockId> ViewState::withPartners(std::vector<core::BlockId> blocks) const
{
    const core::Transcript &array = m_picture.before;
    std::unordered_set<core::StringId> calls;
    for (const core::BlockId id : blocks) {
        if (const core::StringId call = array.block(id).callId; call.isValid())
            calls.insert(call);
    }
    if (calls.empty())
        return blocks;
    std::unordered_set<core::BlockId> known(blocks.begin(), blocks.end());
    for (const core::BlockId id : array.blocks()) {
        if (calls.contains(array.block(id).callId) && known.insert(id).second)
            blocks.push_back(id);
    }
    return blocks;
}

std::vector<Aftermath> ViewState::aftermaths() const
{
    std::vector<Aftermath> all;
    if (!session())
        return all;
    if (core::compactionAfter(*session(), m_position) != nullptr)
        all.push_back(Aftermath::Recorded);
    if (m_workspace.plan().isSimulated())
        all.push_back(Aftermath::Simulated);
    if (m_workspace.plan().isSimulated() && m_workspace.plan().policy)
        all.push_back(Aftermath::OwnRun);
    if (m_workspace.afterFile())
        all.push_back(Aftermath::Observed);
    return all;
}

Aftermath ViewState::aftermath() const
{
    const std::vector<Aftermath> all = aftermaths();
    if (all.empty() || std::ranges::contains(all, m_aftermath))
        return m_aftermath;
    return all.back() == Aftermath::OwnRun ? Aftermath::Simulated : all.back(); // the own run is shown on request
}

void ViewState::setAftermath(Aftermath aftermath)
{
    if (aftermath == m_aftermath)
        return;
    m_aftermath = aftermath;
    rebuild();
}

void ViewState::onPlanChanged()
{
    // Choosing a policy shows its result.
    const bool isSimulated = m_workspace.plan().isSimulated();
    if (isSimulated && !m_wasSimulated)
        m_aftermath = Aftermath::Simulated;
    m_wasSimulated = isSimulated;
    makeAfter();
    // While a plan is computed, the current picture stays. It is composed again when the plan is ready.
    if (!m_after.isRunning() || !m_after.compaction())
        compose();
}

std::vector<core::BlockId> ViewState::selectedBlocks() const
{
    std::vector<core::BlockId> blocks;
    for (const core::SlotIndex slot : m_selection) {
        const auto own = m_picture.before.blocksOf(m_picture.before.slot(slot));
        blocks.insert(blocks.end(), own.begin(), own.end());
    }
    return blocks;
}

void ViewState::overrideSelection(std::optional<Workspace::Override> what)
{
    if (const auto blocks = withPartners(selectedBlocks()); !blocks.empty())
        m_workspace.commitOverride(blocks, what);
}

void ViewState::resetSelection() { m_workspace.plans().commitReset(selectedBlocks()); }

void ViewState::onAfterFileChanged()
{
    if (m_workspace.afterFile())
        m_aftermath = Aftermath::Observed;
    rebuild();
}

void ViewState::rebuild()
{
    makeAfter();
    compose();
}

void ViewState::makeAfter()
{
    if (aftermaths().empty() || aftermath() == Aftermath::Recorded)
        m_after.forget();
    else
        m_after.make(m_position, aftermath());
}

void ViewState::compose()
{
    // The array stays while its unit or keep changes.
    const bool isSameArray = session() && m_picture.before.session() == session() && m_picture.position == m_position
        && !m_picture.hasAfter();
    core::Transcript recorded = isSameArray ? std::move(m_picture.before) : core::Transcript();
    m_picture = {};
    m_added = {};
    m_picture.position = m_position;
    m_facts.stop();
    m_settleTimer.stop();
    m_isSettled = false;
    if (!session()) {
        m_facts.forget();
        m_isSettled = true;
        Q_EMIT pictureChanged();
        Q_EMIT pictureSettled();
        return;
    }
    readAfter(std::move(recorded));
    const bool isOtherArray = m_facts.readArray(m_unit);
    readSizes();
    m_facts.findHot();
    std::erase_if(m_selection, [&](core::SlotIndex slot) { return slot.index() >= m_picture.before.slotCount(); });
    const core::SlotIndex slot = currentSlot();
    if (!slot.isValid())
        m_selection.clear(); // the selected slots are not in this array
    else if (std::ranges::find(m_selection, slot) == m_selection.end())
        m_selection = { slot };
    Q_EMIT pictureChanged();
    findMatches();
    if (m_workspace.isPreviewing() && !isOtherArray)
        m_settleTimer.start();
    else
        settle();
}

/// The `before` and `after` arrays, with their weights. `recorded` is the array that the call was sent, if known.
void ViewState::readAfter(core::Transcript recorded)
{
    const auto weightsOf = [this](const core::BlockRanges &array) {
        return core::Weights(core::tokensAt(*session(), array, m_workspace.tokens()), m_unit);
    };
    // The same table while a plan is dragged: views compare the pointer.
    if (m_tokensOf.session != session() || m_tokensOf.tokens != m_workspace.tokens()
        || m_tokensOf.position != m_position)
        m_tokensOf = { session(), m_workspace.tokens(), m_position,
            core::tokensAt(*session(), core::rangesAt(*session(), m_position), m_workspace.tokens()) };
    m_picture.weights = core::Weights(m_tokensOf.there, m_unit);
    m_picture.weightsAfter = m_picture.weights;
    (m_after.kind() == Aftermath::Simulated       ? m_picture.simulated
            : m_after.kind() == Aftermath::OwnRun ? m_picture.ownRun
                                                  : m_picture.observed)
        = m_after.compaction();
    const core::CompactionPtr &made = m_picture.made();
    if (made) {
        m_picture.before = made->before;
        m_picture.after = made->after;
        m_picture.weightsAfter = core::Weights(made->afterTokens, m_unit);
        return;
    }
    if (!m_after.isRunning() || aftermath() == Aftermath::Recorded)
        m_picture.compaction = shownCompaction();
    if (m_picture.compaction == nullptr) {
        m_picture.before = recorded.session() ? std::move(recorded)
                                              : core::Transcript(session(), core::rangesAt(*session(), m_position));
        return;
    }
    const auto &all = session()->thread(m_position.thread).compactions;
    m_picture.compactionNumber = static_cast<size_t>(m_picture.compaction - all.data()) + 1;
    m_picture.before = core::Transcript(session(), m_picture.compaction->before);
    m_picture.after = core::Transcript(session(), m_picture.compaction->after);
    m_picture.weights = weightsOf(m_picture.compaction->before);
    m_picture.weightsAfter = weightsOf(m_picture.compaction->after);
}

/// The sum of the `after` array, and the start of the keep window.
void ViewState::readSizes()
{
    const core::BlockTokens &tokens = *m_workspace.tokens();
    const auto weightOf = [](const core::Transcript &array, const core::Weights &weights) {
        double sum = 0;
        for (const core::BlockId id : array.blocks())
            sum += weights.tokens()->of(id);
        return sum;
    };
    // A recorded compaction had the response of the call before it, too.
    if (m_picture.compaction != nullptr) {
        if (m_picture.compaction->before != core::rangesAt(*session(), m_position))
            m_picture.sum = m_picture.sum.withSlots(weightOf(m_picture.before, m_picture.weights), tokens);
        const core::RecordedSizes sizes = core::recordedSizes(
            *session(), m_position.thread, m_picture.compactionNumber - 1, *m_workspace.sums(m_position.thread));
        m_picture.sumAfter = sizes.sumAfter.value_or(core::ArraySum { .prelude = m_picture.sum.prelude });
        if (!sizes.isAfterSent)
            m_picture.sumAfter
                = m_picture.sumAfter.withSlots(weightOf(m_picture.after, m_picture.weightsAfter), tokens);
    }
    if (m_picture.simulated)
        m_picture.sumAfter = core::sumAfter(*m_picture.simulated, m_picture.sum, tokens);
    else if (m_picture.made())
        m_picture.sumAfter = m_picture.sum.withSlots(weightOf(m_picture.after, m_picture.weightsAfter), tokens);
    if (m_picture.ownRun)
        m_picture.sumAfter = sumOfOwnRun(m_picture.sumAfter.slots);
    m_picture.cutoff = m_picture.simulated && m_workspace.plan().policy
        ? m_picture.simulated->cutoff.index()
        : core::keepCutoff(m_picture.before, m_workspace.keep(), *m_picture.weights.tokens());
}

/// The sum as the replay has it.
core::ArraySum ViewState::sumOfOwnRun(double slots) const
{
    const core::BlockTokens &tokens = *m_workspace.tokens();
    const core::ReplayPtr &replay = m_workspace.replays().current();
    if (!replay || m_workspace.replays().isRunning() || replay->ground->log.session != session()
        || replay->ground->log.thread != m_position.thread)
        return m_picture.sum.withSlots(slots, tokens);
    const size_t step = m_position.isEnd() ? replay->callCount() : m_position.call.index();
    const core::UnsentText &unsent = replay->ground->unsentAt(step);
    double unsure = 0;
    for (const core::BlockId id : m_picture.after.blocks())
        unsure += unsent.holds(id) ? replay->ground->tokens->of(id) : 0;
    return core::promptSum(*replay, step, slots, unsure);
}

void ViewState::onStill()
{
    if (m_isSettled)
        m_facts.settle(); // the array is the same, only reasons are missing
    else
        settle();
}

void ViewState::settle()
{
    m_isSettled = true;
    m_search.setHot(core::blocksOf(*m_picture.hot));
    m_facts.settle();
    Q_EMIT pictureSettled();
}

void ViewState::chooseAddedBlock(core::BlockId blockAfter)
{
    m_added = blockAfter;
    m_showsChange = false;
    m_selection.clear(); // what acts on slots must not act on one that is not shown as selected
    Q_EMIT addedBlockChosen(blockAfter);
}

void ViewState::setCurrentBlock(core::BlockId block)
{
    const bool wasAdded = std::exchange(m_added, {}).isValid();
    const bool wasChange = std::exchange(m_showsChange, false);
    m_awaitsHottest = false;
    if (block == m_current && !wasAdded && !wasChange)
        return;
    m_current = block;
    const core::SlotIndex slot = currentSlot();
    m_selection.clear();
    if (slot.isValid())
        m_selection.push_back(slot);
    Q_EMIT currentChanged();
}

void ViewState::setCurrentSlot(core::SlotIndex slot)
{
    m_awaitsHottest = false;
    if (!slot.isValid() || slot.index() >= m_picture.before.slotCount())
        return;
    const auto blocks = m_picture.before.blocksOf(m_picture.before.slot(slot));
    const auto heaviest
        = std::ranges::max_element(blocks, {}, [&](core::BlockId id) { return m_picture.weights.of(*session(), id); });
    choose(slot, *heaviest, false);
}

void ViewState::choose(core::SlotIndex slot, core::BlockId block, bool showsChange)
{
    m_added = {};
    m_showsChange = showsChange;
    m_current = block;
    m_selection = { slot };
    Q_EMIT currentChanged();
    Q_EMIT revealRequested(slot);
    setHoveredBlock({}); // views have moved below the pointer; the choice is reported
}

void ViewState::chooseChange(core::BlockId blockAfter)
{
    m_awaitsHottest = false;
    const core::BlockId origin = m_picture.originOf(blockAfter);
    if (const core::SlotIndex slot = m_picture.before.slotOf(origin); slot.isValid())
        choose(slot, origin, true);
}

core::BlockId ViewState::changeOfCurrent() const
{
    const core::CompactionPtr &made = m_picture.made();
    const bool isOfPolicy = m_picture.isSimulated() && m_workspace.plans().textOf(m_current) == nullptr;
    if (!m_current.isValid() || m_added.isValid() || !isOfPolicy)
        return {};
    const auto place = std::ranges::find(made->origins, m_current);
    const core::BlockId change = place == made->origins.end()
        ? core::BlockId()
        : m_picture.after.blocks()[static_cast<size_t>(place - made->origins.begin())];
    return change == m_current ? core::BlockId() : change;
}

void ViewState::setShowsChange(bool showsChange)
{
    if (showsChange == m_showsChange)
        return;
    m_showsChange = showsChange;
    Q_EMIT currentChanged();
}

void ViewState::setSelection(std::vector<core::SlotIndex> slots)
{
    m_awaitsHottest = false;
    m_added = {};
    std::ranges::sort(slots);
    m_selection = std::move(slots);
    Q_EMIT currentChanged();
}

void ViewState::setHoveredBlock(core::BlockId block)
{
    if (block == m_hovered)
        return;
    m_hovered = block;
    Q_EMIT hoverChanged();
}

void ViewState::setUnit(core::WeightUnit unit)
{
    if (unit == m_unit)
        return;
    m_unit = unit;
    rebuild();
}

void ViewState::setColourBy(ColourBy colourBy)
{
    if (colourBy == m_colourBy)
        return;
    m_colourBy = colourBy;
    Q_EMIT pictureChanged();
}

QColor ViewState::colourOf(const core::Transcript &transcript, const core::Slot &slot) const
{
    return slotColour(m_theme, m_colourBy, transcript, slot, session()->messages.size());
}

void ViewState::setTheme(const Theme &theme)
{
    m_theme = theme;
    Q_EMIT themeChanged();
}

void ViewState::findMatches()
{
    m_matches.clear();
    const core::Transcript &array = m_picture.before;
    for (size_t i = 0; i < array.slotCount() && !m_search.hits().empty(); ++i) {
        const auto blocks = array.blocksOf(array.slots()[i]);
        if (std::ranges::any_of(blocks, [this](core::BlockId id) { return m_search.isHit(id); }))
            m_matches.emplace_back(i);
    }
    Q_EMIT matchesChanged();
}

void ViewState::goTo(core::BlockId block)
{
    if (!m_picture.before.slotOf(block).isValid()) {
        if (const auto position = core::nearestPositionWith(*session(), block, m_position))
            setPosition(*position);
    }
    setCurrentBlock(block);
    if (currentSlot().isValid())
        Q_EMIT revealRequested(currentSlot());
}

void ViewState::nextMatch(int direction)
{
    stepAmong(matches(), direction);
    if (matches().empty() || m_search.isHit(m_current))
        return;
    const auto blocks = m_picture.before.blocksOf(m_picture.before.slot(currentSlot()));
    setCurrentBlock(*std::ranges::find_if(blocks, [this](core::BlockId id) { return m_search.isHit(id); }));
}

void ViewState::stepAmong(const std::vector<core::SlotIndex> &slots, int direction)
{
    if (slots.empty())
        return;
    const core::SlotIndex current = currentSlot();
    if (direction > 0) {
        const auto next = current.isValid() ? std::ranges::upper_bound(slots, current) : slots.begin();
        setCurrentSlot(next == slots.end() ? slots.front() : *next);
    } else {
        const auto at = current.isValid() ? std::ranges::lower_bound(slots, current) : slots.begin();
        setCurrentSlot(at == slots.begin() ? slots.back() : *std::prev(at));
    }
}

void ViewState::stepSlot(int delta)
{
    const size_t count = m_picture.before.slotCount();
    if (count == 0)
        return;
    const core::SlotIndex current = currentSlot();
    const int from = current.isValid() ? static_cast<int>(current.value()) : (delta > 0 ? -1 : 0);
    setCurrentSlot(core::SlotIndex(std::clamp(from + delta, 0, static_cast<int>(count) - 1)));
}

void ViewState::stepCall(int delta)
{
    if (!session())
        return;
    const auto count = static_cast<int>(session()->thread(m_position.thread).calls.size());
    const int from = m_position.isEnd() ? count : static_cast<int>(m_position.call.value());
    const int to = std::clamp(from + delta, 0, count);
    core::Position position = m_position;
    position.call = to == count ? core::CallIndex() : core::CallIndex(to);
    setPosition(position);
}

void ViewState::stepHot(int delta)
{
    std::vector<core::SlotIndex> hot;
    for (const core::HotBlock &block : m_picture.hot->blocks)
        hot.push_back(block.slot);
    std::ranges::sort(hot);
    stepAmong(hot, delta);
}

void ViewState::stepSameKind(int delta)
{
    const core::SlotIndex current = currentSlot();
    if (!current.isValid())
        return;
    const core::Transcript &transcript = m_picture.before;
    const core::Material kind = core::materialOf(transcript, transcript.slot(current));
    for (auto i = static_cast<int64_t>(current.index()) + delta;
        i >= 0 && i < static_cast<int64_t>(transcript.slotCount()); i += delta) {
        const core::SlotIndex slot(static_cast<size_t>(i));
        if (core::materialOf(transcript, transcript.slot(slot)) == kind) {
            setCurrentSlot(slot);
            return;
        }
    }
}

} // namespace ui
