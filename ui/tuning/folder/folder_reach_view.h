// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder/folder_model.h"
#include "ui/widgets/paint_layer.h"

#include <QWidget>

namespace ui {

/// How far back the quotes of many runs reach. Draws a thin line for each run: the share of its quotes whose newest
/// carrier is within the last N tokens. The median run is thicker; a mark shows the keep of the cell whose figures the
/// view *Read-out* shows (the read cell).
class FolderReachView final : public QWidget {
    Q_OBJECT

public:
    explicit FolderReachView(FolderModel &model, QWidget *parent = nullptr);

    /// The keep of the read cell, in a sentence; if it has no length in tokens, the reason.
    [[nodiscard]] QString keepWords() const;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 260, 90 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(double tokens) const;
    [[nodiscard]] double yOf(double share) const;
    /// The keep of the read cell, for the runs in which it has a length: its tokens and the share of quotes it keeps,
    /// both ascending.
    struct Kept {
        core::Measure keep;
        std::vector<double> tokens;
        std::vector<double> shares;
    };
    /// Computed once for each read cell; nullptr without one.
    [[nodiscard]] const Kept *kept() const;
    [[nodiscard]] std::optional<Kept> foundKept() const;
    /// Paints everything that does not depend on the pointer or the marker.
    void paintCurves(QPainter &painter) const;
    void paintAxes(QPainter &painter) const;
    void paintKeep(QPainter &painter) const;

    FolderModel &m_model;
    mutable std::optional<std::optional<Kept>> m_kept; ///< nullopt after a change
    size_t m_changes = 0;                              ///< counts changes of the curves and the colours
    PaintLayer<size_t> m_curves;                       ///< keyed by m_changes
};

} // namespace ui
