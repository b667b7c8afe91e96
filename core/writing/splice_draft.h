// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json_tree.h"
#include "core/writing/splice_writer.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace core {

/// `[begin, end)` of the file becomes `text`.
struct SpliceChange {
    uint64_t begin = 0;
    uint64_t end = 0;
    std::string text;
};

/// A child of an array or object, a member with its key.
struct SpliceChild {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool isDropped = false;
    std::vector<std::string> before; ///< new siblings in front of it
};

/// Changes that drop and add children and keep the commas right.
void changeChildren(const std::vector<SpliceChild> &children, std::vector<SpliceChange> &changes);

/// Stands around a record in its line without being part of it.
[[nodiscard]] constexpr bool isLineBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0'; }

/// The edits of one session file on their way to changes of its bytes; see `writeSplices`. The steps, one source each:
/// which values are concerned (splice_marks.cpp), what becomes of the parts of a record (splice_parts.cpp), of the
/// links between records (splice_links.cpp), of the records and the file (splice_writer.cpp).
class SpliceDraft final {
public:
    SpliceDraft(const Session &session, SpliceEdits edits, const SpliceCut *cut)
        : m_session(session)
        , m_edits(std::move(edits))
        , m_cut(cut)
        , m_shape(*spliceShapeOf(session.format))
        , m_bytes(session.sources.front()->bytes())
        , m_isDropped(session.blocks.size(), false)
    {
    }

    Result<Spliced> write();

private:
    /// The JSON value that the session calls the record of a block: a line, a message, an item.
    struct Unit {
        uint64_t begin = 0;
        uint64_t end = 0;
        std::vector<BlockId> blocks;          ///< all that stand in it
        std::vector<size_t> insertions;       ///< new messages before it
        std::optional<uint64_t> container;    ///< the bracket of the array that it stands in; nothing: a line
        bool isTouched = false;               ///< a block of it is dropped or replaced
        bool isDropped = false;               ///< all of it
        bool isAlone = false;                 ///< nothing can be dropped or added where it stands
        std::vector<std::string> newMessages; ///< `insertions` as they are written
    };

    // --- which values are concerned ---------------------------------------------------------------------------------

    void leaveOut(BlockId block, std::string sentence);
    void leaveOut(MessageId message, std::string sentence);
    [[nodiscard]] bool isInFile(const Block &block) const;
    [[nodiscard]] static std::string whyNotInFile(const Block &block);
    Unit &unitOf(const Block &block);
    /// A summary before the first of the messages that stay, for all before it: written as the format's own compaction
    /// where it has one. What is evicted stays in the file then.
    void takeEvictedPrefix();
    [[nodiscard]] std::string_view typeOf(const Block &block) const;
    /// Something can be added before the record of the block.
    [[nodiscard]] bool isFreeRecord(const Block &block) const;
    [[nodiscard]] bool isCompaction(const Block &block) const;
    void markDropped();
    void markReplaced();
    void markInserted();
    void attachBlocks();

    // --- what leaves because the session ends before it -------------------------------------------------------------

    void markCut();
    /// Everything leaves from the place of the cut on, between the records that hold something of what stays.
    void cutRecords();
    /// Records between those of subagents that hold no message stay with them, unless what they hang on leaves.
    void keepSideLinks(std::map<uint64_t, uint64_t> &staying, const std::unordered_set<uint64_t> &leaving) const;
    /// Behind the blanks and the line end that follow, if nothing else does.
    [[nodiscard]] uint64_t behindLine(uint64_t at) const;
    [[nodiscard]] bool isCutAway(uint64_t offset) const;

    // --- inside of a record -----------------------------------------------------------------------------------------

    void changeUnit(Unit &unit);
    /// Of a message that is dropped as a whole nothing else is dropped then, so that nothing is left half.
    void refuse(BlockId block, std::string sentence);
    /// The JSON value of a block's body; kNone where the file has no place for it.
    [[nodiscard]] uint32_t leafOf(const Block &block, const JsonTree &tree) const;
    /// Drops the largest values that hold dropped blocks and no others.
    void dropParts(const Unit &unit, const JsonTree &tree);
    [[nodiscard]] bool leavesPartOfResult(BlockId id, const Unit &unit) const;
    /// Where else the message holds a tool call: objects with its id, apart from `top`.
    [[nodiscard]] std::vector<uint32_t> copiesOf(BlockId id, uint32_t top, const JsonTree &tree) const;
    void dropCopies(BlockId id, uint32_t top, const JsonTree &tree, std::unordered_set<uint32_t> &dropped) const;
    void dropNodes(const JsonTree &tree, std::unordered_set<uint32_t> dropped);
    void replace(BlockId id, const std::string &text, const JsonTree &tree);
    static bool isWholeJson(std::string_view text);
    /// Names, numbers and escapes are looked at, too.
    static bool simdjsonAccepts(std::string_view text);
    /// The arguments of the copies, in the form in which each has them.
    void replaceCopies(BlockId id, uint32_t leaf, const std::string &text, const JsonTree &tree);

    // --- around records ---------------------------------------------------------------------------------------------

    void locateUnits();
    void leaveAlone(Unit &unit);
    [[nodiscard]] uint64_t lineBegin(uint64_t at) const;
    void changeSiblings();
    /// Each new message hangs on the one before it.
    void writeMessages(Unit &unit, std::string parent, const std::vector<std::string> &uuids, bool isLinked);
    void changeLine(const Unit &unit);
    /// The end of the value: what stands glued behind it stays.
    [[nodiscard]] uint64_t endOfRecord(uint64_t begin, uint64_t end) const;
    void dropLine(uint64_t begin, uint64_t end, const std::string &added);

    // --- records that hang on others --------------------------------------------------------------------------------

    struct Link {
        uint64_t begin = 0;
        uint64_t end = 0;
        bool isSidechain = false;
        std::string_view uuid;           ///< between its quotes, as written
        std::string_view parent;         ///< the value as written: a string, null, or nothing
        std::string_view logicalParent;  ///< the same
        std::string_view firstKept;      ///< the same
        std::string_view firstKeptPlace; ///< a number as written, or nothing
        size_t place = 0;                ///< among all records
    };

    [[nodiscard]] std::vector<Link> links() const;

    /// A dropped record, for those that hang on it.
    struct Gap {
        std::string parent;                                        ///< what it hangs on itself, raw
        std::vector<std::pair<uint64_t, std::string_view>> others; ///< what is left of its message: offset, uuid
    };
    using Gaps = std::unordered_map<std::string_view, Gap>; ///< by uuid

    /// Records whose parent is dropped hang on what is left of its message before them, else on its parent; those
    /// before which something is added on that. Where no record has its parent in the file, they follow each other as
    /// they stand, and nothing is linked.
    void linkRecords();
    [[nodiscard]] bool leaves(const Link &link) const;
    /// The id of the record from which on a compaction keeps its path, now that records have left and come: what stands
    /// in the place of the one that it names, else the next on the way to the compaction; its own if nothing is left.
    [[nodiscard]] std::string keptFrom(const std::vector<Link> &all, const Link &compaction) const;
    /// The place among the records of the new file of what stood at `place` in the old one, or of what was added right
    /// before it, or of the next that stays.
    [[nodiscard]] size_t placeAfter(const std::vector<Link> &all, size_t place) const;
    /// Behind the last record: the summary, and from where on the array goes on.
    void appendCompaction(const std::vector<Link> &all, const Gaps &gaps);
    /// What the provider counted when it was last asked.
    [[nodiscard]] uint64_t lastPrompt() const;
    /// The records of the unit's message that stay, in the order of the file.
    [[nodiscard]] std::vector<std::pair<uint64_t, std::string_view>> othersOf(
        const Unit &unit, const std::unordered_map<uint64_t, std::string_view> &uuids) const;
    /// What a record at `offset` hangs on that hung on `raw`.
    static std::string resolved(const Gaps &gaps, std::string_view raw, uint64_t offset);
    void relink(std::string_view raw, const std::string &parent);
    /// Gives new records their ids and parents. All records of the message behind them hang on the last of them, unless
    /// they hang on each other.
    void addRecords(const std::vector<Link> &all, Gaps &gaps, bool isLinked);
    void moveMessage(const std::vector<Link> &all, MessageId id, const std::string &parent, Gaps &gaps);

    // --- the new file -----------------------------------------------------------------------------------------------

    void noteWhatIsToBeKnown();
    Result<Spliced> applied();

    const Session &m_session;
    SpliceEdits m_edits;
    const SpliceCut *m_cut;
    const SpliceShape &m_shape;
    std::string_view m_bytes;
    std::vector<bool> m_isDropped; ///< by block
    std::unordered_set<MessageId> m_droppedMessages;
    std::unordered_map<BlockId, const std::string *> m_replaced;
    std::map<uint64_t, Unit> m_units;                       ///< by where they begin
    std::unordered_map<uint64_t, std::string> m_moved;      ///< records that get another parent: by where they begin
    std::vector<std::pair<uint64_t, uint64_t>> m_cutAway;   ///< of an event log, ascending
    std::unordered_map<uint64_t, std::string> m_firstAdded; ///< the id of what was added before a record
    std::optional<std::string> m_summary;                   ///< of an evicted prefix, to be appended as a compaction
    MessageId m_firstKept;                                  ///< behind that prefix; invalid: nothing
    std::vector<SpliceChange> m_changes;
    std::vector<SpliceProblem> m_problems;
    std::vector<std::string> m_notes;
};

} // namespace core
