// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/map_model.h"

#include <QWidget>

namespace ui {

/// The ramp of the map with its worst and its best value, and where the cell that is read out lies between them.
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
