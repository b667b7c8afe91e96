// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/compaction/observe.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/compaction_report.h"
#include "core/report/loss_report.h"
#include "core/tokens/array_weights.h"
#include "core/tokens/counted_tokens.h"

#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "recorded", "N",
        "with one file: compares the arrays before and after the recorded compaction N. Compactions, clearings and "
        "rollbacks share one numbering, from 1. Without this option the command says what each recorded compaction "
        "kept and lost" },
    { "policy", "P",
        "with one file, give this option twice: the command compares the arrays of the two policies. A policy is the "
        "name of a preset, a policy file, or \"recorded\": the array as it was sent" },
    kSetOption,
    kCallOption,
    kAsIfFiredOption,
    kThreadOption,
    kRepoOption,
    kPricesOption,
    { "json", "",
        "prints JSON of schema palimpsest.compaction/1, or of palimpsest.losses/1 for one file without --recorded" },
});

/// `nextCall` is the first call after a recorded compaction; `recorded` is the log's record of it.
int show(const core::Compaction &compaction, const core::BlockTokens &tokens, const Arguments &arguments,
    core::ThreadIndex thread = core::ThreadIndex(0U), core::CallIndex nextCall = {},
    const core::RecordedSizes *recorded = nullptr, const core::CompactionSums *sums = nullptr)
{
    const auto folder = parseFolder(arguments);
    if (!folder)
        return report(folder.error());
    if (!arguments.has("json"))
        return print(core::drawCompaction(compaction, tokens, recorded, sums));
    const core::Recoveries recoveries
        = core::recoveriesOf(compaction, { thread, nextCall, core::folderOf(*compaction.before.session(), *folder) });
    const auto document = core::compactionJson(compaction, tokens, &recoveries, recorded, sums);
    return printJson(document);
}

int observeRecorded(const Arguments &arguments)
{
    const auto number = parseNumber("recorded", *arguments.value("recorded"));
    if (!number)
        return report(number.error());
    const auto opened = openSession(arguments);
    if (!opened)
        return report(opened.error());
    const core::ThreadIndex thread = opened->position.thread;
    const auto &compactions = opened->session->thread(thread).compactions;
    const size_t count = compactions.size();
    if (*number == 0 || *number > count) {
        return report({ core::ErrorKind::Usage,
            count == 0 ? "This thread records no compaction."
                       : "There is no compaction " + std::to_string(*number) + ": this thread records "
                    + std::to_string(count) + ", counted from 1.",
            arguments.files.front() });
    }
    const core::CallIndex last = compactions[*number - 1].call;
    const core::CallIndex next(last.isValid() ? last.index() + 1 : 0);
    const core::RecordedSizes recorded = core::recordedSizes(
        *opened->session, thread, *number - 1, *core::arraySums(*opened->session, thread, *opened->tokens));
    return show(core::observeRecorded(opened->session, thread, *number - 1, opened->tokens), *opened->tokens, arguments,
        thread, next, &recorded);
}

/// What each recorded compaction of a thread kept and lost.
int showLosses(const Arguments &arguments)
{
    const auto prices = parsePrices(arguments);
    if (!prices)
        return report(prices.error());
    const auto opened = openSession(arguments);
    if (!opened)
        return report(opened.error());
    const core::ThreadIndex thread = opened->position.thread;
    const auto losses
        = unlessTorn(*opened->session, *core::recordedLosses(opened->session, thread, opened->tokens, *prices));
    if (!losses)
        return report(losses.error());
    if (arguments.has("json"))
        return printJson(core::lossesJson(*opened->session, *losses, thread));
    return print(
        losses->empty() ? "This thread records no compaction.\n" : core::drawLosses(*opened->session, *losses));
}

struct WeighedArray {
    core::Transcript array;
    core::BlockTokensPtr tokens;
    core::ArraySum sum;
    core::ArraySumsPtr sums; ///< of the thread
};

/// The result of a policy on an array; `recorded` leaves it unchanged. `counted` is the table of the session.
core::Result<WeighedArray> arrayUnder(const std::string &name, const WeighedArray &recorded, core::Position position,
    const core::BlockTokens &counted, const Arguments &arguments)
{
    if (name == "recorded")
        return recorded;
    const auto policy = policyOf(name, arguments);
    if (!policy)
        return std::unexpected(policy.error());
    core::CompactOptions options;
    options.position = position;
    options.ignoresTriggers = arguments.has("as-if-fired");
    options.sums = recorded.sums;
    const core::Compaction made = core::compact(recorded.array, *policy, *recorded.tokens, options);
    return WeighedArray { made.after, made.afterTokens, core::sumAfter(made, recorded.sum, counted), recorded.sums };
}

/// Slot by slot: the array under the first policy beside the one under the second.
int observePolicies(const Arguments &arguments)
{
    const std::vector<std::string> names = arguments.values("policy");
    if (names.size() != 2 || arguments.files.size() != 1)
        return report({ core::ErrorKind::Usage, "observe needs --policy twice, and a single file.", {} });
    const auto session = core::loadSession(arguments.files.front(), nullptr, {}, threadCount());
    if (!session)
        return report(session.error());
    const auto position = parsePosition(**session, arguments);
    if (!position)
        return report(position.error());
    const core::BlockRanges ranges = core::rangesAt(**session, *position);
    const core::BlockTokensPtr counted = core::countedTokens(**session, threadCount(), nullptr);
    const core::ArraySumsPtr ofThread = core::arraySums(**session, position->thread, *counted);
    const WeighedArray recorded { { *session, ranges }, core::tokensAt(**session, ranges, counted),
        ofThread->at(*position), ofThread };
    const auto before = arrayUnder(names[0], recorded, *position, *counted, arguments);
    if (!before)
        return report(before.error());
    const auto after = arrayUnder(names[1], recorded, *position, *counted, arguments);
    if (!after)
        return report(after.error());
    const core::Compaction difference = core::observe(before->array, after->array, after->tokens);
    const core::CompactionSums sums { before->sum, after->sum };
    if (!arguments.has("json") && print(names[0] + " → " + names[1] + "\n") != Done)
        return InputProblem;
    return show(difference, *before->tokens, arguments, position->thread, position->call, nullptr, &sums);
}

int runObserve(const Arguments &arguments)
{
    if (arguments.has("policy"))
        return observePolicies(arguments);
    if (arguments.files.size() == 1)
        return arguments.has("recorded") ? observeRecorded(arguments) : showLosses(arguments);
    if (arguments.has("recorded"))
        return report({ core::ErrorKind::Usage, "--recorded is for a single file.", {} });
    std::array<core::SessionPtr, 2> sessions;
    for (size_t i = 0; i < 2; ++i) {
        auto session = core::loadSession(arguments.files[i]);
        if (!session)
            return report(session.error());
        sessions[i] = *session;
    }
    const auto tokens = core::countedTokens(*sessions[0], threadCount(), nullptr);
    const auto tokensAfter = core::countedTokens(*sessions[1], threadCount(), nullptr);
    const core::Transcript before(sessions[0], sessions[0]->threads.front().end);
    const core::Transcript after(sessions[1], sessions[1]->threads.front().end);
    return show(core::observe(before, after, tokensAfter), *tokens, arguments);
}

} // namespace

const Command kObserve { "observe", "BEFORE [AFTER]", 1, 2,
    "compares two arrays: before and after a recorded compaction, of two files, or of two policies", kOptions,
    runObserve };

} // namespace app
