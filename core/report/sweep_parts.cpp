// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/sweep_parts.h"

#include "core/base/format.h"
#include "core/base/visible.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

char shadeOf(double value, const DrawnSweep &range)
{
    static constexpr std::string_view kShades = " .:-=+*#%@";
    if (std::isnan(value))
        return '?';
    const double share = range.most > range.least ? (value - range.least) / (range.most - range.least) : 0;
    return kShades[std::min<size_t>(9, static_cast<size_t>(share * 10))];
}

} // namespace

Json metricJson(SweepMetric metric, double value)
{
    if (std::isnan(value))
        return nullptr;
    const bool isWhole
        = metric != SweepMetric::Cost && metric != SweepMetric::HitShare && metric != SweepMetric::Compactions;
    return isWhole ? Json(std::llround(value)) : Json(value);
}

Json sweepAxisJson(const SweepAxis &axis)
{
    Json json { { "setting", axis.setting } };
    json["values"] = Json::array();
    for (const double value : axis.values)
        json["values"].push_back(axis.textOf(value));
    return json;
}

DrawnSweep drawSweepMap(const SweepDrawing &drawing)
{
    const SweepAxis &x = drawing.x;
    const SweepAxis &y = drawing.y;
    const size_t columns = x.values.size();
    DrawnSweep drawn { {}, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity() };
    for (size_t cell = 0; cell < columns * y.values.size(); ++cell) {
        if (const double value = drawing.valueOf(cell); !std::isnan(value)) {
            drawn.least = std::min(drawn.least, value);
            drawn.most = std::max(drawn.most, value);
        }
    }
    if (drawn.least > drawn.most)
        return drawn;
    size_t labels = 0;
    for (const double value : y.values)
        labels = std::max(labels, columnsOf(y.wordsOf(value)));
    for (size_t row = y.values.size(); row > 0; --row) {
        drawn.map += formatted("{:>{}} ", y.wordsOf(y.values[row - 1]), labels);
        for (size_t column = 0; column < columns; ++column) {
            const size_t cell = (row - 1) * columns + column;
            const auto rank = std::ranges::find(drawing.best, cell) - drawing.best.begin();
            const bool isBest = rank < std::ssize(drawing.best);
            drawn.map += isBest ? static_cast<char>('1' + rank) : shadeOf(drawing.valueOf(cell), drawn);
            drawn.map += drawing.isMarked(cell) ? '/' : ' ';
        }
        drawn.map += "\n";
    }
    drawn.map += formatted(
        "{:>{}} {} from {} to {}\n", "", labels, x.setting, x.wordsOf(x.values.front()), x.wordsOf(x.values.back()));
    return drawn;
}

} // namespace core
