// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/card.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/evidence/reach.h"
#include "core/report/document_parts.h"
#include "core/report/head_line.h"
#include "core/tokens/array_weights.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace core {

namespace {

/// `~12.3M`, without the band, which is shown below it.
std::string tokensShown(double value, Basis basis)
{
    return shown({ value, basis == Basis::Exact ? basis : Basis::Estimated, 0 });
}

std::string basisWords(const BlockTokens &tokens)
{
    if (tokens.basis == Basis::Exact)
        return "counted in the model's encoding";
    return tokens.basis == Basis::Calibrated
        ? formatted("±{:.0f} %, the band of the calibration", std::ceil(tokens.error * 100))
        : "estimated from the text, error not known";
}

std::string tokensShown(TokenFigure figure) { return tokensShown(figure.value, figure.basis); }

/// Adds the recorded value and the computed one to a figure.
CardFigure beside(CardFigure figure, const std::string &recorded, const std::string &computed)
{
    figure.recorded = "recorded " + recorded;
    if (recorded != computed)
        figure.computed = "computed " + computed;
    return figure;
}

/// The same if only some calls were recorded, and all are computed.
CardFigure beside(CardFigure figure, const std::string &recorded, const std::string &computed, size_t calls, size_t all)
{
    return beside(std::move(figure), recorded + forCalls(calls, all), computed + forAll(calls, all));
}

CardFigure beside(CardFigure figure, const RecordedPrompts &prompts, TokenFigure PromptSums::*sum)
{
    const TokenFigure &byUsage = prompts.byUsage.*sum;
    if (prompts.byUsage.calls == 0)
        return figure;
    return beside(std::move(figure), tokensShown(byUsage),
        tokensShown(prompts.isAsRecorded() ? byUsage : prompts.computed.*sum), prompts.byUsage.calls,
        prompts.computed.calls);
}

void add(CardArray &array, const Session &session, BlockId id, const BlockTokens &tokens)
{
    array.materials[static_cast<size_t>(materialOf(session, session.block(id)))] += tokens.of(id);
}

CardArray recordedArray(const ReplayGround &ground, Position position)
{
    const Session &session = ground.session();
    const BlockRanges ranges = rangesAt(session, position);
    const BlockTokensPtr tokens = tokensAt(session, ranges, ground.tokens);
    CardArray array { .sum = ground.sums->at(position) };
    ranges.forEach([&](BlockId id) { add(array, session, id, *tokens); });
    return array;
}

/// Weighs thinking as in the recorded array of the call.
CardArray simulatedArray(const Replay &replay, size_t call)
{
    const ReplayGround &ground = *replay.ground;
    const Session &session = *replay.spans.session;
    const Position position { ground.log.thread, CallIndex(call) };
    const BlockTokensPtr there = tokensAt(ground.session(), rangesAt(ground.session(), position), ground.tokens);
    const UnsentText &unsent = ground.unsentAt(call);
    CardArray array;
    double unsure = 0;
    for (const ContextSpan &span : replay.spans.spans) {
        if (call < span.from || call >= span.to)
            continue;
        const bool isRecorded = span.block.index() < ground.session().blocks.size();
        add(array, session, span.block, isRecorded ? *there : *replay.tokens);
        unsure += unsent.holds(span.block) ? ground.tokens->of(span.block) : 0;
    }
    const double slots = std::accumulate(array.materials.begin(), array.materials.end(), 0.0);
    array.sum = promptSum(replay, call, slots, unsure);
    return array;
}

size_t heaviestCall(const ReplayGround &ground)
{
    const auto end = ground.recorded.end() - 1;
    const auto most = std::max_element(ground.recorded.begin(), end);
    return most == end ? 0 : static_cast<size_t>(most - ground.recorded.begin());
}

std::string titleOf(const PolicyFigures &policy, const ComparedRun &run, const RecordedPrompts &recorded)
{
    std::string title = formatted("{} would have sent {} tokens in {}", policy.replay->policy->name,
        tokensShown(run.prompts.sum), counted(policy.replay->callCount(), "call"));
    if (recorded.byUsage.calls > 0) {
        const double change = run.prompts.sum.value / recorded.computed.sum.value - 1;
        title += formatted(", {:.0f} % {} than {}", std::abs(change) * 100, change <= 0 ? "less" : "more",
            recorded.byUsage.calls < recorded.computed.calls ? "the recorded run as Palimpsest computes it"
                                                             : "recorded");
    }
    if (run.lostUses)
        title += formatted(", and lost {} of {} uses of earlier text", *run.lostUses, run.uses);
    return title + ".";
}

/// The mean error of the cache model on this session's recorded calls, as a share of their prompts.
std::optional<double> cacheError(const RecordedFigures &recorded)
{
    double read = 0;
    double predicted = 0;
    double prompts = 0;
    for (const RecordedCacheCall &call : recorded.cache.calls) {
        read += static_cast<double>(call.usage.cacheRead);
        predicted += call.predicted.read;
        prompts += static_cast<double>(call.usage.input + call.usage.cacheRead + call.usage.cacheWrite);
    }
    return prompts > 0 && recorded.cache.hasFigures ? std::optional(std::abs(predicted - read) / prompts)
                                                    : std::nullopt;
}

CardFigure costFigure(const ReplayReport &report, const ComparedRun &run)
{
    const BlockTokens &tokens = *report.ground->tokens;
    if (!run.cost)
        return beside({ "Peak context", tokensShown(run.prompts.peak), basisWords(tokens) }, report.recorded->prompts,
            &PromptSums::peak);
    CardFigure figure { "Cost", dollars(*run.cost), "error not known" };
    const double model = std::abs(report.recorded->bill.errorShare().value_or(0));
    if (const double band = std::max(model, tokens.error); band > 0)
        figure.interval = formatted("{} to {}, ±{:.1f} %: {}", dollars(*run.cost * (1 - band)),
            dollars(*run.cost * (1 + band)), band * 100,
            model >= tokens.error ? "the error of the cache model on the recorded calls"
                                  : "the band of the calibration");
    const RecordedBill &bill = report.recorded->bill;
    if (!bill.isKnown())
        return figure;
    // The sum that policies are compared with, requests for summaries included.
    return beside(std::move(figure), dollars(bill.recorded), dollars(report.recorded->computed.parts.total()),
        bill.calls, bill.callCount);
}

CardFigure cacheFigure(const ReplayReport &report, const ComparedRun &run, const ComparedRun &recorded)
{
    if (!run.hitShare)
        return { "Cache hits", "—",
            report.recorded->cache.isWithoutCache ? "the recording used no cache" : "no model of this cache" };
    const auto error = cacheError(*report.recorded);
    CardFigure figure {
        "Cache hits",
        shareText(*run.hitShare),
        error ? formatted("±{:.1f} points: the error of the cache model on the recorded calls", *error * 100)
              : "no recorded reads to compare with",
    };
    if (!recorded.hitShareByUsage)
        return figure;
    return beside(std::move(figure), shareText(*recorded.hitShareByUsage), shareText(*recorded.hitShare));
}

CardFigure lossFigure(const ComparedRun &run)
{
    if (!run.lostUses)
        return { "Lost uses", "—", "uses are not known", "" };
    const auto [low, high] = shareInterval(*run.lostUses, run.uses);
    return { "Lost uses", formatted("{} of {}", *run.lostUses, run.uses),
        run.uses > 0 ? formatted("95 % confidence: {} to {} of uses are lost", shareText(low), shareText(high)) : "",
        "recorded: none" };
}

std::vector<std::string> footOf(const ReplayReport &report, const PolicyFigures &policy, const CardOptions &options)
{
    const ReplayGround &ground = *report.ground;
    std::string world = "Simulated as if nothing had been compacted; the recorded curve shows recorded usage";
    if (ground.log.firstCounterfactual < ground.callCount())
        world += formatted("; counterfactual from call {} on", ground.log.firstCounterfactual);
    std::string basis = formatted("Tokens {}. Uses that count: {}. Prices of {}.", nameOf(ground.tokens->basis),
        kHeadlineUsesWords, report.priceDate);
    if (policy.replay->isSummaryAssumed)
        basis.replace(basis.size() - 1, 1, "; " + ground.summary.sentence() + ".");
    for (const std::string &sentence : extraCallSentences(policy, report.recorded->speed))
        basis += " " + sentence + ".";
    if (const std::string all = report.recorded->byThread.words(); !all.empty())
        basis += " Costs are of this thread; " + all + ".";
    if (report.recorded->partialOutput.matters())
        basis += " The recorded usage counts only a part of the output.";
    return { world + ". " + basis,
        formatted("Policy {} (trigger {}, keep {}), document {} · Palimpsest {} · {}", policy.replay->policy->id,
            policy.replay->policy->trigger.words(), policy.replay->policy->keep.measure.words(),
            documentHash(*policy.replay->policy), options.version,
            options.texts == CardTexts::Shown && !options.traced.empty() ? "shows how the traced texts begin"
                                                                         : "no text of the session on this card") };
}

void addReach(Card &made, const ReplayReport &report, const Policy &policy)
{
    const Session &session = report.ground->session();
    const std::vector<double> all = useDistances(session, report.uses, *report.ground->tokens);
    std::vector<double> distances;
    for (size_t i = 0; i < all.size(); ++i) {
        const Use &use = report.uses.uses[i];
        if ((kHeadlineUses & only(use.kind)) != 0 && !report.uses.isUnsure(use, *report.ground->sums))
            distances.push_back(all[i]);
    }
    const Reach reach(std::move(distances));
    made.useCount = reach.useCount();
    for (const double tokens : reachSteps())
        made.reach.emplace_back(tokens, reach.shareWithin(tokens));
    const Measure &keep = policy.keep.measure;
    made.keep = keep.words();
    made.keepTokens = keep.tokensIn(policy.windowOf(session));
    made.keepShare = reach.shareWithin(made.keepTokens);
}

void addLanes(Card &made, const ReplayReport &report, const Replay &replay, const CardOptions &options)
{
    if (options.traced.empty())
        return;
    const ReplayGround &ground = *report.ground;
    const ContextSpans recorded = recordedSpans(report.session, ground.log.thread, ground.sums.get());
    const auto unlogged = unloggedStretches(report.session->thread(ground.log.thread), *ground.sums);
    const size_t count = std::min(options.traced.size(), kMostCardLanes);
    for (size_t i = 0; i < count; ++i)
        made.lanes.push_back(cardLane(i + 1, options.traced[i], options.texts, recorded, replay.spans, unlogged));
}

void addCurves(Card &made, const ReplayReport &report, const Replay &replay)
{
    const ReplayGround &ground = *report.ground;
    made.recorded.assign(ground.recorded.begin(), ground.recorded.end() - 1);
    for (size_t call = 0; call < replay.callCount(); ++call) {
        made.simulated.push_back(replay.steps[call].tokens);
        if (replay.compactsAt(call))
            made.fired.push_back(static_cast<uint32_t>(call));
    }
    for (const ContextRewrite &rewrite : recordedSpans(report.session, ground.log.thread, ground.sums.get()).rewrites)
        made.compactions.push_back(rewrite.firstCall);
    made.firstCounterfactual = ground.log.firstCounterfactual;
    made.window = static_cast<double>(ground.session().windowTokens.value_or(0));
}

} // namespace

std::pair<double, double> shareInterval(size_t hits, size_t all)
{
    if (all == 0)
        return { 0, 1 };
    constexpr double kDeviations = 1.959964; // for 95 %
    const auto n = static_cast<double>(all);
    const double share = static_cast<double>(hits) / n;
    const double spread = kDeviations * kDeviations / n;
    const double middle = (share + spread / 2) / (1 + spread);
    const double half = kDeviations / (1 + spread) * std::sqrt(share * (1 - share) / n + spread / (4 * n));
    return { std::max(0.0, middle - half), std::min(1.0, middle + half) };
}

std::string documentHash(const Policy &policy) { return sha256Hex(policy.document).substr(0, 12); }

Card card(const ReplayReport &report, const CardOptions &options)
{
    const PolicyFigures &policy = *report.policies.front();
    const ReplayGround &ground = *report.ground;
    const std::vector<ComparedRun> runs = comparedRuns(report);
    const ComparedRun &recorded = runs[0];
    const ComparedRun &run = runs[1];
    Card made;
    made.title = titleOf(policy, run, report.recorded->prompts);
    const HeadLine head = headLine(*report.session, { ground.log.thread, {} }, *ground.tokens, *ground.sums);
    made.facts = visibleText(std::filesystem::path(report.file).filename().string()) + " · " + head.harness + " · "
        + counted(ground.callCount(), "call") + ", " + counted(recorded.compactions, "recorded compaction");
    made.figures = { beside({ "Tokens sent", tokensShown(run.prompts.sum), basisWords(*ground.tokens) },
                         report.recorded->prompts, &PromptSums::sum),
        costFigure(report, run), lossFigure(run), cacheFigure(report, run, recorded) };
    addCurves(made, report, *policy.replay);
    made.call = options.call ? options.call->index() : heaviestCall(ground);
    made.before = recordedArray(ground, { ground.log.thread, CallIndex(made.call) });
    made.after = simulatedArray(*policy.replay, made.call);
    addReach(made, report, *policy.replay->policy);
    addLanes(made, report, *policy.replay, options);
    made.table = comparisonTable({ recorded, run });
    made.foot = footOf(report, policy, options);
    return made;
}

} // namespace core
