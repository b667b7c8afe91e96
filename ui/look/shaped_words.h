// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QFont>
#include <QGlyphRun>
#include <QList>
#include <QString>

class QPainter;
class QPointF;
class QRectF;

namespace ui {

/// A text on one line as glyphs of any fonts.
struct ShapedWords {
    QList<QGlyphRun> runs;
    double width = 0;
    double height = 0;
    double baseline = 0; ///< below the top

    void draw(QPainter &painter, const QPointF &topLeft) const;
};

/// Shapes a text once for each font and remembers it, because shaping takes many times as long as painting. The
/// reference is valid until the next call. Each thread has its own memory.
[[nodiscard]] const ShapedWords &shapedWords(const QFont &font, const QString &words);

/// The following do what QFontMetrics and QPainter do for texts on one line, with remembered shapes.
[[nodiscard]] double wordsWidth(const QPainter &painter, const QString &words);
[[nodiscard]] QString elidedWords(
    const QPainter &painter, const QString &words, double width, Qt::TextElideMode mode = Qt::ElideRight);
/// A path keeps its end, where the name of the file is; other words keep their beginning.
[[nodiscard]] QString elidedPath(const QPainter &painter, const QString &words, double width);
void drawWords(QPainter &painter, const QRectF &place, Qt::Alignment alignment, const QString &words);

} // namespace ui
