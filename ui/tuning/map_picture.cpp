// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map_picture.h"

#include "ui/tuning/map_view.h"
#include "ui/tuning/ramp_legend.h"
#include "ui/tuning/tuning_model.h"

#include <QPainter>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 28;
constexpr int kHead = 74;   ///< title and what stands below it
constexpr int kLegend = 24; ///< its height
constexpr int kFoot = 26;

QString words(const char *text) { return QCoreApplication::translate("ui::MapPicture", text); }

QString titleOf(const MapPictureRequest &request)
{
    return words("%1 of %2 over %3 and %4")
        .arg(TuningModel::titleOf(request.metric), displayText(request.policy->name),
            displayText(request.sweep->x.setting), displayText(request.sweep->y.setting));
}

QString factsOf(const MapPictureRequest &request, const TuningModel &model)
{
    QStringList facts { displayText(request.file.toStdString()),
        counted(request.ground->recorded->ground->callCount(), words("call"), words("calls")),
        words("%1 × %2 settings, simulated").arg(request.sweep->x.values.size()).arg(request.sweep->y.values.size()) };
    if (model.map().extrapolatedCount() > 0)
        facts << words("hatched: larger contexts than any recorded");
    return facts.join(u" · "_s);
}

/// What the cell of the marker comes to; a policy whose settings are no place on the map has no marker.
QString markerOf(const TuningModel &model)
{
    const core::SweepFigures *figures = model.markerFigures();
    if (!model.marker() || figures == nullptr)
        return words("The policy's own settings are not on this map.");
    return words("Marker: %1, nearest cell %2")
        .arg(model.words(*model.marker()), displayText(core::shownMetric(model.metric(), (*figures)[model.metric()])));
}

void render(QWidget &widget, QPainter &painter, const QRect &place)
{
    widget.setAttribute(Qt::WA_DontShowOnScreen);
    widget.resize(place.size());
    widget.render(&painter, place.topLeft());
}

} // namespace

QImage mapPicture(const MapPictureRequest &request)
{
    Workspace workspace;
    ViewState state(workspace);
    state.setTheme(Theme::make(request.isDark ? Appearance::Dark : Appearance::Light));
    workspace.previewPlan(workspace.planWith(request.policy));
    TuningModel model(state);
    MapView map(model);
    RampLegend legend(model);
    model.setMetric(request.metric);
    model.sweeps().show(*request.ground, request.sweep);

    QImage image(request.size * request.scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(request.scale);
    const Theme &theme = state.theme();
    image.fill(theme.base);
    QPainter painter(&image);
    const int width = request.size.width() - 2 * kMargin;
    painter.setPen(theme.text);
    painter.setFont(Theme::strongFont(17));
    painter.drawText(QRect(kMargin, 18, width, 26), Qt::AlignLeft | Qt::AlignVCenter, titleOf(request));
    painter.setPen(theme.secondary);
    painter.setFont(Theme::textFont(12));
    const QString facts = painter.fontMetrics().elidedText(factsOf(request, model), Qt::ElideMiddle, width);
    painter.drawText(QRect(kMargin, 44, width, 20), Qt::AlignLeft | Qt::AlignVCenter, facts);
    const int mapTop = kHead + kLegend + 8;
    const int mapHeight = request.size.height() - mapTop - kFoot - 8;
    painter.drawText(
        QRect(kMargin, mapTop + mapHeight, width, kFoot), Qt::AlignLeft | Qt::AlignVCenter, markerOf(model));
    render(legend, painter, { kMargin, kHead, std::min(width, 420), kLegend });
    render(map, painter, { kMargin, mapTop, width, mapHeight });
    return image;
}

} // namespace ui
