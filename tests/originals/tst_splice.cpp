// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/reading/format.h"
#include "core/json/json_probe.h"
#include "core/session/transcript.h"
#include "core/writing/splice.h"
#include "tests/joined.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <ranges>
#include <set>

using namespace core;
using namespace Qt::StringLiterals;
using testing::joined;

namespace {

// --- sessions as files of each format
// ---------------------------------------------------------------------------------

std::string jsonOf(const std::string &text) { return quoteJson(text); }

/// The message as an element of an array of Anthropic's API.
std::string anthropicMessage(const Session &session, const Message &message)
{
    std::vector<std::string> parts;
    for (uint32_t i = 0; i < message.count; ++i) {
        const Block &block = session.blocks[message.first.index() + i];
        const std::string text = jsonOf(session.text(block.body));
        const std::string id = jsonOf(std::string(session.string(block.callId)));
        if (block.kind == BlockKind::Text)
            parts.push_back(R"({"type":"text","text":)" + text + "}");
        else if (block.kind == BlockKind::Thinking)
            parts.push_back(R"({"type":"thinking","thinking":)" + text + R"(,"signature":"s"})");
        else if (block.kind == BlockKind::ToolCall)
            parts.push_back(R"({"type":"tool_use","id":)" + id + R"(,"name":"run","input":{"a":)" + text + "}}");
        else if (block.kind == BlockKind::ToolResult)
            parts.push_back(R"({"type":"tool_result","tool_use_id":)" + id + ",\"content\":" + text + "}");
        else
            parts.push_back(R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}})");
    }
    const std::string role = message.role == Role::Assistant ? "assistant" : "user";
    return "{\"role\":\"" + role + "\",\"content\":[" + joined(parts, ", ") + "]}";
}

std::string anthropicBody(const Session &session)
{
    std::vector<std::string> messages;
    for (const Message &message : session.messages)
        messages.push_back(anthropicMessage(session, message));
    return R"({"model":"claude-x","max_tokens":9,"system":"You help.","tools":[{"name":"run","input_schema":{}}],)"
        + std::string("\"messages\":[ ") + joined(messages, " , ") + "]}\n";
}

std::string claudeCode(const Session &session)
{
    std::string text = R"({"type":"summary","summary":"s","leafUuid":"u0"})"
                       "\n";
    std::string parent = "null";
    for (size_t i = 0; i < session.messages.size(); ++i) {
        const std::string uuid = "\"u" + std::to_string(i) + "\"";
        const Message &message = session.messages[i];
        std::string body = anthropicMessage(session, message);
        const bool isAnswer = message.role == Role::Assistant;
        if (isAnswer)
            body.insert(1, "\"id\":\"m" + std::to_string(i) + "\",");
        text += "{\"parentUuid\":" + parent + R"(,"isSidechain":false,"type":)"
            + (isAnswer ? "\"assistant\"" : "\"user\"") + ",\"uuid\":" + uuid + ",\"message\":" + body + "}\n";
        parent = uuid;
        if (i % 5 == 4) { // something that hangs between
            text += "{\"parentUuid\":" + parent + R"(,"isSidechain":false,"type":"system","uuid":"l)"
                + std::to_string(i) + "\",\"content\":\"x\"}\n";
            parent = "\"l" + std::to_string(i) + "\"";
        }
    }
    return text;
}

enum class ChatForm { Chat, Dump, Dict, Plain };

std::string chatMessages(const Session &session, ChatForm form)
{
    std::vector<std::string> messages;
    for (const Message &message : session.messages) {
        std::string content;
        std::vector<std::string> calls;
        std::string extra;
        std::string role = message.role == Role::Assistant ? "assistant"
            : message.role == Role::System                 ? "system"
                                                           : "user";
        for (uint32_t i = 0; i < message.count; ++i) {
            const Block &block = session.blocks[message.first.index() + i];
            const std::string text = session.text(block.body);
            const std::string id = jsonOf(std::string(session.string(block.callId)));
            if (block.kind == BlockKind::ToolCall && form == ChatForm::Chat) {
                calls.push_back("{\"id\":" + id + R"(,"type":"function","function":{"name":"run","arguments":)"
                    + jsonOf("{\"a\":" + jsonOf(text) + "}") + "}}");
            } else if (block.kind == BlockKind::ToolCall) {
                calls.push_back(
                    "{\"id\":" + id + R"(,"name":"run","args":{"a":)" + jsonOf(text) + "},\"type\":\"tool_call\"}");
            } else if (block.kind == BlockKind::ToolResult) {
                role = "tool";
                extra = ",\"tool_call_id\":" + id;
                content += text;
            } else if (block.kind == BlockKind::Thinking) {
                extra += ",\"reasoning_content\":" + jsonOf(text);
            } else if (block.kind == BlockKind::Text) {
                content += text;
            }
        }
        if (!calls.empty())
            extra += ",\"tool_calls\":[" + joined(calls, ",") + "]";
        const std::string type = role == "assistant" ? "ai" : role == "user" ? "human" : role;
        const std::string members = "\"content\":" + jsonOf(content) + extra;
        if (form == ChatForm::Chat)
            messages.push_back("{\"role\":\"" + role + "\"," + members + "}");
        else if (form == ChatForm::Plain)
            messages.push_back("{\"type\":\"" + type + "\",\"additional_kwargs\":{}," + members + "}");
        else if (form == ChatForm::Dict)
            messages.push_back("{\"type\":\"" + type + "\",\"data\":{" + members + ",\"additional_kwargs\":{}}}");
        else
            messages.push_back(R"({"lc":1,"type":"constructor","id":["langchain","schema","messages",")"
                + std::string(type == "ai" ? "AI"
                        : type == "human"  ? "Human"
                        : type == "tool"   ? "Tool"
                                           : "System")
                + "Message\"],\"kwargs\":{" + members + "}}");
    }
    return "[" + joined(messages, " ,") + "]";
}

std::vector<std::string> responsesItems(const Session &session)
{
    std::vector<std::string> items;
    for (const Message &message : session.messages) {
        for (uint32_t i = 0; i < message.count; ++i) {
            const Block &block = session.blocks[message.first.index() + i];
            const std::string text = session.text(block.body);
            const std::string id = jsonOf(std::string(session.string(block.callId)));
            if (block.kind == BlockKind::ToolCall)
                items.push_back(R"({"type":"function_call","name":"run","call_id":)" + id
                    + ",\"arguments\":" + jsonOf("{\"a\":" + jsonOf(text) + "}") + "}");
            else if (block.kind == BlockKind::ToolResult)
                items.push_back(
                    R"({"type":"function_call_output","call_id":)" + id + ",\"output\":" + jsonOf(text) + "}");
            else if (block.kind == BlockKind::Thinking)
                items.push_back(
                    R"({"type":"reasoning","summary":[{"type":"summary_text","text":)" + jsonOf(text) + "}]}");
            else if (block.kind == BlockKind::Text && message.role == Role::Assistant)
                items.push_back(R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":)"
                    + jsonOf(text) + "}]}");
            else if (block.kind == BlockKind::Text)
                items.push_back(R"({"type":"message","role":"user","content":[{"type":"input_text","text":)"
                    + jsonOf(text) + "}]}");
        }
    }
    return items;
}

std::string genkit(const Session &session)
{
    std::vector<std::string> messages;
    for (const Message &message : session.messages) {
        std::vector<std::string> parts;
        bool isTool = false;
        for (uint32_t i = 0; i < message.count; ++i) {
            const Block &block = session.blocks[message.first.index() + i];
            const std::string text = jsonOf(session.text(block.body));
            const std::string id = jsonOf(std::string(session.string(block.callId)));
            isTool = isTool || block.kind == BlockKind::ToolResult;
            if (block.kind == BlockKind::ToolCall)
                parts.push_back(R"({"toolRequest":{"name":"run","ref":)" + id + ",\"input\":{\"a\":" + text + "}}}");
            else if (block.kind == BlockKind::ToolResult)
                parts.push_back(R"({"toolResponse":{"name":"run","ref":)" + id + ",\"output\":" + text + "}}");
            else if (block.kind == BlockKind::Thinking)
                parts.push_back("{\"reasoning\":" + text + "}");
            else
                parts.push_back("{\"text\":" + text + "}");
        }
        const std::string role = message.role == Role::Assistant ? "model"
            : isTool                                             ? "tool"
            : message.role == Role::System                       ? "system"
                                                                 : "user";
        messages.push_back("{\"role\":\"" + role + "\",\"content\":[" + joined(parts, ",") + "]}");
    }
    return "{\"messages\":[" + joined(messages, ",") + "]}";
}

std::string codexLines(const Session &session)
{
    std::string text = R"({"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x","cwd":"/"}})"
                       "\n";
    for (const std::string &item : responsesItems(session))
        text += R"({"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":)" + item + "}\n";
    return text;
}

std::string piLines(const Session &session)
{
    std::string text = R"({"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00Z","cwd":"/"})"
                       "\n";
    std::string parent = "null";
    for (size_t i = 0; i < session.messages.size(); ++i) {
        const Message &message = session.messages[i];
        std::vector<std::string> parts;
        std::string role = message.role == Role::Assistant ? "assistant" : "user";
        std::string more = message.role == Role::Assistant ? R"(,"stopReason":"stop")" : "";
        for (uint32_t k = 0; k < message.count; ++k) {
            const Block &block = session.blocks[message.first.index() + k];
            const std::string words = jsonOf(session.text(block.body));
            const std::string id = jsonOf(std::string(session.string(block.callId)));
            if (block.kind == BlockKind::ToolCall)
                parts.push_back(
                    R"({"type":"toolCall","id":)" + id + R"(,"name":"run","arguments":{"a":)" + words + "}}");
            else if (block.kind == BlockKind::Thinking)
                parts.push_back(R"({"type":"thinking","thinking":)" + words + R"(,"thinkingSignature":"s"})");
            else if (block.kind == BlockKind::Image)
                parts.push_back(R"({"type":"image","data":"iVBO","mimeType":"image/png"})");
            else
                parts.push_back(R"({"type":"text","text":)" + words + "}");
            if (block.kind == BlockKind::ToolResult) {
                role = "toolResult";
                more = ",\"toolCallId\":" + id + R"(,"toolName":"run","isError":false)";
            }
        }
        const std::string id = jsonOf("e" + std::to_string(i));
        text += "{\"type\":\"message\",\"id\":" + id + ",\"parentId\":" + parent
            + R"(,"timestamp":"2026-01-01T00:00:00Z","message":{"role":)" + jsonOf(role) + ",\"content\":["
            + joined(parts, ",") + "]" + more + "}}\n";
        parent = id;
        if (i % 7 == 6 && role != "assistant") {
            const std::string mark = jsonOf("c" + std::to_string(i));
            text += "{\"type\":\"compaction\",\"id\":" + mark + ",\"parentId\":" + parent
                + R"(,"timestamp":"2026-01-01T00:00:00Z","summary":"told","firstKeptEntryId":"e)"
                + std::to_string(i - 3) + "\",\"tokensBefore\":9}\n";
            parent = mark;
        }
    }
    return text;
}

std::string sdkStream(const Session &session)
{
    std::string text = R"({"type":"system","subtype":"init","session_id":"s","tools":["run"],"cwd":"/"})"
                       "\n";
    for (size_t i = 0; i < session.messages.size(); ++i) {
        std::string body = anthropicMessage(session, session.messages[i]);
        const bool isAnswer = session.messages[i].role == Role::Assistant;
        if (isAnswer)
            body.insert(1, "\"id\":\"m" + std::to_string(i) + "\",");
        text += std::string("{\"type\":") + (isAnswer ? "\"assistant\"" : "\"user\"") + ",\"message\":" + body
            + ",\"session_id\":\"s\"}\r\n";
    }
    return text;
}

/// Several requests, each with all that the one before it had.
std::string anthropicRecording(const Session &session)
{
    std::string text;
    std::vector<std::string> messages;
    for (const Message &message : session.messages) {
        const bool isAnswer = message.role == Role::Assistant;
        if (isAnswer && !messages.empty())
            text += R"({"model":"claude-x","max_tokens":9,"messages":[)" + joined(messages, ",") + "]}\n";
        messages.push_back(anthropicMessage(session, message));
    }
    return text + R"({"model":"claude-x","max_tokens":9,"messages":[)" + joined(messages, ",") + "]}\n";
}

using Files = std::vector<std::pair<std::string, std::string>>;

/// The session in every format that can be written.
Files filesOf(const Session &session)
{
    return { { "claude-code", claudeCode(session) }, { "claude-sdk-stream", sdkStream(session) },
        { "anthropic-messages", anthropicBody(session) },
        { "anthropic-messages recording", anthropicRecording(session) },
        { "openai-chat", chatMessages(session, ChatForm::Chat) },
        { "langchain dumpd", chatMessages(session, ChatForm::Dump) },
        { "langchain dict", chatMessages(session, ChatForm::Dict) },
        { "langchain model_dump", chatMessages(session, ChatForm::Plain) },
        { "openai-responses", "{\"model\":\"gpt-5\",\"input\":[" + joined(responsesItems(session), ", ") + "]}" },
        { "codex", codexLines(session) }, { "pi", piLines(session) }, { "genkit", genkit(session) } };
}

// --- edits
// ------------------------------------------------------------------------------------------------------------

/// Edits at random of the array at the end of a thread: calls go with their results.
SpliceEdits randomEdits(const SessionPtr &session, size_t thread, std::mt19937_64 &random)
{
    const Transcript transcript(session, session->threads[thread].end);
    SpliceEdits edits;
    if (transcript.blocks().size() < 2)
        return edits;
    std::set<StringId> calls;
    std::set<BlockId> blocks;
    std::set<MessageId> messages;
    const auto drop = [&](BlockId id) {
        blocks.insert(id);
        if (session->block(id).callId.isValid())
            calls.insert(session->block(id).callId);
    };
    const size_t most = std::max<size_t>(1, transcript.blocks().size() / 4);
    for (size_t k = random() % most; k > 0; --k)
        drop(transcript.blocks()[random() % transcript.blocks().size()]);
    for (size_t k = random() % std::max<size_t>(1, transcript.slotCount() / 5); k > 0; --k) {
        const Slot &slot = transcript.slots()[random() % transcript.slotCount()];
        messages.insert(slot.id);
    }
    const auto isGone
        = [&](BlockId id) { return blocks.contains(id) || messages.contains(session->block(id).message); };
    for (const BlockId id : transcript.blocks()) {
        if (isGone(id) && session->block(id).callId.isValid())
            calls.insert(session->block(id).callId);
    }
    for (const BlockId id : transcript.blocks()) {
        if (calls.contains(session->block(id).callId) && session->block(id).callId.isValid())
            blocks.insert(id);
    }
    edits.droppedBlocks.assign(blocks.begin(), blocks.end());
    edits.droppedMessages.assign(messages.begin(), messages.end());
    static const std::vector<std::string> kTexts { "short", "with \"quotes\" and \\ back\n\tslashes", "",
        "日本語 😀 \x01\x7f", "a lone \xED\xA0\x80 surrogate", "</script>{\"role\":\"user\"},",
        std::string(5000, 'x') };
    for (size_t k = random() % most; k > 0; --k) {
        const BlockId id = transcript.blocks()[random() % transcript.blocks().size()];
        const Block &block = session->block(id);
        const bool isText
            = block.kind == BlockKind::Text || block.kind == BlockKind::Thinking || block.kind == BlockKind::ToolResult;
        const bool isTaken
            = std::ranges::find(edits.replacements, id, &BlockReplacement::block) != edits.replacements.end();
        if (isGone(id) || isTaken || (!isText && block.kind != BlockKind::ToolCall))
            continue;
        std::string text = kTexts[random() % kTexts.size()];
        if (!isText)
            text = "{\"path\": " + quoteJson(text.starts_with("a lone") ? "p" : text) + ",\"n\":[1, 2]}";
        edits.replacements.push_back({ id, text });
    }
    for (size_t k = random() % 3; k > 0; --k) {
        const Slot &slot = transcript.slots()[random() % transcript.slotCount()];
        edits.insertions.push_back(
            { slot.id, Role::User, "A summary of " + std::to_string(k) + ".", random() % 2 == 0 });
    }
    return edits;
}

/// An array as text: a line a slot, without empty texts and slots of them.
class ArrayText final {
public:
    explicit ArrayText(const Session &session)
        : m_mergesUsers(session.traits->mergesUsers())
    {
    }
    void add(const std::string &message, Role role, const std::string &text)
    {
        if (text.empty())
            return;
        const bool goesOn = !m_text.empty()
            && (message == m_message || (m_mergesUsers && role == Role::User && m_role == Role::User));
        if (!goesOn)
            m_text += "\n" + std::to_string(static_cast<int>(role)) + ":";
        m_message = message;
        m_role = role;
        m_text += " " + quoteJson(text);
    }
    [[nodiscard]] const std::string &text() const { return m_text; }

private:
    bool m_mergesUsers;
    std::string m_message;
    Role m_role = Role::User;
    std::string m_text;
};

std::string arrayOf(const Session &session, size_t thread)
{
    ArrayText array(session);
    session.threads.at(thread).end.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        array.add(std::to_string(block.message.value()), session.message(block.message).role, session.text(block.body));
    });
    return array.text();
}

/// Threads that have names are found by them: they stand in the order of their first records, which may have left.
size_t threadAgain(const Session &again, const Session &session, size_t thread)
{
    const std::string &id = session.threads.at(thread).id;
    for (size_t i = 0; i < again.threads.size() && !id.empty(); ++i) {
        if (again.threads[i].id == id)
            return i;
    }
    return thread;
}

/// What the array should be after the edits; a message that was emptied is gone.
std::string expectedArray(const Session &session, size_t thread, const SpliceEdits &edits, const Spliced &spliced)
{
    const auto isLeft = [&](BlockId block, MessageId message) {
        return std::ranges::any_of(spliced.problems, [&](const SpliceProblem &each) {
            return block.isValid() ? each.block == block : !each.block.isValid() && each.message == message;
        });
    };
    ArrayText array(session);
    std::set<MessageId> met;
    session.threads.at(thread).end.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        const MessageId message = block.message;
        if (met.insert(message).second) {
            for (size_t i = 0; i < edits.insertions.size(); ++i) {
                if (edits.insertions[i].before == message && !isLeft({}, message))
                    array.add("new" + std::to_string(i), Role::User, edits.insertions[i].text);
            }
        }
        const bool isDropped = (std::ranges::contains(edits.droppedBlocks, id) && !isLeft(id, message))
            || (std::ranges::contains(edits.droppedMessages, message) && !isLeft({}, message));
        if (isDropped)
            return;
        std::string text = session.text(block.body);
        const auto replaced = std::ranges::find(edits.replacements, id, &BlockReplacement::block);
        if (replaced != edits.replacements.end() && !isLeft(id, message))
            text = block.kind == BlockKind::ToolCall && block.body.coding == Coding::JsonValue
                ? canonicalJson(replaced->text)
                : replaced->text;
        array.add(std::to_string(message.value()), session.message(message).role, text);
    });
    return array.text();
}

std::string restored(const Session &session, const Spliced &spliced)
{
    const std::string_view file = session.sources.front()->bytes();
    std::vector<std::string_view> originals;
    uint64_t at = 0;
    for (const InverseSplice &each : spliced.inverse) {
        if (each.at < at || each.originalOffset + each.originalSize > file.size())
            return "the splices are not in order";
        at = each.at + each.length;
        originals.push_back(file.substr(each.originalOffset, each.originalSize));
    }
    const auto bytes = unsplice(spliced.bytes, spliced.inverse, originals);
    return bytes ? *bytes : bytes.error().sentence();
}

/// Reasons of diagnostics without their numbers.
std::set<std::string> reasonsOf(const Session &session)
{
    std::set<std::string> reasons;
    for (const Diagnostic &each : session.diagnostics) {
        std::string reason = each.reason;
        std::erase_if(reason, [](char c) { return (c >= '0' && c <= '9') || c == ','; });
        reasons.insert(reason);
    }
    return reasons;
}

/// Whether a response and another record of the user hang on one record of the user, in a session of Claude Code.
bool partsBranches(std::string_view log)
{
    std::set<std::string_view> users;
    std::map<std::string_view, std::set<std::string_view>> children; ///< the types of the records by their parent
    for (const auto line : std::views::split(log, '\n')) {
        const JsonMembers record { std::string_view(line) };
        if (record.string("type") == "user")
            users.insert(record.string("uuid"));
        children[record.string("parentUuid")].insert(record.string("type"));
    }
    return std::ranges::any_of(users,
        [&](std::string_view user) { return children[user].contains("assistant") && children[user].contains("user"); });
}

struct Tally {
    size_t edited = 0;
    size_t refused = 0; ///< files that could not be written
    size_t edits = 0;
    size_t leftOut = 0;
    std::set<std::string> reasons;
};

size_t countOf(const SpliceEdits &edits)
{
    return edits.replacements.size() + edits.droppedBlocks.size() + edits.droppedMessages.size()
        + edits.insertions.size();
}

/// The first thing that is wrong with one round of random edits; empty if nothing is.
std::string problemOf(const SessionPtr &session, size_t thread, std::mt19937_64 &random, Tally &tally)
{
    const SpliceEdits edits = randomEdits(session, thread, random);
    const auto spliced = spliceSession(*session, edits);
    if (!spliced) {
        ++tally.refused;
        tally.reasons.insert(spliced.error().message);
        return spliced.error().kind == ErrorKind::Internal ? std::string() : spliced.error().sentence();
    }
    ++tally.edited;
    tally.edits += countOf(edits);
    tally.leftOut += spliced->problems.size();
    for (const SpliceProblem &each : spliced->problems)
        tally.reasons.insert(each.sentence);
    if (restored(*session, *spliced) != session->sources.front()->bytes())
        return "the file does not come back";
    const auto again = testing::load(spliced->bytes);
    if (!again)
        return again.error().sentence();
    // The new file may hold the last request alone.
    const size_t place = (*again)->threads.size() == 1 ? 0 : threadAgain(**again, *session, thread);
    const std::string found = arrayOf(**again, place);
    const std::string wanted = expectedArray(*session, thread, edits, *spliced);
    if (found != wanted)
        return "the array is\n" + found.substr(0, 4000) + "\nand should be\n" + wanted.substr(0, 4000);
    for (const std::string &reason : reasonsOf(**again)) {
        const bool isOrphan = reason.contains("no call before it") || reason.contains("is not before it")
            || reason.contains("not recorded");
        const bool isAsked = reason.starts_with("A summary replaces messages here")
            || (isOrphan && !spliced->problems.empty()); // a call stayed without its result, or the other way round
        if (!reasonsOf(*session).contains(reason) && !isAsked)
            return "a new diagnostic: " + reason;
    }
    return {};
}

} // namespace

/// Session files written with changes, and back.
class SpliceTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exactBytes_data();
    void exactBytes();
    void childrenOfDroppedRecords();
    void copiesOfDroppedRecords();
    void aSubagentThatBeginsLater();
    void aMessageBeforeParallelResults();
    void aMessageInAGeminiChat();
    void whatCannotBeWritten_data();
    void whatCannotBeWritten();
    void aRecordingBecomesItsLastRequest();
    void aReplacedHistory();
    void textsAreEscaped();
    void nothingToDo();
    void randomSessions();
    void theCorpus_data();
    void theCorpus();
};

/// Blocks and messages of the array at the end are named by their place in it.
void SpliceTest::exactBytes_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>(
        "edit"); ///< `r` replace, `d` drop, `m` drop a message, `i` insert before; a number; text
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char *name, const QByteArray &before, const QByteArray &edit, const QByteArray &after) {
        QTest::newRow(name) << before << edit << after;
    };
    const QByteArray head = R"({"model":"claude","max_tokens":1,"system":"s","messages":[ )";
    row("Anthropic: a text", head + R"({"role":"user","content":"a\u00e9"} ]})", "r0 b\"\n",
        head + R"({"role":"user","content":"b\"\n"} ]})");
    const QByteArray call
        = R"({"role":"assistant","content":[{"type":"text","text":"t"}, {"type":"tool_use","id":"1","name":"n","input":{"a": 1}}]})";
    const QByteArray result = R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":)";
    row("Anthropic: arguments", head + R"({"role":"user","content":"a"},)" + call + "]}", "r2 {\"b\":2}",
        head
            + R"({"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"t"}, {"type":"tool_use","id":"1","name":"n","input":{"b":2}}]})"
            + "]}");
    row("Anthropic: a part", head + R"({"role":"user","content":"a"},)" + call + "]}", "d1",
        head
            + R"({"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{"a": 1}}]})"
            + "]}");
    row("Anthropic: a list of texts keeps the first part",
        head + call + "," + result + R"([{"type":"text","text":"x"},{"type":"text","text":"y"}]}]}]})", "r2 z",
        head + call + "," + result + R"([{"type":"text","text":"z"}]}]}]})");
    const QByteArray image = R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}})";
    row("Anthropic: texts around an image",
        head + call + "," + result + R"([{"type":"text","text":"x"}, )" + image
            + R"(, {"type":"text","text":"y","cache_control":{"type":"ephemeral"}}]}]}]})",
        "r2 z", head + call + "," + result + R"([{"type":"text","text":"z"}, )" + image + "]}]}]}");
    row("Anthropic: the image among texts",
        head + call + "," + result + R"([{"type":"text","text":"x"}, )" + image
            + R"(, {"type":"text","text":"y"}]}]}]})",
        "d3", head + call + "," + result + R"([{"type":"text","text":"x"}, {"type":"text","text":"y"}]}]}]})");
    row("Anthropic: the image, and the texts around it",
        head + call + "," + result + R"([{"type":"text","text":"x"}, )" + image
            + R"(, {"type":"text","text":"y"}]}]}]})",
        "d3 r2 z", head + call + "," + result + R"([{"type":"text","text":"z"}]}]}]})");
    row("Anthropic: a list of parts becomes a string",
        head + call + "," + result + R"([{"type":"text","text":"x"},{"type":"ref","n":1}]}]}]})", "r2 z",
        head + call + "," + result + R"("z"}]}]})");
    row("Anthropic: the first message",
        head + R"({"role":"user","content":"a"} , {"role":"assistant","content":"b"}]})", "m0",
        head + R"({"role":"assistant","content":"b"}]})");
    row("Anthropic: the last message",
        head + R"({"role":"user","content":"a"} , {"role":"assistant","content":"b"} ]})", "m1",
        head + R"({"role":"user","content":"a"} ]})");
    row("Anthropic: a new message", head + R"({"role":"user","content":"a"}]})", "i0 new",
        head + R"({"role":"user","content":"new"},{"role":"user","content":"a"}]})");
    row("Anthropic: a new message for an old one", head + R"({"role":"user","content":"a"}]})", "m0 i0 new",
        head + R"({"role":"user","content":"new"}]})");
    row("Chat: the text beside a call",
        R"([{"role":"system","content":"s"},{"role":"assistant","content":"t","tool_calls":[{"id":"1","type":"function","function":{"name":"n","arguments":"{}"}}]}])",
        "d1",
        R"([{"role":"system","content":"s"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"n","arguments":"{}"}}]}])");
    row("Chat: the only call",
        R"([{"role":"system","content":"s"},{"role":"assistant","content":"t","tool_calls":[{"id":"1","type":"function","function":{"name":"n","arguments":"{}"}}]}])",
        "d2", R"([{"role":"system","content":"s"},{"role":"assistant","content":"t"}])");
    row("Chat: arguments in a string",
        R"([{"role":"system","content":"s"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"n","arguments":"{}"}}]}])",
        "r1 {\"a\":\"b\"}",
        R"([{"role":"system","content":"s"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"n","arguments":"{\"a\":\"b\"}"}}]}])");
    row("LangChain: both copies of a call",
        R"([{"type":"ai","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"1","name":"n","input":{"a":1}}],"additional_kwargs":{},"tool_calls":[{"id":"1","name":"n","args":{"a":1}}]}])",
        "r1 {}",
        R"([{"type":"ai","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"1","name":"n","input":{}}],"additional_kwargs":{},"tool_calls":[{"id":"1","name":"n","args":{}}]}])");
    row("LangChain: both copies of a call go",
        R"([{"type":"ai","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"1","name":"n","input":{"a":1}}],"additional_kwargs":{},"tool_calls":[{"id":"1","name":"n","args":{"a":1}}]}])",
        "d1", R"([{"type":"ai","content":[{"type":"text","text":"t"}],"additional_kwargs":{}}])");
    row("LangChain: a text goes, a copy beside it stays",
        R"([{"type":"ai","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"1","name":"n","input":{"a":1}}],"additional_kwargs":{},"tool_calls":[{"id":"1","name":"n","args":{"a":1}}]}])",
        "d0",
        R"([{"type":"ai","content":[{"type":"tool_use","id":"1","name":"n","input":{"a":1}}],"additional_kwargs":{},"tool_calls":[{"id":"1","name":"n","args":{"a":1}}]}])");
    row("Responses: an item, and a new one",
        R"({"model":"gpt-5","input":[{"role":"user","content":"a"},{"type":"reasoning","summary":[],"encrypted_content":"e"}],"store":false})",
        "i1 new",
        R"({"model":"gpt-5","input":[{"role":"user","content":"a"},{"type":"message","role":"user","content":[{"type":"input_text","text":"new"}]},{"type":"reasoning","summary":[],"encrypted_content":"e"}],"store":false})");
    row("Genkit: an output that is an object",
        R"({"messages":[{"role":"model","content":[{"toolRequest":{"name":"n","ref":"1","input":{}}}]},{"role":"tool","content":[{"toolResponse":{"name":"n","ref":"1","output":{"a":1}}}]}]})",
        "r1 gone",
        R"({"messages":[{"role":"model","content":[{"toolRequest":{"name":"n","ref":"1","input":{}}}]},{"role":"tool","content":[{"toolResponse":{"name":"n","ref":"1","output":"gone"}}]}]})");
    const QByteArray meta = R"({"timestamp":"t","type":"session_meta","payload":{"id":"x"}})"
                            "\n";
    const QByteArray item
        = R"({"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}})"
          "\r\n";
    row("Codex: a line", meta + item + item, "m0 r1 b", meta + QByteArray(item).replace("\"a\"", "\"b\""));
    row("Codex: a new line", meta + item, "i0 n",
        meta + QByteArray(item).replace("\"a\"", "\"n\"").replace("\r\n", "\n") + item);
}

void SpliceTest::exactBytes()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, edit);
    QFETCH(QByteArray, after);
    const auto session = testing::load(before.toStdString());
    QVERIFY2(session.has_value(), session ? "" : session.error().sentence().c_str());
    const Transcript transcript(*session, (*session)->threads.front().end);
    std::vector<MessageId> messages;
    for (const BlockId id : transcript.blocks()) {
        if (!std::ranges::contains(messages, (*session)->block(id).message))
            messages.push_back((*session)->block(id).message);
    }
    SpliceEdits edits;
    for (size_t at = 0; at < static_cast<size_t>(edit.size());) {
        const char what = edit[static_cast<qsizetype>(at)];
        const auto place = static_cast<size_t>(edit[static_cast<qsizetype>(at) + 1] - '0');
        const size_t textEnd = what == 'r' || what == 'i' ? static_cast<size_t>(edit.size()) : at + 2;
        const std::string text = textEnd > at + 3 ? edit.toStdString().substr(at + 3) : std::string();
        if (what == 'r')
            edits.replacements.push_back({ transcript.blocks()[place], text });
        else if (what == 'd')
            edits.droppedBlocks.push_back(transcript.blocks()[place]);
        else if (what == 'm')
            edits.droppedMessages.push_back(messages.at(place));
        else
            edits.insertions.push_back({ messages.at(place), Role::User, text, false });
        at = textEnd + 1;
    }
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    QVERIFY2(spliced->problems.empty(), spliced->problems.empty() ? "" : spliced->problems.front().sentence.c_str());
    QCOMPARE(QByteArray::fromStdString(spliced->bytes), after);
    QCOMPARE(QByteArray::fromStdString(restored(**session, *spliced)), before);
}

namespace {

std::string record(
    const std::string &uuid, const std::string &parent, const std::string &type, const std::string &message)
{
    return "{\"parentUuid\":" + (parent.empty() ? "null" : "\"" + parent + "\"") + R"(,"isSidechain":false,"type":")"
        + type + R"(","uuid":")" + uuid + R"(","message":)" + message + "}\n";
}
std::string user(const std::string &uuid, const std::string &parent, const std::string &text)
{
    return record(uuid, parent, "user", R"({"role":"user","content":")" + text + "\"}");
}
std::string answer(const std::string &uuid, const std::string &parent, const std::string &id, const std::string &part)
{
    return record(uuid, parent, "assistant", "{\"id\":\"" + id + R"(","role":"assistant","content":[)" + part + "]}");
}
std::string text(const std::string &words) { return R"({"type":"text","text":")" + words + "\"}"; }
std::string use(const std::string &id) { return R"({"type":"tool_use","id":")" + id + R"(","name":"n","input":{}})"; }
std::string result(const std::string &uuid, const std::string &parent, const std::string &id)
{
    return record(uuid, parent, "user",
        R"({"role":"user","content":[{"type":"tool_result","tool_use_id":")" + id + R"(","content":"of )" + id
            + "\"}]}");
}

} // namespace

void SpliceTest::childrenOfDroppedRecords()
{
    const std::string document = user("1", "", "a") + answer("2", "1", "m", text("b")) + user("3", "2", "c")
        + answer("4", "3", "n", text("d")) + user("5", "4", "e");
    const auto session = testing::load(document);
    SpliceEdits edits;
    edits.droppedMessages = { MessageId(1), MessageId(2) };
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(QByteArray::fromStdString(spliced->bytes),
        QByteArray::fromStdString(user("1", "", "a") + answer("4", "1", "n", text("d")) + user("5", "4", "e")));
    edits.droppedMessages = { MessageId(0), MessageId(1) };
    QCOMPARE(QByteArray::fromStdString(spliceSession(**session, edits)->bytes),
        QByteArray::fromStdString(user("3", "", "c") + answer("4", "3", "n", text("d")) + user("5", "4", "e")));
}

void SpliceTest::copiesOfDroppedRecords()
{
    const std::string first = user("1", "", "a") + answer("2", "1", "m", text("b"));
    const auto session = testing::load(first + first + user("3", "2", "c"));
    SpliceEdits edits;
    edits.droppedMessages = { MessageId(1) };
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(QByteArray::fromStdString(spliced->bytes),
        QByteArray::fromStdString(user("1", "", "a") + user("1", "", "a") + user("3", "1", "c")));
}

void SpliceTest::aSubagentThatBeginsLater()
{
    // Two ran side by side. The first record of one leaves, and so it stands behind the other.
    const auto of = [](const std::string &agent, std::string line) {
        const std::string_view side = R"("isSidechain":false)";
        return line.replace(line.find(side), side.size(), R"("isSidechain":true,"agentId":")" + agent + "\"");
    };
    const std::string gone = of("x", user("s1", "", "to x"));
    const std::string rest = of("y", user("s2", "", "to y"));
    const std::string last = of("y", answer("s4", "s2", "p", text("of y")));
    const std::string main = user("1", "", "a");
    const auto session = testing::load(main + gone + rest + of("x", answer("s3", "s1", "o", text("of x"))) + last);
    QCOMPARE((*session)->threads.size(), 3U);
    QCOMPARE((*session)->threads[1].id, "x");
    SpliceEdits edits;
    edits.droppedMessages = { (*session)->block(BlockId(1)).message };
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(QByteArray::fromStdString(spliced->bytes),
        QByteArray::fromStdString(main + rest + of("x", answer("s3", "", "o", text("of x"))) + last));
    QCOMPARE((*testing::load(spliced->bytes))->threads[1].id, "y");
}

void SpliceTest::aMessageBeforeParallelResults()
{
    // Results of parallel calls hang on different records of one response: all must come to stand behind the new one.
    const std::string document = user("1", "", "a") + answer("2", "1", "m", use("x")) + answer("3", "2", "m", use("y"))
        + result("4", "2", "x") + result("5", "3", "y") + answer("6", "5", "n", text("d"));
    const auto session = testing::load(document);
    SpliceEdits edits;
    edits.insertions.push_back({ (*session)->block(BlockId(3)).message, Role::User, "new", true });
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    const auto again = testing::load(spliced->bytes);
    QCOMPARE(QString::fromStdString(testing::describe(**again)),
        u"user{text+typed \"a\"} assistant{call n#x \"{}\", call n#y \"{}\"} user{text+summary \"new\", "
        "result n#x \"of x\", result n#y \"of y\"} assistant{text \"d\"}"_s);
    QCOMPARE(spliceSession(**session, edits)->bytes, spliced->bytes);
}

/// Messages without an id are not read; a call and its result share a record.
void SpliceTest::aMessageInAGeminiChat()
{
    const auto session = testing::load(
        R"({"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"user","content":"a"},{"id":"2","type":"gemini","content":"","model":"g","tokens":{"input":1},"toolCalls":[{"id":"c","name":"n","args":{},"result":[{"functionResponse":{"id":"c","name":"n","response":{"output":"o"}}}]}]}]})");
    QVERIFY(session.has_value());
    const Transcript transcript(*session, (*session)->threads.front().end);
    QCOMPARE(transcript.slotCount(), 3U);
    for (const size_t place : { size_t { 0 }, size_t { 1 }, size_t { 2 } }) {
        SpliceEdits edits;
        edits.insertions.push_back({ transcript.slots()[place].id, Role::User, "new" });
        const auto spliced = spliceSession(**session, edits);
        QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
        QCOMPARE(spliced->problems.size(), place == 2 ? 1U : 0U);
        const std::string array = arrayOf(**testing::load(spliced->bytes), 0);
        QCOMPARE(array.find("1: \"new\"") != std::string::npos, place != 2);
    }
}

void SpliceTest::whatCannotBeWritten_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<int>("replaced");
    QTest::addColumn<int>("dropped");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("part");
    const QByteArray head = R"({"model":"claude","max_tokens":1,"system":"s","messages":[)";
    const QByteArray image
        = R"({"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},{"type":"text","text":"t"}]})";
    QTest::newRow("a text for an image") << QByteArray(head + image + "]}") << 0 << -1 << QByteArray("t")
                                         << QByteArray("not text");
    QTest::newRow("arguments that are no JSON")
        << QByteArray(head + R"({"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]}]})")
        << 0 << -1 << QByteArray("{a}") << QByteArray("JSON");
    QTest::newRow("a result without its image") << QByteArray(head
        + R"({"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"t"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]}]}]})")
                                                << -1 << 1 << QByteArray() << QByteArray("images");
    QTest::newRow("a record that had to be repaired") << QByteArray(
        R"({"parentUuid":null,"isSidechain":false,"type":"user","uuid":"1","message":{"role":"user","content":"a)"
        "\x01"
        R"(b"}})"
        "\n") << 0 << -1 << QByteArray("t") << QByteArray("repaired");
}

void SpliceTest::whatCannotBeWritten()
{
    QFETCH(QByteArray, before);
    QFETCH(int, replaced);
    QFETCH(int, dropped);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, part);
    const auto session = testing::load(before.toStdString());
    QVERIFY2(session.has_value(), session ? "" : session.error().sentence().c_str());
    std::vector<BlockId> blocks;
    (*session)->threads.front().end.forEach([&](BlockId id) { blocks.push_back(id); });
    SpliceEdits edits;
    if (replaced >= 0)
        edits.replacements.push_back({ blocks.at(static_cast<size_t>(replaced)), text.toStdString() });
    if (dropped >= 0)
        edits.droppedBlocks.push_back(blocks.at(static_cast<size_t>(dropped)));
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(spliced->problems.size(), 1U);
    QVERIFY2(
        spliced->problems.front().sentence.contains(part.toStdString()), spliced->problems.front().sentence.c_str());
    QCOMPARE(QByteArray::fromStdString(spliced->bytes), before);
    QVERIFY(spliced->inverse.empty());
}

void SpliceTest::aRecordingBecomesItsLastRequest()
{
    const auto session = testing::load(anthropicRecording(*core::session("u:20 a:30 t:500 a:70 u:20 a:10")));
    QVERIFY((*session)->recordCount > 2);
    SpliceEdits edits;
    edits.droppedMessages = { (*session)->block(BlockId(0)).message };
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(spliced->notes.size(), 1U);
    QCOMPARE(restored(**session, *spliced), (*session)->sources.front()->bytes());
    const auto again = testing::load(spliced->bytes);
    QCOMPARE((*again)->recordCount, 1U);
    QCOMPARE(testing::slotsAtEnd(*again) + 1, testing::slotsAtEnd(*session));
}

void SpliceTest::aReplacedHistory()
{
    const auto line = [](const std::string &type, const std::string &payload) {
        return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + "\",\"payload\":" + payload + "}\n";
    };
    const auto item = [](const std::string &role, const std::string &words) {
        return R"({"type":"message","role":")" + role + R"(","content":[{"type":")"
            + (role == "user" ? "input_text" : "output_text") + R"(","text":")" + words + "\"}]}";
    };
    const std::string before = line("session_meta", R"({"id":"x"})") + line("response_item", item("user", "first"))
        + line("response_item", item("assistant", "second"))
        + line("compacted",
            R"({"message":"sum","replacement_history":[)" + item("user", "first") + "," + item("user", "sum") + "]}")
        + line("response_item", item("assistant", "third"));
    const auto session = testing::load(before);
    QVERIFY(session.has_value());
    std::vector<BlockId> blocks;
    (*session)->threads.front().end.forEach([&](BlockId id) { blocks.push_back(id); });
    QCOMPARE(blocks.size(), 3U);
    SpliceEdits edits;
    edits.replacements.push_back({ blocks[0], "changed" });
    edits.droppedBlocks.push_back(blocks[1]);
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());
    QCOMPARE(restored(**session, *spliced), before);
    QVERIFY2(spliced->bytes.contains("\"first\""), "the lines before the compaction were changed");
    QCOMPARE(arrayOf(**testing::load(spliced->bytes), 0), "\n1: \"changed\"\n2: \"third\"");
}

void SpliceTest::textsAreEscaped()
{
    QCOMPARE(escapedJson("plain"), "plain");
    QCOMPARE(escapedJson("a\"b\\c\nd\te\r\x01\x1f\x7f"), "a\\\"b\\\\c\\nd\\te\\r\\u0001\\u001f\x7f");
    QCOMPARE(escapedJson("é日😀"), "é日😀");
    QCOMPARE(escapedJson("\xED\xA0\x80x\xED\xB0\x80"), "\\ud800x\\udc00");
    QCOMPARE(escapedJson("a\xFFz"), "a\xEF\xBF\xBDz");
    QCOMPARE(decodeJsonString(escapedJson(std::string("\0\xED\xA0\x80", 4))), std::string("\0\xED\xA0\x80", 4));
}

void SpliceTest::nothingToDo()
{
    for (const auto &[format, bytes] : filesOf(*core::session("u:10 a:200 t:5000 a:70"))) {
        const auto session = testing::load(bytes);
        QVERIFY2(session.has_value(), format.c_str());
        QVERIFY2(format.starts_with((*session)->format), (*session)->format.c_str());
        const auto spliced = spliceSession(**session, {});
        QVERIFY(spliced->bytes == bytes && spliced->inverse.empty() && spliced->problems.empty());
        // An edit that changes nothing changes nothing.
        SpliceEdits edits;
        edits.replacements.push_back({ BlockId(0), (*session)->text((*session)->block(BlockId(0)).body) });
        QVERIFY2(format.contains("recording") || spliceSession(**session, edits)->bytes == bytes, format.c_str());
    }
}

void SpliceTest::randomSessions()
{
    std::mt19937_64 random = seededRandom();
    std::map<std::string, Tally> tallies;
    for (int round = 0; round < caseCount(2); ++round) {
        const std::string line = randomLine(random, 2 + random() % 40);
        for (const auto &[format, bytes] : filesOf(*core::session(line))) {
            const auto session = testing::load(bytes);
            QVERIFY2(session.has_value(),
                (format + ": " + line + "\n" + (session ? "" : session.error().sentence()) + "\n"
                    + bytes.substr(0, 1500))
                    .c_str());
            for (int k = 0; k < 3; ++k) {
                const std::string problem = problemOf(*session, 0, random, tallies[format]);
                QVERIFY2(problem.empty(), (format + " of " + line + "\n" + problem).c_str());
            }
        }
    }
    for (const auto &[format, tally] : tallies) {
        for (const std::string &reason : tally.reasons)
            qInfo("%s: %s", format.c_str(), reason.c_str());
        qInfo("%s: %zu written, %zu refused, %zu edits, %zu left out", format.c_str(), tally.edited, tally.refused,
            tally.edits, tally.leftOut);
    }
    for (const auto &[format, tally] : tallies)
        QVERIFY2(tally.refused == 0, format.c_str());
}

void SpliceTest::theCorpus_data()
{
    QTest::addColumn<QString>("file");
    std::mt19937_64 random = seededRandom();
    for (const std::string &file : testing::corpusFiles()) {
        const bool isWanted = random() % 4 == 0 || caseCount(1) > 1;
        if (isWanted)
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
    if (testing::corpus().empty())
        QTest::newRow("none") << QString();
}

void SpliceTest::theCorpus()
{
    QFETCH(QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus here.");
    const auto session = loadSession(testing::corpus() / file.toStdString());
    if (!session)
        return; // other tests say which files are read
    if ((*session)->traits->splice.message == nullptr) {
        QVERIFY(!spliceSession(**session, {}));
        return;
    }
    std::mt19937_64 random(std::hash<std::string> {}(file.toStdString()));
    Tally tally;
    for (int round = 0; round < caseCount(2) && round < 20; ++round) {
        const size_t thread = random() % 3 == 0 ? random() % (*session)->threads.size() : 0;
        const std::string problem = problemOf(*session, thread, random, tally);
        QVERIFY2(problem.empty(), problem.c_str());
    }
    for (const std::string &reason : tally.reasons)
        qInfo("%s", reason.c_str());
    qInfo("%s: %zu written, %zu refused, %zu edits, %zu left out", (*session)->format.c_str(), tally.edited,
        tally.refused, tally.edits, tally.leftOut);
    // Claude Code's queued messages have no place of their own in the file: a change beside one can move it, and is
    // then refused.
    const bool hasQueue = std::ranges::any_of((*session)->blocks, [&](const Block &block) {
        return block.is(BlockFlag::Typed) && (*session)->record(block).contains("\"queue-operation\"");
    });
    // A response can be all that parts two branches of the user's records: without it they are read as one message.
    const bool hasParted = partsBranches((*session)->sources.front()->bytes());
    // Kimi's compactions keep the last prompts by their number: one more among them moves another out.
    const bool countsPrompts = (*session)->format == "kimi-cli" && !(*session)->threads.front().compactions.empty();
    QVERIFY(hasQueue || hasParted || countsPrompts || tally.refused == 0);
}

PALIMPSEST_TEST(SpliceTest)
#include "tst_splice.moc"
