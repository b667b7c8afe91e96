// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"
#include "core/sweep/sweep_set.h"

#include <QImage>
#include <QSize>
#include <QString>

namespace ui {

/// Input for painting a finished sweep.
struct MapPictureRequest {
    core::PolicyPtr policy; ///< its own values of the two settings place the marker
    core::SweepMetric metric = core::SweepMetric::Cost;
    bool isDark = false;
    QSize size { 1200, 900 };
    double scale = 1;
};

/// The map as in the Tuning view, with a title, its legend and the figures of the marker's cell. The title shows `file`
/// as the session. Needs a QApplication.
[[nodiscard]] QImage mapPicture(const MapPictureRequest &request, const core::SweepGround &ground,
    const core::SweepPtr &sweep, const QString &file);

/// The same for many sessions; cells show medians. `set` must have runs.
[[nodiscard]] QImage mapPicture(const MapPictureRequest &request, core::SweepSet set);

} // namespace ui
