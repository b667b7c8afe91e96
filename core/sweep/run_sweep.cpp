// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/run_sweep.h"

#include "core/base/parallel.h"
#include "core/formats/reading/format.h"
#include "core/session/earlier_messages.h"
#include "core/tokens/counted_tokens.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace core {

namespace {

/// The response's own id; empty if it has none.
std::string_view idOf(const Session &session, const Call &call)
{
    if (call.responseId.isValid())
        return session.string(call.responseId);
    if (call.output.size() == 0)
        return {};
    const Block &first = session.block(BlockId(call.output.begin));
    return first.message.isValid() ? session.string(session.message(first.message).externalId) : std::string_view();
}

std::vector<uint64_t> callIdsOf(const Session &session, const Thread &thread)
{
    std::vector<uint64_t> ids;
    ids.reserve(thread.calls.size());
    Hash soFar;
    for (const Call &call : thread.calls) {
        Hash response;
        for (uint32_t i = call.output.begin; i < call.output.end; ++i)
            response = combine(response, hashOf(session.rawBody(session.block(BlockId(i)).body)));
        soFar = combine(soFar, response);
        const std::string_view id = idOf(session, call);
        ids.push_back(id.empty() ? soFar.low : combine(hashOf(id), response).low);
    }
    return ids;
}

Reach quoteReach(const SweepGround &ground)
{
    const ReplayGround &replay = *ground.recorded->ground;
    const std::vector<Use> &uses = ground.uses->uses;
    const std::vector<double> all = useDistances(replay.session(), *ground.uses, *replay.tokens);
    std::vector<double> quotes;
    for (size_t i = 0; i < uses.size(); ++i) {
        if (uses[i].kind == UseKind::Quote && !ground.uses->isUnsure(uses[i], *replay.sums))
            quotes.push_back(std::round(all[i]));
    }
    return Reach(std::move(quotes));
}

/// Everything but the cells.
RunSweep runOf(const std::string &file, const SweepGround &ground)
{
    const RecordedFigures &recorded = *ground.recorded;
    const ReplayGround &replay = *recorded.ground;
    const Session &session = replay.session();
    const Thread &thread = session.thread(replay.log.thread);
    RunSweep run;
    run.file = file;
    run.thread = replay.log.thread.value();
    run.title = thread.kind == ThreadKind::Main ? session.title : thread.title;
    run.model = session.model;
    for (const Call &call : thread.calls) {
        run.begun = run.begun ? run.begun : call.time;
        run.ended = call.time ? call.time : run.ended;
    }
    run.calls = thread.calls.size();
    run.uses = ground.uses->count(kHeadlineUses);
    run.typedMessages = ground.uses->messages.size();
    run.window = static_cast<double>(session.windowTokens.value_or(0));
    run.basis = replay.tokens->basis;
    run.reach = quoteReach(ground);
    run.recorded = recordedSweepFigures(recorded);
    run.bill = recorded.bill;
    run.callIds = callIdsOf(session, thread);
    return run;
}

RunSweep withCells(RunSweep run, const Sweep &sweep)
{
    run.cells.reserve(sweep.cells.size());
    for (const auto &cell : sweep.cells)
        run.cells.push_back(*cell);
    run.counterfactualShare = run.cells.front().counterfactualShare;
    return run;
}

std::optional<Timestamp> lastTime(const Thread &thread)
{
    std::optional<Timestamp> last;
    for (const Call &call : thread.calls)
        last = call.time ? call.time : last;
    return last;
}

/// Why a thread cannot be swept; empty if it can.
std::string reasonAgainst(const Session &session, ThreadIndex index, const RunSweepOptions &options)
{
    const Thread &thread = session.thread(index);
    if (thread.calls.empty())
        return "It has no calls.";
    if (beginsMidway(session, index))
        return "It begins in the middle of a session: no policy can remove the earlier messages.";
    if (!options.since)
        return {};
    const auto last = lastTime(thread);
    if (!last)
        return "Its calls have no times.";
    return *last < *options.since ? "Its last call is older." : "";
}

} // namespace

std::string SweepPlan::settingsOf(size_t cell) const
{
    const size_t columns = x.values.size();
    return x.setting + " " + x.wordsOf(x.values[cell % columns]) + ", " + y.setting + " "
        + y.wordsOf(y.values[cell / columns]);
}

std::vector<FileSweep> sweepSession(const std::string &file, const SessionPtr &session,
    std::span<const SweepPlan> plans, const Prices &prices, const RunSweepOptions &options)
{
    std::vector<FileSweep> made(plans.size());
    BlockTokensPtr tokens; // for all threads, computed for the first sweep
    const SweepOptions sweeping { options.threads, options.progress, {} };
    for (size_t i = 0; i < session->threads.size(); ++i) {
        const Thread &thread = session->threads[i];
        if (thread.kind == ThreadKind::Subagent && !options.withSubagents)
            continue;
        const auto number = static_cast<uint32_t>(i);
        if (const std::string reason = reasonAgainst(*session, ThreadIndex(number), options); !reason.empty()) {
            for (FileSweep &each : made)
                each.leftOut.push_back({ file, number, reason });
            continue;
        }
        if (!tokens)
            tokens = countedTokens(*session, options.threads, options.progress);
        const SweepGroundPtr ground
            = tokens ? sweepGround(session, ThreadIndex(number), tokens, prices, options.progress) : nullptr;
        if (!ground)
            return std::vector<FileSweep>(plans.size()); // cancelled
        RunSweep run = runOf(file, *ground);
        if (const auto own = ownRun(*ground, options.progress))
            run.own = own->figures;
        if (isCancelled(options.progress))
            return std::vector<FileSweep>(plans.size());
        for (size_t which = 0; which < plans.size(); ++which) {
            const SweepPlan &plan = plans[which];
            const SweepPtr swept = sweep(ground, plan.policy, plan.x, plan.y, sweeping);
            if (!swept)
                return std::vector<FileSweep>(plans.size());
            made[which].runs.push_back(withCells(run, *swept));
        }
    }
    if (const auto torn = session->torn())
        return std::vector<FileSweep>(plans.size(), { {}, { { file, std::nullopt, torn->message, true } } });
    return made;
}

FileSweep sweepSession(const std::string &file, const SessionPtr &session, const SweepPlan &plan, const Prices &prices,
    const RunSweepOptions &options)
{
    return std::move(sweepSession(file, session, std::span(&plan, 1), prices, options).front());
}

std::vector<FileSweep> sweepFile(
    const std::string &file, std::span<const SweepPlan> plans, const Prices &prices, const RunSweepOptions &options)
{
    const auto session = loadSession(file, options.progress, {}, options.threads);
    if (!session)
        return std::vector<FileSweep>(plans.size(), { {}, { { file, std::nullopt, session.error().message, true } } });
    return sweepSession(file, *session, plans, prices, options);
}

void sweepFiles(std::span<const std::string> files, std::span<const SweepPlan> plans, const Prices &prices,
    const RunSweepOptions &options, const std::function<void(std::vector<FileSweep>)> &done)
{
    const auto workers = static_cast<unsigned>(std::clamp<size_t>(files.size(), 1, std::max(1U, options.threads)));
    RunSweepOptions each = options;
    each.threads = std::max(1U, options.threads / workers);
    std::mutex mutex;
    std::vector<std::optional<std::vector<FileSweep>>> waiting(files.size());
    size_t told = 0;
    const auto isCancelled = [&] { return options.progress != nullptr && options.progress->isCancelled(); };
    parallelFor(files.size(), workers, [&](unsigned, size_t index) {
        if (isCancelled())
            return;
        std::vector<FileSweep> made = sweepFile(files[index], plans, prices, each);
        const std::lock_guard lock(mutex);
        waiting[index] = std::move(made);
        for (; told < files.size() && waiting[told] && !isCancelled(); ++told) {
            done(std::move(*waiting[told]));
            waiting[told].reset();
        }
    });
}

void sweepFiles(std::span<const std::string> files, const SweepPlan &plan, const Prices &prices,
    const RunSweepOptions &options, const std::function<void(FileSweep)> &done)
{
    sweepFiles(files, std::span(&plan, 1), prices, options,
        [&](std::vector<FileSweep> made) { done(std::move(made.front())); });
}

} // namespace core
