// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/worker_figures.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/compaction/stage.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

using End = WorkerSummary::End;

constexpr std::string_view kTruncate = "truncate-results";

std::string tokensText(double tokens) { return shown({ tokens, Basis::Estimated, 0 }); }

std::string messagesText(const SaidMeanwhile &said)
{
    std::string text = formatted("{} of {} tokens", counted(said.messages, "message"), tokensText(said.tokens));
    return said.typed > 0 ? text + formatted(" ({} typed)", said.typed) : text;
}

std::string callsText(const std::vector<size_t> &calls)
{
    constexpr size_t kMost = 8;
    std::string text = calls.size() == 1 ? "call " : "calls ";
    for (size_t i = 0; i < std::min(calls.size(), kMost); ++i)
        text += formatted("{}{}", i == 0 ? "" : ", ", calls[i]);
    return calls.size() > kMost ? text + formatted(" and {} more", calls.size() - kMost) : text;
}

size_t countOf(const WorkerRun &run, End end)
{
    return static_cast<size_t>(std::ranges::count(run.summaries, end, &WorkerSummary::end));
}

/// The requests of the worker by call; of each call the first extra request.
std::unordered_map<size_t, const RunCall *> requestsOf(const ReplayCost &cost)
{
    std::unordered_map<size_t, const RunCall *> requests;
    size_t call = 0;
    for (const RunCall &each : cost.run) {
        if (!each.isSummary)
            ++call;
        else if (!each.isLogEntry)
            requests.emplace(call, &each);
    }
    return requests;
}

std::string failedText(const std::vector<WorkerSummaryFigures> &summaries)
{
    BilledTokens tokens;
    std::optional<double> cost = 0;
    size_t calls = 0;
    for (const WorkerSummaryFigures &each : summaries) {
        if (each.summary.end != End::Failed)
            continue;
        tokens.input += each.tokens.prompt();
        tokens.output += each.tokens.output;
        cost = cost && each.cost ? std::optional(*cost + *each.cost) : std::nullopt;
        calls += each.summary.endedAt - each.summary.startedAt;
    }
    return formatted(". Summaries whose save fails cost {} tokens sent and {} written{}, and {} with the long array",
        tokensText(tokens.input), tokensText(tokens.output), cost ? ", " + dollars(*cost) : "", counted(calls, "call"));
}

// --- defects -------------------------------------------------------------------------------------------------------

/// The stage of a policy, if it is on.
const StageSpec *stageOf(const Policy &policy, std::string_view id)
{
    const auto found = std::ranges::find_if(
        policy.stages, [&](const StageSpec &each) { return each.isEnabled && each.stage == id; });
    return found == policy.stages.end() ? nullptr : &*found;
}

/// Whether the document sets a switch of a stage so.
bool isSet(const StageSpec &spec, std::string_view name, bool isOn)
{
    const auto found = spec.values.find(name);
    return found != spec.values.end() && std::get<bool>(found->second) == isOn;
}

/// The results that a stage for single results cuts, with the step at which each enters the log.
std::vector<std::pair<size_t, BlockId>> cutResults(const ReplayGround &ground, const StageParameters &stage)
{
    std::vector<std::pair<size_t, BlockId>> cut;
    const RuleChanges changes(stage, nullptr);
    const BlockPool pool(ground.log.session, *ground.tokens);
    for (size_t step = 0; step < ground.callCount(); ++step) {
        for (const BlockId id : ground.log.addedAt(step)) {
            if (ground.session().block(id).kind == BlockKind::ToolResult && changes.of(pool, id))
                cut.emplace_back(step, id);
        }
    }
    return cut;
}

/// The harness cuts a result and does not look whether its copy was saved.
std::optional<HarnessDefect> uncheckedSave(const Replay &replay, const Regret *regret)
{
    const Policy &policy = *replay.policy;
    const StageSpec *spec = stageOf(policy, kTruncate);
    if (spec == nullptr)
        return std::nullopt;
    const StageContext context { policy, "session", {}, policy.windowOf(replay.ground->session()) };
    const StageParameters stage(replay.ground->session(), *spec, *stageKind(kTruncate), context);
    if (stage.text("artifact").empty())
        return std::nullopt;
    HarnessDefect defect { "unchecked_save", {}, true, {} };
    std::vector<size_t> needed;
    const auto cut = cutResults(*replay.ground, stage);
    for (const auto &[step, id] : cut) {
        if (defect.calls.empty() || defect.calls.back() != step)
            defect.calls.push_back(step);
        for (const Regret::Fetch &each : regret != nullptr ? regret->fetches : std::vector<Regret::Fetch>()) {
            if (each.block == id && each.call.isValid())
                needed.push_back(each.call.index());
        }
    }
    std::ranges::sort(needed);
    if (cut.empty())
        defect.sentence = "a result is cut although its save failed: no result is cut";
    else if (stage.isOn("saves"))
        defect.sentence
            = formatted("a result is cut although its save failed: {} cut, first sent with {}. If a save of "
                        "them fails, that result is lost",
                counted(cut.size(), "result"), callsText(defect.calls));
    else
        defect.sentence = formatted("a result is cut although its save failed: {} lost, first sent with {}",
            counted(cut.size(), "result"), callsText(defect.calls));
    if (!needed.empty())
        defect.sentence += ". What they lack is needed at " + callsText(needed);
    return defect;
}

std::optional<HarnessDefect> fetchedAgain(const Replay &replay, const FetchedOutputs &fetched)
{
    const StageSpec *spec = stageOf(*replay.policy, kTruncate);
    if (spec == nullptr || isSet(*spec, "exempts-fetch", true))
        return std::nullopt;
    HarnessDefect defect { "fetched_result_cut_again", {}, false, {} };
    for (const FetchedOutput &each : fetched.fetched) {
        if (each.isPartAgain)
            defect.calls.push_back(each.call.index());
    }
    defect.sentence = "a result that was fetched again is cut again: "
        + (defect.calls.empty() ? std::string("the session records none") : "asked for at " + callsText(defect.calls));
    return defect;
}

std::optional<HarnessDefect> unsentSummary(const Replay &replay)
{
    const StageSpec *spec = stageOf(*replay.policy, kSummariseStage);
    if (!replay.worker || spec == nullptr || !isSet(*spec, "applies", false))
        return std::nullopt;
    HarnessDefect defect { "summary_never_sent", {}, false, {} };
    for (const WorkerSummary &each : replay.worker->summaries) {
        if (each.end == End::Landed && each.endedAt < replay.callCount())
            defect.calls.push_back(each.endedAt);
    }
    defect.sentence = "the summary is stored, but the array stays as it is, and the worker starts again: "
        + (defect.calls.empty() ? std::string("no summary lands") : callsText(defect.calls));
    return defect;
}

std::optional<HarnessDefect> tornPair(const Replay &replay)
{
    if (!replay.worker)
        return std::nullopt;
    HarnessDefect defect { "result_without_call", {}, false, {} };
    for (size_t call = 0; call < replay.callCount(); ++call) {
        if (replay.steps[call].isTorn)
            defect.calls.push_back(call);
    }
    defect.sentence = "the keep separates a tool result from its call, and a provider refuses the request: "
        + (defect.calls.empty() ? std::string("at no call") : callsText(defect.calls));
    return defect;
}

} // namespace

std::string WorkerSummaryFigures::sentence() const
{
    const std::string end = isBehindLast ? "the next call" : formatted("call {}", summary.endedAt);
    const std::string covers = formatted("covers {} tokens", tokensText(summary.covered));
    std::string text = formatted("call {} → ", summary.startedAt);
    switch (summary.end) {
    case End::Pending:
        text += "not saved at the end: " + covers;
        break;
    case End::Outdated:
        text += formatted("of no use at {}, because the user took back what it covers", end);
        break;
    case End::Failed:
        text += formatted("save fails at {}: {}", end, covers);
        break;
    case End::Landed:
        text += formatted("lands at {}: {}", end, covers);
        if (summary.said.messages > 0)
            text += formatted(
                ". Said meanwhile: {}{}", messagesText(summary.said), summary.lost.messages == 0 ? "; all stay" : "");
        if (summary.lost.messages > 0)
            text += formatted(". Lost, because no summary covers them: {}", messagesText(summary.lost));
        break;
    }
    if (refused > 0)
        text += formatted(". Until then {} above the window", counted(refused, "call"));
    return text;
}

std::vector<WorkerSummaryFigures> workerSummaries(const Replay &replay, const ReplayCost &cost)
{
    std::vector<WorkerSummaryFigures> figures;
    if (!replay.worker)
        return figures;
    const RefusedCalls refused = refusedCalls(replay);
    const auto requests = requestsOf(cost);
    for (const WorkerSummary &each : replay.worker->summaries) {
        WorkerSummaryFigures made { each, each.endedAt >= replay.callCount(), 0, {}, {} };
        made.refused = static_cast<size_t>(std::ranges::count_if(
            refused.aboveWindow, [&](uint32_t call) { return call >= each.startedAt && call < each.endedAt; }));
        if (const auto request = requests.find(each.startedAt); request != requests.end() && each.written > 0) {
            made.tokens = request->second->tokens;
            if (request->second->price)
                made.cost = request->second->cost();
        }
        figures.push_back(made);
    }
    return figures;
}

std::optional<WorkerWords> workerWords(const Replay &replay, const ReplayCost &cost)
{
    constexpr size_t kMost = 12;
    if (!replay.worker)
        return std::nullopt;
    const WorkerRun &run = *replay.worker;
    WorkerWords words;
    if (!run.isDelayKnown) {
        words.head = "the worker never starts: its delay is a time, and the session does not record the times for it. "
                     "Give the delay in calls";
        return words;
    }
    const std::vector<WorkerSummaryFigures> summaries = workerSummaries(replay, cost);
    words.head
        = formatted("the worker starts {} {}", summaries.size(), summaries.size() == 1 ? "summary" : "summaries");
    if (run.seconds)
        words.head += formatted(", each saved {:.1f} s later", *run.seconds);
    if (const size_t landed = countOf(run, End::Landed); !summaries.empty())
        words.head += formatted(": {} {}", landed, landed == 1 ? "lands" : "land");
    if (const size_t failed = countOf(run, End::Failed); failed > 0)
        words.head += formatted(", {} of the saves fail{}", failed, failed == 1 ? "s" : "") + failedText(summaries);
    for (size_t i = 0; i < std::min(summaries.size(), kMost); ++i)
        words.lines.push_back(summaries[i].sentence());
    if (summaries.size() > kMost)
        words.lines.push_back(formatted("and {} more", summaries.size() - kMost));
    return words;
}

std::string workerDeed(const Replay &replay, size_t call)
{
    std::string text;
    const auto add = [&](const std::string &deed) { text += (text.empty() ? "" : "; ") + deed; };
    for (const WorkerSummary &each : replay.worker ? replay.worker->summaries : std::vector<WorkerSummary>()) {
        if (each.endedAt == call && each.startedAt != call && each.end != End::Pending)
            add(formatted("{} (started at call {})",
                each.end == End::Landed       ? "a summary of the worker lands"
                    : each.end == End::Failed ? "the save of a summary fails"
                                              : "a summary of the worker is of no use any more",
                each.startedAt));
        if (each.startedAt == call)
            add(each.endedAt > call           ? "the worker starts a summary"
                    : each.end == End::Failed ? "the worker writes a summary, and its save fails"
                                              : "the worker writes a summary");
        if (each.startedAt < call && call < each.endedAt)
            add(formatted("the worker writes since call {}", each.startedAt));
    }
    return text;
}

std::vector<HarnessDefect> harnessDefects(const Replay &replay, const Regret *regret, const FetchedOutputs &fetched)
{
    std::vector<HarnessDefect> defects;
    for (auto found :
        { uncheckedSave(replay, regret), unsentSummary(replay), tornPair(replay), fetchedAgain(replay, fetched) }) {
        if (found)
            defects.push_back(std::move(*found));
    }
    return defects;
}

} // namespace core
