// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map_picture.h"

#include "core/report/sweep_set_report.h"
#include "ui/tuning/folder/folder_model.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/map/ramp_legend.h"
#include "ui/tuning/session/tuning_model.h"

#include <QPainter>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 28;
constexpr int kHead = 74;   ///< title and facts
constexpr int kLegend = 24; ///< its height
constexpr int kFoot = 26;

QString words(const char *text) { return QCoreApplication::translate("ui::MapPicture", text); }

QString titleOf(const MapModel &model, const core::Policy &policy)
{
    const core::Sweep &sweep = *model.map().sweep();
    return words("%1 of %2 over %3 and %4")
        .arg(MapModel::titleOf(model.metric()), displayText(policy.name),
            displayText(core::settingWords(sweep.x.setting)), displayText(core::settingWords(sweep.y.setting)));
}

QString settingsOf(const MapModel &model)
{
    return words("%1 × %2 settings, simulated").arg(model.map().columns()).arg(model.map().rows());
}

/// The figures of the marker's cell. A policy whose settings are not on the map has no marker.
QString markerOf(const MapModel &model)
{
    const core::SweepFigures *figures = model.markerFigures();
    if (!model.marker() || figures == nullptr)
        return words("The policy's own settings are not on this map.");
    return words("Handle: %1, nearest cell %2")
        .arg(model.words(*model.marker()), model.shown(model.metric(), (*figures)[model.metric()]));
}

void render(QWidget &widget, QPainter &painter, const QRect &place)
{
    widget.setAttribute(Qt::WA_DontShowOnScreen);
    widget.resize(place.size());
    widget.render(&painter, place.topLeft());
}

/// Paints the model's map below a title and `facts`.
QImage painted(const MapPictureRequest &request, MapModel &model, const QStringList &facts)
{
    MapView map(model);
    RampLegend legend(model);
    QImage image(request.size * request.scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(request.scale);
    const Theme &theme = model.state().theme();
    image.fill(theme.base);
    QPainter painter(&image);
    const int width = request.size.width() - 2 * kMargin;
    painter.setPen(theme.text);
    painter.setFont(Theme::strongFont(17));
    painter.drawText(QRect(kMargin, 18, width, 26), Qt::AlignLeft | Qt::AlignVCenter, titleOf(model, *request.policy));
    painter.setPen(theme.secondary);
    painter.setFont(Theme::textFont(12));
    const QString line = painter.fontMetrics().elidedText(facts.join(u" · "_s), Qt::ElideMiddle, width);
    painter.drawText(QRect(kMargin, 44, width, 20), Qt::AlignLeft | Qt::AlignVCenter, line);
    const int mapTop = kHead + kLegend + 8;
    const int mapHeight = request.size.height() - mapTop - kFoot - 8;
    painter.drawText(
        QRect(kMargin, mapTop + mapHeight, width, kFoot), Qt::AlignLeft | Qt::AlignVCenter, markerOf(model));
    render(legend, painter, { kMargin, kHead, std::min(width, 420), kLegend });
    render(map, painter, { kMargin, mapTop, width, mapHeight });
    return image;
}

/// The state of a window, without a window.
struct PictureState {
    Workspace workspace;
    ViewState state { workspace };

    explicit PictureState(const MapPictureRequest &request)
    {
        state.setTheme(Theme::make(request.isDark ? Appearance::Dark : Appearance::Light));
        workspace.previewPlan(workspace.planWith(request.policy));
    }
};

} // namespace

QImage mapPicture(
    const MapPictureRequest &request, const core::SweepGround &ground, const core::SweepPtr &sweep, const QString &file)
{
    PictureState of(request);
    TuningModel model(of.state);
    model.setMetric(request.metric);
    model.sweeps().show(ground, sweep);
    QStringList facts { displayText(file.toStdString()),
        counted(ground.recorded->ground->callCount(), words("call"), words("calls")), settingsOf(model) };
    if (model.map().extrapolatedCount() > 0)
        facts << words("hatched: some contexts are larger than every recorded context");
    return painted(request, model, facts);
}

QImage mapPicture(const MapPictureRequest &request, core::SweepSet set)
{
    PictureState of(request);
    FolderModel model(of.state);
    model.suggestions().setHasOwn(false); // the picture suggests nothing
    model.setMetric(request.metric);
    model.sweeps().show(folderMap(std::move(set)));
    QStringList facts { displayText(core::countSentence(*model.set())).replace(u", "_s, u" · "_s),
        words("%1, median of the runs").arg(model.title(request.metric)), settingsOf(model) };
    if (model.map().extrapolatedCount() > 0)
        facts << words("hatched: in most runs, some contexts are larger than every recorded context");
    return painted(request, model, facts);
}

} // namespace ui
