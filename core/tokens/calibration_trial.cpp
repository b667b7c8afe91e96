// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/calibration_trial.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr size_t kFewestCalls = 4;
constexpr double kNinthDecile = 0.9;

/// The blocks of the later array behind those of the earlier one.
std::vector<BlockId> newBlocks(const Call &before, const Call &after)
{
    uint32_t end = 0;
    before.input.forEachRange([&](BlockRange range) { end = std::max(end, range.end); });
    std::vector<BlockId> blocks;
    after.input.forEachRange([&](BlockRange range) {
        for (uint32_t i = std::max(range.begin, end); i < range.end; ++i)
            blocks.emplace_back(i);
    });
    return blocks;
}

/// Claude Code records the command that ends a session; a resumed session sent everything after it.
bool isExit(const Session &session, BlockId id)
{
    constexpr size_t kHead = 80;
    constexpr std::string_view kCommand = "<command-name>/exit<";
    const Block &block = session.block(id);
    return block.kind == BlockKind::Text && session.textHead(block.body, kHead).find(kCommand) != std::string::npos;
}

bool isFromUser(const Session &session, BlockId id)
{
    return session.message(session.block(id).message).role != Role::Assistant;
}

Departure::Sign signOf(const Session &session, const Call &before, const Call &after, double excess)
{
    if (excess > 0)
        return Departure::Sign::Extended;
    const std::vector<BlockId> blocks = newBlocks(before, after);
    if (std::ranges::any_of(blocks, [&](BlockId id) { return isExit(session, id); }))
        return Departure::Sign::Resumed;
    if (std::ranges::none_of(blocks, [&](BlockId id) { return isFromUser(session, id); }))
        return Departure::Sign::NoUserRecord;
    // Losing the whole cache says nothing.
    const bool isCut = after.usage->cacheRead > 0
        && static_cast<double>(after.usage->cacheRead) < 0.9 * static_cast<double>(before.usage->prompt());
    return isCut ? Departure::Sign::Rewritten : Departure::Sign::None;
}

void addDepartures(
    CalibrationTrial &trial, const Thread &thread, const Session &session, std::span<const PromptGrowth> later)
{
    for (const PromptGrowth &growth : later) {
        if (growth.startsAnew)
            continue;
        const double excess = growth.excess(trial.fitted.rates);
        const Call &after = thread.calls[growth.after.index()];
        if (isDeparture(growth, trial.fitted.rates)) {
            const Call &before = thread.calls[growth.before.index()];
            trial.departures.push_back(
                { growth.after, excess, signOf(session, before, after, excess), after.usage->cacheRead });
        } else if (excess > std::max(300.0, 0.3 * tokensOf(growth.amounts, trial.fitted.rates))) {
            ++trial.smallGains;
            trial.smallGainTokens += excess;
        }
    }
}

} // namespace

std::optional<CalibrationTrial> tryCalibration(
    const Session &session, const ExactTokens &counts, const PriorOf &priorOf)
{
    CalibrationTrial trial;
    trial.thread = mostRecordedThread(session);
    const Thread &thread = session.thread(trial.thread);
    const std::vector<PromptGrowth> all = promptGrowths(session, trial.thread, TokenAmounts(session, counts));
    trial.calls = all.empty() ? 0 : all.size() + 1;
    if (trial.calls < kFewestCalls)
        return std::nullopt;
    const FirstHalf half = fitFirstHalf(session, trial.thread, all, priorOf);
    trial.fitted = half.fitted;
    trial.band = half.band;
    // The growth to the first call of the second half starts at the last call of the first half.
    const auto later = std::span(all).subspan(half.growths);
    const KindValues &rates = trial.fitted.rates;
    trial.later = predictPrompts(later, rates, Restart::WhereAnew);
    trial.median = errorQuantile(trial.later, 0.5);
    trial.p90 = errorQuantile(trial.later, kNinthDecile);
    const std::vector<PredictedCall> between = predictPrompts(later, rates, Restart::WhereNotRecorded);
    trial.medianBetween = errorQuantile(between, 0.5);
    trial.p90Between = errorQuantile(between, kNinthDecile);
    addDepartures(trial, thread, session, later);
    return trial;
}

} // namespace core
