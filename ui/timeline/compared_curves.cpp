// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/compared_curves.h"

#include "core/base/text.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char *words) { return QCoreApplication::translate("ui::TimelineView", words); }
QString figureText(core::TokenFigure figure) { return displayText(core::shownShort(figure)); }

/// Adds the figure from usage, with ` for 60 of 61 calls` if some calls have no usage.
QString besideUsage(const QString &computed, const QString &usage, size_t calls, size_t all)
{
    return tr("%1 (by usage %2%3)").arg(computed, usage, displayText(core::forCalls(calls, all)));
}

} // namespace

void paintComparedCurve(QPainter &painter, const TimelineLayout &layout, const PolicyCurve &curve, const QPen &pen)
{
    const TimelineLayout::Plot &plot = layout.plot();
    const std::vector<TimelineLayout::Span> spans = layout.spans(curve);
    painter.save();
    painter.setClipRect(QRectF(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 2));
    if (layout.columnWidth() >= 1) {
        QPolygonF line;
        for (const TimelineLayout::Span &span : spans)
            line << QPointF(span.x, layout.yOf(span.entry));
        painter.setPen(pen);
        painter.drawPolyline(line);
    } else {
        // Several calls per pixel: dashes would not show.
        for (const TimelineLayout::Span &span : spans) {
            const auto [top, bottom] = layout.extentOf(span, span.high);
            painter.fillRect(QRectF(std::floor(span.x), top, 1, std::max(1.0, bottom - top)), pen.color());
        }
    }
    painter.restore();
}

QStringList policyTotals(const core::PolicyFigures &figures)
{
    const core::Replay &replay = *figures.replay;
    const core::PromptSums prompts = core::promptSums(replay);
    QStringList totals { displayText(core::compactionWords(replay)), tr("peak %1").arg(figureText(prompts.peak)),
        tr("%1 sent").arg(figureText(prompts.sum)),
        figures.cost.isPriced() ? u'~' + displayText(core::dollars(figures.cost.parts.total())) : tr("no price") };
    if (!figures.regret)
        return totals << QString();
    const core::FateCounts uses = figures.regret->of();
    return totals << tr("loses %1 of %2 uses")
                         .arg(displayText(core::groupedNumber(uses[core::UseFate::Lost])),
                             displayText(core::groupedNumber(uses.all())));
}

QStringList recordedTotals(const core::RecordedFigures &figures)
{
    const core::RecordedPrompts &prompts = figures.prompts;
    QString sent = tr("%1 sent").arg(figureText(prompts.computed.sum));
    const core::PromptSums &usage = prompts.byUsage;
    const QString byUsage = figureText(usage.sum);
    const bool isSame = usage.calls == prompts.computed.calls && figureText(prompts.computed.sum) == u'~' + byUsage;
    if (usage.calls > 0 && !isSame && !prompts.isAsRecorded())
        sent = besideUsage(sent, byUsage, usage.calls, prompts.computed.calls);
    return { displayText(core::compactionWords(figures)), tr("peak %1").arg(figureText(prompts.computed.peak)), sent,
        figures.computed.isPriced() ? displayText(core::computedMoney(figures)) : tr("no price"), QString() };
}

} // namespace ui
