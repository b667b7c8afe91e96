// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"
#include "core/sweep/sweep_set.h"

#include <QImage>
#include <QSize>
#include <QString>

namespace ui {

/// A map that was swept elsewhere, to be painted.
struct MapPictureRequest {
    core::PolicyPtr policy; ///< with its own values of the two settings, for the marker
    core::SweepMetric metric = core::SweepMetric::Cost;
    bool isDark = false;
    QSize size { 1200, 900 };
    double scale = 1;
};

/// The map as the Tuning view paints it, with a title, its legend and the figures of the marker's cell. `file` names
/// the session in the title. Needs a QApplication.
[[nodiscard]] QImage mapPicture(const MapPictureRequest &request, const core::SweepGround &ground,
    const core::SweepPtr &sweep, const QString &file);

/// The same of many sessions, whose medians the cells show. There must be runs.
[[nodiscard]] QImage mapPicture(const MapPictureRequest &request, core::SweepSet set);

} // namespace ui
