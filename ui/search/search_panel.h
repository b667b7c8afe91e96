// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"

class QLabel;
class QToolButton;
class QTreeView;

namespace ui {

class SearchDelegate;
class SearchLine;
class SearchModel;

/// The bottom panel with the filter line and the blocks that it finds in the whole session. A click on a row, or Enter
/// in the line, goes to the block. Without a query the panel explains the words of the line.
class SearchPanel final : public Panel {
    Q_OBJECT

public:
    explicit SearchPanel(ViewState &state, QWidget *parent = nullptr);
    ~SearchPanel() override;

    void waitForContent() override;
    /// Small, because the tallest tab sets the least height of the area.
    [[nodiscard]] QSize minimumSizeHint() const override { return { 300, 80 }; }
    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    void makeParts();
    void connectAll();
    void refresh();
    void takeTools();
    void follow();
    void makeCurrent(int row);
    void step(int rows);
    /// Goes to the current row, or from there to the next or previous one.
    void choose(bool isBackward);
    void goTo(int row);
    void sizeColumns();
    void applyTheme();
    [[nodiscard]] QString summary() const;
    void paintWords(QPainter &painter) const;

    ViewState &m_state;
    SearchModel *m_model;
    SearchDelegate *m_delegate;
    SearchLine *m_line;
    QToolButton *m_recent;
    QLabel *m_summary;
    QTreeView *m_table;
    core::SessionPtr m_toolsOf;
    bool m_isMistaken = false; ///< as painted
};

} // namespace ui
