// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"

class QLabel;
class QPlainTextEdit;
class QSplitter;
class QTreeView;

namespace ui {

class BookmarksModel;

/// The bottom panel with the bookmarks of the session and, at the right, the note on the one that is current. A click
/// on a row goes to its message.
class BookmarksPanel final : public Panel {
    Q_OBJECT

public:
    explicit BookmarksPanel(ViewState &state, QWidget *parent = nullptr);
    ~BookmarksPanel() override;

    /// Gives the note of the current block's message the focus.
    void editNote();
    [[nodiscard]] QString whyEmpty() const override;
    void waitForContent() override;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 300, 80 }; }
    [[nodiscard]] QSize sizeHint() const override { return { 900, 240 }; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void makeParts();
    void refresh();
    /// Makes the row of the current block current.
    void follow();
    /// -1 for no row.
    void makeCurrent(int number);
    /// Shows the note of the current row, unless it is being typed.
    void showNote();
    void goTo(const QModelIndex &index);
    [[nodiscard]] core::BlockId currentPlace() const;
    void sizeColumns();
    void applyTheme();

    ViewState &m_state;
    BookmarksModel *m_model;
    QSplitter *m_splitter;
    QTreeView *m_table;
    QPlainTextEdit *m_note;
    QLabel *m_lost;
};

} // namespace ui
