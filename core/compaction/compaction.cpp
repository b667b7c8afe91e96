// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/compaction.h"

#include "core/compaction/change_memo.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/validity.h"
#include "core/tokens/answer_tokens.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace core {

namespace {

std::optional<Timestamp> timeAt(const Transcript &transcript, Position position)
{
    const Session &session = *transcript.session();
    const Thread &thread = session.thread(position.thread);
    if (!position.isEnd() && position.call.index() < thread.calls.size() && thread.calls[position.call.index()].time)
        return thread.calls[position.call.index()].time;
    for (const Slot &slot : std::ranges::reverse_view(transcript.slots())) {
        if (session.message(slot.id).time)
            return session.message(slot.id).time;
    }
    return std::nullopt;
}

size_t callsBefore(const Thread &thread, Position position)
{
    return position.isEnd() ? thread.calls.size() : std::min(position.call.index(), thread.calls.size());
}

/// Whether a recorded compaction came between call `before` and call `here`; turns taken back are none if so told.
bool isCompactedBetween(const Thread &thread, size_t before, size_t here, bool withRollbacks = true)
{
    return std::ranges::any_of(thread.compactions, [&](const RecordedCompaction &each) {
        return (withRollbacks || each.kind != CompactionKind::Rollback) && each.call.isValid()
            && each.call.index() >= before && each.call.index() < here;
    });
}

/// What the policy's harness takes of a call's usage: prompt and answer.
double knownOf(const Session &session, const Call &call, Counter::Usage rule, const BlockTokens &tokens)
{
    const uint64_t unread = rule == Counter::Usage::WithoutWrites ? call.usage->cacheWrite : 0;
    const double answer = rule == Counter::Usage::Prompt ? 0 : answerTokens(session, call, tokens);
    return static_cast<double>(call.usage->prompt() - unread) + answer;
}

/// The usage of the previous call, as the harness knows it when it decides: it stands beside its answer in the array.
/// Where a recorded compaction has taken that away, nothing is known.
double recordedBefore(const Transcript &transcript, Position position, Counter::Usage rule, const BlockTokens &tokens)
{
    const Thread &thread = transcript.session()->thread(position.thread);
    const size_t here = callsBefore(thread, position);
    for (size_t i = here; i > 0; --i) {
        const Call &call = thread.calls[i - 1];
        if (!call.usage || call.usage->prompt() == 0)
            continue;
        const bool isThere = !isCompactedBetween(thread, i - 1, here)
            || std::ranges::any_of(transcript.blocks(),
                [&](BlockId id) { return id.index() >= call.output.begin && id.index() < call.output.end; });
        return isThere ? knownOf(*transcript.session(), call, rule, tokens) : 0;
    }
    return 0;
}

/// The usage of the last answer that stands in the array, and the tokens of what stands behind it. Nothing where a
/// compaction was recorded since: pi leaves figures from before it out.
double recordedWithLater(const Transcript &transcript, Position position, const Policy &policy, const BlockPool &pool,
    const BlockTokens &tokens)
{
    const Thread &thread = transcript.session()->thread(position.thread);
    const size_t here = callsBefore(thread, position);
    const auto blocks = transcript.blocks();
    for (size_t i = here; i > 0; --i) {
        const Call &call = thread.calls[i - 1];
        if (!call.usage || call.usage->prompt() == 0)
            continue;
        const auto behind = std::ranges::find_if(blocks.rbegin(), blocks.rend(), [&](BlockId id) {
            return id.index() >= call.output.begin && id.index() < call.output.end;
        }).base();
        if (behind == blocks.begin())
            continue;
        if (isCompactedBetween(thread, i - 1, here, false))
            return 0;
        return knownOf(*transcript.session(), call, policy.counter.usage, tokens)
            + tokensOf(pool, policy, blocks.subspan(static_cast<size_t>(behind - blocks.begin())));
    }
    return 0;
}

/// The memo if it belongs to this session, else nullptr.
ChangeMemo *memoOf(const Transcript &transcript, const std::shared_ptr<ChangeMemo> &memo)
{
    return memo && memo->session() == transcript.session() ? memo.get() : nullptr;
}

/// The first slot with blocks of the messages from `cut` on.
SlotIndex slotOfCutoff(const Transcript &transcript, const Draft &draft, size_t cut)
{
    if (cut >= draft.messages().size())
        return SlotIndex(transcript.slotCount());
    const uint32_t firstKept = draft.messages()[cut].first;
    const auto found = std::ranges::upper_bound(
        transcript.slots(), firstKept, {}, [](const Slot &slot) { return slot.firstBlock + slot.blockCount; });
    return SlotIndex(static_cast<size_t>(found - transcript.slots().begin()));
}

/// Sorts fates by how much a slot has lost.
int gravity(Fate fate)
{
    switch (fate) {
    case Fate::Kept:
    case Fate::Added:
        return 0;
    case Fate::Replaced:
    case Fate::Edited:
    case Fate::Inserted:
        return 1;
    case Fate::Shortened:
        return 2;
    case Fate::Offloaded:
        return 3;
    case Fate::Cleared:
        return 4;
    case Fate::Summarised:
        return 5;
    case Fate::Dropped:
        return 6;
    }
    return 0;
}

void settleFatesAfter(Compaction &compaction)
{
    const Transcript &after = compaction.after;
    std::vector<Fate> fateOf(after.session()->blocks.size(), Fate::Kept);
    for (const Rewrite &rewrite : compaction.rewrites) {
        const bool isOfBlock = rewrite.block.isValid() || rewrite.fate == Fate::Inserted;
        const bool isChanged = isOfBlock && rewrite.made.isValid() && rewrite.fate != Fate::Summarised;
        if (isChanged && gravity(rewrite.fate) >= gravity(fateOf[rewrite.made.index()]))
            fateOf[rewrite.made.index()] = rewrite.fate;
    }
    compaction.fatesAfter.clear();
    for (const Slot &slot : after.slots()) {
        Fate fate = Fate::Kept;
        bool isAdded = true;
        for (uint32_t place = slot.firstBlock; place < slot.firstBlock + slot.blockCount; ++place) {
            const Fate each = fateOf[after.blocks()[place].index()];
            isAdded = isAdded && !compaction.origins[place].isValid() && each != Fate::Inserted;
            fate = gravity(each) > gravity(fate) ? each : fate;
        }
        compaction.fatesAfter.push_back(isAdded ? Fate::Added : fate);
    }
}

} // namespace

Fate shortenedTo(const TextLengths &before, const TextLengths &after)
{
    return after.codePoints < before.codePoints ? Fate::Shortened : Fate::Replaced;
}

std::string_view nameOf(Fate fate)
{
    switch (fate) {
    case Fate::Kept:
        return "kept";
    case Fate::Shortened:
        return "shortened";
    case Fate::Replaced:
        return "replaced";
    case Fate::Offloaded:
        return "offloaded";
    case Fate::Cleared:
        return "cleared";
    case Fate::Dropped:
        return "dropped";
    case Fate::Summarised:
        return "summarised";
    case Fate::Edited:
        return "edited";
    case Fate::Inserted:
        return "inserted";
    case Fate::Added:
        return "added";
    }
    return "kept";
}

void settleFates(Compaction &compaction)
{
    const Transcript &before = compaction.before;
    const Transcript &after = compaction.after;
    const size_t blocksBefore = before.session()->blocks.size();
    std::vector<Fate> fateOf(blocksBefore, Fate::Kept);
    std::vector<BlockId> madeOf(blocksBefore);
    for (const Rewrite &rewrite : compaction.rewrites) {
        if (!rewrite.block.isValid())
            continue;
        Fate &fate = fateOf[rewrite.block.index()];
        if (gravity(rewrite.fate) >= gravity(fate))
            fate = rewrite.fate;
        if (rewrite.made.isValid())
            madeOf[rewrite.block.index()] = rewrite.made;
    }
    // The slots of the blocks before and after that are still in their arrays.
    std::vector<SlotIndex> standing(blocksBefore);
    std::vector<SlotIndex> slotAfter(after.session()->blocks.size());
    for (size_t i = 0; i < after.slotCount(); ++i) {
        const Slot &slot = after.slots()[i];
        for (uint32_t place = slot.firstBlock; place < slot.firstBlock + slot.blockCount; ++place) {
            const BlockId origin = compaction.origins[place];
            if (origin.isValid() && !standing[origin.index()].isValid())
                standing[origin.index()] = SlotIndex(i);
            SlotIndex &own = slotAfter[after.blocks()[place].index()];
            if (!own.isValid())
                own = SlotIndex(i);
        }
    }
    compaction.fates.clear();
    compaction.afterOf.clear();
    for (const Slot &slot : before.slots()) {
        // A slot is dropped if all its blocks are; otherwise it has the gravest fate of the rest.
        Fate fate = Fate::Kept;
        bool survives = false;
        SlotIndex place;
        for (const BlockId id : before.blocksOf(slot)) {
            const Fate each = fateOf[id.index()];
            survives = survives || standing[id.index()].isValid();
            if (!place.isValid())
                place = standing[id.index()];
            if (gravity(each) > gravity(fate))
                fate = each;
        }
        if (survives && (fate == Fate::Dropped || fate == Fate::Summarised))
            fate = Fate::Shortened;
        for (const BlockId id : before.blocksOf(slot)) {
            if (!place.isValid() && madeOf[id.index()].isValid())
                place = slotAfter[madeOf[id.index()].index()];
        }
        if (fate == Fate::Shortened && place.isValid())
            fate = shortenedTo(before.lengthsOf(slot), after.lengthsOf(after.slot(place)));
        compaction.fates.push_back(fate);
        compaction.afterOf.push_back(place);
    }
    settleFatesAfter(compaction);
}

std::string Compaction::stageName(size_t stage) const
{
    if (!policy)
        return "observed";
    return stage < policy->stages.size() ? policy->stages[stage].stage : "override";
}

bool Compaction::isSameAsOriginal(const Artifact &artifact, std::string_view text) const
{
    return artifact.blocks.size() == 1 && before.session()->text(before.block(artifact.blocks.front()).body) == text;
}

ArraySum sumAfter(const Compaction &compaction, const ArraySum &before, const BlockTokens &counted)
{
    if (compaction.changesNothing())
        return before; // the recorded prompt, not another estimate of it
    UnsentText unsent = compaction.unsent;
    unsent.weigh(counted);
    const auto unsentOf = [&](const Transcript &array) {
        double standing = 0;
        for (const BlockId id : array.blocks())
            standing += unsent.holds(id) ? counted.of(id) : 0;
        return unsent.of(standing);
    };
    const auto slotsOf = [&](const Transcript &array) {
        double sum = 0;
        for (const BlockId id : array.blocks())
            sum += compaction.afterTokens->of(id);
        return sum;
    };
    const double unsentBefore = unsentOf(compaction.before);
    const double unsentAfter = unsentOf(compaction.after);
    double besides = before.value() + unsentBefore - slotsOf(compaction.before);
    // Slots of more than the prompt were not all sent. What is removed of them takes nothing from the rest.
    besides = std::max(0.0, besides);
    ArraySum sum = before.withSlots(slotsOf(compaction.after), counted);
    if (unsentBefore > 0)
        sum.notSent *= unsentAfter / unsentBefore;
    sum.remainder += besides + sum.slots - unsentAfter - sum.value();
    return sum;
}

Measure keepBeginningAt(const Transcript &transcript, const Policy &policy, const BlockTokens &tokens, SlotIndex slot,
    const std::shared_ptr<ChangeMemo> &memo)
{
    const Draft draft(transcript, policy.view, tokens, memoOf(transcript, memo));
    const double window = policy.windowOf(*transcript.session());
    const DraftArray array(draft, policy);
    Keep keep = policy.keep;
    const auto unit = keep.measure.unit;
    double step = 1;
    double most = static_cast<double>(draft.messages().size());
    if (unit == Measure::Unit::WindowFraction) {
        step = 0.0001;
        most = 10'000;
    } else if (unit == Measure::Unit::Tokens) {
        most = std::ceil(array.totalTokens()) + 1;
    }
    // A longer window never begins later.
    double low = 1;
    double high = std::max(1.0, most);
    while (low < high) {
        const double middle = std::floor((low + high) / 2);
        keep.measure.value = middle * step;
        if (slotOfCutoff(transcript, draft, cutoffOf(array, keep, window)) <= slot)
            high = middle;
        else
            low = middle + 1;
    }
    return { unit == Measure::Unit::WindowFraction ? std::round(low) / 10'000 : low, unit };
}

namespace {

/// The number of a call; behind the last one at the end.
uint32_t indexOf(const Session &session, Position position)
{
    return position.isEnd() ? static_cast<uint32_t>(session.thread(position.thread).calls.size())
                            : position.call.value();
}

/// Tokens of the array that triggers do not count: see MessageArray::unsentTokens.
double uncountedTokens(
    const Draft &draft, const Policy &policy, const UnsentText &unsent, const CompactOptions &options)
{
    const double notSent = unsentTokens(draft, unsent);
    if (!policy.counter.countsPrelude || !options.sums)
        return notSent;
    return notSent - std::max(0.0, options.sums->at(options.position).besides() + notSent);
}

} // namespace

Compaction compact(
    const Transcript &transcript, const PolicyPtr &policy, const BlockTokens &tokens, const CompactOptions &options)
{
    Compaction compaction;
    compaction.policy = policy;
    compaction.before = transcript;
    const Session &session = *transcript.session();
    Draft draft(transcript, policy->view, tokens, memoOf(transcript, options.memo));
    applyOverrides(draft, options.overrides);
    const double window = policy->windowOf(session);
    const double recorded = policy->counter.usage == Counter::Usage::WithLater
        ? recordedWithLater(transcript, options.position, *policy, draft.pool(), tokens)
        : recordedBefore(transcript, options.position, policy->counter.usage, tokens);
    const AssumedSummary summary
        = assumesSummary(*policy) ? assumedSummary(session, options.position.thread, tokens) : AssumedSummary();
    const PolicyPtr run = withAssumedSummary(policy, summary, SummaryStandIn::Note);
    if (options.sums)
        compaction.unsent = unsentAt(options.sums->clearings, indexOf(session, options.position), tokens);
    const StageContext context { *run, sessionIdOf(session, options.position.thread, options.sessionId),
        pythonIsoTime(timeAt(transcript, options.position).value_or(0)), window, 0,
        uncountedTokens(draft, *policy, compaction.unsent, options), memoriesOf(options.memo) };
    const size_t cut = cutoffOf(DraftArray(draft, *policy), policy->keep, window);
    compaction.cutoff = slotOfCutoff(transcript, draft, cut);
    PolicyRun effects = runPolicy(draft, context, recorded, options.ignoresTriggers);
    compaction.verdict = hasStageOn(*policy) ? effects.verdict.sentence() : std::string(kNoStage);
    compaction.hasFired = effects.hasFired;
    compaction.isTriggerReached = effects.verdict.isReached;
    compaction.stages = std::move(effects.stages);
    draft.finish(compaction);
    if (assumesSummary(*policy) && std::ranges::contains(compaction.rewrites, Fate::Added, &Rewrite::fate))
        compaction.assumedSummary = summary;
    settleFates(compaction);
    compaction.validity = newViolations(compaction);
    return compaction;
}

} // namespace core
