// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"

class QLabel;
class QSortFilterProxyModel;
class QTreeView;

namespace ui {

class TypedDelegate;
class TypedModel;

/// The bottom panel with the messages that the user typed in the shown thread: where each is over the calls. A click
/// selects the message at the chosen call or, if it is not there, at the last call whose array contains it.
class TypedPanel final : public Panel {
    Q_OBJECT

public:
    explicit TypedPanel(ViewState &state, QWidget *parent = nullptr);
    ~TypedPanel() override;

    [[nodiscard]] QString whyEmpty() const override;
    void waitForContent() override;
    /// Small, because the tallest tab sets the least height of the area.
    [[nodiscard]] QSize minimumSizeHint() const override { return { 300, 80 }; }
    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void comeIntoSight() override;
    void paintEvent(QPaintEvent *event) override;

private:
    void refresh();
    void refreshCall();
    void follow();
    void choose(const QModelIndex &index);
    void sizeColumns();
    void applyTheme();
    /// The number of the chosen call; that of the end is the number of calls.
    [[nodiscard]] uint32_t chosenCall() const;

    ViewState &m_state;
    core::InContext m_atEnd;
    TypedModel *m_model;
    QSortFilterProxyModel *m_sorted;
    TypedDelegate *m_delegate;
    QLabel *m_summary;
    QTreeView *m_table;
};

} // namespace ui
