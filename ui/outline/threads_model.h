// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/money/cost.h"
#include "core/session/thread_tree.h"
#include "core/tokens/array_sums.h"

#include <QAbstractListModel>

namespace ui {

/// The threads of a session, each below the one that started it: what it was for, when it began, what it sent, the
/// tokens of its results in the thread that started it, and its cost.
class ThreadsModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        DetailRole = Qt::UserRole + 1,
        FiguresRole, ///< calls, peak, cost
        DepthRole,
    };

    using QAbstractListModel::QAbstractListModel;

    /// `sums` by thread; nullptr until known.
    void setContents(core::SessionPtr session, core::BlockTokensPtr tokens, core::SessionSumsPtr sums);
    /// The recorded cost of all calls of the session.
    void setCost(const core::SessionCost &cost);

    [[nodiscard]] core::ThreadIndex thread(int row) const { return m_tree[static_cast<size_t>(row)].thread; }
    [[nodiscard]] int rowOf(core::ThreadIndex thread) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString title(const core::ThreadNode &node) const;
    [[nodiscard]] QString detail(const core::ThreadNode &node) const;
    [[nodiscard]] QString figures(const core::ThreadNode &node) const;

    core::SessionPtr m_session;
    core::BlockTokensPtr m_tokens;
    core::SessionSumsPtr m_sums;
    std::vector<core::ThreadNode> m_tree;
    std::vector<std::optional<double>> m_costs; ///< by thread, in dollars; with the threads below it
    double m_cost = 0;                          ///< of the session
};

} // namespace ui
