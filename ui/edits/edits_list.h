// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/needle.h"
#include "ui/edits/edit_groups.h"
#include "ui/hub/job.h"
#include "ui/hub/session_search.h"
#include "ui/widgets/segmented_control.h"

#include <QWidget>

#include <array>
#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QTreeView;

namespace ui {

class EditsDelegate;
class EditsModel;

/// The left side of the Edits view: all edits by file, time, basis or state, a filter, and the folder that edits are
/// compared with.
class EditsList final : public QWidget {
    Q_OBJECT

public:
    EditsList(EditReview &review, const SessionSearch &search, QWidget *parent = nullptr);

    [[nodiscard]] EditsModel &model() const { return *m_model; }
    [[nodiscard]] QTreeView *view() const { return m_view; }
    void setGrouping(EditGrouping grouping);
    /// Makes the row of an edit current and opens its group, without a signal.
    void select(std::optional<size_t> edit);

    /// Reloads the list.
    void refresh();
    /// Updates bases and states.
    void refreshFacts();
    void refreshWords();
    void refreshFolder();
    /// What is said of the matches in the shown diff: `match 2 of 5`; empty if words are not sought.
    void setMatchWords(const QString &words);
    /// For pictures and tests: waits until all edits are searched.
    void waitForSearch() { m_search.wait(); }
    void setTheme(const Theme &theme);
    /// Ticks an edit, and goes to the next that is not reviewed; or takes its tick away.
    void tickAndGoOn(size_t edit);
    /// Sends an edit back, and goes to the next that is open, or asks for a comment if there is none; or takes the mark
    /// away.
    void sendBackAndGoOn(size_t edit);

Q_SIGNALS:
    void chosen(size_t edit); ///< by the user
    void showRequested();     ///< asks to show the current edit in the array
    void reviewedToggled();   ///< for the current edit
    void sentBackToggled();   ///< for the current edit
    void commentRequested();  ///< for the current edit
    void copyRequested();
    void folderRequested();
    void sought(const std::vector<core::Needle> &needles); ///< the words of the filter have changed
    void stepRequested(int direction);                     ///< to the next match, or with -1 to the previous one

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeParts();
    void connectAll();
    [[nodiscard]] EditFates chosenStates() const;
    /// Filters by state and path at once, and by the calls and diffs of the edits once they have been searched.
    void search();
    [[nodiscard]] QToolButton *makeStep(const QString &name, Qt::ArrowType arrow, const QString &tip, int direction);
    void refreshFound();
    /// The states to choose from, with the number of edits in each.
    void refreshStates();
    void regroup();
    void makeCurrent(const QModelIndex &index);
    void goOn(size_t edit);
    /// Collapses or expands a group. While collapsed, the title is the current row for its edits.
    void setFolded(const QModelIndex &group, bool isFolded);
    void scrollToCurrent();
    bool handleKey(QKeyEvent *event);
    bool foldByKey(int key);
    void toggleReviewed(bool goesOn);
    bool handlePress(const QMouseEvent *event);

    EditReview &m_review;
    const SessionSearch &m_sought; ///< knows what lines are searched in
    EditsModel *m_model;
    EditsDelegate *m_delegate;
    SegmentedControl *m_by;
    QLineEdit *m_filter;
    QWidget *m_foundRow; ///< below the filter, if there is something to show
    SegmentedControl *m_state;
    std::vector<EditFates> m_states { kAllFates }; ///< that can be chosen
    QLabel *m_found;
    std::array<QToolButton *, 2> m_steps {};
    QString m_matchWords;
    QTreeView *m_view;
    QPushButton *m_folder;
    std::optional<size_t> m_edit; ///< the edit of the current row, unless it is filtered out
    bool m_isSelecting = false;   ///< we are changing the current row
    bool m_asksForHot = false;    ///< the filter does
    Job<std::optional<std::vector<size_t>>> m_search;
};

} // namespace ui
