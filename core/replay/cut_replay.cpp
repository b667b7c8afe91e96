// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/cut_replay.h"

#include <algorithm>

namespace core {

/// An array that cuts tell, in the messages of the policy's harness.
class CutReplay::Array final : public MessageArray {
public:
    explicit Array(const CutTables &tables)
        : m_tables(tables)
        , m_counter(*tables.policy)
    {
    }

    void show(const CutStep &step)
    {
        m_step = &step;
        m_epoch = &m_tables.epochOf(step);
    }

    size_t begin = 0;                      ///< the first message that was not evicted
    bool hasSummary = false;               ///< one stands for those before it
    std::array<size_t, kMostCuts> cuts {}; ///< messages before them are changed by the stages

    [[nodiscard]] size_t end() const { return m_step->messages; }
    [[nodiscard]] size_t front() const { return hasSummary ? 1 : 0; }
    /// Of an index into this array the log's message.
    [[nodiscard]] size_t messageAt(size_t index) const { return begin + index - front(); }
    /// The place of a message's first block; behind the last one, the end.
    [[nodiscard]] uint32_t placeOf(size_t message) const
    {
        return message >= m_step->messages ? m_step->places : m_epoch->messageFirst[message];
    }

    [[nodiscard]] size_t messageCount() const override { return end() - begin + front(); }

    [[nodiscard]] MessageFacts factsOf(size_t index) const override
    {
        if (hasSummary && index == 0)
            return m_tables.summaryFacts;
        const size_t message = messageAt(index);
        return message + 1 == end() ? tail() : m_epoch->sums[setAt(message)].facts[message];
    }

    [[nodiscard]] double tokensFrom(size_t index) const override
    {
        if (index >= messageCount())
            return 0;
        const bool isAll = hasSummary && index == 0;
        const size_t from = isAll ? begin : messageAt(index);
        const double rest = from < end() ? sum<double>(&MessageSums::tokens, from, end() - 1) + tail().tokens : 0;
        return rest + (isAll ? m_tables.summaryFacts.tokens : 0);
    }

    [[nodiscard]] double totalTokens() const override
    {
        double total = hasSummary ? m_tables.summaryFacts.inTotal : 0;
        if (begin < end())
            total += sum<double>(&MessageSums::inTotal, begin, end() - 1) + tail().inTotal;
        return m_counter.total(total);
    }

    [[nodiscard]] size_t resultCount() const override
    {
        return begin < end() ? sum<uint32_t>(&MessageSums::results, begin, end() - 1) + tail().results : 0;
    }

    [[nodiscard]] size_t turnCount() const override
    {
        return begin < end() ? sum<uint32_t>(&MessageSums::turns, begin, end() - 1) + (tail().isTyped ? 1 : 0) : 0;
    }

    void forEachBlock(size_t index, const std::function<void(const Block &)> &visit) const override
    {
        if (hasSummary && index == 0)
            return visit(m_tables.session->block(m_tables.summaryBlock));
        const size_t message = messageAt(index);
        for (uint32_t place = placeOf(message); place < placeOf(message + 1); ++place) {
            if (const BlockId id = blockAt(place, message); id.isValid())
                visit(m_tables.session->block(id));
        }
    }

    /// What stands at a place of a message; invalid if nothing does.
    [[nodiscard]] BlockId blockAt(uint32_t place, size_t message) const
    {
        const int8_t by = m_epoch->changedBy[place];
        return by >= 0 && message < cuts[static_cast<size_t>(by)] ? m_epoch->changed[place] : m_epoch->base[place];
    }

    /// The first message behind the first `count` results; one result a message.
    [[nodiscard]] size_t behindResults(size_t count) const
    {
        if (count == 0)
            return begin;
        const auto &results = m_epoch->sums.front().results;
        const auto wanted = results[begin] + static_cast<uint32_t>(count);
        const auto last = results.begin() + static_cast<ptrdiff_t>(end());
        const auto found = std::lower_bound(results.begin() + static_cast<ptrdiff_t>(begin), last, wanted);
        return static_cast<size_t>(found - results.begin());
    }

private:
    /// The stages whose cut is behind a message, as bits.
    [[nodiscard]] size_t setAt(size_t message) const
    {
        size_t set = 0;
        for (size_t k = 0; k < m_tables.stages.size(); ++k)
            set |= static_cast<size_t>(cuts[k] > message) << k;
        return set;
    }

    /// Of the last message, which may grow yet.
    [[nodiscard]] const MessageFacts &tail() const { return m_tables.tails[m_step->firstTail + setAt(end() - 1)]; }

    /// Over messages, each as its set of stages leaves it.
    template <typename T>
    [[nodiscard]] T sum(const std::vector<T> MessageSums::*member, size_t from, size_t to) const
    {
        T total = 0;
        while (from < to) {
            size_t next = to;
            for (size_t k = 0; k < m_tables.stages.size(); ++k) {
                if (cuts[k] > from)
                    next = std::min(next, cuts[k]);
            }
            const std::vector<T> &sums = m_epoch->sums[setAt(from)].*member;
            total += sums[next] - sums[from];
            from = next;
        }
        return total;
    }

    const CutTables &m_tables;
    MessageCounter m_counter;
    const CutStep *m_step = nullptr;
    const CutEpoch *m_epoch = nullptr;
};

/// What goes on from call to call.
struct CutReplay::State {
    std::array<uint32_t, kMostCuts> cutPlaces {}; ///< of the array before
    uint32_t places = 0;                          ///< of the log's array before
    uint32_t changedFrom = 0;
    bool wasSummarised = false; ///< the array before began with a summary of its own
};

namespace {

/// Numbers of the places from `from` to `to`, as the cuts leave them.
template <typename Base, typename OfStage>
auto placeSum(const CutTables &tables, const CutEpoch &epoch, const std::array<uint32_t, kMostCuts> &cuts,
    uint32_t from, uint32_t to, Base base, OfStage ofStage)
{
    auto total = (epoch.*base)[to] - (epoch.*base)[from];
    for (size_t k = 0; k < tables.stages.size(); ++k) {
        const uint32_t end = std::min(to, cuts[k]);
        if (end > from) {
            const auto &sums = epoch.stages[k].*ofStage;
            total += static_cast<decltype(total)>(sums[end] - sums[from]);
        }
    }
    return total;
}

} // namespace

CutReplay::CutReplay(CutTablesPtr tables)
    : m_tables(std::move(tables))
    , m_array(std::make_unique<Array>(*m_tables))
    , m_calls(m_tables->steps.size())
    , m_fetchedBy(m_tables->fetchTokens.size(), 0)
    , m_fetchCall(m_tables->fetchTokens.size(), 0)
{
}

CutReplay::~CutReplay() = default;

bool CutReplay::run(const Policy &policy)
{
    m_array->begin = 0;
    m_array->hasSummary = false;
    m_array->cuts = {};
    State state;
    for (size_t i = 0; i < m_tables->steps.size(); ++i) {
        if (!runCall(policy, i, state))
            return false;
    }
    return true;
}

/// What the person took back.
bool CutReplay::takeBack(size_t index, State &state) const
{
    const CutStep &step = m_tables->steps[index];
    state.changedFrom = std::min(state.changedFrom, step.kept);
    for (uint32_t &cut : state.cutPlaces)
        cut = std::min(cut, step.kept);
    if (m_tables->isView)
        return true;
    Array &array = *m_array;
    const CutEpoch &epoch = m_tables->epochOf(step);
    if (array.begin > 0 && step.kept <= epoch.messageFirst[std::min(array.begin, epoch.roles.size())])
        return false;
    for (size_t &cut : array.cuts) {
        // What is changed ends where a message does, before and now.
        const auto first = std::ranges::lower_bound(epoch.messageFirst, step.kept);
        const auto kept = static_cast<size_t>(first - epoch.messageFirst.begin());
        if (cut < kept || cut == 0)
            continue;
        if (first == epoch.messageFirst.end() || *first != step.kept)
            return false;
        cut = std::min(cut, kept);
    }
    return true;
}

bool CutReplay::runCall(const Policy &policy, size_t index, State &state)
{
    const CutTables &tables = *m_tables;
    const CutStep &step = tables.steps[index];
    const CutEpoch &epoch = tables.epochOf(step);
    Array &array = *m_array;
    CutCall &call = m_calls[index];
    call = {};
    state.changedFrom = state.places;
    if (step.kept < state.places && !takeBack(index, state))
        return false;
    array.show(step);
    const ReplayGround &ground = *tables.ground;
    const double known = index > 0 ? m_calls[index - 1].tokens + ground.answers[index - 1] : 0;
    if (tables.isView)
        array.cuts = {};
    else
        call.lostBytes += epoch.baseLost[step.places] - epoch.baseLost[step.kept];
    for (size_t k = 0; k < tables.stages.size(); ++k) {
        const CutStage &stage = tables.stages[k];
        const StageSpec &spec = policy.stages[stage.index];
        const Trigger &trigger = spec.trigger ? *spec.trigger : policy.trigger;
        const bool isOpen = !stage.waits || isReached(trigger, array, policy, tables.windowTokens, known);
        call.hasFired = call.hasFired || (stage.waits && isOpen);
        if (!isOpen)
            continue;
        const Keep &keep = spec.keep ? *spec.keep : policy.keep;
        size_t cut = array.begin;
        if (stage.isEverywhere) {
            cut = array.end();
        } else if (stage.isClearing && keep.measure.unit == Measure::Unit::Results) {
            if (tables.hasSharedMessages)
                return false;
            const size_t results = array.resultCount();
            cut = array.behindResults(results - std::min(results, static_cast<size_t>(keep.measure.value)));
        } else if (const size_t found = cutoffOf(array, keep, tables.windowTokens); found > 0) {
            cut = array.messageAt(found);
        }
        if (tables.isView) {
            array.cuts[k] = cut;
            continue;
        }
        if (stage.isClearing && array.begin > 0 && epoch.firstTorn[array.placeOf(array.begin)] < step.places)
            return false; // a result without its call is not cleared
        const size_t before = std::max(array.cuts[k], array.begin);
        if (cut <= before)
            continue;
        if (cut == array.end())
            return false; // the last message may grow yet
        const auto &lost = epoch.stages[k].lost;
        call.lostBytes += lost[array.placeOf(cut)] - lost[array.placeOf(before)];
        array.cuts[k] = cut;
    }
    measure(index, state);
    if (!summarise(policy, index, known, state))
        return false;
    call.tokens = call.arrayTokens + ground.besides[index];
    call.isTorn = epoch.firstTorn[call.start] < step.places;
    state.places = step.places;
    return true;
}

/// Without a summary of this call.
void CutReplay::measure(size_t index, State &state)
{
    const CutTables &tables = *m_tables;
    const CutStep &step = tables.steps[index];
    const CutEpoch &epoch = tables.epochOf(step);
    CutCall &call = m_calls[index];
    call.start = m_array->placeOf(m_array->begin);
    for (size_t k = 0; k < tables.stages.size(); ++k) {
        call.cuts[k] = m_array->placeOf(m_array->cuts[k]);
        const auto [low, high] = std::minmax(state.cutPlaces[k], call.cuts[k]);
        const uint32_t first = epoch.stages[k].next[std::max(low, call.start)];
        if (first < high)
            state.changedFrom = std::min(state.changedFrom, first);
        state.cutPlaces[k] = call.cuts[k];
    }
    const double front = m_array->hasSummary ? tables.summaryTokens : 0;
    const auto tokensTo = [&](uint32_t place) {
        return front
            + placeSum(tables, epoch, call.cuts, call.start, place, &CutEpoch::tokens, &CutEpoch::OfStage::tokens);
    };
    call.arrayTokens = tokensTo(step.places);
    call.blockCount = (m_array->hasSummary ? 1 : 0)
        + placeSum(tables, epoch, call.cuts, call.start, step.places, &CutEpoch::counts, &CutEpoch::OfStage::counts);
    if (!state.wasSummarised)
        call.unchangedTokens = tokensTo(std::clamp(state.changedFrom, call.start, step.places));
    state.wasSummarised = false;
}

bool CutReplay::summarise(const Policy &policy, size_t index, double known, State &state)
{
    const CutTables &tables = *m_tables;
    if (!tables.summary)
        return true;
    const CutStep &step = tables.steps[index];
    const CutEpoch &epoch = tables.epochOf(step);
    Array &array = *m_array;
    CutCall &call = m_calls[index];
    const StageSpec &spec = policy.stages[*tables.summary];
    if (tables.isSummaryWaiting) {
        if (!isReached(spec.trigger ? *spec.trigger : policy.trigger, array, policy, tables.windowTokens, known))
            return true;
        call.hasFired = true;
    }
    const size_t cut = cutoffOf(array, spec.keep ? *spec.keep : policy.keep, tables.windowTokens);
    if (cut == 0 || !tables.appliesSummary)
        return true;
    const size_t first = array.messageAt(cut);
    const auto isNew = [&](size_t message) {
        for (uint32_t place = array.placeOf(message); place < array.placeOf(message + 1); ++place) {
            const BlockId id = array.blockAt(place, message);
            if (id.isValid() && !tables.session->block(id).is(BlockFlag::Summary))
                return true;
        }
        return false;
    };
    size_t found = array.begin;
    while (found < first && !isNew(found))
        ++found;
    if (found >= first)
        return true;
    if (!tables.isView && first >= array.end())
        return false; // what follows would begin a message of its own
    const uint32_t start = array.placeOf(first);
    if (tables.isView) {
        state.wasSummarised = true;
    } else {
        if (!tables.keepsArchive)
            call.lostBytes
                += placeSum(tables, epoch, call.cuts, call.start, start, &CutEpoch::bytes, &CutEpoch::OfStage::bytes);
        array.begin = first;
        array.hasSummary = true;
    }
    call.writtenSummary = tables.summaryTokens;
    call.unchangedTokens = 0;
    call.start = start;
    call.arrayTokens = tables.summaryTokens
        + placeSum(tables, epoch, call.cuts, start, step.places, &CutEpoch::tokens, &CutEpoch::OfStage::tokens);
    call.blockCount
        = 1 + placeSum(tables, epoch, call.cuts, start, step.places, &CutEpoch::counts, &CutEpoch::OfStage::counts);
    return true;
}

// --- what was needed later -----------------------------------------------------------------------------------------

bool CutReplay::isThere(uint32_t place, const CutCall &call, const CutEpoch &epoch) const
{
    if (place == CutUse::kNever || place < call.start)
        return false;
    const int8_t by = epoch.changedBy[place];
    return by < 0 || place >= call.cuts[static_cast<size_t>(by)];
}

/// See `regretOf`; what is covered counts as kept.
UseFate CutReplay::fateOf(const CutUse &use) const
{
    const CutTables &tables = *m_tables;
    const CutCall &call = m_calls[use.call];
    const CutEpoch &epoch = tables.epochOf(tables.steps[use.call]);
    const auto carriers = std::span(tables.carriers).subspan(use.firstCarrier, use.carrierCount);
    const auto isIn = [&](uint32_t place) { return isThere(place, call, epoch); };
    if (use.isTogether ? std::ranges::all_of(carriers, isIn) : std::ranges::any_of(carriers, isIn))
        return UseFate::Kept;
    for (const CutShown &each : std::span(tables.shown).subspan(use.firstShown, use.shownCount)) {
        const int8_t by = epoch.changedBy[each.place];
        const bool isChanged = by >= 0 && each.place < call.cuts[static_cast<size_t>(by)];
        if (each.place >= call.start && isChanged != each.isBase)
            return UseFate::Covered;
    }
    if (use.kind == UseKind::Repeat || use.kind == UseKind::SameCall)
        return UseFate::Fetched;
    const bool everStood = use.entered != CutUse::kNever
        && isThere(use.enteredPlace, m_calls[use.entered], tables.epochOf(tables.steps[use.entered]));
    return use.isInjected && !everStood ? UseFate::Unknown : UseFate::Lost;
}

const CutReplay::Losses &CutReplay::findLosses()
{
    ++m_runs;
    m_losses.lost = 0;
    m_losses.fetched = 0;
    m_losses.fetchTokens = 0;
    m_losses.refetched.assign(m_tables->steps.size(), 0);
    for (const CutUse &use : m_tables->uses) {
        if ((kHeadlineUses & only(use.kind)) == 0)
            continue;
        const UseFate fate = fateOf(use);
        m_losses.fetched += fate == UseFate::Fetched ? 1 : 0;
        if (fate != UseFate::Lost)
            continue;
        ++m_losses.lost;
        // Each block once, with the first call that is known to need it.
        const bool isFirst = std::exchange(m_fetchedBy[use.fetch], m_runs) != m_runs;
        if (isFirst)
            m_losses.fetchTokens += m_tables->fetchTokens[use.fetch];
        if (!isFirst && m_fetchCall[use.fetch] != CutUse::kNever)
            continue;
        m_fetchCall[use.fetch] = use.hasCall ? use.call : CutUse::kNever;
        if (use.hasCall)
            m_losses.refetched[use.call] += m_tables->fetchTokens[use.fetch];
    }
    const CutEpoch &last = m_tables->epochOf(m_tables->steps.back());
    m_losses.lostMessages = static_cast<size_t>(
        std::ranges::count_if(m_tables->typed, [&](uint32_t place) { return !isThere(place, m_calls.back(), last); }));
    return m_losses;
}

} // namespace core
