// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/weight/block_reasons.h"

#include "core/session/tool_deed.h"
#include "core/weight/text_twins.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <utility>

namespace core {

namespace {

constexpr uint64_t kSmallestTwin = 200;  ///< characters; shorter texts are equal by chance
constexpr uint64_t kSmallestBody = 200;  ///< characters; shorter results only acknowledge a read
constexpr size_t kClauseCharacters = 40; ///< most characters of a command or subject

std::string fileName(std::string_view path)
{
    while (path.size() > 1 && (path.back() == '/' || path.back() == '\\'))
        path.remove_suffix(1);
    return std::string(path.substr(path.find_last_of("/\\") + 1));
}

/// Whether a subject looks like a file: no blanks, no URL, and a name with an extension.
bool looksLikeFile(std::string_view subject)
{
    return !subject.empty() && subject.find_first_of(" \t\n*|") == std::string_view::npos
        && subject.find("://") == std::string_view::npos && fileName(subject).find('.') != std::string::npos;
}

/// A message of the thread that reads a file.
struct Reading {
    BlockId block;
    bool showsBody = false;
};

/// All readings of one file, in the order of the pool.
struct Readings {
    std::vector<Reading> all;
    std::vector<uint32_t> nextMessage; ///< for each: the next one in another message
    std::vector<uint32_t> nextBody;    ///< for each: itself or the next one that shows the body

    void link(const Session &session);
};

/// Facts about a tool call or result.
struct ToolUse {
    BlockId call;
    uint32_t place = 0; ///< place of the call in the array
    ToolDeed deed = ToolDeed::Other;
    std::string_view name;
    std::string_view subject;

    /// The path of the file it shows; empty if none.
    [[nodiscard]] std::string_view readPath() const
    {
        if (deed == ToolDeed::Read)
            return subject;
        return deed == ToolDeed::Other && looksLikeFile(subject) ? subject : std::string_view();
    }
};

/// Collects what the blocks share with others, then writes their clauses.
class Reasons final {
public:
    Reasons(const Transcript &transcript, ThreadIndex thread, std::span<const BlockId> blocks)
        : m_transcript(transcript)
        , m_session(*transcript.session())
        , m_thread(thread)
        , m_blocks(blocks)
        , m_twins(m_session)
    {
        findCalls();
        findReadings();
        findTwins();
    }

    [[nodiscard]] uint64_t effort() const { return m_effort + m_twins.effort(); }

    [[nodiscard]] std::string of(BlockId id)
    {
        const Block &block = m_session.block(id);
        return whatItIs(block) + whatFollows(id, block);
    }

private:
    void findCalls();
    void findReadings();
    void findTwins();

    [[nodiscard]] ToolUse toolUse(const Block &block) const;
    /// The path of the file whose text the block shows; empty if none.
    [[nodiscard]] std::string shownPath(const Block &block) const;
    [[nodiscard]] std::string whatItIs(const Block &block) const;
    [[nodiscard]] std::string whatFollows(BlockId id, const Block &block);
    [[nodiscard]] std::optional<MessageId> readAgain(BlockId id, const Block &block);
    [[nodiscard]] std::optional<MessageId> runAgain(const Block &block);
    [[nodiscard]] std::optional<MessageId> newestTwin(BlockId id, const Block &block) const;

    const Transcript &m_transcript;
    const Session &m_session;
    ThreadIndex m_thread;
    std::span<const BlockId> m_blocks;
    std::unordered_map<StringId, uint32_t> m_calls;          ///< by callId: places of the calls of the given blocks
    std::map<std::string, Readings, std::less<>> m_readings; ///< by path, for the paths of the given blocks
    TextTwins m_twins;
    /// Places of calls with equal arguments, by text and tool.
    std::map<std::pair<uint32_t, StringId>, std::vector<uint32_t>> m_runs;
    std::unordered_map<StringId, std::vector<uint32_t>> m_results; ///< by callId: places of tool results
    /// The newest place of a text, and the newest one in another message.
    struct Newest {
        MessageId message;
        MessageId other;
    };
    std::unordered_map<uint32_t, Newest> m_newest; ///< by text
    uint64_t m_effort = 0;
};

void Readings::link(const Session &session)
{
    const auto count = static_cast<uint32_t>(all.size());
    nextMessage.assign(count, count);
    nextBody.assign(count + 1, count);
    for (uint32_t i = count; i-- > 0;) {
        const bool isLast = i + 1 == count;
        const auto messageOf = [&](uint32_t each) { return session.block(all[each].block).message; };
        nextMessage[i] = isLast ? count : messageOf(i) == messageOf(i + 1) ? nextMessage[i + 1] : i + 1;
        nextBody[i] = all[i].showsBody ? i : nextBody[i + 1];
    }
}

void Reasons::findCalls()
{
    for (const BlockId id : m_blocks) {
        const Block &block = m_session.block(id);
        if (block.kind == BlockKind::ToolResult && block.callId.isValid())
            m_calls.emplace(block.callId, TextTwins::kNone);
    }
    if (m_calls.empty())
        return;
    const auto array = m_transcript.blocks();
    for (size_t i = 0; i < array.size(); ++i) {
        const Block &block = m_session.block(array[i]);
        if (block.kind != BlockKind::ToolCall)
            continue;
        const auto found = m_calls.find(block.callId);
        if (found != m_calls.end())
            found->second = static_cast<uint32_t>(i);
    }
    m_effort += array.size();
}

ToolUse Reasons::toolUse(const Block &block) const
{
    ToolUse use;
    const Block *call = block.kind == BlockKind::ToolCall ? &block : nullptr;
    if (block.kind == BlockKind::ToolResult) {
        const auto found = m_calls.find(block.callId);
        if (found != m_calls.end() && found->second != TextTwins::kNone) {
            use.place = found->second;
            use.call = m_transcript.blocks()[use.place];
            call = &m_session.block(use.call);
        }
    }
    const auto either = [&](StringId own, StringId ofCall) { return m_session.string(own.isValid() ? own : ofCall); };
    use.name = either(block.name, call != nullptr ? call->name : StringId());
    use.subject = either(block.subject, call != nullptr ? call->subject : StringId());
    use.deed = call != nullptr ? toolDeed(m_session, *call) : toolDeed(use.name);
    return use;
}

std::string Reasons::shownPath(const Block &block) const
{
    if (block.kind == BlockKind::ToolResult)
        return std::string(toolUse(block).readPath());
    return pathOfTaggedBody(m_session, block);
}

void Reasons::findReadings()
{
    BlockId first;
    for (const BlockId id : m_blocks) {
        if (std::string path = shownPath(m_session.block(id)); !path.empty()) {
            m_readings.try_emplace(std::move(path));
            first = std::min(first, id); // an invalid id compares greater than all others
        }
    }
    if (m_readings.empty())
        return;
    std::unordered_map<StringId, Readings *> bySubject;
    const auto readingsOf = [&](StringId subject) {
        const auto [entry, isNew] = bySubject.try_emplace(subject, nullptr);
        if (isNew) {
            const auto found = m_readings.find(m_session.string(subject));
            entry->second = found == m_readings.end() ? nullptr : &found->second;
        }
        return entry->second;
    };
    m_effort += m_session.blocks.size() - first.index();
    for (size_t i = first.index() + 1; i < m_session.blocks.size(); ++i) {
        const Block &block = m_session.blocks[i];
        if (block.message.isValid() && m_session.message(block.message).thread != m_thread)
            continue;
        if (block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult) {
            Readings *readings = block.subject.isValid() ? readingsOf(block.subject) : nullptr;
            if (readings != nullptr && !toolUse(block).readPath().empty()) {
                const bool showsBody = block.kind == BlockKind::ToolResult && block.lengths.codePoints >= kSmallestBody;
                readings->all.push_back({ BlockId(i), showsBody });
            }
        } else if (const std::string path = pathOfTaggedBody(m_session, block); !path.empty()) {
            const auto found = m_readings.find(path);
            if (found != m_readings.end())
                found->second.all.push_back({ BlockId(i), true });
        }
    }
    for (auto &[path, readings] : m_readings)
        readings.link(m_session);
}

void Reasons::findTwins()
{
    bool hasRuns = false;
    for (const BlockId id : m_blocks) {
        const Block &block = m_session.block(id);
        if (block.body.lengths.codePoints >= kSmallestTwin)
            m_twins.ask(block);
        const ToolUse use = toolUse(block);
        if (use.deed == ToolDeed::Run && use.call.isValid()) {
            m_twins.ask(m_session.block(use.call));
            hasRuns = true;
        }
    }
    const auto array = m_transcript.blocks();
    m_twins.find(array);
    for (size_t i = 0; i < array.size(); ++i) {
        const Block &block = m_session.block(array[i]);
        const auto place = static_cast<uint32_t>(i);
        const uint32_t text = m_twins.textOf(array[i]);
        if (text != TextTwins::kNone) {
            Newest &newest = m_newest[text];
            if (newest.message != block.message)
                newest.other = std::exchange(newest.message, block.message);
        }
        if (hasRuns && text != TextTwins::kNone && block.kind == BlockKind::ToolCall)
            m_runs[{ text, block.name }].push_back(place);
        if (hasRuns && block.kind == BlockKind::ToolResult && block.callId.isValid())
            m_results[block.callId].push_back(place);
    }
    m_effort += array.size();
}

std::string Reasons::whatItIs(const Block &block) const
{
    const auto brief = [](std::string_view text) { return snippet(text, kClauseCharacters); };
    const auto withSubject = [&](const std::string &words, const ToolUse &use) {
        const std::string name = use.name.empty() ? "a tool" : std::string(use.name);
        return words + name + (use.subject.empty() ? std::string() : " " + brief(use.subject));
    };
    switch (block.kind) {
    case BlockKind::Image:
        return "image";
    case BlockKind::Document:
        return "document";
    case BlockKind::Thinking:
        return block.is(BlockFlag::Encrypted) ? "encrypted thinking" : "thinking";
    case BlockKind::Opaque:
        return block.is(BlockFlag::Tools) ? "tool definitions"
            : block.name.isValid()        ? "content of type " + std::string(m_session.string(block.name))
                                          : "content of unknown type";
    case BlockKind::ToolCall: {
        const ToolUse use = toolUse(block);
        if (use.deed == ToolDeed::Write && !use.subject.empty())
            return "arguments of a write to " + fileName(use.subject);
        if (use.deed == ToolDeed::Edit && !use.subject.empty())
            return "arguments of an edit of " + fileName(use.subject);
        if (use.deed == ToolDeed::Run && !use.subject.empty())
            return "text of the command " + brief(use.subject);
        return withSubject("arguments of ", use);
    }
    case BlockKind::ToolResult: {
        const ToolUse use = toolUse(block);
        if (!use.readPath().empty())
            return "body of " + fileName(use.readPath());
        if (use.deed == ToolDeed::Write && !use.subject.empty())
            return "result of a write to " + fileName(use.subject);
        if (use.deed == ToolDeed::Edit && !use.subject.empty())
            return "result of an edit of " + fileName(use.subject);
        if (use.deed == ToolDeed::Run && !use.subject.empty())
            return "output of " + brief(use.subject);
        return withSubject("output of ", use);
    }
    case BlockKind::Text:
        break;
    }
    if (block.is(BlockFlag::Summary))
        return "summary of earlier messages";
    if (const std::string path = pathOfTaggedBody(m_session, block); !path.empty())
        return "body of " + fileName(path);
    if (block.is(BlockFlag::Injected))
        return "text added by the harness";
    if (block.message.isValid() && m_session.message(block.message).role == Role::System)
        return "system text";
    return block.is(BlockFlag::Typed) ? "text that the user typed" : "large text";
}

std::string Reasons::whatFollows(BlockId id, const Block &block)
{
    const auto place = [](MessageId message) { return "#" + std::to_string(message.value()); };
    const auto twin = newestTwin(id, block);
    const auto read = readAgain(id, block);
    std::string clause;
    if (read) {
        clause = ", read again as " + place(*read);
        if (twin == read)
            return clause + " with the same text";
    } else if (const auto run = runAgain(block)) {
        clause = ", run again as " + place(*run);
        if (twin == run)
            return clause + " with the same output";
    }
    return twin ? clause + ", same text as " + place(*twin) : clause;
}

std::optional<MessageId> Reasons::readAgain(BlockId id, const Block &block)
{
    const std::string path = shownPath(block);
    const auto found = path.empty() ? m_readings.end() : m_readings.find(path);
    if (found == m_readings.end())
        return std::nullopt;
    const Readings &readings = found->second;
    const auto count = static_cast<uint32_t>(readings.all.size());
    const auto messageOf = [&](uint32_t reading) { return m_session.block(readings.all[reading].block).message; };
    const auto inAnother = [&](uint32_t reading) {
        for (; reading < count && messageOf(reading) == block.message; ++m_effort)
            reading = readings.nextMessage[reading];
        return reading;
    };
    const auto behind = std::ranges::upper_bound(readings.all, id, {}, &Reading::block);
    const uint32_t first = inAnother(static_cast<uint32_t>(behind - readings.all.begin()));
    if (first == count)
        return std::nullopt;
    uint32_t shows = readings.nextBody[first];
    for (; shows < count && messageOf(shows) == block.message; ++m_effort)
        shows = readings.nextBody[inAnother(shows)];
    return messageOf(shows < count ? shows : first);
}

std::optional<MessageId> Reasons::runAgain(const Block &block)
{
    const ToolUse use = toolUse(block);
    if (block.kind != BlockKind::ToolResult || use.deed != ToolDeed::Run || !use.call.isValid())
        return std::nullopt;
    const auto runs = m_runs.find({ m_twins.textOf(use.call), m_session.block(use.call).name });
    if (runs == m_runs.end())
        return std::nullopt;
    auto later = std::ranges::upper_bound(runs->second, use.place);
    while (later != runs->second.end() && m_transcript.blocks()[*later] == use.call)
        ++later;
    if (later == runs->second.end())
        return std::nullopt;
    // The message that shows the output again, or that of the call if it has no result.
    const BlockId call = m_transcript.blocks()[*later];
    const auto results = m_results.find(m_session.block(call).callId);
    if (results != m_results.end()) {
        const auto result = std::ranges::upper_bound(results->second, *later);
        if (result != results->second.end())
            return m_session.block(m_transcript.blocks()[*result]).message;
    }
    return m_session.block(call).message;
}

std::optional<MessageId> Reasons::newestTwin(BlockId id, const Block &block) const
{
    const uint32_t text = block.body.lengths.codePoints < kSmallestTwin ? TextTwins::kNone : m_twins.textOf(id);
    if (text == TextTwins::kNone)
        return std::nullopt;
    const Newest &newest = m_newest.at(text);
    const MessageId other = newest.message != block.message ? newest.message : newest.other;
    return other.isValid() ? std::optional(other) : std::nullopt;
}

} // namespace

std::string pathOfTaggedBody(const Session &session, const Block &block)
{
    if (block.kind != BlockKind::Text || block.lengths.codePoints < kSmallestBody)
        return {};
    // Most texts have no such tag, which their first raw bytes show.
    const std::string_view raw = session.rawBody(block.body).substr(0, 256);
    if (raw.find('<') == std::string_view::npos || raw.find("path=") == std::string_view::npos)
        return {};
    const std::string head = session.textHead(block.body, 400);
    std::string_view tag(head);
    tag.remove_prefix(std::min(tag.find_first_not_of(" \t\r\n"), tag.size()));
    tag = tag.substr(0, tag.find('>'));
    const size_t path = tag.find(" path=\"");
    if (!tag.starts_with('<') || path == std::string_view::npos)
        return {};
    const std::string_view value = tag.substr(path + 7);
    const size_t end = value.find('"');
    return end == std::string_view::npos ? std::string() : std::string(value.substr(0, end));
}

std::vector<std::string> blockReasons(
    const Transcript &transcript, ThreadIndex thread, std::span<const BlockId> blocks, uint64_t *effort)
{
    Reasons reasons(transcript, thread, blocks);
    std::vector<std::string> clauses;
    clauses.reserve(blocks.size());
    for (const BlockId id : blocks)
        clauses.push_back(reasons.of(id));
    if (effort != nullptr)
        *effort = reasons.effort();
    return clauses;
}

} // namespace core
