// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace core {

/// The messages that a compaction left in the context, after the record `anchor` (the summary, or the boundary itself).
/// If there is no list, they are the path from `head` to `tail`.
struct KeptMessages {
    Hash anchor;
    Hash head;
    Hash tail;
    bool hasList = false;
    std::vector<Hash> list; ///< their records
};

/// The facts of one Claude Code record that determine the shape of the conversation.
struct ClaudeRecord {
    enum class Type : uint8_t {
        Link, ///< not in the context, but may be a parent (`progress`, `system`)
        User,
        Assistant,
        Boundary, ///< `compact_boundary`: a new array starts behind it
        Clearing, ///< `microcompact_boundary`: listed tool results become stubs from here on
    };
    Type type = Type::Link;
    bool isSidechain = false;
    bool isMeta = false;
    bool isSummary = false;
    bool isApiError = false;
    bool isLinear = false;          ///< has no parent member: it follows the record before it in its thread
    bool dropsBareThinking = false; ///< its version does not resend an answer of nothing but thinking
    Hash uuid;
    Hash parent;
    Hash logicalParent;
    StringId messageId; ///< id of the response
    StringId recordId;  ///< the uuid as text, for messages other than responses
    StringId model;
    StringId agent;
    StringId parentTool;
    StringId trigger;
    std::optional<Usage> usage;
    std::optional<uint64_t> preTokens;
    std::optional<Timestamp> time;
    std::vector<StringId> clearedCalls;
    std::vector<RecordedFigure> figures;      ///< of its compaction
    std::shared_ptr<const KeptMessages> kept; ///< of its compaction
    SourceId source;
    uint64_t line = 0;
    uint64_t offset = 0;
    uint64_t size = 0;
    uint32_t firstBlock = 0; ///< index into the tree's blocks
    uint32_t blockCount = 0;
};

/// A node in the tree of messages; an array ends at each node.
struct ClaudeNode {
    enum class Kind : uint8_t {
        Root,
        Message,
        Clearing,
        Kept, ///< repeats messages that a compaction kept
    };
    static constexpr int kNone = -1;

    Kind kind = Kind::Message;
    Role role = Role::User;
    int parent = kNone; ///< an earlier node
    uint32_t thread = 0;
    uint32_t record = 0;     ///< its first record; the message's other records are chained to it
    uint32_t lastRecord = 0; ///< the last record of that chain
    StringId messageId;
    int resultNode = kNone; ///< of an assistant message: the user message with its tool results
    bool isAnswered = false;
    bool hasLostRecord = false; ///< a record that came after it is not in the file

    // Set when the node is added to the pool:
    MessageId message;
    uint32_t messagesBefore = 0; ///< size of the pool before the node
    uint32_t blocksBefore = 0;
    BlockRanges array; ///< from the root to this node
};

/// The nodes of a thread, and the state to link its next record.
struct ClaudeThread {
    StringId agent;
    StringId parentTool;
    int lastRecord = ClaudeNode::kNone;
    size_t linkedCount = 0;                       ///< records whose parent is in the file
    size_t messageCount = 0;                      ///< message records
    bool isUnlinked = false;                      ///< several messages without links: each follows the one before it
    std::unordered_map<StringId, int> assistants; ///< message id → node
    int lastAssistant = ClaudeNode::kNone;        ///< the last one looked up
    std::vector<uint32_t> arrayRecords;           ///< its messages and clearings, in file order
    std::vector<int> nodes;                       ///< in pool order
    std::vector<int> responses;                   ///< nodes of calls, in file order
    size_t firstChanged = 0;                      ///< the nodes from here on are new or have new records
};

/// Links the records of a Claude Code session to their thread and message, and messages to the messages they follow.
/// Continues incrementally as long as new records do not change earlier links.
class ClaudeLinks final {
public:
    static constexpr uint32_t kNoRecord = HashIndex::kNone;

    /// Both lists must outlive the object and only grow.
    ClaudeLinks(const std::vector<ClaudeRecord> &records, const std::vector<Block> &blocks)
        : m_records(records)
        , m_blocks(blocks)
    {
    }

    /// Links the records added since the last call, in O(new records). If a new record changes earlier links (it is an
    /// earlier record's parent, or it decides which thread is the main one), links everything again and returns true.
    bool update(const SessionBuilder &names);
    /// Resets the changed nodes.
    void setUnchanged();

    [[nodiscard]] std::vector<ClaudeNode> &nodes() { return m_nodes; }
    [[nodiscard]] ClaudeNode &node(int index) { return m_nodes[static_cast<size_t>(index)]; }
    [[nodiscard]] const ClaudeNode &node(int index) const { return m_nodes[static_cast<size_t>(index)]; }
    [[nodiscard]] const std::vector<ClaudeThread> &threads() const { return m_threads; }
    [[nodiscard]] uint32_t threadOf(size_t record) const { return m_threadOf[record]; }
    [[nodiscard]] int nodeOf(size_t record) const { return m_nodeOf[record]; }
    /// Compactions: record and node.
    [[nodiscard]] const std::vector<std::pair<size_t, int>> &events() const { return m_events; }
    [[nodiscard]] uint32_t find(const Hash &uuid) const { return m_byUuid.find(uuid); }
    /// The records that a node repeats.
    [[nodiscard]] const std::vector<uint32_t> &keptAt(int nodeIndex) const { return m_kept.at(nodeIndex); }
    /// Diagnostics for copies, cycles and missing parents.
    [[nodiscard]] std::vector<Diagnostic> notes() const;

    /// Calls `visit` for the records of a message until it returns true; returns whether it did.
    template <typename Visitor>
    bool anyRecordOf(const ClaudeNode &message, Visitor &&visit) const
    {
        for (uint32_t i = message.record; i != kNoRecord; i = m_nextOf[i]) {
            if (visit(m_records[i]))
                return true;
        }
        return false;
    }

private:
    static constexpr int kNone = ClaudeNode::kNone;
    enum class State : uint8_t { New, Open, Done };

    void reset();
    [[nodiscard]] bool link(const SessionBuilder &names);
    [[nodiscard]] bool indexRecords();
    void findParents();
    [[nodiscard]] bool findAnswered();
    [[nodiscard]] bool findMainThread();
    [[nodiscard]] bool assignThreads();
    uint32_t sideThreadOf(size_t i);
    void processWithParents(size_t start);
    void process(size_t i);
    void listNew(const SessionBuilder &names, size_t firstNode);

    [[nodiscard]] bool isLinear(size_t i) const;
    [[nodiscard]] int parentNode(size_t i);
    void noteLostParent(size_t i);
    int newNode(ClaudeNode::Kind kind, Role role, int parent, size_t record);
    void addRecord(int nodeIndex, size_t record);
    void markChanged(int nodeIndex);
    int addKept(size_t anchor, int parent);
    [[nodiscard]] std::vector<uint32_t> keptRecords(const KeptMessages &kept) const;
    [[nodiscard]] bool hasToolResults(const ClaudeRecord &record) const;
    [[nodiscard]] bool hangsOnAnswered(size_t i) const;
    [[nodiscard]] bool repeatsResult(int nodeIndex, const ClaudeRecord &record) const;
    int addUser(size_t i, int parent);
    int addAssistant(size_t i, int parent);
    void note(uint64_t line, std::string reason) { m_notes.push_back({ Severity::Note, line, std::move(reason) }); }

    const std::vector<ClaudeRecord> &m_records;
    const std::vector<Block> &m_blocks;
    size_t m_linked = 0; ///< number of records already linked
    std::vector<State> m_state;
    std::vector<bool> m_isCut; ///< by record: its parent link would close a cycle
    std::vector<int> m_nodeOf;
    std::vector<uint32_t> m_threadOf;
    std::vector<uint32_t> m_parentOf; ///< by record: the record that its parent link names
    std::vector<uint32_t> m_nextOf;   ///< by record: the next record of the same message
    std::vector<bool> m_isAnswered;   ///< a user record that a response follows
    std::vector<size_t> m_pending;
    HashIndex m_byUuid;
    std::unordered_set<Hash> m_missing; ///< parents that are not in the file
    bool m_isStandIn = false;           ///< some first record of a uuid is empty; a later one counts
    size_t m_copies = 0;
    bool m_hasMain = false; ///< there is a message outside of sidechains
    std::optional<size_t> m_firstMessage;
    std::vector<ClaudeThread> m_threads;
    std::unordered_map<StringId, uint32_t> m_byTool;
    std::unordered_map<StringId, uint32_t> m_byAgent;
    uint32_t m_lastUnnamed = 0; ///< the last side thread that is identified only by its root
    std::vector<ClaudeNode> m_nodes;
    std::vector<std::pair<size_t, int>> m_events;
    std::unordered_map<Hash, uint32_t> m_anchors;          ///< boundaries by the record after which they keep messages
    std::unordered_map<int, std::vector<uint32_t>> m_kept; ///< by node
    std::vector<Diagnostic> m_notes;
};

} // namespace core
