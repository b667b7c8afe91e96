// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/shaped_words.h"

#include <QFontMetrics>
#include <QHash>
#include <QPainter>
#include <QTextLayout>

namespace ui {

namespace {

constexpr qsizetype kRemembered = 4096; ///< of each font

struct Elision {
    QString words;
    int width = 0;
    Qt::TextElideMode mode = Qt::ElideRight;

    bool operator==(const Elision &) const = default;
};

size_t qHash(const Elision &elision, size_t seed = 0)
{
    return qHashMulti(seed, elision.words, elision.width, static_cast<int>(elision.mode));
}

struct FontMemory {
    QHash<QString, ShapedWords> shapes;
    QHash<Elision, QString> elided;
};

FontMemory &memoryOf(const QFont &font)
{
    thread_local QHash<QFont, FontMemory> memory;
    return memory[font];
}

/// Forgets everything when there is no room, so that the memory stays bounded.
template <typename Key, typename Value>
const Value &remember(QHash<Key, Value> &known, const Key &key, const Value &value)
{
    if (known.size() >= kRemembered)
        known.clear();
    return *known.insert(key, value);
}

ShapedWords shape(const QFont &font, const QString &words)
{
    QTextLayout layout(words, font);
    layout.setCacheEnabled(true);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    if (!line.isValid())
        return {};
    return { layout.glyphRuns(), line.naturalTextWidth(), line.height(), line.ascent() };
}

} // namespace

void ShapedWords::draw(QPainter &painter, const QPointF &topLeft) const
{
    for (const QGlyphRun &run : runs)
        painter.drawGlyphRun(topLeft, run);
}

const ShapedWords &shapedWords(const QFont &font, const QString &words)
{
    QHash<QString, ShapedWords> &known = memoryOf(font).shapes;
    const auto found = known.constFind(words);
    return found != known.constEnd() ? *found : remember(known, words, shape(font, words));
}

double wordsWidth(const QPainter &painter, const QString &words) { return shapedWords(painter.font(), words).width; }

QString elidedWords(const QPainter &painter, const QString &words, double width, Qt::TextElideMode mode)
{
    const int room = static_cast<int>(width);
    if (wordsWidth(painter, words) <= room)
        return words; // `elidedText` may cut a text that just fits
    QHash<Elision, QString> &known = memoryOf(painter.font()).elided;
    const Elision key { words, room, mode };
    const auto found = known.constFind(key);
    return found != known.constEnd() ? *found
                                     : remember(known, key, painter.fontMetrics().elidedText(words, mode, room));
}

QString elidedPath(const QPainter &painter, const QString &words, double width)
{
    const bool isPath = words.contains(u'/') && !words.contains(u' ');
    if (!isPath || wordsWidth(painter, words) <= width)
        return elidedWords(painter, words, width);
    const QString name = words.section(u'/', -1);
    const bool hasRoom = wordsWidth(painter, QChar(0x2026) + name) <= width;
    return hasRoom ? elidedWords(painter, words, width, Qt::ElideLeft)
                   : elidedWords(painter, name, width, Qt::ElideMiddle);
}

void drawWords(QPainter &painter, const QRectF &place, Qt::Alignment alignment, const QString &words)
{
    const ShapedWords &shaped = shapedWords(painter.font(), words);
    QPointF topLeft = place.topLeft();
    if (alignment.testFlag(Qt::AlignRight))
        topLeft.rx() = place.right() - shaped.width;
    else if (alignment.testFlag(Qt::AlignHCenter))
        topLeft.rx() += (place.width() - shaped.width) / 2;
    if (alignment.testFlag(Qt::AlignBottom))
        topLeft.ry() = place.bottom() - shaped.height;
    else if (alignment.testFlag(Qt::AlignVCenter))
        topLeft.ry() += (place.height() - shaped.height) / 2;
    shaped.draw(painter, topLeft);
}

} // namespace ui
