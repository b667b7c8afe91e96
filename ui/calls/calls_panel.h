// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"

class QLabel;
class QTreeView;

namespace ui {

class CallsDelegate;
class CallsModel;

/// The bottom panel with a row for every call: recorded figures, those of the chosen policy, and whether it acted.
/// Choosing a row chooses the call. Filled only while it is in sight.
class CallsPanel final : public Panel {
    Q_OBJECT

public:
    explicit CallsPanel(ViewState &state, QWidget *parent = nullptr);
    ~CallsPanel() override;

    /// Copies the selected rows to the clipboard, separated by tabs, with a header line.
    void copy();
    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void comeIntoSight() override;
    void paintEvent(QPaintEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    /// The inputs of the rows.
    struct Ground {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::ThreadIndex thread;
        friend bool operator==(const Ground &, const Ground &) = default;
    };

    void refresh();
    void takeReplay();
    void takeFigures();
    void refreshSummary();
    [[nodiscard]] QStringList moneyWords() const;
    void applyTheme();
    void sizeColumns();
    void follow();
    void choose(const QModelIndex &index);
    /// The heaviest tool call of the answer to a call, else its heaviest block; invalid without an answer.
    [[nodiscard]] core::BlockId answerOf(int row) const;

    ViewState &m_state;
    Ground m_ground;
    CallsModel *m_model;
    CallsDelegate *m_delegate;
    QLabel *m_summary;
    QTreeView *m_table;
    QAction *m_copy;
    bool m_isFollowing = false;
};

} // namespace ui
