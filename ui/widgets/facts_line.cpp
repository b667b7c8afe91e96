// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/facts_line.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeight = 20;
constexpr double kGap = 8; ///< between two parts
constexpr double kRightGap = 20;

} // namespace

FactsLine::FactsLine(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FactsLine::setParts(std::vector<Part> parts, std::vector<Part> right)
{
    if (parts == m_parts && right == m_right)
        return;
    m_parts = std::move(parts);
    m_right = std::move(right);
    setAccessibleName(text());
    updateGeometry();
    update();
}

void FactsLine::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

QString FactsLine::text() const
{
    QStringList words;
    for (const auto *parts : { &m_parts, &m_right }) {
        for (const Part &part : *parts)
            words << part.text;
    }
    return words.join(u' ');
}

QFont FactsLine::fontOf(Voice voice)
{
    switch (voice) {
    case Voice::Strong:
        return Theme::strongFont(13);
    case Voice::Figure:
        return Theme::figureFont(12);
    case Voice::Plain:
        return Theme::textFont(13);
    case Voice::Secondary:
    case Voice::Hot:
        break;
    }
    return Theme::textFont(12);
}

QColor FactsLine::colourOf(Voice voice) const
{
    switch (voice) {
    case Voice::Secondary:
    case Voice::Figure:
        return m_theme.secondary;
    case Voice::Hot:
        return m_theme.hot;
    case Voice::Strong:
    case Voice::Plain:
        break;
    }
    return m_theme.text;
}

double FactsLine::widthOf(const std::vector<Part> &parts) const
{
    double width = 0;
    for (const Part &part : parts)
        width += QFontMetricsF(fontOf(part.voice)).horizontalAdvance(part.text) + (width > 0 ? kGap : 0);
    return width;
}

QSize FactsLine::sizeHint() const
{
    return { static_cast<int>(std::ceil(widthOf(m_parts) + kRightGap + widthOf(m_right))), kHeight };
}

QSize FactsLine::minimumSizeHint() const { return { 60, kHeight }; }

void FactsLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const double baseline = std::round(kHeight / 2.0 + QFontMetricsF(Theme::textFont(13)).capHeight() / 2);
    const auto draw = [&](const Part &part, double x, double room) {
        const QFont font = fontOf(part.voice);
        const QFontMetricsF metrics(font);
        const QString words = metrics.elidedText(part.text, Qt::ElideRight, room);
        painter.setFont(font);
        painter.setPen(colourOf(part.voice));
        painter.drawText(QPointF(x, baseline), words);
        return metrics.horizontalAdvance(words);
    };
    const double rightWidth = widthOf(m_right);
    double right = width() - rightWidth;
    const bool hasRoom = right > 80;
    for (const Part &part : hasRoom ? m_right : std::vector<Part>())
        right += draw(part, right, rightWidth) + kGap;
    const double end = hasRoom && rightWidth > 0 ? width() - rightWidth - kRightGap : width();
    double x = 0;
    for (const Part &part : m_parts) {
        if (end - x < 16)
            break;
        x += draw(part, x, end - x) + kGap;
    }
}

bool FactsLine::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const bool isElided = sizeHint().width() > width();
        const QString words = isElided ? toolTipText(text()) : QString();
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), words, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace ui
