// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/block_reasons.h"

#include "core/session/tool_deed.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <utility>

namespace core {

namespace {

constexpr uint64_t kSmallestTwin = 200;  ///< characters; shorter texts are equal by chance
constexpr uint64_t kSmallestBody = 200;  ///< characters; shorter results acknowledge a read and show nothing
constexpr size_t kClauseCharacters = 40; ///< of a command or subject

std::string fileName(std::string_view path)
{
    while (path.size() > 1 && (path.back() == '/' || path.back() == '\\'))
        path.remove_suffix(1);
    return std::string(path.substr(path.find_last_of("/\\") + 1));
}

/// A subject that names a file: no blanks, no address, and a name with a suffix.
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

/// What is known of a tool call or result.
struct ToolUse {
    BlockId call;
    ToolDeed deed = ToolDeed::Other;
    std::string_view name;
    std::string_view subject;

    /// The file that it shows; empty if it shows none.
    [[nodiscard]] std::string_view readPath() const
    {
        if (deed == ToolDeed::Read)
            return subject;
        return deed == ToolDeed::Other && looksLikeFile(subject) ? subject : std::string_view();
    }
};

/// Collects what the blocks have in common with others, then writes their clauses.
class Reasons final {
public:
    Reasons(const Transcript &transcript, ThreadIndex thread, std::span<const BlockId> blocks)
        : m_transcript(transcript)
        , m_session(*transcript.session())
        , m_thread(thread)
        , m_blocks(blocks)
    {
        findCalls();
        findReadings();
        findTwins();
    }

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
    /// The path of the file whose text the block shows; empty if it shows none.
    [[nodiscard]] std::string shownPath(const Block &block) const;
    [[nodiscard]] std::string whatItIs(const Block &block) const;
    [[nodiscard]] std::string whatFollows(BlockId id, const Block &block);
    [[nodiscard]] std::optional<MessageId> readAgain(BlockId id, const Block &block) const;
    [[nodiscard]] std::optional<MessageId> runAgain(const Block &block);
    [[nodiscard]] std::optional<MessageId> newestTwin(BlockId id);
    [[nodiscard]] bool areEqual(BlockId a, BlockId b);
    [[nodiscard]] const Hash &textHash(BlockId id);

    const Transcript &m_transcript;
    const Session &m_session;
    ThreadIndex m_thread;
    std::span<const BlockId> m_blocks;
    std::unordered_map<StringId, BlockId> m_calls;                         ///< of the blocks asked about, by callId
    std::map<std::string, std::vector<Reading>, std::less<>> m_readings;   ///< by path, of the paths asked about
    std::map<std::pair<uint64_t, uint64_t>, std::vector<BlockId>> m_twins; ///< by characters and bytes of the body
    std::unordered_map<BlockId, Hash> m_hashes;
};

std::pair<uint64_t, uint64_t> lengthKey(const Block &block)
{
    return { block.body.lengths.codePoints, block.body.lengths.bytes };
}

void Reasons::findCalls()
{
    for (const BlockId id : m_blocks) {
        const Block &block = m_session.block(id);
        if (block.kind == BlockKind::ToolResult && block.callId.isValid())
            m_calls.emplace(block.callId, BlockId());
    }
    if (m_calls.empty())
        return;
    for (const BlockId id : m_transcript.blocks()) {
        const Block &block = m_session.block(id);
        if (block.kind != BlockKind::ToolCall)
            continue;
        const auto found = m_calls.find(block.callId);
        if (found != m_calls.end())
            found->second = id;
    }
}

ToolUse Reasons::toolUse(const Block &block) const
{
    ToolUse use;
    const Block *call = block.kind == BlockKind::ToolCall ? &block : nullptr;
    if (block.kind == BlockKind::ToolResult) {
        const auto found = m_calls.find(block.callId);
        if (found != m_calls.end() && found->second.isValid()) {
            use.call = found->second;
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
            first = std::min(first, id); // an invalid id is the largest
        }
    }
    if (m_readings.empty())
        return;
    std::unordered_map<StringId, std::vector<Reading> *> bySubject;
    const auto readingsOf = [&](StringId subject) {
        const auto [entry, isNew] = bySubject.try_emplace(subject, nullptr);
        if (isNew) {
            const auto found = m_readings.find(m_session.string(subject));
            entry->second = found == m_readings.end() ? nullptr : &found->second;
        }
        return entry->second;
    };
    for (size_t i = first.index() + 1; i < m_session.blocks.size(); ++i) {
        const Block &block = m_session.blocks[i];
        if (block.message.isValid() && m_session.message(block.message).thread != m_thread)
            continue;
        if (block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult) {
            std::vector<Reading> *readings = block.subject.isValid() ? readingsOf(block.subject) : nullptr;
            if (readings != nullptr && !toolUse(block).readPath().empty()) {
                const bool showsBody = block.kind == BlockKind::ToolResult && block.lengths.codePoints >= kSmallestBody;
                readings->push_back({ BlockId(i), showsBody });
            }
        } else if (const std::string path = pathOfTaggedBody(m_session, block); !path.empty()) {
            const auto found = m_readings.find(path);
            if (found != m_readings.end())
                found->second.push_back({ BlockId(i), true });
        }
    }
}

void Reasons::findTwins()
{
    for (const BlockId id : m_blocks) {
        const Block &block = m_session.block(id);
        if (block.body.lengths.codePoints >= kSmallestTwin)
            m_twins.try_emplace(lengthKey(block));
        const ToolUse use = toolUse(block);
        if (use.deed == ToolDeed::Run && use.call.isValid())
            m_twins.try_emplace(lengthKey(m_session.block(use.call)));
    }
    if (m_twins.empty())
        return;
    for (const BlockId id : m_transcript.blocks()) {
        const auto found = m_twins.find(lengthKey(m_session.block(id)));
        if (found != m_twins.end())
            found->second.push_back(id);
    }
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
        return "text put in by the harness";
    if (block.message.isValid() && m_session.message(block.message).role == Role::System)
        return "system text";
    return block.is(BlockFlag::Typed) ? "text that the user typed" : "large text";
}

std::string Reasons::whatFollows(BlockId id, const Block &block)
{
    const auto place = [](MessageId message) { return "#" + std::to_string(message.value()); };
    const auto twin = newestTwin(id);
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

std::optional<MessageId> Reasons::readAgain(BlockId id, const Block &block) const
{
    const std::string path = shownPath(block);
    const auto found = path.empty() ? m_readings.end() : m_readings.find(path);
    if (found == m_readings.end())
        return std::nullopt;
    const BlockId none;
    BlockId reads = none;
    for (const Reading &reading : found->second) {
        const bool isOther = reading.block > id && m_session.block(reading.block).message != block.message;
        if (isOther && reading.showsBody)
            return m_session.block(reading.block).message;
        if (isOther && reads == none)
            reads = reading.block;
    }
    if (reads == none)
        return std::nullopt;
    return m_session.block(reads).message;
}

std::optional<MessageId> Reasons::runAgain(const Block &block)
{
    const ToolUse use = toolUse(block);
    if (block.kind != BlockKind::ToolResult || use.deed != ToolDeed::Run || !use.call.isValid())
        return std::nullopt;
    const Block &call = m_session.block(use.call);
    const std::vector<BlockId> &twins = m_twins.find(lengthKey(call))->second;
    const auto later = std::find_if(std::ranges::find(twins, use.call), twins.end(), [&](BlockId each) {
        const Block &other = m_session.block(each);
        return each != use.call && other.kind == BlockKind::ToolCall && other.name == call.name
            && areEqual(use.call, each);
    });
    if (later == twins.end())
        return std::nullopt;
    // The message that shows the output again, or that of the call where none came.
    const StringId callId = m_session.block(*later).callId;
    const auto blocks = m_transcript.blocks();
    const auto result = std::find_if(std::ranges::find(blocks, *later), blocks.end(), [&](BlockId each) {
        const Block &answer = m_session.block(each);
        return answer.kind == BlockKind::ToolResult && answer.callId == callId;
    });
    return m_session.block(result == blocks.end() ? *later : *result).message;
}

std::optional<MessageId> Reasons::newestTwin(BlockId id)
{
    const Block &block = m_session.block(id);
    const auto found = m_twins.find(lengthKey(block));
    if (block.body.lengths.codePoints < kSmallestTwin || found == m_twins.end())
        return std::nullopt;
    for (const BlockId other : found->second | std::views::reverse) {
        const bool isOther = other != id && m_session.block(other).message != block.message;
        if (isOther && areEqual(id, other))
            return m_session.block(other).message;
    }
    return std::nullopt;
}

bool Reasons::areEqual(BlockId a, BlockId b)
{
    const Body &first = m_session.block(a).body;
    const Body &second = m_session.block(b).body;
    if (first.coding == second.coding && m_session.rawBody(first) == m_session.rawBody(second))
        return true;
    if (first.coding == Coding::Plain && second.coding == Coding::Plain)
        return false;
    return textHash(a) == textHash(b) && m_session.text(first) == m_session.text(second);
}

const Hash &Reasons::textHash(BlockId id)
{
    const auto [entry, isNew] = m_hashes.try_emplace(id);
    if (isNew)
        entry->second = hashOf(m_session.text(m_session.block(id).body));
    return entry->second;
}

} // namespace

std::string pathOfTaggedBody(const Session &session, const Block &block)
{
    if (block.kind != BlockKind::Text || block.lengths.codePoints < kSmallestBody)
        return {};
    // Most texts are none: one look at the raw bytes tells.
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

std::vector<std::string> blockReasons(const Transcript &transcript, ThreadIndex thread, std::span<const BlockId> blocks)
{
    Reasons reasons(transcript, thread, blocks);
    std::vector<std::string> clauses;
    clauses.reserve(blocks.size());
    for (const BlockId id : blocks)
        clauses.push_back(reasons.of(id));
    return clauses;
}

} // namespace core
