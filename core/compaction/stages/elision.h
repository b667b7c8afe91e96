// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

#include <set>
#include <unordered_map>

namespace core::stages {

/// Tracks an array, element by element, and the tool results that the selector of an elide stage selects. A place is
/// any ascending number of the caller's choice.
class ElisionWatch final {
public:
    static constexpr size_t kNowhere = SIZE_MAX;

    struct Result {
        size_t place = 0;
        size_t call = kNowhere; ///< place of the nearest earlier call with its id
        BlockId block;
        BlockId callBlock;
        bool isSuperseded = false; ///< it read a file that was read again later
    };

    explicit ElisionWatch(const StageParameters &parameters);

    void clear();
    void push(size_t place, const BlockPool &pool, BlockId id);

    [[nodiscard]] const std::vector<Result> &results() const { return m_results; }
    /// The number of results, from the first on, among which the selector chooses: all results for `StaleReads`.
    /// `cutoff` is the first place of the keep window.
    [[nodiscard]] size_t meantCount(size_t cutoff) const;
    /// Whether a result among the first `meantCount` is selected.
    [[nodiscard]] bool isMeant(const Result &result, const BlockPool &pool) const;
    [[nodiscard]] std::string why() const;
    /// The place of the result that the last push superseded; returned once.
    [[nodiscard]] std::optional<size_t> takeSuperseded() { return std::exchange(m_superseded, {}); }

private:
    enum class Selector : uint8_t {
        BeforeLastUser,
        EveryNTurns,
        StaleReads,
        OlderThanResults,
        Idle,
        Commit,
        Topic,
        ByTool,
    };

    void pushResult(const Result &result, const BlockPool &pool);
    void pushTyped(size_t place, const BlockPool &pool, BlockId block);
    [[nodiscard]] size_t boundary() const;

    StageParameters m_parameters;
    Selector m_selector;
    size_t m_n;
    int64_t m_pause;
    double m_farDistance;
    struct Call {
        size_t place = 0;
        BlockId block;
    };
    std::unordered_map<StringId, Call> m_calls;
    std::vector<Result> m_results;
    std::vector<size_t> m_typed;
    std::unordered_map<StringId, size_t> m_latestRead; ///< by path: index of the latest result
    std::optional<size_t> m_superseded;
    Timestamp m_previousTime = 0;
    size_t m_idleEnd = 0;
    int64_t m_longestPause = 0;
    size_t m_commitEnd = 0;
    std::set<std::string> m_words; ///< words of the last typed text
    size_t m_topicEnd = 0;
    double m_distance = 0;
};

/// The part of a tool result that an elide stage leaves. A rung is what replaces a result: nothing, a stub, a pointer
/// or a note. The rung `hybrid` chooses one of them by the length of the result.
class ElisionRung final {
public:
    explicit ElisionRung(const StageParameters &parameters);

    /// Removes the result and its call completely.
    [[nodiscard]] bool isRemoval() const { return m_rung == Rung::Remove; }
    /// Whether it may leave a note that says what the agent did next.
    [[nodiscard]] bool mayNote() const { return m_rung == Rung::Note || m_rung == Rung::Hybrid; }
    /// `note()` returns that note (`noteOn`). nullopt if the result stays.
    [[nodiscard]] std::optional<BlockChange> of(
        const BlockPool &pool, BlockId result, const std::string &why, const std::function<std::string()> &note) const;

private:
    enum class Rung : uint8_t { Remove, Stub, Pointer, Note, Hybrid };

    /// What the stage makes of this result: `m_rung`, or the choice of the rung `hybrid`. nullopt if the result stays.
    [[nodiscard]] std::optional<Rung> rungFor(const BlockPool &pool, const Block &block) const;

    StageParameters m_parameters;
    Rung m_rung;
};

/// The agent's next step after a result: its text, else its next call. `next()` returns the following blocks one by
/// one, then an invalid one.
[[nodiscard]] std::string noteOn(const BlockPool &pool, const std::function<BlockId()> &next);

} // namespace core::stages
