// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/databases/opencode_session.h"

#include "core/base/text.h"

#include <algorithm>

namespace core {

namespace {

constexpr std::string_view kCleared = "[Old tool result content cleared]";

/// Newer versions count the reasoning beside the output, and write a total.
std::optional<Usage> usageOfTokens(const JsonMembers &tokens)
{
    const JsonMembers cache = tokens.object("cache");
    const auto number
        = [](const JsonMembers &members, std::string_view key) { return members.number(key).value_or(0); };
    Usage usage { number(tokens, "input"), number(cache, "read"), number(cache, "write"), number(tokens, "output") };
    if (usage.prompt() == 0)
        return std::nullopt;
    usage.reasoning = tokens.number("reasoning");
    if (tokens.number("total"))
        usage.output += usage.reasoning.value_or(0);
    return usage;
}

std::optional<Timestamp> timeIn(const JsonMembers &members, std::string_view key)
{
    const auto number = jsonNumber(members.raw(key));
    return number ? timeOfNumber(*number) : std::nullopt;
}

/// Words that opencode sends in the place of a part; they are not in the file.
Block wordsOf(SessionBuilder &builder, BlockKind kind, std::string_view words, uint64_t line)
{
    Block block = builder.makeBlock(kind, builder.ownedBody(std::string(words), "opencode's words"));
    block.set(BlockFlag::Stub);
    block.recordLine = line;
    return block;
}

} // namespace

void OpencodeSession::addMessage(
    SessionBuilder &builder, const std::string &id, const JsonMembers &info, const Record &record)
{
    m_byId[id] = m_messages.size();
    Message &message = m_messages.emplace_back();
    message.id = id;
    message.answered = decodeJsonString(info.string("parentID"));
    message.draft.role = info.string("role") == "assistant" ? Role::Assistant : Role::User;
    message.draft.line = record.line;
    message.draft.externalId = builder.intern(id);
    message.draft.model = internString(builder, info.string("modelID"));
    message.draft.time = timeIn(info.object("time"), "created");
    message.usage = usageOfTokens(info.object("tokens"));
    message.isSummary = message.draft.role == Role::Assistant && info.isTrue("summary") && info.has("finish");
    message.isFailed = isJsonObject(info.raw("error"));
}

void OpencodeSession::addPart(
    SessionBuilder &builder, const std::string &message, std::string_view raw, const Record &record)
{
    const auto place = m_byId.find(message);
    const JsonMembers part(raw);
    const std::string_view type = part.string("type");
    if (place == m_byId.end()) {
        builder.warn(record.line, "A part belongs to no message; it was skipped.");
        return;
    }
    Message &target = m_messages[place->second];
    const RecordBlocks blocks(builder, record);
    if (target.draft.role == Role::User) {
        addUserPart(builder, part, blocks, target);
        return;
    }
    if (type == "step-start" && !target.steps.back().blocks.empty())
        target.steps.emplace_back();
    Step &step = target.steps.back();
    if (type == "text" && !part.string("text").empty())
        step.blocks.push_back(blocks.block(BlockKind::Text, part.raw("text")));
    else if (type == "reasoning" && !part.string("text").empty())
        step.blocks.push_back(blocks.block(BlockKind::Thinking, part.raw("text")));
    else if (type == "tool")
        addTool(builder, part, blocks, target);
    else if (type == "file")
        step.blocks.push_back(blocks.media(part.raw("url"), part.string("mime")));
    else if (type == "step-finish")
        step.usage = usageOfTokens(part.object("tokens"));
    else
        builder.session().sideBytes += raw.size();
}

/// Files of text are sent as the texts beside them.
void OpencodeSession::addUserPart(
    SessionBuilder &builder, const JsonMembers &part, const RecordBlocks &blocks, Message &message)
{
    const std::string_view type = part.string("type");
    std::vector<Block> &own = message.steps.back().blocks;
    const uint64_t line = message.draft.line;
    if (type == "text" && !part.isTrue("ignored") && !part.string("text").empty()) {
        own.push_back(blocks.block(BlockKind::Text, part.raw("text")));
        own.back().set(part.isTrue("synthetic") ? BlockFlag::Injected : BlockFlag::Typed);
    } else if (type == "file" && part.string("mime") != "text/plain"
        && part.string("mime") != R"(application\/x-directory)" && part.string("mime") != "application/x-directory") {
        own.push_back(blocks.media(part.raw("url"), part.string("mime")));
    } else if (type == "compaction") {
        message.isCompaction = true;
        message.tail = decodeJsonString(part.string("tail_start_id"));
        own.push_back(wordsOf(builder, BlockKind::Text, "What did we do so far?", line));
    } else if (type == "subtask") {
        own.push_back(wordsOf(builder, BlockKind::Text, "The following tool was executed by the user", line));
    }
}

void OpencodeSession::addTool(
    SessionBuilder &builder, const JsonMembers &part, const RecordBlocks &blocks, Message &message)
{
    Step &step = message.steps.back();
    const JsonMembers state = part.object("state");
    step.blocks.push_back(blocks.call(part.string("tool"), part.string("callID"), state.raw("input")));
    const JsonMembers metadata = state.object("metadata");
    for (const std::string_view key : { "sessionId", "sessionID" }) {
        if (!metadata.string(key).empty())
            m_children[decodeJsonString(metadata.string(key))] = decodeJsonString(part.string("callID"));
    }
    const std::string_view status = state.string("status");
    Outcome &outcome = step.outcomes.emplace_back();
    outcome.message.draft = message.draft;
    outcome.message.draft.role = Role::Tool;
    outcome.message.draft.model = {};
    std::vector<Block> &result = outcome.message.draft.blocks;
    if (status == "completed" || status == "error") {
        result.push_back(blocks.result(part.string("callID"), state.raw(status == "error" ? "error" : "output")));
        if (status == "error")
            result.back().set(BlockFlag::Error);
        result.back().sideBytes = state.raw("metadata").size();
        builder.session().sideBytes += result.back().sideBytes;
        outcome.cleared = timeIn(state.object("time"), "compacted");
    } else {
        result.push_back(
            wordsOf(builder, BlockKind::ToolResult, "[Tool execution was interrupted]", message.draft.line));
        result.back().callId = internString(builder, part.string("callID"));
        result.back().set(BlockFlag::Error);
    }
    const StringId call = result.front().callId;
    for (const std::string_view raw : jsonElements(state.raw("attachments")).items) {
        const JsonMembers file(raw);
        result.push_back(blocks.media(file.raw("url"), file.string("mime")));
        result.back().callId = call;
    }
}

StringId OpencodeSession::callOfChild(SessionBuilder &builder, const std::string &session) const
{
    const auto found = m_children.find(session);
    return found == m_children.end() ? StringId() : builder.intern(found->second);
}

// --- the arrays ----------------------------------------------------------------------------------------------------

/// Replays the messages into the log of a thread.
class OpencodeSession::Writer final {
public:
    Writer(const OpencodeSession &session, SessionBuilder &builder)
        : m_session(session)
        , m_builder(builder)
    {
    }

    ThreadLog replay()
    {
        for (const Message &message : m_session.m_messages) {
            if (message.draft.role == Role::User)
                addUser(message);
            else if (message.isSummary && m_asked.contains(message.answered))
                compact(message);
            else
                addSteps(message);
        }
        clearUntil(std::nullopt);
        return std::move(m_log);
    }

private:
    struct Clearing {
        Timestamp time = 0;
        ThreadLog::Index result = 0;
    };

    void addUser(const Message &message)
    {
        LoggedMessage logged;
        logged.draft = message.draft;
        logged.draft.blocks = message.steps.back().blocks;
        clearUntil(message.draft.time);
        const size_t place = m_log.array().size();
        m_starts[message.id] = m_log.add(std::move(logged));
        if (message.isCompaction)
            m_asked[message.id] = { &message, place };
    }

    void addSteps(const Message &message)
    {
        clearUntil(message.draft.time);
        for (const Step &step : message.steps) {
            const bool isLast = &step == &message.steps.back();
            const bool isSent = !message.isFailed
                || std::ranges::any_of(step.blocks, [](const Block &b) { return b.kind != BlockKind::Thinking; });
            if (!isSent)
                continue;
            LoggedMessage logged;
            logged.draft = message.draft;
            logged.draft.blocks = step.blocks;
            logged.isResponse = true;
            logged.responseId = message.draft.externalId;
            logged.usage = step.usage || !isLast ? step.usage : message.usage;
            const ThreadLog::Index index = m_log.add(std::move(logged));
            m_starts.try_emplace(message.id, index);
            for (const Outcome &outcome : step.outcomes) {
                const ThreadLog::Index result = m_log.add(outcome.message);
                if (outcome.cleared)
                    m_clearings.push_back({ *outcome.cleared, result });
            }
        }
    }

    /// The question and its summary, then the messages that were kept.
    void compact(const Message &message)
    {
        const Asked asked = m_asked.at(message.answered);
        const std::vector<ThreadLog::Index> before = m_log.array();
        if (asked.place >= before.size())
            return;
        LoggedMessage summary;
        summary.draft = message.draft;
        for (const Step &step : message.steps)
            std::ranges::copy(step.blocks, std::back_inserter(summary.draft.blocks));
        for (Block &block : summary.draft.blocks)
            block.set(BlockFlag::Summary);
        std::vector<ThreadLog::Index> array { before[asked.place], m_log.store(std::move(summary)) };
        const auto tail = m_starts.find(asked.message->tail);
        const auto from = tail == m_starts.end() ? before.end() : std::ranges::find(before, tail->second);
        for (auto at = from; at < before.begin() + static_cast<std::ptrdiff_t>(asked.place); ++at)
            array.push_back(*at);
        array.insert(array.end(), before.begin() + static_cast<std::ptrdiff_t>(asked.place) + 1, before.end());
        RecordedCompaction how;
        how.line = message.draft.line;
        m_log.replace(std::move(array), std::move(how));
    }

    /// Puts stubs in the place of the results that were cleared before this time, or at all.
    void clearUntil(std::optional<Timestamp> time)
    {
        std::vector<ThreadLog::Index> array = m_log.array();
        bool isChanged = false;
        std::erase_if(m_clearings, [&](const Clearing &each) {
            const auto place = std::ranges::find(array, each.result);
            if (place == array.end() || (time && each.time > *time))
                return place == array.end();
            LoggedMessage stub;
            stub.draft = m_log.at(each.result).draft;
            stub.stubOf = each.result;
            Block block = wordsOf(m_builder, BlockKind::ToolResult, kCleared, stub.draft.line);
            block.callId = stub.draft.blocks.front().callId;
            stub.draft.blocks = { block };
            *place = m_log.store(std::move(stub));
            isChanged = true;
            return true;
        });
        RecordedCompaction how;
        how.kind = CompactionKind::Clearing;
        if (isChanged)
            m_log.replace(std::move(array), std::move(how));
    }

    /// A message that asks for a summary, and its place in the array.
    struct Asked {
        const Message *message = nullptr;
        size_t place = 0;
    };

    const OpencodeSession &m_session;
    SessionBuilder &m_builder;
    ThreadLog m_log;
    std::unordered_map<std::string, ThreadLog::Index> m_starts; ///< the first of a message in the log
    std::unordered_map<std::string, Asked> m_asked;
    std::vector<Clearing> m_clearings;
};

void OpencodeSession::write(SessionBuilder &builder, ThreadIndex thread) const
{
    Writer(*this, builder).replay().write(builder, thread);
}

} // namespace core
