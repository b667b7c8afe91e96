// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "core/tokens/weights.h"

#include <QAbstractListModel>

namespace ui {

/// The threads of a session: title, kind, calls and peak.
class ThreadsModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { DetailRole = Qt::UserRole + 1 };

    using QAbstractListModel::QAbstractListModel;

    void setContents(core::SessionPtr session, core::BlockTokensPtr tokens);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString title(const core::Thread &thread, int row) const;
    [[nodiscard]] QString detail(int row) const;

    core::SessionPtr m_session;
    std::vector<core::TokenFigure>
        m_peaks; ///< by thread: the largest recorded prompt, else the weight of the final array
};

} // namespace ui
