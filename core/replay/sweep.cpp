// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/sweep.h"

#include "core/base/parallel.h"
#include "core/compaction/change_memo.h"

#include <chrono>
#include <mutex>

namespace core {

namespace {

/// The cells of a grid, coarse ones first: every fourth of every fourth row, then every second, then all.
std::vector<size_t> cellOrder(size_t columns, size_t rows)
{
    std::vector<size_t> order;
    std::vector<bool> isTaken(columns * rows, false);
    for (const size_t step : { size_t { 4 }, size_t { 2 }, size_t { 1 } }) {
        for (size_t row = 0; row < rows; row += step) {
            for (size_t column = 0; column < columns; column += step) {
                const size_t cell = row * columns + column;
                if (!isTaken[cell])
                    order.push_back(cell);
                isTaken[cell] = true;
            }
        }
    }
    return order;
}

size_t coarseCount(size_t columns, size_t rows) { return ((columns + 3) / 4) * ((rows + 3) / 4); }

} // namespace

Result<Policy> policyAt(const Sweep &sweep, size_t column, size_t row)
{
    auto policy = withSetting(*sweep.policy, sweep.x.setting, sweep.x.textOf(sweep.x.values[column]));
    if (policy)
        policy = withSetting(*policy, sweep.y.setting, sweep.y.textOf(sweep.y.values[row]));
    return policy;
}

SweepGroundPtr sweepGround(const SessionPtr &session, ThreadIndex thread, const BlockTokensPtr &tokens,
    const Prices &prices, Progress *progress)
{
    auto ground = std::make_shared<SweepGround>();
    ground->memo = std::make_shared<ChangeMemo>(session);
    ground->prices = std::make_shared<const Prices>(prices);
    auto uses = findUses(*session, thread, {}, progress);
    if (!uses)
        return nullptr;
    ground->uses = std::make_shared<const Uses>(std::move(*uses));
    ReplayOptions options;
    options.memo = ground->memo;
    options.progress = progress;
    ground->recorded = recordedFigures(replayGround(session, thread, tokens), prices, options);
    return ground->recorded ? ground : nullptr;
}

std::optional<SweepFigures> sweepCell(const SweepGround &ground, const PolicyPtr &policy, Progress *progress)
{
    ReplayOptions options;
    options.overrides = ground.overrides;
    options.memo = ground.memo;
    options.progress = progress;
    const ReplayPtr made = replay(ground.recorded->ground, policy, options);
    if (!made)
        return std::nullopt;
    return sweepFigures(*policyFigures(made, *ground.recorded, ground.uses.get()), *ground.recorded);
}

SweepPtr sweep(const SweepGroundPtr &ground, const PolicyPtr &policy, const SweepAxis &x, const SweepAxis &y,
    const SweepOptions &options)
{
    using Clock = std::chrono::steady_clock;
    constexpr auto kPause = std::chrono::milliseconds(250);
    const size_t columns = x.values.size();
    Sweep made { policy, x, y, {} };
    made.cells.resize(columns * y.values.size());
    const std::vector<size_t> order = cellOrder(columns, y.values.size());
    const size_t coarse = coarseCount(columns, y.values.size());
    std::mutex mutex;
    size_t done = 0;
    Clock::time_point due; // at once, when the coarse cells are there
    const auto isCancelled = [&] { return options.progress != nullptr && options.progress->isCancelled(); };
    const auto finish = [&](unsigned worker, size_t cell, std::optional<SweepFigures> figures) {
        SweepPtr shown;
        {
            const std::lock_guard lock(mutex);
            made.cells[cell] = std::move(figures);
            ++done;
            if (worker != 0)
                return;
            if (options.progress != nullptr)
                options.progress->setFraction(static_cast<double>(done) / static_cast<double>(order.size()));
            if (options.publish && done >= coarse && done < order.size() && Clock::now() >= due)
                shown = std::make_shared<const Sweep>(made);
        }
        if (!shown)
            return;
        due = Clock::now() + kPause;
        options.publish(shown);
    };
    parallelFor(order.size(), options.threads, [&](unsigned worker, size_t index) {
        if (isCancelled())
            return;
        const size_t cell = order[index];
        auto drawn = std::make_shared<Policy>(*policy);
        set(*drawn, x, x.values[cell % columns]);
        set(*drawn, y, y.values[cell / columns]);
        finish(worker, cell, sweepCell(*ground, drawn, options.progress));
    });
    return isCancelled() ? nullptr : std::make_shared<const Sweep>(std::move(made));
}

} // namespace core
