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

/// Facts about a block beyond its kind.
enum class BlockFlag : uint16_t {
    Typed = 1U << 0U,     ///< typed by the user: starts a turn
    Injected = 1U << 1U,  ///< added by the harness (reminders, environment, attachments, skill bodies)
    Summary = 1U << 2U,   ///< written by a compaction
    Error = 1U << 3U,     ///< a failed tool result
    Encrypted = 1U << 4U, ///< only the provider can read its text
    CacheMark = 1U << 5U, ///< at least one request had a cache breakpoint on it
    Stub = 1U << 6U,      ///< placeholder for a body that a harness cleared
    Tools = 1U << 7U,     ///< tool definitions (prelude)
    TypedPart = 1U << 8U, ///< contains words that the person typed, among words of the harness; no turn begins here
};

/// One text, tool call, tool result, image or document: the unit of identity. Metadata that was never in a context
/// (`toolUseResult`, `event_msg`, `artifact`) is not a block; its bytes are only counted in `sideBytes`.
struct Block {
    BlockKind kind = BlockKind::Opaque;
    uint16_t flags = 0; ///< BlockFlag
    int32_t delay = 0;  ///< milliseconds from the time of its message to that of its own record
    Body body;
    TextLengths lengths; ///< lengths of the body, plus the tool's name for a tool call
    StringId name;       ///< tool name of a call and, if known, of its result; media type of an image
    StringId callId;     ///< links a call to its result
    StringId subject;    ///< file path, command, pattern or URL that it is about; empty if unknown
    MessageId message;
    Hash content;              ///< of kind, name and raw body; null if the format needs no comparison
    uint64_t sideBytes = 0;    ///< bytes beside it in its record that were never in context
    uint64_t recordLine = 0;   ///< 1-based line of its record
    uint64_t recordOffset = 0; ///< byte range of its record in the body's source
    uint64_t recordSize = 0;

    [[nodiscard]] bool is(BlockFlag flag) const { return (flags & static_cast<uint16_t>(flag)) != 0; }
    void set(BlockFlag flag) { flags = static_cast<uint16_t>(flags | static_cast<uint16_t>(flag)); }
};

/// What a reader returns as one message: an API response, consecutive user records, or one item. Its blocks are
/// consecutive in the pool.
struct Message {
    Role role = Role::User;
    BlockId first;
    uint32_t count = 0;
    uint64_t line = 0; ///< 1-based line of its first record
    std::optional<Timestamp> time;
    StringId externalId; ///< the format's own id (uuid, message id), if any
    StringId model;
    ThreadIndex thread;
};

/// A text that the session file holds under a name, beside the messages: an artifact of a Genkit snapshot.
struct SavedText {
    std::string name;
    Body body;
};

/// `[begin, end)` in the block pool.
struct BlockRange {
    uint32_t begin = 0;
    uint32_t end = 0;
    [[nodiscard]] uint32_t size() const { return end - begin; }
    friend bool operator==(const BlockRange &, const BlockRange &) = default;
};

/// The array of one call as ranges of the pool. Arrays that extend each other share ranges, so n calls of a session
/// cost O(changes), not O(n²).
class BlockRanges final {
public:
    BlockRanges() = default;

    /// Appends `range`; merges adjoining ranges.
    void append(BlockRange range);
    /// Makes an array from `ranges`.
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
    std::optional<uint64_t> reasoning {}; ///< the part of `output` that nobody but the provider reads, if recorded

    /// Size of the sent context.
    [[nodiscard]] uint64_t prompt() const { return input + cacheRead + cacheWrite; }
    friend bool operator==(const Usage &, const Usage &) = default;
};

/// One model call.
struct Call {
    BlockRanges input;                 ///< the array it sent
    BlockRange output;                 ///< the blocks of its response; empty if the session ends before it
    std::optional<BlockRange> prelude; ///< system prompt and tools, if recorded
    std::optional<Usage> usage;
    std::optional<Timestamp> time;
    StringId model;
    StringId responseId;
    bool isDerived = false;  ///< not recorded, but derived from an assistant message
    bool isDoubtful = false; ///< its prompt falls and returns although nothing left the array (doubtful_prompts.h)
    uint64_t line = 0;

    /// The recorded size of the sent context; nullopt if none is recorded, if the call failed (usage of zeros), or if
    /// the figure is in doubt.
    [[nodiscard]] std::optional<double> prompt() const
    {
        const bool isKnown = usage && usage->prompt() > 0 && !isDoubtful;
        return isKnown ? std::optional(static_cast<double>(usage->prompt())) : std::nullopt;
    }
};

enum class CompactionKind : uint8_t {
    Summary,     ///< a summary replaced a prefix
    Clearing,    ///< stubs replaced single bodies (microcompaction)
    Replacement, ///< the harness wrote a new history
    Rollback,    ///< the user rewound
};

/// A figure in a compaction's record, under the record's own name: `preTokens`, `tokensSaved`. The harness counted it;
/// the provider's usage can differ.
struct RecordedFigure {
    std::string name;
    uint64_t value = 0;
    friend bool operator==(const RecordedFigure &, const RecordedFigure &) = default;
};

/// A compaction in the recording.
struct RecordedCompaction {
    CompactionKind kind = CompactionKind::Summary;
    CallIndex call;      ///< the last call before it; invalid before the first call
    std::string trigger; ///< the harness's word: "auto", "manual"; may be empty
    BlockRanges before;  ///< the whole array before it
    /// The array that the next call sent, or the final array if no call follows. If another compaction follows before
    /// the next call, the array before that compaction. For a clearing, `before` with the listed results cleared.
    BlockRanges after;
    std::optional<uint64_t> beforeTokens; ///< as recorded by the harness; of a clearing the prompt of the previous call
    std::optional<uint64_t> afterTokens;  ///< prompt of the next call, if that sent `after`
    std::vector<RecordedFigure> figures;  ///< in record order
    uint64_t line = 0;
};

enum class ThreadKind : uint8_t { Main, Subagent, Run };

/// A sequence of calls: the main conversation, a subagent, or one of several runs in a file.
struct Thread {
    ThreadKind kind = ThreadKind::Main;
    std::string id;     ///< the harness's own, may be empty
    std::string title;  ///< first words of its task
    BlockId parentCall; ///< the tool call that started it, if known
    std::vector<Call> calls;
    std::vector<RecordedCompaction> compactions;
    BlockRanges end;                   ///< the array after the last record, which a next call would send
    std::optional<BlockRange> prelude; ///< recorded system prompt and tools at the end
};

enum class Severity : uint8_t {
    Note,    ///< unusual, but everything was read
    Warning, ///< a part of this line could not be read
};

/// A problem in the input. The rest of it was read.
struct Diagnostic {
    Severity severity = Severity::Warning;
    uint64_t line = 0; ///< 1-based; 0 for the whole file
    std::string reason;
};

/// The session that a file says it comes from.
struct Origin {
    enum class Kind : uint8_t {
        None,     ///< the file names no other session
        Fork,     ///< it begins with a copy of that session
        Subagent, ///< that session started it
    };
    Kind kind = Kind::None;
    std::string id; ///< the id of that session, or the name of its file
};

struct FormatTraits;
/// For sessions that were not read from a file.
extern const FormatTraits kDefaultTraits;

/// One recorded run, as loaded. Immutable once published.
struct Session {
    std::string format;                           ///< id of the format, for reports and ledgers: `claude-code`
    const FormatTraits *traits = &kDefaultTraits; ///< those of the format; never null, lives as long as the program
    std::string harness;                          ///< for display: `Claude Code 2.1.14`
    std::string model;                            ///< the model of most calls; empty if not recorded
    std::string title;
    std::string workingFolder;
    std::string branch; ///< of git in that folder: the last one recorded
    Origin origin;
    std::optional<uint64_t> windowTokens; ///< the model's context window in tokens, if recorded or known
    std::vector<SourcePtr> sources;
    std::shared_ptr<const Strings> strings;
    std::vector<Block> blocks; ///< the pool: ordered by thread, then by first entry into a context
    std::vector<Message> messages;
    std::vector<Thread> threads; ///< never empty; the first is the main thread
    std::vector<Diagnostic> diagnostics;
    uint64_t recordCount = 0;
    uint64_t sideBytes = 0; ///< bytes of the file that were never in a context (`toolUseResult` and the like)
    std::vector<SavedText> savedTexts;
    bool isComplete = true; ///< false for a snapshot published while loading

    [[nodiscard]] const Block &block(BlockId id) const { return blocks[id.index()]; }
    [[nodiscard]] const Message &message(MessageId id) const { return messages[id.index()]; }
    /// When the record of a block was written.
    [[nodiscard]] std::optional<Timestamp> timeOf(BlockId id) const;
    /// The same of the last block of an array.
    [[nodiscard]] std::optional<Timestamp> timeOfLast(const BlockRanges &array) const;
    [[nodiscard]] const Thread &thread(ThreadIndex index) const { return threads[index.index()]; }
    [[nodiscard]] std::string_view string(StringId id) const
    {
        return id.isValid() ? (*strings)[id] : std::string_view();
    }

    /// The model of a call; without a recorded one, that of most calls.
    [[nodiscard]] std::string_view modelOf(const Call &call) const
    {
        return call.model.isValid() ? string(call.model) : std::string_view(model);
    }

    /// A path relative to the working folder if it is below, without `./`, so that each file has one name.
    [[nodiscard]] std::string_view pathInFolder(std::string_view path) const;
    /// The encoded bytes of a body in its source.
    [[nodiscard]] std::string_view rawBody(const Body &body) const;
    /// The decoded text; for base64 the base64 itself.
    [[nodiscard]] std::string text(const Body &body) const;
    /// The beginning of the decoded text: at least `wanted` bytes if the text is that long, at a cost that
    /// does not depend on the size of the rest. For a body of several text parts, the rest are the parts after the one
    /// in which the beginning ends. May end inside a character.
    [[nodiscard]] std::string textHead(const Body &body, size_t wanted) const;
    /// The raw bytes of a block's record.
    [[nodiscard]] std::string_view record(const Block &block) const;
    /// An error if a source has become unreadable or its file has changed since it was opened.
    [[nodiscard]] std::optional<Error> torn() const;
};

using SessionPtr = std::shared_ptr<const Session>;

} // namespace core
