// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/compaction_loss.h"

#include "core/cache/recorded_cache.h"
#include "core/compaction/assumed_summary.h"
#include "core/compaction/observe.h"
#include "core/evidence/shown_text.h"
#include "core/findings/simulated_loss.h"
#include "core/session/tool_deed.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

using BlockSet = std::unordered_set<BlockId>;

bool isWriting(ToolDeed deed) { return deed == ToolDeed::Write || deed == ToolDeed::Edit; }

/// The lines of a block that are facts of their own.
std::vector<Fact> linesOf(const Session &session, const Block &block, std::string_view text)
{
    if (block.kind == BlockKind::ToolResult) {
        const bool isOutput = block.is(BlockFlag::Error) || toolDeed(session.string(block.name)) == ToolDeed::Run;
        return isOutput ? errorsOf(text) : std::vector<Fact>();
    }
    const std::string_view typed = isUserMessage(block) ? typedText(block, text)
        : block.is(BlockFlag::Summary)                  ? text
                                                        : std::string_view();
    std::vector<Fact> facts = constraintsOf(typed);
    for (Fact &task : tasksOf(typed))
        facts.push_back(std::move(task));
    return facts;
}

using LineSet = std::unordered_set<size_t>; ///< hashes

/// The lines of a result that are long enough to tell one text from another (see uses.h).
LineSet linesIn(const Session &session, const Block &block)
{
    constexpr size_t kTelling = 12;
    LineSet lines;
    const ShownText shown = shownText(session, block);
    forEachTrimmedLine(withoutReminders(shown.bare()), [&](std::string_view line) {
        if (line.size() >= kTelling)
            lines.insert(std::hash<std::string_view> {}(line));
    });
    return lines;
}

/// Computes the loss of one compaction.
class LossFinder final {
public:
    /// `first` is the first call behind the compaction.
    LossFinder(const LossGround &ground, const Compaction &compaction, uint32_t first, Progress *progress)
        : m_ground(ground)
        , m_compaction(compaction)
        , m_session(*compaction.after.session())
        , m_first(first)
        , m_progress(progress)
        , m_before(compaction.before.blocks().begin(), compaction.before.blocks().end())
        , m_after(compaction.after.blocks().begin(), compaction.after.blocks().end())
    {
        for (const BlockId id : compaction.before.blocks()) {
            if (!m_after.contains(id))
                m_removed.insert(id);
        }
        if (!compaction.policy || !lacksSummaryText(*compaction.policy))
            return;
        for (const Rewrite &rewrite : compaction.rewrites) {
            if (rewrite.fate == Fate::Summarised && rewrite.made.isValid())
                m_assumed.insert(rewrite.made);
        }
        for (const BlockId id : compaction.after.blocks()) {
            if (compaction.after.block(id).is(BlockFlag::Summary) && !m_before.contains(id))
                m_assumed.insert(id);
        }
    }

    void countSlots(CompactionLoss &loss) const
    {
        for (const Fate fate : m_compaction.fates)
            ++loss.slots[static_cast<size_t>(fate)];
        loss.slotsAfter = m_compaction.after.slotCount();
        loss.isAssumed = !m_assumed.empty();
        const size_t calls = m_ground.spans.callCount;
        loss.laterCalls = calls - std::min<size_t>(calls, m_first);
    }
    void compareFacts(CompactionLoss &loss) const;
    /// The fates of typed messages by the traces of two arrays.
    void judgeMessages(CompactionLoss &loss, std::span<const Trace> traces, uint32_t before, uint32_t after) const;
    /// Traces the messages in these two arrays alone.
    void traceMessages(CompactionLoss &loss) const;
    void findNeeds(CompactionLoss &loss) const;

private:
    [[nodiscard]] std::vector<BlockId> summariesOf(const Transcript &array, const BlockSet &others) const;
    [[nodiscard]] uint32_t enteredAt(BlockId id) const;
    void findNamedAgain(std::vector<CheckedFact> &facts) const;
    [[nodiscard]] std::vector<CheckedFact> checkedAgainstLog(std::span<const BlockId> summaries) const;
    [[nodiscard]] bool isSurelyLost(BlockId id) const
    {
        return m_first == 0 || !m_ground.spans.mayBeMissing(id, m_first - 1);
    }
    void findReadsAgain(std::vector<NeededAgain> &needed) const;
    [[nodiscard]] std::optional<NeededAgain> needOf(const Use &use) const;
    [[nodiscard]] BlockId resultOf(BlockId call) const;
    [[nodiscard]] bool isChangedBetween(BlockId from, BlockId to) const;

    const LossGround &m_ground;
    const Compaction &m_compaction;
    const Session &m_session; ///< with the blocks that the compaction made
    uint32_t m_first;
    Progress *m_progress;
    BlockSet m_before;
    BlockSet m_after;
    BlockSet m_removed;
    BlockSet m_assumed; ///< summaries of a policy whose text nobody knows
};

// --- facts ----------------------------------------------------------------------------------------------------------

std::vector<BlockId> LossFinder::summariesOf(const Transcript &array, const BlockSet &others) const
{
    std::vector<BlockId> found;
    for (const BlockId id : array.blocks()) {
        if (array.block(id).is(BlockFlag::Summary) && !others.contains(id))
            found.push_back(id);
    }
    return found;
}

/// The first call that sent the block; of one that no call of the thread sent, a call behind all.
uint32_t LossFinder::enteredAt(BlockId id) const
{
    const auto &spans = m_ground.spans.spans;
    const auto found = std::ranges::lower_bound(spans, id, {}, &ContextSpan::block);
    return found != spans.end() && found->block == id ? found->from : UINT32_MAX;
}

void LossFinder::compareFacts(CompactionLoss &loss) const
{
    loss.oldSummaries = summariesOf(m_compaction.before, m_after);
    if (!loss.isAssumed)
        loss.newSummaries = summariesOf(m_compaction.after, m_before);
    FactFinder after;
    for (const BlockId id : m_compaction.after.blocks()) {
        if (!m_assumed.contains(id))
            after.read(shownText(m_session, m_session.block(id)).text);
    }
    std::vector<BlockId> replaced;
    for (const BlockId id : m_compaction.before.blocks()) {
        const Block &block = m_session.block(id);
        if (m_removed.contains(id) && !block.is(BlockFlag::Summary) && block.kind != BlockKind::Thinking)
            replaced.push_back(id);
    }
    loss.replaced = checkedFacts(m_session, replaced, after);
    loss.carried = checkedFacts(m_session, loss.oldSummaries, after);
    findNamedAgain(loss.replaced);
    findNamedAgain(loss.carried);
    loss.added = checkedAgainstLog(loss.newSummaries);
}

/// Where the model itself names a fact that is not held: in its texts and arguments behind the compaction.
void LossFinder::findNamedAgain(std::vector<CheckedFact> &facts) const
{
    std::unordered_map<std::string, CheckedFact *> sought;
    for (CheckedFact &each : facts) {
        if (!each.isHeld && (each.fact.kind == FactKind::Path || each.fact.kind == FactKind::Name))
            sought.emplace(keyOf(each.fact), &each);
    }
    for (const BlockId id : m_ground.uses.log) {
        if (sought.empty() || isCancelled(m_progress))
            return;
        const Block &block = m_ground.session->block(id);
        const bool isWritten = block.kind == BlockKind::ToolCall || block.kind == BlockKind::Text;
        const uint32_t entered = enteredAt(id);
        if (!isWritten || m_ground.session->message(block.message).role != Role::Assistant || entered == UINT32_MAX
            || entered <= m_first)
            continue;
        for (const Fact &fact : factsOf(shownText(*m_ground.session, block).text)) {
            const auto found = sought.find(keyOf(fact));
            if (found == sought.end())
                continue;
            found->second->namedAgain = id;
            sought.erase(found);
        }
    }
}

/// The facts of a new summary; held are those that the log has up to the compaction, or the array after it elsewhere.
std::vector<CheckedFact> LossFinder::checkedAgainstLog(std::span<const BlockId> summaries) const
{
    if (summaries.empty())
        return {};
    FactFinder log;
    log.read(m_ground.session->workingFolder);
    const auto read = [&](BlockId id) {
        if (!std::ranges::contains(summaries, id) && !isCancelled(m_progress))
            log.read(shownText(m_session, m_session.block(id)).text);
    };
    BlockId last;
    for (const ContextSpan &span : m_ground.spans.spans) {
        const bool isBefore = span.from < m_first || m_before.contains(span.block) || m_after.contains(span.block);
        if (isBefore && span.block != last)
            read(span.block);
        last = span.block;
    }
    for (const BlockId id : m_compaction.before.blocks()) {
        if (enteredAt(id) == UINT32_MAX)
            read(id);
    }
    std::vector<CheckedFact> facts = checkedFacts(m_session, summaries, log);
    // A summary words constraints and tasks itself.
    std::erase_if(facts, [](const CheckedFact &each) { return each.fact.kind >= FactKind::Error; });
    return facts;
}

// --- messages -------------------------------------------------------------------------------------------------------

void LossFinder::judgeMessages(
    CompactionLoss &loss, std::span<const Trace> traces, uint32_t before, uint32_t after) const
{
    for (const Trace &trace : traces) {
        const TraceLane *was = trace.at(before);
        const bool wasThere = was != nullptr && was->state != TraceState::Gone;
        if (!wasThere && !m_before.contains(trace.block))
            continue;
        const TraceLane *is = trace.at(after);
        TypedFate &made = loss.typed.emplace_back();
        made.block = trace.block;
        made.text = trace.text;
        if (is != nullptr) {
            made.state = is->state;
            made.carrier = is->carrier;
            made.keptWords = is->words.size();
        }
        made.words = trace.words.size();
        if (loss.isAssumed && made.state == TraceState::Gone) {
            made.state = TraceState::Unknown;
            made.isAssumed = true;
        }
    }
}

void LossFinder::traceMessages(CompactionLoss &loss) const
{
    ContextSpans spans;
    spans.session = m_compaction.after.session();
    spans.callCount = 1;
    for (const BlockId id : m_before)
        spans.spans.push_back({ id, 0, m_after.contains(id) ? 2U : 1U });
    for (const BlockId id : m_after) {
        if (!m_before.contains(id) && !m_assumed.contains(id))
            spans.spans.push_back({ id, 1, 2 });
    }
    // Messages that neither array holds: a summary in them may quote these.
    for (const Trace &each : m_ground.messages) {
        const BlockId id = each.block;
        if (!m_before.contains(id) && !m_after.contains(id) && enteredAt(id) < m_first)
            spans.spans.push_back({ id, 0, 0 });
    }
    std::ranges::sort(spans.spans, {}, &ContextSpan::block);
    if (const auto traces = tracedUserMessages(spans, {}, m_progress))
        judgeMessages(loss, *traces, 0, 1);
}

// --- needs ----------------------------------------------------------------------------------------------------------

/// The result of a tool call; invalid without one.
BlockId LossFinder::resultOf(BlockId call) const
{
    const Session &session = *m_ground.session;
    const StringId name = session.block(call).callId;
    const auto &log = m_ground.uses.log;
    auto at = std::ranges::find(log, call);
    for (; at != log.end(); ++at) {
        if (session.block(*at).kind == BlockKind::ToolResult && session.block(*at).callId == name)
            return *at;
    }
    return {};
}

bool LossFinder::isChangedBetween(BlockId from, BlockId to) const
{
    const auto &log = m_ground.uses.log;
    const auto end = std::ranges::find(log, to);
    for (auto at = std::ranges::find(log, from); at != log.end() && at != end; ++at) {
        const Block &block = m_ground.session->block(*at);
        if (block.kind == BlockKind::ToolCall && isWriting(toolDeed(*m_ground.session, block)))
            return true;
    }
    return false;
}

/// The results that show a file again of which removed blocks showed at least half of their lines. A file that the
/// agent wrote after the compaction is another one.
void LossFinder::findReadsAgain(std::vector<NeededAgain> &needed) const
{
    struct Lost {
        LineSet lines;
        BlockId newest;
    };
    std::unordered_map<std::string_view, Lost> files;
    const Session &session = *m_ground.session;
    const auto fileOf = [&](const Block &block) { return session.pathInFolder(session.string(block.subject)); };
    const auto showsFile = [&](const Block &block) {
        return block.kind == BlockKind::ToolResult && block.subject.isValid() && !block.is(BlockFlag::Error)
            && !block.is(BlockFlag::Stub) && toolDeed(session.string(block.name)) == ToolDeed::Read;
    };
    for (const BlockId id : m_compaction.before.blocks()) {
        const Block &block = session.block(id);
        if (!showsFile(block) || !m_removed.contains(id))
            continue;
        Lost &lost = files[fileOf(block)];
        lost.newest = id;
        lost.lines.merge(linesIn(session, block));
    }
    const auto forget = [&](BlockId id) {
        const auto found = files.find(fileOf(session.block(id)));
        if (found == files.end() || !showsFile(session.block(id)))
            return;
        for (const size_t line : linesIn(session, session.block(id)))
            found->second.lines.erase(line);
    };
    for (const BlockId id : m_compaction.after.blocks()) {
        if (id.index() < session.blocks.size())
            forget(id);
    }
    for (const BlockId id : m_ground.uses.log) {
        const Block &block = session.block(id);
        const uint32_t entered = enteredAt(id);
        if (files.empty() || entered == UINT32_MAX || entered <= m_first)
            continue;
        if (block.kind == BlockKind::ToolCall && isWriting(toolDeed(session, block)))
            files.erase(fileOf(block));
        const auto file = showsFile(block) ? files.find(fileOf(block)) : files.end();
        if (file == files.end())
            continue;
        const LineSet lines = linesIn(session, block);
        const auto known = static_cast<double>(
            std::ranges::count_if(lines, [&](size_t line) { return file->second.lines.contains(line); }));
        const double share = lines.empty() ? 0 : known / static_cast<double>(lines.size());
        if (share >= 0.5)
            needed.push_back({ NeededAgain::How::Read, file->second.newest, id, CallIndex(entered - 1), share,
                entered - m_first, m_ground.tokens.of(id), isSurelyLost(file->second.newest) });
        forget(id);
    }
}

std::optional<NeededAgain> LossFinder::needOf(const Use &use) const
{
    const Session &session = *m_ground.session;
    const std::span<const BlockId> bound = m_ground.uses.boundOf(use);
    const auto lost = std::ranges::find_if(bound, [&](BlockId id) { return m_removed.contains(id); });
    if (lost == bound.end() || use.kind == UseKind::Name || !use.call.isValid() || use.call.value() < m_first)
        return std::nullopt;
    NeededAgain need { NeededAgain::How::Quoted, *lost, use.by, use.call, 1, use.call.value() - m_first + 1, 0,
        isSurelyLost(*lost) };
    if (use.kind == UseKind::Quote)
        return need;
    if (use.kind == UseKind::SameCall)
        need.by = resultOf(use.by);
    if (!need.by.isValid())
        return std::nullopt;
    const Block &result = session.block(need.by);
    const ToolDeed deed = toolDeed(session.string(result.name));
    const bool isRead = deed == ToolDeed::Read || deed == ToolDeed::Search;
    need.how = isRead ? NeededAgain::How::Read : NeededAgain::How::Run;
    if (!isRead && isChangedBetween(*lost, need.by))
        return std::nullopt; // the edit, not the loss, is the reason to run it again
    need.tokens = m_ground.tokens.of(need.by);
    return need;
}

void LossFinder::findNeeds(CompactionLoss &loss) const
{
    findReadsAgain(loss.needed);
    for (const Use &use : m_ground.uses.uses) {
        const auto need = needOf(use);
        if (need && !std::ranges::contains(loss.needed, need->by, &NeededAgain::by))
            loss.needed.push_back(*need);
    }
    std::set<CallIndex> calls;
    double money = 0;
    for (const NeededAgain &need : loss.needed) {
        if (need.how == NeededAgain::How::Quoted || !need.isSure)
            continue;
        loss.fetchedTokens += need.tokens;
        calls.insert(need.call);
        const uint32_t sent = enteredAt(need.by);
        if (sent < m_ground.prices.size())
            money += need.tokens * m_ground.prices[sent].entry;
    }
    std::ranges::stable_sort(loss.needed, {}, &NeededAgain::call);
    loss.fetchingCalls = calls.size();
    if (std::ranges::any_of(m_ground.prices, [](const CallPrice &price) { return price.entry > 0; }))
        loss.fetchedMoney = money;
}

} // namespace

size_t FactCounts::allOf() const { return std::reduce(all.begin(), all.end()); }
size_t FactCounts::heldOf() const { return std::reduce(held.begin(), held.end()); }

FactCounts countsOf(std::span<const CheckedFact> facts)
{
    FactCounts counts;
    for (const CheckedFact &each : facts) {
        ++counts.all[static_cast<size_t>(each.fact.kind)];
        counts.held[static_cast<size_t>(each.fact.kind)] += each.isHeld ? 1 : 0;
    }
    return counts;
}

std::vector<CheckedFact> checkedFacts(const Session &session, std::span<const BlockId> blocks, const FactFinder &after)
{
    std::vector<CheckedFact> checked;
    std::set<std::pair<FactKind, std::string>> known;
    const auto add = [&](std::vector<Fact> facts, BlockId source) {
        for (Fact &fact : facts) {
            if (!known.emplace(fact.kind, keyOf(fact)).second)
                continue;
            const bool isHeld = after.holds(fact);
            checked.push_back({ std::move(fact), source, isHeld, {} });
        }
    };
    for (const BlockId id : blocks) {
        const ShownText text = shownText(session, session.block(id));
        add(factsOf(text.bare()), id);
        add(linesOf(session, session.block(id), text.bare()), id);
    }
    return checked;
}

size_t CompactionLoss::typedCount(TraceState state) const
{
    return static_cast<size_t>(std::ranges::count(typed, state, &TypedFate::state));
}

CompactionLoss recordedLoss(const LossGround &ground, const Compaction &compaction, size_t number, Progress *progress)
{
    const Thread &thread = ground.session->thread(ground.thread);
    const RecordedCompaction &recorded = thread.compactions[number];
    const uint32_t first = recorded.call.isValid() ? recorded.call.value() + 1 : 0;
    CompactionLoss loss;
    loss.number = number + 1;
    loss.kind = recorded.kind;
    loss.call = recorded.call;
    loss.trigger = recorded.trigger;
    loss.beforeTokens = recorded.beforeTokens;
    loss.promptAfter = recorded.afterTokens;
    if (recorded.call.isValid() && thread.calls[recorded.call.index()].prompt())
        loss.promptBefore = static_cast<uint64_t>(*thread.calls[recorded.call.index()].prompt());
    for (const UnloggedStretch &each : unloggedStretches(thread, ground.sums))
        loss.unlogged += each.rewrite == number ? each.tokens : 0;
    const LossFinder finder(ground, compaction, first, progress);
    finder.countSlots(loss);
    finder.compareFacts(loss);
    // Of several compactions between two calls, the traces know only what all of them did.
    const auto isHere = [&](const RecordedCompaction &each) { return each.call == recorded.call; };
    if (first > 0 && std::ranges::count_if(thread.compactions, isHere) == 1)
        finder.judgeMessages(loss, ground.messages, first - 1, first);
    else
        finder.traceMessages(loss);
    finder.findNeeds(loss);
    return loss;
}

CompactionLoss simulatedLoss(const LossGround &ground, const Compaction &compaction, CallIndex call, Progress *progress)
{
    const uint32_t first = call.isValid() ? call.value() : ground.spans.callCount;
    CompactionLoss loss;
    loss.call = call;
    const LossFinder finder(ground, compaction, first, progress);
    finder.countSlots(loss);
    finder.compareFacts(loss);
    finder.traceMessages(loss);
    finder.findNeeds(loss);
    return loss;
}

namespace {

/// A LossGround with everything that it refers to.
class ThreadGround final {
public:
    ThreadGround(const SessionPtr &session, ThreadIndex thread, const BlockTokensPtr &tokens, const Prices &prices,
        Progress *progress)
        : m_session(session)
        , m_thread(thread)
        , m_tokens(tokens)
        , m_sums(arraySums(*session, thread, *tokens))
        , m_spans(recordedSpans(session, thread, m_sums.get()))
        , m_uses(findUses(*session, thread, {}, progress))
        , m_messages(tracedUserMessages(m_spans, unloggedStretches(session->thread(thread), *m_sums), progress))
    {
        const RecordedCache cache = recordedCache(*session, *tokens);
        m_paid = callPrices(recordedRun(*session, thread, cache, prices), cache, m_spans.callCount);
    }

    [[nodiscard]] bool isWhole() const { return m_uses && m_messages; } ///< else cancelled
    [[nodiscard]] LossGround ground() const
    {
        return { m_session, m_thread, *m_uses, m_spans, *m_messages, *m_tokens, *m_sums, m_paid };
    }

private:
    SessionPtr m_session;
    ThreadIndex m_thread;
    BlockTokensPtr m_tokens;
    ArraySumsPtr m_sums;
    ContextSpans m_spans;
    std::optional<Uses> m_uses;
    std::optional<std::vector<Trace>> m_messages;
    std::vector<CallPrice> m_paid;
};

} // namespace

std::optional<CompactionLoss> simulatedLoss(const Compaction &compaction, Position position,
    const BlockTokensPtr &tokens, const Prices &prices, Progress *progress)
{
    const ThreadGround whole(compaction.before.session(), position.thread, tokens, prices, progress);
    return whole.isWhole() ? std::optional(simulatedLoss(whole.ground(), compaction, position.call, progress))
                           : std::nullopt;
}

std::optional<std::vector<CompactionLoss>> recordedLosses(const SessionPtr &session, ThreadIndex thread,
    const BlockTokensPtr &tokens, const Prices &prices, Progress *progress)
{
    const ThreadGround whole(session, thread, tokens, prices, progress);
    if (!whole.isWhole())
        return std::nullopt;
    std::vector<CompactionLoss> losses;
    for (size_t i = 0; i < session->thread(thread).compactions.size(); ++i) {
        if (isCancelled(progress))
            return std::nullopt;
        losses.push_back(recordedLoss(whole.ground(), observeRecorded(session, thread, i, tokens), i, progress));
    }
    return losses;
}

} // namespace core
