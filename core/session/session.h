// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/source.h"
#include "core/base/time_text.h"
#include "core/session/body.h"
#include "core/session/strings.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

enum class Role : uint8_t { System, User, Assistant, Tool };

enum class BlockKind : uint8_t { Text, Thinking, ToolCall, ToolResult, Image, Document, Opaque };

/// Facts about a block that its kind does not tell.
enum class BlockFlag : uint16_t {
    Typed = 1U << 0U,     ///< typed by the person: a turn begins here
    Injected = 1U << 1U,  ///< put in by the harness (reminders, environment, attachments, skill bodies)
    Summary = 1U << 2U,   ///< written by a compaction
    Error = 1U << 3U,     ///< a failed tool result
    Encrypted = 1U << 4U, ///< its text cannot be read by anyone but the provider
    CacheMark = 1U << 5U, ///< a cache breakpoint stood on it in at least one request
    Stub = 1U << 6U,      ///< stands where a harness cleared a body
    Tools = 1U << 7U,     ///< tool definitions (prelude)
};

/// One text, tool call, tool result, image or document: the unit of identity. Metadata that was never in a context
/// (`toolUseResult`, `event_msg`, `artifact`) is no block; its bytes are only counted, in `sideBytes`.
struct Block {
    BlockKind kind = BlockKind::Opaque;
    uint16_t flags = 0; ///< BlockFlag
    Body body;
    TextLengths lengths; ///< what it weighs: the body's, plus the tool's name for a tool call
    StringId name;       ///< tool name of a call and, where it is known, of its result; media type of an image
    StringId callId;     ///< ties a call to its result
    StringId subject;    ///< what it is about: file path, command, pattern, URL; empty if not told
    MessageId message;
    Hash content;              ///< of kind, name and raw body; null where the format needs no comparison
    uint64_t sideBytes = 0;    ///< bytes kept beside it in the file that were never in context
    uint64_t recordLine = 0;   ///< 1-based line of the record that holds it
    uint64_t recordOffset = 0; ///< byte range of that record in the body's source
    uint64_t recordSize = 0;

    [[nodiscard]] bool is(BlockFlag flag) const { return (flags & static_cast<uint16_t>(flag)) != 0; }
    void set(BlockFlag flag) { flags = static_cast<uint16_t>(flags | static_cast<uint16_t>(flag)); }
};

/// What a reader emits as one message: an API response, a run of consecutive user records, one item.
/// Its blocks are consecutive in the pool.
struct Message {
    Role role = Role::User;
    BlockId first;
    uint32_t count = 0;
    uint64_t line = 0; ///< 1-based line of its first record
    std::optional<Timestamp> time;
    StringId externalId; ///< the format's own id (uuid, message id), if it has one
    StringId model;
    ThreadIndex thread;
};

/// `[begin, end)` in the block pool.
struct BlockRange {
    uint32_t begin = 0;
    uint32_t end = 0;
    [[nodiscard]] uint32_t size() const { return end - begin; }
    friend bool operator==(const BlockRange &, const BlockRange &) = default;
};

/// The array of one call as ranges into the pool. Extending an array at its end shares everything before, so n calls
/// of a session cost O(changes), not O(n²).
class BlockRanges final {
public:
    BlockRanges() = default;

    /// Adds `range` at the end; adjoining ranges become one.
    void append(BlockRange range);
    /// Replaces everything by `ranges`.
    [[nodiscard]] static BlockRanges of(const std::vector<BlockRange> &ranges);

    [[nodiscard]] bool isEmpty() const { return m_tail.size() == 0 && (!m_head || m_head->empty()); }
    [[nodiscard]] size_t rangeCount() const { return (m_head ? m_head->size() : 0) + (m_tail.size() > 0 ? 1 : 0); }
    [[nodiscard]] uint64_t blockCount() const { return m_headBlocks + m_tail.size(); }
    friend bool operator==(const BlockRanges &a, const BlockRanges &b);

    template <typename Visitor>
    void forEachRange(Visitor &&visit) const
    {
        if (m_head) {
            for (const BlockRange &range : *m_head)
                visit(range);
        }
        if (m_tail.size() > 0)
            visit(m_tail);
    }
    template <typename Visitor>
    void forEach(Visitor &&visit) const
    {
        forEachRange([&](BlockRange range) {
            for (uint32_t i = range.begin; i < range.end; ++i)
                visit(BlockId(i));
        });
    }

private:
    std::shared_ptr<const std::vector<BlockRange>> m_head;
    uint64_t m_headBlocks = 0;
    BlockRange m_tail;
};

/// Recorded usage of one call, in the provider's own tokens: exact.
struct Usage {
    uint64_t input = 0; ///< neither read from nor written to the cache
    uint64_t cacheRead = 0;
    uint64_t cacheWrite = 0;
    uint64_t output = 0;

    /// Size of the context that was sent.
    [[nodiscard]] uint64_t prompt() const { return input + cacheRead + cacheWrite; }
    friend bool operator==(const Usage &, const Usage &) = default;
};

/// One model call.
struct Call {
    BlockRanges input;                 ///< the array it was sent
    BlockRange output;                 ///< the blocks of its response; empty if the session ends before it
    std::optional<BlockRange> prelude; ///< system prompt and tools, where recorded
    std::optional<Usage> usage;
    std::optional<Timestamp> time;
    StringId model;
    StringId responseId;
    bool isDerived = false; ///< no call was recorded; made from one assistant slot
    uint64_t line = 0;
};

enum class CompactionKind : uint8_t {
    Summary,     ///< a prefix became a summary
    Clearing,    ///< single bodies became stubs (microcompaction)
    Replacement, ///< the harness wrote a new history
    Rollback,    ///< the person took turns back
};

/// A figure that a record tells of its compaction, under the record's own name: `preTokens`, `tokensSaved`. In the
/// harness's own count, which need not be that of the context.
struct RecordedFigure {
    std::string name;
    uint64_t value = 0;
    friend bool operator==(const RecordedFigure &, const RecordedFigure &) = default;
};

/// A compaction that the recording shows.
struct RecordedCompaction {
    CompactionKind kind = CompactionKind::Summary;
    CallIndex call;      ///< the last call before it; invalid if it came before any call
    std::string trigger; ///< the harness's word: "auto", "manual"; may be empty
    BlockRanges before;  ///< the whole array when it happened
    /// The array as it stood when the next call was sent, or at its end if none followed it; as the next compaction
    /// found it if that came before a call; of a clearing, the array before with the named results cleared.
    BlockRanges after;
    std::optional<uint64_t> beforeTokens; ///< as the harness recorded it; of a clearing, prompt of the call before
    std::optional<uint64_t> afterTokens;  ///< prompt of the next call, if that was sent what stands after it
    std::vector<RecordedFigure> figures;  ///< in the order of the record
    uint64_t line = 0;
};

enum class ThreadKind : uint8_t { Main, Subagent, Run };

/// One sequence of calls: the main conversation, a subagent, or one of several runs in a file.
struct Thread {
    ThreadKind kind = ThreadKind::Main;
    std::string id;     ///< the harness's own, may be empty
    std::string title;  ///< first words of its task
    BlockId parentCall; ///< the tool call that started it, where known
    std::vector<Call> calls;
    std::vector<RecordedCompaction> compactions;
    BlockRanges end;                   ///< the array after the last record: what a next call would be sent
    std::optional<BlockRange> prelude; ///< recorded system prompt and tools at the end
};

enum class Severity : uint8_t {
    Note,    ///< out of the ordinary, but everything was read
    Warning, ///< something of this line could not be had
};

/// Something in the input that is not as it should be; the rest was read all the same.
struct Diagnostic {
    Severity severity = Severity::Warning;
    uint64_t line = 0; ///< 1-based; 0 if it concerns the whole file
    std::string reason;
};

/// How consecutive messages of an array make slots.
enum class SlotMerging : uint8_t {
    None,             ///< one message, one slot
    ConsecutiveUsers, ///< the Anthropic shape: user messages that follow each other are one
};

/// One recorded run, as loaded. Immutable once published.
struct Session {
    std::string format;  ///< id of the format: `claude-code`
    std::string harness; ///< what people call it: `Claude Code 2.1.14`
    std::string model;   ///< the model of most calls; empty if not recorded
    std::string title;
    std::string workingFolder;
    std::optional<uint64_t> windowTokens; ///< size of the model's context window, where recorded or known
    SlotMerging merging = SlotMerging::None;
    std::vector<SourcePtr> sources;
    std::shared_ptr<const Strings> strings;
    std::vector<Block> blocks; ///< the pool, in the order in which blocks first entered a context, thread by thread
    std::vector<Message> messages;
    std::vector<Thread> threads; ///< never empty; the first is the main one
    std::vector<Diagnostic> diagnostics;
    uint64_t recordCount = 0;
    uint64_t sideBytes = 0; ///< bytes of the file that were never in context (`toolUseResult` and its like)
    bool isComplete = true; ///< false for a snapshot published while loading

    [[nodiscard]] const Block &block(BlockId id) const { return blocks[id.index()]; }
    [[nodiscard]] const Message &message(MessageId id) const { return messages[id.index()]; }
    [[nodiscard]] const Thread &thread(ThreadIndex index) const { return threads[index.index()]; }
    [[nodiscard]] std::string_view string(StringId id) const
    {
        return id.isValid() ? (*strings)[id] : std::string_view();
    }

    /// The model of a call; where the call has none recorded, that of most calls.
    [[nodiscard]] std::string_view modelOf(const Call &call) const
    {
        return call.model.isValid() ? string(call.model) : std::string_view(model);
    }

    /// A path below the working folder from there on, without `./`: so that the same file has one name.
    [[nodiscard]] std::string_view pathInFolder(std::string_view path) const;
    /// The bytes of a body as they stand in their source.
    [[nodiscard]] std::string_view rawBody(const Body &body) const;
    /// The decoded text; for base64, the base64 itself.
    [[nodiscard]] std::string text(const Body &body) const;
    /// The first bytes of the decoded text: at least `wanted` bytes where the text has them, at a cost independent of
    /// the body's size. May end inside a character.
    [[nodiscard]] std::string textHead(const Body &body, size_t wanted) const;
    /// The raw record that holds a block.
    [[nodiscard]] std::string_view record(const Block &block) const;
    /// True if a source became unreadable or its file is not what it was when it was opened.
    [[nodiscard]] std::optional<Error> torn() const;
};

using SessionPtr = std::shared_ptr<const Session>;

} // namespace core
