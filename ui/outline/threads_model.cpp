// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/outline/threads_model.h"

#include "core/base/text.h"
#include "ui/look/theme.h"

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

void ThreadsModel::setContents(core::SessionPtr session, core::BlockTokensPtr tokens)
{
    beginResetModel();
    m_session = std::move(session);
    m_peaks.clear();
    if (m_session) {
        for (const core::Thread &thread : m_session->threads) {
            uint64_t peak = 0;
            for (const core::Call &call : thread.calls)
                peak = std::max(peak, call.usage ? call.usage->prompt() : 0);
            core::TokenFigure figure { static_cast<double>(peak), core::Basis::Exact };
            if (peak == 0) {
                figure.basis = core::Basis::Estimated;
                thread.end.forEach([&](core::BlockId id) { figure.value += tokens ? tokens->of(id) : 0.0; });
            }
            m_peaks.push_back(figure);
        }
    }
    endResetModel();
}

int ThreadsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_session ? 0 : static_cast<int>(m_session->threads.size());
}

QString ThreadsModel::title(const core::Thread &thread, int row) const
{
    if (!thread.title.empty())
        return displayText(thread.title);
    if (!thread.id.empty())
        return displayText(thread.id);
    return thread.kind == core::ThreadKind::Main ? tr("main thread") : tr("thread %1").arg(row);
}

QString ThreadsModel::detail(int row) const
{
    const core::Thread &thread = m_session->threads[static_cast<size_t>(row)];
    const QString kind = thread.kind == core::ThreadKind::Main ? tr("main")
        : thread.kind == core::ThreadKind::Subagent            ? tr("subagent")
                                                               : tr("run");
    return kind + u" · "_s + counted(thread.calls.size(), tr("call"), tr("calls")) + u" · "_s
        + tr("peak %1").arg(displayText(core::shown(m_peaks[static_cast<size_t>(row)])));
}

QVariant ThreadsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const core::Thread &thread = m_session->threads[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return title(thread, index.row());
    case DetailRole:
        return detail(index.row());
    case Qt::AccessibleTextRole:
        return title(thread, index.row()) + u", "_s + detail(index.row());
    case Qt::ToolTipRole:
        return toolTipText(title(thread, index.row()));
    default:
        return {};
    }
}

} // namespace ui
