// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/item_history.h"
#include "core/formats/reading/json_records.h"
#include "core/json/json_probe.h"
#include "core/json/line_cursor.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

/// Seconds since 1970 as a number (converters write such), or an ISO time.
std::optional<Timestamp> timeOf(ondemand::value value)
{
    if (value.type() == json_type::string)
        return parseTime(rawString(value));
    if (value.type() != json_type::number)
        return std::nullopt;
    double number = 0;
    if (value.get_double().get(number) != simdjson::SUCCESS || number <= 0 || number > 1e15)
        return std::nullopt;
    return static_cast<Timestamp>(number > 1e11 ? number : number * 1000);
}

/// What people call the program that wrote a rollout, by its `originator`.
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

/// The folder that `<environment_context>` names: the bare era's headers do not.
std::string folderInEnvironment(std::string_view text)
{
    constexpr std::string_view kOpening = "<cwd>";
    const size_t begin = text.find(kOpening);
    const size_t end = text.find("</cwd>", begin);
    if (!text.starts_with("<environment_context>") || end == std::string_view::npos)
        return {};
    return std::string(text.substr(begin + kOpening.size(), end - begin - kOpening.size()));
}

/// `session_meta`, the head line of the bare era, or `session` of the single document.
struct Header {
    std::string id;
    std::string cwd;
    std::string originator;
    std::string version;
    std::string forkedFrom;
    std::string_view instructions; ///< raw, between the quotes: the system prompt, or what AGENTS.md says
    std::vector<Block> prelude;    ///< base instructions and tools
};

/// Reads the rollouts of the OpenAI Codex CLI: single documents (TypeScript, to June 2025), bare items a line (to
/// September 2025), and lines of `{timestamp,type,payload}`.
class CodexReader final {
public:
    explicit CodexReader(const ReadContext &context)
        : m_context(context)
        , m_items(m_builder)
    {
        m_source = m_builder.addSource(context.source);
        m_thread = m_builder.addThread(ThreadKind::Main);
        m_history.emplace(m_builder, m_items, m_thread);
    }

    Result<SessionPtr> readLines();
    Result<SessionPtr> readSingleDocument();

private:
    void visit(ondemand::object &object, const Record &record);
    void readPayload(std::string_view type, ondemand::value payload, const Record &record, const ItemPlace &place);
    void readBareRecord(ondemand::object &object, const Record &record, const ItemPlace &place);
    void readEvent(ondemand::object payload, const Record &record, const ItemPlace &place);
    [[nodiscard]] std::optional<UsageReport> readTokenCount(ondemand::object info, const ItemPlace &place);
    void setWindow(std::optional<uint64_t> tokens);
    void readTurnContext(ondemand::object payload, const ItemPlace &place);
    void readCompacted(ondemand::object payload, const ItemPlace &place);
    Header readHeader(ondemand::object object, const ItemPlace &place) const;

    void acceptHeader(Header header, const ItemPlace &place);
    void acceptItem(ResponsesItem item, const Record &record);
    void acceptUsage(const UsageReport &report);
    void countAside(const Record &record, StringId callId = {});
    void settlePrelude();
    [[nodiscard]] bool isInArray(const Block &instructions) const;
    [[nodiscard]] SessionPtr assemble(bool isLast);

    const ReadContext &m_context;
    SessionBuilder m_builder;
    ResponsesItems m_items;
    SourceId m_source;
    ThreadIndex m_thread;
    std::optional<ItemHistory> m_history;

    bool m_hasHeader = false;
    std::vector<Block> m_prelude;
    std::optional<Block> m_instructions; ///< system prompt or AGENTS.md: seen when the first array is known
    ItemPlace m_preludePlace;
    bool m_isPreludeSettled = false;
    bool m_hasItems = false;
    std::unordered_map<StringId, BlockId> m_calls;
};

// --- lines
// ------------------------------------------------------------------------------------------------------------

Result<SessionPtr> CodexReader::readLines()
{
    auto lastPublished = std::chrono::steady_clock::now();
    auto snapshotTime = std::chrono::steady_clock::duration::zero();
    const auto publish = [&](double) {
        const auto now = std::chrono::steady_clock::now();
        // A snapshot costs time in the size of what was read: never more than a tenth of the whole.
        const auto pause
            = std::max<std::chrono::steady_clock::duration>(std::chrono::milliseconds(100), snapshotTime * 10);
        if (!m_context.publish || now - lastPublished < pause)
            return;
        m_context.publish(assemble(false));
        lastPublished = std::chrono::steady_clock::now();
        snapshotTime = lastPublished - now;
    };
    const auto read = [this](ondemand::object &object, const Record &record) { visit(object, record); };
    if (!forEachRecord(m_builder, m_source, m_context, read, publish))
        return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
    if (m_builder.session().recordCount == 0)
        return failure(ErrorKind::Malformed, "Not one record of this file could be read.", m_context.source->name());
    return assemble(true);
}

void CodexReader::visit(ondemand::object &object, const Record &record)
{
    ItemPlace place { record.source, record.line, record.offset, record.bytes.size(), {}, {} };
    // Whole, before anything of it is taken over; a record is visited again once it has been repaired.
    (void)object.raw_json().value();
    object.reset();
    ondemand::value value;
    if (object.find_field_unordered("timestamp").get(value) == simdjson::SUCCESS)
        place.time = timeOf(value);
    std::string_view type;
    if (object.find_field_unordered("type").get(value) == simdjson::SUCCESS && value.type() == json_type::string)
        type = rawString(value);
    if (object.find_field_unordered("payload").get(value) == simdjson::SUCCESS) {
        readPayload(type, value, record, place);
    } else {
        object.reset();
        readBareRecord(object, record, place);
    }
    object.reset();
    (void)object.raw_json().value(); // to its end: else the line is searched for a second record
    ++m_builder.session().recordCount;
}

void CodexReader::readPayload(
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
        countAside(record); // what the harness knew beside the array
}

void CodexReader::readBareRecord(ondemand::object &object, const Record &record, const ItemPlace &place)
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

void CodexReader::readEvent(ondemand::object payload, const Record &record, const ItemPlace &place)
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
        m_history->rollBack(*turns, record.line);
    else if (type == "token_count" && report)
        acceptUsage(*report);
    countAside(record, callId);
}

void CodexReader::setWindow(std::optional<uint64_t> tokens)
{
    if (tokens && *tokens > 0)
        m_builder.session().windowTokens = tokens;
}

std::optional<UsageReport> CodexReader::readTokenCount(ondemand::object info, const ItemPlace &place)
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
            // Totals only serve to tell repeats: what one call took stands in `last_token_usage`.
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

void CodexReader::readTurnContext(ondemand::object payload, const ItemPlace &place)
{
    for (auto field : payload) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (value.type() != json_type::string)
            continue;
        if (key == "model") {
            const StringId model = m_builder.intern(decodeJsonString(rawString(value)));
            m_history->setModel(model);
        } else if (key == "cwd" && m_builder.session().workingFolder.empty()) {
            m_builder.session().workingFolder = decodeJsonString(rawString(value));
        } else if (key == "base_instructions" && m_prelude.empty() && !m_isPreludeSettled) {
            m_items.readInstructions(value, place, m_prelude);
            m_preludePlace = place;
        }
    }
}

void CodexReader::readCompacted(ondemand::object payload, const ItemPlace &place)
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
        ResponsesItem summary;
        summary.kind = ResponsesItem::Kind::Message;
        summary.draft.role = Role::User;
        summary.draft.line = place.line;
        summary.draft.time = place.time;
        const Body body = message.empty() ? m_builder.ownedBody("(no summary available)", m_context.source->name())
                                          : m_builder.jsonStringBody(place.source, message);
        Block block = m_builder.makeBlock(BlockKind::Text, body);
        block.recordLine = place.line;
        block.recordOffset = message.empty() ? 0 : place.recordOffset; // of the body's own source
        block.recordSize = message.empty() ? body.size : place.recordSize;
        summary.draft.blocks.push_back(block);
        m_history->summarise(std::move(summary), place.line);
        return;
    }
    // The summary stands in the new array once more; nothing but its text says which item it is.
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
    m_history->replace(std::move(items), place.line);
}

// --- the single document
// ----------------------------------------------------------------------------------------------

Result<SessionPtr> CodexReader::readSingleDocument()
{
    Header header;
    std::vector<ResponsesItem> items;
    ItemPlace place;
    size_t skipped = 0;
    const auto read = readDocument(m_builder, m_source, [&](ondemand::document &document, SourceId holder) {
        header = {};
        items.clear();
        skipped = 0;
        LineCursor lines(m_builder.sourceBytes(holder));
        place = { holder, 1, 0, 0, {}, {} };
        for (auto field : document.get_object()) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "session" && isObject(value)) {
                header = readHeader(value.get_object(), place);
            } else if (key == "items" && value.type() == json_type::array) {
                for (ondemand::value item : value.get_array()) {
                    if (!isObject(item)) {
                        ++skipped;
                        continue;
                    }
                    ondemand::object object = item.get_object();
                    ItemPlace own = place;
                    own.line = lines.lineOf(object.raw_json().value());
                    object.reset();
                    items.push_back(m_items.read(object, own));
                }
            }
        }
    });
    if (!read)
        return std::unexpected(read.error());
    if (m_context.isCancelled())
        return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
    if (skipped > 0)
        m_builder.warn(0, "Items that are no objects were skipped: " + groupedNumber(skipped) + ".");
    acceptHeader(std::move(header), place);
    m_builder.session().harness = "Codex CLI (TypeScript)";
    m_builder.session().recordCount = items.size() + 1;
    for (ResponsesItem &item : items) {
        const Record record { place.source, 0, item.draft.line, {} };
        acceptItem(std::move(item), record);
    }
    return assemble(true);
}

// --- what has been read
// -----------------------------------------------------------------------------------------------

Header CodexReader::readHeader(ondemand::object object, const ItemPlace &place) const
{
    Header header;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        const bool isString = value.type() == json_type::string;
        const auto assign = [&](std::string &to) { to = decodeJsonString(rawString(value)); };
        if (key == "base_instructions")
            m_items.readInstructions(value, place, header.prelude);
        else if (key == "dynamic_tools")
            m_items.readTools(value, place, header.prelude);
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
    }
    return header;
}

/// The first header is the file's own. Of a later one (a fork's parent, a resume) only that it is there matters.
void CodexReader::acceptHeader(Header header, const ItemPlace &place)
{
    if (m_hasHeader) {
        m_history->beginCopies();
        return;
    }
    m_hasHeader = true;
    Session &session = m_builder.session();
    session.harness = harnessOf(header.originator, header.version);
    session.workingFolder = std::move(header.cwd);
    m_builder.thread(m_thread).id = std::move(header.id);
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

void CodexReader::acceptItem(ResponsesItem item, const Record &record)
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
    m_history->addItem(std::move(item));
    for (size_t i = before; i < session.blocks.size(); ++i) {
        if (session.blocks[i].kind == BlockKind::ToolCall && session.blocks[i].callId.isValid())
            m_calls.insert_or_assign(session.blocks[i].callId, BlockId(i));
    }
    m_hasItems = true;
}

void CodexReader::acceptUsage(const UsageReport &report)
{
    settlePrelude();
    m_history->addUsage(report);
}

/// A record that was never in a context; what it says of a tool call belongs to that.
void CodexReader::countAside(const Record &record, StringId callId)
{
    Session &session = m_builder.session();
    session.sideBytes += record.bytes.size();
    const auto call = callId.isValid() ? m_calls.find(callId) : m_calls.end();
    if (call != m_calls.end())
        session.blocks[call->second.index()].sideBytes += record.bytes.size();
}

/// System prompt and tools enter the pool when the first call is about to be made: by then it shows whether the
/// header's `instructions` are the system prompt or what the user's AGENTS.md says, which is a message of its own.
void CodexReader::settlePrelude()
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
    m_history->setPrelude(m_builder.rangeOf(m_builder.addMessage(m_thread, draft)));
}

bool CodexReader::isInArray(const Block &instructions) const
{
    const Session &session = m_builder.session();
    const std::string text = session.text(instructions.body);
    for (const MessageId message : m_history->openingMessages()) {
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

SessionPtr CodexReader::assemble(bool isLast)
{
    Session &session = m_builder.session();
    session.format = kCodex.id;
    session.merging = SlotMerging::None;
    if (session.harness.empty())
        session.harness = "Codex CLI";
    if (!isLast) {
        m_history->sync();
        return m_builder.snapshot();
    }
    settlePrelude();
    m_history->finish();
    m_builder.thread(m_thread).title = session.title;
    if (!m_hasItems)
        m_builder.note(0, "The file holds no conversation, only its header (a start that was given up).");
    m_items.noteOrphans();
    return m_builder.finish();
}

// --- recognising
// ------------------------------------------------------------------------------------------------------

bool isWrappedRecord(std::string_view record)
{
    static constexpr std::array<std::string_view, 8> kTypes { "session_meta", "response_item", "event_msg",
        "turn_context", "compacted", "world_state", "inter_agent_communication", "inter_agent_communication_metadata" };
    std::string_view type;
    bool hasPayload = false;
    const JsonMembers members(record);
    for (const auto &[key, value] : members.all()) {
        if (key == "type")
            type = jsonString(value);
        hasPayload = hasPayload || (key == "payload" && isJsonObject(value));
    }
    return hasPayload && std::ranges::find(kTypes, type) != kTypes.end();
}

bool isBareHeader(std::string_view record)
{
    bool hasId = false;
    bool hasTime = false;
    bool hasInstructions = false;
    const JsonMembers members(record);
    for (const auto &[key, value] : members.all()) {
        if (key == "record_type")
            return jsonString(value) == "state";
        if (key == "type" || key == "role" || key == "messages")
            return false;
        hasId = hasId || key == "id";
        hasTime = hasTime || key == "timestamp";
        hasInstructions = hasInstructions || key == "instructions" || key == "git";
    }
    return hasId && hasTime && hasInstructions;
}

bool isSingleDocument(const Sample &sample)
{
    if (!sample.isSingleValue || sample.records.empty())
        return false;
    // `session` may stand behind the items.
    const bool isCut = sample.records.front().size() > sample.head.size() / 2 && sample.all.size() < kMaxSearched;
    const JsonMembers document(isCut ? sample.all : sample.records.front());
    const JsonMembers session = document.object("session");
    return isJsonArray(document.raw("items")) && session.has("id") && session.has("timestamp");
}

Likeness sniffCodex(const Sample &sample)
{
    if (isSingleDocument(sample))
        return Likeness::Certain;
    for (const std::string_view record : sample.records) {
        if (isWrappedRecord(record))
            return Likeness::Certain;
    }
    for (size_t i = 0; i < std::min<size_t>(sample.records.size(), 3); ++i) {
        if (isBareHeader(sample.records[i]))
            return Likeness::Likely;
    }
    return Likeness::No;
}

Result<SessionPtr> readCodex(const ReadContext &context)
{
    if (isSingleDocument(sampleOf(context.source->bytes())))
        return CodexReader(context).readSingleDocument();
    return CodexReader(context).readLines();
}

} // namespace

const Format kCodex { "codex", "Codex rollout",
    "~/.codex/sessions/**/rollout-*.jsonl, also .json and .jsonl.zst; every version; compactions, rollbacks and forks",
    sniffCodex, readCodex };

} // namespace core
