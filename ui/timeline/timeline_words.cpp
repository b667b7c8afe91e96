// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/timeline_words.h"

#include "core/base/text.h"
#include "core/replay/worker_figures.h"
#include "ui/look/shaped_words.h"
#include "ui/timeline/timeline_metrics.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kGap = 16; ///< between the facts and the read-out

QString shortened(double value) { return displayText(core::shortNumber(value)); }

/// `+1,234` if recorded, `~1.2k more` if estimated.
QString growthText(double growth, bool isExact)
{
    if (isExact)
        return (growth < 0 ? u"−"_s : u"+"_s) + wholeNumber(std::abs(growth));
    const QString figure = u'~' + shortened(std::abs(growth));
    return growth < 0 ? QCoreApplication::translate("ui::TimelineView", "%1 less").arg(figure)
                      : QCoreApplication::translate("ui::TimelineView", "%1 more").arg(figure);
}

} // namespace

double TimelineWords::Field::width(const QFontMetricsF &metrics) const
{
    return std::max(metrics.horizontalAdvance(widest), metrics.horizontalAdvance(text)) + 16;
}

TimelineWords::TimelineWords(
    const TimelineContent &content, double topTokens, size_t column, std::optional<TimelineSeries::Measure> measure)
    : m_content(content)
    , m_topTokens(topTokens)
    , m_column(column)
    , m_measure(std::move(measure))
{
}

namespace {

/// Why no line shows the policy's trigger.
QString noLineWords(const core::Policy &policy)
{
    const bool isShare
        = std::ranges::contains(policy.trigger.measures, core::Measure::Unit::WindowFraction, &core::Measure::unit);
    return (isShare ? TimelineWords::tr("trigger %1 has no line: the window is not known")
                    : TimelineWords::tr("trigger %1 has no line: it is not in tokens"))
        .arg(displayText(policy.trigger.words()));
}

} // namespace

QStringList TimelineWords::basisWords() const
{
    const size_t calls = m_content.series().callCount();
    if (calls == 0)
        return { tr("no calls") };
    const size_t exact = m_content.series().exactIn(0, calls);
    const bool isDerived = m_content.thread().calls.front().isDerived;
    QStringList words;
    if (exact == 0)
        words << (isDerived ? tr("derived calls, estimated tokens") : tr("estimated tokens"));
    else
        words << (exact == calls ? tr("recorded tokens, exact") : tr("recorded tokens, exact; dashed where estimated"));
    if (m_content.windowTokens() > m_topTokens)
        words << tr("window %1, above the top of the chart").arg(displayText(axisText(m_content.windowTokens())));
    const core::PolicyPtr &policy = m_content.plan().policy;
    if (policy && !m_content.triggers().main && !policy->trigger.isAlways())
        words << noLineWords(*policy);
    return words;
}

QString TimelineWords::policyWords() const
{
    QStringList words = replayWords();
    if (m_content.replay() && m_content.replay()->isSummaryAssumed)
        words << displayText(assumptionText(*m_content.replay()));
    return words.isEmpty() ? QString() : tr("policy: ") + words.join(u", "_s);
}

QStringList TimelineWords::replayWords() const
{
    QStringList words;
    if (!m_content.replay())
        return words;
    for (const std::string &fact :
        replayFacts(*m_content.replay(), m_content.policyPrompts(), m_content.recordedSent()))
        words << displayText(fact);
    return words;
}

double TimelineWords::wantedRoom() const
{
    const QFontMetricsF metrics(Theme::textFont(12));
    return m_content.replay() ? metrics.horizontalAdvance(nameWords() + replayWords().join(u", "_s)) + kGap : 0.0;
}

QString TimelineWords::factsFor(double room, const QFontMetricsF &metrics) const
{
    if (!m_content.replay()) {
        QStringList words = basisWords();
        while (words.size() > 1 && metrics.horizontalAdvance(words.join(u" · "_s)) > room)
            words.removeLast();
        return words.join(u" · "_s);
    }
    // The name says whose facts these are: it stays, and facts go from the end.
    QStringList words = replayWords() << basisWords();
    const QString subject = nameWords();
    while (words.size() > 1 && metrics.horizontalAdvance(subject + words.join(u", "_s)) > room)
        words.removeLast();
    return subject + words.join(u", "_s);
}

QString TimelineWords::nameWords() const
{
    const core::PolicyPtr &policy = m_content.plan().policy;
    return policy ? displayText(policy->name) + u": "_s : tr("policy: ");
}

QString TimelineWords::measureText(const TimelineSeries::Measure &measure) const
{
    const auto mark = measure.isExact ? QString() : u"~"_s;
    const auto figure = [&](double value) { return measure.isExact ? wholeNumber(value) : mark + shortened(value); };
    const QString ends = measure.first == measure.last
        ? m_content.nameOf(measure.first)
        : (m_content.series().isEnd(measure.last) ? tr("call %1 to the end").arg(static_cast<qulonglong>(measure.first))
                                                  : tr("calls %1 to %2")
                                                        .arg(static_cast<qulonglong>(measure.first))
                                                        .arg(static_cast<qulonglong>(measure.last)));
    QStringList words { ends, counted(static_cast<size_t>(measure.callCount), tr("call"), tr("calls")) };
    const QString sent = tr("sent %1").arg(mark + shortened(measure.sent));
    const QString compactions = counted(measure.compactions, tr("compaction"), tr("compactions"));
    if (m_content.replay()) {
        const size_t last = measure.last + 1;
        words << tr("%1, policy ~%2").arg(sent, shortened(m_content.policyCurve().sentIn(measure.first, last)));
        words << tr("%1, policy %2").arg(compactions).arg(m_content.policyCurve().actsIn(measure.first, last));
    }
    words << figure(measure.from) + u" → "_s + figure(measure.to)
          << growthText(measure.to - measure.from, measure.isExact);
    if (!m_content.replay())
        words << tr("%1, %2 of it resent").arg(sent, mark + shortened(measure.resent));
    if (!m_content.replay() && measure.compactions > 0)
        words << compactions;
    return words.join(u" · "_s);
}

std::vector<TimelineWords::Field> TimelineWords::fields() const
{
    std::vector<Field> fields;
    if (m_content.series().isEmpty())
        return fields;
    const size_t column = m_column;
    const TimelineSeries &series = m_content.series();
    const QString most = wholeNumber(series.peak());
    fields.push_back(
        { m_content.nameOf(column), m_content.nameOf(std::max<size_t>(1, series.callCount()) - 1), false });
    fields.push_back({ m_content.tokensText(column), tr("%1 tokens").arg(most), false });
    if (const double cleared = series.clearedBefore(column); cleared > 0) {
        const QString words
            = tr("silent clearing of %1").arg(displayText(core::shown({ cleared, core::Basis::Estimated })));
        fields.push_back({ words, words, false });
    }
    if (m_content.replay() && !core::workerDeed(*m_content.replay(), column).empty()) {
        const QString words = displayText(core::workerDeed(*m_content.replay(), column));
        fields.push_back({ words, words, false });
    }
    QString delta;
    if (column > 0) {
        const double growth = series.tokens(column) - series.tokens(column - 1);
        const bool isExact = series.isExact(column) && series.isExact(column - 1);
        delta = growthText(growth, isExact);
    }
    if (m_content.replay())
        fields.push_back(
            { tr("policy %1").arg(m_content.policyTokensText(column)), tr("policy %1").arg(u"888.8k ±88 %"_s), false });
    fields.push_back({ delta, u"+"_s + most, true });
    if (!m_content.thread().calls.empty() && m_content.thread().calls.front().time)
        fields.push_back(
            { m_content.timeText(column), m_content.spansDays() ? u"00-00 00:00:00"_s : u"00:00:00"_s, true });
    return fields;
}

QString TimelineWords::readOut() const
{
    if (m_content.series().isEmpty())
        return {};
    if (m_measure)
        return measureText(*m_measure);
    QStringList words;
    for (const Field &field : fields()) {
        if (!field.text.isEmpty())
            words << field.text;
    }
    return words.join(u" · "_s);
}

double TimelineWords::paintMeasure(QPainter &painter, const QRectF &row) const
{
    const QFontMetricsF metrics(painter.font());
    const QString words = metrics.elidedText(measureText(*m_measure), Qt::ElideRight, row.width());
    painter.setPen(m_content.theme().accent);
    drawWords(painter, row, Qt::AlignRight | Qt::AlignVCenter, words);
    return row.right() - metrics.horizontalAdvance(words) - kGap;
}

double TimelineWords::paintFields(QPainter &painter, const QRectF &row, const std::vector<Field> &shown) const
{
    const Theme &theme = m_content.theme();
    const QFontMetricsF metrics(painter.font());
    double right = row.right();
    for (auto field = shown.rbegin(); field != shown.rend(); ++field) {
        const double width = field->width(metrics);
        painter.setPen(field->isQuiet ? theme.secondary : theme.text);
        drawWords(painter, QRectF(right - width, row.top(), width, row.height()), Qt::AlignRight | Qt::AlignVCenter,
            field->text);
        right -= width;
    }
    return right - kGap;
}

void TimelineWords::paint(QPainter &painter, int width) const
{
    const Theme &theme = m_content.theme();
    using M = TimelineMetrics;
    const QRectF row(M::kMargin + M::kFoldMark, 4, width - 2 * M::kMargin - M::kFoldMark, M::kTitle - 4);
    painter.setFont(Theme::strongFont(13));
    const QString title = tr("Context at every call");
    const double titleWidth = wordsWidth(painter, title);
    double right = 0;
    bool hasTitle = true;
    painter.setFont(Theme::figureFont(12));
    if (m_measure) {
        right = paintMeasure(painter, row);
    } else {
        // In a narrow view the most important figures stay.
        const QFontMetricsF metrics(painter.font());
        std::vector<Field> shown = fields();
        double sum = 0;
        for (const Field &field : shown)
            sum += field.width(metrics);
        const double wanted = wantedRoom();
        for (; shown.size() > 2 && sum > row.width() - std::max(titleWidth, wanted); shown.pop_back())
            sum -= shown.back().width(metrics);
        // The facts of a replay matter more than the title.
        hasTitle = sum + wanted + titleWidth + 28 <= row.width() || wanted == 0;
        right = paintFields(painter, row, shown);
    }
    const double room = right - row.left();
    if (room < 40)
        return;
    if (hasTitle) {
        painter.setFont(Theme::strongFont(13));
        painter.setPen(theme.text);
        drawWords(painter, QRectF(row.left(), row.top(), room, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
            elidedWords(painter, title, room));
    }
    const double left = hasTitle ? row.left() + titleWidth + 12 : row.left();
    if (right - left < 80)
        return;
    painter.setFont(Theme::textFont(12));
    painter.setPen(theme.secondary);
    const QFontMetricsF small(painter.font());
    drawWords(painter, QRectF(left, row.top(), right - left, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
        small.elidedText(factsFor(right - left, small), Qt::ElideRight, right - left));
}

} // namespace ui
