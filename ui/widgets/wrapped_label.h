// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QFont>
#include <QHash>
#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace ui {

/// Plain text, wrapped into as many lines as it needs. Caches its height for each width: layouts ask for it several
/// times a change, and a QLabel breaks its text anew each time.
class WrappedLabel final : public QLabel {
public:
    explicit WrappedLabel(QWidget *parent = nullptr)
        : QLabel(parent)
    {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
    }

    /// Adds spacing between sentences, which must be on separate lines. The text is then painted here, from the top
    /// left, in this colour; style sheet colours and the label's alignment are ignored.
    void setSentencesApart(const QColor &ink)
    {
        m_ink = ink;
        m_heights.clear();
        updateGeometry();
        update();
    }

    /// Keeps room for so many lines, so that what stands below does not move when a second one comes. Call it once the
    /// label has its font and margins.
    void reserveLines(int lines)
    {
        const QMargins margins = contentsMargins();
        setMinimumHeight(lines * fontMetrics().lineSpacing() + margins.top() + margins.bottom());
    }

    /// Keeps room for this text, too, at every width: for one that grows while the user writes.
    void reserveText(const QString &text)
    {
        if (m_reserved == text)
            return;
        m_reserved = text;
        m_heights.clear();
        updateGeometry();
    }

    [[nodiscard]] int heightForWidth(int width) const override
    {
        if (m_text != text() || m_font != font() || m_margins != contentsMargins()) {
            m_text = text();
            m_font = font();
            m_margins = contentsMargins();
            m_heights.clear();
        }
        const auto known = m_heights.constFind(width);
        if (known != m_heights.cend())
            return *known;
        if (!m_ink.isValid())
            return *m_heights.insert(width, std::max(QLabel::heightForWidth(width), reservedHeight(width)));
        return *m_heights.insert(width, apartHeight(m_text, width));
    }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        if (!m_ink.isValid())
            return QLabel::paintEvent(event);
        QPainter painter(this);
        painter.setPen(m_ink);
        QRect place = contentsRect();
        for (const QString &sentence : text().split(u'\n')) {
            place.setHeight(heightOf(sentence, place.width()));
            painter.drawText(place, kFlags | Qt::TextDontClip, sentence);
            place.moveTop(place.bottom() + 1 + kGap);
        }
    }

private:
    static constexpr int kGap = 3;
    static constexpr int kFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

    /// Of sentences with spacing.
    [[nodiscard]] int apartHeight(const QString &text, int width) const
    {
        const QMargins margins = contentsMargins();
        int height = margins.top() + margins.bottom() - kGap;
        for (const QString &sentence : text.split(u'\n'))
            height += heightOf(sentence, width - margins.left() - margins.right()) + kGap;
        return height;
    }

    [[nodiscard]] int reservedHeight(int width) const
    {
        const QMargins margins = contentsMargins();
        return m_reserved.isEmpty()
            ? 0
            : heightOf(m_reserved, width - margins.left() - margins.right()) + margins.top() + margins.bottom();
    }

    [[nodiscard]] int heightOf(const QString &sentence, int width) const
    {
        return fontMetrics().boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), kFlags, sentence).height();
    }

    QColor m_ink; ///< of sentences with spacing
    QString m_reserved;
    // Cached heights by width, and what they are valid for:
    mutable QString m_text;
    mutable QFont m_font;
    mutable QMargins m_margins;
    mutable QHash<int, int> m_heights;
};

} // namespace ui
