// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_groups.h"
#include "ui/widgets/segmented_control.h"

#include <QWidget>

#include <optional>

class QLineEdit;
class QPushButton;
class QTreeView;

namespace ui {

class EditsDelegate;
class EditsModel;

/// The left side of the Edits view: all edits by file, time, basis or state, a filter, and the folder that they are
/// held against.
class EditsList final : public QWidget {
    Q_OBJECT

public:
    explicit EditsList(EditReview &review, QWidget *parent = nullptr);

    [[nodiscard]] EditsModel &model() const { return *m_model; }
    [[nodiscard]] QTreeView *view() const { return m_view; }
    void setGrouping(EditGrouping grouping);
    /// Shows the row of an edit as the current one, opening its group, without a word to anybody.
    void select(std::optional<size_t> edit);

    /// Lists the edits anew.
    void refresh();
    /// The bases or the states of edits are others.
    void refreshFacts();
    void refreshWords();
    void refreshFolder();
    void setTheme(const Theme &theme);
    /// As high as the row above the list.
    [[nodiscard]] int headHeight() const { return m_by->sizeHint().height(); }

Q_SIGNALS:
    void chosen(size_t edit); ///< by the person
    void showRequested();     ///< of the current edit, in the array
    void reviewedToggled();   ///< of the current edit
    void copyRequested();
    void folderRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeParts();
    void connectAll();
    void regroup();
    void makeCurrent(const QModelIndex &index);
    /// Folds or opens a group. The title of a folded group is current for its edits.
    void setFolded(const QModelIndex &group, bool isFolded);
    void scrollToCurrent();
    bool handleKey(QKeyEvent *event);
    bool foldByKey(int key);
    void toggleReviewed();
    bool handlePress(const QMouseEvent *event);

    EditReview &m_review;
    EditsModel *m_model;
    EditsDelegate *m_delegate;
    SegmentedControl *m_by;
    QLineEdit *m_filter;
    QTreeView *m_view;
    QPushButton *m_folder;
    std::optional<size_t> m_edit; ///< of the current row, unless it is filtered out
    bool m_isSelecting = false;   ///< the current row changes because we say so
};

} // namespace ui
