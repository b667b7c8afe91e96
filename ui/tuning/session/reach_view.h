// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/axis_layout.h"
#include "ui/tuning/session/tuning_model.h"
#include "ui/widgets/paint_layer.h"

#include <QWidget>

namespace ui {

/// How far back uses reach: the share of uses within the last N tokens. Shares the map's x axis if that is in tokens,
/// so that the curve shows the policy's keep.
class ReachView final : public QWidget {
    Q_OBJECT

public:
    explicit ReachView(TuningModel &model, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override { return { 260, 62 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QString words() const;

    /// Converts between values and pixels of the plot.
    struct Scale {
        AxisLayout shared; ///< the map's, if `isShared`
        bool isShared = false;
        double left = 0;
        double width = 0;
        [[nodiscard]] double tokensAt(double x) const;
        [[nodiscard]] double xOf(double tokens) const;
    };
    [[nodiscard]] Scale scale() const;
    /// Paints everything that does not depend on the pointer or the marker.
    void paintCurves(QPainter &painter, const Scale &scale) const;
    void paintGrid(QPainter &painter, const Scale &scale) const;
    void paintCurve(QPainter &painter, const Scale &scale, const core::Reach &reach) const;
    void paintKeep(QPainter &painter, const Scale &scale, const core::Reach &reach) const;
    [[nodiscard]] double yOf(double share) const;

    TuningModel &m_model;
    size_t m_changes = 0;        ///< counts changes of the curves and the colours
    PaintLayer<size_t> m_curves; ///< keyed by m_changes
};

} // namespace ui
