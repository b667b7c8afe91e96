// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/painted_snippet.h"

#include "ui/look/match_look.h"

#include <QPainter>

namespace ui {

void paintSnippet(QPainter &painter, const QRect &place, const core::HitSnippet &snippet,
    std::span<const core::TextPlace> marks, const Theme &theme)
{
    const QFontMetrics metrics = painter.fontMetrics();
    const std::string_view all = snippet.text;
    const QString before = displayText(all.substr(0, snippet.match.begin));
    const QString match = displayText(all.substr(snippet.match.begin, snippet.match.end - snippet.match.begin));
    QString text = displayText(all);
    const int from = metrics.horizontalAdvance(before);
    int shift = 0; // of what is shown, to the left
    size_t first = 0;
    if (metrics.horizontalAdvance(before + match) > place.width()) { // the match is what matters
        const QString shown = metrics.elidedText(before, Qt::ElideLeft, qMax(0, place.width() / 3));
        text = shown + text.mid(before.size());
        shift = from - metrics.horizontalAdvance(shown);
        first = snippet.match.begin;
    }
    for (const core::TextPlace &mark : marks) {
        if (mark.begin < first)
            continue;
        const int left = metrics.horizontalAdvance(displayText(all.substr(0, mark.begin)));
        const int right = metrics.horizontalAdvance(displayText(all.substr(0, mark.end)));
        painter.fillRect(QRect(place.left() + left - shift, place.center().y() - metrics.height() / 2, right - left,
                             metrics.height()),
            matchGround(theme));
    }
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, place.width()));
}

} // namespace ui
