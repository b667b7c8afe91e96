// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/sweep.h"

#include "core/base/parallel.h"
#include "core/compaction/change_memo.h"
#include "core/cuts/cut_track.h"

#include <chrono>
#include <mutex>

namespace core {

namespace {

constexpr std::string_view kTrigger = "trigger"; ///< the name of the setting

/// Cells of one column or row.
struct Stretch {
    std::vector<size_t> cells;
    bool isCoarse = false; ///< belongs to the first published map
};

/// The cells of a grid, coarse ones first: every fourth of every fourth row, then every second, then all. The cells of
/// a column (or row) share work and go to one worker, as two would wait for each other.
std::vector<Stretch> stretchesOf(size_t columns, size_t rows, bool isByColumn)
{
    constexpr size_t kCoarse = 4;
    std::vector<Stretch> stretches;
    std::vector<bool> isTaken(columns * rows, false);
    const size_t lines = isByColumn ? columns : rows;
    const size_t places = isByColumn ? rows : columns;
    for (const size_t step : { kCoarse, size_t { 2 }, size_t { 1 } }) {
        for (size_t line = 0; line < lines; line += step) {
            Stretch stretch { {}, step == kCoarse };
            for (size_t place = 0; place < places; place += step) {
                const size_t cell = isByColumn ? place * columns + line : line * columns + place;
                if (!isTaken[cell])
                    stretch.cells.push_back(cell);
                isTaken[cell] = true;
            }
            stretches.push_back(std::move(stretch));
        }
    }
    return stretches;
}

/// Whether any stage of a policy uses the policy's trigger.
bool usesTrigger(const Policy &policy)
{
    return std::ranges::any_of(policy.stages, [](const StageSpec &spec) {
        const StageKind *kind = stageKind(spec.stage);
        const bool waits = spec.usesTrigger && !spec.trigger;
        return spec.isEnabled && (waits || (kind != nullptr && kind->readsPolicyTrigger));
    });
}

/// Computes cells: by cuts if they describe the policy's arrays, else with a replay each.
class CellMaker final {
public:
    CellMaker(const SweepGroundPtr &ground, const Sweep &sweep, const SweepOptions &options)
        : m_ground(*ground)
        , m_sweep(sweep)
        , m_options(options)
        , m_columns(sweep.x.unit ? 1 : sweep.x.values.size())
        , m_rows(sweep.y.unit ? 1 : sweep.y.values.size())
        , m_workers(std::max(1U, options.threads))
        , m_isTriggerUsed(usesTrigger(*sweep.policy))
        , m_policies(m_workers, *sweep.policy)
        // Tables for a single cell would cost more than a replay, and they do not support overrides.
        , m_tables((m_columns > 1 && m_rows > 1) || !ground->overrides.isEmpty() ? 0 : m_columns * m_rows)
        , m_cuts(m_tables.size() * m_workers)
        , m_lines(std::max(sweep.x.values.size(), sweep.y.values.size()))
    {
    }

    std::optional<SweepFigures> make(unsigned worker, size_t column, size_t row)
    {
        Line *line = lineOf(column, row);
        if (line == nullptr || m_isTriggerUsed)
            return figuresAt(worker, column, row, line);
        std::call_once(line->onceCell, [&] { line->cell = figuresAt(worker, column, row, nullptr); });
        return line->cell;
    }

private:
    struct Tables {
        std::once_flag once;
        CutTablesPtr tables;
    };

    /// Cells that differ only in the trigger.
    struct Line {
        std::once_flag onceTracks;
        std::unique_ptr<CutTracks> tracks;
        std::once_flag onceCell;
        std::optional<SweepFigures> cell; ///< the result for all cells, if no stage uses the trigger
    };

    /// State of one worker.
    struct Cuts {
        Cuts(const CutTablesPtr &tables, const CostGround &costs)
            : replay(tables)
            , costing(tables, costs)
        {
        }
        CutReplay replay;
        CutCosting costing;
    };

    /// nullptr if no axis is the trigger.
    [[nodiscard]] Line *lineOf(size_t column, size_t row)
    {
        if (m_sweep.x.setting == kTrigger)
            return m_sweep.y.setting == kTrigger ? nullptr : &m_lines[row];
        return m_sweep.y.setting == kTrigger ? &m_lines[column] : nullptr;
    }

    std::optional<SweepFigures> figuresAt(unsigned worker, size_t column, size_t row, Line *line)
    {
        Policy &policy = m_policies[worker];
        set(policy, m_sweep.x, m_sweep.x.values[column]);
        set(policy, m_sweep.y, m_sweep.y.values[row]);
        if (Cuts *cuts = cutsFor(worker, column, row)) {
            if (line != nullptr)
                std::call_once(line->onceTracks, [&] {
                    line->tracks
                        = std::make_unique<CutTracks>(cuts->replay.tablesPtr(), policy, *m_ground.recorded->costs);
                });
            if (cuts->replay.run(policy, line != nullptr ? line->tracks.get() : nullptr))
                return withoutIdleCount(cutFigures(cuts->replay, cuts->costing, *m_ground.recorded), policy);
        }
        return sweepCell(m_ground, std::make_shared<const Policy>(policy), m_options.progress);
    }

    /// Triggers and keep windows share tables; other settings have tables for each of their values. nullptr if cuts
    /// cannot describe the arrays.
    Cuts *cutsFor(unsigned worker, size_t column, size_t row)
    {
        if (m_tables.empty())
            return nullptr;
        const size_t index = (m_rows > 1 ? row : 0) + (m_columns > 1 ? column : 0);
        Tables &made = m_tables[index];
        std::call_once(made.once, [&] {
            const auto policy = std::make_shared<const Policy>(m_policies[worker]);
            made.tables = cutTables(m_ground.recorded->ground, policy, m_ground.uses.get(), m_ground.memo);
        });
        auto &cuts = m_cuts[index * m_workers + worker];
        if (made.tables && !cuts)
            cuts = std::make_unique<Cuts>(made.tables, *m_ground.recorded->costs);
        return cuts.get();
    }

    const SweepGround &m_ground;
    const Sweep &m_sweep;
    const SweepOptions &m_options;
    size_t m_columns; ///< of m_tables
    size_t m_rows;
    size_t m_workers;
    bool m_isTriggerUsed;
    std::vector<Policy> m_policies; ///< by worker, with the settings of its current cell
    std::vector<Tables> m_tables;
    std::vector<std::unique_ptr<Cuts>> m_cuts; ///< by worker
    std::vector<Line> m_lines;
};

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

std::optional<OwnRun> ownRun(const SweepGround &ground, Progress *progress)
{
    const RecordedFigures &recorded = *ground.recorded;
    const std::vector<PolicyPtr> own = ownPresets(recorded.ground->session());
    if (own.empty())
        return std::nullopt;
    ReplayOptions options;
    options.overrides = ground.overrides;
    options.memo = ground.memo;
    options.progress = progress;
    const ReplayPtr replayed = replay(recorded.ground, own.front(), options);
    if (!replayed)
        return std::nullopt;
    return OwnRun { replayed, sweepFigures(*policyFigures(replayed, recorded, ground.uses.get()), recorded) };
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
    const std::vector<Stretch> stretches = stretchesOf(columns, y.values.size(), y.setting == kTrigger);
    size_t coarse = 0; // coarse cells still to compute
    for (const Stretch &stretch : stretches)
        coarse += stretch.isCoarse ? stretch.cells.size() : 0;
    std::mutex mutex;
    size_t done = 0;
    Clock::time_point due; // at once when the coarse cells are done
    const auto isCancelled = [&] { return options.progress != nullptr && options.progress->isCancelled(); };
    const auto finish = [&](unsigned worker, size_t cell, bool isCoarse, std::optional<SweepFigures> figures) {
        SweepPtr shown;
        {
            const std::lock_guard lock(mutex);
            made.cells[cell] = std::move(figures);
            ++done;
            coarse -= isCoarse ? 1 : 0;
            if (worker != 0)
                return;
            if (options.progress != nullptr)
                options.progress->setFraction(static_cast<double>(done) / static_cast<double>(made.cells.size()));
            if (options.publish && coarse == 0 && done < made.cells.size() && Clock::now() >= due)
                shown = std::make_shared<const Sweep>(made);
        }
        if (!shown)
            return;
        due = Clock::now() + kPause;
        options.publish(shown);
    };
    CellMaker cells(ground, made, options);
    parallelFor(stretches.size(), options.threads, [&](unsigned worker, size_t index) {
        for (const size_t cell : stretches[index].cells) {
            if (isCancelled())
                return;
            finish(worker, cell, stretches[index].isCoarse, cells.make(worker, cell % columns, cell / columns));
        }
    });
    return isCancelled() ? nullptr : std::make_shared<const Sweep>(std::move(made));
}

} // namespace core
