// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/map_model.h"

#include <QWidget>

namespace ui {

/// All figures of the hovered cell, or of the marker's, as text.
class CellReadout final : public QWidget {
    Q_OBJECT

public:
    explicit CellReadout(MapModel &model, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void refresh();
    /// The figures that fit into `room` lines; losses take precedence.
    [[nodiscard]] std::vector<MapModel::Figure> told(size_t room) const;

    MapModel &m_model;
    QStringList m_titles; ///< the two settings
    QString m_note;
    std::vector<MapModel::Figure> m_figures;
};

} // namespace ui
