// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"
#include "core/replay/regret.h"
#include "core/replay/replay.h"
#include "core/replay/replay_cost.h"

#include <algorithm>
#include <set>

namespace core {

namespace {

/// Of the presets that match published code, the first that only cuts results. It clears like Anthropic's API.
constexpr std::string_view kPreset = "langchain-clear-tool-uses";
constexpr double kLargeResult = 1'000; ///< tokens
constexpr double kLeastCut = 20'000;   ///< tokens × calls
constexpr double kCutShare = 0.005;    ///< of all tokens that the session sent

/// The call with the largest recorded prompt; nullopt without usage.
std::optional<uint32_t> peakOf(const FindingGround &ground)
{
    const std::vector<ArraySum> &sums = ground.sums->calls;
    const auto peak = std::ranges::max_element(sums, {}, &ArraySum::recorded);
    return peak == sums.end() || !peak->isRecorded() ? std::nullopt
                                                     : std::optional(static_cast<uint32_t>(peak - sums.begin()));
}

/// The calls up to the peak that were sent a block and would not have been sent it whole under the policy.
std::vector<ContextSpan> cutSpans(
    const FindingGround &ground, const ContextSpans &simulated, BlockId block, uint32_t peak)
{
    std::vector<ContextSpan> cut;
    const auto held = std::ranges::equal_range(simulated.spans, block, {}, &ContextSpan::block);
    for (ContextSpan span : ground.sentSpans(block)) {
        span.to = std::min(span.to, peak + 1);
        for (const ContextSpan &kept : held) {
            if (kept.from > span.from && span.from < span.to)
                cut.push_back({ block, span.from, std::min(kept.from, span.to) });
            span.from = std::max(span.from, kept.to);
        }
        if (span.from < span.to)
            cut.push_back(span);
    }
    return cut;
}

struct Cut {
    BlockId block;
    double tokens = 0; ///< × calls
};

/// How many of the later uses of the cut results find nothing under the policy, and how many there are.
std::pair<size_t, size_t> lostUses(const FindingGround &ground, const Regret &regret, const std::set<BlockId> &cut)
{
    size_t lost = 0;
    size_t all = 0;
    for (size_t i = 0; i < ground.uses.uses.size(); ++i) {
        const Use &use = ground.uses.uses[i];
        const bool isHeadline = (only(use.kind) & kHeadlineUses) != 0;
        const bool isOfCut
            = std::ranges::any_of(ground.uses.boundOf(use), [&](BlockId id) { return cut.contains(id); });
        if (!isHeadline || !isOfCut)
            continue;
        ++all;
        // The recording reads it again, too; that is no loss of the policy.
        lost += regret.fates[i] == UseFate::Lost ? 1 : 0;
    }
    return { lost, all };
}

/// `20 later steps used these results. Under the preset, 4 of these steps lack the text: nothing in context shows it`
std::string usesText(size_t lost, size_t uses, const std::string &results)
{
    if (uses == 0)
        return "No later step used " + results;
    const std::string text = counted(uses, "later step") + " used " + results + ". ";
    if (lost == 0)
        return text + "As far as the log shows, "
            + (uses == 1 ? "this step does not lack" : "none of these steps lacks") + " the text under the preset";
    return text + "Under the preset, "
        + (uses == 1 ? "this step lacks" : groupedNumber(lost) + " of these steps " + (lost == 1 ? "lacks" : "lack"))
        + " the text: nothing in context shows it";
}

/// Each cut makes the provider write its cache again, so that the whole session can cost more under the preset.
struct PresetCost {
    double preset = 0;
    double recorded = 0; ///< computed in the same way
    [[nodiscard]] bool isMore() const { return preset > recorded; }
};
std::optional<PresetCost> presetCost(const FindingGround &ground, const Replay &run, const Regret &regret)
{
    ReplayOptions options;
    options.progress = ground.whole.progress;
    const ReplayPtr none = replay(run.ground, preset("none"), options);
    const CostGroundPtr prices = costGround(*run.ground, ground.whole.cache, ground.whole.prices);
    const ReplayCost cost = replayCost(run, *prices, &regret);
    if (!none || !cost.isPriced())
        return std::nullopt;
    return PresetCost { cost.parts.total(), recordedArraysCost(*none, *prices).parts.total() };
}

/// `the policy X costs $9.10 in all, the recorded run $12.40`
std::string costText(const std::string &policy, const PresetCost &cost)
{
    return "the policy " + policy + " costs " + dollars(cost.preset) + " in all, the recorded run "
        + dollars(cost.recorded);
}

void findPresetCuts(const FindingGround &ground, std::vector<Finding> &findings)
{
    const Session &session = ground.session();
    const PolicyPtr policy = preset(kPreset);
    const auto peak = peakOf(ground);
    if (!policy || !peak)
        return;
    ReplayOptions options;
    options.progress = ground.whole.progress;
    const ReplayPtr run = replay(
        replayGround(ground.whole.session, ground.threadIndex, ground.whole.tokens, ground.sums), policy, options);
    if (!run)
        return;
    std::vector<Cut> cuts;
    std::set<BlockId> blocks;
    double tokens = 0;
    uint32_t times = 0;
    for (const BlockId id : ground.uses.log) {
        if (session.block(id).kind != BlockKind::ToolResult || ground.whole.tokens->of(id) < kLargeResult)
            continue;
        Cut cut { id };
        for (const ContextSpan &span : cutSpans(ground, run->spans, id, *peak)) {
            cut.tokens += ground.tokensOf(span);
            times += span.to - span.from;
        }
        if (cut.tokens <= 0)
            continue;
        tokens += cut.tokens;
        blocks.insert(id);
        cuts.push_back(cut);
    }
    if (tokens < std::max(kLeastCut, kCutShare * ground.whole.sent))
        return;
    const Regret regret
        = regretOf(ground.session(), ground.uses, run->spans, *run->tokens, *ground.sums, RegretWorld::Simulated);
    const auto [lost, uses] = lostUses(ground, regret, blocks);
    const auto cost = presetCost(ground, *run, regret);
    Finding &made = findings.emplace_back();
    const bool isDearer = cost && cost->isMore();
    made.rank = lost == 0 && !isDearer ? FindingRank::Costs : FindingRank::Note;
    made.sureness = Sureness::Estimated;
    made.count = cuts.size();
    made.what = policy->name + " would have cut " + counted(cuts.size(), "large result")
        + " before the largest prompt. The recorded calls still sent "
        + (cuts.size() == 1 ? "it " + counted(times, "time") : "them " + counted(times, "time") + " in all") + ". "
        + usesText(lost, uses, cuts.size() == 1 ? "it" : "these results")
        + (isDearer ? ". But " + costText(policy->name, *cost) : std::string());
    made.link(FindingLink::Target::Call, *peak);
    std::ranges::stable_sort(cuts, std::ranges::greater(), &Cut::tokens);
    for (const Cut &cut : cuts)
        made.link(FindingLink::Target::Block, cut.block.value());
    made.tokens = ground.figure(tokens);
    if (isDearer)
        return; // it is no help
    made.help = cost ? costText(policy->name, *cost) : "the policy " + policy->name;
    made.policy = policy->id;
}

} // namespace

const FindingKind kPresetCuts { "preset-cuts", "results that a preset would have cut before the peak",
    "result* a preset cuts", findPresetCuts };

} // namespace core
