// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder/folder_model.h"
#include "ui/widgets/paint_layer.h"

#include <QWidget>

namespace ui {

/// How far back the quotes of many runs reach. A thin line for each run: the share of its quotes whose newest carrier
/// is within the last N tokens. The run in the middle is drawn thicker; a mark shows the keep of the settings that are
/// read out.
class FolderReachView final : public QWidget {
    Q_OBJECT

public:
    explicit FolderReachView(FolderModel &model, QWidget *parent = nullptr);

    /// What the settings that are read out keep, in a sentence; what stands against that where they tell no length.
    [[nodiscard]] QString keepWords() const;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 260, 90 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(double tokens) const;
    [[nodiscard]] double yOf(double share) const;
    /// The keep of the settings that are read out. For the runs in which it has a length: its tokens, and the share of
    /// quotes it keeps, both ascending.
    struct Kept {
        core::Measure keep;
        std::vector<double> tokens;
        std::vector<double> shares;
    };
    /// Found once for each place that is read out; nullptr without one.
    [[nodiscard]] const Kept *kept() const;
    [[nodiscard]] std::optional<Kept> foundKept() const;
    /// Paints everything that neither the pointer nor the marker changes.
    void paintCurves(QPainter &painter) const;
    void paintAxes(QPainter &painter) const;
    void paintKeep(QPainter &painter) const;

    FolderModel &m_model;
    mutable std::optional<std::optional<Kept>> m_kept; ///< nothing after a change
    size_t m_changes = 0;                              ///< of the curves and the colours
    PaintLayer<size_t> m_curves;                       ///< as of so many changes
};

} // namespace ui
