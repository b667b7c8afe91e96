// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"
#include "core/session/earlier_messages.h"

#include <algorithm>

namespace core {

namespace {

constexpr double kLeastUnloggedShare = 0.1; ///< of the prompt

void findSilentClearings(const FindingGround &ground, std::vector<Finding> &findings)
{
    for (const SilentClearing &clearing : ground.sums->clearings) {
        if (clearing.isRecorded)
            continue;
        Finding &made = findings.emplace_back();
        made.rank = FindingRank::Costs;
        made.sureness = Sureness::Estimated;
        made.what = shown({ clearing.tokens, Basis::Estimated }) + " tokens of the log were not sent from call "
            + std::to_string(clearing.from) + " on, and no record says why";
        made.link(FindingLink::Target::Call, clearing.from);
        made.tokens = ground.figure(-clearing.tokens);
        const auto &sums = ground.sums->calls;
        if (clearing.from > 0 && sums[clearing.from].isRecorded() && sums[clearing.from - 1].isRecorded()) {
            made.where
                = formatted("recorded {} → {}", groupedNumber(static_cast<uint64_t>(sums[clearing.from - 1].recorded)),
                    groupedNumber(static_cast<uint64_t>(sums[clearing.from].recorded)));
        }
    }
}

/// What a call sent and the log does not hold: a prelude without a record, and the unlogged text. At most the whole
/// prompt: where usage contradicts the log, a negative remainder takes back a part of these estimates.
double notLoggedOf(const ArraySum &sum)
{
    const double parts = sum.unloggedWithFraming() + (sum.isPreludeRecorded ? 0 : sum.prelude);
    return std::clamp(parts, 0.0, std::max(0.0, sum.value()));
}

void findUnloggedTexts(const FindingGround &ground, std::vector<Finding> &findings)
{
    const std::vector<ArraySum> &sums = ground.sums->calls;
    const auto recorded = [](const ArraySum &sum) { return sum.isRecorded() ? sum.value() : 0; };
    const auto largest = std::ranges::max_element(sums, {}, recorded);
    // The call with the most text that is not in the log.
    const auto peak = std::ranges::max_element(
        sums, {}, [](const ArraySum &sum) { return sum.isRecorded() ? notLoggedOf(sum) : 0; });
    if (peak == sums.end() || !peak->isRecorded() || notLoggedOf(*peak) < kLeastUnloggedShare * largest->value())
        return;
    Finding &made = findings.emplace_back();
    // Few logs hold the prelude.
    const bool isUsual = peak->unloggedWithFraming() < kLeastUnloggedShare * peak->value();
    made.rank = isUsual ? FindingRank::Note : FindingRank::Costs;
    made.sureness = Sureness::Estimated;
    const auto call = static_cast<uint32_t>(peak - sums.begin());
    made.what = formatted(
        "At call {}, {:.0f} % of the prompt is not in the log", call, 100 * notLoggedOf(*peak) / peak->value());
    made.link(FindingLink::Target::Call, call);
    for (const UnloggedStretch &stretch : ground.unlogged) {
        if (stretch.from < call && stretch.to > call)
            made.link(FindingLink::Target::Call, stretch.from);
    }
    std::vector<std::string> parts;
    const CallIndex peakCall(static_cast<size_t>(peak - sums.begin()));
    if (!peak->isPreludeRecorded && peak->prelude > 0)
        parts.push_back(
            (hasEarlierMessages(ground.session(), { ground.threadIndex, peakCall }) ? "prelude with earlier messages "
                                                                                    : "prelude ")
            + shown({ peak->prelude, Basis::Estimated }));
    if (peak->unloggedWithFraming() > 0)
        parts.push_back("unlogged " + shown({ peak->unloggedWithFraming(), Basis::Estimated }));
    for (const std::string &part : parts)
        made.where += (made.where.empty() ? "" : " · ") + part;
    made.tokens = ground.figure(notLoggedOf(*peak));
    if (ground.hasMoney()) {
        double money = 0;
        for (size_t i = 0; i < sums.size(); ++i)
            money += notLoggedOf(sums[i]) * ground.prices[i].read;
        made.money = money;
    }
}

} // namespace

const FindingKind kSilentClearings { "silent-clearing", "calls that sent less than the log contains, without a record",
    "silent clearing*", findSilentClearings };
const FindingKind kUnloggedTexts { "unlogged", "prompts with much text that is not in the log",
    "prompt* with unlogged text", findUnloggedTexts, 3 };

} // namespace core
