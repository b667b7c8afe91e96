// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/map_model.h"

#include "core/base/text.h"
#include "core/sweep/sweep_front.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui {

using namespace Qt::StringLiterals;
using core::SweepMetric;

namespace {

/// One line of the read-out each; lost quotes and repeats follow their sum.
constexpr std::array kRead { SweepMetric::Cost, SweepMetric::Tokens, SweepMetric::Removed, SweepMetric::Peak,
    SweepMetric::Mean, SweepMetric::Compactions, SweepMetric::HitShare, SweepMetric::LostUses, SweepMetric::FetchTokens,
    SweepMetric::LostMessages, SweepMetric::LostBytes, SweepMetric::TornCalls };
static_assert(kRead.size() == MapModel::kFigureLines);

QString utf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

} // namespace

MapModel::MapModel(ViewState &state, QObject *parent)
    : QObject(parent)
    , m_state(state)
{
    connect(&state.workspace(), &Workspace::planChanged, this, [this] {
        findPlaces();
        Q_EMIT markerChanged();
    });
}

void MapModel::setMap(SweepMap map)
{
    const bool isSameGrid = !map.isEmpty() && !m_map.isEmpty() && map.sweep()->x.values == m_map.sweep()->x.values
        && map.sweep()->y.values == m_map.sweep()->y.values;
    m_map = std::move(map);
    findPlaces();
    if (!isSameGrid)
        setHovered(std::nullopt);
    Q_EMIT mapChanged();
    findFront();
    Q_EMIT markerChanged();
}

void MapModel::chooseMetrics(const core::Sweep &sweep)
{
    const auto isMade = [](const auto &cell) { return cell.has_value(); };
    if (m_isMetricChosen || std::ranges::none_of(sweep.cells, isMade))
        return;
    const auto isPriced = [](const auto &cell) { return cell && !std::isnan((*cell)[SweepMetric::Cost]); };
    m_metric = std::ranges::any_of(sweep.cells, isPriced) ? SweepMetric::Cost : SweepMetric::Tokens;
    m_frontMetrics = { m_metric, SweepMetric::LostUses };
}

void MapModel::setMetric(SweepMetric metric)
{
    m_isMetricChosen = true;
    if (std::exchange(m_metric, metric) != metric)
        takeMap();
}

void MapModel::setFrontMetric(size_t which, SweepMetric metric)
{
    m_isMetricChosen = true;
    if (m_frontMetrics[which] == metric)
        return;
    if (m_frontMetrics[1 - which] == metric)
        m_frontMetrics[1 - which] = m_frontMetrics[which];
    m_frontMetrics[which] = metric;
    findFront();
}

void MapModel::findFront()
{
    m_front = m_map.isEmpty() ? std::vector<size_t>()
                              : core::sweepFront(*m_map.sweep(), m_frontMetrics[0], m_frontMetrics[1], accepted());
    Q_EMIT frontChanged();
}

void MapModel::setHovered(std::optional<size_t> cell)
{
    if (std::exchange(m_hovered, cell) != cell)
        Q_EMIT hoverChanged();
}

std::optional<MapModel::Place> MapModel::placeOf(const core::PolicyPtr &policy) const
{
    if (!policy || m_map.isEmpty())
        return std::nullopt;
    const auto x = core::valueIn(*policy, m_map.sweep()->x, window());
    const auto y = core::valueIn(*policy, m_map.sweep()->y, window());
    return x && y ? std::optional(Place { *x, *y }) : std::nullopt;
}

void MapModel::findPlaces()
{
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    m_marker = placeOf(policy);
    m_preset = policy ? placeOf(core::preset(policy->id)) : std::nullopt;
    if (m_preset == m_marker)
        m_preset.reset();
}

const core::SweepFigures *MapModel::markerFigures() const
{
    const auto cell = markerCell();
    return cell ? m_map.figures(*cell) : nullptr;
}

std::optional<MapModel::Place> MapModel::readPlace() const
{
    return m_hovered ? std::optional(placeOf(*m_hovered)) : m_marker;
}

const core::SweepFigures *MapModel::readFigures() const
{
    return m_hovered ? m_map.figures(*m_hovered) : markerFigures();
}

double MapModel::reference() const
{
    const core::SweepFigures *figures = baseline();
    return figures == nullptr ? std::nan("") : (*figures)[m_metric];
}

std::vector<bool> MapModel::dotted() const
{
    const double figure = reference();
    std::vector<bool> dotted(m_map.cellCount());
    for (size_t cell = 0; cell < dotted.size(); ++cell)
        dotted[cell] = m_map.isBetter(m_map.value(cell), figure) && isAcceptable(cell);
    return dotted;
}

QString MapModel::dotWords() const
{
    const double figure = reference();
    if (m_map.isEmpty() || std::isnan(figure))
        return {};
    const QString before = u"%1 (%2)"_s.arg(baselineName(), shown(m_metric, figure));
    const QString within = acceptableWords();
    if (std::ranges::contains(dotted(), true))
        return within.isEmpty() ? tr("dotted: better than %1").arg(before)
                                : tr("dotted: %1, better than %2").arg(within, before);
    return within.isEmpty() ? tr("no setting is better than %1").arg(before)
                            : tr("no setting %1 is better than %2").arg(within, before);
}

QString MapModel::readNote() const
{
    const core::SweepFigures *figures = readFigures();
    return figures == nullptr     ? tr("not swept yet")
        : figures->isExtrapolated ? tr("larger contexts than any recorded one")
        : m_hovered               ? tr("the cell under the pointer")
                                  : tr("the policy");
}

std::optional<size_t> MapModel::markerCell() const
{
    if (!m_marker)
        return std::nullopt;
    const core::Sweep &sweep = *m_map.sweep();
    return sweep.indexOf(sweep.x.nearest(m_marker->x), sweep.y.nearest(m_marker->y));
}

MapModel::Place MapModel::placeOf(size_t cell) const
{
    const core::Sweep &sweep = *m_map.sweep();
    return { sweep.x.values[m_map.columnOf(cell)], sweep.y.values[m_map.rowOf(cell)] };
}

std::optional<core::Policy> MapModel::policyAt(const Place &place) const
{
    if (m_map.isEmpty())
        return std::nullopt;
    const core::Sweep &sweep = *m_map.sweep();
    const core::PolicyPtr &chosen = m_state.workspace().plan().policy;
    const core::Policy &now = chosen ? *chosen : *sweep.policy;
    auto policy = core::withSetting(now, sweep.x.setting, sweep.x.textOf(place.x));
    if (policy)
        policy = core::withSetting(*policy, sweep.y.setting, sweep.y.textOf(place.y));
    return policy ? std::optional(std::move(*policy)) : std::nullopt;
}

QString MapModel::deed() const { return m_marker ? tr("Change %1").arg(words(*m_marker)) : QString(); }

void MapModel::beginMove()
{
    if (!std::exchange(m_isMoving, true))
        m_state.workspace().beginGesture();
}

void MapModel::moveTo(const Place &place)
{
    if (m_marker && *m_marker == place)
        return;
    if (auto policy = policyAt(place))
        m_state.workspace().previewPlan(m_state.workspace().planWith(std::move(*policy)));
}

void MapModel::endMove()
{
    if (std::exchange(m_isMoving, false))
        m_state.workspace().endGesture(deed());
}

void MapModel::cancelMove()
{
    if (std::exchange(m_isMoving, false))
        m_state.workspace().cancelGesture();
}

void MapModel::take(size_t cell)
{
    beginMove();
    moveTo(placeOf(cell));
    endMove();
}

QStringList MapModel::settingsAt(const Place &place) const
{
    const core::Sweep &sweep = *m_map.sweep();
    return { utf8(core::settingWords(sweep.x.setting) + ' ' + sweep.x.wordsOf(place.x)),
        utf8(core::settingWords(sweep.y.setting) + ' ' + sweep.y.wordsOf(place.y)) };
}

QString MapModel::words(const Place &place) const { return settingsAt(place).join(u" · "_s); }

QString MapModel::shown(SweepMetric metric, double value) const { return utf8(core::shownMetric(metric, value)); }

std::vector<MapModel::Figure> MapModel::linesOf(const core::SweepFigures &figures) const
{
    std::vector<Figure> lines;
    const auto shortly = [&](const core::SweepFigures *run, SweepMetric metric) {
        if (run == nullptr || std::isnan((*run)[metric]))
            return QString();
        const QString words = shown(metric, (*run)[metric]);
        return words.endsWith(u" tokens"_s) || words.endsWith(u" bytes"_s) ? utf8(core::shortNumber((*run)[metric]))
                                                                           : words;
    };
    for (const SweepMetric metric : kRead) {
        const double value = figures[metric];
        lines.push_back({ title(metric), shown(metric, value), shortly(recorded(), metric), shortly(own(), metric),
            utf8(core::infoOf(metric).sentence), core::isLoss(metric) && value > 0 });
    }
    return lines;
}

QString MapModel::spoken(const Place &place, const core::SweepFigures *figures) const
{
    QString spoken = words(place).replace(u" · "_s, u", "_s);
    if (figures == nullptr)
        return spoken + tr(", not swept yet");
    for (const Figure &figure : linesOf(*figures))
        spoken += u", "_s + figure.title + u' ' + figure.value;
    if (figures->isExtrapolated)
        spoken += tr(", some contexts are larger than every recorded context");
    return spoken;
}

QString MapModel::titleOf(SweepMetric metric) { return utf8(core::infoOf(metric).title); }

QStringList MapModel::titles()
{
    QStringList titles;
    for (size_t i = 0; i < core::kSweepMetricCount; ++i)
        titles << titleOf(static_cast<SweepMetric>(i));
    return titles;
}

} // namespace ui
