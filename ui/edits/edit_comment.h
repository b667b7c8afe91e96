// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_review.h"
#include "ui/look/theme.h"

#include <QPlainTextEdit>

#include <optional>

namespace ui {

/// The field for a comment on an edit. Every change is stored with the review at once.
class EditComment final : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit EditComment(EditReview &review, QWidget *parent = nullptr);

    /// Fewer lines, for a page with little height.
    void setLow(bool isLow);
    /// Hidden without an edit, and for changes outside of the log.
    void setEdit(std::optional<size_t> edit);
    void setTheme(const Theme &theme);

Q_SIGNALS:
    void left(); ///< with Esc

protected:
    bool event(QEvent *event) override;

private:
    /// Shows the comment as the review has it, for example after an undo step.
    void refresh();
    void refreshPlaceholder();

    EditReview &m_review;
    std::optional<size_t> m_edit;
};

/// The comments on some edits, and which of these are sent back, one line each or more, for the agent or a colleague:
/// `- src/parse.py, edit #41, call 57, sent back: Keep the old name.` Empty without edits.
[[nodiscard]] std::string commentsText(const EditReview &review, const std::vector<size_t> &edits);
/// The same as lines that `git apply` ignores, for the head of a patch.
[[nodiscard]] std::string commentsForPatch(const EditReview &review, const std::vector<size_t> &edits);
/// `2 Comments`; `3 Review Notes` if an edit is sent back without a comment.
[[nodiscard]] QString notesTitle(const EditReview &review);

} // namespace ui
