// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/map_model.h"

#include <QWidget>

namespace ui {

/// The colour ramp of the map with its worst and best value, and a mark for the cell that is read out.
class RampLegend final : public QWidget {
    Q_OBJECT

public:
    explicit RampLegend(MapModel &model, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return { 330, 24 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 60, 24 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    MapModel &m_model;
};

} // namespace ui
