// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edit_comment.h"

#include "core/edits/placed_patch.h"

#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QSignalBlocker>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kCommentHeight = 58; ///< three lines
constexpr int kLowHeight = 40;     ///< two lines, in a low page

} // namespace

EditComment::EditComment(EditReview &review, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_review(review)
{
    setObjectName(u"editComment"_s);
    setAccessibleName(tr("Comment on the edit"));
    setFont(Theme::textFont(12));
    setTabChangesFocus(true);
    setFixedHeight(kCommentHeight);
    setFrameShape(QFrame::NoFrame);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (m_edit)
            m_review.setComment(*m_edit, toPlainText().toStdString());
    });
    connect(&m_review, &EditReview::reviewedChanged, this, &EditComment::refresh);
    setEdit(std::nullopt);
}

void EditComment::setLow(bool isLow) { setFixedHeight(isLow ? kLowHeight : kCommentHeight); }

void EditComment::setEdit(std::optional<size_t> edit)
{
    m_edit = edit && m_review.found() && !m_review.found()->isOutside(*edit) ? edit : std::nullopt;
    setVisible(m_edit.has_value());
    refresh();
}

/// Overrides the window's Esc.
bool EditComment::event(QEvent *event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!isKey || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape)
        return QPlainTextEdit::event(event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        Q_EMIT left();
    return true;
}

void EditComment::refresh()
{
    refreshPlaceholder();
    const std::string known = m_edit && m_review.found() ? m_review.comment(*m_edit) : std::string();
    const std::string shown = toPlainText().toStdString();
    const bool isBlank = shown.find_first_not_of(" \t\n") == std::string::npos;
    if (known == shown || (known.empty() && isBlank && hasFocus()))
        return;
    const QSignalBlocker quiet(this);
    setPlainText(QString::fromStdString(known));
}

void EditComment::refreshPlaceholder()
{
    const bool isSentBack = m_edit && m_review.found() && m_review.isSentBack(*m_edit);
    setPlaceholderText(isSentBack
            ? tr("The edit is sent back. Write what the agent should change.")
            : tr("Comment on this edit. The comment goes into the patch and into Copy Comments."));
}

void EditComment::setTheme(const Theme &theme)
{
    setStyleSheet(u"QPlainTextEdit { background: %1; color: %2; border-top: 1px solid %3; padding: 2px 8px; }"_s.arg(
        theme.base.name(), theme.text.name(), theme.hairline.name()));
    QPalette palette = theme.palette();
    palette.setColor(QPalette::PlaceholderText, theme.secondary);
    setPalette(palette);
}

namespace {

/// The first lines of the change, for a reader who does not know the number of the edit; empty if it did not land or if
/// the log does not show its lines.
std::string quotedChange(const core::Edit &edit)
{
    constexpr int kMostLines = 12;
    const auto hunks = edit.outcome == core::EditOutcome::Landed ? core::placedHunks(edit.before.text, edit.after.text)
                                                                 : std::nullopt;
    std::string text;
    size_t from = 0;
    for (int line = 0; hunks && from < hunks->size() && line < kMostLines; ++line) {
        const size_t end = std::min(hunks->find('\n', from), hunks->size());
        text += "      " + hunks->substr(from, end - from) + "\n";
        from = end + 1;
    }
    return hunks && from < hunks->size() ? text + "      …\n" : text;
}

} // namespace

std::string commentsText(const EditReview &review, const std::vector<size_t> &edits)
{
    std::string text;
    for (const size_t edit : edits) {
        const core::Edit &each = review.found()->edit(edit);
        const core::Session &session = *review.found()->edits.session;
        text += "- " + each.path + ", edit #" + std::to_string(session.block(each.use).message.value());
        if (each.call.isValid())
            text += ", call " + std::to_string(each.call.value());
        if (each.outcome == core::EditOutcome::Failed)
            text += " (it failed)";
        const Verdict verdict = review.verdict(edit);
        text += verdict == Verdict::SentBack ? ", sent back" : verdict == Verdict::Reviewed ? ", reviewed" : "";
        const std::string comment = review.comment(edit);
        text += comment.empty() ? "" : ": ";
        for (const char c : comment)
            text += c == '\n' ? std::string("\n  ") : std::string(1, c);
        text += '\n' + quotedChange(each);
    }
    return text;
}

std::string commentsForPatch(const EditReview &review, const std::vector<size_t> &edits)
{
    const std::string text = commentsText(review, edits);
    std::string head;
    for (size_t from = 0; from < text.size();) {
        const size_t end = text.find('\n', from);
        head += "# " + text.substr(from, end - from) + "\n";
        from = end + 1;
    }
    return head.empty() ? head : "# Review comments\n" + head + "\n";
}

QString notesTitle(const EditReview &review)
{
    const size_t comments = review.found() ? review.commented().size() : 0;
    const size_t notes = review.found() ? review.noted().size() : 0;
    return notes == comments ? counted(comments, EditComment::tr("Comment"), EditComment::tr("Comments"))
                             : counted(notes, EditComment::tr("Review Note"), EditComment::tr("Review Notes"));
}

} // namespace ui
