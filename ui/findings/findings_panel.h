// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/finding.h"
#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"

class QLabel;
class QToolButton;
class QTreeView;

namespace ui {

class BetterPolicyBar;
class FindingsDelegate;
class FindingsModel;

/// The bottom panel with what went wrong in the session, the most important first. A click on a row goes to its first
/// place, a click on a link to that place.
class FindingsPanel final : public Panel {
    Q_OBJECT

public:
    explicit FindingsPanel(ViewState &state, QWidget *parent = nullptr);
    ~FindingsPanel() override;

    void waitForContent() override;
    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    /// Lists the findings that are too small for the list, or the list again.
    void showSmaller(bool isShown);
    /// Selects the row of a finding and brings the panel to the front.
    void showFinding(size_t finding);
    void applyTheme();
    void sizeColumns();
    void onClicked(const QModelIndex &index);
    /// Shows the place of a link of a finding.
    void follow(const core::Finding &finding, const core::FindingLink &link);
    bool tryPolicy(const core::Finding &finding);
    bool followByKey(const QKeyEvent *event);

    ViewState &m_state;
    FindingsModel *m_model;
    FindingsDelegate *m_delegate;
    QLabel *m_summary;
    QToolButton *m_smaller; ///< to the smaller findings and back
    BetterPolicyBar *m_better;
    QTreeView *m_table;
    QPoint m_place; ///< of the last press in the table
};

} // namespace ui
