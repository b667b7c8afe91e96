// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/panel.h"

#include <QAbstractItemView>
#include <QMenu>

namespace ui {

void Panel::offerRowMenu(QAbstractItemView &view, std::function<void(const QModelIndex &)> choose)
{
    view.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&view, &QWidget::customContextMenuRequested, this,
        [this, &view, choose = std::move(choose)](const QPoint &place) {
            const QModelIndex index = view.indexAt(place);
            if (!index.isValid() || m_rowActions.isEmpty())
                return;
            choose(index);
            auto *menu = new QMenu(this);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->addActions(m_rowActions);
            menu->popup(view.viewport()->mapToGlobal(place));
        });
}

} // namespace ui
