// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace core {

/// One record of a Claude Code file, as far as the shape of the conversation depends on it.
struct ClaudeRecord {
    enum class Type : uint8_t {
        Link, ///< not in the context, but other records hang on it (`progress`, `system`)
        User,
        Assistant,
        Boundary, ///< `compact_boundary`: the array starts anew behind it
        Clearing, ///< `microcompact_boundary`: listed tool results become stubs from here on
    };
    Type type = Type::Link;
    bool isSidechain = false;
    bool isMeta = false;
    bool isSummary = false;
    bool isApiError = false;
    bool isLinear = false; ///< has no parent member: it follows the record before it in its thread
    Hash uuid;
    Hash parent;
    Hash logicalParent;
    StringId messageId; ///< the response's
    StringId recordId;  ///< the uuid in words, of messages that are no response
    StringId model;
    StringId agent;
    StringId parentTool;
    StringId trigger;
    std::optional<Usage> usage;
    std::optional<uint64_t> preTokens;
    std::optional<Timestamp> time;
    std::vector<StringId> clearedCalls;
    std::vector<RecordedFigure> figures; ///< of its compaction
    SourceId source;
    uint64_t line = 0;
    uint64_t offset = 0;
    uint64_t size = 0;
    uint32_t firstBlock = 0; ///< into the tree's blocks
    uint32_t blockCount = 0;
};

/// A place in the tree of messages: what the array ends with there.
struct ClaudeNode {
    enum class Kind : uint8_t { Root, Message, Clearing };
    static constexpr int kNone = -1;

    Kind kind = Kind::Message;
    Role role = Role::User;
    int parent = kNone; ///< an earlier node
    uint32_t thread = 0;
    uint32_t record = 0;     ///< the first one; the others of a message are chained to it
    uint32_t lastRecord = 0; ///< of that chain
    StringId messageId;
    int resultNode = kNone; ///< of an assistant message: the user message that carries its tool results
    bool isAnswered = false;

    // Set when the node is put into the pool.
    MessageId message;
    uint32_t messagesBefore = 0; ///< size of the pool in front of the node
    uint32_t blocksBefore = 0;
    BlockRanges array; ///< from the root to here
};

/// The nodes of a thread, and the state for linking its next record.
struct ClaudeThread {
    StringId agent;
    StringId parentTool;
    int lastRecord = ClaudeNode::kNone;
    size_t linkedCount = 0;                       ///< records whose parent is in the file
    size_t messageCount = 0;                      ///< records of messages
    bool isUnlinked = false;                      ///< several messages and no links: each follows the one before it
    std::unordered_map<StringId, int> assistants; ///< message id → node
    int lastAssistant = ClaudeNode::kNone;        ///< the one that was asked for last
    std::vector<uint32_t> arrayRecords;           ///< its messages and clearings, in the order of the file
    std::vector<int> nodes;                       ///< in the order of the pool
    std::vector<int> responses;                   ///< nodes of calls, in the order of the file
    size_t firstChanged = 0;                      ///< the nodes from here on are new or have new records
};

/// Links the records of a Claude Code session: to their thread, to their message, and that message to the one it
/// follows. Goes on where it stopped, as long as new records do not change the links of earlier ones.
class ClaudeLinks final {
public:
    static constexpr uint32_t kNoRecord = HashIndex::kNone;

    /// Both lists must outlive the links; they only grow.
    ClaudeLinks(const std::vector<ClaudeRecord> &records, const std::vector<Block> &blocks)
        : m_records(records)
        , m_blocks(blocks)
    {
    }

    /// Links the records that were added since the last call, in O(new records). Where one of them changes the past (an
    /// earlier record hangs on it, or it decides which thread is the main one), everything is linked anew; returns true
    /// then.
    bool update(const SessionBuilder &names);
    /// Forgets which nodes were changed.
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
    /// Copies, circles and missing parents.
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
    [[nodiscard]] bool findMainThread();
    [[nodiscard]] bool assignThreads();
    uint32_t sideThreadOf(size_t i);
    void processWithParents(size_t start);
    void process(size_t i);
    void listNew(const SessionBuilder &names, size_t firstNode);

    [[nodiscard]] bool isLinear(size_t i) const;
    [[nodiscard]] int parentNode(size_t i);
    int newNode(ClaudeNode::Kind kind, Role role, int parent, size_t record);
    void addRecord(int nodeIndex, size_t record);
    [[nodiscard]] bool hasToolResults(const ClaudeRecord &record) const;
    [[nodiscard]] bool repeatsResult(int nodeIndex, const ClaudeRecord &record) const;
    int addUser(size_t i, int parent);
    int addAssistant(size_t i, int parent);
    void note(uint64_t line, std::string reason) { m_notes.push_back({ Severity::Note, line, std::move(reason) }); }

    const std::vector<ClaudeRecord> &m_records;
    const std::vector<Block> &m_blocks;
    size_t m_linked = 0; ///< records before the ones that are being linked
    std::vector<State> m_state;
    std::vector<bool> m_isCut; ///< its parent link closes a circle
    std::vector<int> m_nodeOf;
    std::vector<uint32_t> m_threadOf;
    std::vector<uint32_t> m_parentOf; ///< the record that the parent link names
    std::vector<uint32_t> m_nextOf;   ///< the next record of the same message
    std::vector<size_t> m_pending;
    HashIndex m_byUuid;
    std::unordered_set<Hash> m_missing; ///< parents that are not in the file
    bool m_isStandIn = false;           ///< a uuid does not stand for the first record that has it
    size_t m_copies = 0;
    bool m_hasMain = false; ///< a message that is in no sidechain
    std::optional<size_t> m_firstMessage;
    std::vector<ClaudeThread> m_threads;
    std::unordered_map<StringId, uint32_t> m_byTool;
    std::unordered_map<StringId, uint32_t> m_byAgent;
    uint32_t m_lastUnnamed = 0; ///< the last side thread that only its root names
    std::vector<ClaudeNode> m_nodes;
    std::vector<std::pair<size_t, int>> m_events;
    std::vector<Diagnostic> m_notes;
};

} // namespace core
