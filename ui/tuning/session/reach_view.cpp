// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/session/reach_view.h"

#include "ui/tuning/map/map_layout.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kTitle = 18;
constexpr double kFoot = 4;
constexpr double kOwnAxis = 15; ///< figures below an axis that is not the map's
/// Its own axis spans the steps of the curves.
constexpr double kFewest = 1'000;
constexpr double kMost = 200'000;

} // namespace

ReachView::ReachView(TuningModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    setObjectName(u"tuningReach"_s);
    setAttribute(Qt::WA_OpaquePaintEvent);
    const auto redraw = [this] {
        ++m_changes;
        setAccessibleName(words());
        update();
    };
    connect(&model, &TuningModel::mapChanged, this, redraw);
    connect(&model, &TuningModel::hoverChanged, this, qOverload<>(&QWidget::update));
    connect(&model, &TuningModel::markerChanged, this, qOverload<>(&QWidget::update));
    connect(&model.state(), &ViewState::themeChanged, this, redraw);
}

/// The curve of all uses at some of its points.
QString ReachView::words() const
{
    if (m_model.map().isEmpty() || m_model.sweeps().ground()->reach.useCount() == 0)
        return tr("Reach: nothing to show");
    const core::Reach &reach = m_model.sweeps().ground()->reach;
    QStringList shares;
    for (const double tokens : { 5e3, 2e4, 1e5 })
        shares << tr("%1 % in the last %2 tokens")
                      .arg(std::lround(reach.shareWithin(tokens) * 100))
                      .arg(wholeNumber(tokens));
    return tr("Reach of %1: %2").arg(counted(reach.useCount(), tr("use"), tr("uses")), shares.join(u", "_s));
}

double ReachView::Scale::tokensAt(double x) const
{
    if (!isShared)
        return kFewest * std::pow(kMost / kFewest, (x - left) / width);
    return *shared.tokensOf(shared.exactValueAt(x - left));
}

double ReachView::Scale::xOf(double tokens) const
{
    if (!isShared)
        return left + width * std::log(tokens / kFewest) / std::log(kMost / kFewest);
    return left + shared.at(*shared.valueOf(tokens));
}

ReachView::Scale ReachView::scale() const
{
    Scale scale;
    scale.left = MapLayout::kLeft;
    scale.width = std::max(1, width() - MapLayout::kLeft - MapLayout::kRight);
    const SweepMap &map = m_model.map();
    scale.shared = AxisLayout(map.sweep()->x, static_cast<int>(scale.width), m_model.window());
    scale.isShared = map.sweep()->x.setting == "keep" && map.columns() > 1
        && scale.shared.tokensOf(map.sweep()->x.values.front()).has_value();
    return scale;
}

double ReachView::yOf(double share) const
{
    const bool hasOwnAxis = !m_model.map().isEmpty() && !scale().isShared;
    const double bottom = height() - kFoot - (hasOwnAxis ? kOwnAxis : 0);
    return bottom - share * (bottom - kTitle);
}

void ReachView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Scale scale = m_model.map().isEmpty() ? Scale() : this->scale();
    m_curves.draw(painter, rect(), m_changes, m_model.state().theme().base,
        [&](QPainter &drawing) { paintCurves(drawing, scale); });
    if (m_model.map().isEmpty() || !scale.isShared)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    if (const core::Reach &reach = m_model.sweeps().ground()->reach; reach.useCount() > 0)
        paintKeep(painter, scale, reach);
}

void ReachView::paintCurves(QPainter &painter, const Scale &scale) const
{
    if (m_model.map().isEmpty())
        return;
    const Theme &theme = m_model.state().theme();
    const TuningGround &ground = *m_model.sweeps().ground();
    painter.setRenderHint(QPainter::Antialiasing);
    paintGrid(painter, scale);
    if (ground.reach.useCount() == 0)
        return;
    painter.setPen(QPen(theme.secondary, 1));
    for (const core::Reach &kind : ground.kinds) {
        if (kind.useCount() > 0)
            paintCurve(painter, scale, kind);
    }
    painter.setPen(QPen(theme.accent, 1.8));
    paintCurve(painter, scale, ground.reach);
}

void ReachView::paintGrid(QPainter &painter, const Scale &scale) const
{
    const Theme &theme = m_model.state().theme();
    const core::Reach &reach = m_model.sweeps().ground()->reach;
    painter.setFont(Theme::strongFont(12));
    painter.setPen(theme.text);
    painter.drawText(QRectF(scale.left, 0, scale.width, kTitle - 2), Qt::AlignLeft | Qt::AlignVCenter, tr("Reach"));
    const double used = painter.fontMetrics().horizontalAdvance(tr("Reach")) + 10;
    painter.setFont(Theme::textFont(11));
    painter.setPen(theme.secondary);
    QString words = reach.useCount() == 0
        ? tr("no later step quoted or repeated an earlier text")
        : tr("share of %1 with their text in the last N tokens. Thin lines: only quotes, only repeats")
              .arg(counted(reach.useCount(), tr("use"), tr("uses")));
    if (!scale.isShared)
        words += tr(". Its axis has tokens, not the values of the map");
    painter.drawText(QRectF(scale.left + used, 0, scale.width - used + MapLayout::kRight - 8, kTitle - 2),
        Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(
            words, Qt::ElideRight, static_cast<int>(scale.width - used) + MapLayout::kRight - 8));
    painter.setFont(Theme::figureFont(11));
    for (const double share : { 0.0, 0.5, 1.0 }) {
        const double y = yOf(share);
        painter.setPen(QPen(theme.hairline, 1, share > 0 ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(scale.left, y), QPointF(scale.left + scale.width, y));
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(0, y - 7, scale.left - 7, 14), Qt::AlignRight | Qt::AlignVCenter,
            u"%1%"_s.arg(static_cast<int>(share * 100)));
    }
    if (scale.isShared)
        return;
    for (const double tokens : { 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5 })
        painter.drawText(QRectF(scale.xOf(tokens) - 30, height() - kOwnAxis - 2, 60, kOwnAxis), Qt::AlignCenter,
            QString::fromStdString(shortTokens(tokens)));
}

void ReachView::paintCurve(QPainter &painter, const Scale &scale, const core::Reach &reach) const
{
    QPolygonF line;
    for (double x = 0; x <= scale.width; x += 1)
        line << QPointF(scale.left + x, yOf(reach.shareWithin(scale.tokensAt(scale.left + x))));
    painter.drawPolyline(line);
}

void ReachView::paintKeep(QPainter &painter, const Scale &scale, const core::Reach &reach) const
{
    const auto place = m_model.readPlace();
    if (!place)
        return;
    const Theme &theme = m_model.state().theme();
    const double tokens = *scale.shared.tokensOf(place->x);
    const double share = reach.shareWithin(tokens);
    const QPointF point(scale.xOf(tokens), yOf(share));
    painter.setPen(QPen(theme.text, 1));
    painter.drawLine(QPointF(point.x(), yOf(1)), QPointF(point.x(), height()));
    painter.setBrush(theme.accent);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(point, 3.5, 3.5);
    const QString words = tr("%1 % within %2")
                              .arg(static_cast<int>(std::lround(share * 100)))
                              .arg(QString::fromStdString(shortTokens(tokens)));
    painter.setFont(Theme::strongFont(11));
    const double room = painter.fontMetrics().horizontalAdvance(words) + 4.0;
    const bool isLeft = point.x() + room + 8 > scale.left + scale.width;
    const QRectF box(isLeft ? point.x() - room - 6 : point.x() + 7, yOf(1) + (yOf(0) - yOf(1)) * 0.55, room, 14);
    QColor ground = theme.base;
    ground.setAlpha(220);
    painter.fillRect(box, ground);
    painter.setPen(theme.accent);
    painter.drawText(box, Qt::AlignCenter, words);
}

} // namespace ui
