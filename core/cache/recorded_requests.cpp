// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/recorded_requests.h"

#include "core/cache/thinking_levels.h"
#include "core/context/array_difference.h"
#include "core/session/format_traits.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace core {

namespace {

/// Recorded prompts of the same array differ by this many tokens (reminders that come and go).
constexpr double kPromptNoise = 32;

/// Longest time until a response begins.
constexpr Timestamp kLongestWait = kMinute;

constexpr uint32_t kUsual = 0;

bool isRecorded(const Call &call) { return call.prompt().has_value(); }

/// Number of blocks in the common prefix of two arrays.
uint64_t commonBlocks(const BlockRanges &a, const BlockRanges &b)
{
    return differenceOf(rangesOf(a), rangesOf(b)).common;
}

/// The blocks of an array from index `first` on.
std::vector<BlockId> blocksFrom(const BlockRanges &array, uint64_t first)
{
    std::vector<BlockId> blocks;
    array.forEachRange([&](BlockRange range) {
        const auto skipped = static_cast<uint32_t>(std::min<uint64_t>(first, range.size()));
        first -= skipped;
        for (uint32_t i = range.begin + skipped; i < range.end; ++i)
            blocks.emplace_back(i);
    });
    return blocks;
}

CacheCause causeOf(CompactionKind kind)
{
    switch (kind) {
    case CompactionKind::Summary:
    case CompactionKind::Replacement:
        return CacheCause::Compaction;
    case CompactionKind::Clearing:
        return CacheCause::Clearing;
    case CompactionKind::Rollback:
        return CacheCause::Rewind;
    }
    return CacheCause::Unknown;
}

/// The recorded compactions directly after a call, as one cause; a summary overrides a clearing before it.
CacheCause compactionAfterCall(const Thread &thread, CallIndex call)
{
    CacheCause cause = CacheCause::None;
    for (const RecordedCompaction &compaction : thread.compactions) {
        if (compaction.call == call && cause != CacheCause::Compaction)
            cause = causeOf(compaction.kind);
    }
    return cause;
}

/// True for a message typed while a tool ran and sent together with the tool's result; it does not begin a turn.
bool isAside(const Session &session, const Block &typed)
{
    const Message &message = session.message(typed.message);
    for (uint32_t i = 0; i < message.count; ++i) {
        const Block &block = session.block(BlockId(message.first.value() + i));
        if (block.kind == BlockKind::ToolResult && block.recordLine == typed.recordLine)
            return true;
    }
    return false;
}

/// Whether a text is a skill's prompt, or a plugin's command (`superpowers:write-plan`) that starts one.
bool beginsSkill(std::string_view head)
{
    constexpr std::string_view kCommand = "<command-message>";
    if (head.starts_with(kCommand))
        return head.substr(0, head.find('<', kCommand.size())).contains(':');
    return head.starts_with("Base directory for this skill:");
}

/// The options of Claude Code's next message requests, as far as the log shows. While a skill or a command with a
/// prompt runs, thinking is off until the user types again (anthropics/claude-code issue 21919): in the corpus all 11
/// messages typed after a skill missed the message cache, but only 6 of 184 others; system prompt and tools were read.
/// Later versions leave thinking on, as their responses show.
uint32_t optionsAfter(const Session &session, const std::vector<BlockId> &fresh, uint32_t options)
{
    for (const BlockId id : fresh) {
        const Block &block = session.block(id);
        if (block.is(BlockFlag::Typed) && !isAside(session, block)) {
            options = kUsual;
        } else if (block.kind == BlockKind::Text && block.is(BlockFlag::Injected)) {
            if (beginsSkill(session.textHead(block.body, 64)))
                options = kSkillRuns;
        }
    }
    return options;
}

bool hasThought(const Session &session, const Call &call)
{
    for (uint32_t i = call.output.begin; i < call.output.end; ++i) {
        if (session.block(BlockId(i)).kind == BlockKind::Thinking)
            return true;
    }
    return false;
}

/// Whether Claude Code fetched a response without streaming, after its stream had failed. Then one record holds all its
/// blocks; streamed blocks have a record each. Such requests have other options: in the corpus the next streamed
/// request finds system prompt and tools only, the next one without streaming finds everything that the last one
/// without streaming left.
bool isFetchedWhole(const Session &session, const Call &call)
{
    for (uint32_t i = call.output.begin + 1; i < call.output.end; ++i) {
        if (session.block(BlockId(i)).recordLine == session.block(BlockId(i - 1)).recordLine)
            return true;
    }
    return false;
}

} // namespace

std::optional<CacheRules> rulesOf(const Session &session)
{
    return cacheRules(session.model.empty() ? session.traits->usualModel : std::string_view(session.model));
}

void RecordedRequest::settleShared()
{
    const double prelude = std::min(call.prelude, baseTokens);
    call.shared = prelude + sharedShare * (baseTokens - prelude);
}

RecordedRequests::RecordedRequests(const Session &session, const BlockTokens &tokens, CacheRules rules)
    : m_session(session)
    , m_rules(rules)
    , m_sums(session.blocks.size() + 1, 0.0)
    , m_thoughts(session.blocks.size() + 1, 0)
{
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        m_sums[i + 1] = m_sums[i] + tokens.of(BlockId(i));
        m_thoughts[i + 1] = m_thoughts[i] + (session.blocks[i].kind == BlockKind::Thinking ? 1 : 0);
    }
    std::vector<std::pair<Timestamp, Position>> order;
    for (size_t thread = 0; thread < session.threads.size(); ++thread) {
        const std::vector<Call> &calls = session.threads[thread].calls;
        Timestamp time = 0; // never decreases within a thread, even if a clock did
        for (size_t call = 0; call < calls.size(); ++call) {
            if (!isRecorded(calls[call]))
                continue;
            time = std::max(time, calls[call].time.value_or(0));
            order.push_back({ time, { ThreadIndex(thread), CallIndex(call) } });
            m_hasFigures = m_hasFigures || calls[call].usage->cacheRead + calls[call].usage->cacheWrite > 0;
        }
    }
    std::ranges::stable_sort(order, {}, &std::pair<Timestamp, Position>::first);
    for (const auto &[time, position] : std::views::reverse(order)) // consumed from the end
        m_order.push_back(position);
}

std::optional<RecordedRequest> RecordedRequests::next()
{
    if (m_order.empty())
        return std::nullopt;
    RecordedRequest request;
    request.position = m_order.back();
    m_order.pop_back();
    const Call &call = callOf(request.position);
    ThreadState &state = m_threads[request.position.thread];
    request.kind = m_session.thread(request.position.thread).kind;
    request.usage = *call.usage;
    setTimes(request, call, state);
    request.call.model = call.model.value();
    request.call.end = { static_cast<double>(call.usage->prompt()), static_cast<uint32_t>(call.input.blockCount()) };
    setBase(request, call, state);
    setMarks(request);
    setLifetime(request, call, state);
    state.told.emplace_back(request.position.call, m_told.size());
    m_told.push_back(request);
    return request;
}

const Call &RecordedRequests::callOf(const Position &position) const
{
    return m_session.thread(position.thread).calls[position.call.index()];
}

/// Weight of the first `blocks` blocks of an array.
double RecordedRequests::weightOf(const BlockRanges &array, uint64_t blocks) const
{
    double weight = 0;
    array.forEachRange([&](BlockRange range) {
        const auto taken = static_cast<uint32_t>(std::min<uint64_t>(blocks, range.size()));
        blocks -= taken;
        weight += m_sums[range.begin + taken] - m_sums[range.begin];
    });
    return weight;
}

/// Number of blocks that are sent: thinking blocks are left out when thinking is off.
uint32_t RecordedRequests::sentBlocks(const BlockRanges &array, uint32_t options) const
{
    auto count = static_cast<uint32_t>(array.blockCount());
    if ((options & kSkillRuns) != 0) {
        array.forEachRange([&](BlockRange range) { count -= m_thoughts[range.end] - m_thoughts[range.begin]; });
    }
    return count;
}

/// If a tool was refused, or the user typed while it ran, the array's last message is older than the previous response.
/// If a request was retried after an error or queued, its response came much later.
void RecordedRequests::setTimes(RecordedRequest &request, const Call &call, const ThreadState &state) const
{
    request.call.sent = request.call.responding = call.time;
    const std::optional<Timestamp> last = m_session.timeOfLast(call.input);
    if (!call.time || !last || *last > *call.time)
        return;
    Timestamp sent = std::max(*last, *call.time - kLongestWait);
    if (!state.told.empty())
        sent = std::max(sent, m_told[state.told.back().second].call.responding.value_or(sent));
    request.call.sent = std::min(sent, *call.time);
}

void RecordedRequests::setBase(RecordedRequest &request, const Call &call, ThreadState &state)
{
    if (state.told.empty()) {
        setFirstBase(request);
        setTurn(request, call, nullptr, state);
        return;
    }
    size_t best = state.told.size() - 1;
    const Thread &thread = m_session.thread(request.position.thread);
    const Call &before = thread.calls[state.told[best].first.index()];
    const uint64_t common = commonBlocks(before.input, call.input);
    if (common < before.input.blockCount() && compactionAfterCall(thread, state.told[best].first) == CacheCause::None) {
        // A rewind: it continues the latest call whose whole array it keeps, else the one of which it keeps most.
        uint64_t most = common;
        for (size_t i = state.told.size() - 1; i-- > 0 && most < call.input.blockCount();) {
            const uint64_t kept = commonBlocks(thread.calls[state.told[i].first.index()].input, call.input);
            if (kept > most) {
                most = kept;
                best = i;
            }
        }
    }
    request.call.base = state.told[best].second;
    request.baseTokens = m_told[request.call.base].call.end.tokens;
    const Call &base = thread.calls[state.told[best].first.index()];
    setChange(request, call, base);
    setTurn(request, call, &base, state);
}

/// A thread's first request continues the latest call of another thread of its kind, which had the same system prompt
/// and tools.
void RecordedRequests::setFirstBase(RecordedRequest &request)
{
    request.call.change = CacheCause::FirstCall;
    request.sharedShare = 0;
    for (size_t i = m_told.size(); i-- > 0;) {
        if (m_told[i].kind == request.kind && m_told[i].call.model == request.call.model) {
            request.call.base = i;
            request.baseTokens = m_told[i].call.end.tokens;
            return;
        }
    }
}

void RecordedRequests::setChange(RecordedRequest &request, const Call &call, const Call &base)
{
    const Thread &thread = m_session.thread(request.position.thread);
    const uint64_t common = commonBlocks(base.input, call.input);
    const CallIndex previous(m_told[request.call.base].position.call);
    if (common == base.input.blockCount()) {
        request.isShorter
            = m_rules.kind == CacheKind::Marks && request.call.end.tokens + kPromptNoise < request.baseTokens;
        if (request.isShorter) {
            request.call.change = CacheCause::Unlogged;
            request.sharedShare = 0;
        }
        return;
    }
    const CacheCause recorded = compactionAfterCall(thread, previous);
    request.call.change = recorded == CacheCause::None ? CacheCause::Rewind : recorded;
    const double whole = weightOf(base.input, base.input.blockCount());
    request.sharedShare = whole > 0 ? weightOf(base.input, common) / whole : 0;
}

/// Handles a new user message: it ends other options in Claude Code and may change them in pi. OpenAI drops thinking of
/// the turn before, so everything after the start of that turn changes.
void RecordedRequests::setTurn(RecordedRequest &request, const Call &call, const Call *base, ThreadState &state)
{
    const std::vector<BlockId> fresh
        = blocksFrom(call.input, base != nullptr ? commonBlocks(base->input, call.input) : 0);
    if (m_session.traits->options == RequestOptions::OfClaudeCode) {
        state.options = hasThought(m_session, call) ? kUsual : optionsAfter(m_session, fresh, state.options);
        request.call.options = state.options + (isFetchedWhole(m_session, call) ? kFetchedWhole : 0);
    }
    const bool isTurn
        = std::ranges::any_of(fresh, [&](BlockId id) { return m_session.block(id).is(BlockFlag::Typed); });
    if (m_session.traits->options == RequestOptions::ThinkingLevel) {
        if (isTurn)
            followLevel(fresh, state);
        request.call.options = state.options;
    }
    if (!isTurn && state.turn != CacheCall::kNone)
        return;
    const size_t turn = std::exchange(state.turn, m_told.size());
    if (turn == CacheCall::kNone || m_rules.kind == CacheKind::Marks || request.call.change != CacheCause::None)
        return;
    const RecordedRequest &begun = m_told[turn];
    const std::vector<BlockId> since = blocksFrom(call.input, begun.call.end.blocks);
    const bool isThoughtLeftOut
        = std::ranges::any_of(since, [&](BlockId id) { return m_session.block(id).kind == BlockKind::Thinking; });
    if (isThoughtLeftOut && begun.call.end.tokens < request.baseTokens) {
        request.call.change = CacheCause::NewTurn;
        request.baseTokens = begun.call.end.tokens;
    }
}

/// pi uses the thinking level chosen when the user typed for the whole turn.
void RecordedRequests::followLevel(std::span<const BlockId> fresh, ThreadState &state)
{
    for (; state.leveled <= fresh.back().value(); ++state.leveled) {
        const std::string_view chosen = thinkingLevelBefore(m_session, BlockId(state.leveled));
        if (!chosen.empty())
            state.level = chosen;
    }
    auto known = std::ranges::find(m_levels, state.level);
    if (known == m_levels.end())
        known = m_levels.insert(known, state.level);
    state.options = kThinkingLevel * static_cast<uint32_t>(known - m_levels.begin());
}

/// Claude Code marks the ends of the last two user messages: the ends of this request and of the previous request. With
/// several tool results the last ones are sometimes behind the mark; the uncached part of the usage shows how many.
void RecordedRequests::setMarks(RecordedRequest &request) const
{
    if (m_rules.kind != CacheKind::Marks)
        return;
    CacheMark last = request.call.end;
    last.tokens -= static_cast<double>(request.usage.input);
    last.blocks = sentBlocks(callOf(request.position).input, request.call.options);
    if (request.call.base != CacheCall::kNone && request.call.change == CacheCause::None) {
        const RecordedRequest &base = m_told[request.call.base];
        CacheMark before = base.call.marks.back();
        before.blocks = sentBlocks(callOf(base.position).input, request.call.options);
        if (before.tokens < last.tokens)
            request.call.marks.push_back(before);
    }
    request.call.marks.push_back(last);
}

void RecordedRequests::setLifetime(RecordedRequest &request, const Call &call, ThreadState &state)
{
    const auto writes = recordedCacheWrites(m_session, call);
    request.writes = writes.value_or(CacheWrites { call.usage->cacheWrite, 0 });
    if (m_rules.kind == CacheKind::Marks && writes && writes->oneHour + writes->fiveMinutes > 0)
        state.lifetime = writes->oneHour > 0 ? kOneHour : kFiveMinutes;
    request.call.lifetime = state.lifetime;
    m_longestLifetime = std::max(m_longestLifetime, state.lifetime);
    request.call.preludeLifetime = m_longestLifetime;
}

} // namespace core
