// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/trace_rows.h"

#include "core/evidence/trace_verdict.h"
#include "core/session/slot_label.h"
#include "ui/look/shaped_words.h"
#include "ui/timeline/lane_places.h"
#include "ui/timeline/trace_lane_painter.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>

namespace ui {

using namespace Qt::StringLiterals;
using core::TraceState;

void TraceRows::paint(QPainter &painter, const TimelineLayout &layout) const
{
    if (m_rows.count == 0)
        return;
    const Theme &theme = m_content.theme();
    const TraceLanePainter lanes(painter, layout, theme);
    const auto label = [&](const QString &words, double top, const QFont &font, const QColor &colour) {
        painter.setFont(font);
        painter.setPen(colour);
        drawWords(painter, laneNamePlace(layout.plot(), top - 1, LaneRows::kBar + 2), Qt::AlignRight | Qt::AlignVCenter,
            words);
    };
    for (size_t row = 0; row < m_rows.count; ++row) {
        const Traced &traced = m_content.traces().at(row);
        const bool isCurrent = m_content.traces().current() == row;
        label(tr("trace"), m_rows.topOf(row), isCurrent ? Theme::strongFont(11) : Theme::textFont(11),
            isCurrent ? theme.accent : theme.secondary);
        lanes.paint(traced, m_rows.topOf(row));
        if (!m_rows.hasPolicy)
            continue;
        label(tr("policy"), m_rows.policyTopOf(row), Theme::textFont(11), theme.accent);
        lanes.paintPolicy(traced, m_rows.policyTopOf(row));
    }
    painter.setFont(Theme::textFont(12));
    painter.setPen(theme.text);
    const QRectF words(
        layout.plot().left, m_rows.wordsTop(), layout.plot().right - layout.plot().left, LaneRows::kWords);
    drawWords(painter, words, Qt::AlignLeft | Qt::AlignVCenter, elidedWords(painter, verdict(), words.width()));
    const double bottom = m_rows.wordsTop();
    painter.fillRect(chosenLine(layout, m_content.chosenColumn(), m_rows.top, bottom), theme.text);
}

QString TraceRows::verdict() const
{
    const Traces &traces = m_content.traces();
    const Traced &traced = traces.at(traces.current().value_or(traces.count() - 1));
    QString words = traced.life ? traced.verdict : tr("being traced");
    if (traces.count() > 1)
        words.prepend(traced.name + u": "_s);
    return traced.policyVerdict.isEmpty() ? words : words + u' ' + tr("Under the policy: %1").arg(traced.policyVerdict);
}

std::optional<size_t> TraceRows::at(const TimelineLayout &layout, QPointF position) const
{
    const size_t row = m_rows.rowAt(position.y());
    const bool isOnLane = row < m_rows.count && position.x() >= layout.plot().left - TimelineMetrics::kNameReach;
    return isOnLane ? std::optional(row) : std::nullopt;
}

QString TraceRows::nameOf(size_t trace) const
{
    const Traced &traced = m_content.traces().at(trace);
    const QString name = tr("trace of %1, %2").arg(traced.name, traced.verdict);
    return traced.policyVerdict.isEmpty() ? name : name + tr(", under the policy: %1").arg(traced.policyVerdict);
}

void TraceRows::press(size_t trace, size_t column) const
{
    ViewState &state = m_content.state();
    m_content.choose(column);
    const auto &life = m_content.traces().at(trace).life;
    const core::TraceLane *stretch = life ? life->at(static_cast<uint32_t>(column)) : nullptr;
    if (stretch != nullptr && stretch->carrier.isValid()) {
        state.setCurrentBlock(stretch->carrier);
        if (state.currentSlot().isValid())
            Q_EMIT state.revealRequested(state.currentSlot());
    }
    m_content.traces().setCurrent(trace); // after the block, which takes the choice of a trace away
}

QMenu *TraceRows::makeMenu(size_t trace, QWidget *parent) const
{
    Traces &traces = m_content.traces();
    const auto copy = [](const QString &words) { return [words] { QGuiApplication::clipboard()->setText(words); }; };
    auto *menu = new QMenu(parent);
    menu->setObjectName(u"laneMenu"_s);
    menu->addAction(tr("Remove Trace"), &traces, [&traces, trace] {
        if (trace < traces.count())
            traces.remove(trace);
    });
    menu->addAction(tr("Remove All Traces"), &traces, [&traces] { traces.clear(); });
    menu->addSeparator();
    menu->addAction(tr("Copy Verdict"), &traces, copy(traces.at(trace).verdict));
    if (const QString &words = traces.at(trace).policyVerdict; m_rows.hasPolicy && !words.isEmpty())
        menu->addAction(tr("Copy Verdict under the Policy"), &traces, copy(words));
    return menu;
}

QString TraceRows::tip(size_t trace, size_t column, bool isPolicy) const
{
    const Traced &traced = m_content.traces().at(trace);
    const auto &life = isPolicy ? traced.policyLife : traced.life;
    if (!life)
        return tr("%1\nbeing traced").arg(traced.name);
    const core::Session &session = isPolicy ? *m_content.traces().replay()->spans.session : *m_content.session();
    const core::TraceLane *stretch = life->at(static_cast<uint32_t>(column));
    QString tip = isPolicy ? tr("under the policy, %1").arg(m_content.nameOf(column)) : m_content.nameOf(column);
    tip += u": "_s + (stretch != nullptr ? traceStateWord(*stretch) : tr("not yet in context"));
    if (stretch != nullptr && stretch->carrier.isValid() && stretch->carrier.index() < session.blocks.size()) {
        const core::Block &block = session.block(stretch->carrier);
        const QString number = block.message.isValid() ? u"#%1 "_s.arg(block.message.value()) : QString();
        tip += tr("\nshown by %1").arg(number + displayText(core::labelOf(session, block).text()));
    }
    if (stretch != nullptr && stretch->state == TraceState::Partial)
        tip += tr("\nkeeps %1: %2")
                   .arg(displayText(core::keptShareText(*life, *stretch)),
                       displayText(core::keptWordsText(*life, *stretch)));
    return tip + u"\n\n"_s + (isPolicy ? traced.policyVerdict : traced.verdict);
}

} // namespace ui
