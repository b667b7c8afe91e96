// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/time_text.h"
#include "core/compaction/block_pool.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace core::stages {

/// What a harness knows at one message of a session, as far as the session records it.
struct HeadFacts {
    std::optional<Timestamp> time;
    std::optional<int64_t> pause; ///< milliseconds since the record before
    size_t turn = 0;              ///< user messages up to this one
    BlockId gitStatus;            ///< the newest result of `git status`; invalid if there is none
    BlockId tasks;                ///< the newest call that wrote the list of tasks; invalid if there is none
    size_t firstEdit = 0;         ///< edits since the last `git commit`: indices of `HeadWatch::edits`
    size_t endEdit = 0;
    size_t firstSaid = 0; ///< the last three turns: indices of `HeadWatch::said`
    size_t endSaid = 0;
    bool hasCommit = false;
};

/// Follows an array, block by block, and knows the facts at its end. Looks at recorded blocks, so it does not matter
/// what other stages removed.
class HeadWatch final {
public:
    explicit HeadWatch(const BlockPool &pool)
        : m_pool(pool)
    {
    }

    /// `id` is the recorded block of an element; an invalid one (a summary) is passed over.
    void push(BlockId id);
    [[nodiscard]] const HeadFacts &facts() const { return m_facts; }

    /// The values of names that do not come from the session alone; empty if they are not known.
    struct Given {
        std::string persona;
        std::string change; ///< {switch}: says that the persona changed with this message
        std::string memory;
    };
    /// Replaces the names in the template by the facts. Leaves out each line with a name whose fact is not known. Empty
    /// if the template has names and none of their facts is known.
    [[nodiscard]] std::string filled(std::string_view pattern, const HeadFacts &facts, const Given &given) const;
    /// The texts of the user and of the model, and the names and subjects of tool calls, in the last three turns: at
    /// most 32,000 bytes, the newest.
    [[nodiscard]] std::string recentText(const HeadFacts &facts) const;

private:
    struct Edit {
        StringId path;
        std::optional<Timestamp> time;
    };

    void pushResult(BlockId result, const Block &block);
    void pushSaid(BlockId id, const Block &block);
    /// nullopt for a name that is no fact; an empty text for a fact that is not known.
    [[nodiscard]] std::optional<std::string> valueOf(
        std::string_view name, const HeadFacts &facts, const Given &given) const;
    [[nodiscard]] std::string editedText(const HeadFacts &facts) const;

    const BlockPool &m_pool;
    HeadFacts m_facts;
    std::unordered_map<StringId, BlockId> m_calls;
    std::vector<Edit> m_edits;
    std::vector<BlockId> m_said; ///< texts of the user and of the model, and tool calls
    std::vector<size_t> m_turns; ///< where each turn begins in `m_said`
    MessageId m_typed;           ///< the message that began the last turn
};

/// Whether a call runs a command with these words.
[[nodiscard]] bool runsCommand(const BlockPool &pool, BlockId call, std::string_view words);

/// The open items of a list of tasks, from the arguments of the call that wrote it: `TodoWrite`, `write_todos`,
/// `update_plan`. nullopt if the arguments are no such list.
[[nodiscard]] std::optional<std::vector<std::string>> openTasks(std::string_view arguments);

} // namespace core::stages
