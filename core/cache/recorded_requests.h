// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_lifetimes.h"
#include "core/cache/cache_model.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// The cache rules for a session's model. A Codex session without a recorded model gets those of OpenAI before GPT-5.6.
[[nodiscard]] std::optional<CacheRules> rulesOf(const Session &session);

// Bits of CacheCall::options: request options of a harness, as far as its log shows them.
inline constexpr uint32_t kSkillRuns = 1;     ///< Claude Code: a skill runs, without thinking
inline constexpr uint32_t kFetchedWhole = 2;  ///< Claude Code: the response is not streamed, after a stream failed
inline constexpr uint32_t kThinkingLevel = 4; ///< multiplied by the number of a thinking level

/// A recorded call as input of the cache model.
struct RecordedRequest {
    CacheCall call; ///< the caller fills in `prelude` and `shared` when it knows the length of the prelude
    Position position;
    ThreadKind kind = ThreadKind::Main;
    Usage usage;
    CacheWrites writes;
    bool isShorter = false; ///< the prompt is shorter than the one before although the array only grew

    /// Share of the base's array that this request starts with: 1 all, 0 only system prompt and tools.
    double sharedShare = 1;
    double baseTokens = 0;
    /// Computes `call.shared` from `call.prelude` and `sharedShare`.
    void settleShared();
};

/// The recorded calls of a session as requests, ordered by time. Each says which earlier request it continues, how
/// much of that prefix it keeps, and what changed. Skips calls without usage, or whose prompt is in doubt. A request
/// was sent when the last message of its array was recorded. Two limits apply: not before the previous response
/// started, and at most a minute before its own response.
class RecordedRequests final {
public:
    RecordedRequests(const Session &session, const BlockTokens &tokens, CacheRules rules);

    [[nodiscard]] bool hasCacheFigures() const { return m_hasFigures; }
    [[nodiscard]] std::optional<RecordedRequest> next();

private:
    /// State of one thread.
    struct ThreadState {
        std::vector<std::pair<CallIndex, size_t>> told; ///< its calls, and their indices among all requests
        size_t turn = CacheCall::kNone;                 ///< the request that began the current turn
        uint32_t options = 0;
        std::string_view level; ///< the latest thinking level in pi's files
        uint32_t leveled = 0;   ///< blocks before this one have been searched for it
        Timestamp lifetime = 0;
    };

    void setTimes(RecordedRequest &request, const Call &call, const ThreadState &state) const;
    void setBase(RecordedRequest &request, const Call &call, ThreadState &state);
    void setFirstBase(RecordedRequest &request);
    void setChange(RecordedRequest &request, const Call &call, const Call &base);
    void setTurn(RecordedRequest &request, const Call &call, const Call *base, ThreadState &state);
    void followLevel(std::span<const BlockId> fresh, ThreadState &state);
    void setMarks(RecordedRequest &request) const;
    void setLifetime(RecordedRequest &request, const Call &call, ThreadState &state);
    [[nodiscard]] const Call &callOf(const Position &position) const;
    [[nodiscard]] double weightOf(const BlockRanges &array, uint64_t blocks) const;
    [[nodiscard]] uint32_t sentBlocks(const BlockRanges &array, uint32_t options) const;

    const Session &m_session;
    CacheRules m_rules;
    std::vector<Position> m_order;
    std::vector<double> m_sums;       ///< prefix sums of weights, by block
    std::vector<uint32_t> m_thoughts; ///< number of thinking blocks before each block
    std::vector<RecordedRequest> m_told;
    std::map<ThreadIndex, ThreadState> m_threads;
    std::vector<std::string_view> m_levels; ///< thinking levels in the order found
    Timestamp m_longestLifetime = 0;
    bool m_hasFigures = false;
};

} // namespace core
