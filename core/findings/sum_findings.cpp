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

/// What a call sent and the log does not hold.
double unloggedOf(const ArraySum &sum) { return sum.unloggedWithFraming() + (sum.isPreludeRecorded ? 0 : sum.prelude); }

void findUnloggedTexts(const FindingGround &ground, std::vector<Finding> &findings)
{
    const std::vector<ArraySum> &sums = ground.sums->calls;
    const auto recorded = [](const ArraySum &sum) { return sum.isRecorded() ? sum.value() : 0; };
    const auto largest = std::ranges::max_element(sums, {}, recorded);
    // The call with most unlogged text.
    const auto peak = std::ranges::max_element(
        sums, {}, [](const ArraySum &sum) { return sum.isRecorded() ? unloggedOf(sum) : 0; });
    if (peak == sums.end() || !peak->isRecorded() || unloggedOf(*peak) < kLeastUnloggedShare * largest->value())
        return;
    Finding &made = findings.emplace_back();
    // A system prompt and tools that are not logged are usual.
    const bool isUsual = peak->unloggedWithFraming() < kLeastUnloggedShare * peak->value();
    made.rank = isUsual ? FindingRank::Note : FindingRank::Costs;
    made.sureness = Sureness::Estimated;
    made.what = formatted("{:.0f} % of the context at {} is not in the log", 100 * unloggedOf(*peak) / peak->value(),
        peak == largest ? "its peak" : "the call with the most unlogged text");
    made.link(FindingLink::Target::Call, static_cast<uint32_t>(peak - sums.begin()));
    for (const UnloggedStretch &stretch : ground.unlogged) {
        const bool isHere
            = stretch.from < static_cast<uint32_t>(peak - sums.begin()) && stretch.to > peak - sums.begin();
        if (isHere)
            made.link(FindingLink::Target::Call, stretch.from);
    }
    std::vector<std::string> parts;
    const CallIndex peakCall(static_cast<size_t>(peak - sums.begin()));
    if (!peak->isPreludeRecorded && peak->prelude > 0)
        parts.push_back((hasEarlierMessages(ground.session(), { ground.threadIndex, peakCall })
                                ? "system prompt, tools and earlier messages that are not in the file "
                                : "system prompt, tools and other text of the first call ")
            + shown({ peak->prelude, Basis::Estimated }));
    if (peak->unlogged > 0)
        parts.push_back("added without a record " + shown({ peak->unlogged, Basis::Estimated }));
    if (peak->framing > 0)
        parts.push_back("around each message " + shown({ peak->framing, Basis::Estimated }));
    for (const std::string &part : parts)
        made.where += (made.where.empty() ? "" : " · ") + part;
    made.tokens = ground.figure(unloggedOf(*peak));
    if (ground.hasMoney()) {
        double money = 0;
        for (size_t i = 0; i < sums.size(); ++i)
            money += unloggedOf(sums[i]) * ground.prices[i].read;
        made.money = money;
    }
}

} // namespace

const FindingKind kSilentClearings { "silent-clearing", "calls that sent less than the log contains, without a record",
    findSilentClearings };
const FindingKind kUnloggedTexts { "unlogged", "stretches of text that was sent and is not in the log",
    findUnloggedTexts, 3 };

} // namespace core
