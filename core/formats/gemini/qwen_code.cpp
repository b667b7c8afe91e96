// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/gemini/gemini_parts.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/thread_log.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

constexpr std::string_view kLost
    = "Tool execution result was not recorded — likely interrupted by network failure, abort, "
      "or process exit. Treat as failure and retry if needed.";

/// The total counts everything; whether thoughts are in the count of the answer depends on the provider.
std::optional<Usage> tokensOf(const JsonMembers &tokens)
{
    const uint64_t prompt = tokens.number("promptTokenCount").value_or(0);
    if (prompt == 0)
        return std::nullopt;
    const uint64_t cached = std::min(prompt, tokens.number("cachedContentTokenCount").value_or(0));
    const uint64_t answer = tokens.number("candidatesTokenCount").value_or(0);
    const uint64_t total = tokens.number("totalTokenCount").value_or(0);
    Usage usage { prompt - cached, cached, 0, std::max(answer, total > prompt ? total - prompt : 0) };
    usage.reasoning = tokens.number("thoughtsTokenCount");
    return usage;
}

/// Replays the records of a chat of Qwen Code. Each record follows its parent; the last one in the file is the end of
/// the conversation. Records with the same id are one message. A compression holds the whole new array.
/// Source: chatRecordingService.ts and sessionService.ts of Qwen Code (August 2026): `buildApiHistoryFromConversation`
/// takes the last compression and the messages behind it, with their thoughts.
class QwenLog final {
public:
    static constexpr std::string_view kHarness = "Qwen Code";

    void accept(SessionBuilder &builder, const Record &record);
    [[nodiscard]] bool isEmpty() const { return m_log.isEmpty(); }
    void finish(SessionBuilder &builder) const;

private:
    static constexpr size_t kNone = static_cast<size_t>(-1);

    /// A record, and what it adds to the array of its parent or puts in the place of that array.
    struct Node {
        size_t parent = kNone;
        std::optional<ThreadLog::Index> message;
        std::optional<std::vector<ThreadLog::Index>> array;
    };

    void describe(SessionBuilder &builder, const JsonMembers &members);
    [[nodiscard]] size_t parentOf(SessionBuilder &builder, const JsonMembers &members, uint64_t line) const;
    void goTo(size_t node, uint64_t line);
    LoggedMessage read(SessionBuilder &builder, const JsonMembers &members, const Record &record) const;
    void addMessage(SessionBuilder &builder, const JsonMembers &members, const Record &record, size_t node);
    void compress(SessionBuilder &builder, const JsonMembers &payload, const Record &record, size_t node);
    void addLostResults(SessionBuilder &builder, std::vector<ThreadLog::Index> &array, size_t known, uint64_t line);

    ThreadLog m_log;
    std::vector<Node> m_nodes;
    std::unordered_map<std::string, size_t> m_byId;
    size_t m_head = kNone; ///< the node whose array `m_log` has
};

void QwenLog::accept(SessionBuilder &builder, const Record &record)
{
    const JsonMembers members(record.bytes);
    ++builder.session().recordCount;
    describe(builder, members);
    const std::string_view type = members.string("type");
    const std::string id = decodeJsonString(members.string("uuid"));
    const bool isMessage = type != "system" && isJsonArray(members.object("message").raw("parts"));
    if (!isMessage)
        builder.session().sideBytes += record.bytes.size();
    if (const auto same = m_byId.find(id); same != m_byId.end() && !id.empty()) {
        if (isMessage && m_nodes[same->second].message) {
            LoggedMessage &first = m_log.at(*m_nodes[same->second].message);
            LoggedMessage more = read(builder, members, record);
            std::ranges::move(more.draft.blocks, std::back_inserter(first.draft.blocks));
            first.usage = more.usage ? more.usage : first.usage;
            if (more.draft.model.isValid())
                first.draft.model = more.draft.model;
        }
        return;
    }
    const size_t parent = parentOf(builder, members, record.line);
    const size_t node = m_nodes.size();
    m_nodes.emplace_back().parent = parent;
    m_byId[id] = node;
    if (isMessage || members.string("subtype") == "rewind")
        goTo(parent, record.line);
    if (m_head == parent)
        m_head = node;
    if (isMessage)
        addMessage(builder, members, record, node);
    else if (members.string("subtype") == "chat_compression")
        compress(builder, members.object("systemPayload"), record, node);
}

void QwenLog::describe(SessionBuilder &builder, const JsonMembers &members)
{
    Session &session = builder.session();
    Thread &thread = builder.thread(ThreadIndex(0U));
    if (thread.id.empty())
        thread.id = decodeJsonString(members.string("sessionId"));
    if (const std::string_view folder = members.string("cwd"); !folder.empty())
        session.workingFolder = decodeJsonString(folder);
    if (const std::string_view branch = members.string("gitBranch"); !branch.empty())
        session.branch = decodeJsonString(branch);
    if (const std::string_view version = members.string("version"); !version.empty())
        session.harness = std::string(kHarness) + " " + decodeJsonString(version);
    if (members.string("subtype") == "custom_title")
        session.title
            = snippet(decodeJsonString(members.object("systemPayload").string("customTitle")), kTitleCodePoints);
}

size_t QwenLog::parentOf(SessionBuilder &builder, const JsonMembers &members, uint64_t line) const
{
    const size_t last = m_nodes.empty() ? kNone : m_nodes.size() - 1;
    const std::string_view parent = members.raw("parentUuid");
    if (!isJsonString(parent))
        return parent == "null" ? kNone : last;
    const auto found = m_byId.find(decodeJsonString(jsonString(parent)));
    if (found != m_byId.end())
        return found->second;
    builder.note(line,
        "In the file, the parent of this record does not stand before this record. Palimpsest attached the record to "
        "the one before.");
    return last;
}

/// Makes the array of `node` the current one. Going back is a rollback.
void QwenLog::goTo(size_t node, uint64_t line)
{
    if (node == m_head)
        return;
    std::vector<ThreadLog::Index> path;
    std::vector<ThreadLog::Index> base;
    for (size_t at = node; at != kNone; at = m_nodes[at].parent) {
        if (m_nodes[at].array) {
            base = *m_nodes[at].array;
            break;
        }
        if (m_nodes[at].message)
            path.push_back(*m_nodes[at].message);
    }
    base.insert(base.end(), path.rbegin(), path.rend());
    RecordedCompaction how;
    how.kind = CompactionKind::Rollback;
    how.line = line;
    m_log.replace(std::move(base), std::move(how));
    m_head = node;
}

LoggedMessage QwenLog::read(SessionBuilder &builder, const JsonMembers &members, const Record &record) const
{
    const std::string_view type = members.string("type");
    const JsonMembers content = members.object("message");
    LoggedMessage message;
    MessageDraft &draft = message.draft;
    draft.role = type == "assistant" || content.string("role") == "model" ? Role::Assistant : Role::User;
    draft.line = record.line;
    draft.time = parseTime(members.string("timestamp"));
    draft.externalId = internString(builder, members.string("uuid"));
    draft.model = internString(builder, members.string("model"));
    message.isResponse = type == "assistant";
    message.responseId = draft.externalId;
    message.usage = tokensOf(members.object("usageMetadata"));
    GeminiParts(builder, record.source).add(content.raw("parts"), draft.blocks);
    const std::string_view details = members.raw("toolCallResult");
    for (Block &block : draft.blocks) {
        setRecord(builder, block, record.source, record.bytes, record.line);
        if (block.kind == BlockKind::ToolResult && JsonMembers(details).string("status") == "error")
            block.set(BlockFlag::Error);
    }
    if (!draft.blocks.empty()) {
        draft.blocks.front().sideBytes = details.size();
        builder.session().sideBytes += details.size();
    }
    const std::string_view subtype = members.string("subtype");
    if (draft.role == Role::User && (subtype.empty() || subtype == "mid_turn_user_message")) {
        markGeminiUser(builder, draft);
    } else if (draft.role == Role::User) {
        for (Block &block : draft.blocks)
            block.set(BlockFlag::Injected);
    }
    return message;
}

/// What the user types while the agent works joins the results before it, as it is sent.
void QwenLog::addMessage(SessionBuilder &builder, const JsonMembers &members, const Record &record, size_t node)
{
    LoggedMessage message = read(builder, members, record);
    const auto answers = [&](ThreadLog::Index index) {
        return std::ranges::contains(m_log.at(index).draft.blocks, BlockKind::ToolResult, &Block::kind);
    };
    const bool joins = members.string("subtype") == "mid_turn_user_message" && !m_log.array().empty()
        && m_log.array().back() + 1 == m_log.size() && answers(m_log.array().back());
    if (joins)
        std::ranges::move(message.draft.blocks, std::back_inserter(m_log.at(m_log.array().back()).draft.blocks));
    else
        m_nodes[node].message = m_log.add(std::move(message));
}

void QwenLog::compress(SessionBuilder &builder, const JsonMembers &payload, const Record &record, size_t node)
{
    const std::string_view history = payload.raw("compressedHistory");
    if (!isJsonArray(history))
        return;
    builder.session().sideBytes -= history.size();
    std::vector<LoggedMessage> messages;
    for (const std::string_view raw : jsonElements(history).items) {
        const JsonMembers content(raw);
        LoggedMessage &message = messages.emplace_back();
        message.draft.role = content.string("role") == "model" ? Role::Assistant : Role::User;
        message.draft.line = record.line;
        GeminiParts(builder, record.source).add(content.raw("parts"), message.draft.blocks);
        for (Block &block : message.draft.blocks)
            setRecord(builder, block, record.source, raw, record.line);
    }
    const size_t known = m_log.size();
    std::vector<ThreadLog::Index> array = m_log.adopt(builder, std::move(messages));
    for (const ThreadLog::Index index : array) {
        if (index < known || m_log.at(index).draft.role != Role::User)
            continue;
        for (Block &block : m_log.at(index).draft.blocks)
            block.set(BlockFlag::Summary);
        break; // the others are files that it shows again
    }
    addLostResults(builder, array, known, record.line);
    RecordedCompaction how;
    how.line = record.line;
    const JsonMembers info = payload.object("info");
    how.beforeTokens = info.number("originalTokenCount");
    for (const std::string_view key : { "originalTokenCount", "newTokenCount" }) {
        if (const auto value = info.number(key))
            how.figures.push_back({ std::string(key), *value });
    }
    m_nodes[node].array = array;
    m_log.replace(std::move(array), std::move(how));
    m_head = node;
}

/// A compression between calls and their answer keeps the calls but not their results, which it takes for the prompt
/// that is still to be sent. Qwen Code 0.24 then sends words of its own as their results.
void QwenLog::addLostResults(SessionBuilder &builder, std::vector<ThreadLog::Index> &array, size_t known, uint64_t line)
{
    if (array.empty())
        return;
    const auto isAnswered = [&](StringId call) {
        for (size_t i = 0; i < known; ++i) {
            const std::vector<Block> &blocks = m_log.at(static_cast<ThreadLog::Index>(i)).draft.blocks;
            if (std::ranges::any_of(blocks,
                    [&](const Block &each) { return each.kind == BlockKind::ToolResult && each.callId == call; }))
                return true;
        }
        return false;
    };
    LoggedMessage lost;
    lost.draft.line = line;
    for (const Block &call : m_log.at(array.back()).draft.blocks) {
        if (call.kind != BlockKind::ToolCall || !call.callId.isValid() || !isAnswered(call.callId))
            continue;
        Block &block = lost.draft.blocks.emplace_back(
            builder.makeBlock(BlockKind::ToolResult, builder.ownedBody(std::string(kLost), "Qwen Code's words")));
        block.callId = call.callId;
        block.recordLine = line;
        block.set(BlockFlag::Stub);
        block.set(BlockFlag::Error);
    }
    if (!lost.draft.blocks.empty())
        array.push_back(m_log.store(std::move(lost)));
}

void QwenLog::finish(SessionBuilder &builder) const
{
    m_log.write(builder, ThreadIndex(0U));
    linkGeminiCalls(builder);
    setTypedTitle(builder);
}

Likeness sniffQwen(const Sample &sample)
{
    for (const std::string_view record : sample.records) {
        const JsonMembers members(record);
        const bool isChained = members.has("uuid") && members.has("parentUuid") && members.has("sessionId");
        const bool isOwn = members.string("subtype") == "chat_compression" || members.has("usageMetadata");
        if (isChained && (isOwn || isJsonArray(members.object("message").raw("parts"))))
            return Likeness::Certain;
    }
    return Likeness::No;
}

std::string qwenMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const std::string role(roleWord(message.role, "model", "user"));
    return "{\"uuid\":" + newJsonString(message.uuid) + ",\"parentUuid\":" + message.parent
        + copiedMembers(JsonMembers(example), { "sessionId", "timestamp", "cwd", "version" }) + ",\"type\":\""
        + (role == "model" ? "assistant" : role) + R"(","message":{"role":")" + role + R"(","parts":[{"text":)"
        + newJsonString(message.text) + "}]}}";
}

std::string qwenFolder(const NewSession &session) { return dashedPath(session.workingFolder) + "/chats"; }

} // namespace

const Format kQwenCode { "qwen-code", "Qwen Code chat",
    "~/.qwen/projects/*/chats/*.jsonl; compressions and rewinds are read", sniffQwen, openLog<QwenLog, kQwenCode>,
    { .shape = MessageShape::Gemini,
        .preset = "qwen-code",
        .splice = { .message = qwenMessage, .links = { .id = "uuid", .parent = "parentUuid" }, .isEventLog = true },
        .resume = { .harness = "Qwen Code",
            .home = ".qwen",
            .sessions = "projects",
            .folder = qwenFolder,
            .file = idAsFile,
            .isByProject = true,
            .id = "sessionId",
            .usage = { .type = "assistant",
                .object = { "usageMetadata" },
                .prompt = "promptTokenCount",
                .cached = { "cachedContentTokenCount" },
                .isCachedInPrompt = true,
                .total = "totalTokenCount" },
            .command = "qwen --resume" } } };

} // namespace core
