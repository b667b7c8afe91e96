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
    bool event(QEvent *event) override; ///< the meaning of the figure under the pointer
    void paintEvent(QPaintEvent *event) override;

private:
    /// Where the lines of figures stand.
    struct Lines {
        int head = 0; ///< height above them
        int height = 0;
        std::vector<MapModel::Figure> figures;
    };
    [[nodiscard]] Lines lines() const;
    /// The columns beside the figures that fit: of the recorded run, and of the harness's policy.
    [[nodiscard]] std::vector<QString MapModel::Figure::*> columns(int head) const;
    void paintHead(QPainter &painter, int head, int taken) const;
    void paintFigure(QPainter &painter, const MapModel::Figure &figure, const QRect &row) const;
    void refresh();
    /// The figures that fit into `room` lines; losses take precedence.
    [[nodiscard]] std::vector<MapModel::Figure> told(size_t room) const;

    MapModel &m_model;
    QStringList m_titles; ///< the two settings
    QString m_note;
    std::vector<MapModel::Figure> m_figures;
};

} // namespace ui
