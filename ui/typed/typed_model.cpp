// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/typed/typed_model.h"

#include "core/base/text.h"
#include "core/evidence/trace_verdict.h"
#include "ui/look/trace_look.h"

#include <algorithm>
#include <array>

namespace ui {

using namespace Qt::StringLiterals;
using core::MessageState;

namespace {

constexpr size_t kTextLength = 160; ///< code points of a message in its row
constexpr size_t kTipLength = 600;
constexpr size_t kMostStretches = 12; ///< of a life in words

} // namespace

void TypedModel::setContents(TraceGroundPtr ground, uint32_t call)
{
    beginResetModel();
    m_ground = std::move(ground);
    m_call = call;
    endResetModel();
}

void TypedModel::setCall(uint32_t call)
{
    if (call == m_call)
        return;
    m_call = call;
    Q_EMIT headerDataChanged(Qt::Horizontal, Now, Now);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Life), index(rowCount() - 1, Now));
}

int TypedModel::rowOf(core::BlockId block) const
{
    if (!m_ground || !block.isValid())
        return -1;
    const auto found = std::ranges::find(m_ground->userMessages, block, &core::Trace::block);
    return found == m_ground->userMessages.end() ? -1 : static_cast<int>(found - m_ground->userMessages.begin());
}

core::InContext TypedModel::inContext(uint32_t call) const
{
    return m_ground ? core::inContextAt(m_ground->userMessages, call) : core::InContext();
}

QString TypedModel::endSentence() const
{
    std::array<size_t, static_cast<size_t>(MessageState::Gone) + 1> counts {};
    for (int row = 0; row < rowCount(); ++row)
        ++counts[static_cast<size_t>(stateAt(row, end()))];
    QStringList parts;
    const auto add = [&](MessageState state, const QString &words) {
        if (const size_t count = counts[static_cast<size_t>(state)]; count > 0)
            parts << u"%1 %2"_s.arg(count).arg(words);
    };
    add(MessageState::InContext, tr("in context"));
    add(MessageState::Quoted, tr("quoted"));
    add(MessageState::Partial, tr("in part"));
    add(MessageState::Replaced, tr("replaced by the summary"));
    add(MessageState::TakenBack, tr("taken back by a rewind"));
    add(MessageState::Gone, tr("gone"));
    add(MessageState::Unknown, tr("unknown"));
    return tr("at the end: %1").arg(parts.join(u", "_s));
}

int TypedModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_ground ? 0 : static_cast<int>(m_ground->userMessages.size());
}

int TypedModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

MessageState TypedModel::stateAt(int row, uint32_t call) const
{
    return core::messageStateAt(m_ground->spans, message(row), call);
}

QString TypedModel::callName(uint32_t call) const { return call < end() ? QString::number(call) : tr("end"); }

QString TypedModel::lifeWords(int row) const
{
    QStringList words;
    for (const core::TraceLane &lane : message(row).lanes) {
        if (static_cast<size_t>(words.size()) == kMostStretches) {
            words << tr("and %n more", nullptr, static_cast<int>(message(row).lanes.size() - kMostStretches));
            break;
        }
        const QString calls = lane.to - lane.from == 1
            ? lane.from < end() ? tr("call %1").arg(lane.from) : tr("the end")
            : tr("calls %1 to %2").arg(callName(lane.from), callName(lane.to - 1));
        words << calls + u": "_s + displayText(core::messageStateText(m_ground->spans, message(row), lane.from));
    }
    return words.join(u"; "_s);
}

QString TypedModel::lastSentText(int row) const
{
    const auto last = core::lastSentOf(m_ground->spans, message(row));
    if (!last)
        return tr("never");
    return last->mayBeLater ? tr("%1 or later").arg(last->call) : QString::number(last->call);
}

QString TypedModel::text(int row, int column) const
{
    switch (column) {
    case Message:
        return displayText(core::snippet(message(row).text, kTextLength));
    case Typed:
        return callName(message(row).lanes.front().from);
    case Life:
        return lifeWords(row);
    case Now:
        return displayText(core::messageStateText(m_ground->spans, message(row), m_call));
    case End:
        return displayText(core::messageStateText(m_ground->spans, message(row), end()));
    case LastSent:
        return lastSentText(row);
    default:
        return {};
    }
}

QString TypedModel::tip(int row, int column) const
{
    if (column == Message)
        return displayText(core::firstCodePoints(message(row).text, kTipLength)).replace(u'␊', u'\n');
    QString verdict
        = displayText(core::traceVerdict(m_ground->spans, message(row), m_ground->unlogged, *m_ground->tokens));
    if (column != Now)
        return verdict;
    const core::TraceLane *lane = message(row).at(m_call);
    return (lane != nullptr ? traceStateWord(*lane) : text(row, Now)) + u"\n\n"_s + verdict;
}

QVariant TypedModel::sortKey(int row, int column) const
{
    switch (column) {
    case Typed:
        return message(row).lanes.front().from;
    case Life: {
        uint32_t calls = 0;
        for (const core::TraceLane &lane : message(row).lanes) {
            if (lane.state == core::TraceState::Verbatim)
                calls += lane.to - lane.from;
        }
        return calls;
    }
    case Now:
        return static_cast<int>(stateAt(row, m_call));
    case End:
        return static_cast<int>(stateAt(row, end()));
    case LastSent: {
        const auto last = core::lastSentOf(m_ground->spans, message(row));
        return last ? static_cast<int>(last->call) : -1;
    }
    default:
        return text(row, column);
    }
}

QColor TypedModel::colour(int row, int column) const
{
    if (column != Now && column != End)
        return column == Message ? m_theme.text : m_theme.secondary;
    const MessageState state = stateAt(row, column == Now ? m_call : end());
    const bool isLost = state == MessageState::Replaced || state == MessageState::Gone;
    return isLost ? m_theme.hot : state == MessageState::InContext ? m_theme.text : m_theme.secondary;
}

QVariant TypedModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return toolTipText(tip(index.row(), index.column()));
    case Qt::FontRole:
        return isFigure(index.column()) ? Theme::figureFont(12) : Theme::textFont(index.column() == Message ? 13 : 12);
    case Qt::ForegroundRole:
        return colour(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return sortKey(index.row(), index.column());
    case RowRole:
        return index.row();
    default:
        return {};
    }
}

QString TypedModel::headerTip(int column)
{
    switch (column) {
    case Typed:
        return tr("The first call after the message");
    case Life:
        return tr(
            "Solid: in context, word for word. Half-tone: a part of its words. Hollow: gone. Hatched: unknown; a "
            "silent clearing may have removed it, or the call sent text that is not in the log. Faint vertical lines: "
            "compactions. Strong vertical line: the chosen call. Sorts by the number of calls that contained it word "
            "for word");
    case Now:
        return tr("How much of the message the array of the chosen call contains");
    case End:
        return tr("How much of the message the array after the last record contains");
    case LastSent:
        return tr(
            "The last call that contained the message, a quotation of it in a summary, or a part of it. The Search "
            "panel says when the message itself was last sent");
    default:
        return {};
    }
}

QVariant TypedModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return toolTipText(headerTip(section));
    if (role == Qt::InitialSortOrderRole)
        return section == Life || section == LastSent ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Message:
        return tr("message");
    case Typed:
        return tr("typed at call");
    case Life:
        return tr("in context, over the calls");
    case Now:
        return tr("at call %1").arg(m_call);
    case End:
        return tr("at the end");
    case LastSent:
        return tr("words last sent at");
    default:
        return {};
    }
}

} // namespace ui
