// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/card.h"
#include "ui/look/theme.h"

#include <QRectF>

class QPainter;

namespace ui {

inline constexpr QSizeF kCardSize { 1600, 1000 };

/// The common parts of cards: background, sentence and facts at the head, four figures in a row, headings, the axis of
/// the reach, and the foot. Screen, PNG, SVG and PDF use the same code; for other sizes than `kCardSize` the painter is
/// scaled.
class CardPage final {
public:
    static constexpr double kMargin = 48;
    static constexpr double kWidth = 1600 - 2 * kMargin;

    CardPage(QPainter &painter, const Theme &theme)
        : m_painter(painter)
        , m_theme(theme)
    {
    }

    void paintGround() const;
    void paintHead(const std::string &title, const std::string &facts) const;
    void paintFigures(const std::array<core::CardFigure, 4> &figures) const;
    void paintFoot(const std::vector<std::string> &lines) const;
    /// Paints a heading over a box; returns the rest of the box.
    [[nodiscard]] QRectF headed(const QRectF &box, const QString &heading) const;
    /// Paints lines at 0, 50 and 100 % with labels in a gutter of `kGutter` at the left of the plot.
    void paintShares(const QRectF &plot) const;
    /// Paints one line of text, elided if it is too long.
    void write(const QRectF &box, int flags, const QString &text) const;
    /// Paints the keep of the settings as a line in a plot of shares, with `text` beside it.
    void paintKeep(const QRectF &plot, double x, const QString &text) const;

    static constexpr double kGutter = 52;

    /// As on axes: `120k`.
    [[nodiscard]] static QString shortTokens(double tokens);
    /// A round step that gives four or five axis lines up to `most`.
    [[nodiscard]] static double stepOf(double most);
    [[nodiscard]] static QString words(const char *text);

private:
    void paintFigure(const QRectF &box, const core::CardFigure &figure) const;
    void paintRecorded(const QRectF &box, const core::CardFigure &figure) const;

    QPainter &m_painter;
    const Theme &m_theme;
};

/// Paints a page of `kCardSize`.
class CardContent {
public:
    virtual ~CardContent() = default;
    virtual void paint(QPainter &painter) const = 0;
};

} // namespace ui
