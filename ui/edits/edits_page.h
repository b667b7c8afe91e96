// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_diff.h"
#include "ui/edits/edit_review.h"
#include "ui/edits/edits_list.h"
#include "ui/hub/view_state.h"

#include <QWidget>

#include <optional>

class QSplitter;
class QToolButton;
class QTreeView;

namespace ui {

class EditComment;
class EditDetails;
class EditsModel;
class FactsLine;
class WrappedLabel;

/// The Edits view: at the left all file changes by file, time, basis or state, and the basis of one; at the right its
/// diff. Choosing an edit selects its slot in all views; choosing a slot that made an edit chooses the edit.
class EditsPage final : public QWidget {
    Q_OBJECT

public:
    explicit EditsPage(ViewState &state, QWidget *parent = nullptr);
    ~EditsPage() override;

    [[nodiscard]] EditReview &review() { return m_review; }
    [[nodiscard]] DiffView *diffView() const { return m_diff; }
    [[nodiscard]] EditsModel &model() const { return m_list->model(); }
    [[nodiscard]] QTreeView *list() const { return m_list->view(); }

    /// The edit whose diff is shown; nullopt without edits.
    [[nodiscard]] std::optional<size_t> current() const { return m_current; }
    /// Shows an edit and selects its slot in all views.
    void choose(size_t edit, DiffStart start = DiffStart::First);
    /// Shows an edit by its number, once the edits are found; says so if there is none.
    void showNumber(size_t edit);
    /// Shows the edit that a block made; false if it made none.
    bool showEditOf(core::BlockId block);
    [[nodiscard]] EditScope scope() const { return m_scope; }
    void setScope(EditScope scope);
    void setGrouping(EditGrouping grouping) { m_list->setGrouping(grouping); }

    /// Goes to the next difference, or to the first difference of the next edit; -1 goes backwards.
    void step(int direction);
    /// Goes to the next edit in the list; -1 goes backwards.
    void stepEdit(int direction);
    /// Goes to the next match of the words in the filter: in the diff, then in the next edit; -1 goes backwards.
    void stepMatch(int direction);
    [[nodiscard]] bool isFinding() const;
    void toggleReviewed();
    /// Sends the current edit back to the agent, or takes this mark away.
    void toggleSentBack();
    /// Gives the focus to the field for the comment on the current edit.
    void writeComment();
    /// Opens a dialog for the folder that edits are compared with.
    void chooseFolder();
    /// Makes a patch of the shown diff in a job, for `git apply` in the session's working folder, and copies it to the
    /// clipboard or a file. The view lists edits that the patch leaves out.
    void copyPatch();
    /// Copies all comments on edits, for the agent or a colleague.
    void copyComments();
    /// Says how many there are on the button that copies them.
    void countComments();
    void savePatch(const QString &path);
    void chooseSavePlace();
    /// Selects the block that the edit is based on, as recorded.
    void showBasis();
    void setListActions(const QList<QAction *> &actions);
    /// For pictures and tests: loads everything as if the page were visible, and waits for it.
    void waitForContent();

    [[nodiscard]] QSize minimumSizeHint() const override { return { 300, 250 }; }

Q_SIGNALS:
    /// Asks the window to focus the array at the slot of the current edit.
    void showInArrayRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeListSide();
    QWidget *makeDiffSide();
    void makeButtons(QWidget *parent);
    void connectAll();
    void takeEdits();
    void takeFacts();
    void takeReviewed();
    void follow();
    /// Shows the edit of the current slot, else the first edit, so that the page never opens empty.
    void begin();
    void showWantedNumber();
    void showEdit(size_t edit, DiffStart start = DiffStart::First);
    void showDiff(DiffStart start = DiffStart::First);
    [[nodiscard]] std::optional<size_t> nextEdit(int direction) const;
    /// Beyond the last difference: into the next edit.
    void goOn(int direction);
    void sayMatches();
    void jumpTo(core::BlockId block);
    void jumpToMessage(core::MessageId message);
    /// Whether a mark would be set on an edit that is seen; else says why not.
    [[nodiscard]] bool canMark();
    /// Why no edit can be marked in a diff of several.
    [[nodiscard]] static QString scopeReason();
    void makePatch(const std::function<core::Result<void>(const std::string &)> &take, const QString &done);
    /// `tip`: longer words for the tooltip.
    void say(const QString &sentence, bool isProblem, const QString &tip = {});
    void refreshHead();
    void refreshMarks();
    void fitParts();
    void applyTheme();
    [[nodiscard]] QString emptyWords() const;

    ViewState &m_state;
    EditReview m_review;
    WrappedLabel *m_summary;
    QSplitter *m_splitter;
    EditsList *m_list;
    FactsLine *m_facts;
    SegmentedControl *m_scopes;
    DiffView *m_diff;
    EditDetails *m_details;
    EditComment *m_comment;
    QToolButton *m_copyComments;
    QToolButton *m_reviewed;
    QToolButton *m_sentBack;
    QToolButton *m_show;
    QToolButton *m_patch;
    WrappedLabel *m_said;

    std::optional<size_t> m_current;
    std::optional<size_t> m_number;   ///< the edit to show when they are found
    std::optional<EditName> m_wanted; ///< the shown edit before the session was reloaded
    EditScope m_scope = EditScope::Edit;
    /// Inputs of the diff; the diff is kept while they are equal.
    struct Shown {
        FoundEditsPtr found;
        size_t edit = 0;
        EditScope scope = EditScope::Edit;
        friend bool operator==(const Shown &, const Shown &) = default;
    };
    std::optional<Shown> m_shown;
    Job<core::Result<core::CumulatedPatch>> m_patchJob;
    bool m_isFollowing = false; ///< the edit is changing to follow the current block
    bool m_isActing = false;    ///< the current block is changing to follow the edit
};

} // namespace ui
