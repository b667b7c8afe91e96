// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cuts/cut_replay.h"

#include "core/cuts/cut_array.h"
#include "core/cuts/cut_track.h"

#include <algorithm>

namespace core {

namespace {

/// Sums over the places from `from` to `to`, as the cuts leave them.
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

/// The trigger that a stage waits for.
const Trigger &triggerOf(const Policy &policy, const StageSpec &spec)
{
    return spec.trigger ? *spec.trigger : policy.trigger;
}

} // namespace

CutReplay::CutReplay(CutTablesPtr tables)
    : m_tables(std::move(tables))
    , m_array(std::make_unique<CutArray>(*m_tables))
    , m_fetchedBy(m_tables->fetchTokens.size(), 0)
    , m_fetchCall(m_tables->fetchTokens.size(), 0)
{
}

CutReplay::~CutReplay() = default;

bool CutReplay::run(const Policy &policy, CutTracks *tracks)
{
    start(policy);
    for (size_t i = 0; i < m_tables->steps.size();) {
        const size_t followed = tracks != nullptr ? follow(policy, i, *tracks) : i;
        if (followed > i) {
            i = followed;
            continue;
        }
        if (!runCall(policy, i))
            return false;
        const size_t end = quietEnd(i);
        addPiece(i, end);
        i = end;
    }
    return true;
}

bool CutReplay::run(const Policy &policy, CutTrackMaker &maker)
{
    start(policy);
    m_maker = &maker;
    bool isTold = true;
    for (size_t i = 0; isTold && i < m_tables->steps.size(); ++i) {
        isTold = runCall(policy, i);
        if (!isTold)
            break;
        addPiece(i, i + 1);
        maker.take(m_call, state());
    }
    m_maker = nullptr;
    return isTold;
}

void CutReplay::start(const Policy &policy)
{
    const CutTables &tables = *m_tables;
    setState({});
    m_pieces.clear();
    m_piece = 0;
    m_places = 0;
    m_promptBefore = 0;
    m_watches.clear();
    m_countsMessages = false;
    m_mayGrow = true;
    const auto watch = [&](bool waits, const StageSpec &spec) {
        m_mayGrow = m_mayGrow && waits;
        m_watches.emplace_back(triggerOf(policy, spec), policy, tables.windowTokens);
        m_countsMessages = m_countsMessages || !m_watches.back().looksAtTokens();
    };
    for (const CutStage &stage : tables.stages)
        watch(stage.waits, policy.stages[stage.index]);
    if (tables.summary)
        watch(tables.isSummaryWaiting, policy.stages[*tables.summary]);
}

CutState CutReplay::state() const
{
    return { m_array->begin, m_array->hasSummary, m_wasShown, m_array->cuts, m_call.cuts, m_call.start };
}

void CutReplay::setState(const CutState &state)
{
    m_array->begin = state.begin;
    m_array->hasSummary = state.hasSummary;
    m_array->cuts = state.cuts;
    m_wasShown = state.wasShown;
    m_call = {};
    m_call.cuts = state.cutPlaces;
    m_call.start = state.start;
}

/// Follows a track whose state equals the state after the previous call.
size_t CutReplay::follow(const Policy &policy, size_t index, CutTracks &tracks)
{
    if (!tracks.fit(policy.trigger))
        return index;
    // The call before determines what this one does.
    const bool isTriggered = index > 0 && m_call.isTriggered && m_pieces.back().first + 1 == m_pieces.back().end;
    if (!isTriggered && m_mayGrow)
        return index;
    const CutTrack &track = tracks.of(isTriggered ? CutTrack::Trigger::Reached : CutTrack::Trigger::NotReached);
    const CutState before = index > 0 && index <= track.states.size() ? track.states[index - 1] : CutState();
    if (index >= track.states.size() || state() != before)
        return index;
    const size_t end = track.followedUntil(index, GrowthWatch(policy.trigger, policy, m_tables->windowTokens));
    if (end == index)
        return index;
    m_pieces.push_back({ .first = static_cast<uint32_t>(index), .end = static_cast<uint32_t>(end), .track = &track });
    setState(track.states[end - 1]);
    m_call.isTriggered = track.calls[end - 1].isTriggered;
    m_places = m_tables->steps[end - 1].places;
    m_promptBefore = track.calls[end - 1].tokens;
    return end;
}

/// The first call after `index` at which something other than growth may happen.
size_t CutReplay::quietEnd(size_t index) const
{
    const CutTables &tables = *m_tables;
    const CutGrowth &growth = tables.growth;
    const CutArray &array = *m_array;
    const size_t lastCut = std::ranges::max(array.cuts);
    const bool isSettled
        = m_mayGrow && lastCut < std::max<size_t>(array.end(), 1) && !(tables.isView && m_call.isTriggered);
    size_t end = std::min<size_t>(growth.grownUntil[index], isSettled ? tables.steps.size() : index + 1);
    if (end == index + 1)
        return end;
    GrowthOffsets offsets { .prompt = m_call.tokens - growth.prompts[index],
        .inTotal = array.inTotal() + countedBeside(*tables.ground, *tables.policy, index) - growth.inTotal[index],
        .unsent = unsentBefore(index) };
    if (m_countsMessages) {
        offsets.messages = static_cast<double>(array.messageCount()) - growth.messages[index];
        offsets.results = static_cast<double>(array.resultCount()) - growth.results[index];
        offsets.turns = static_cast<double>(array.turnCount()) - growth.turns[index];
    }
    for (const GrowthWatch &watch : m_watches)
        end = watch.firstReached(growth, offsets, index + 1, end);
    return end;
}

/// Adds the call that was run last, and the calls up to `end` at which the log only grew.
void CutReplay::addPiece(size_t first, size_t end)
{
    const CutGrowth &growth = m_tables->growth;
    m_pieces.push_back({ .first = static_cast<uint32_t>(first),
        .end = static_cast<uint32_t>(end),
        .call = m_call,
        .morePrompt = m_call.tokens - growth.prompts[first],
        .moreBlocks = int64_t { m_call.blockCount } - int64_t { growth.blocks[first] } });
    m_places = m_tables->steps[end - 1].places;
    m_promptBefore = m_pieces.back().morePrompt + growth.prompts[end - 1];
    if (end > first + 1)
        m_call.isTriggered = false;
}

/// Applies a rewind.
bool CutReplay::takeBack(size_t index)
{
    const CutStep &step = m_tables->steps[index];
    m_changedFrom = std::min(m_changedFrom, step.kept);
    for (uint32_t &cut : m_cutPlaces)
        cut = std::min(cut, step.kept);
    if (m_tables->isView)
        return true;
    CutArray &array = *m_array;
    const CutEpoch &epoch = m_tables->epochOf(step);
    if (array.begin > 0 && step.kept <= epoch.messageFirst[std::min(array.begin, epoch.roles.size())])
        return false;
    for (size_t &cut : array.cuts) {
        // Changes end at message boundaries, before and after.
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

bool CutReplay::runCall(const Policy &policy, size_t index)
{
    const CutTables &tables = *m_tables;
    const CutStep &step = tables.steps[index];
    const CutEpoch &epoch = tables.epochOf(step);
    ++m_visits;
    m_cutPlaces = m_call.cuts;
    m_call = {};
    m_changedFrom = m_places;
    if (step.kept < m_places && !takeBack(index))
        return false;
    m_array->show(step);
    const ReplayGround &ground = *tables.ground;
    const double known = tables.known->at(index, m_promptBefore);
    m_array->setUnsentTokens(unsentBefore(index) - countedBeside(ground, policy, index));
    if (tables.isView)
        m_array->cuts = {};
    else
        m_call.lostBytes += epoch.baseLost[step.places] - epoch.baseLost[step.kept];
    if (!cutStages(policy, index, known))
        return false;
    measure(index);
    if (!summarise(policy, index, known))
        return false;
    m_call.lessTokens = unsentOf(&m_call, index) + removedThinking(index);
    m_call.tokens = m_call.arrayTokens + ground.besides[index] - m_call.lessTokens;
    m_call.isTorn = epoch.firstTorn[m_call.start] < step.places;
    const double before = index > 0 ? callAt(index - 1).arrayTokens : 0;
    m_call.hasFired
        = m_call.isTriggered && hasActed(ground.log, index, { before, m_call.unchangedTokens, m_call.writtenSummary });
    return true;
}

/// Whether a stage that waits for a trigger acts.
bool CutReplay::isOpen(const Policy &policy, const StageSpec &spec, double known)
{
    if (m_maker == nullptr || spec.trigger)
        return isReached(triggerOf(policy, spec), *m_array, policy, m_tables->windowTokens, known);
    const TriggerVerdict verdict = verdictOf(policy.trigger, *m_array, policy, m_tables->windowTokens, known);
    return m_maker->record(verdict.readings.front().value);
}

/// The message before which a stage changes everything; nullopt if cuts cannot describe it.
std::optional<size_t> CutReplay::cutOf(const StageSpec &spec, const CutStage &stage, const Policy &policy) const
{
    const CutArray &array = *m_array;
    const Keep &keep = spec.keep ? *spec.keep : policy.keep;
    if (stage.isEverywhere)
        return array.end();
    if (stage.looksAtCalls && keep.measure.unit == Measure::Unit::Results) {
        if (m_tables->hasSharedMessages)
            return std::nullopt;
        const size_t results = array.resultCount();
        return array.behindResults(results - std::min(results, static_cast<size_t>(keep.measure.value)));
    }
    const size_t found = cutoffOf(array, keep, m_tables->windowTokens);
    return found > 0 ? array.messageAt(found) : array.begin;
}

bool CutReplay::cutStages(const Policy &policy, size_t index, double known)
{
    const CutTables &tables = *m_tables;
    const CutStep &step = tables.steps[index];
    const CutEpoch &epoch = tables.epochOf(step);
    CutArray &array = *m_array;
    for (size_t k = 0; k < tables.stages.size(); ++k) {
        const CutStage &stage = tables.stages[k];
        const StageSpec &spec = policy.stages[stage.index];
        if (stage.waits) {
            if (!isOpen(policy, spec, known))
                continue;
            m_call.isTriggered = true;
        }
        const std::optional<size_t> cut = cutOf(spec, stage, policy);
        if (!cut)
            return false;
        if (tables.isView) {
            array.cuts[k] = *cut;
            continue;
        }
        if (stage.looksAtCalls && array.begin > 0 && epoch.firstTorn[array.placeOf(array.begin)] < step.places)
            return false; // a result without its call is not cleared
        const size_t before = std::max(array.cuts[k], array.begin);
        if (*cut <= before)
            continue;
        if (*cut == array.end())
            return false; // the last message may still grow
        const auto &lost = epoch.stages[k].lost;
        m_call.lostBytes += lost[array.placeOf(*cut)] - lost[array.placeOf(before)];
        array.cuts[k] = *cut;
    }
    return true;
}

/// For a call without a summary.
void CutReplay::measure(size_t index)
{
    const CutTables &tables = *m_tables;
    const CutStep &step = tables.steps[index];
    const CutEpoch &epoch = tables.epochOf(step);
    CutCall &call = m_call;
    call.start = m_array->placeOf(m_array->begin);
    for (size_t k = 0; k < tables.stages.size(); ++k) {
        call.cuts[k] = m_array->placeOf(m_array->cuts[k]);
        const auto [low, high] = std::minmax(m_cutPlaces[k], call.cuts[k]);
        const uint32_t first = epoch.stages[k].next[std::max(low, call.start)];
        if (first < high)
            m_changedFrom = std::min(m_changedFrom, first);
    }
    const double front = m_array->hasSummary ? tables.summaryTokens : 0;
    const auto tokensTo = [&](uint32_t place) {
        return front
            + placeSum(tables, epoch, call.cuts, call.start, place, &CutEpoch::tokens, &CutEpoch::OfStage::tokens);
    };
    call.arrayTokens = tokensTo(step.places);
    call.blockCount = (m_array->hasSummary ? 1 : 0)
        + placeSum(tables, epoch, call.cuts, call.start, step.places, &CutEpoch::counts, &CutEpoch::OfStage::counts);
    if (!m_wasShown)
        call.unchangedTokens = tokensTo(std::clamp(m_changedFrom, call.start, step.places));
    m_wasShown = false;
}

/// Whether the messages before `end` include anything but summaries.
bool CutReplay::hasNew(size_t end) const
{
    const CutArray &array = *m_array;
    for (size_t message = array.begin; message < end; ++message) {
        for (uint32_t place = array.placeOf(message); place < array.placeOf(message + 1); ++place) {
            const BlockId id = array.blockAt(place, message);
            if (id.isValid() && !m_tables->session->block(id).is(BlockFlag::Summary))
                return true;
        }
    }
    return false;
}

bool CutReplay::summarise(const Policy &policy, size_t index, double known)
{
    const CutTables &tables = *m_tables;
    if (!tables.summary)
        return true;
    const CutStep &step = tables.steps[index];
    const CutEpoch &epoch = tables.epochOf(step);
    CutArray &array = *m_array;
    CutCall &call = m_call;
    const StageSpec &spec = policy.stages[*tables.summary];
    if (tables.isSummaryWaiting) {
        if (!isOpen(policy, spec, known))
            return true;
        call.isTriggered = true;
    }
    const size_t cut = cutoffOf(array, spec.keep ? *spec.keep : policy.keep, tables.windowTokens);
    if (cut == 0 || !tables.appliesSummary)
        return true;
    const size_t first = array.messageAt(cut);
    if (!hasNew(first))
        return true;
    if (!tables.isView && first >= array.end())
        return false; // the following block would begin its own message
    const uint32_t start = array.placeOf(first);
    if (tables.isView) {
        m_wasShown = true;
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

// --- calls ---------------------------------------------------------------------------------------------------------

/// O(1) near the last look-up.
const CutPiece &CutReplay::pieceOf(size_t call) const
{
    m_piece = std::min(m_piece, m_pieces.size() - 1);
    while (m_pieces[m_piece].first > call)
        --m_piece;
    while (m_pieces[m_piece].end <= call)
        ++m_piece;
    return m_pieces[m_piece];
}

CutCall CutReplay::callAt(size_t index) const
{
    const CutPiece &piece = pieceOf(index);
    if (piece.track != nullptr)
        return piece.track->calls[index];
    if (index == piece.first)
        return piece.call;
    const CutTables &tables = *m_tables;
    const CutGrowth &growth = tables.growth;
    const CutStep &step = tables.steps[index];
    const CutEpoch &epoch = tables.epochOf(step);
    CutCall call;
    call.start = piece.call.start;
    call.cuts = piece.call.cuts;
    call.tokens = piece.morePrompt + growth.prompts[index];
    call.lessTokens = piece.call.lessTokens;
    call.arrayTokens = call.tokens - tables.ground->besides[index] + call.lessTokens;
    call.unchangedTokens
        = piece.morePrompt + growth.prompts[index - 1] - tables.ground->besides[index - 1] + call.lessTokens;
    call.blockCount = static_cast<uint32_t>(piece.moreBlocks + growth.blocks[index]);
    call.isTorn = epoch.firstTorn[call.start] < step.places;
    if (!tables.isView)
        call.lostBytes = epoch.baseLost[step.places] - epoch.baseLost[step.kept];
    return call;
}

// --- losses --------------------------------------------------------------------------------------------------------

/// The cuts that describe the array of a call.
CutReplay::Cuts CutReplay::cutsAt(size_t call) const
{
    const CutPiece &piece = pieceOf(call);
    const CutCall &of = piece.track != nullptr ? piece.track->calls[call] : piece.call;
    return { of.start, of.cuts, m_tables->epochOf(m_tables->steps[call]).changedBy };
}

bool CutReplay::Cuts::leave(uint32_t place) const
{
    if (place == CutUse::kNever || place < start)
        return false;
    const int8_t by = changedBy[place];
    return by < 0 || place >= cuts[static_cast<size_t>(by)];
}

/// What silent clearings left out of the array of a call; of the log, without a call.
double CutReplay::unsentOf(const CutCall *call, size_t index) const
{
    const CutStep &step = m_tables->steps[index];
    if (step.unsent == CutStep::kNone)
        return 0;
    const CutUnsent &unsent = m_tables->unsent[step.unsent];
    const auto before = [&](uint32_t place) {
        return static_cast<size_t>(std::ranges::lower_bound(unsent.places, place) - unsent.places.begin());
    };
    const size_t end = before(step.places);
    if (call == nullptr)
        return unsent.text->of(unsent.ofLog[end]);
    const size_t start = before(call->start);
    double standing = end > start ? unsent.untouched[end] - unsent.untouched[start] : 0;
    for (size_t k = 0; k < m_tables->stages.size(); ++k) {
        const std::vector<double> &sums = unsent.changedBy[k];
        const size_t first = before(std::max(call->start, call->cuts[k]));
        standing += end > first ? sums[end] - sums[first] : 0;
    }
    return unsent.text->of(standing);
}

/// See LogPlaces; of the array of the call that was run last.
double CutReplay::removedThinking(size_t index) const
{
    const CutStep &step = m_tables->steps[index];
    const CutEpoch &epoch = m_tables->epochOf(step);
    return epoch.places.removedThinking(
        step.places, [&](uint32_t place, BlockId) { return isStanding(&m_call, epoch, place); });
}

bool CutReplay::isStanding(const CutCall *call, const CutEpoch &epoch, uint32_t place) const
{
    return call == nullptr
        || (epoch.base[place] == epoch.blocks[place] && Cuts { call->start, call->cuts, epoch.changedBy }.leave(place));
}

/// The same for the array that the harness keeps, before a stage acts.
double CutReplay::unsentBefore(size_t index) const
{
    if (m_tables->isView)
        return unsentOf(nullptr, index); // it keeps the log
    CutCall kept;
    kept.start = m_array->placeOf(m_array->begin);
    for (size_t k = 0; k < m_tables->stages.size(); ++k)
        kept.cuts[k] = m_array->placeOf(m_array->cuts[k]);
    return unsentOf(&kept, index);
}

/// See `regretOf`; Covered counts as Kept, and so does a carrier that may not be there. `call` has the cuts of the
/// use's call.
UseFate CutReplay::fateOf(const CutUse &use, const CutCall &call) const
{
    const CutTables &tables = *m_tables;
    if (call.wholeFrom() < use.keptBelow)
        return UseFate::Kept;
    const Cuts now { call.start, call.cuts, tables.epochOf(tables.steps[use.call]).changedBy };
    if (now.start < use.keptBelow) {
        const auto carriers = std::span(tables.carriers).subspan(use.firstCarrier, use.carrierCount);
        const auto isIn = [&](uint32_t place) { return now.leave(place); };
        if (use.isTogether ? std::ranges::all_of(carriers, isIn) : std::ranges::any_of(carriers, isIn))
            return UseFate::Kept;
    }
    for (const CutShown &each : std::span(tables.shown).subspan(use.firstShown, use.shownCount)) {
        const int8_t by = now.changedBy[each.place];
        const bool isChanged = by >= 0 && each.place < now.cuts[static_cast<size_t>(by)];
        if (each.place >= now.start && isChanged != each.isBase)
            return UseFate::Covered;
    }
    if (use.kind == UseKind::Repeat || use.kind == UseKind::SameCall)
        return UseFate::Fetched;
    if (use.isUnsure)
        return UseFate::Unknown;
    if (!use.isInjected)
        return UseFate::Lost;
    const bool everStood = use.entered != CutUse::kNever && cutsAt(use.entered).leave(use.enteredPlace);
    return everStood ? UseFate::Lost : UseFate::Unknown;
}

void CutReplay::addLoss(const CutUse &use, UseFate fate)
{
    m_losses.fetched += fate == UseFate::Fetched ? 1 : 0;
    if (fate != UseFate::Lost)
        return;
    ++m_losses.lost;
    // Count each block once, with the first known call that needs it.
    const bool isFirst = std::exchange(m_fetchedBy[use.fetch], m_runs) != m_runs;
    if (isFirst)
        m_losses.fetchTokens += m_tables->fetchTokens[use.fetch];
    if (!isFirst && m_fetchCall[use.fetch] != CutUse::kNever)
        return;
    m_fetchCall[use.fetch] = use.hasCall ? use.call : CutUse::kNever;
    if (use.hasCall)
        m_losses.fetches.push_back({ use.call, m_tables->fetchTokens[use.fetch] });
}

const CutReplay::Losses &CutReplay::findLosses()
{
    ++m_runs;
    m_losses.lost = 0;
    m_losses.fetched = 0;
    m_losses.fetchTokens = 0;
    m_losses.fetches.clear();
    const CutTables &tables = *m_tables;
    for (const CutPiece &piece : m_pieces) {
        const uint32_t end = tables.firstUse[piece.end];
        const auto isBehindCut
            = [least = -static_cast<double>(piece.call.wholeFrom())](double keptBelow) { return keptBelow >= least; };
        for (size_t i = tables.firstUse[piece.first]; i < end; ++i) {
            if (piece.track == nullptr)
                i = tables.keptBelow.first(i, isBehindCut);
            if (i >= end)
                break;
            const CutUse &use = tables.uses[i];
            addLoss(use, fateOf(use, piece.track != nullptr ? piece.track->calls[use.call] : piece.call));
        }
    }
    const Cuts last = cutsAt(m_tables->steps.size() - 1);
    m_losses.lostMessages
        = static_cast<size_t>(std::ranges::count_if(m_tables->typed, [&](const std::vector<uint32_t> &places) {
              return std::ranges::none_of(places, [&](uint32_t place) { return last.leave(place); });
          }));
    return m_losses;
}

} // namespace core
