// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/replay.h"

#include "core/compaction/live_stage.h"
#include "core/compaction/message_view.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/stages/eviction.h"
#include "core/context/call_pairs.h"
#include "core/context/span_recorder.h"
#include "core/replay/edited_ground.h"
#include "core/replay/log_places.h"
#include "core/replay/stable_answer.h"
#include "core/replay/worker_clock.h"

#include <algorithm>
#include <unordered_set>

namespace core {

namespace {

/// A policy's arrays from call to call: the input, the output of each stage, and the array after the summary.
class LiveReplay final {
public:
    LiveReplay(const ReplayGroundPtr &ground, const PolicyPtr &policy, const ReplayOptions &options)
        : m_ground(*ground)
        , m_options(options)
        , m_replay(std::make_shared<Replay>())
        , m_policy(withAssumedSummary(policy, ground->summary, SummaryStandIn::Filler))
        , m_context { *m_policy, sessionIdOf(ground->session(), ground->log.thread, options.sessionId), {},
            m_policy->windowOf(ground->session()), 0, 0, memoriesOf(options.memo) }
        , m_grouping(ground->session(), policy->view)
        , m_pool(ground->log.session, *ground->tokens, options.memo.get())
        , m_known(*ground, *m_policy, m_pool)
        , m_isView(policy->persistence == Persistence::View)
        , m_isSummaryAssumed(assumesSummary(*policy))
        , m_pinned(options.overrides.keep.begin(), options.overrides.keep.end())
        , m_dropped(options.overrides.drop.begin(), options.overrides.drop.end())
        , m_places(*ground)
        , m_clock(workerClock(*ground, m_context))
    {
        m_replay->policy = m_policy;
        m_replay->ground = ground;
        m_replay->steps.resize(ground->log.steps.size());
        m_isSupported = makeStages();
        if (!m_isSupported)
            return;
        const MessageCounter counter(*m_policy, ground->session());
        for (size_t i = 0; i <= m_stages.size(); ++i)
            m_arrays.push_back(std::make_unique<LiveArray>(m_pool, counter, ground->log.added.size()));
    }

    [[nodiscard]] bool isSupported() const { return m_isSupported; }

    std::shared_ptr<Replay> run()
    {
        for (size_t i = 0; i < m_replay->steps.size(); ++i) {
            if (m_options.progress != nullptr && m_options.progress->isCancelled())
                return nullptr;
            m_changedFrom = last().size();
            m_call = static_cast<uint32_t>(i);
            if (!m_isView)
                commit();
            extend(m_ground.log.steps[i], m_ground.log.addedAt(i));
            work(i);
        }
        if (m_clock)
            m_replay->worker = m_clock->finish(m_replay->steps.size());
        m_replay->notes = stageNotes(m_ground.session(), m_context);
        addUp(*m_replay);
        if (m_options.keepsSpans)
            finishSpans();
        return std::move(m_replay);
    }

private:
    /// False if an enabled stage cannot work incrementally.
    [[nodiscard]] bool makeStages()
    {
        for (const StageSpec &spec : m_policy->stages) {
            const StageKind *kind = stageKind(spec.stage);
            if (!spec.isEnabled || kind == nullptr)
                continue;
            if (m_summary)
                return false; // this stage works on the output of the summary
            const StageParameters parameters(m_ground.session(), spec, *kind, m_context);
            if (kind->summarises) {
                m_summary = parameters;
                continue;
            }
            if (isIdle(parameters))
                continue;
            if (kind->injects && waitsForTrigger(*m_policy))
                return false; // ScratchReplay tells what a trigger changed from what was added
            auto stage = liveStage(parameters, m_pool, m_stages.empty());
            if (!stage)
                return false;
            m_stages.push_back(std::move(stage));
        }
        return !m_summary || (m_pinned.empty() && isSummaryLive()); // pinned blocks stay in front of a summary
    }

    /// False for views whose summary changes more than the front of the array.
    [[nodiscard]] bool isSummaryLive() const
    {
        return !m_isView
            || (stages::writesSummary(*m_summary) && !stages::makesMore(*m_summary)
                && stages::summaryPlace(*m_summary) == SummaryPlace::First);
    }

    [[nodiscard]] LiveArray &first() { return *m_arrays.front(); }
    [[nodiscard]] LiveArray &last() { return *m_arrays.back(); }

    /// Makes the output of the stages the array that the harness keeps.
    void commit()
    {
        for (const uint32_t place : m_madeByStages) {
            if (place >= first().first() && place < first().size())
                first().set(place, last().at(place).block, last().at(place).isGone);
        }
        m_madeByStages.clear();
    }

    void extend(const LogStep &step, std::span<const BlockId> added)
    {
        if (step.kept < m_array.size())
            truncate(step.kept);
        for (const BlockId id : added)
            push(id);
    }

    void truncate(size_t count)
    {
        if (m_clock)
            m_clock->truncate(m_call, count);
        m_array.resize(count);
        m_pairs.truncate(count);
        m_evicted = std::min(m_evicted, count);
        const size_t size = m_tail + count - m_evicted;
        for (size_t i = 0; i < m_stages.size(); ++i)
            m_stages[i]->truncate(*m_arrays[i], size);
        for (const auto &array : m_arrays)
            array->truncate(size);
        m_places.truncate(count);
        m_changedFrom = std::min(m_changedFrom, size);
        m_hidden.end = std::min(m_hidden.end, size);
        m_recorder.truncate(size, m_call);
    }

    void push(BlockId id)
    {
        const Block &block = m_ground.session().block(id);
        const bool follows
            = !m_array.empty() && !first().isEmpty() && first().at(first().size() - 1).origin == m_array.back();
        const bool joins
            = follows && m_grouping.joins(first().lastRole(), m_ground.session().block(m_array.back()), block);
        LiveArray::Element element { id, id };
        element.isGone = m_dropped.contains(id);
        element.isPinned = !element.isGone && m_pinned.contains(id);
        for (const auto &array : m_arrays)
            array->push(element, m_grouping.roleOf(block), !joins);
        m_array.push_back(id);
        m_pairs.push(block);
        m_places.push(id);
    }

    /// What silent clearings left out of an array. `hiddenEnd`: places before it are not sent.
    [[nodiscard]] double unsentOf(const LiveArray &array, size_t step, size_t hiddenEnd)
    {
        return m_places.unsent(
            step, [&](uint32_t index, BlockId id) { return isStanding(array, hiddenEnd, index, id); });
    }

    /// See LogPlaces.
    [[nodiscard]] double removedThinking() const
    {
        return m_places.removedThinking(m_places.size(),
            [&](uint32_t index, BlockId id) { return isStanding(*m_arrays.back(), m_hidden.end, index, id); });
    }

    /// Whether an array still has the block at an index of the log.
    [[nodiscard]] bool isStanding(const LiveArray &array, size_t hiddenEnd, size_t index, BlockId id) const
    {
        if (index < m_evicted)
            return m_carried.contains(id);
        const size_t place = m_tail + index - m_evicted;
        const bool isHidden
            = place < array.first() || (place < hiddenEnd && !std::ranges::binary_search(m_hidden.shown, place));
        return !isHidden && !array.at(place).isGone && array.at(place).block == id;
    }

    void work(size_t index)
    {
        ReplayStep &step = m_replay->steps[index];
        const double known = m_known.at(index, index > 0 ? m_replay->steps[index - 1].tokens : 0);
        const double window = m_context.windowTokens;
        step.isCounterfactual = index >= m_ground.log.firstCounterfactual;
        step.freshTokens = freshTokens(m_ground, index);
        const double unsent = unsentOf(first(), index, 0) - countedBeside(m_ground, *m_policy, index);
        for (const auto &array : m_arrays)
            array->setUnsentTokens(unsent);
        step.decision = verdictOf(m_policy->trigger, first(), *m_policy, window, known);
        for (size_t i = 0; i < m_stages.size(); ++i) {
            bool isOpen = true;
            const StageParameters &parameters = m_stages[i]->parameters();
            if (parameters.waits()) {
                step.decision = verdictOf(parameters.trigger(), *m_arrays[i], *m_policy, window, known);
                isOpen = step.decision.isReached;
                step.hasFired = step.hasFired || isOpen;
            }
            m_stages[i]->update(*m_arrays[i], *m_arrays[i + 1], m_arrays[i]->takeTouched(), isOpen);
            const uint64_t lost = m_stages[i]->takeLostBytes();
            step.lostBytes += m_isView ? 0 : lost;
            for (const BlockId id : m_stages[i]->takeChanged())
                noteChanged(step, id, parameters);
        }
        const std::vector<uint32_t> touched = last().takeTouched();
        for (const uint32_t place : touched)
            m_changedFrom = std::min<size_t>(m_changedFrom, place);
        if (!m_isView && !m_stages.empty())
            m_madeByStages = touched;
        measure(step);
        const size_t hiddenBefore = std::exchange(m_hidden.end, 0);
        m_hidden.shown.clear();
        if (m_summary)
            summarise(step, index, known);
        if (m_policy->cacheMarks.stableAssistant)
            noteStableAnswer(step);
        if (m_options.keepsSpans)
            recordSpans(touched, hiddenBefore);
        step.tokens
            = step.arrayTokens + m_ground.besides[index] - unsentOf(last(), index, m_hidden.end) - removedThinking();
        step.isTorn = m_pairs.spans(m_isView ? std::max<size_t>(m_hidden.end, 1) - 1 : m_evicted);
        step.hasFired = step.hasFired && hasActed(m_ground.log, index, changeAt(*m_replay, index));
    }

    /// A text that a stage put in is not the model's.
    [[nodiscard]] bool isOfModel(BlockId origin) const
    {
        return origin.isValid() && m_grouping.roleOf(m_ground.session().block(origin)) == Role::Assistant;
    }

    void noteStableAnswer(ReplayStep &step)
    {
        StableAnswerFinder finder;
        for (size_t place = last().size(); place > std::max(last().first(), m_hidden.end); --place) {
            const LiveArray::Element &element = last().at(place - 1);
            if (!element.isGone && finder.push(last().blockAt(place - 1), isOfModel(element.origin), place))
                break;
        }
        if (const auto end = finder.found()) {
            step.stableTokens = step.arrayTokens - (last().tokens() - last().tokensBefore(*end));
            step.stableBlocks = step.blockCount - static_cast<uint32_t>(last().blocksFrom(*end));
        }
    }

    void noteChanged(ReplayStep &step, BlockId id, const StageParameters &by)
    {
        step.changedBlocks += !by.waits() && !by.kind().injects && m_changed.insert(id).second ? 1 : 0;
    }

    /// For calls without a summary.
    void measure(ReplayStep &step)
    {
        step.arrayTokens = last().tokens();
        step.messageCount = static_cast<uint32_t>(last().filledMessageCount());
        step.blockCount = static_cast<uint32_t>(last().blockCount());
        if (!m_wasSummarised)
            step.unchangedTokens = last().tokensBefore(std::min(m_changedFrom, last().size()));
        m_wasSummarised = false;
    }

    void summarise(ReplayStep &step, size_t index, double known)
    {
        bool isReached = true;
        if (m_summary->waits()) {
            step.decision = verdictOf(m_summary->trigger(), last(), *m_policy, m_context.windowTokens, known);
            isReached = step.decision.isReached;
        }
        if (m_clock) {
            summariseLater(step, index, isReached);
            return;
        }
        step.hasFired = step.hasFired || (m_summary->waits() && isReached);
        if (isReached)
            replaceBefore(step, cutoffOf(last(), m_summary->keep(), m_context.windowTokens));
    }

    /// As `summarise`, but a worker writes the summary.
    void summariseLater(ReplayStep &step, size_t index, bool isReached)
    {
        WorkerClock::Event event = m_clock->settle(index);
        if (event != WorkerClock::Event::Lands && isReached && m_clock->canStart(index)) {
            const size_t cut = cutoffOf(last(), m_summary->keep(), m_context.windowTokens);
            if (cut > 0 && hasNew(cut, carriedBefore(cut).take())) {
                const size_t end = std::max(last().placeOf(cut), m_tail);
                m_clock->start(index, m_array.size(), m_evicted + end - m_tail, last().tokensBefore(end));
                m_clock->noteRequest(step);
                m_replay->isSummaryAssumed = m_isSummaryAssumed;
                event = m_clock->settle(index);
            } else {
                step.hasFired = step.hasFired || m_summary->waits(); // and finds nothing to change
            }
        }
        if (event == WorkerClock::Event::Lands)
            land(step);
    }

    void land(ReplayStep &step)
    {
        step.hasFired = step.hasFired || m_summary->waits();
        const size_t covered = m_tail + m_clock->coveredEnd() - m_evicted;
        size_t cut = last().messageAt(covered); // a message that it covers in part stays
        if (m_clock->worker().keepFrom == SummaryWorker::KeepFrom::Landing)
            cut = std::max(cut, cutoffOf(last(), m_summary->keep(), m_context.windowTokens));
        std::vector<BlockId> lost;
        if (m_summary->isOn("applies")) {
            const std::vector<size_t> carried = carriedBefore(cut).take();
            for (size_t place = covered; place < last().placeOf(cut); ++place) {
                if (!last().at(place).isGone && !std::ranges::binary_search(carried, place))
                    lost.push_back(last().at(place).origin);
            }
            replaceBefore(step, cut);
        }
        step.isLanding = step.writtenSummary > 0;
        m_clock->noteSaid(m_array, lost);
    }

    /// Puts the summary in place of the messages before message `cut`.
    void replaceBefore(ReplayStep &step, size_t cut)
    {
        if (cut == 0 || !m_summary->isOn("applies"))
            return;
        stages::CarriedBlocks staying = carriedBefore(cut);
        const std::vector<size_t> carried = staying.take();
        if (!hasNew(cut, carried))
            return;
        change(step, staying.changes());
        if (!m_summaryBlock.isValid() && stages::writesSummary(*m_summary))
            m_summaryBlock = summaryBlock();
        step.writtenSummary = m_summaryBlock.isValid() ? m_pool.tokens(m_summaryBlock) : 0;
        step.unchangedTokens = unchangedFront(carried);
        m_replay->isSummaryAssumed = m_isSummaryAssumed;
        noteEvicted(step, last().placeOf(cut), carried);
        if (m_isView)
            showSummary(step, cut, carried);
        else
            evict(step, cut, carried, staying.files());
    }

    /// All assumed summaries share one block.
    [[nodiscard]] BlockId summaryBlock()
    {
        const std::string text = stages::summaryMessage(*m_summary, m_summary->text("summary.text"));
        return m_pool.addSummary(text, m_ground.log.thread, m_summary->number("summary.tokens"));
    }

    /// Whether something before message `cut` goes that is of the log.
    [[nodiscard]] bool hasNew(size_t cut, const std::vector<size_t> &carried)
    {
        const size_t end = last().placeOf(cut);
        for (size_t place = last().first(); place < end; ++place) {
            if (!last().at(place).isGone && last().at(place).origin.isValid()
                && !last().blockAt(place).is(BlockFlag::Summary) && !std::ranges::binary_search(carried, place))
                return true;
        }
        return false;
    }

    /// What stays of the messages before message `cut`.
    [[nodiscard]] stages::CarriedBlocks carriedBefore(size_t cut)
    {
        stages::CarriedBlocks carried(*m_summary);
        const size_t first = last().placeOf(carried.firstMessages(last(), cut));
        for (size_t place = last().first(); place < first; ++place) {
            if (!last().at(place).isGone)
                carried.addFirst(place);
        }
        for (size_t place = last().placeOf(cut); carried.takesMore() && place > first; --place) {
            if (!last().at(place - 1).isGone)
                carried.add(place - 1, m_pool, last().at(place - 1).block);
        }
        return carried;
    }

    void change(ReplayStep &step, const std::map<size_t, BlockChange> &changes)
    {
        for (const auto &[place, change] : changes) {
            const BlockId block = last().at(place).block;
            step.lostBytes += bytesLess(m_pool.block(block), change);
            m_changedFrom = std::min(m_changedFrom, place);
            last().set(place, m_pool.addChanged(block, change), false);
            if (!m_summary->waits() && last().at(place).origin.isValid())
                noteChanged(step, last().at(place).origin, *m_summary);
        }
    }

    /// Tokens of the places at the front that stay where they were.
    [[nodiscard]] double unchangedFront(const std::vector<size_t> &carried)
    {
        if (stages::summaryPlace(*m_summary) == SummaryPlace::First && m_summaryBlock.isValid())
            return 0;
        double sum = 0;
        auto next = carried.begin();
        for (size_t place = last().first(); place < m_changedFrom && next != carried.end(); ++place) {
            if (place == *next)
                ++next;
            else if (!last().at(place).isGone)
                break;
            sum += last().at(place).isGone ? 0 : m_pool.tokens(last().at(place).block);
        }
        return sum;
    }

    void noteEvicted(ReplayStep &step, size_t end, const std::vector<size_t> &carried)
    {
        for (size_t place = last().first(); !m_summary->waits() && place < end; ++place) {
            const LiveArray::Element &element = last().at(place);
            if (!element.isGone && element.origin.isValid() && !std::ranges::binary_search(carried, place))
                noteChanged(step, element.origin, *m_summary);
        }
    }

    /// The summary is sent with this call only.
    void showSummary(ReplayStep &step, size_t cut, const std::vector<size_t> &carried)
    {
        step.arrayTokens = last().tokens() - last().tokensBefore(last().placeOf(cut)) + step.writtenSummary;
        std::unordered_set<uint32_t> messages;
        for (const size_t place : carried) {
            step.arrayTokens += m_pool.tokens(last().at(place).block);
            messages.insert(last().at(place).message);
        }
        step.messageCount = static_cast<uint32_t>(1 + messages.size()); // a view without a summary is not live
        step.blockCount = static_cast<uint32_t>(1 + carried.size() + last().blocksFrom(last().placeOf(cut)));
        for (size_t i = cut; i < last().messageCount(); ++i)
            step.messageCount += last().factsOf(i).isEmpty ? 0 : 1;
        m_wasSummarised = true;
        m_hidden.end = last().placeOf(cut);
        m_hidden.shown = carried;
    }

    /// The harness keeps the summary.
    void evict(ReplayStep &step, size_t cut, const std::vector<size_t> &carried, const std::vector<std::string> &files)
    {
        commit(); // makes all arrays start alike
        const size_t end = last().placeOf(cut);
        if (!stages::archivesMessages(*m_summary))
            step.lostBytes += evictedBytes(end, carried);
        m_evicted += std::max(end, m_tail) - m_tail;
        m_tail = std::max(end, m_tail);
        m_carried.clear();
        for (const size_t place : carried)
            m_carried.insert(last().at(place).block);
        std::vector<BlockId> added;
        if (m_summaryBlock.isValid())
            added.push_back(m_summaryBlock);
        for (const std::string &file : files)
            added.push_back(m_pool.addInjected(file, m_ground.log.thread));
        for (const auto &array : m_arrays) {
            for (const size_t place : carried)
                array->set(place, last().at(place).block, last().at(place).isGone);
            array->evict(cut, added, carried, stages::summaryPlace(*m_summary));
        }
        for (size_t i = 0; i < m_stages.size(); ++i)
            m_stages[i]->evict(*m_arrays[i]);
        (void)last().takeTouched();
        for (size_t place = 0; m_options.keepsSpans && place < end; ++place)
            recordAt(place);
        step.arrayTokens = last().tokens();
        step.messageCount = static_cast<uint32_t>(last().filledMessageCount());
        step.blockCount = static_cast<uint32_t>(last().blockCount());
    }

    [[nodiscard]] uint64_t evictedBytes(size_t end, const std::vector<size_t> &carried)
    {
        uint64_t sum = 0;
        for (size_t place = last().first(); place < end; ++place) {
            const LiveArray::Element &element = last().at(place);
            if (!element.isGone && element.origin.isValid() && !std::ranges::binary_search(carried, place))
                sum += last().blockAt(place).lengths.bytes;
        }
        return sum;
    }

    /// Records the block that this call sends at a place; a view's summary has the first place, which is always dead.
    void recordAt(size_t place)
    {
        const LiveArray::Element &element = last().at(place);
        const bool isHidden = place < m_hidden.end && !std::ranges::binary_search(m_hidden.shown, place);
        m_recorder.set(place, element.isGone || isHidden ? BlockId() : element.block, m_call);
    }

    void recordSpans(const std::vector<uint32_t> &touched, size_t hiddenBefore)
    {
        for (const uint32_t place : touched) {
            if (place < last().size())
                recordAt(place);
        }
        for (size_t place = std::min(hiddenBefore, m_hidden.end); place < std::max(hiddenBefore, m_hidden.end); ++place)
            recordAt(place);
        for (const size_t place : m_hidden.shownBefore) {
            if (place < last().size())
                recordAt(place);
        }
        for (const size_t place : m_hidden.shown)
            recordAt(place);
        m_hidden.shownBefore = m_hidden.shown;
        if (m_isView)
            m_recorder.set(0, m_hidden.end > 0 ? m_summaryBlock : BlockId(), m_call);
    }

    /// The array that a next call would send.
    [[nodiscard]] BlockRanges arrayAtEnd()
    {
        std::vector<BlockRange> ranges;
        const auto add = [&](BlockId id) {
            if (!ranges.empty() && ranges.back().end == id.value())
                ++ranges.back().end;
            else
                ranges.push_back({ id.value(), id.value() + 1 });
        };
        if (m_hidden.end > 0)
            add(m_summaryBlock);
        for (size_t place = last().first(); place < last().size(); ++place) {
            const bool isHidden = place < m_hidden.end && !std::ranges::binary_search(m_hidden.shown, place);
            if (!last().at(place).isGone && !isHidden)
                add(last().at(place).block);
        }
        return BlockRanges::of(ranges);
    }

    void finishSpans()
    {
        ContextSpans &spans = m_replay->spans;
        spans.callCount = static_cast<uint32_t>(m_replay->callCount());
        spans.spans = m_recorder.finish(spans.callCount + 1);
        spans.rewrites = rewritesOf(*m_replay);
        spans.end = arrayAtEnd();
        spans.setClearings(m_ground.clearings);
        BlockTokensPtr tokens;
        spans.session = m_pool.finish(m_ground.log.thread, spans.end, tokens);
        m_replay->tokens = std::move(tokens);
    }

    const ReplayGround &m_ground;
    const ReplayOptions &m_options;
    std::shared_ptr<Replay> m_replay;
    PolicyPtr m_policy;
    StageContext m_context;
    MessageGrouping m_grouping;
    BlockPool m_pool;
    KnownUsage m_known;
    bool m_isView;
    bool m_isSummaryAssumed; ///< summaries that the policy writes have an assumed size
    bool m_isSupported = true;
    std::unordered_set<BlockId> m_pinned;
    std::unordered_set<BlockId> m_dropped;
    std::vector<std::unique_ptr<LiveArray>> m_arrays; ///< one more than stages
    std::vector<std::unique_ptr<LiveStage>> m_stages;
    std::optional<StageParameters> m_summary;
    std::unordered_set<BlockId> m_changed; ///< by trigger-less stages
    std::unordered_set<BlockId> m_carried; ///< what stays of the evicted blocks
    BlockId m_summaryBlock;
    std::vector<uint32_t> m_madeByStages; ///< places where the last array may differ from the first
    std::vector<BlockId> m_array;         ///< of the log
    CallPairs m_pairs;                    ///< of m_array
    LogPlaces m_places;                   ///< of m_array
    std::optional<WorkerClock> m_clock;   ///< of the policy's worker
    size_t m_tail = 1;                    ///< place of the log's first block that was not evicted
    size_t m_evicted = 0;                 ///< blocks of the log before m_tail
    size_t m_changedFrom = 0;             ///< first place where the array differs from the one before
    bool m_wasSummarised = false;         ///< the previous array began with a summary made for that call alone
    uint32_t m_call = 0;
    SpanRecorder m_recorder;
    /// What the summary of a view replaces in this call alone.
    struct Hidden {
        size_t end = 0;                  ///< places before it are not sent
        std::vector<size_t> shown;       ///< places before it that are sent all the same
        std::vector<size_t> shownBefore; ///< the same for the previous call
    };
    Hidden m_hidden;
};

} // namespace

ReplayPtr replay(const ReplayGroundPtr &ground, const PolicyPtr &policy, const ReplayOptions &options)
{
    ReplayOptions own = options;
    const ReplayGroundPtr edited = options.overrides.writesText() ? editedGround(ground, own) : ground;
    LiveReplay live(edited, policy, own);
    if (!live.isSupported())
        return replayFromScratch(ground, policy, options);
    const auto made = live.run();
    if (made)
        made->ground = ground; // what everybody else compares it with
    return made;
}

} // namespace core
