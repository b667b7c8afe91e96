// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/worker_report.h"

#include "core/json/json.h"
#include "core/report/document_parts.h"

#include <array>

namespace core {

namespace {

constexpr auto kEnds = std::to_array<std::string_view>({ "pending", "landed", "save failed", "outdated" });

Json saidJson(const SaidMeanwhile &said)
{
    return { { "messages", said.messages }, { "typed", said.typed },
        { "tokens", figureJson(said.tokens, Basis::Estimated) } };
}

Json summaryJson(const WorkerSummaryFigures &figures)
{
    const WorkerSummary &summary = figures.summary;
    const bool isPending = summary.end == WorkerSummary::End::Pending;
    return { { "started_at", summary.startedAt }, { "ended_at", isPending ? Json(nullptr) : Json(summary.endedAt) },
        { "end", kEnds.at(static_cast<size_t>(summary.end)) },
        { "covered_tokens", figureJson(summary.covered, Basis::Estimated) },
        { "written_tokens", figureJson(summary.written, Basis::Estimated) }, { "said", saidJson(summary.said) },
        { "lost", saidJson(summary.lost) }, { "calls_above_window", figures.refused },
        { "prompt_tokens", figureJson(figures.tokens.prompt(), Basis::Estimated) }, { "cost", orNull(figures.cost) } };
}

} // namespace

Json workerJson(const Replay &replay, const ReplayCost &cost)
{
    if (!replay.worker)
        return nullptr;
    Json json { { "delay_known", replay.worker->isDelayKnown }, { "delay_seconds", orNull(replay.worker->seconds) } };
    json["summaries"] = Json::array();
    for (const WorkerSummaryFigures &each : workerSummaries(replay, cost))
        json["summaries"].push_back(summaryJson(each));
    return json;
}

Json workerCallJson(const Replay &replay, size_t call)
{
    Json deeds = Json::array();
    for (const WorkerSummary &each : replay.worker ? replay.worker->summaries : std::vector<WorkerSummary>()) {
        if (each.startedAt == call)
            deeds.push_back("starts");
        if (each.startedAt < call && call < each.endedAt)
            deeds.push_back("writes");
        if (each.endedAt != call)
            continue;
        deeds.push_back(each.end == WorkerSummary::End::Landed ? "lands"
                : each.end == WorkerSummary::End::Failed       ? "save fails"
                                                               : "outdated");
    }
    return deeds;
}

Json defectsJson(const std::vector<HarnessDefect> &defects)
{
    Json json = Json::array();
    for (const HarnessDefect &each : defects)
        json.push_back({ { "name", each.name }, { "of_review", each.isOfReview }, { "calls", each.calls },
            { "sentence", each.sentence } });
    return json;
}

Json fetchedJson(const FetchedOutputs &fetched)
{
    Json json { { "shortened_results", fetched.parts } };
    json["fetched"] = Json::array();
    for (const FetchedOutput &each : fetched.fetched)
        json["fetched"].push_back(
            { { "call", each.call.value() }, { "tool", each.tool }, { "shortened_again", each.isPartAgain } });
    return json;
}

std::string workerText(const Replay &replay, const ReplayCost &cost, const std::vector<HarnessDefect> &defects)
{
    std::string text;
    if (const auto words = workerWords(replay, cost)) {
        text += "    " + words->head + "\n";
        for (const std::string &line : words->lines)
            text += "      " + line + "\n";
    }
    for (const HarnessDefect &each : defects)
        text += each.calls.empty()
            ? std::string()
            : "    defect" + std::string(each.isOfReview ? " (review)" : "") + ": " + each.sentence + "\n";
    return text;
}

} // namespace core
