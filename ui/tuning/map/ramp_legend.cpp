// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/ramp_legend.h"

#include "ui/tuning/map/map_image.h"

#include <QPainter>

#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kGap = 8;
constexpr int kBar = 10; ///< its height
constexpr int kLeastBar = 40;

} // namespace

RampLegend::RampLegend(MapModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    setObjectName(QStringLiteral("tuningLegend"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&model, &MapModel::mapChanged, this, qOverload<>(&QWidget::update));
    connect(&model, &MapModel::hoverChanged, this, qOverload<>(&QWidget::update));
    connect(&model, &MapModel::markerChanged, this, qOverload<>(&QWidget::update));
    connect(&model.state(), &ViewState::themeChanged, this, qOverload<>(&QWidget::update));
}

void RampLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_model.state().theme();
    painter.fillRect(rect(), theme.base);
    const SweepMap &map = m_model.map();
    if (map.isEmpty())
        return;
    painter.setFont(Theme::figureFont(11));
    painter.setPen(theme.secondary);
    const auto shown = [&](double value) { return m_model.shown(map.metric(), value); };
    if (!map.hasRange()) {
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, shown(std::nan("")));
        return;
    }
    if (!map.hasSpread()) {
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, tr("every setting: %1").arg(shown(map.best())));
        return;
    }
    const QString more = map.isLessBetter() ? u"≥ "_s : u"≤ "_s;
    const QString worst = (map.isCapped() ? more : QString()) + shown(map.worst());
    const QString best = shown(map.best());
    const int left = painter.fontMetrics().horizontalAdvance(worst) + kGap;
    const int right = width() - painter.fontMetrics().horizontalAdvance(best) - kGap;
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, worst);
    if (right - left < kLeastBar)
        return;
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, best);
    const int top = (height() - kBar) / 2;
    for (int x = left; x < right; ++x)
        painter.fillRect(x, top, 1, kBar, rampColour(static_cast<double>(x - left) / (right - left - 1)));
    const auto placeOf
        = [&](double value) { return left + static_cast<int>(std::lround(map.goodness(value) * (right - left - 1))); };
    if (const double recorded = m_model.reference(); recorded >= map.least() && recorded <= map.most()) {
        const int x = placeOf(recorded);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.text);
        painter.drawPolygon(QPolygonF {
            QPointF(x + 0.5, top + kBar + 0.5), QPointF(x - 3, top + kBar + 5.5), QPointF(x + 4, top + kBar + 5.5) });
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    const core::SweepFigures *read = m_model.readPlace() ? m_model.readFigures() : nullptr;
    if (read == nullptr || std::isnan((*read)[map.metric()]))
        return;
    const int x = placeOf((*read)[map.metric()]);
    painter.setPen(QPen(theme.text, 1));
    painter.drawLine(x, top - 4, x, top + kBar + 3);
}

} // namespace ui
