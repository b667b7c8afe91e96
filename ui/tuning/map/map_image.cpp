// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/map_image.h"

#include "ui/tuning/map/cividis.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kHatch = 6; ///< from one line to the next
constexpr qreal kHatchStrength = 0.34;
constexpr qreal kRefused = 0.25; ///< how grey a setting is that a provider would refuse
constexpr double kDotDistance = 9;
constexpr double kDot = 2;

QRgb mixed(QRgb from, QRgb to, qreal share)
{
    const auto channel = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return qRgb(channel(qRed(from), qRed(to)), channel(qGreen(from), qGreen(to)), channel(qBlue(from), qBlue(to)));
}

/// The colour of a cell and of the lines across it.
struct Paint {
    QRgb fill = 0;
    QRgb line = 0; ///< equals the cell's colour if it is not hatched
};

Paint paintOf(const SweepMap &map, size_t cell, const Theme &theme)
{
    const double value = map.value(cell);
    if (std::isnan(value))
        return { theme.base.rgb(), theme.hairline.rgb() };
    const double goodness = map.goodness(value);
    const QRgb whole = map.hasSpread() ? rampColour(goodness).rgb() : theme.hairline.rgb();
    const QRgb fill = map.isRefused(cell) ? mixed(theme.base.rgb(), theme.secondary.rgb(), kRefused) : whole;
    if (!map.figures(cell)->isExtrapolated)
        return { fill, fill };
    // Light lines on the dark half of the ramp, dark ones on the light half.
    return { fill, mixed(fill, goodness < 0.5 ? qRgb(255, 255, 255) : qRgb(0, 0, 0), kHatchStrength) };
}

void drawLines(QPainter &painter, const MapLayout &layout, const std::vector<MapLine> &lines)
{
    const AxisLayout &x = layout.x();
    const AxisLayout &y = layout.y();
    const int height = layout.plot().height;
    for (const MapLine &line : lines) {
        if (line.isVertical)
            painter.drawLine(QPointF(x.begin(line.at), height - y.begin(line.from)),
                QPointF(x.begin(line.at), height - y.begin(line.to)));
        else
            painter.drawLine(QPointF(x.begin(line.from), height - y.begin(line.at)),
                QPointF(x.begin(line.to), height - y.begin(line.at)));
    }
}

void drawCliffs(QImage &image, const SweepMap &map, const MapLayout &layout)
{
    QPainter painter(&image);
    for (const auto &[colour, width] : { std::pair(QColor(0, 0, 0, 150), 3.0), { QColor(255, 255, 255), 1.4 } }) {
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap));
        drawLines(painter, layout, map.cliffs());
    }
}

/// Where cells are smaller than the distance of two dots, some dotted cells have none, but each region of them has.
void drawDots(QImage &image, const SweepMap &map, const MapLayout &layout, const std::vector<bool> &dotted)
{
    const auto isDotted = [&](size_t column, size_t row) {
        return column < map.columns() && row < map.rows() && dotted[row * map.columns() + column];
    };
    const auto stepOf = [](int pixels, size_t count) {
        const double cell = static_cast<double>(pixels) / static_cast<double>(std::max<size_t>(1, count));
        return std::max<size_t>(1, static_cast<size_t>(std::ceil(kDotDistance / std::max(1.0, cell))));
    };
    const size_t across = stepOf(layout.plot().width, map.columns());
    const size_t up = stepOf(layout.plot().height, map.rows());
    QPainter painter(&image);
    for (size_t row = 0; row < map.rows(); ++row) {
        for (size_t column = 0; column < map.columns(); ++column) {
            // A wrapped index is no cell.
            const bool isAlone = !isDotted(column - 1, row) && !isDotted(column + 1, row) && !isDotted(column, row - 1)
                && !isDotted(column, row + 1);
            if (!isDotted(column, row) || !(isAlone || (column % across == 0 && row % up == 0)))
                continue;
            const size_t cell = row * map.columns() + column;
            const MapLayout::Box box = layout.boxOf(cell);
            const QPointF middle(box.left - layout.plot().left + box.width / 2.0, //
                box.top - layout.plot().top + box.height / 2.0);
            painter.fillRect(QRectF(middle.x() - kDot / 2, middle.y() - kDot / 2, kDot, kDot),
                map.goodness(map.value(cell)) < 0.5 ? Qt::white : Qt::black);
        }
    }
}

} // namespace

QColor rampColour(double goodness)
{
    const RampColour colour = cividis(goodness);
    return { colour.red, colour.green, colour.blue };
}

QImage mapImage(const SweepMap &map, const MapLayout &layout, const Theme &theme, double pixelRatio,
    const std::vector<bool> &dotted)
{
    const MapLayout::Box &plot = layout.plot();
    const QSize pixels(
        static_cast<int>(std::ceil(plot.width * pixelRatio)), static_cast<int>(std::ceil(plot.height * pixelRatio)));
    QImage image(pixels, QImage::Format_RGB32);
    std::vector<Paint> paints(map.cellCount());
    for (size_t cell = 0; cell < paints.size(); ++cell)
        paints[cell] = paintOf(map, cell, theme);
    std::vector<size_t> columns(static_cast<size_t>(pixels.width()));
    for (size_t x = 0; x < columns.size(); ++x)
        columns[x] = layout.x().cellAt(static_cast<double>(x) / pixelRatio);
    const int hatch = static_cast<int>(std::lround(kHatch * pixelRatio));
    const int stroke = std::max(1, static_cast<int>(std::lround(pixelRatio)));
    for (int y = 0; y < pixels.height(); ++y) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        const size_t row = layout.y().cellAt(plot.height - 1 - std::floor(y / pixelRatio));
        for (int x = 0; x < pixels.width(); ++x) {
            const Paint &paint = paints[row * map.columns() + columns[static_cast<size_t>(x)]];
            line[x] = (x + y) % hatch < stroke ? paint.line : paint.fill;
        }
    }
    image.setDevicePixelRatio(pixelRatio);
    drawDots(image, map, layout, dotted);
    drawCliffs(image, map, layout);
    return image;
}

} // namespace ui
