// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/codex_rollout.h"

#include "core/base/text.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/orphan_results.h"

#include <algorithm>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

/// Seconds since 1970 as a number (written by converters), or an ISO time.
std::optional<Timestamp> timeOf(ondemand::value value)
{
    if (value.type() == json_type::string)
        return parseTime(rawString(value));
    if (value.type() != json_type::number)
        return std::nullopt;
    double number = 0;
    return value.get_double().get(number) == simdjson::SUCCESS ? timeOfNumber(number) : std::nullopt;
}

/// The display name of the program that wrote a rollout, by its `originator`.
std::string harnessOf(std::string_view originator, std::string_view version)
{
    std::string name = "Codex CLI";
    if (originator.find("vscode") != std::string_view::npos)
        name = "Codex for VS Code";
    else if (originator.find("exec") != std::string_view::npos)
        name = "Codex exec";
    else if (originator.find("Desktop") != std::string_view::npos)
        name = "Codex Desktop";
    return version.empty() ? name : name + " " + std::string(version);
}

/// The folder in `<environment_context>`; headers of the bare era have none.
std::string folderInEnvironment(std::string_view text)
{
    constexpr std::string_view kOpening = "<cwd>";
    const size_t begin = text.find(kOpening);
    const size_t end = text.find("</cwd>", begin);
    if (!text.starts_with("<environment_context>") || end == std::string_view::npos)
        return {};
    return std::string(text.substr(begin + kOpening.size(), end - begin - kOpening.size()));
}

std::string branchOf(ondemand::object git)
{
    for (auto field : git) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "branch" && value.type() == json_type::string)
            return decodeJsonString(rawString(value));
    }
    return {};
}

/// The session that started this one: `{"subagent": {"thread_spawn": {"parent_thread_id": …}}}`.
std::string starterOf(ondemand::object source)
{
    std::string_view id;
    const bool isSpawned
        = source["subagent"]["thread_spawn"]["parent_thread_id"].get_string().get(id) == simdjson::SUCCESS;
    return isSpawned ? std::string(id) : std::string();
}

} // namespace

CodexRollout::CodexRollout()
    : m_items(m_builder)
    , m_thread(m_builder.addThread(ThreadKind::Main))
    , m_history(m_builder, m_items, m_thread)
{
    Session &session = m_builder.session();
    setFormat(session, kCodex);
}

CodexRollout::CodexRollout(const CodexRollout &other)
    : m_builder(other.m_builder)
    , m_items(other.m_items, m_builder)
    , m_thread(other.m_thread)
    , m_history(other.m_history, m_builder, m_items)
    , m_hasHeader(other.m_hasHeader)
    , m_prelude(other.m_prelude)
    , m_instructions(other.m_instructions)
    , m_preludePlace(other.m_preludePlace)
    , m_isPreludeSettled(other.m_isPreludeSettled)
    , m_hasItems(other.m_hasItems)
{
}

// --- lines ---------------------------------------------------------------------------------------------------------

void CodexRollout::visit(ondemand::object &object, const Record &record)
{
    ItemPlace place { record.source, record.line, record.offset, record.bytes.size(), {}, {} };
    // Parse the whole record before using it: after a repair it is visited again.
    (void)object.raw_json().value();
    object.reset();
    if (const auto time = memberOf(object, "timestamp"))
        place.time = timeOf(*time);
    std::string_view type;
    if (const auto value = memberOf(object, "type"); value && isString(*value))
        type = rawString(*value);
    if (const auto payload = memberOf(object, "payload")) {
        readPayload(type, *payload, record, place);
    } else {
        object.reset();
        readBareRecord(object, record, place);
    }
    object.reset();
    (void)object.raw_json().value(); // to its end, or the line would be searched for a second record
    ++m_builder.session().recordCount;
}

void CodexRollout::readPayload(
    std::string_view type, ondemand::value payload, const Record &record, const ItemPlace &place)
{
    if (!isObject(payload)) {
        countAside(record);
        return;
    }
    if (type == "response_item")
        acceptItem(m_items.read(payload.get_object(), place), record);
    else if (type == "event_msg")
        readEvent(payload.get_object(), record, place);
    else if (type == "compacted")
        readCompacted(payload.get_object(), place);
    else if (type == "session_meta")
        acceptHeader(readHeader(payload.get_object(), place), place);
    else if (type == "turn_context")
        readTurnContext(payload.get_object(), place);
    if (type != "response_item" && type != "event_msg" && type != "compacted" && type != "session_meta")
        countAside(record); // never in the array
}

void CodexRollout::readBareRecord(ondemand::object &object, const Record &record, const ItemPlace &place)
{
    bool isItem = false;
    bool isHeader = false;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        isItem = isItem || key == "type" || key == "role";
        isHeader = isHeader || key == "instructions" || key == "git";
        if (key == "record_type") {
            isItem = false;
            isHeader = false;
            break;
        }
    }
    object.reset();
    if (isItem)
        acceptItem(m_items.read(object, place), record);
    else if (isHeader)
        acceptHeader(readHeader(object, place), place);
    else
        countAside(record);
}

void CodexRollout::readEvent(ondemand::object payload, const Record &record, const ItemPlace &place)
{
    std::string_view type;
    StringId callId;
    std::optional<uint64_t> turns;
    std::optional<UsageReport> report;
    for (auto field : payload) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "type" && value.type() == json_type::string)
            type = rawString(value);
        else if (key == "info" && isObject(value))
            report = readTokenCount(value.get_object(), place);
        else if (key == "model_context_window")
            setWindow(unsignedOf(value));
        else if (key == "num_turns")
            turns = unsignedOf(value);
        else if ((key == "call_id" || key == "callId") && value.type() == json_type::string)
            callId = internString(m_builder, rawString(value));
    }
    if (type == "thread_rolled_back" && turns)
        m_history.rollBack(*turns, record.line);
    else if (type == "token_count" && report)
        acceptUsage(*report);
    countAside(record, callId);
}

void CodexRollout::setWindow(std::optional<uint64_t> tokens)
{
    if (tokens && *tokens > 0)
        m_builder.session().windowTokens = tokens;
}

std::optional<UsageReport> CodexRollout::readTokenCount(ondemand::object info, const ItemPlace &place)
{
    UsageReport report;
    report.time = place.time;
    report.line = place.line;
    bool hasUsage = false;
    for (auto field : info) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "model_context_window") {
            setWindow(unsignedOf(value));
        } else if ((key == "total_token_usage" || key == "last_token_usage") && isObject(value)) {
            // The totals only identify repeats; `last_token_usage` is the usage of one call.
            ondemand::object figures = value.get_object();
            const std::string_view raw = figures.raw_json();
            report.identity = combine(report.identity, combine(hashOf(key), hashOf(raw)));
            figures.reset();
            if (key == "last_token_usage") {
                report.usage = ResponsesItems::readUsage(figures);
                report.totalTokens = report.usage.prompt() + report.usage.output;
                hasUsage = true;
            }
        }
    }
    return hasUsage ? std::optional(report) : std::nullopt;
}

void CodexRollout::readTurnContext(ondemand::object payload, const ItemPlace &place)
{
    for (auto field : payload) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (value.type() != json_type::string)
            continue;
        if (key == "model") {
            const StringId model = m_builder.intern(decodeJsonString(rawString(value)));
            m_history.setModel(model);
        } else if (key == "cwd" && m_builder.session().workingFolder.empty()) {
            m_builder.session().workingFolder = decodeJsonString(rawString(value));
        } else if (key == "base_instructions" && m_prelude.empty() && !m_isPreludeSettled) {
            m_items.readInstructions(value, place, m_prelude);
            m_preludePlace = place;
        }
    }
}

void CodexRollout::readCompacted(ondemand::object payload, const ItemPlace &place)
{
    std::string_view message;
    bool hasHistory = false;
    std::vector<ResponsesItem> items;
    ItemPlace own = place;
    own.recordSize = 0; // each item is its own JSON value
    for (auto field : payload) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "message" && value.type() == json_type::string) {
            message = rawString(value);
        } else if (key == "replacement_history" && value.type() == json_type::array) {
            hasHistory = true;
            for (ondemand::value item : value.get_array()) {
                if (isObject(item))
                    items.push_back(m_items.read(item.get_object(), own));
            }
        }
    }
    settlePrelude();
    if (!hasHistory) {
        summarise(message, place);
        return;
    }
    // The new array repeats the summary; its text identifies the item.
    const std::string text = decodeJsonString(message);
    for (ResponsesItem &item : items) {
        if (text.empty() || item.draft.role != Role::User)
            continue;
        for (Block &block : item.draft.blocks) {
            if (block.kind != BlockKind::Text || block.lengths.bytes != text.size()
                || m_builder.session().text(block.body) != text)
                continue;
            block.flags = 0;
            block.set(BlockFlag::Summary);
        }
    }
    m_history.replace(std::move(items), place.line);
}

/// Handles a compaction that recorded its summary but not its new array.
void CodexRollout::summarise(std::string_view message, const ItemPlace &place)
{
    ResponsesItem summary;
    summary.kind = ResponsesItem::Kind::Message;
    summary.draft.role = Role::User;
    summary.draft.line = place.line;
    summary.draft.time = place.time;
    const std::string &name = m_builder.session().sources[place.source.index()]->name();
    const Body body = message.empty() ? m_builder.ownedBody("(no summary available)", name)
                                      : m_builder.jsonStringBody(place.source, message);
    Block block = m_builder.makeBlock(BlockKind::Text, body);
    block.recordLine = place.line;
    block.recordOffset = message.empty() ? 0 : place.recordOffset; // in the body's own source
    block.recordSize = message.empty() ? body.size : place.recordSize;
    summary.draft.blocks.push_back(block);
    m_history.summarise(std::move(summary), place.line);
}

// --- parsed records ------------------------------------------------------------------------------------------------

CodexHeader CodexRollout::readHeader(ondemand::object object, const ItemPlace &place) const
{
    CodexHeader header;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        const bool isString = value.type() == json_type::string;
        const auto assign = [&](std::string &to) { to = decodeJsonString(rawString(value)); };
        if (key == "base_instructions")
            m_items.readInstructions(value, place, header.prelude);
        else if (key == "dynamic_tools")
            m_items.readTools(value, place, header.prelude);
        else if (key == "git" && value.type() == json_type::object)
            header.branch = branchOf(value.get_object());
        else if (key == "source" && value.type() == json_type::object)
            header.startedBy = starterOf(value.get_object());
        else if (!isString)
            continue;
        else if (key == "instructions")
            header.instructions = rawString(value);
        else if (key == "id")
            assign(header.id);
        else if (key == "cwd")
            assign(header.cwd);
        else if (key == "originator")
            assign(header.originator);
        else if (key == "cli_version")
            assign(header.version);
        else if (key == "forked_from_id")
            assign(header.forkedFrom);
        else if (key == "parent_thread_id")
            assign(header.startedBy);
    }
    return header;
}

/// The first header describes the file. Later ones (a fork's parent, a resume) only mark where copies may begin.
void CodexRollout::acceptHeader(CodexHeader header, const ItemPlace &place)
{
    if (m_hasHeader) {
        m_history.beginCopies();
        return;
    }
    m_hasHeader = true;
    Session &session = m_builder.session();
    session.harness = harnessOf(header.originator, header.version);
    session.workingFolder = std::move(header.cwd);
    session.branch = std::move(header.branch);
    m_builder.thread(m_thread).id = std::move(header.id);
    if (!header.startedBy.empty())
        session.origin = { Origin::Kind::Subagent, header.startedBy };
    else if (!header.forkedFrom.empty())
        session.origin = { Origin::Kind::Fork, header.forkedFrom };
    if (!header.forkedFrom.empty())
        m_builder.note(place.line, "This session is a fork of " + header.forkedFrom + " and begins with a copy of it.");
    m_preludePlace = place;
    m_prelude = std::move(header.prelude);
    if (!header.instructions.empty()) {
        Block block = m_builder.makeBlock(BlockKind::Text, m_builder.jsonStringBody(place.source, header.instructions));
        block.recordLine = place.line;
        block.recordOffset = place.recordOffset;
        block.recordSize = place.recordSize;
        m_instructions = block;
    }
}

void CodexRollout::acceptItem(ResponsesItem item, const Record &record)
{
    if (item.kind == ResponsesItem::Kind::Snapshot) {
        countAside(record);
        return;
    }
    if (item.isModelOutput)
        settlePrelude();
    Session &session = m_builder.session();
    for (const Block &block : item.draft.blocks) {
        if (session.title.empty() && block.is(BlockFlag::Typed))
            session.title = snippet(session.textHead(block.body, kTitleCodePoints * 4 + 64), kTitleCodePoints);
        if (session.workingFolder.empty() && block.is(BlockFlag::Injected))
            session.workingFolder = folderInEnvironment(session.text(block.body));
    }
    const size_t before = session.blocks.size();
    m_history.addItem(std::move(item));
    for (size_t i = before; i < session.blocks.size(); ++i) {
        if (session.blocks[i].kind == BlockKind::ToolCall && session.blocks[i].callId.isValid())
            m_calls.insert_or_assign(session.blocks[i].callId, BlockId(i));
    }
    m_hasItems = true;
}

void CodexRollout::acceptUsage(const UsageReport &report)
{
    settlePrelude();
    m_history.addUsage(report);
}

/// Counts a record that was never in a context, for its tool call if it names one.
void CodexRollout::countAside(const Record &record, StringId callId)
{
    Session &session = m_builder.session();
    session.sideBytes += record.bytes.size();
    const auto call = callId.isValid() ? m_calls.find(callId) : m_calls.end();
    if (call != m_calls.end())
        session.blocks[call->second.index()].sideBytes += record.bytes.size();
}

/// Adds system prompt and tools to the pool directly before the first call. Only then is it known whether the header's
/// `instructions` are the system prompt or the user's AGENTS.md, which is a separate message.
void CodexRollout::settlePrelude()
{
    if (m_isPreludeSettled)
        return;
    m_isPreludeSettled = true;
    if (m_instructions && !isInArray(*m_instructions))
        m_prelude.insert(m_prelude.begin(), *m_instructions);
    if (m_prelude.empty())
        return;
    MessageDraft draft;
    draft.role = Role::System;
    draft.line = m_preludePlace.line;
    draft.time = m_preludePlace.time;
    draft.blocks = std::move(m_prelude);
    m_history.setPrelude(m_builder.rangeOf(m_builder.addMessage(m_thread, draft)));
}

bool CodexRollout::isInArray(const Block &instructions) const
{
    const Session &session = m_builder.session();
    const std::string text = session.text(instructions.body);
    for (const MessageId message : m_history.openingMessages()) {
        const BlockRange range = m_builder.rangeOf(message);
        for (uint32_t i = range.begin; i < range.end; ++i) {
            const Block &block = session.blocks[i];
            if (block.kind == BlockKind::Text && block.lengths.bytes >= text.size()
                && session.text(block.body).find(text) != std::string::npos)
                return true;
        }
    }
    return false;
}

SessionPtr CodexRollout::finish()
{
    Session &session = m_builder.session();
    if (session.harness.empty())
        session.harness = "Codex CLI";
    settlePrelude();
    m_history.finish();
    m_builder.thread(m_thread).title = session.title;
    if (!m_hasItems)
        m_builder.note(0, "The file contains only its header, no conversation (an abandoned start).");
    noteOrphanResults(m_builder);
    return m_builder.finish();
}

} // namespace core
