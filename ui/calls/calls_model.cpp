// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/calls/calls_model.h"

#include "core/base/text.h"
#include "ui/look/call_time.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

QString text(std::string_view utf8) { return displayText(utf8); }

/// One for each measure of a trigger.
template <typename Figure>
QString joined(const core::TriggerVerdict &verdict, Figure figureOf)
{
    QStringList figures;
    for (const core::TriggerReading &reading : verdict.readings)
        figures << figureOf(reading);
    return figures.join(u" / "_s);
}

} // namespace

struct CallsModel::ColumnKind {
    QString (CallsModel::*text)(int row) const;
    bool isFigure = true;
    bool isOfReplay = false;
    const char16_t *widest = u"";
};

const CallsModel::ColumnKind &CallsModel::kindOf(int column)
{
    static constexpr std::array<ColumnKind, ColumnCount> kKinds { {
        { &CallsModel::numberText, true, false, u"88,888" },
        { &CallsModel::timeText, true, false, u"88-88 88:88:88" },
        { &CallsModel::recordedText, true, false, u"8,888,888" },
        { &CallsModel::simulatedText, true, true, u"888.8k ±88 %" },
        { &CallsModel::differenceText, true, true, u"−888.8k" },
        { &CallsModel::messagesText, true, true, u"messages" },
        { &CallsModel::cacheReadText, true, false, u"8,888,888" },
        { &CallsModel::cacheCauseText, false, false, u"" },
        { &CallsModel::costText, true, false, u"$888.88" },
        { &CallsModel::measuredText, true, true, u"888,888" },
        { &CallsModel::thresholdText, true, true, u"not known" },
        { &CallsModel::decisionText, false, true, u"" },
        { &CallsModel::worldText, false, true, u"" },
    } };
    return kKinds[static_cast<size_t>(column)];
}

bool CallsModel::isFigure(int column) { return kindOf(column).isFigure; }
bool CallsModel::isOfReplay(int column) { return kindOf(column).isOfReplay; }

QString CallsModel::widest(int column) const
{
    if (column == Time && !m_spansDays)
        return u"88:88:88"_s;
    return QString::fromUtf16(kindOf(column).widest);
}

QString CallsModel::title(int column)
{
    switch (column) {
    case Number:
        return tr("call");
    case Time:
        return tr("time");
    case Recorded:
        return tr("recorded");
    case Simulated:
        return tr("simulated");
    case Difference:
        return tr("difference");
    case Messages:
        return tr("messages");
    case CacheRead:
        return tr("cache read");
    case CacheCause:
        return tr("cache broken by");
    case Cost:
        return tr("cost");
    case Measured:
        return tr("measured");
    case Threshold:
        return tr("threshold");
    case Decision:
        return tr("policy");
    case World:
        return tr("counterfactual");
    default:
        return {};
    }
}

QString CallsModel::tip(int column)
{
    switch (column) {
    case Recorded:
        return tr("Prompt tokens: recorded by the provider, calibrated (±), or estimated (~)");
    case Simulated:
        return tr("Prompt tokens that the policy would have sent");
    case Difference:
        return tr("The simulated prompt minus the prompt of the recorded run; Palimpsest computes both");
    case Messages:
        return tr("Messages that the policy would have sent, as its harness counts them");
    case CacheRead:
        return tr("Tokens read from the prompt cache: recorded or, under a policy, computed by the provider's rules");
    case CacheCause:
        return tr("Why the call could not read all that the previous call left in the cache");
    case Cost:
        return tr("Cost in dollars, with the requests that write summaries and read lost text again. Empty if the "
                  "price is not known");
    case Measured:
        return tr("What the policy's trigger measured before the call");
    case Threshold:
        return tr("The value at which the policy acts");
    case Decision:
        return tr("Whether the policy acted before the call, or what it waited for");
    case World:
        return tr(
            "Counterfactual: after the first recorded compaction. A replay leaves out the recorded compactions. So "
            "from here on it uses a history that the recorded model did not see");
    default:
        return {};
    }
}

void CallsModel::setContents(
    core::SessionPtr session, core::ThreadIndex thread, core::ContextCurve curve, core::ReplayPtr replay)
{
    beginResetModel();
    m_session = std::move(session);
    m_thread = thread;
    m_curve = std::move(curve);
    m_spansDays = m_session && spansDays(m_session->thread(thread));
    takeReplay(std::move(replay));
    m_recordedFigures = nullptr;
    m_policyFigures = nullptr;
    m_cacheOf.assign(static_cast<size_t>(callCount()), nullptr);
    m_costOf.assign(static_cast<size_t>(callCount()), std::nullopt);
    endResetModel();
}

void CallsModel::takeReplay(core::ReplayPtr replay)
{
    m_replay = std::move(replay);
    m_aboveWindow = m_replay ? core::refusedCalls(*m_replay).aboveWindow : std::vector<uint32_t>();
    m_hasReadings = m_replay
        && std::ranges::any_of(m_replay->steps, [](const auto &step) { return !step.decision.readings.empty(); });
}

void CallsModel::setReplay(core::ReplayPtr replay)
{
    takeReplay(std::move(replay));
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Simulated), index(rowCount() - 1, ColumnCount - 1));
}

void CallsModel::setFigures(core::RecordedFiguresPtr recorded, core::PolicyFiguresPtr policy)
{
    m_recordedFigures = std::move(recorded);
    m_policyFigures = std::move(policy);
    m_cacheOf.assign(static_cast<size_t>(callCount()), nullptr);
    m_costOf.assign(static_cast<size_t>(callCount()), std::nullopt);
    if (m_recordedFigures) {
        const auto isOfThis = [this](core::Position position) {
            return position.thread == m_thread && position.call.isValid() && position.call.index() < m_cacheOf.size();
        };
        for (const core::RecordedCacheCall &call : m_recordedFigures->cache.calls) {
            if (isOfThis(call.position))
                m_cacheOf[call.position.call.index()] = &call;
        }
        for (const core::CallCost &call : m_recordedFigures->sessionCost.calls) {
            if (isOfThis(call.position))
                m_costOf[call.position.call.index()] = call.recorded;
        }
    }
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Difference), index(rowCount() - 1, Cost));
}

const core::ReplayCallCost *CallsModel::simulatedCost(int row) const
{
    const bool isOfReplay = m_replay && m_policyFigures && m_policyFigures->replay == m_replay;
    return isOfReplay && static_cast<size_t>(row) < m_policyFigures->cost.calls.size()
        ? &m_policyFigures->cost.calls[static_cast<size_t>(row)]
        : nullptr;
}

int CallsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_session ? 0 : callCount() + 1;
}

int CallsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

const core::ReplayStep *CallsModel::step(int row) const
{
    return m_replay && static_cast<size_t>(row) < m_replay->steps.size() ? &m_replay->steps[static_cast<size_t>(row)]
                                                                         : nullptr;
}

core::ContextPoint CallsModel::recorded(int row) const
{
    return row < callCount() ? m_curve.calls[static_cast<size_t>(row)] : m_curve.end;
}

QString CallsModel::numberText(int row) const { return row < callCount() ? QString::number(row) : tr("end"); }

QString CallsModel::timeText(int row) const
{
    return row < callCount() ? callTimeText(m_session->thread(m_thread).calls[static_cast<size_t>(row)], m_spansDays)
                             : QString();
}

QString CallsModel::recordedText(int row) const
{
    const core::ContextPoint point = recorded(row);
    return text(core::shown({ point.tokens, point.basis, m_curve.error }));
}

QString CallsModel::simulatedText(int row) const
{
    return step(row) != nullptr ? text(core::shown(core::promptFigure(*m_replay, static_cast<size_t>(row))))
                                : QString();
}

QString CallsModel::differenceText(int row) const
{
    const core::ReplayStep *at = step(row);
    if (at == nullptr)
        return {};
    // Compares computed with computed: a policy that changes nothing differs by 0, even if the log holds more than
    // usage.
    const core::RecordedPrompts *prompts = m_recordedFigures ? &m_recordedFigures->prompts : nullptr;
    const double before = prompts == nullptr ? recorded(row).tokens
        : row < callCount()                  ? prompts->calls[static_cast<size_t>(row)].value
                                             : prompts->end.value;
    const double difference = at->tokens - before;
    if (std::abs(difference) < 0.5)
        return u"0"_s;
    return (difference < 0 ? u"−"_s : u"+"_s) + text(core::shortNumber(std::abs(difference)));
}

QString CallsModel::messagesText(int row) const
{
    const core::ReplayStep *at = step(row);
    return at != nullptr ? wholeNumber(at->messageCount) : QString();
}

QString CallsModel::cacheReadText(int row) const
{
    if (m_replay) {
        const core::ReplayCallCost *cost = simulatedCost(row);
        const bool hasModel = cost != nullptr && !m_policyFigures->cost.rule.empty();
        return hasModel ? text(core::shown({ cost->cache.read, core::Basis::Estimated })) : QString();
    }
    const core::RecordedCacheCall *call = row < callCount() ? m_cacheOf[static_cast<size_t>(row)] : nullptr;
    return call != nullptr ? wholeNumber(static_cast<double>(call->usage.cacheRead)) : QString();
}

QString CallsModel::cacheCauseText(int row) const
{
    core::CacheCause cause = core::CacheCause::None;
    if (m_replay) {
        if (const core::ReplayCallCost *cost = simulatedCost(row))
            cause = cost->cache.cause;
    } else if (row < callCount() && m_cacheOf[static_cast<size_t>(row)] != nullptr) {
        cause = m_cacheOf[static_cast<size_t>(row)]->found;
    }
    return cause == core::CacheCause::None ? QString() : text(core::nameOf(cause));
}

QString CallsModel::costText(int row) const
{
    std::optional<double> cost;
    if (m_replay) {
        if (const core::ReplayCallCost *simulated = simulatedCost(row))
            cost = simulated->cost;
    } else if (row < callCount()) {
        cost = m_costOf[static_cast<size_t>(row)];
    }
    return cost ? text(core::dollars(*cost)) : QString();
}

QString CallsModel::measuredText(int row) const
{
    const core::ReplayStep *at = step(row);
    return at != nullptr
        ? joined(at->decision, [](const core::TriggerReading &r) { return wholeNumber(std::floor(r.value)); })
        : QString();
}

QString CallsModel::thresholdText(int row) const
{
    const core::ReplayStep *at = step(row);
    return at != nullptr
        ? joined(at->decision,
              [](const core::TriggerReading &r) {
                  return r.hasThreshold ? wholeNumber(r.threshold) : r.hasWindow ? tr("not known") : tr("no window");
              })
        : QString();
}

QString CallsModel::decisionText(int row) const
{
    if (step(row) == nullptr)
        return {};
    const QString decision = text(core::decisionSentence(*m_replay, static_cast<size_t>(row)));
    return isAboveWindow(row) ? tr("refused, above the window: %1").arg(decision) : decision;
}

QString CallsModel::worldText(int row) const
{
    const core::ReplayStep *at = step(row);
    return at != nullptr && at->isCounterfactual ? tr("counterfactual") : QString();
}

QVariant CallsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ColumnKind &kind = kindOf(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return (this->*kind.text)(index.row());
    case Qt::TextAlignmentRole:
        return QVariant(
            static_cast<Qt::Alignment>((kind.isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::FontRole:
        return kind.isFigure ? Theme::figureFont(12) : Theme::textFont(12);
    case Qt::ToolTipRole:
        return index.column() == Decision ? toolTipText(decisionText(index.row())) : QVariant();
    case CounterfactualRole:
        return step(index.row()) != nullptr && step(index.row())->isCounterfactual;
    case Qt::ForegroundRole: {
        const core::ReplayStep *at = step(index.row());
        if ((index.column() == Simulated || index.column() == Decision) && at != nullptr && isAboveWindow(index.row()))
            return m_theme.hot;
        const bool isMain = index.column() == Number || index.column() == Recorded;
        if (kind.isOfReplay && at != nullptr && m_replay->compactsAt(static_cast<size_t>(index.row()))
            && index.column() >= Measured)
            return m_theme.accent;
        return isMain || index.column() == Simulated ? m_theme.text : m_theme.secondary;
    }
    default:
        return {};
    }
}

QVariant CallsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return title(section);
    case Qt::ToolTipRole:
        return toolTipText(tip(section));
    case Qt::TextAlignmentRole:
        return QVariant(
            static_cast<Qt::Alignment>((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    default:
        return {};
    }
}

QString CallsModel::tabSeparated(const QList<int> &rows) const
{
    QStringList columns;
    for (int column = 0; column < ColumnCount; ++column) {
        if (isShown(column))
            columns << title(column);
    }
    QString table = columns.join(u'\t') + u'\n';
    for (const int row : rows) {
        QStringList values;
        for (int column = 0; column < ColumnCount; ++column) {
            if (!isShown(column))
                continue;
            QString value = (this->*kindOf(column).text)(row);
            values << (isFigure(column) ? value.remove(u',') : value);
        }
        table += values.join(u'\t') + u'\n';
    }
    return table;
}

} // namespace ui
