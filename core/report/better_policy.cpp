// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/better_policy.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/compaction/policy.h"
#include "core/formats/reading/format.h"
#include "core/formats/session_files.h"
#include "core/report/document_parts.h"
#include "core/report/suggestion_words.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_set>

namespace core {

namespace {

constexpr size_t kGrid = 8; ///< values of each of the two settings
/// One preset a harness; variants of the same harness would not differ much.
constexpr auto kCandidates = std::to_array<std::string_view>(
    { "deep-agents", "langchain-clear-tool-uses", "langchain-summarization", "pi", "genkit-recipe" });

std::vector<SweepPlan> plansOf(const Prices &prices)
{
    std::vector<SweepPlan> plans;
    for (const std::string_view id : kCandidates) {
        const PolicyPtr policy = preset(id);
        // A range must be the same for all sessions, so it cannot depend on a window.
        auto x = parseAxis(*policy, Session {}, "keep", kGrid);
        auto y = parseAxis(*policy, Session {}, "trigger", kGrid);
        if (x && y)
            plans.push_back({ policy, std::move(*x), std::move(*y), prices.date() });
    }
    return plans;
}

/// The runs of a few files, without sweeping them. Copies count, so a search may find fewer.
struct FoundRuns {
    size_t files = 0;
    size_t runs = 0;
    size_t dated = 0;
};
FoundRuns runsIn(std::span<const std::string> files, const Progress *progress)
{
    FoundRuns found;
    for (const std::string &file : files) {
        if (isCancelled(progress))
            break;
        const auto session = loadSession(file);
        size_t runs = 0;
        for (const Thread &thread : session ? (*session)->threads : std::vector<Thread>()) {
            if (thread.kind == ThreadKind::Subagent || thread.calls.empty())
                continue;
            ++runs;
            found.dated
                += std::ranges::any_of(thread.calls, [](const Call &call) { return call.time.has_value(); }) ? 1 : 0;
        }
        found.files += runs > 0 ? 1 : 0;
        found.runs += runs;
    }
    return found;
}

/// The answer where there are too few runs to judge a policy on.
BetterPolicy tooFew(const FoundRuns &found, const SweepPlan &plan)
{
    BetterPolicy better;
    better.files = found.files;
    better.runs = found.runs;
    SweepSet none;
    none.plan = plan;
    better.choice.policies.push_back({ std::move(none), SweepMetric::Cost,
        Result<Suggestion>(failure(ErrorKind::Empty, Suggestion::fewRunsSentence(found.dated))) });
    return better;
}

const SweepSetReport *chosenOf(const BetterPolicy &better)
{
    return better.choice.chosen ? &better.choice.policies[*better.choice.chosen] : nullptr;
}

/// How the settings do in the session, which they were not chosen on; empty without a known figure.
std::string hereSentence(const BetterPolicy &better, SweepMetric aim)
{
    if (!better.here || std::isnan(better.here->recorded[aim]) || std::isnan(better.here->cells.front()[aim]))
        return {};
    const SweepFigures &cell = better.here->cells.front();
    return formatted(
        "In this session, which took no part in the choice, it would have {} {} instead of {}, and lost {} "
        "of {}.",
        aim == SweepMetric::Cost ? "cost" : "sent", shownMetric(aim, cell[aim]),
        shownMetric(aim, better.here->recorded[aim]), shownMetric(SweepMetric::LostUses, cell[SweepMetric::LostUses]),
        counted(better.here->uses, "use"));
}

std::string basisSentence(const BetterPolicy &better, const Suggestion &made)
{
    std::string text
        = formatted("The settings were chosen on {} and tested on {}. All these runs are of other sessions, in {}.",
            counted(made.earlier.size(), "earlier run"), counted(made.later.size(), "later run"),
            counted(better.files, "file"));
    if (better.copies > 0)
        text += formatted(" {} that {} calls with this session {} no part.", counted(better.copies, "run"),
            better.copies == 1 ? "shares" : "share", better.copies == 1 ? "takes" : "take");
    return text;
}

} // namespace

const Suggestion *BetterPolicy::found() const
{
    const SweepSetReport *report = chosenOf(*this);
    return report != nullptr && (**report->suggestion).isUseful() ? &**report->suggestion : nullptr;
}

std::string betterPolicyNeed(size_t otherFiles)
{
    return formatted("This needs at least {} runs with dates in other files of this folder. It has {}.",
        Suggestion::kFewestRuns, otherFiles == 0 ? "no other files" : counted(otherFiles, "other file"));
}

std::vector<std::string> filesBeside(const std::string &file)
{
    std::error_code error;
    return filesIn(std::filesystem::absolute(file, error).parent_path());
}

std::optional<BetterPolicy> findBetterPolicy(const std::string &file, const SessionPtr &session,
    std::span<const std::string> others, const Prices &prices, const RunSweepOptions &options,
    const std::function<void(size_t done)> &tell)
{
    const std::vector<SweepPlan> plans = plansOf(prices);
    std::vector<std::string> files(others.begin(), others.end());
    std::error_code error;
    std::erase_if(files, [&](const std::string &each) { return std::filesystem::equivalent(each, file, error); });
    if (files.size() < Suggestion::kFewestRuns) {
        const FoundRuns found = runsIn(files, options.progress);
        if (isCancelled(options.progress))
            return std::nullopt;
        if (found.dated < Suggestion::kFewestRuns)
            return tooFew(found, plans.front());
    }
    BetterPolicy better;
    std::vector<FileSweep> mine = sweepSession(file, session, plans, prices, options);
    if (isCancelled(options.progress))
        return std::nullopt;
    std::unordered_set<uint64_t> calls;
    for (const RunSweep &run : mine.front().runs)
        calls.insert(run.callIds.begin(), run.callIds.end());
    const auto sharesCalls = [&](const RunSweep &run) {
        return std::ranges::any_of(run.callIds, [&](uint64_t id) { return calls.contains(id); });
    };
    std::vector<std::vector<FileSweep>> swept(plans.size());
    size_t done = 0;
    sweepFiles(files, std::span(plans), prices, options, [&](std::vector<FileSweep> made) {
        better.files += made.front().runs.empty() ? 0 : 1;
        for (size_t i = 0; i < plans.size(); ++i) {
            const size_t copies = std::erase_if(made[i].runs, sharesCalls);
            better.copies += i == 0 ? copies : 0;
            swept[i].push_back(std::move(made[i]));
        }
        if (tell)
            tell(++done);
    });
    if (isCancelled(options.progress))
        return std::nullopt;
    SuggestionOptions limits;
    limits.limits = usualLimits();
    std::vector<SweepSetReport> reports;
    for (size_t i = 0; i < plans.size(); ++i) {
        SweepSet set = sweepSet(plans[i], std::move(swept[i]));
        auto suggestion = suggest(set, limits);
        reports.push_back({ std::move(set), SweepMetric::Cost, std::move(suggestion) });
    }
    better.runs = reports.front().set.runs.size();
    better.choice = choosePolicy(std::move(reports));
    if (better.choice.chosen && !mine[*better.choice.chosen].runs.empty()) {
        better.here = std::move(mine[*better.choice.chosen].runs.front());
        const size_t cell = (**better.choice.policies[*better.choice.chosen].suggestion).cell;
        better.here->cells = { better.here->cells[cell] };
    }
    return better;
}

std::vector<std::string> betterPolicySentences(const BetterPolicy &better)
{
    const SweepSetReport *report = chosenOf(better);
    if (report == nullptr) {
        std::string reason = better.runs == 0 ? "There are no other sessions to judge a policy on."
                                              : "Nothing can be said from " + counted(better.runs, "run")
                + " of other sessions: " + better.choice.policies.front().suggestion->error().message;
        return { std::move(reason) };
    }
    const Suggestion &made = **report->suggestion;
    std::vector<std::string> sentences = suggestionHead(report->set, made);
    if (better.found() == nullptr)
        sentences.pop_back(); // what settings give up that nobody should use
    sentences.push_back(basisSentence(better, made));
    if (std::string here = hereSentence(better, made.aim); better.found() != nullptr && !here.empty())
        sentences.push_back(std::move(here));
    return sentences;
}

Json betterPolicyJson(const BetterPolicy &better)
{
    Json json { { "sentences", betterPolicySentences(better) }, { "files", better.files }, { "runs", better.runs },
        { "copies_left_out", better.copies }, { "found", better.found() != nullptr } };
    const SweepSetReport *report = chosenOf(better);
    json["policy"] = report == nullptr ? Json(nullptr) : Json(report->set.plan.policy->id);
    json["suggestion"] = report == nullptr ? Json(nullptr) : suggestionJson(report->set, **report->suggestion);
    if (better.here) {
        const SweepMetric aim = (**report->suggestion).aim;
        json["here"] = { { "metric", infoOf(aim).id }, { "value", numberJson(better.here->cells.front()[aim]) },
            { "recorded", numberJson(better.here->recorded[aim]) },
            { "lost_uses", numberJson(better.here->cells.front()[SweepMetric::LostUses]) },
            { "uses", better.here->uses } };
    } else {
        json["here"] = nullptr;
    }
    return json;
}

} // namespace core
