// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/sweep.h"

#include <QImage>
#include <QSize>
#include <QString>

namespace ui {

/// A map that was swept elsewhere, to be painted.
struct MapPictureRequest {
    core::SweepGroundPtr ground;
    core::SweepPtr sweep;
    core::PolicyPtr policy; ///< with its own values of the two settings: where the marker stands
    core::SweepMetric metric = core::SweepMetric::Cost;
    QString file; ///< as the title names it
    bool isDark = false;
    QSize size { 1200, 900 };
    double scale = 1;
};

/// The map as the Tuning view paints it, with a title, its legend and what the marker's cell comes to. Needs a
/// QApplication.
[[nodiscard]] QImage mapPicture(const MapPictureRequest &request);

} // namespace ui
