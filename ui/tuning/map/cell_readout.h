// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/map_model.h"

#include <QWidget>

namespace ui {

/// All figures of the cell under the pointer, or of the marker's, in words.
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
    /// As many lines as there is room for; losses first.
    [[nodiscard]] std::vector<MapModel::Figure> told(size_t room) const;

    MapModel &m_model;
    QString m_title;
    QString m_note;
    std::vector<MapModel::Figure> m_figures;
};

} // namespace ui
