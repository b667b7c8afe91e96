// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/codex_rollout.h"
#include "core/formats/openai/new_items.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/record_feed.h"
#include "core/json/json_probe.h"
#include "core/json/line_cursor.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

// --- recognising ---------------------------------------------------------------------------------------------------

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
    // `session` may come after the items.
    const bool isCut = sample.records.front().size() > sample.head.size() / 2 && sample.all.size() < kMaxSearched;
    const JsonMembers document(isCut ? sample.all : sample.records.front());
    const JsonMembers session = document.object("session");
    return isJsonArray(document.raw("items")) && session.has("id") && session.has("timestamp");
}

/// Whether the first line is complete and not a single document, so that the file has lines.
bool beginsWithRecord(std::string_view bytes)
{
    const Sample sample = sampleOf(bytes);
    if (sample.records.empty())
        return false;
    if (!sample.isSingleValue)
        return true;
    const size_t end = bytes.find('\n');
    if (end == std::string_view::npos)
        return false;
    const std::string_view first = bytes.substr(0, end);
    return endOfJsonValue(first, first.find(sample.records.front().front())) && !isSingleDocument(sampleOf(first));
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

// --- reading -------------------------------------------------------------------------------------------------------

/// Reads the rollouts of the Codex CLI to June 2025: one document.
Result<SessionPtr> readSingleDocument(const ReadContext &context)
{
    CodexRollout rollout;
    SessionBuilder &builder = rollout.builder();
    const SourceId source = builder.addSource(context.source);
    CodexHeader header;
    std::vector<ResponsesItem> items;
    ItemPlace place;
    ItemPlace headerPlace;
    size_t skipped = 0;
    const auto read = readDocument(builder, source, [&](ondemand::document &document, SourceId holder) {
        header = {};
        items.clear();
        skipped = 0;
        LineCursor lines(builder.sourceBytes(holder));
        place = { holder, 1, 0, 0, {}, {} };
        headerPlace = place;
        for (auto field : document.get_object()) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "session" && isObject(value)) {
                ondemand::object object = value.get_object();
                const std::string_view record = object.raw_json().value();
                object.reset();
                headerPlace.recordOffset = static_cast<uint64_t>(record.data() - builder.sourceBytes(holder).data());
                headerPlace.recordSize = record.size();
                header = rollout.readHeader(object, headerPlace);
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
                    items.push_back(rollout.items().read(object, own));
                }
            }
        }
    });
    if (!read)
        return std::unexpected(read.error());
    if (context.isCancelled())
        return context.cancelled();
    if (skipped > 0)
        builder.warn(0, "Items that are not objects were skipped: " + groupedNumber(skipped) + ".");
    rollout.acceptHeader(std::move(header), headerPlace);
    builder.session().harness = "Codex CLI (TypeScript)";
    builder.session().recordCount = items.size() + 1;
    for (ResponsesItem &item : items) {
        const Record record { place.source, 0, item.draft.line, {} };
        rollout.acceptItem(std::move(item), record);
    }
    return rollout.finish();
}

/// Reads the rollouts of the OpenAI Codex CLI. The first line decides between lines and one document; nothing is read
/// until it is complete.
class CodexReader final : public Reader {
public:
    explicit CodexReader(ReadContext context)
        : Reader(std::move(context))
        , m_source(m_rollout.builder().addSource(Source::own({}, {})))
        , m_feed(m_rollout.builder(), m_source,
              [this](ondemand::object &object, const Record &record) { m_rollout.visit(object, record); })
    {
    }

    Result<void> append(const SourcePtr &source) override
    {
        m_context.source = source;
        m_hasLines = m_hasLines || beginsWithRecord(source->bytes());
        return m_hasLines ? readLines(Upto::LineFeed) : Result<void>();
    }

    Result<SessionPtr> snapshot() override
    {
        if (isDocument())
            return WholeReader(m_context, readSingleDocument).snapshot();
        if (m_rollout.builder().session().recordCount == 0)
            return m_context.noRecords();
        CodexRollout copy = m_rollout;
        copy.builder().session().isComplete = false;
        return copy.finish();
    }

    Result<SessionPtr> end() override
    {
        if (isDocument())
            return readSingleDocument(m_context);
        if (const auto rest = readLines(Upto::End); !rest)
            return std::unexpected(rest.error());
        if (m_rollout.builder().session().recordCount == 0)
            return m_context.noRecords();
        return m_rollout.finish();
    }

    [[nodiscard]] bool resumes() const override { return m_hasLines; }

private:
    [[nodiscard]] bool isDocument() const
    {
        return !m_hasLines && m_context.source && isSingleDocument(sampleOf(m_context.source->bytes()));
    }

    Result<void> readLines(Upto upto)
    {
        m_rollout.builder().replaceSource(m_source, m_context.source);
        const auto publish = [this](double) { m_publisher.publishIfDue(m_context.publish, *this); };
        if (!m_feed.read(m_context, upto, publish))
            return m_context.cancelled();
        return {};
    }

    CodexRollout m_rollout;
    SourceId m_source;
    RecordFeed m_feed;
    Publisher m_publisher;
    bool m_hasLines = false;
};

std::unique_ptr<Reader> openCodex(const ReadContext &context) { return std::make_unique<CodexReader>(context); }

std::string codexItem(const NewMessage &message, std::string_view example, bool isLine)
{
    std::string item = newResponsesItem(message, example, isLine);
    const JsonMembers record(example);
    if (!isLine || !record.has("payload"))
        return item;
    std::string line = "{";
    if (record.has("timestamp"))
        line += "\"timestamp\":" + std::string(record.raw("timestamp")) + ",";
    return line + R"("type":"response_item","payload":)" + item + "}";
}

/// The folder of the day.
std::string codexFolder(const NewSession &session)
{
    std::string day = isoSeconds(session.time).substr(0, 10);
    std::ranges::replace(day, '-', '/');
    return day;
}

std::string codexFile(const NewSession &session)
{
    std::string time = isoSeconds(session.time).substr(0, 19);
    std::ranges::replace(time, ':', '-');
    return "rollout-" + time + "-" + session.id + ".jsonl";
}

} // namespace

const Format kCodex { "codex", "Codex rollout",
    "~/.codex/sessions/**/rollout-*.jsonl, also .json and .jsonl.zst; every version; compactions, rollbacks and forks",
    sniffCodex, openCodex,
    { .shape = MessageShape::Responses,
        .preset = "codex",
        .usualModel = "gpt-5-codex",
        .recordsPatches = true,
        .settlesFileEnd = true,
        .splice = { .message = codexItem, .newArrayKey = "replacement_history", .isEventLog = true, .hasSystem = true },
        .resume = { .harness = "Codex",
            .variable = "CODEX_HOME",
            .home = ".codex",
            .sessions = "sessions",
            .folder = codexFolder,
            .file = codexFile,
            .idType = "session_meta",
            .idObject = "payload",
            .id = "id",
            .usage = { .type = "event_msg",
                .object = { "payload", "info", "last_token_usage" },
                .prompt = "input_tokens",
                .cached = { "cached_input_tokens" },
                .isCachedInPrompt = true,
                .total = "total_tokens" },
            .command = "codex resume" } } };

} // namespace core
