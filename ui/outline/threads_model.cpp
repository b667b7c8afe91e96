// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/outline/threads_model.h"

#include "core/base/text.h"
#include "core/report/document_parts.h"
#include "ui/look/theme.h"

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

void ThreadsModel::setContents(core::SessionPtr session, core::BlockTokensPtr tokens, core::SessionSumsPtr sums)
{
    beginResetModel();
    m_session = std::move(session);
    m_tokens = std::move(tokens);
    m_sums = std::move(sums);
    m_tree = m_session ? core::threadTree(*m_session) : std::vector<core::ThreadNode>();
    m_costs.clear();
    endResetModel();
}

void ThreadsModel::setCost(const core::SessionCost &cost)
{
    m_costs.assign(m_session ? m_session->threads.size() : 0, std::nullopt);
    m_cost = cost.recorded;
    const auto add = [&](core::ThreadIndex thread, double money) {
        std::optional<double> &sum = m_costs[thread.index()];
        sum = sum.value_or(0) + money;
    };
    for (const core::CallCost &call : cost.calls) {
        if (call.recorded && call.position.thread.index() < m_costs.size())
            add(call.position.thread, *call.recorded);
    }
    for (size_t i = m_tree.size(); i-- > 0;) { // those below first
        const core::ThreadNode &node = m_tree[i];
        if (const std::optional<double> &own = m_costs[node.thread.index()]; own && node.depth > 0)
            add(node.startedAt.thread, *own);
    }
    if (!m_tree.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

int ThreadsModel::rowOf(core::ThreadIndex thread) const
{
    const auto node = std::ranges::find(m_tree, thread, &core::ThreadNode::thread);
    return node == m_tree.end() ? -1 : static_cast<int>(node - m_tree.begin());
}

int ThreadsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_tree.size());
}

QString ThreadsModel::title(const core::ThreadNode &node) const
{
    const core::Thread &thread = m_session->thread(node.thread);
    if (!thread.title.empty())
        return displayText(thread.title);
    if (!thread.id.empty())
        return displayText(thread.id);
    return thread.kind == core::ThreadKind::Main ? tr("main thread") : tr("thread %1").arg(node.thread.value());
}

QString ThreadsModel::detail(const core::ThreadNode &node) const
{
    const core::Thread &thread = m_session->thread(node.thread);
    QString text = thread.kind == core::ThreadKind::Main ? tr("main thread")
        : thread.kind == core::ThreadKind::Subagent      ? tr("subagent")
                                                         : tr("run");
    if (node.startedAt.call.isValid())
        text = tr("subagent of call %1").arg(node.startedAt.call.value());
    if (!node.returned.empty() && m_tokens) {
        core::TokenFigure returned;
        for (const core::BlockId id : node.returned)
            returned.value += m_tokens->of(id);
        text += u" · "_s + tr("results %1").arg(displayText(core::shown(returned)));
    }
    if (!thread.compactions.empty())
        text += u" · "_s + counted(thread.compactions.size(), tr("compaction"), tr("compactions"));
    return text;
}

QString ThreadsModel::figures(const core::ThreadNode &node) const
{
    const core::Thread &thread = m_session->thread(node.thread);
    QString text = counted(thread.calls.size(), tr("call"), tr("calls"));
    if (m_sums && node.thread.index() < m_sums->size()) {
        const core::ArraySums &sums = *(*m_sums)[node.thread.index()];
        const auto peak = std::ranges::max_element(sums.calls, {}, &core::ArraySum::value);
        const core::TokenFigure figure = peak == sums.calls.end() ? sums.end.total() : peak->total();
        text += u" · "_s + tr("peak %1").arg(displayText(core::shown(figure)));
    }
    if (node.thread.index() < m_costs.size() && m_costs[node.thread.index()]) {
        const double cost = *m_costs[node.thread.index()];
        text += u" · "_s + displayText(core::dollars(cost));
        if (m_tree.size() > 1 && m_cost > 0)
            text += u", "_s + displayText(core::wholeShareText(cost / m_cost));
    }
    return text;
}

QVariant ThreadsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const core::ThreadNode &node = m_tree[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return title(node);
    case DetailRole:
        return detail(node);
    case FiguresRole:
        return figures(node);
    case DepthRole:
        return node.depth;
    case Qt::AccessibleTextRole:
        return title(node) + u", "_s + detail(node) + u", "_s + figures(node);
    case Qt::ToolTipRole:
        return toolTipText(title(node) + u"\n"_s + detail(node) + u"\n"_s + figures(node) + u"\n"_s
            + tr("A row shows what its thread and the subagents below the row cost, in dollars and as a share of the "
                 "session's cost."));
    default:
        return {};
    }
}

} // namespace ui
