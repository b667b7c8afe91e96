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

/// The cache rules for the model of a session; a Codex session that does not name it has one of OpenAI before GPT-5.6.
[[nodiscard]] std::optional<CacheRules> rulesOf(const Session &session);

/// A recorded call as the cache model wants it.
struct RecordedRequest {
    CacheCall call; ///< `prelude` and `shared` are settled by the caller, who knows how long the prelude is
    Position position;
    ThreadKind kind = ThreadKind::Main;
    Usage usage;
    CacheWrites writes;
    bool isShorter = false; ///< its prompt is shorter than the one before it, although the array only grew

    /// Of the array's part in the base's prompt, what it begins with: 1 all, 0 nothing but system prompt and tools.
    double sharedShare = 1;
    double baseTokens = 0;
    /// Sets `call.shared` by `call.prelude` and the share.
    void settleShared();
};

/// The recorded calls of a session in order of time, told as requests: from which earlier one each goes on, how much of
/// its beginning it keeps, and what changed. Calls without usage are left out. A request is sent when the last message
/// of its array was recorded, but not before the response before it began, nor more than a minute before its own.
class RecordedRequests final {
public:
    RecordedRequests(const Session &session, const BlockTokens &tokens, CacheRules rules);

    [[nodiscard]] bool hasCacheFigures() const { return m_hasFigures; }
    [[nodiscard]] std::optional<RecordedRequest> next();

private:
    /// What is remembered of a thread.
    struct ThreadState {
        std::vector<std::pair<CallIndex, size_t>> told; ///< its calls, and their indices among all requests
        size_t turn = CacheCall::kNone;                 ///< the request with which the current turn began
        uint32_t options = 0;
        std::string_view level; ///< of thinking, in pi's files: the latest that was chosen
        uint32_t leveled = 0;   ///< the blocks before this one have been asked for it
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
    std::vector<double> m_sums;       ///< of weights, by block
    std::vector<uint32_t> m_thoughts; ///< how many blocks before each are thinking
    std::vector<RecordedRequest> m_told;
    std::map<ThreadIndex, ThreadState> m_threads;
    std::vector<std::string_view> m_levels; ///< of thinking, as they came
    Timestamp m_longestLifetime = 0;
    bool m_hasFigures = false;
};

} // namespace core
