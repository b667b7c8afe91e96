// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/cost_words.h"

#include "core/base/counted.h"
#include "core/base/format.h"

#include <cmath>

namespace core {

namespace {

std::string comparison(const PolicyFigures &policy, const RecordedFigures &recorded)
{
    const double was = recorded.computed.parts.total();
    const double now = policy.cost.parts.total();
    const double share = was > 0 ? (now - was) / was * 100 : 0;
    std::string text = formatted("The policy would cost {}. The recorded run costs {}.", dollars(now), dollars(was));
    if (was > 0)
        text += std::abs(share) < 0.05
            ? std::string(" That is the same.")
            : formatted(" So the policy is {:.1f} % {}.", std::abs(share), share < 0 ? "cheaper" : "more expensive");
    return text + " Palimpsest computes both costs in the same way.";
}

std::string byUsage(const RecordedFigures &recorded)
{
    const RecordedBill &bill = recorded.bill;
    const std::string calls = bill.calls == bill.callCount
        ? "the calls"
        : formatted("{} of the {}", groupedNumber(bill.calls), counted(bill.callCount, "call"));
    std::string text = formatted("By usage, {} of the recorded run cost {}. Palimpsest computes {} for the same calls.",
        calls, dollars(bill.recorded), dollars(bill.computed));
    if (recorded.computed.parts.summaries > 0)
        text += formatted(" Usage leaves out the requests that wrote the summaries. They cost about {}.",
            dollars(recorded.computed.parts.summaries));
    return text;
}

std::string paidBack(const PayBack &payBack)
{
    const std::string followed = counted(payBack.followed, "call");
    if (!payBack.after)
        return formatted("Compared with a run without any compaction, the first compaction has not paid for itself in "
                         "the {} after it.",
            followed);
    return formatted("Compared with a run without any compaction, the first compaction has paid for itself {}. {} came "
                     "after it.{}",
        *payBack.after == 0 ? "at once" : "after " + counted(*payBack.after, "call"), followed,
        payBack.isLostAgain ? " Over the whole session, the run still costs more than one without any compaction."
                            : "");
}

} // namespace

CostParagraphs costParagraphs(const PolicyFigures &policy, const RecordedFigures &recorded)
{
    CostParagraphs made;
    if (std::string midway = midwaySentence(*recorded.ground); !midway.empty())
        made.answer.push_back("T" + midway.substr(1) + ".");
    if (policy.difference) {
        made.answer.push_back(comparison(policy, recorded));
        made.details.push_back(byUsage(recorded));
        if (const std::string misses = recorded.missSentence(); !misses.empty())
            made.details.back() += " One reason: " + misses + ".";
        if (std::string output = recorded.partialOutput.sentence(); !output.empty())
            made.details.push_back(std::move(output) + ".");
    }
    if (policy.payBack)
        made.details.push_back(paidBack(*policy.payBack));
    return made;
}

} // namespace core
