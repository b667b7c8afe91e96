// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/partial_output.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/tokens/answer_tokens.h"

namespace core {

namespace {

constexpr double kLeastMissing = 1000; ///< tokens
constexpr double kLeastShare = 0.1;    ///< of all output counted by usage
constexpr double kPerMillion = 1e6;    ///< tokens that prices refer to

} // namespace

bool PartialOutput::matters() const
{
    const double missing = weighed.value - recorded;
    return missing >= kLeastMissing && missing >= kLeastShare * allRecorded;
}

std::string PartialOutput::sentence() const
{
    if (!matters())
        return {};
    std::string text = formatted(
        "usage is too small for some answers. It counts {} output tokens for {} of {}, but the answers have {}",
        shown({ recorded, Basis::Exact, 0 }), groupedNumber(calls), counted(callCount, "call"), shown(weighed));
    if (cost)
        text += formatted(
            ". So about {} is missing from the recorded cost and from the cost of every policy", dollars(*cost));
    return text;
}

PartialOutput partialOutput(const ReplayGround &ground, const CostGround &costs)
{
    PartialOutput found;
    found.weighed = { 0, ground.tokens->basis, ground.tokens->error };
    found.cost = 0;
    const std::vector<Call> &calls = ground.session().thread(ground.log.thread).calls;
    for (size_t i = 0; i < ground.callCount(); ++i) {
        if (!calls[i].usage || ground.recorded[i] <= 0)
            continue;
        ++found.callCount;
        const auto recorded = static_cast<double>(calls[i].usage->output);
        found.allRecorded += recorded;
        const double weight = answerWeight(ground.session(), calls[i], *ground.tokens);
        if (recorded * 2 >= weight)
            continue;
        ++found.calls;
        found.recorded += recorded;
        found.weighed.value += weight;
        const auto &prices = costs.calls[i].prices;
        if (found.cost && prices)
            *found.cost += (weight - recorded) * prices->of(ground.recorded[i]).output / kPerMillion;
        else
            found.cost.reset();
    }
    return found;
}

} // namespace core
