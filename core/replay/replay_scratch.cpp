// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/message_view.h"
#include "core/compaction/observe.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/stages/eviction.h"
#include "core/compaction/stages/log.h"
#include "core/context/span_recorder.h"
#include "core/replay/edited_ground.h"
#include "core/replay/later_summary.h"
#include "core/replay/log_places.h"
#include "core/replay/stable_answer.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

/// The reference implementation of a replay: plans the whole array at every call.
class ScratchReplay final {
public:
    ScratchReplay(const ReplayGroundPtr &ground, const PolicyPtr &policy, const ReplayOptions &options)
        : m_ground(*ground)
        , m_options(options)
        , m_grouping(ground->session(), policy->view)
        , m_state(ground->log.session, ground->log.thread, *ground->tokens, options.memo.get())
        , m_isInjected(std::ranges::any_of(
              policy->stages, [](const StageSpec &spec) { return spec.isEnabled && injects(spec); }))
        , m_isSummaryAssumed(assumesSummary(*policy))
        , m_replay(std::make_shared<Replay>())
    {
        m_replay->policy = withAssumedSummary(policy, ground->summary, SummaryStandIn::Filler);
        m_replay->ground = ground;
        m_replay->steps.resize(ground->log.steps.size());
        m_known.emplace(m_ground, *m_replay->policy, m_state.pool());
    }

    std::shared_ptr<Replay> run()
    {
        const Policy &policy = *m_replay->policy;
        if (!runUntil(m_replay->steps.size(), [](const Draft &) { }))
            return nullptr;
        if (m_later)
            m_replay->worker = m_later->finish(m_replay->steps.size());
        addUp(*m_replay);
        if (m_options.keepsSpans)
            finishSpans(policy.persistence == Persistence::View);
        return std::move(m_replay);
    }

    /// The array that is sent at a step, and its tokens; nullopt if cancelled.
    std::optional<Transcript> arrayAt(size_t step, BlockTokensPtr &tokens)
    {
        std::optional<Transcript> array;
        runUntil(step + 1, [&](Draft &sent) {
            std::vector<BlockRange> ranges;
            for (const Draft::Element &element : sent.elements()) {
                if (!element.isGone)
                    ranges.push_back({ element.block.value(), element.block.value() + 1 });
            }
            const BlockRanges blocks = BlockRanges::of(ranges);
            tokens = m_ground.tokens;
            array.emplace(sent.finishPool(blocks, tokens), blocks);
        });
        return array;
    }

private:
    /// Plans the steps before `end`, and shows the last array; false if cancelled.
    template <typename Show>
    bool runUntil(size_t end, const Show &show)
    {
        const Session &session = m_ground.session();
        const Policy &policy = *m_replay->policy;
        const StageContext context { policy, sessionIdOf(session, m_ground.log.thread, m_options.sessionId), {},
            policy.windowOf(session), 0, 0, memoriesOf(m_options.memo) };
        m_later = LaterSummary::of(m_ground, context);
        for (size_t i = 0; i < end; ++i) {
            if (m_options.progress != nullptr && m_options.progress->isCancelled())
                return false;
            extend(i);
            std::optional<Draft> view;
            if (policy.persistence == Persistence::View)
                view.emplace(m_state);
            Draft &sent = view ? *view : m_state;
            plan(i, sent, context);
            if (i + 1 == end)
                show(sent);
        }
        m_replay->notes = stageNotes(session, context);
        return true;
    }

    /// Identifies an element of the sent array: equal marks mean equal bytes.
    struct Mark {
        BlockId block; ///< for a change that a view makes anew at each call, the changed block
        Hash text;
        friend bool operator==(const Mark &, const Mark &) = default;
    };

    void finishSpans(bool isView)
    {
        ContextSpans &spans = m_replay->spans;
        spans.callCount = static_cast<uint32_t>(m_replay->callCount());
        spans.spans = m_recorder.finish(spans.callCount + 1);
        spans.rewrites = rewritesOf(*m_replay);
        std::vector<BlockRange> ranges;
        for (const BlockId id : m_end)
            ranges.push_back({ id.value(), id.value() + 1 });
        spans.end = BlockRanges::of(ranges);
        spans.setClearings(m_ground.clearings);
        spans.session = m_ground.log.session;
        m_replay->tokens = m_ground.tokens;
        if (!isView)
            spans.session = m_state.finishPool(spans.end, m_replay->tokens);
    }

    void extend(size_t step)
    {
        const LogStep &change = m_ground.log.steps[step];
        if (m_later && change.kept < m_array.size())
            m_later->truncate(step, change.kept);
        m_array.resize(change.kept);
        m_state.truncate(change.kept);
        const size_t first = m_state.elements().size();
        for (const BlockId id : m_ground.log.addedAt(step)) {
            const Block &block = m_ground.session().block(id);
            const bool follows
                = !m_array.empty() && !m_state.elements().empty() && m_state.elements().back().origin == m_array.back();
            const bool joins = follows
                && m_grouping.joins(m_state.messages().back().role, m_ground.session().block(m_array.back()), block);
            m_state.append(id, m_grouping.roleOf(block), !joins);
            m_array.push_back(id);
        }
        applyOverrides(m_state, m_options.overrides, first);
    }

    /// Runs the policy on the array of a step and reads the result.
    void plan(size_t index, Draft &draft, const StageContext &context)
    {
        ReplayStep &step = m_replay->steps[index];
        const double known = m_known->at(index, index > 0 ? m_replay->steps[index - 1].tokens : 0);
        draft.rewrites().clear();
        draft.artifacts().clear();
        StageContext here = context;
        here.unsentTokens = unsentTokens(draft, m_ground.unsentAt(index)) - countedBeside(m_ground, here.policy, index);
        const auto logStage = logOf(here);
        const size_t entries = logStage ? stages::logEnds(draft, *logStage).size() : 0;
        PolicyRun run = m_later ? m_later->run(draft, here, known, m_array, step) : runPolicy(draft, here, known);
        step.decision = std::move(run.decision);
        step.hasFired = run.hasFired;
        step.changedBlocks = newlyChanged(draft, run);
        step.isCounterfactual = index >= m_ground.log.firstCounterfactual;
        step.arrayTokens = draft.size().tokens;
        step.tokens = step.arrayTokens + m_ground.besides[index] - unsentTokens(draft, m_ground.unsentAt(index))
            - removedThinking(draft);
        step.freshTokens = freshTokens(m_ground, index);
        step.blockCount = static_cast<uint32_t>(
            std::ranges::count_if(draft.elements(), [](const Draft::Element &element) { return !element.isGone; }));
        step.messageCount = static_cast<uint32_t>(std::ranges::count_if(
            draft.messages(), [&](const Draft::Message &message) { return !draft.isEmpty(message); }));
        for (const Rewrite &rewrite : draft.rewrites()) {
            if (rewrite.fate == Fate::Added && draft.block(rewrite.made).is(BlockFlag::Summary)) {
                step.writtenSummary += draft.tokens(rewrite.made);
                step.isLog = logStage && &logStage->spec() == &context.policy.stages[rewrite.stage];
            }
        }
        step.isTorn = isTorn(draft);
        m_replay->isSummaryAssumed
            = m_replay->isSummaryAssumed || (m_isSummaryAssumed && step.writtenSummary + step.workerOutput > 0);
        const bool isView = context.policy.persistence == Persistence::View;
        if (!isView)
            step.lostBytes = lostBytes(draft);
        if (logStage)
            noteEntry(step, index, entries, isView ? entries : stages::logEnds(draft, *logStage).size(), *logStage);
        if (context.policy.cacheMarks.stableAssistant)
            noteStableAnswer(step, draft);
        step.unchangedTokens = takeUnchanged(m_sent, draft, isView, {});
        const bool isChanged = takeChange(step, index, draft, isView);
        step.hasFired = step.hasFired && isChanged;
        if (m_options.keepsSpans)
            recordSpans(static_cast<uint32_t>(index), draft, isView);
    }

    void noteStableAnswer(ReplayStep &step, const Draft &draft) const
    {
        StableAnswerFinder finder;
        const auto &elements = draft.elements();
        for (size_t place = elements.size(); place > 0; --place) {
            const Draft::Element &element = elements[place - 1];
            const bool isOfModel = element.origin.isValid()
                && m_grouping.roleOf(m_ground.session().block(element.origin)) == Role::Assistant;
            if (!element.isGone && finder.push(draft.block(element.block), isOfModel, place))
                break;
        }
        const auto end = finder.found();
        if (!end)
            return;
        step.stableTokens = step.arrayTokens;
        step.stableBlocks = step.blockCount;
        for (size_t place = *end; place < elements.size(); ++place) {
            if (elements[place].isGone)
                continue;
            step.stableTokens -= draft.tokens(elements[place].block);
            --step.stableBlocks;
        }
    }

    /// The stage that keeps a log, if it is on.
    [[nodiscard]] std::optional<StageParameters> logOf(const StageContext &context) const
    {
        for (const StageSpec &spec : context.policy.stages) {
            const StageKind *kind = stageKind(spec.stage);
            if (spec.isEnabled && kind != nullptr && kind->keepsLog)
                return StageParameters(m_ground.session(), spec, *kind, context);
        }
        return std::nullopt;
    }

    /// Notes the request for an entry of the log. The array had `before` entries that no log had replaced, and has
    /// `after` of them.
    void noteEntry(ReplayStep &step, size_t index, size_t before, size_t after, const StageParameters &logStage)
    {
        const size_t all = m_replacedEntries + before;
        m_replacedEntries += before - std::min(before, after);
        const bool isNew = all > std::exchange(m_entries, all);
        const auto request = stages::logRequest(logStage);
        if (!isNew || !request || index == 0)
            return;
        step.logEntry = request->written;
        step.logRequest = request->asked + (request->readsAnswer ? m_ground.answers[index - 1] : 0);
    }

    /// See LogPlaces.
    [[nodiscard]] double removedThinking(const Draft &draft) const
    {
        std::unordered_set<BlockId> standing;
        for (const Draft::Element &element : draft.elements()) {
            if (!element.isGone)
                standing.insert(element.block);
        }
        LogPlaces places(m_ground);
        for (const BlockId id : m_array)
            places.push(id);
        return places.removedThinking(places.size(), [&](uint32_t, BlockId id) { return standing.contains(id); });
    }

    /// Number of blocks that trigger-less stages changed for the first time.
    [[nodiscard]] uint32_t newlyChanged(Draft &draft, const PolicyRun &run)
    {
        uint32_t count = 0;
        for (const Rewrite &rewrite : draft.rewrites()) {
            const bool isOfStage = rewrite.stage < run.firedStages.size() && !run.firedStages[rewrite.stage]
                && !injects(m_replay->policy->stages[rewrite.stage]);
            count += isOfStage && rewrite.block.isValid() && m_changed.insert(rewrite.block).second ? 1 : 0;
        }
        return count;
    }

    /// Whether the array has a result without its call, although the log has the call.
    [[nodiscard]] bool isTorn(const Draft &draft) const
    {
        std::unordered_set<BlockId> standing;
        for (const Draft::Element &element : draft.elements()) {
            if (!element.isGone)
                standing.insert(element.origin);
        }
        std::unordered_map<StringId, BlockId> calls;
        const auto isDropped = [&](BlockId id) { return std::ranges::contains(m_options.overrides.drop, id); };
        for (const BlockId id : m_array) {
            const Block &block = m_ground.session().block(id);
            if (!block.callId.isValid())
                continue;
            if (block.kind == BlockKind::ToolCall)
                calls[block.callId] = id;
            if (block.kind != BlockKind::ToolResult || !standing.contains(id))
                continue;
            const auto call = calls.find(block.callId);
            if (call != calls.end() && !standing.contains(call->second) && !isDropped(call->second))
                return true;
        }
        return false;
    }

    [[nodiscard]] static uint64_t lostBytes(Draft &draft)
    {
        uint64_t sum = 0;
        for (const Rewrite &rewrite : draft.rewrites()) {
            const bool isKept = rewrite.artifact && !draft.artifacts()[*rewrite.artifact].blocks.empty();
            if (rewrite.block.isValid() && !isKept)
                sum += rewrite.before.bytes - std::min(rewrite.before.bytes, rewrite.after.bytes);
        }
        return sum;
    }

    /// The place of a block is its own number.
    void recordSpans(uint32_t call, const Draft &draft, bool isView)
    {
        std::vector<BlockId> standing;
        for (const Draft::Element &element : draft.elements()) {
            if (element.isGone || (isView && !draft.pool().isRecorded(element.block)))
                continue;
            standing.push_back(element.block);
            m_recorder.set(element.block.index(), element.block, call);
        }
        m_end = standing;
        std::ranges::sort(standing);
        for (const BlockId id : m_standing) {
            if (!std::ranges::binary_search(standing, id))
                m_recorder.set(id.index(), {}, call);
        }
        m_standing = std::move(standing);
    }

    /// What a call sends, to compare it with the next one.
    struct Sent {
        std::vector<Mark> marks;
        double tokens = 0;
    };

    /// Tokens of the prefix that is equal to `sent`, which this array then replaces. `plain`: blocks that stand for
    /// others.
    static double takeUnchanged(
        Sent &sent, const Draft &draft, bool isView, const std::unordered_map<BlockId, BlockId> &plain)
    {
        Sent now;
        double unchanged = 0;
        bool isSame = true;
        for (const Draft::Element &element : draft.elements()) {
            if (element.isGone)
                continue;
            const auto other = plain.find(element.block);
            const BlockId block = other != plain.end() ? other->second : element.block;
            Mark mark { block, {} };
            const bool isMade = !draft.pool().isRecorded(block);
            if (isView && isMade)
                mark = { element.origin, hashOf(draft.text(block)) };
            const bool isNewSummary = isView && isMade && !element.origin.isValid(); // a new one at every call
            const size_t place = now.marks.size();
            isSame = isSame && !isNewSummary && place < sent.marks.size() && sent.marks[place] == mark;
            const double tokens = draft.tokens(block);
            unchanged += isSame ? tokens : 0;
            now.tokens += tokens;
            now.marks.push_back(mark);
        }
        sent = std::move(now);
        return unchanged;
    }

    /// Notes which blocks are others with a text added by an injecting stage.
    void noteInjected(Draft &draft, bool isView)
    {
        if (isView)
            m_plain.clear();                          // a view makes its blocks anew at every call
        std::unordered_map<BlockId, BlockId> changed; // by other stages, in this call
        for (const Rewrite &rewrite : draft.rewrites()) {
            if (!rewrite.block.isValid() || !rewrite.made.isValid())
                continue;
            if (!injects(m_replay->policy->stages[rewrite.stage])) {
                changed[rewrite.block] = rewrite.made;
                continue;
            }
            const auto before = changed.find(rewrite.block);
            const BlockId block = before != changed.end() ? before->second : rewrite.block;
            const auto plain = m_plain.find(block);
            m_plain[rewrite.made] = plain != m_plain.end() ? plain->second : block;
        }
    }

    /// Whether the policy changed what the call before had sent; notes what this call sends. A text that an injecting
    /// stage added, moved or removed is no such change.
    [[nodiscard]] bool takeChange(const ReplayStep &step, size_t index, Draft &draft, bool isView)
    {
        if (!m_isInjected)
            return hasActed(m_ground.log, index, changeAt(*m_replay, index));
        noteInjected(draft, isView);
        CallChange change { .before = m_sentPlain.tokens, .summary = step.writtenSummary };
        change.unchanged = takeUnchanged(m_sentPlain, draft, isView, m_plain);
        return hasActed(m_ground.log, index, change);
    }

    const ReplayGround &m_ground;
    const ReplayOptions &m_options;
    MessageGrouping m_grouping;
    Draft m_state;
    std::vector<BlockId> m_array;                 ///< of the log
    Sent m_sent;                                  ///< by the previous call
    bool m_isInjected;                            ///< a stage adds texts
    std::unordered_map<BlockId, BlockId> m_plain; ///< by block with an added text: the block without it
    Sent m_sentPlain;                             ///< by the previous call, without added texts
    std::unordered_set<BlockId> m_changed;        ///< by trigger-less stages
    std::optional<KnownUsage> m_known;
    std::optional<LaterSummary> m_later; ///< of a policy with a worker
    SpanRecorder m_recorder;
    std::vector<BlockId> m_standing; ///< of the previous call, sorted
    std::vector<BlockId> m_end;      ///< the array of the current call
    bool m_isSummaryAssumed;         ///< summaries that the policy writes have an assumed size
    size_t m_entries = 0;            ///< of the log, up to the current call
    size_t m_replacedEntries = 0;    ///< those that the log put in place of messages
    std::shared_ptr<Replay> m_replay;
};

} // namespace

ReplayPtr replayFromScratch(const ReplayGroundPtr &ground, const PolicyPtr &policy, const ReplayOptions &options)
{
    ReplayOptions own = options;
    const ReplayGroundPtr edited = options.overrides.writesText() ? editedGround(ground, own) : ground;
    const auto made = ScratchReplay(edited, policy, own).run();
    if (made)
        made->ground = ground;
    return made;
}

CompactionPtr ownArrayAt(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, Position position, const ReplayOptions &options)
{
    ReplayOptions own = options;
    own.keepsSpans = false;
    const ReplayGroundPtr edited = options.overrides.writesText() ? editedGround(ground, own) : ground;
    const size_t step = position.isEnd() ? ground->callCount() : position.call.index();
    BlockTokensPtr tokens;
    const auto sent = ScratchReplay(edited, policy, own).arrayAt(step, tokens);
    if (!sent)
        return nullptr;
    const SessionPtr &session = ground->log.session;
    auto made = std::make_shared<Compaction>(observe({ session, rangesAt(*session, position) }, *sent, tokens));
    const auto isWritten = [&](BlockId id) {
        return id.index() >= edited->session().blocks.size() && sent->block(id).is(BlockFlag::Summary);
    };
    if (assumesSummary(*policy) && std::ranges::any_of(sent->blocks(), isWritten))
        made->assumedSummary = ground->summary;
    return made;
}

} // namespace core
