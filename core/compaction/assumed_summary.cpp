// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/assumed_summary.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compaction/stage.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

/// Whether the stage has this text, and it is empty.
bool isEmpty(const StageSpec &spec, std::string_view name, bool isInitially)
{
    const auto text = spec.values.find(name);
    return text == spec.values.end() ? isInitially : std::get<std::string>(text->second).empty();
}

/// Whether the stage writes summaries and has no text for them.
bool lacksText(const StageSpec &spec)
{
    const StageKind *kind = stageKind(spec.stage);
    const bool hasMessage = !isEmpty(spec, isEmpty(spec, "archive", true) ? "template-bare" : "template", false);
    return kind != nullptr && kind->summarises && hasMessage && isEmpty(spec, "summary.text", true);
}

/// The size that the stage gives its summaries; 0 if it gives none.
double toldTokens(const StageSpec &spec)
{
    const auto tokens = spec.values.find("summary.tokens");
    return tokens == spec.values.end() ? 0 : std::get<double>(tokens->second);
}

} // namespace

std::string assumedText(std::string_view noun, double tokens)
{
    constexpr double kCharactersPerToken = 4;
    const auto length = static_cast<size_t>(tokens * kCharactersPerToken);
    const std::string sentence
        = formatted("This {} has no text: its length is assumed to be {:.0f} tokens. ", noun, tokens);
    std::string text;
    while (text.size() < length)
        text += sentence;
    text.resize(length);
    return text;
}

std::string AssumedSummary::sentence() const
{
    return formatted("summaries without a text are assumed to have ~{} tokens ({})",
        groupedNumber(static_cast<uint64_t>(std::llround(tokens))),
        isMedian ? "the median of the recorded summaries" : "a fixed value, because no summary is recorded");
}

AssumedSummary assumedSummary(const Session &session, ThreadIndex thread, const BlockTokens &tokens)
{
    std::vector<double> weights;
    for (const RecordedCompaction &compaction : session.thread(thread).compactions) {
        double weight = 0;
        compaction.after.forEach(
            [&](BlockId id) { weight += session.block(id).is(BlockFlag::Summary) ? tokens.of(id) : 0; });
        if (weight > 0)
            weights.push_back(weight);
    }
    if (weights.empty())
        return {};
    const auto middle = weights.begin() + static_cast<ptrdiff_t>(weights.size() / 2);
    std::ranges::nth_element(weights, middle);
    return { *middle, true };
}

bool assumesSummary(const Policy &policy)
{
    return std::ranges::any_of(
        policy.stages, [](const StageSpec &spec) { return lacksText(spec) && toldTokens(spec) <= 0; });
}

bool lacksSummaryText(const Policy &policy) { return std::ranges::any_of(policy.stages, lacksText); }

PolicyPtr withAssumedSummary(const PolicyPtr &policy, const AssumedSummary &summary, SummaryStandIn text)
{
    Policy changed = *policy;
    for (StageSpec &spec : changed.stages) {
        if (!lacksText(spec))
            continue;
        const double told = toldTokens(spec);
        const double tokens = told > 0 ? told : summary.tokens;
        spec.values["summary.tokens"] = tokens;
        if (text == SummaryStandIn::Filler)
            spec.values["summary.text"] = assumedText("summary", tokens);
    }
    return std::make_shared<const Policy>(std::move(changed));
}

} // namespace core
