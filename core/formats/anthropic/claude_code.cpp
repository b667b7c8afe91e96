// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/claude_record.h"
#include "core/formats/anthropic/claude_tree.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/record_stretches.h"

#include <algorithm>
#include <span>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

/// The records of one stretch of lines, with their own interned names.
class ClaudeStretch final : public StretchReader {
public:
    ClaudeStretch(const SourcePtr &stretch, bool isStream)
        : m_parser(m_names, isStream)
    {
        constexpr size_t kManyRecords = 256;
        m_names.addSource(stretch);
        m_drafts.reserve(kManyRecords);
        m_blocks.reserve(kManyRecords);
    }

    void read(ondemand::object &object, const Record &record) override
    {
        m_drafts.resize(m_kept);
        m_blocks.resize(m_keptBlocks);
        m_parser.parse(object, record, m_drafts.emplace_back(), m_blocks);
    }
    void keep() override
    {
        m_kept = m_drafts.size();
        m_keptBlocks = m_blocks.size();
    }

    [[nodiscard]] std::span<ClaudeDraft> drafts() { return m_drafts; }
    [[nodiscard]] std::vector<Block> &blocks() { return m_blocks; }
    [[nodiscard]] NameMap &namesIn(SessionBuilder &builder)
    {
        if (!m_namesThere)
            m_namesThere.emplace(m_names, builder);
        return *m_namesThere;
    }

private:
    SessionBuilder m_names;
    ClaudeRecordParser m_parser;
    std::vector<ClaudeDraft> m_drafts; ///< the kept ones, then the last one read
    std::vector<Block> m_blocks;       ///< blocks of m_drafts
    size_t m_kept = 0;
    size_t m_keptBlocks = 0;
    std::optional<NameMap> m_namesThere;
};

/// Reads Claude Code's session files and the SDK's stream, which has the same messages in smaller envelopes.
class ClaudeReader final : public Reader {
public:
    ClaudeReader(ReadContext context, const Format &format)
        : Reader(std::move(context))
        , m_format(format)
        , m_tree(m_builder)
        , m_source(m_builder.addSource(Source::own({}, {})))
        , m_parser(m_builder, isStream())
        , m_feed(m_builder, m_source, work())
    {
    }

    Result<void> append(const SourcePtr &source) override
    {
        m_context.source = source;
        m_builder.replaceSource(m_source, source);
        return read(Upto::LineFeed);
    }

    Result<SessionPtr> snapshot() override
    {
        if (m_records == 0)
            return m_context.noRecords();
        describe(false);
        return m_tree.snapshot();
    }

    Result<SessionPtr> end() override
    {
        if (const auto rest = read(Upto::End); !rest)
            return std::unexpected(rest.error());
        if (m_records == 0)
            return m_context.noRecords();
        describe(true);
        return m_tree.finish();
    }

private:
    [[nodiscard]] bool isStream() const { return &m_format == &kClaudeSdkStream; }

    StretchWork work()
    {
        return {
            .make = [this](const SourcePtr &part) { return std::make_unique<ClaudeStretch>(part, isStream()); },
            .take = [this](StretchReader &stretch, size_t from, size_t to,
                        const StretchPlace &place) { take(static_cast<ClaudeStretch &>(stretch), from, to, place); },
            .visit =
                [this](ondemand::object &object, const Record &record) {
                    std::vector<Block> blocks;
                    ClaudeDraft draft;
                    m_parser.parse(object, record, draft, blocks);
                    accept(draft, blocks);
                },
            .afterSome =
                [this](double share) {
                    makeRoom(share);
                    m_publisher.publishIfDue(m_context.publish, *this);
                },
        };
    }

    Result<void> read(Upto upto)
    {
        if (!m_feed.read(m_context, upto))
            return m_context.cancelled();
        m_hasRoom = true;
        return {};
    }

    void take(ClaudeStretch &stretch, size_t from, size_t to, const StretchPlace &place)
    {
        NameMap &names = stretch.namesIn(m_builder);
        for (ClaudeDraft &draft : stretch.drafts().subspan(from, to - from)) {
            const auto adopt = [&](ClaudeRecord &record) {
                names.adopt(
                    record, std::span(stretch.blocks()).subspan(record.firstBlock, record.blockCount), place.bytes);
                record.line += place.lines + 1;
            };
            adopt(draft.record);
            if (draft.agent)
                adopt(*draft.agent);
            names.adopt(draft.version);
            names.adopt(draft.cwd);
            names.adopt(draft.branch);
            accept(draft, stretch.blocks());
        }
    }

    /// Adds a completely read record to the tree.
    void accept(ClaudeDraft &draft, std::span<const Block> blocks)
    {
        ++m_records;
        m_sideBytes += draft.sideBytes;
        if (draft.version.isValid())
            m_version = draft.version;
        if (!m_cwd.isValid())
            m_cwd = draft.cwd;
        if (!m_builder.string(draft.branch).empty())
            m_branch = draft.branch;
        const auto add = [&](const ClaudeRecord &record) {
            m_tree.add(record, blocks.subspan(record.firstBlock, record.blockCount));
        };
        if (draft.agent)
            add(*draft.agent);
        if (draft.hasBrokenMessage)
            m_builder.warn(draft.record.line, "The message of this record is not an object; it was left out.");
        followQueue(draft, blocks);
        if (draft.isInTree) {
            addQueued(m_queue.sentBefore(draft.record));
            add(draft.record);
        }
    }

    void followQueue(const ClaudeDraft &draft, std::span<const Block> blocks)
    {
        const auto own = blocks.subspan(draft.record.firstBlock, draft.record.blockCount);
        if (draft.queueStep != QueueStep::None)
            m_queue.take(
                draft.queueStep, { draft.record, { own.begin(), own.end() }, draft.queuedText, draft.isPrompt });
        else if (draft.record.type == ClaudeRecord::Type::User && !draft.record.isSidechain
            && std::ranges::any_of(own, [](const Block &block) { return block.is(BlockFlag::Typed); }))
            m_queue.takeTyped();
    }

    void addQueued(const std::vector<ClaudeQueue::Message> &messages)
    {
        for (const ClaudeQueue::Message &each : messages)
            m_tree.add(each.record, each.blocks);
    }

    /// Reserves room for the whole first source, estimated from its first part: growing in steps would copy everything
    /// again.
    void makeRoom(double share)
    {
        constexpr double kEnough = 0.05;
        if (m_hasRoom || share < kEnough || share >= 1)
            return;
        m_hasRoom = true;
        const auto inAll = [&](size_t count) { return static_cast<size_t>(static_cast<double>(count) * 1.1 / share); };
        m_tree.reserve(inAll(m_tree.recordCount()), inAll(m_tree.blockCount()));
    }

    void describe(bool isComplete)
    {
        Session &session = m_builder.session();
        setFormat(session, m_format);
        session.harness
            = m_version.isValid() ? "Claude Code " + std::string(m_builder.string(m_version)) : "Claude Code";
        session.workingFolder = m_cwd.isValid() ? m_builder.string(m_cwd) : std::string_view();
        session.branch = m_builder.string(m_branch);
        session.recordCount = m_records;
        session.sideBytes = m_sideBytes;
        session.isComplete = isComplete;
    }

    const Format &m_format;
    SessionBuilder m_builder;
    ClaudeTree m_tree;
    ClaudeQueue m_queue;
    SourceId m_source;
    ClaudeRecordParser m_parser;
    StretchFeed m_feed;
    Publisher m_publisher;
    StringId m_version;
    StringId m_cwd;
    StringId m_branch;
    uint64_t m_records = 0;
    uint64_t m_sideBytes = 0;
    bool m_hasRoom = false;
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether the record holds `key` with `value`, both with their quotes, at any depth and with any blanks around the
/// colon.
bool hasMember(std::string_view record, std::string_view key, std::string_view value)
{
    for (size_t at = record.find(key); at != std::string_view::npos; at = record.find(key, at + 1)) {
        std::string_view rest = record.substr(at + key.size());
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t:"), rest.size()));
        if (rest.starts_with(value))
            return true;
    }
    return false;
}

Likeness sniffClaudeCode(const Sample &sample)
{
    if (sample.isSingleValue && sample.records.size() == 1 && sample.records.front().starts_with("["))
        return Likeness::No;
    Likeness best = Likeness::No;
    for (const std::string_view record : sample.records) {
        if (!record.starts_with("{"))
            continue;
        // `message.parts` in the same envelope is written by Qwen Code.
        if (hasMember(record, "\"parts\"", "[") && contains(record, "\"parentUuid\""))
            return Likeness::No;
        if (contains(record, "\"parentUuid\"")
            && (contains(record, "\"isSidechain\"") || contains(record, "\"userType\"")))
            return Likeness::Certain;
        const bool isOwnMetadata = (hasMember(record, "\"type\"", "\"summary\"") && contains(record, "\"leafUuid\""))
            || hasMember(record, "\"type\"", "\"file-history-snapshot\"")
            || (hasMember(record, "\"type\"", "\"queue-operation\"") && contains(record, "\"sessionId\""));
        if (isOwnMetadata)
            best = std::max(best, Likeness::Likely);
        const bool isConversation
            = (hasMember(record, "\"type\"", "\"user\"") || hasMember(record, "\"type\"", "\"assistant\""))
            && contains(record, "\"sessionId\"") && contains(record, "\"uuid\"") && contains(record, "\"message\"");
        if (isConversation)
            best = std::max(best, Likeness::Likely);
    }
    return best;
}

Likeness sniffClaudeSdkStream(const Sample &sample)
{
    bool hasInit = false;
    bool hasMessages = false;
    for (const std::string_view record : sample.records) {
        if (contains(record, "\"parentUuid\""))
            return Likeness::No;
        const bool isInit = hasMember(record, "\"subtype\"", "\"init\"") && contains(record, "\"session_id\"");
        hasInit = hasInit || (isInit && contains(record, "\"tools\""));
        hasMessages = hasMessages
            || ((hasMember(record, "\"type\"", "\"assistant\"") || hasMember(record, "\"type\"", "\"user\""))
                && contains(record, "\"session_id\"") && contains(record, "\"message\""));
    }
    if (hasInit)
        return Likeness::Certain;
    return hasMessages ? Likeness::Likely : Likeness::No;
}

std::unique_ptr<Reader> openClaudeCode(const ReadContext &context)
{
    return std::make_unique<ClaudeReader>(context, kClaudeCode);
}

std::unique_ptr<Reader> openClaudeSdkStream(const ReadContext &context)
{
    return std::make_unique<ClaudeReader>(context, kClaudeSdkStream);
}

std::string claudeMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const JsonMembers record(example);
    const bool isAnswer = message.role == Role::Assistant;
    std::string text = record.has("parentUuid") ? "{\"parentUuid\":" + message.parent + "," : "{";
    text += isAnswer ? R"("type":"assistant")" : R"("type":"user")";
    text += copiedMembers(record,
        { "isSidechain", "userType", "cwd", "sessionId", "session_id", "parent_tool_use_id", "version", "gitBranch",
            "agentId", "timestamp" });
    if (record.has("uuid"))
        text += ",\"uuid\":" + newJsonString(message.uuid);
    if (message.isSummary && !isAnswer)
        text += ",\"isCompactSummary\":true";
    if (isAnswer)
        text += R"(,"message":{"id":)" + newJsonString("msg_" + message.uuid)
            + R"(,"type":"message","role":"assistant","content":[{"type":"text","text":)" + newJsonString(message.text)
            + "}]}";
    else
        text += R"(,"message":{"role":"user","content":)" + newJsonString(message.text) + "}";
    return text + "}";
}

constexpr SpliceShape kSplice {
    .message = claudeMessage,
    .links = { .id = "uuid", .parent = "parentUuid", .logicalParent = "logicalParentUuid", .progressType = "progress" },
    .isEventLog = true,
};
std::string claudeFolder(const NewSession &session) { return dashedPath(session.workingFolder); }

constexpr ResumeShape kResume {
    .harness = "Claude Code",
    .variable = "CLAUDE_CONFIG_DIR",
    .home = ".claude",
    .sessions = "projects",
    .folder = claudeFolder,
    .file = idAsFile,
    .isByProject = true,
    .id = "sessionId",
    .usage = { .type = "assistant",
        .object = { "message", "usage" },
        .prompt = "input_tokens",
        .cached = { "cache_read_input_tokens", "cache_creation_input_tokens" } },
    .command = "claude --resume",
};
constexpr FormatTraits kClaudeCodeTraits {
    .shape = MessageShape::Anthropic,
    .nearest = MessagesShape::Anthropic,
    .preset = "claude-code",
    .options = RequestOptions::OfClaudeCode,
    .marksLastUsers = true,
    .splice = kSplice,
    .resume = kResume,
};

} // namespace

const Format kClaudeCode { "claude-code", "Claude Code JSONL",
    "~/.claude/projects/*/*.jsonl, versions 1.0 to 2.1; subagents in the file become threads", sniffClaudeCode,
    openClaudeCode, kClaudeCodeTraits };
const Format kClaudeSdkStream { "claude-sdk-stream", "Claude SDK stream",
    "output of --output-format stream-json, also wrapped as {type,message,timestamp}", sniffClaudeSdkStream,
    openClaudeSdkStream,
    { .shape = MessageShape::Anthropic,
        .nearest = MessagesShape::Anthropic,
        .preset = "claude-code",
        .splice = kSplice } };

} // namespace core
