// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The title row: what is said of the curves and of the column that is read out.

#include "ui/timeline/timeline_view.h"

#include "core/base/text.h"
#include "ui/hub/run_figures.h"
#include "ui/look/call_time.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;
using core::CompactionKind;

namespace {

QString shortened(double value) { return displayText(core::shortNumber(value)); }

/// `+1,234` where it was recorded, `~1.2k more` where it is estimated.
QString growthText(double growth, bool isExact)
{
    if (isExact)
        return (growth < 0 ? u"−"_s : u"+"_s) + wholeNumber(std::abs(growth));
    const QString figure = u'~' + shortened(std::abs(growth));
    return growth < 0 ? TimelineView::tr("%1 less").arg(figure) : TimelineView::tr("%1 more").arg(figure);
}

} // namespace

QString TimelineView::nameOf(size_t column) const
{
    return m_series.isEnd(column) ? tr("end") : tr("call %1").arg(static_cast<qulonglong>(column));
}

QString TimelineView::tokensText(size_t column) const
{
    const core::BlockTokensPtr &tokens = m_state.workspace().tokens();
    const core::Basis basis = m_series.isExact(column) ? core::Basis::Exact
        : tokens                                       ? tokens->basis
                                                       : core::Basis::Estimated;
    return tr("%1 tokens")
        .arg(displayText(core::shown({ m_series.tokens(column), basis, tokens ? tokens->error : 0 })));
}

QString TimelineView::policyTokensText(size_t column) const
{
    return displayText(core::shown(core::promptFigure(*m_replay, column)));
}

QString TimelineView::timeText(size_t column) const
{
    if (m_series.isEnd(column) || !m_session)
        return {};
    return callTimeText(m_session->thread(m_thread).calls[column], m_spansDays);
}

QStringList TimelineView::basisWords() const
{
    const size_t calls = m_series.callCount();
    if (calls == 0)
        return { tr("no calls") };
    const size_t exact = m_series.exactIn(0, calls);
    const bool isDerived = m_session->thread(m_thread).calls.front().isDerived;
    QStringList words;
    if (exact == 0)
        words << (isDerived ? tr("derived calls, estimated tokens") : tr("estimated tokens"));
    else
        words << (exact == calls ? tr("recorded tokens, exact") : tr("recorded tokens, exact; dashed where estimated"));
    if (windowTokens() > topTokens())
        words << tr("window %1, above").arg(displayText(axisText(windowTokens())));
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    if (policy && !m_triggers.main && !policy->trigger.isAlways())
        words << tr("trigger %1 has no height").arg(displayText(policy->trigger.words()));
    return words;
}

QString TimelineView::policyWords() const
{
    QStringList words = replayWords();
    if (m_replay && m_replay->isSummaryAssumed)
        words << displayText(assumptionText(*m_replay));
    return words.join(u", "_s);
}

/// As it is computed for policies; until that is known, as it was recorded.
core::TokenFigure TimelineView::recordedSent() const
{
    const core::RecordedFiguresPtr &figures = m_state.workspace().figures().recorded();
    const bool isOfThis
        = figures && figures->ground->log.session == m_session && figures->ground->log.thread == m_thread;
    if (isOfThis)
        return figures->prompts.computed.sum;
    const TimelineSeries::Measure measure = m_series.measure(0, std::max<size_t>(1, m_series.callCount()) - 1);
    return { measure.sent, measure.isExact ? core::Basis::Exact : core::Basis::Estimated };
}

QStringList TimelineView::replayWords() const
{
    QStringList words;
    if (!m_replay)
        return words;
    for (const std::string &fact : replayFacts(*m_replay, m_policyPrompts, recordedSent()))
        words << displayText(fact);
    return words;
}

double TimelineView::wantedWordRoom(const QFontMetricsF &metrics) const
{
    return m_replay ? metrics.horizontalAdvance(replayWords().join(u", "_s)) : 0.0;
}

QString TimelineView::titleWords(double room, const QFontMetricsF &metrics) const
{
    if (!m_replay) {
        QStringList words = basisWords();
        while (words.size() > 1 && metrics.horizontalAdvance(words.join(u" · "_s)) > room)
            words.removeLast();
        return words.join(u" · "_s);
    }
    // The policy's name stands in its panel, too: of all it is what can be done without.
    QStringList words = replayWords() << basisWords();
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    const QString name = policy ? displayText(policy->name) + u": "_s : QString();
    const qsizetype facts = replayWords().size();
    while (words.size() > facts && metrics.horizontalAdvance(name + words.join(u", "_s)) > room)
        words.removeLast();
    if (metrics.horizontalAdvance(name + words.join(u", "_s)) <= room)
        return name + words.join(u", "_s);
    while (words.size() > 1 && metrics.horizontalAdvance(words.join(u", "_s)) > room)
        words.removeLast();
    return words.join(u", "_s);
}

QString TimelineView::measureText(const TimelineSeries::Measure &measure) const
{
    const auto mark = measure.isExact ? QString() : u"~"_s;
    const auto figure = [&](double value) { return measure.isExact ? wholeNumber(value) : mark + shortened(value); };
    const QString ends = measure.first == measure.last
        ? nameOf(measure.first)
        : (m_series.isEnd(measure.last) ? tr("call %1 to the end").arg(static_cast<qulonglong>(measure.first))
                                        : tr("calls %1 to %2")
                                              .arg(static_cast<qulonglong>(measure.first))
                                              .arg(static_cast<qulonglong>(measure.last)));
    QStringList words { ends, counted(static_cast<size_t>(measure.callCount), tr("call"), tr("calls")) };
    const QString sent = tr("sent %1").arg(mark + shortened(measure.sent));
    const QString compactions = counted(measure.compactions, tr("compaction"), tr("compactions"));
    if (m_replay) {
        const size_t last = measure.last + 1;
        words << tr("%1, policy ~%2").arg(sent, shortened(m_policyCurve.sentIn(measure.first, last)));
        words << tr("%1, policy %2").arg(compactions).arg(m_policyCurve.actsIn(measure.first, last));
    }
    words << figure(measure.from) + u" → "_s + figure(measure.to)
          << growthText(measure.to - measure.from, measure.isExact);
    if (!m_replay)
        words << tr("%1, of it resent %2").arg(sent, mark + shortened(measure.resent));
    if (!m_replay && measure.compactions > 0)
        words << compactions;
    return words.join(u" · "_s);
}

std::vector<TimelineView::Field> TimelineView::fields() const
{
    std::vector<Field> fields;
    if (m_series.isEmpty())
        return fields;
    const size_t column = m_hovered.value_or(chosenColumn());
    const QString most = wholeNumber(m_series.peak());
    fields.push_back({ nameOf(column), nameOf(m_series.callCount() > 0 ? m_series.callCount() - 1 : 0), false });
    fields.push_back({ tokensText(column), tr("%1 tokens").arg(most), false });
    QString delta;
    if (column > 0) {
        const double growth = m_series.tokens(column) - m_series.tokens(column - 1);
        const bool isExact = m_series.isExact(column) && m_series.isExact(column - 1);
        delta = growthText(growth, isExact);
    }
    if (m_replay)
        fields.push_back(
            { tr("policy %1").arg(policyTokensText(column)), tr("policy %1").arg(u"888.8k ±88 %"_s), false });
    fields.push_back({ delta, u"+"_s + most, true });
    if (!m_session->thread(m_thread).calls.empty() && m_session->thread(m_thread).calls.front().time)
        fields.push_back({ timeText(column), m_spansDays ? u"00-00 00:00:00"_s : u"00:00:00"_s, true });
    return fields;
}

QString TimelineView::readOut() const
{
    if (m_series.isEmpty())
        return {};
    if (const auto measure = measured(); measure && !m_hovered)
        return measureText(*measure);
    QStringList words;
    for (const Field &field : fields()) {
        if (!field.text.isEmpty())
            words << field.text;
    }
    return words.join(u" · "_s);
}

void TimelineView::paintTitle(QPainter &painter, const QSize &size) const
{
    const Theme &theme = m_state.theme();
    const QRectF row(kMargin, 4, size.width() - 2 * kMargin, kTitleHeight - 4);
    double right = row.right();
    painter.setFont(Theme::strongFont(13));
    const QString title = tr("Context at every call");
    const double titleWidth = painter.fontMetrics().horizontalAdvance(title);
    bool hasTitle = true;

    painter.setFont(Theme::figureFont(12));
    const QFontMetricsF metrics(painter.font());
    if (const auto measure = measured(); measure && !m_hovered) {
        const QString words = metrics.elidedText(measureText(*measure), Qt::ElideRight, row.width());
        const double width = metrics.horizontalAdvance(words);
        painter.setPen(theme.accent);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, words);
        right -= width + 16;
    } else {
        // The figures that matter most stay when there is little room.
        std::vector<Field> shown = fields();
        const auto widthOf = [&](const Field &field) {
            return std::max(metrics.horizontalAdvance(field.widest), metrics.horizontalAdvance(field.text)) + 16;
        };
        const auto whole = [&] {
            double sum = 0;
            for (const Field &field : shown)
                sum += widthOf(field);
            return sum;
        };
        // Without the title where the words of a replay need its room.
        const double wanted = wantedWordRoom(QFontMetricsF(Theme::textFont(12)));
        while (shown.size() > 2 && whole() > row.width() - std::max(titleWidth, wanted))
            shown.pop_back();
        hasTitle = whole() + wanted + titleWidth + 28 <= row.width() || wanted == 0;
        for (auto field = shown.rbegin(); field != shown.rend(); ++field) {
            const double width = widthOf(*field);
            painter.setPen(field->isQuiet ? theme.secondary : theme.text);
            painter.drawText(
                QRectF(right - width, row.top(), width, row.height()), Qt::AlignRight | Qt::AlignVCenter, field->text);
            right -= width;
        }
        right -= 16;
    }
    const double room = right - row.left();
    if (room < 40)
        return;
    if (hasTitle) {
        painter.setFont(Theme::strongFont(13));
        painter.setPen(theme.text);
        painter.drawText(QRectF(row.left(), row.top(), room, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(room)));
    }
    const double left = hasTitle ? row.left() + titleWidth + 12 : row.left();
    if (right - left < 80)
        return;
    painter.setFont(Theme::textFont(12));
    painter.setPen(theme.secondary);
    const QFontMetricsF small(painter.font());
    painter.drawText(QRectF(left, row.top(), right - left, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
        small.elidedText(titleWords(right - left, small), Qt::ElideRight, right - left));
}

} // namespace ui
