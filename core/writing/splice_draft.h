// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json_tree.h"
#include "core/session/format_traits.h"
#include "core/writing/splice_writer.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace core {

/// Replaces `[begin, end)` of the file by `text`.
struct SpliceChange {
    uint64_t begin = 0;
    uint64_t end = 0;
    std::string text;
};

/// A child of an array or object; a member includes its key.
struct SpliceChild {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool isDropped = false;
    std::vector<std::string> before;    ///< new siblings in front of it
    std::vector<std::string> behind {}; ///< new siblings behind it; it stays
};

/// Makes the changes that drop and add children, with correct commas.
void changeChildren(const std::vector<SpliceChild> &children, std::vector<SpliceChange> &changes);

/// The id of a new record beside the record `neighbour`; equal for equal input.
[[nodiscard]] std::string newId(std::string_view neighbour, std::string_view text, size_t index);

/// Blanks that may surround a record in its line.
[[nodiscard]] constexpr bool isLineBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0'; }

/// Turns the edits of one session file into changes of its bytes; see `writeSplices`. The steps, one source file each:
/// find the affected values (splice_marks.cpp), change parts of a record (splice_parts.cpp), the links between records
/// (splice_links.cpp), and the records and the file (splice_writer.cpp).
class SpliceDraft final {
public:
    SpliceDraft(const Session &session, SpliceEdits edits, const SpliceCut *cut)
        : m_session(session)
        , m_edits(std::move(edits))
        , m_cut(cut)
        , m_shape(session.traits->splice)
        , m_bytes(session.sources.front()->bytes())
        , m_isDropped(session.blocks.size(), false)
    {
    }

    Result<Spliced> write();

private:
    /// The JSON value that holds a record of the session: a line, a message, an item.
    struct Unit {
        uint64_t begin = 0;
        uint64_t end = 0;
        std::vector<BlockId> blocks;          ///< all blocks in it
        std::vector<size_t> insertions;       ///< indices of messages inserted before it
        std::vector<size_t> appended;         ///< indices of messages behind it, at the end of the array
        std::optional<uint64_t> container;    ///< the bracket of the array that contains it; nullopt: it is a line
        bool isTouched = false;               ///< one of its blocks is dropped or replaced
        bool isDropped = false;               ///< it is dropped completely
        bool isAlone = false;                 ///< nothing beside it can be dropped or added
        std::vector<std::string> newMessages; ///< the text of each of `insertions`

        [[nodiscard]] bool isMoved() const { return isDropped || !insertions.empty() || !appended.empty(); }
    };

    // --- affected values -------------------------------------------------------------------------------------------

    void leaveOut(BlockId block, std::string sentence);
    void leaveOut(MessageId message, std::string sentence);
    [[nodiscard]] bool isInFile(const Block &block) const;
    [[nodiscard]] static std::string whyNotInFile(const Block &block);
    Unit &unitOf(const Block &block);
    /// Handles a summary in place of all messages before the first kept one. In a format with compaction records it is
    /// written as such a record, and the evicted messages stay in the file.
    void takeEvictedPrefix();
    [[nodiscard]] std::string_view typeOf(const Block &block) const;
    /// Whether something can be added before the block's record.
    [[nodiscard]] bool isFreeRecord(const Block &block) const;
    [[nodiscard]] bool isCompaction(const Block &block) const;
    void markDropped();
    void markReplaced();
    void markInserted();
    void attachBlocks();

    // --- cutting off the end ---------------------------------------------------------------------------------------

    void markCut();
    /// Removes everything from the cut on, except records with content that stays.
    void cutRecords();
    /// Also keeps the records of subagents that hold no message, because they can be parents of records that stay. A
    /// record whose parent is removed is not kept.
    void keepSideLinks(std::map<uint64_t, uint64_t> &staying, const std::unordered_set<uint64_t> &leaving) const;
    /// Offset behind the blanks and the line end at `at`, if nothing else is on the line.
    [[nodiscard]] uint64_t behindLine(uint64_t at) const;
    [[nodiscard]] bool isCutAway(uint64_t offset) const;

    // --- inside of a record -----------------------------------------------------------------------------------------

    void changeUnit(Unit &unit);
    /// Leaves out an edit. If the edit is part of a dropped message, nothing of that message is dropped.
    void refuse(BlockId block, std::string sentence);
    /// The JSON value of a block's body; kNone if the file has no place for it.
    [[nodiscard]] uint32_t leafOf(const Block &block, const JsonTree &tree) const;
    /// The elements of a list of parts that are texts.
    [[nodiscard]] static std::vector<uint32_t> textParts(uint32_t list, const JsonTree &tree);
    /// Drops the largest values that contain only dropped blocks. If a list of texts is replaced, its first text stays,
    /// for the new text.
    void dropParts(const Unit &unit, const JsonTree &tree);
    [[nodiscard]] bool leavesPartOfResult(BlockId id, const Unit &unit) const;
    /// Other copies of a tool call in the message: objects with its id, apart from `top`.
    [[nodiscard]] std::vector<uint32_t> copiesOf(BlockId id, uint32_t top, const JsonTree &tree) const;
    void dropCopies(BlockId id, uint32_t top, const JsonTree &tree, std::unordered_set<uint32_t> &dropped) const;
    void dropNodes(const JsonTree &tree, std::unordered_set<uint32_t> dropped);
    void replace(BlockId id, const std::string &text, const JsonTree &tree);
    static bool isWholeJson(std::string_view text);
    /// Checks names, numbers and escapes, too.
    static bool simdjsonAccepts(std::string_view text);
    /// Replaces the arguments in each copy, in the copy's form.
    void replaceCopies(BlockId id, uint32_t leaf, const std::string &text, const JsonTree &tree);

    // --- around records ---------------------------------------------------------------------------------------------

    void locateUnits();
    void leaveAlone(Unit &unit);
    [[nodiscard]] uint64_t lineBegin(uint64_t at) const;
    void changeSiblings();
    /// The id of the unit's record; empty in formats whose records have none.
    [[nodiscard]] std::string_view idOf(const Unit &unit) const;
    /// Ids for the messages to be added before it; none in formats whose records have none.
    [[nodiscard]] std::vector<std::string> newIdsBefore(const Unit &unit) const;
    /// Each new message has the message before it as parent.
    void writeMessages(Unit &unit, std::string parent, const std::vector<std::string> &uuids, bool isLinked);
    void changeLine(const Unit &unit);
    /// The messages behind the unit, each with the one before it as parent.
    [[nodiscard]] std::vector<std::string> appendedTo(const Unit &unit) const;
    /// Adds them behind the line of the unit; at the end of the file if the records are linked, as harnesses do.
    void appendLines(const Unit &unit);
    /// The end of the value; text directly after it on the line stays.
    [[nodiscard]] uint64_t endOfRecord(uint64_t begin, uint64_t end) const;
    void dropLine(uint64_t begin, uint64_t end, const std::string &added);

    // --- links between records -------------------------------------------------------------------------------------

    struct Link {
        uint64_t begin = 0;
        uint64_t end = 0;
        bool isSidechain = false;
        std::string_view uuid;           ///< raw, between its quotes
        std::string_view parent;         ///< raw value: a string, null, or empty
        std::string_view logicalParent;  ///< raw value
        std::string_view firstKept;      ///< raw value
        std::string_view firstKeptPlace; ///< raw number, or empty
        size_t place = 0;                ///< index among all records
    };

    [[nodiscard]] std::vector<Link> links() const;

    /// A dropped record, for its children.
    struct Gap {
        std::string parent;                                        ///< its own parent, raw
        std::vector<std::pair<uint64_t, std::string_view>> others; ///< remaining records of its message: offset, uuid
    };
    using Gaps = std::unordered_map<std::string_view, Gap>; ///< by uuid

    /// Sets new parents. A child of a dropped record gets the last remaining record of that message before it, else the
    /// dropped record's parent. A record with insertions before it gets the inserted record. In files without parent
    /// links inside the file, records just follow each other, and nothing is changed.
    void linkRecords();
    [[nodiscard]] bool leaves(const Link &link) const;
    /// The first record that a compaction keeps, after the edits: the replacement of the recorded one, else the next
    /// record on the path to the compaction; the compaction's own id if none is left.
    [[nodiscard]] std::string keptFrom(const std::vector<Link> &all, const Link &compaction) const;
    /// Index in the new file of the record with index `place` in the old one, or of the record inserted before it, or
    /// of the next remaining record.
    [[nodiscard]] size_t placeAfter(const std::vector<Link> &all, size_t place) const;
    /// Appends the summary behind the last record, with the place where the array continues.
    void appendCompaction(const std::vector<Link> &all, const Gaps &gaps);
    /// The prompt tokens of the last call with usage.
    [[nodiscard]] uint64_t lastPrompt() const;
    /// The remaining records of the unit's message, in file order.
    [[nodiscard]] std::vector<std::pair<uint64_t, std::string_view>> othersOf(
        const Unit &unit, const std::unordered_map<uint64_t, std::string_view> &uuids) const;
    /// The new parent of a record at `offset` whose parent was `raw`.
    static std::string resolved(const Gaps &gaps, std::string_view raw, uint64_t offset);
    void relink(std::string_view raw, const std::string &parent);
    /// Gives new records ids and parents. The records of the next message get the last new record as parent, unless
    /// these records are already linked to each other.
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
    std::map<uint64_t, Unit> m_units;                       ///< by their offset
    std::unordered_map<uint64_t, std::string> m_moved;      ///< records with a new parent, by their offset
    std::vector<std::pair<uint64_t, uint64_t>> m_cutAway;   ///< removed ranges of an event log, ascending
    std::unordered_map<uint64_t, std::string> m_firstAdded; ///< by offset of a record: id of the record inserted before
                                                            ///< it
    std::optional<std::string> m_summary;                   ///< the summary of an evicted prefix, to append as a
                                                            ///< compaction
    MessageId m_firstKept;                                  ///< first message behind that prefix; invalid: none
    std::vector<SpliceChange> m_changes;
    std::vector<SpliceProblem> m_problems;
    std::vector<std::string> m_notes;
};

} // namespace core
