// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_cost.h"

#include <memory>

namespace core {

/// What the recorded run of a thread cost, and what replays of it are compared with.
struct RecordedFigures {
    ReplayGroundPtr ground;
    RecordedCache cache;     ///< of all threads
    CostGroundPtr costs;     ///< of all replays of this one
    SessionCost sessionCost; ///< of all threads
    ReplayCost run;          ///< of this one, from its usage
    ReplayCost none;         ///< of the append log, without any policy
    double peak = 0;         ///< the largest recorded prompt of this thread
};
using RecordedFiguresPtr = std::shared_ptr<const RecordedFigures>;

/// O(calls + changes), no text. Nullptr if cancelled.
[[nodiscard]] RecordedFiguresPtr recordedFigures(
    const ReplayGroundPtr &ground, const Prices &prices, const ReplayOptions &options = {});

/// What a policy would have cost and lost.
struct PolicyFigures {
    ReplayPtr replay;
    ReplayCost cost;
    std::optional<Regret> regret;   ///< nothing while the uses are not known
    std::optional<PayBack> payBack; ///< of its first compaction, against no policy at all; nothing if none fired
    CostParts saved;                ///< what it costs more than the recorded run, part by part; all 0 without prices
};
using PolicyFiguresPtr = std::shared_ptr<const PolicyFigures>;

/// `replay` keeps its spans. See `regretOf` and `replayCost` for what it costs.
[[nodiscard]] PolicyFiguresPtr policyFigures(
    const ReplayPtr &replay, const RecordedFigures &recorded, const Uses *uses);

/// `loses 3 of 214 later uses (1.4 %) · ~6.1k tokens to fetch again`.
[[nodiscard]] std::string lossSentence(const Regret &regret, const BlockTokens &tokens);
/// The prompt of a call, or of the end, under a policy. It is the recorded one, and exact, where all that the policy
/// sent is what was sent; else of the basis of the blocks.
[[nodiscard]] TokenFigure promptFigure(const Replay &replay, size_t call);
/// `15 of 42 user messages in context at the end`.
[[nodiscard]] std::string messageSentence(const Regret &regret);
enum class SavingDetail : uint8_t { Sum, Parts };
/// `costs $1.20 less than recorded, context resent −$2.10, summary calls +$0.90`; the sum alone ends behind `recorded`.
[[nodiscard]] std::string savingSentence(const CostParts &saved, SavingDetail detail = SavingDetail::Parts);
/// When it acted: `fires before calls 75, 177`; `never fires: 7,151 of 170,000 tokens at the last call; without a
/// trigger changed 12 blocks over 3 calls, first at call 5`; `acts without a trigger: changed …`; `changes nothing: no
/// stage is on`.
[[nodiscard]] std::string firingSentence(const Replay &replay);
/// What it did before one call, and why: `acted: 171,020 of 170,000 tokens`, `waits: …`, `acted without a trigger:
/// changed 2 blocks`.
[[nodiscard]] std::string decisionSentence(const Replay &replay, size_t call);
/// `summaries that nobody wrote are taken to be ~3,095 tokens (the median of the recorded ones)`.
[[nodiscard]] std::string assumptionSentence(const ReplayGround &ground);

} // namespace core
