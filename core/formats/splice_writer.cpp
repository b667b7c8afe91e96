// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/splice_writer.h"

#include "core/base/text.h"
#include "core/formats/format.h"
#include "core/formats/json_probe.h"
#include "core/formats/json_records.h"
#include "core/formats/json_tree.h"

#include <algorithm>
#include <format>
#include <map>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

constexpr SourceId kFile { 0U }; ///< the source that readers are given is the first of a session
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

/// `[begin, end)` of the file becomes `text`.
struct Change {
    uint64_t begin = 0;
    uint64_t end = 0;
    std::string text;
};

/// A child of an array or object, a member with its key.
struct Child {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool isDropped = false;
    std::vector<std::string> before; ///< new siblings in front of it
};

/// Changes that drop and add children and keep the commas right.
void changeChildren(const std::vector<Child> &children, std::vector<Change> &changes)
{
    const auto joined = [](const Child &child, std::string &text) {
        for (const std::string &each : child.before)
            text += (text.empty() ? "" : ",") + each;
    };
    for (size_t i = 0; i < children.size();) {
        std::string added;
        joined(children[i], added);
        if (!children[i].isDropped) {
            if (!added.empty())
                changes.push_back({ children[i].begin, children[i].begin, added + "," });
            ++i;
            continue;
        }
        size_t last = i;
        while (last + 1 < children.size() && children[last + 1].isDropped)
            joined(children[++last], added);
        const bool isFirst = i == 0;
        const bool isLast = last + 1 == children.size();
        if (!isLast)
            changes.push_back({ children[i].begin, children[last + 1].begin, added.empty() ? added : added + "," });
        else if (isFirst)
            changes.push_back({ children[i].begin, children[last].end, added });
        else
            changes.push_back({ children[i - 1].end, children[last].end, added.empty() ? added : "," + added });
        i = last + 1;
    }
}

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0'; }

class Writer final {
public:
    Writer(const Session &session, SpliceEdits edits, const SpliceCut *cut)
        : m_session(session)
        , m_edits(std::move(edits))
        , m_cut(cut)
        , m_shape(*spliceShapeOf(session.format))
        , m_bytes(session.sources.front()->bytes())
        , m_isDropped(session.blocks.size(), false)
    {
    }

    Result<Spliced> write()
    {
        takeEvictedPrefix();
        markDropped();
        if (m_cut != nullptr)
            markCut();
        markReplaced();
        markInserted();
        attachBlocks();
        for (auto &[offset, unit] : m_units)
            changeUnit(unit);
        locateUnits();
        if (m_shape.hasParents())
            linkRecords();
        changeSiblings();
        noteWhatIsToBeKnown();
        return applied();
    }

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

    // --- which values are concerned --------------------------------------------------------------------------------

    void leaveOut(BlockId block, std::string sentence)
    {
        m_problems.push_back({ block, m_session.block(block).message, std::move(sentence) });
    }
    void leaveOut(MessageId message, std::string sentence)
    {
        m_problems.push_back({ BlockId(), message, std::move(sentence) });
    }

    [[nodiscard]] bool isInFile(const Block &block) const
    {
        return block.body.source == kFile && block.recordSize > 0
            && block.recordOffset + block.recordSize <= m_bytes.size();
    }

    [[nodiscard]] static std::string whyNotInFile(const Block &block)
    {
        if (block.is(BlockFlag::Stub))
            return "The harness put this text in while it ran; the file does not hold it.";
        return "This text stands in a part of the file that had to be repaired or decoded to be read; it cannot be "
               "changed there.";
    }

    Unit &unitOf(const Block &block)
    {
        Unit &unit = m_units[block.recordOffset];
        unit.begin = block.recordOffset;
        unit.end = std::max(unit.end, block.recordOffset + block.recordSize);
        return unit;
    }

    /// A summary before the first of the messages that stay, for all before it: written as the format's own compaction
    /// where it has one. What is evicted stays in the file then.
    void takeEvictedPrefix()
    {
        if (m_shape.compaction == nullptr)
            return;
        std::unordered_set<MessageId> evicted;
        const std::unordered_set<MessageId> dropped(m_edits.droppedMessages.begin(), m_edits.droppedMessages.end());
        MessageId first;
        bool isKept = false;
        rangesAt(m_session, m_edits.at.value_or(Position { ThreadIndex(0U), {} })).forEach([&](BlockId id) {
            const MessageId message = m_session.block(id).message;
            isKept = isKept || !dropped.contains(message);
            if (!isKept)
                evicted.insert(message);
            else if (!first.isValid())
                first = message;
        });
        const auto isBefore
            = [&](const MessageInsertion &each) { return each.before == first || evicted.contains(each.before); };
        const auto summary = std::ranges::find_if(m_edits.insertions, isBefore);
        const bool isOne = std::ranges::count_if(m_edits.insertions, isBefore) == 1;
        if (evicted.empty() || !isOne || !summary->isSummary || m_shape.roleOf(summary->role) != Role::User)
            return;
        if (first.isValid() && !isFreeRecord(m_session.block(m_session.message(first).first)))
            return;
        m_summary = summary->text;
        m_firstKept = first;
        const auto isEvicted = [&](MessageId each) { return evicted.contains(each); };
        const auto isOfEvicted = [&](BlockId each) { return isEvicted(m_session.block(each).message); };
        m_edits.insertions.erase(summary);
        std::erase_if(m_edits.droppedMessages, isEvicted);
        std::erase_if(m_edits.droppedBlocks, isOfEvicted);
        std::erase_if(m_edits.replacements, [&](const BlockReplacement &each) { return isOfEvicted(each.block); });
        m_notes.emplace_back(
            "The summary was added as a compaction of the harness's own; what it stands for is still in "
            "the file, but no longer sent.");
    }

    [[nodiscard]] std::string_view typeOf(const Block &block) const
    {
        return JsonMembers(m_bytes.substr(block.recordOffset, block.recordSize)).string("type");
    }

    /// Something can be added before the record of the block.
    [[nodiscard]] bool isFreeRecord(const Block &block) const
    {
        if (!m_shape.hasParents())
            return true;
        const std::string_view type = isInFile(block) ? typeOf(block) : std::string_view();
        return isInFile(block) && type != m_shape.links.progressType && !isCompaction(block);
    }

    [[nodiscard]] bool isCompaction(const Block &block) const
    {
        return !m_shape.links.compactionType.empty() && typeOf(block) == m_shape.links.compactionType;
    }

    void markDropped()
    {
        constexpr const char *kTied
            = "The summary stands in the record that says what was kept; it can be replaced, but "
              "not dropped.";
        for (const BlockId id : m_edits.droppedBlocks) {
            if (!isInFile(m_session.block(id)))
                leaveOut(id, whyNotInFile(m_session.block(id)));
            else if (isCompaction(m_session.block(id)))
                leaveOut(id, kTied);
            else
                m_isDropped[id.index()] = true;
        }
        std::unordered_map<MessageId, std::vector<BlockId>> messages;
        for (const MessageId id : m_edits.droppedMessages)
            messages[id];
        for (size_t i = 0; i < m_session.blocks.size() && !messages.empty(); ++i) {
            const auto found = messages.find(m_session.blocks[i].message);
            if (found != messages.end() && !m_session.blocks[i].is(BlockFlag::Stub))
                found->second.emplace_back(i);
        }
        for (const MessageId id : m_edits.droppedMessages) {
            const std::vector<BlockId> &blocks = messages[id];
            const auto foreign
                = std::ranges::find_if(blocks, [&](BlockId each) { return !isInFile(m_session.block(each)); });
            if (foreign != blocks.end()) {
                leaveOut(id, whyNotInFile(m_session.block(*foreign)));
                continue;
            }
            if (std::ranges::any_of(blocks, [&](BlockId each) { return isCompaction(m_session.block(each)); })) {
                leaveOut(id, kTied);
                continue;
            }
            m_droppedMessages.insert(id);
            for (const BlockId each : blocks)
                m_isDropped[each.index()] = true;
        }
        for (size_t i = 0; i < m_isDropped.size(); ++i) {
            if (m_isDropped[i])
                unitOf(m_session.blocks[i]).isTouched = true;
        }
    }

    // --- what leaves because the session ends before it --------------------------------------------------------------

    void markCut()
    {
        std::vector<BlockId> leaving = m_cut->blocks;
        for (const MessageId id : m_cut->messages) {
            const Message &message = m_session.message(id);
            for (uint32_t i = 0; i < message.count; ++i)
                leaving.emplace_back(message.first.index() + i);
        }
        for (const BlockId id : leaving)
            m_isDropped[id.index()] = true;
        const bool isMain = m_edits.at && m_edits.at->thread == ThreadIndex(0U);
        if (m_shape.isEventLog && isMain)
            cutRecords();
        for (const BlockId id : leaving) {
            const Block &block = m_session.block(id);
            if (isInFile(block) && !isCutAway(block.recordOffset))
                unitOf(block).isTouched = true;
        }
        m_droppedMessages.insert(m_cut->messages.begin(), m_cut->messages.end());
        m_notes.insert(m_notes.end(), m_cut->notes.begin(), m_cut->notes.end());
    }

    /// Everything leaves from the place of the cut on, between the records that hold something of what stays.
    void cutRecords()
    {
        std::map<uint64_t, uint64_t> staying; // where records begin and end
        std::unordered_set<uint64_t> leaving;
        for (size_t i = 0; i < m_session.blocks.size(); ++i) {
            const Block &block = m_session.blocks[i];
            if (!isInFile(block) || block.recordOffset < m_cut->from)
                continue;
            if (m_isDropped[i])
                leaving.insert(block.recordOffset);
            else
                staying[block.recordOffset] = block.recordOffset + block.recordSize;
        }
        if (m_shape.hasParents() && !staying.empty())
            keepSideLinks(staying, leaving);
        uint64_t at = behindLine(m_cut->from);
        const auto cutAway = [&](uint64_t end, bool isLast) {
            const bool beginsLine = at == 0 || m_bytes[at - 1] == '\n';
            if (at < end) {
                m_cutAway.push_back({ at, end });
                m_changes.push_back({ at, end, beginsLine || isLast ? "" : "\n" });
            }
        };
        for (const auto &[begin, end] : staying) {
            cutAway(begin, false);
            at = behindLine(end);
        }
        cutAway(m_bytes.size(), true);
    }

    /// Records between those of subagents that hold no message stay with them, unless what they hang on leaves.
    void keepSideLinks(std::map<uint64_t, uint64_t> &staying, const std::unordered_set<uint64_t> &leaving) const
    {
        std::unordered_set<std::string_view> gone;
        for (const Link &each : links()) {
            if (each.begin < m_cut->from || staying.contains(each.begin))
                continue;
            const bool hangsOnGone = isJsonString(each.parent) && gone.contains(jsonString(each.parent));
            if (each.isSidechain && !leaving.contains(each.begin) && !hangsOnGone)
                staying[each.begin] = each.end;
            else if (!each.uuid.empty())
                gone.insert(each.uuid);
        }
    }

    /// Behind the blanks and the line end that follow, if nothing else does.
    [[nodiscard]] uint64_t behindLine(uint64_t at) const
    {
        uint64_t behind = at;
        while (behind < m_bytes.size() && isBlank(m_bytes[behind]))
            ++behind;
        return behind < m_bytes.size() && m_bytes[behind] == '\n' ? behind + 1 : at;
    }

    [[nodiscard]] bool isCutAway(uint64_t offset) const
    {
        const auto next = std::ranges::upper_bound(m_cutAway, offset, {}, [](const auto &each) { return each.first; });
        return next != m_cutAway.begin() && offset < std::prev(next)->second;
    }

    void markReplaced()
    {
        for (const BlockReplacement &each : m_edits.replacements) {
            const Block &block = m_session.block(each.block);
            if (m_isDropped[each.block.index()])
                continue;
            if (!isInFile(block)) {
                leaveOut(each.block, whyNotInFile(block));
                continue;
            }
            if (block.kind == BlockKind::Thinking && each.text.empty()) {
                // Beside a signature this would read as thinking that only the provider can read.
                leaveOut(each.block, "Thinking without a text cannot be written; it can be dropped.");
                continue;
            }
            m_replaced[each.block] = &each.text;
            unitOf(block).isTouched = true;
        }
    }

    void markInserted()
    {
        for (size_t i = 0; i < m_edits.insertions.size(); ++i) {
            const MessageInsertion &each = m_edits.insertions[i];
            const Message &message = m_session.message(each.before);
            if (each.role == Role::Tool) {
                leaveOut(each.before, "A tool result without a call cannot be added.");
                continue;
            }
            if (message.count == 0 || !isInFile(m_session.block(message.first))) {
                leaveOut(each.before,
                    "The message that it is to stand before is in a part of the file that had to be repaired or "
                    "decoded.");
                continue;
            }
            const Block &first = m_session.block(message.first);
            if (!isFreeRecord(first)) {
                leaveOut(each.before,
                    isCompaction(first) ? "Nothing can be added before the summary of a recorded compaction."
                                        : "Nothing can be added to what a subagent's progress repeats of it.");
                continue;
            }
            unitOf(first).insertions.push_back(i);
        }
    }

    void attachBlocks()
    {
        for (size_t i = 0; i < m_session.blocks.size(); ++i) {
            const Block &block = m_session.blocks[i];
            if (!isInFile(block))
                continue;
            const auto unit = m_units.find(block.recordOffset);
            if (unit != m_units.end())
                unit->second.blocks.emplace_back(i);
        }
    }

    // --- inside of a record ----------------------------------------------------------------------------------------

    void changeUnit(Unit &unit)
    {
        if (!unit.isTouched)
            return;
        unit.isDropped = std::ranges::all_of(unit.blocks, [&](BlockId each) { return m_isDropped[each.index()]; });
        if (unit.isDropped)
            return;
        const auto tree = JsonTree::parse(m_bytes, unit.begin);
        if (!tree || tree->root().end > unit.end) {
            for (const BlockId each : unit.blocks) {
                if (m_isDropped[each.index()] || m_replaced.contains(each))
                    refuse(each, "The record that it stands in is damaged; it was left as it is.");
            }
            return;
        }
        dropParts(unit, *tree);
        for (const BlockId each : unit.blocks) {
            const auto replaced = m_replaced.find(each);
            if (replaced != m_replaced.end())
                replace(each, *replaced->second, *tree);
        }
    }

    /// Of a message that is dropped as a whole nothing else is dropped then, so that nothing is left half.
    void refuse(BlockId block, std::string sentence)
    {
        m_isDropped[block.index()] = false;
        const MessageId message = m_session.block(block).message;
        const bool isNamed = std::ranges::contains(m_edits.droppedBlocks, block) || m_replaced.contains(block);
        if (isNamed)
            leaveOut(block, sentence);
        if (m_droppedMessages.erase(message) > 0)
            leaveOut(message, std::move(sentence));
    }

    /// The JSON value of a block's body; kNone where the file has no place for it.
    [[nodiscard]] uint32_t leafOf(const Block &block, const JsonTree &tree) const
    {
        const Body &body = block.body;
        if (body.coding != Coding::Empty)
            return tree.innermost(body.offset, body.offset + body.size);
        const bool isEmptyString
            = body.offset > 0 && body.offset < m_bytes.size() && m_bytes.substr(body.offset - 1, 2) == "\"\"";
        return isEmptyString ? tree.innermost(body.offset - 1, body.offset + 1) : JsonTree::kNone;
    }

    /// Drops the largest values that hold dropped blocks and no others.
    void dropParts(const Unit &unit, const JsonTree &tree)
    {
        std::unordered_map<BlockId, uint32_t> leaves;
        std::vector<uint32_t> kept(tree.nodes().size(), 0);
        for (const BlockId id : unit.blocks) {
            leaves[id] = leafOf(m_session.block(id), tree);
            if (m_isDropped[id.index()] && leaves[id] == JsonTree::kNone)
                refuse(id, "The block is empty, and the file does not say where it stands.");
        }
        for (const BlockId id : unit.blocks) {
            if (m_isDropped[id.index()] && leavesPartOfResult(id, unit))
                refuse(id, "A result cannot go while its images stay.");
        }
        for (const BlockId id : unit.blocks) {
            if (m_isDropped[id.index()])
                continue;
            const uint32_t leaf = leaves[id] == JsonTree::kNone ? 0 : leaves[id];
            std::vector<uint32_t> places = copiesOf(id, leaf, tree);
            places.push_back(leaf);
            for (const uint32_t place : places) {
                for (uint32_t at = place; at != JsonTree::kNone; at = tree.node(at).parent)
                    ++kept[at];
            }
        }
        std::unordered_set<uint32_t> dropped;
        for (const BlockId id : unit.blocks) {
            if (!m_isDropped[id.index()])
                continue;
            uint32_t top = leaves[id];
            while (tree.node(top).parent != JsonTree::kNone && kept[tree.node(top).parent] == 0)
                top = tree.node(top).parent;
            const BlockKind kind = m_session.block(id).kind;
            const bool isBare = top == leaves[id] && tree.node(top).isMember();
            if (top == 0 || kept[top] > 0
                || (isBare && (kind == BlockKind::ToolCall || kind == BlockKind::ToolResult))) {
                refuse(id, "The block cannot go alone: it shares its place in the file with another.");
                continue;
            }
            dropped.insert(top);
            dropCopies(id, top, tree, dropped);
        }
        dropNodes(tree, std::move(dropped));
    }

    [[nodiscard]] bool leavesPartOfResult(BlockId id, const Unit &unit) const
    {
        const Block &block = m_session.block(id);
        return block.kind == BlockKind::ToolResult && std::ranges::any_of(unit.blocks, [&](BlockId other) {
            const Block &each = m_session.block(other);
            return !m_isDropped[other.index()] && each.kind != BlockKind::ToolCall && each.callId == block.callId
                && each.callId.isValid();
        });
    }

    /// Where else the message holds a tool call: objects with its id, apart from `top`.
    [[nodiscard]] std::vector<uint32_t> copiesOf(BlockId id, uint32_t top, const JsonTree &tree) const
    {
        std::vector<uint32_t> found;
        const Block &block = m_session.block(id);
        const std::string_view callId = m_session.string(block.callId);
        if (!m_shape.repeatsCalls || block.kind != BlockKind::ToolCall || callId.empty())
            return found;
        for (uint32_t i = 1; i < tree.nodes().size(); ++i) {
            const std::string_view key = tree.keyOf(i);
            if ((key != "id" && key != "call_id") || tree.node(i).opening != '"')
                continue;
            const uint32_t object = tree.node(i).parent;
            const JsonTree::Node &node = tree.node(object);
            const bool isOwn = node.begin <= tree.node(top).end && tree.node(top).begin <= node.end;
            const bool isElement = node.parent != JsonTree::kNone && tree.node(node.parent).opening == '[';
            if (!isOwn && isElement && decodeJsonString(jsonString(tree.raw(i))) == callId)
                found.push_back(object);
        }
        return found;
    }

    void dropCopies(BlockId id, uint32_t top, const JsonTree &tree, std::unordered_set<uint32_t> &dropped) const
    {
        for (const uint32_t copy : copiesOf(id, top, tree))
            dropped.insert(copy);
    }

    void dropNodes(const JsonTree &tree, std::unordered_set<uint32_t> dropped)
    {
        std::erase_if(dropped, [&](uint32_t each) {
            uint32_t above = tree.node(each).parent;
            while (above != JsonTree::kNone && !dropped.contains(above))
                above = tree.node(above).parent;
            return above != JsonTree::kNone;
        });
        std::unordered_set<uint32_t> parents;
        for (const uint32_t each : dropped) {
            const bool isContent = tree.keyOf(each) == "content" || tree.keyOf(each) == "summary";
            if (isContent)
                m_changes.push_back({ tree.node(each).begin, tree.node(each).end,
                    std::string(tree.keyOf(each) == "summary" ? "[]" : m_shape.emptyContent) });
            else
                parents.insert(tree.node(each).parent);
        }
        for (const uint32_t parent : parents) {
            std::vector<Child> children;
            for (const uint32_t child : tree.children(parent)) {
                const bool isContent = tree.keyOf(child) == "content" || tree.keyOf(child) == "summary";
                children.push_back(
                    { tree.node(child).outerBegin(), tree.node(child).end, dropped.contains(child) && !isContent, {} });
            }
            changeChildren(children, m_changes);
        }
    }

    void replace(BlockId id, const std::string &text, const JsonTree &tree)
    {
        const Block &block = m_session.block(id);
        const Body &body = block.body;
        const uint32_t leaf = leafOf(block, tree);
        if (leaf == JsonTree::kNone) {
            refuse(id, "The block is empty, and the file has no place for a text there.");
            return;
        }
        switch (body.coding) {
        case Coding::Empty:
        case Coding::JsonString:
            m_changes.push_back({ body.offset, body.offset + body.size, escapedJson(text) });
            break;
        case Coding::JsonValue:
            if (block.kind == BlockKind::ToolResult) {
                m_changes.push_back({ body.offset, body.offset + body.size, "\"" + escapedJson(text) + "\"" });
            } else if (!isWholeJson(text)) {
                refuse(id, "The file holds JSON here; the new text is none.");
                return;
            } else {
                m_changes.push_back({ body.offset, body.offset + body.size, text });
            }
            break;
        case Coding::Plain:
        case Coding::Base64:
            refuse(id, "The block is no text in the file; it can be dropped, but not replaced by a text.");
            return;
        }
        replaceCopies(id, leaf, text, tree);
    }

    static bool isWholeJson(std::string_view text)
    {
        const auto tree = JsonTree::parse(text, 0);
        return tree && text.find_first_not_of(" \t\r\n", tree->root().end) == std::string_view::npos
            && simdjsonAccepts(text);
    }

    /// Names, numbers and escapes are looked at, too.
    static bool simdjsonAccepts(std::string_view text)
    {
        simdjson::dom::parser parser;
        return parser.parse(text.data(), text.size()).error() == simdjson::SUCCESS;
    }

    /// The arguments of the copies, in the form in which each has them.
    void replaceCopies(BlockId id, uint32_t leaf, const std::string &text, const JsonTree &tree)
    {
        for (const uint32_t copy : copiesOf(id, leaf, tree)) {
            uint32_t holder = tree.member(copy, "function");
            if (holder == JsonTree::kNone)
                holder = copy;
            for (const std::string_view key : { "arguments", "args", "input" }) {
                const uint32_t arguments = tree.member(holder, key);
                if (arguments == JsonTree::kNone)
                    continue;
                const bool isString = tree.node(arguments).opening == '"';
                if (isString || isWholeJson(text))
                    m_changes.push_back({ tree.node(arguments).begin, tree.node(arguments).end,
                        isString ? "\"" + escapedJson(text) + "\"" : text });
            }
        }
    }

    // --- around records --------------------------------------------------------------------------------------------

    void locateUnits()
    {
        std::vector<Unit *> moved;
        for (auto &[offset, unit] : m_units) {
            if (unit.isDropped || !unit.insertions.empty())
                moved.push_back(&unit);
        }
        if (moved.empty() || m_shape.hasParents())
            return; // these records are always lines
        const bool isDocument = sampleOf(m_bytes).isSingleValue;
        for (size_t i = 0; i < moved.size();) {
            const uint64_t begin = isDocument ? 0 : lineBegin(moved[i]->begin);
            std::vector<uint64_t> offsets;
            size_t last = i;
            while (last < moved.size() && (isDocument || lineBegin(moved[last]->begin) == begin))
                offsets.push_back(moved[last++]->begin);
            const auto open = openContainersAt(m_bytes, begin, offsets);
            for (size_t k = 0; k < offsets.size(); ++k) {
                Unit &unit = *moved[i + k];
                if (!open[k].empty())
                    unit.container = open[k].back();
                unit.isAlone = open[k].empty() ? isDocument : m_bytes[open[k].back()] != '[';
            }
            i = last;
        }
        for (Unit *unit : moved) {
            if (unit->isAlone)
                leaveAlone(*unit);
        }
    }

    void leaveAlone(Unit &unit)
    {
        constexpr const char *kReason
            = "The message does not stand in a list; it cannot be dropped, and nothing can be "
              "added before it.";
        if (unit.isDropped) {
            unit.isDropped = false;
            for (const BlockId each : unit.blocks)
                refuse(each, kReason);
        }
        for (const size_t each : unit.insertions)
            leaveOut(m_edits.insertions[each].before, kReason);
        unit.insertions.clear();
    }

    [[nodiscard]] uint64_t lineBegin(uint64_t at) const
    {
        const size_t newline = at == 0 ? std::string_view::npos : m_bytes.rfind('\n', at - 1);
        return newline == std::string_view::npos ? 0 : newline + 1;
    }

    void changeSiblings()
    {
        std::map<uint64_t, std::vector<Unit *>> byContainer;
        for (auto &[offset, unit] : m_units) {
            if (!unit.isDropped && unit.insertions.empty())
                continue;
            if (unit.newMessages.empty())
                writeMessages(unit, {}, {}, false);
            if (unit.container)
                byContainer[*unit.container].push_back(&unit);
            else
                changeLine(unit);
        }
        for (const auto &[container, units] : byContainer) {
            std::vector<Child> children;
            size_t next = 0;
            const auto *base = m_bytes.data();
            for (const std::string_view item : jsonElements(m_bytes.substr(container)).items) {
                const auto begin = static_cast<uint64_t>(item.data() - base);
                Child child { begin, begin + item.size(), false, {} };
                if (next < units.size() && units[next]->begin == begin) {
                    child.isDropped = units[next]->isDropped;
                    child.before = units[next]->newMessages;
                    ++next;
                }
                children.push_back(std::move(child));
            }
            changeChildren(children, m_changes);
        }
    }

    /// Each new message hangs on the one before it.
    void writeMessages(Unit &unit, std::string parent, const std::vector<std::string> &uuids, bool isLinked)
    {
        for (size_t i = 0; i < unit.insertions.size(); ++i) {
            const MessageInsertion &each = m_edits.insertions[unit.insertions[i]];
            const NewMessage message { m_shape.roleOf(each.role), each.text, each.isSummary,
                i < uuids.size() ? uuids[i] : std::string(), parent };
            unit.newMessages.push_back(
                m_shape.message(message, m_bytes.substr(unit.begin, unit.end - unit.begin), !unit.container));
            if (isLinked && i < uuids.size())
                parent = "\"" + uuids[i] + "\"";
        }
    }

    void changeLine(const Unit &unit)
    {
        std::string added;
        for (const std::string &each : unit.newMessages)
            added += each + "\n";
        if (!unit.isDropped) {
            m_changes.push_back({ unit.begin, unit.begin, added });
            return;
        }
        dropLine(unit.begin, endOfRecord(unit.begin, unit.end), added);
    }

    /// The end of the value: what stands glued behind it stays.
    [[nodiscard]] uint64_t endOfRecord(uint64_t begin, uint64_t end) const
    {
        const auto own = endOfJsonValue(m_bytes.substr(begin, end - begin), 0);
        return own ? begin + *own : end;
    }

    void dropLine(uint64_t begin, uint64_t end, const std::string &added)
    {
        uint64_t behind = end;
        while (behind < m_bytes.size() && isBlank(m_bytes[behind]))
            ++behind;
        uint64_t before = begin;
        while (before > 0 && isBlank(m_bytes[before - 1]))
            --before;
        const bool beginsLine = before == 0 || m_bytes[before - 1] == '\n';
        const bool endsLine = behind < m_bytes.size() && m_bytes[behind] == '\n';
        m_changes.push_back({ begin, beginsLine && endsLine ? behind + 1 : end, added });
    }

    // --- records that hang on others -------------------------------------------------------------------------------

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

    [[nodiscard]] std::vector<Link> links() const
    {
        std::vector<Link> found;
        size_t records = 0;
        SessionBuilder builder;
        const SourceId source = builder.addSource(m_session.sources.front());
        const ReadContext context { m_session.sources.front(), nullptr, {} };
        forEachRecord(builder, source, context, [&](simdjson::ondemand::object &object, const Record &record) {
            const std::string_view raw = object.raw_json();
            const size_t place = records++;
            if (record.source != source)
                return; // a repaired copy
            const JsonMembers members(raw);
            const auto begin = static_cast<uint64_t>(raw.data() - m_bytes.data());
            const SpliceShape::Links &names = m_shape.links;
            found.push_back({ begin, begin + raw.size(), members.isTrue("isSidechain"), members.string(names.id),
                members.raw(names.parent), members.raw(names.logicalParent), members.raw(names.firstKept),
                members.raw(names.firstKeptPlace), place });
        });
        return found;
    }

    /// A dropped record, for those that hang on it.
    struct Gap {
        std::string parent;                                        ///< what it hangs on itself, raw
        std::vector<std::pair<uint64_t, std::string_view>> others; ///< what is left of its message: offset, uuid
    };
    using Gaps = std::unordered_map<std::string_view, Gap>; ///< by uuid

    /// Records whose parent is dropped hang on what is left of its message before them, else on its parent; those
    /// before which something is added on that. Where no record has its parent in the file, they follow each other as
    /// they stand, and nothing is linked.
    void linkRecords()
    {
        const bool isMoved = std::ranges::any_of(
            m_units, [](const auto &each) { return each.second.isDropped || !each.second.insertions.empty(); });
        const bool isParted = m_cutAway.size() > 1 || (!m_cutAway.empty() && m_cutAway.front().second < m_bytes.size());
        if (!isMoved && !isParted && !m_summary)
            return;
        const std::vector<Link> all = links();
        std::unordered_map<uint64_t, std::string_view> uuids;
        std::unordered_set<std::string_view> known;
        for (const Link &each : all) {
            uuids[each.begin] = each.uuid;
            known.insert(each.uuid);
        }
        const bool isLinked = std::ranges::any_of(all,
            [&](const Link &each) { return isJsonString(each.parent) && known.contains(jsonString(each.parent)); });
        Gaps gaps;
        for (const Link &each : all) {
            const auto unit = m_units.find(each.begin);
            if (unit != m_units.end() && unit->second.isDropped && !each.uuid.empty())
                gaps.try_emplace(each.uuid,
                    Gap { std::string(each.parent.empty() ? "null" : each.parent), othersOf(unit->second, uuids) });
            else if (isCutAway(each.begin) && !each.uuid.empty())
                gaps.try_emplace(each.uuid, Gap { resolved(gaps, each.parent, each.begin), {} });
        }
        addRecords(all, gaps, isLinked);
        for (const Link &each : all) {
            const auto unit = m_units.find(each.begin);
            const bool isDropped = unit != m_units.end() && unit->second.isDropped;
            if (isDropped || isCutAway(each.begin))
                continue;
            if (!each.uuid.empty() && gaps.contains(each.uuid)) {
                dropLine(each.begin, each.end, {}); // a copy of a dropped record would take its place
                continue;
            }
            const auto moved = m_moved.find(each.begin);
            relink(each.parent, moved != m_moved.end() ? moved->second : resolved(gaps, each.parent, each.begin));
            relink(each.logicalParent, resolved(gaps, each.logicalParent, each.begin));
            if (isJsonString(each.firstKept))
                relink(each.firstKept, "\"" + keptFrom(all, each) + "\"");
            else if (const auto place = jsonUnsigned(each.firstKeptPlace))
                relink(each.firstKeptPlace, std::to_string(placeAfter(all, *place)));
        }
        if (m_summary)
            appendCompaction(all, gaps);
    }

    [[nodiscard]] bool leaves(const Link &link) const
    {
        const auto unit = m_units.find(link.begin);
        return isCutAway(link.begin) || (unit != m_units.end() && unit->second.isDropped);
    }

    /// The id of the record from which on a compaction keeps its path, now that records have left and come: what stands
    /// in the place of the one that it names, else the next on the way to the compaction; its own if nothing is left.
    [[nodiscard]] std::string keptFrom(const std::vector<Link> &all, const Link &compaction) const
    {
        std::unordered_map<std::string_view, const Link *> byId;
        for (const Link &each : all)
            byId.try_emplace(each.uuid, &each);
        const std::string_view named = jsonString(compaction.firstKept);
        std::vector<const Link *> path; // from the compaction up
        for (const Link *at = &compaction; path.size() <= all.size();) {
            const auto above = isJsonString(at->parent) ? byId.find(jsonString(at->parent)) : byId.end();
            if (above == byId.end())
                return std::string(named); // keeps nothing
            at = above->second;
            path.push_back(at);
            if (at->uuid == named)
                break;
        }
        for (const Link *each : path | std::views::reverse) {
            const auto added = m_firstAdded.find(each->begin);
            if (added != m_firstAdded.end())
                return added->second;
            if (!leaves(*each))
                return std::string(each->uuid);
        }
        return std::string(compaction.uuid);
    }

    /// The place among the records of the new file of what stood at `place` in the old one, or of what was added right
    /// before it, or of the next that stays.
    [[nodiscard]] size_t placeAfter(const std::vector<Link> &all, size_t place) const
    {
        size_t now = place;
        for (const Link &each : all) {
            if (each.place >= place)
                break;
            const auto unit = m_units.find(each.begin);
            now += unit == m_units.end() ? 0 : unit->second.insertions.size();
            now -= leaves(each) ? 1 : 0;
        }
        return now;
    }

    /// Behind the last record: the summary, and from where on the array goes on.
    void appendCompaction(const std::vector<Link> &all, const Gaps &gaps)
    {
        const auto last
            = std::ranges::find_if(all | std::views::reverse, [&](const Link &each) { return !leaves(each); });
        if (last == all.rend())
            return;
        NewCompaction made;
        made.summary = *m_summary;
        const Hash hash = combine(hashOf(all.back().uuid), hashOf(made.summary));
        made.id = std::format("{:08x}", hash.high >> 32U);
        made.parent = resolved(gaps, "\"" + std::string(all.back().uuid) + "\"", m_bytes.size());
        made.firstKept = made.id;
        made.firstKeptPlace = placeAfter(all, all.back().place + 1);
        if (m_firstKept.isValid()) {
            const uint64_t begin = m_session.block(m_session.message(m_firstKept).first).recordOffset;
            const auto kept = std::ranges::find(all, begin, &Link::begin);
            if (kept != all.end()) {
                made.firstKept = kept->uuid;
                made.firstKeptPlace = placeAfter(all, kept->place);
            }
        }
        made.tokensBefore = lastPrompt();
        const bool isCut = !m_cutAway.empty() && m_cutAway.back().second == m_bytes.size();
        const uint64_t end = isCut ? m_cutAway.back().first : m_bytes.size();
        const std::string newline = end > 0 && m_bytes[end - 1] != '\n' ? "\n" : "";
        m_changes.push_back({ m_bytes.size(), m_bytes.size(),
            newline + m_shape.compaction(made, m_bytes.substr(last->begin, last->end - last->begin)) + "\n" });
    }

    /// What the provider counted when it was last asked.
    [[nodiscard]] uint64_t lastPrompt() const
    {
        const Position at = m_edits.at.value_or(Position { ThreadIndex(0U), {} });
        const std::vector<Call> &calls = m_session.thread(at.thread).calls;
        for (size_t i = at.isEnd() ? calls.size() : at.call.index() + 1; i > 0; --i) {
            if (calls[i - 1].usage)
                return calls[i - 1].usage->prompt();
        }
        return 0;
    }

    /// The records of the unit's message that stay, in the order of the file.
    [[nodiscard]] std::vector<std::pair<uint64_t, std::string_view>> othersOf(
        const Unit &unit, const std::unordered_map<uint64_t, std::string_view> &uuids) const
    {
        std::map<uint64_t, std::string_view> others;
        const Message &message = m_session.message(m_session.block(unit.blocks.front()).message);
        for (uint32_t i = 0; i < message.count; ++i) {
            const uint64_t offset = m_session.blocks[message.first.index() + i].recordOffset;
            const auto other = m_units.find(offset);
            const auto uuid = uuids.find(offset);
            const bool isDropped = other != m_units.end() && other->second.isDropped;
            if (!isDropped && uuid != uuids.end() && !uuid->second.empty())
                others.insert(*uuid);
        }
        return { others.begin(), others.end() };
    }

    /// What a record at `offset` hangs on that hung on `raw`.
    static std::string resolved(const Gaps &gaps, std::string_view raw, uint64_t offset)
    {
        std::string parent(raw.empty() ? "null" : raw);
        for (size_t steps = 0; steps <= gaps.size(); ++steps) {
            const auto gap = isJsonString(parent) ? gaps.find(jsonString(parent)) : gaps.end();
            if (gap == gaps.end())
                return parent;
            const auto &others = gap->second.others;
            const auto behind
                = std::ranges::lower_bound(others, offset, {}, [](const auto &each) { return each.first; });
            if (behind != others.begin())
                return "\"" + std::string(std::prev(behind)->second) + "\"";
            parent = gap->second.parent;
        }
        return "null"; // a circle
    }

    void relink(std::string_view raw, const std::string &parent)
    {
        if (raw.empty() || raw == parent)
            return;
        const auto begin = static_cast<uint64_t>(raw.data() - m_bytes.data());
        m_changes.push_back({ begin, begin + raw.size(), parent });
    }

    /// Gives new records their ids and parents. All records of the message behind them hang on the last of them, unless
    /// they hang on each other.
    void addRecords(const std::vector<Link> &all, Gaps &gaps, bool isLinked)
    {
        for (auto &[offset, unit] : m_units) {
            const auto own = std::ranges::find(all, offset, &Link::begin);
            if (unit.insertions.empty() || own == all.end())
                continue;
            std::vector<std::string> uuids;
            for (const size_t each : unit.insertions) {
                const MessageInsertion &insertion = m_edits.insertions[each];
                const Hash hash = combine(combine(hashOf(own->uuid), hashOf(insertion.text)), Hash { each, 1 });
                uuids.push_back(std::format("{:08x}-{:04x}-8{:03x}-8{:03x}-{:012x}", hash.high >> 32U,
                    (hash.high >> 16U) & 0xFFFFU, hash.high & 0xFFFU, hash.low >> 52U, hash.low & 0xFFFFFFFFFFFFU));
            }
            m_firstAdded[offset] = uuids.front();
            writeMessages(unit, resolved(gaps, own->parent, offset), uuids, isLinked);
            const MessageId message = m_edits.insertions[unit.insertions.front()].before;
            if (isLinked)
                moveMessage(all, message, "\"" + uuids.back() + "\"", gaps);
        }
    }

    void moveMessage(const std::vector<Link> &all, MessageId id, const std::string &parent, Gaps &gaps)
    {
        std::unordered_set<uint64_t> records;
        const Message &message = m_session.message(id);
        for (uint32_t i = 0; i < message.count; ++i)
            records.insert(m_session.blocks[message.first.index() + i].recordOffset);
        std::unordered_set<std::string_view> own;
        for (const Link &each : all) {
            if (records.contains(each.begin) && !each.uuid.empty())
                own.insert(each.uuid);
        }
        for (const Link &each : all) {
            if (!records.contains(each.begin) || own.contains(jsonString(each.parent)))
                continue;
            const auto gap = gaps.find(each.uuid);
            if (gap != gaps.end())
                gap->second.parent = parent;
            else
                m_moved[each.begin] = parent;
        }
    }

    // --- the new file ----------------------------------------------------------------------------------------------

    void noteWhatIsToBeKnown()
    {
        const SourcePtr &last = m_session.sources.back();
        if (m_session.sources.size() > 1 && last->bytes().starts_with(kZstdMagic))
            m_notes.emplace_back("The session file is compressed; the new file is its unpacked content, changed.");
    }

    Result<Spliced> applied()
    {
        std::erase_if(m_changes,
            [&](const Change &each) { return m_bytes.substr(each.begin, each.end - each.begin) == each.text; });
        std::ranges::stable_sort(m_changes,
            [](const Change &a, const Change &b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
        std::vector<Change> changes;
        for (Change &each : m_changes) {
            if (!changes.empty() && each.begin < changes.back().end) {
                return failure(ErrorKind::Internal, "Two changes of the file concern the same place.",
                    m_session.sources.front()->name());
            }
            if (!changes.empty() && each.begin == changes.back().end) {
                changes.back().end = each.end;
                changes.back().text += each.text;
            } else {
                changes.push_back(std::move(each));
            }
        }
        Spliced result;
        uint64_t at = 0;
        for (const Change &each : changes) {
            result.bytes += m_bytes.substr(at, each.begin - at);
            result.inverse.push_back({ result.bytes.size(), each.text.size(), each.begin, each.end - each.begin });
            result.bytes += each.text;
            at = each.end;
        }
        result.bytes += m_bytes.substr(at);
        result.problems = std::move(m_problems);
        result.notes = std::move(m_notes);
        return result;
    }

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
    std::vector<Change> m_changes;
    std::vector<SpliceProblem> m_problems;
    std::vector<std::string> m_notes;
};

} // namespace

Result<Spliced> writeSplices(const Session &session, const SpliceEdits &edits, const SpliceCut *cut)
{
    return Writer(session, edits, cut).write();
}

} // namespace core
