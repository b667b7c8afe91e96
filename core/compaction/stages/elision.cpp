// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/elision.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/compaction/stages/head_facts.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <array>

namespace core::stages {

namespace {

constexpr int64_t kMillisecondsPerMinute = 60'000;
constexpr size_t kNoteCharacters = 120;
constexpr size_t kTopicBytes = 4000; ///< bytes read of a user message

constexpr auto kSelectors = std::to_array<std::string_view>(
    { "before-last-user", "every-n-turns", "stale-reads", "older-than-results", "idle", "commit", "topic", "by-tool" });
constexpr auto kRungs = std::to_array<std::string_view>({ "remove", "stub", "pointer", "note", "hybrid" });

/// The names must be in the order of the enumerators.
template <typename Enum>
Enum named(std::span<const std::string_view> names, std::string_view name)
{
    const auto found = std::ranges::find(names, name);
    return static_cast<Enum>(found == names.end() ? 0 : found - names.begin());
}

/// The words of at least three letters, in lower case.
std::set<std::string> wordsOf(const std::string &text)
{
    std::set<std::string> words;
    std::string word;
    for (const char c : text + " ") {
        const bool isLetter
            = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
        if (isLetter || (c >= 'A' && c <= 'Z')) {
            word += isLetter ? c : static_cast<char>(c - 'A' + 'a');
            continue;
        }
        if (word.size() > 2)
            words.insert(word);
        word.clear();
    }
    return words;
}

/// 1 minus the share of common words.
double distanceOf(const std::set<std::string> &left, const std::set<std::string> &right)
{
    std::vector<std::string> common;
    std::ranges::set_intersection(left, right, std::back_inserter(common));
    return 1 - static_cast<double>(common.size()) / static_cast<double>(left.size() + right.size() - common.size());
}

bool isRead(const BlockPool &pool, BlockId call)
{
    return call.isValid() && pool.block(call).subject.isValid()
        && toolDeed(pool.string(pool.block(call).name)) == ToolDeed::Read;
}

} // namespace

ElisionWatch::ElisionWatch(const StageParameters &parameters)
    : m_parameters(parameters)
    , m_selector(named<Selector>(kSelectors, parameters.text("selector")))
    , m_n(parameters.count("n"))
    , m_pause(static_cast<int64_t>(parameters.number("minutes") * static_cast<double>(kMillisecondsPerMinute)))
    , m_farDistance(parameters.number("distance"))
{
}

void ElisionWatch::clear() { *this = ElisionWatch(m_parameters); }

void ElisionWatch::push(size_t place, const BlockPool &pool, BlockId id)
{
    const Block &block = pool.block(id);
    const Session &session = *pool.session();
    if (block.message.index() < session.messages.size()) {
        if (const auto time = session.message(block.message).time; time && *time != 0) {
            if (m_previousTime != 0 && *time - m_previousTime >= m_pause) {
                m_idleEnd = place;
                m_longestPause = *time - m_previousTime;
            }
            m_previousTime = *time;
        }
    }
    if (block.kind == BlockKind::ToolCall) {
        m_calls[block.callId] = { place, id };
    } else if (block.kind == BlockKind::ToolResult) {
        Result result { place, kNowhere, id, {} };
        if (const auto call = m_calls.find(block.callId); call != m_calls.end()) {
            result.call = call->second.place;
            result.callBlock = call->second.block;
        }
        pushResult(result, pool);
    } else if (block.is(BlockFlag::Typed)) {
        pushTyped(place, pool, id);
    }
}

void ElisionWatch::pushResult(const Result &result, const BlockPool &pool)
{
    m_results.push_back(result);
    if (runsCommand(pool, result.callBlock, "git commit"))
        m_commitEnd = result.call;
    if (m_selector != Selector::StaleReads || !isRead(pool, result.callBlock))
        return;
    const auto [latest, isFirst] = m_latestRead.try_emplace(pool.block(result.callBlock).subject, m_results.size() - 1);
    if (!isFirst) {
        m_results[latest->second].isSuperseded = true;
        m_superseded = m_results[latest->second].place;
        latest->second = m_results.size() - 1;
    }
}

void ElisionWatch::pushTyped(size_t place, const BlockPool &pool, BlockId block)
{
    m_typed.push_back(place);
    if (m_selector != Selector::Topic)
        return;
    std::set<std::string> words = wordsOf(pool.textHead(block, kTopicBytes));
    if (words.empty())
        return;
    if (!m_words.empty()) {
        const double distance = distanceOf(m_words, words);
        if (distance >= m_farDistance) {
            m_topicEnd = place;
            m_distance = distance;
        }
    }
    m_words = std::move(words);
}

/// The first place that is not selected.
size_t ElisionWatch::boundary() const
{
    switch (m_selector) {
    case Selector::BeforeLastUser:
        return m_typed.empty() ? 0 : m_typed.back();
    case Selector::EveryNTurns: {
        const size_t n = std::max<size_t>(1, m_n);
        const size_t passes = m_typed.empty() ? 0 : (m_typed.size() - 1) / n;
        return passes == 0 ? 0 : m_typed[passes * n];
    }
    case Selector::Idle:
        return m_idleEnd;
    case Selector::Commit:
        return m_commitEnd;
    case Selector::Topic:
        return m_topicEnd;
    default:
        return 0;
    }
}

size_t ElisionWatch::meantCount(size_t cutoff) const
{
    if (m_selector == Selector::StaleReads)
        return m_results.size();
    if (m_selector == Selector::OlderThanResults)
        return m_results.size() - std::min(m_results.size(), m_n);
    const size_t end = m_selector == Selector::ByTool ? cutoff : boundary();
    return static_cast<size_t>(std::ranges::lower_bound(m_results, end, {}, &Result::place) - m_results.begin());
}

bool ElisionWatch::isMeant(const Result &result, const BlockPool &pool) const
{
    if (m_selector == Selector::StaleReads)
        return result.isSuperseded;
    return m_selector != Selector::ByTool || m_parameters.listsTool("tools", pool.block(result.block));
}

std::string ElisionWatch::why() const
{
    switch (m_selector) {
    case Selector::BeforeLastUser:
        return "before the user's last message";
    case Selector::EveryNTurns:
        return "before the last pass; a pass comes every " + (m_n <= 1 ? "turn" : counted(m_n, "turn"));
    case Selector::StaleReads:
        return "the same file was read again later";
    case Selector::OlderThanResults:
        return m_n == 1 ? "older than the last result" : "older than the last " + counted(m_n, "result");
    case Selector::Idle:
        return "older than a pause of "
            + counted(static_cast<uint64_t>(m_longestPause / kMillisecondsPerMinute), "minute");
    case Selector::Commit:
        return "before the last git commit";
    case Selector::Topic:
        return formatted("before the topic changed (lexical distance {:.2f})", m_distance);
    case Selector::ByTool:
        return "result of a tool that the policy names";
    }
    return {};
}

ElisionRung::ElisionRung(const StageParameters &parameters)
    : m_parameters(parameters)
    , m_rung(named<Rung>(kRungs, parameters.text("rung")))
{
}

std::optional<ElisionRung::Rung> ElisionRung::rungFor(const BlockPool &pool, const Block &block) const
{
    if (m_rung != Rung::Hybrid)
        return m_rung;
    // Short results stay; errors and searches become a stub; large results become a pointer, others a note.
    const uint64_t length = block.body.lengths.codePoints;
    if (length <= m_parameters.count("short"))
        return std::nullopt;
    if (block.is(BlockFlag::Error) || toolDeed(pool.string(block.name)) == ToolDeed::Search)
        return Rung::Stub;
    return length >= m_parameters.count("large") ? Rung::Pointer : Rung::Note;
}

std::optional<BlockChange> ElisionRung::of(
    const BlockPool &pool, BlockId result, const std::string &why, const std::function<std::string()> &note) const
{
    const Block &block = pool.block(result);
    const auto rung = block.is(BlockFlag::Stub) ? std::nullopt : rungFor(pool, block);
    if (!rung)
        return std::nullopt;
    std::string name;
    std::string text;
    if (*rung == Rung::Pointer) {
        name = filled(m_parameters.text("name"), { { "call", pool.string(block.callId) } });
        text = filled(m_parameters.text("pointer"), { { "path", name } });
    } else if (*rung == Rung::Note) {
        text = filled(m_parameters.text("note"), { { "note", note() } });
    } else {
        text = m_parameters.text("stub");
    }
    const LengthUnit unit = m_parameters.unit();
    if (lengthIn(textLengths(text), unit) >= lengthIn(block.body.lengths, unit))
        return std::nullopt; // nothing would be saved
    BlockChange change = pool.textChange(result, std::move(text), name.empty() ? Fate::Cleared : Fate::Offloaded, why);
    change.artifact = std::move(name);
    return change;
}

std::string noteOn(const BlockPool &pool, const std::function<BlockId()> &next)
{
    for (BlockId id = next(); id.isValid(); id = next()) {
        const Block &block = pool.block(id);
        if (block.kind == BlockKind::ToolResult || block.kind == BlockKind::Thinking)
            continue;
        if (block.kind == BlockKind::ToolCall) {
            return "the agent then called " + std::string(pool.string(block.name)) + " "
                + snippet(pool.string(block.subject), kNoteCharacters);
        }
        if (block.is(BlockFlag::Typed))
            break;
        return "the agent then wrote: " + snippet(pool.textHead(id, 1000), kNoteCharacters);
    }
    return "nothing followed";
}

} // namespace core::stages
