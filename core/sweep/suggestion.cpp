// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/suggestion.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compaction/measure.h"
#include "core/evidence/reach.h"
#include "core/sweep/sweep_front.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace core {

namespace {

constexpr std::array kLimited { SweepMetric::LostUses, SweepMetric::FetchedUses, SweepMetric::Peak,
    SweepMetric::LostMessages, SweepMetric::LostBytes, SweepMetric::FetchTokens };

constexpr std::array kTold { SweepMetric::Cost, SweepMetric::Tokens, SweepMetric::Peak, SweepMetric::Compactions,
    SweepMetric::HitShare, SweepMetric::LostUses, SweepMetric::FetchTokens, SweepMetric::LostMessages,
    SweepMetric::LostBytes };

const SweepFigures &figuresOf(const RunSweep &run, std::optional<size_t> cell)
{
    return cell ? run.cells[*cell] : run.recorded;
}

/// A weighted mean over the runs with a known value.
template <typename WeightOf>
double meanOf(const SweepSet &set, std::span<const size_t> runs, std::optional<size_t> cell, SweepMetric metric,
    const WeightOf &weightOf)
{
    double sum = 0;
    double weights = 0;
    for (const size_t index : runs) {
        const SweepFigures &figures = figuresOf(set.runs[index], cell);
        const double weight = weightOf(set.runs[index], figures);
        if (std::isnan(figures[metric]) || std::isnan(weight))
            continue;
        sum += figures[metric] * weight;
        weights += weight;
    }
    return weights > 0 ? sum / weights : kUnknownFigure;
}

double medianOf(const SweepSet &set, std::span<const size_t> runs, std::optional<size_t> cell, SweepMetric metric)
{
    std::vector<double> values;
    for (const size_t index : runs) {
        if (const double value = figuresOf(set.runs[index], cell)[metric]; !std::isnan(value))
            values.push_back(value);
    }
    std::ranges::sort(values);
    return values.empty() ? kUnknownFigure : quantile(values, 0.5);
}

/// `valueOf` gives the figure of a run.
template <typename ValueOf>
double shareOfUses(const SweepSet &set, std::span<const size_t> runs, const ValueOf &valueOf)
{
    double sum = 0;
    double uses = 0;
    for (const size_t index : runs) {
        sum += valueOf(set.runs[index]);
        uses += static_cast<double>(set.runs[index].uses);
    }
    return uses > 0 ? sum / uses : std::isnan(sum) ? sum : 0;
}

double shareOfUses(const SweepSet &set, std::span<const size_t> runs, std::optional<size_t> cell, SweepMetric metric)
{
    return shareOfUses(set, runs, [&](const RunSweep &run) { return figuresOf(run, cell)[metric]; });
}

const SweepFigures &recordedOf(const RunSweep &run) { return run.recorded; }
/// What the harness does; recorded figures where no preset imitates it.
const SweepFigures &ownOf(const RunSweep &run) { return run.own ? *run.own : run.recorded; }

/// The aim of a cell relative to that of a reference, over runs with both values.
double shareOf(const SweepFigures &(*referenceOf)(const RunSweep &), const SweepSet &set, std::span<const size_t> runs,
    size_t cell, SweepMetric aim)
{
    double sum = 0;
    double reference = 0;
    for (const size_t index : runs) {
        const RunSweep &run = set.runs[index];
        const double one = referenceOf(run)[aim];
        if (std::isnan(run.cells[cell][aim]) || std::isnan(one))
            continue;
        sum += run.cells[cell][aim];
        reference += one;
    }
    return reference > 0 ? sum / reference : kUnknownFigure;
}

double shareOfRecorded(const SweepSet &set, std::span<const size_t> runs, size_t cell, SweepMetric aim)
{
    return shareOf(recordedOf, set, runs, cell, aim);
}

/// The figure that a limit applies to.
template <typename ValueOf>
double limitedFigure(const SweepSet &set, std::span<const size_t> runs, const SweepLimit &limit, const ValueOf &valueOf)
{
    if (limit.isShare)
        return shareOfUses(set, runs, valueOf);
    double sum = 0;
    double most = 0;
    for (const size_t index : runs) {
        const double value = valueOf(set.runs[index]);
        sum += value;
        most = std::max(most, value);
    }
    return limit.metric == SweepMetric::Peak ? most : sum;
}

double limitedFigure(const SweepSet &set, std::span<const size_t> runs, size_t cell, const SweepLimit &limit)
{
    return limitedFigure(set, runs, limit, [&](const RunSweep &run) { return run.cells[cell][limit.metric]; });
}

/// Limits with the highest acceptable figure over some runs.
class LimitsOver final {
public:
    LimitsOver(const SweepSet &set, std::span<const size_t> runs, std::span<const SweepLimit> limits)
        : m_set(set)
        , m_runs(runs)
        , m_limits(limits)
    {
        for (const SweepLimit &limit : limits)
            m_most.push_back(mostOver(set, runs, limit));
    }

    [[nodiscard]] bool areKept(size_t cell) const
    {
        for (size_t i = 0; i < m_limits.size(); ++i) {
            if (!(limitedFigure(m_set, m_runs, cell, m_limits[i]) <= m_most[i]))
                return false;
        }
        return true;
    }

private:
    const SweepSet &m_set;
    std::span<const size_t> m_runs;
    std::span<const SweepLimit> m_limits;
    std::vector<double> m_most;
};

bool isRefused(const RunSweep &run, size_t cell) { return core::isRefused(run.cells[cell], run.window); }

/// Chooses cells on resampled runs.
class Chooser final {
public:
    Chooser(const SweepSet &set, std::vector<size_t> runs, SweepMetric aim, const std::vector<SweepLimit> &limits)
        : m_set(set)
        , m_runs(std::move(runs))
        , m_aim(aim)
        , m_limits(limits)
        , m_accepted(settableCells(*set.plan.policy, set.plan.x, set.plan.y))
    {
        for (size_t cell = 0; cell < set.plan.cellCount(); ++cell) {
            if (std::ranges::any_of(m_runs, [&](size_t run) { return isRefused(set.runs[run], cell); }))
                m_accepted[cell] = false;
        }
    }

    [[nodiscard]] bool hasCells() const { return std::ranges::contains(m_accepted, true); }
    /// `drawn` holds indices into the list of runs.
    [[nodiscard]] std::optional<size_t> choose(std::span<const size_t> drawn) const
    {
        std::vector<size_t> runs;
        for (const size_t place : drawn)
            runs.push_back(m_runs[place]);
        const std::vector<bool> kept = keptCells(runs);
        const auto steady = cheapest(runs, steadyCells(m_set.plan.x, m_set.plan.y, m_accepted, kept));
        const auto any = cheapest(runs, kept);
        if (!steady)
            return any;
        // A steady cell that saves nothing is no answer.
        double recorded = 0;
        for (const size_t run : runs)
            recorded += m_set.runs[run].recorded[m_aim];
        return sumOver(runs, *steady, m_aim) < recorded ? steady : any;
    }
    [[nodiscard]] std::optional<size_t> choose() const
    {
        std::vector<size_t> all(m_runs.size());
        std::iota(all.begin(), all.end(), size_t { 0 });
        return choose(all);
    }
    /// All cells within the limits on all runs, cheapest first.
    [[nodiscard]] std::vector<size_t> ranked() const
    {
        const std::vector<bool> kept = keptCells(m_runs);
        std::vector<size_t> cells;
        for (size_t cell = 0; cell < kept.size(); ++cell) {
            if (kept[cell])
                cells.push_back(cell);
        }
        std::ranges::stable_sort(cells, {}, [&](size_t cell) { return priceOf(m_runs, cell); });
        return cells;
    }

private:
    [[nodiscard]] std::vector<bool> keptCells(std::span<const size_t> runs) const
    {
        const LimitsOver limits(m_set, runs, m_limits);
        std::vector<bool> kept = m_accepted;
        for (size_t cell = 0; cell < kept.size(); ++cell)
            kept[cell] = kept[cell] && limits.areKept(cell);
        return kept;
    }
    [[nodiscard]] std::optional<size_t> cheapest(std::span<const size_t> runs, const std::vector<bool> &kept) const
    {
        std::optional<size_t> best;
        std::pair<double, double> least;
        for (size_t cell = 0; cell < kept.size(); ++cell) {
            if (!kept[cell])
                continue;
            const std::pair price = priceOf(runs, cell);
            if (best && price >= least)
                continue;
            best = cell;
            least = price;
        }
        return best;
    }
    [[nodiscard]] std::pair<double, double> priceOf(std::span<const size_t> runs, size_t cell) const
    {
        return { sumOver(runs, cell, m_aim), sumOver(runs, cell, SweepMetric::LostUses) };
    }
    [[nodiscard]] double sumOver(std::span<const size_t> runs, size_t cell, SweepMetric metric) const
    {
        double sum = 0;
        for (const size_t run : runs)
            sum += m_set.runs[run].cells[cell][metric];
        return sum;
    }

    const SweepSet &m_set;
    std::vector<size_t> m_runs;
    SweepMetric m_aim;
    const std::vector<SweepLimit> &m_limits;
    std::vector<bool> m_accepted; ///< by cell: the harness can be set to it, and a provider would not refuse a call
};

/// Whether a run's recorded and simulated costs are known.
bool isPriced(const RunSweep &run)
{
    return !std::isnan(run.recorded[SweepMetric::Cost]) && !run.cells.empty()
        && !std::isnan(run.cells.front()[SweepMetric::Cost]);
}

/// Splits the runs into earlier and later ones, and counts those left out.
Result<Suggestion> split(const SweepSet &set, const SuggestionOptions &options)
{
    Suggestion made;
    std::vector<size_t> dated;
    for (size_t i = 0; i < set.runs.size(); ++i) {
        if (set.runs[i].begun)
            dated.push_back(i);
    }
    made.withoutDate = set.runs.size() - dated.size();
    const auto priced
        = static_cast<size_t>(std::ranges::count_if(dated, [&](size_t run) { return isPriced(set.runs[run]); }));
    // A few runs without a price are left out; if most have none, tokens are used for all.
    made.aim = 2 * priced >= dated.size() && priced > 0 ? SweepMetric::Cost : SweepMetric::Tokens;
    if (made.aim == SweepMetric::Cost) {
        made.withoutPrice = dated.size() - priced;
        std::erase_if(dated, [&](size_t run) { return !isPriced(set.runs[run]); });
    }
    if (dated.size() < Suggestion::kFewestRuns)
        return failure(ErrorKind::Empty, Suggestion::fewRunsSentence(dated.size()));
    const auto count = static_cast<size_t>(std::lround(options.earlier * static_cast<double>(dated.size())));
    const auto middle = dated.begin() + static_cast<ptrdiff_t>(std::clamp<size_t>(count, 1, dated.size() - 1));
    made.earlier.assign(dated.begin(), middle);
    made.later.assign(middle, dated.end());
    return made;
}

std::string limitsText(const std::vector<SweepLimit> &limits)
{
    std::string text;
    for (const SweepLimit &limit : limits)
        text += (text.empty() ? "" : ", ") + limit.text();
    return text;
}

/// Evaluates the chosen cell on the later runs.
void judge(Suggestion &made, const SweepSet &set, const SuggestionOptions &options)
{
    const auto interval = [&](const auto &statistic) {
        return resampledInterval(made.later.size(), options.seed, options.rounds, [&](std::span<const size_t> drawn) {
            std::vector<size_t> runs;
            for (const size_t place : drawn)
                runs.push_back(made.later[place]);
            return statistic(std::span<const size_t>(runs));
        });
    };
    const auto share = [&](std::span<const size_t> runs) { return shareOfRecorded(set, runs, made.cell, made.aim); };
    made.earlierShare = share(made.earlier);
    made.laterShare = share(made.later);
    made.laterInterval = interval(share);
    made.figures.clear();
    made.verdicts.clear();
    for (const SweepMetric metric : kTold) {
        const auto statistic = [&](std::span<const size_t> runs) { return pooled(set, runs, made.cell, metric); };
        made.figures.push_back(
            { metric, statistic(made.later), interval(statistic), pooled(set, made.later, std::nullopt, metric) });
    }
    made.laterOfOwn = std::ranges::any_of(made.later, [&](size_t run) { return set.runs[run].own.has_value(); })
        ? shareOf(ownOf, set, made.later, made.cell, made.aim)
        : kUnknownFigure;
    for (const SweepLimit &limit : options.limits)
        made.verdicts.push_back({ limit, limitedFigure(set, made.earlier, made.cell, limit),
            limitedFigure(set, made.later, made.cell, limit), mostOver(set, made.earlier, limit),
            mostOver(set, made.later, limit) });
}

/// In place of a cell that exceeds a limit on the later runs: the next one within the limits on the earlier runs that
/// keeps them on the later ones, if it saves there.
std::optional<Suggestion> passedOver(
    const Suggestion &made, const SweepSet &set, const SuggestionOptions &options, const Chooser &chooser)
{
    const LimitsOver limits(set, made.later, options.limits);
    for (const size_t cell : chooser.ranked()) {
        if (!limits.areKept(cell) || shareOfRecorded(set, made.later, cell, made.aim) >= 1)
            continue;
        const auto broken = std::ranges::find_if_not(made.verdicts, &Suggestion::Verdict::isKept);
        Suggestion next = made;
        next.passedOver = Suggestion::PassedOver { made.cell, made.laterShare, *broken };
        next.cell = cell;
        judge(next, set, options);
        return next.isSavingShown() ? std::optional(std::move(next)) : std::nullopt;
    }
    return std::nullopt;
}

/// The runs in which the cell does worst.
std::vector<size_t> worstOf(const Suggestion &made, const SweepSet &set)
{
    constexpr size_t kMost = 3;
    const auto key = [&](size_t run) {
        const double share = scaled(set.runs[run], made.cell, made.aim);
        return std::tuple(std::isnan(share), std::isnan(share) ? 0 : -share,
            -set.runs[run].cells[made.cell][SweepMetric::LostUses], run);
    };
    std::vector<size_t> runs = made.later;
    std::ranges::sort(runs, {}, key);
    runs.resize(std::min(runs.size(), kMost));
    return runs;
}

/// Cells that would be cheaper than the recording, but were not considered.
size_t excludedCells(const SweepSet &set, const Suggestion &made, const std::vector<SweepLimit> &limits)
{
    const std::vector<bool> eligible = eligibleCells(set, made.earlier, limits);
    size_t count = 0;
    for (size_t cell = 0; cell < eligible.size(); ++cell)
        count += !eligible[cell] && shareOfRecorded(set, made.earlier, cell, made.aim) < 1 ? 1 : 0;
    return count;
}

/// Without what only an answer needs: `worst` and `agreement`.
Result<Suggestion> suggestWithin(const SweepSet &set, const SuggestionOptions &options)
{
    auto made = split(set, options);
    if (!made)
        return made;
    const Chooser chooser(set, made->earlier, made->aim, options.limits);
    if (!chooser.hasCells())
        return failure(ErrorKind::Empty,
            "With each of these settings a provider would refuse some calls: they have a tool result without its tool "
            "call, or a prompt larger than the window.");
    const auto cell = chooser.choose();
    if (!cell)
        return failure(ErrorKind::Empty,
            "None of these settings keeps the limits on the earlier runs: " + limitsText(options.limits) + ".");
    made->cell = *cell;
    if (const SweepAxis *fixed = fixedAxis(*set.plan.policy, set.plan.x, set.plan.y))
        made->fixed = fixed->setting;
    made->excluded = excludedCells(set, *made, options.limits);
    judge(*made, set, options);
    if (made->advice() == Suggestion::Advice::LimitExceeded) {
        if (auto next = passedOver(*made, set, options, chooser))
            made = std::move(*next);
    }
    return made;
}

/// How often resampled earlier runs choose the cell that the earlier runs chose.
double agreementOf(const Suggestion &made, const SweepSet &set, const SuggestionOptions &options)
{
    const Chooser chooser(set, made.earlier, made.aim, options.limits);
    const size_t chosen = made.passedOver ? made.passedOver->cell : made.cell;
    Resampler resampler(made.earlier.size(), options.seed);
    size_t agreed = 0;
    for (size_t i = 0; i < options.rounds; ++i)
        agreed += chooser.choose(resampler.draw()) == chosen ? 1 : 0;
    return static_cast<double>(agreed) / static_cast<double>(std::max<size_t>(1, options.rounds));
}

} // namespace

std::string SweepLimit::text() const
{
    if (isByOwn)
        return formatted("{} no more than by the harness's own policy{}", infoOf(metric).title,
            most > 0 ? formatted(", or {} % of all uses", most * 100) : "");
    const std::string shown = isShare ? formatted("{} % of all uses", most * 100) : shownMetric(metric, most);
    return formatted("{} at most {}", infoOf(metric).title, shown);
}

std::vector<SweepLimit> usualLimits()
{
    return { { SweepMetric::LostUses, kUsualLoss, true, true }, { SweepMetric::LostMessages, 0, false, true } };
}

Result<SweepLimit> parseLimit(std::string_view text)
{
    const size_t equals = std::min(text.find('='), text.size());
    const auto metric = sweepMetric(text.substr(0, equals));
    if (equals == text.size() || !metric || std::ranges::find(kLimited, *metric) == kLimited.end()) {
        std::string names;
        for (const SweepMetric each : kLimited)
            names += (names.empty() ? "" : ", ") + std::string(infoOf(each).id);
        return failure(ErrorKind::Usage,
            formatted("A limit is written METRIC=MOST, not \"{}\"; the metrics are {}.", text, names));
    }
    std::string_view value = text.substr(equals + 1);
    if (const bool isOfUses = scaleOf(*metric) == SweepScale::OfUses; value == "own")
        return SweepLimit { *metric, isOfUses ? kUsualLoss : 0, isOfUses, true };
    SweepLimit limit { *metric, 0, text.ends_with('%') };
    value.remove_suffix(limit.isShare ? 1 : 0);
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), limit.most);
    const bool isNumber = error == std::errc() && end == value.data() + value.size() && limit.most >= 0;
    const auto measure = isNumber ? Result<Measure>(Measure {}) : parseMeasure(value);
    const bool isTokens = !isNumber && measure && measure->unit == Measure::Unit::Tokens && !limit.isShare
        && infoOf(*metric).unit == "tokens";
    if (isTokens)
        limit.most = measure->value;
    else if (!isNumber || (limit.isShare && scaleOf(*metric) != SweepScale::OfUses))
        return failure(ErrorKind::Usage, formatted("\"{}\" is not a limit of {}.", value, infoOf(*metric).id));
    limit.most /= limit.isShare ? 100 : 1;
    return limit;
}

double pooled(const SweepSet &set, std::span<const size_t> runs, std::optional<size_t> cell, SweepMetric metric)
{
    using Run = const RunSweep &;
    using Figures = const SweepFigures &;
    switch (metric) {
    case SweepMetric::LostUses:
    case SweepMetric::FetchedUses:
        return shareOfUses(set, runs, cell, metric);
    case SweepMetric::Peak:
        return medianOf(set, runs, cell, metric);
    case SweepMetric::Mean:
    case SweepMetric::Compactions:
        return meanOf(set, runs, cell, metric, [](Run run, Figures) { return static_cast<double>(run.calls); });
    case SweepMetric::HitShare:
        return meanOf(set, runs, cell, metric, [](Run, Figures figures) { return figures[SweepMetric::Tokens]; });
    default:
        return meanOf(set, runs, cell, metric, [](Run, Figures) { return 1.0; });
    }
}

double mostOver(const SweepSet &set, std::span<const size_t> runs, const SweepLimit &limit)
{
    if (!limit.isByOwn)
        return limit.most;
    const double own = limitedFigure(set, runs, limit, [&](const RunSweep &run) {
        const double value = ownOf(run)[limit.metric];
        return std::isnan(value) ? 0 : value;
    });
    return std::max(limit.most, own);
}

std::string Suggestion::fewRunsSentence(size_t dated)
{
    return formatted("A suggestion needs at least {} runs with dates; there {} {}.", kFewestRuns,
        dated == 1 ? "is" : "are", dated == 0 ? "none" : std::to_string(dated));
}

bool Suggestion::keepsLimits() const { return std::ranges::all_of(verdicts, &Verdict::isKept); }

Suggestion::Advice Suggestion::advice() const
{
    if (std::isnan(laterShare))
        return Advice::Unknown;
    if (!isSavingShown())
        return Advice::NoSaving;
    return !keepsLimits() ? Advice::LimitExceeded : passedOver ? Advice::Try : Advice::Use;
}

std::vector<bool> eligibleCells(const SweepSet &set, std::span<const size_t> runs, std::span<const SweepLimit> limits)
{
    const LimitsOver over(set, runs, limits);
    std::vector<bool> eligible(set.plan.cellCount());
    for (size_t cell = 0; cell < eligible.size(); ++cell)
        eligible[cell] = std::ranges::none_of(runs, [&](size_t run) { return isRefused(set.runs[run], cell); })
            && over.areKept(cell);
    return eligible;
}

Result<Suggestion> suggest(const SweepSet &set, const SuggestionOptions &options)
{
    auto made = suggestWithin(set, options);
    if (made) {
        made->worst = worstOf(*made, set);
        made->agreement = agreementOf(*made, set, options);
    }
    SuggestionOptions wider = options;
    const auto limited = std::erase_if(
        wider.limits, [](const SweepLimit &limit) { return limit.metric == SweepMetric::LostMessages; });
    if (limited == 0 || (!made && set.runs.size() < Suggestion::kFewestRuns))
        return made;
    auto other = suggestWithin(set, wider);
    if (!made) {
        if (other && other->isUseful())
            made.error().message += formatted(" If more user messages may be lost, {} saves {} on the later runs.",
                set.plan.settingsOf(other->cell), formatted("{:.1f} %", (1 - other->laterShare) * 100));
        return made;
    }
    const double saves = made->isUseful() ? made->laterShare : 1;
    if (other && other->isUseful() && other->laterShare < saves)
        made->wider = std::make_shared<const Suggestion>(std::move(*other));
    return made;
}

} // namespace core
