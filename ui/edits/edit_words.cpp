// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edit_words.h"

#include "core/base/text.h"
#include "ui/text/text_look.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ui::EditWords)
};

EditFate fateOf(core::EditState state)
{
    switch (state) {
    case core::EditState::Landed:
        return EditFate::Landed;
    case core::EditState::LandedAndChanged:
        return EditFate::ChangedSince;
    case core::EditState::Reverted:
        return EditFate::Reverted;
    case core::EditState::NeverLanded:
        return EditFate::NeverLanded;
    case core::EditState::Unknown:
        return EditFate::Unknown;
    }
    return EditFate::Unknown;
}

QString reasonWords(core::UnpatchedFile::Reason reason)
{
    return reason == core::UnpatchedFile::Reason::Elsewhere ? Words::tr("it is outside the working folder")
                                                            : displayText(core::sentenceOf(reason));
}

} // namespace

EditFate fateOf(const EditReview &review, size_t edit)
{
    const core::Edit &each = review.found()->edit(edit);
    if (each.origin == core::EditOrigin::Outside)
        return EditFate::Outside;
    switch (each.outcome) {
    case core::EditOutcome::Failed:
        return EditFate::Failed;
    case core::EditOutcome::Interrupted:
        return EditFate::Interrupted;
    case core::EditOutcome::Untold:
        return EditFate::Unknown;
    case core::EditOutcome::Landed:
        break;
    }
    const core::EditStanding *standing = review.standing(edit);
    const EditFate fate = standing == nullptr ? EditFate::Landed : fateOf(standing->state);
    const bool isFound = standing != nullptr && (fate == EditFate::Landed || fate == EditFate::Reverted);
    const core::RemainsKind remains = review.found()->remains[edit].kind;
    return isFound                               ? fate
        : remains == core::RemainsKind::Replaced ? EditFate::Replaced
        : remains == core::RemainsKind::Deleted  ? EditFate::Deleted
                                                 : fate;
}

QString wordOf(EditFate fate)
{
    switch (fate) {
    case EditFate::Reverted:
        return Words::tr("reverted");
    case EditFate::NeverLanded:
        return Words::tr("never landed");
    case EditFate::Failed:
        return Words::tr("failed");
    case EditFate::Interrupted:
        return Words::tr("interrupted");
    case EditFate::ChangedSince:
        return Words::tr("changed since");
    case EditFate::Unknown:
        return Words::tr("unknown");
    case EditFate::Landed:
        return Words::tr("landed");
    case EditFate::Replaced:
        return Words::tr("replaced");
    case EditFate::Deleted:
        return Words::tr("deleted");
    case EditFate::Outside:
        return Words::tr("outside the log");
    }
    return {};
}

QString fateWords(const EditReview &review, size_t edit)
{
    const EditFate fate = fateOf(review, edit);
    const core::EditRemains &remains = review.found()->remains[edit];
    QString later = displayText(core::remainsText(review.found()->edits, edit, remains));
    if (isGone(fate))
        return later;
    const bool isPart = fate == EditFate::Landed && remains.kind == core::RemainsKind::Part;
    return isPart ? wordOf(fate) + u", "_s + later : wordOf(fate);
}

namespace {

/// Of an edit that landed and was not checked, or that is still there.
QString landedSentence(EditFate fate, core::RemainsKind kind, const QString &later)
{
    using core::RemainsKind;
    if (fate == EditFate::Deleted)
        return Words::tr("The edit landed. Later the session deleted the file (%1): none of the new lines is left.")
            .arg(later);
    if (fate == EditFate::Replaced)
        return Words::tr("The edit landed. Later it was %1: none of its new lines is left.").arg(later);
    if (kind == RemainsKind::Part)
        return Words::tr("The edit landed. Later it was %1.").arg(later);
    if (kind == RemainsKind::Whole)
        return Words::tr("The edit landed, and %1.").arg(later);
    if (kind == RemainsKind::Unknown)
        return Words::tr("The edit landed. It is %1.").arg(later);
    return Words::tr("The edit landed.");
}

} // namespace

QString fateSentence(const EditReview &review, size_t edit)
{
    const EditFate fate = fateOf(review, edit);
    const core::EditRemains &remains = review.found()->remains[edit];
    switch (fate) {
    case EditFate::Landed:
    case EditFate::Replaced:
    case EditFate::Deleted:
        return landedSentence(fate, remains.kind, displayText(core::remainsText(review.found()->edits, edit, remains)));
    case EditFate::ChangedSince:
        return Words::tr("The edit landed. Later the file changed, and some of the new lines are gone.");
    case EditFate::Reverted:
        return Words::tr("The edit landed. Later the file got the old text back.");
    case EditFate::NeverLanded:
        return Words::tr("The log reports the edit, but its text is in no file, commit or other git object.");
    case EditFate::Failed:
        return Words::tr("The edit failed: the tool reported an error.");
    case EditFate::Interrupted:
        return Words::tr("The user refused or stopped the edit, or the log shows no result of it.");
    case EditFate::Unknown:
        return Words::tr("Whether the edit is in the file is not known.");
    case EditFate::Outside:
        return Words::tr("No logged tool call explains this change.");
    }
    return {};
}

QColor colourOf(EditFate fate, const Theme &theme)
{
    switch (fate) {
    case EditFate::Reverted:
    case EditFate::NeverLanded:
    case EditFate::Failed:
    case EditFate::Interrupted:
        return theme.hot;
    case EditFate::ChangedSince:
        return legible(theme.of(core::Material::Arguments), theme.accentGround);
    case EditFate::Landed:
        return legible(theme.of(core::Material::Bulk), theme.accentGround);
    case EditFate::Unknown:
    case EditFate::Replaced:
    case EditFate::Deleted:
    case EditFate::Outside:
        break;
    }
    return theme.secondary;
}

QString numberOf(const core::Session &session, core::BlockId block)
{
    const bool hasOne = block.isValid() && session.block(block).message.isValid();
    return hasOne ? u"#%1"_s.arg(session.block(block).message.value()) : QString();
}

QString basisWords(const EditReview &review, size_t edit)
{
    const core::EditBasis *basis = review.basis(edit);
    return basis == nullptr ? QString() : displayText(core::basisText(*review.found()->edits.session, *basis));
}

QString planBasisWords(const EditReview &review, size_t edit)
{
    const core::EditBasis *basis = review.planBasis(edit);
    return basis == nullptr ? QString() : displayText(core::basisText(*review.found()->edits.session, *basis));
}

QString outsideWords(const FoundEdits &found, size_t edit)
{
    const core::Session &session = *found.edits.session;
    const QString since = numberOf(session, found.edit(edit).use);
    const QString until = numberOf(session, found.edit(edit).result);
    return since.isEmpty() ? Words::tr("changed outside the log before %1").arg(until)
                           : Words::tr("changed outside the log between %1 and %2").arg(since, until);
}

QString deedWords(const core::Edit &edit)
{
    const bool isNew = edit.before.isAbsent && !edit.after.isAbsent;
    switch (edit.kind) {
    case core::ChangeKind::Replace:
        return Words::tr("replace");
    case core::ChangeKind::Insert:
        return Words::tr("insert");
    case core::ChangeKind::Write:
        return isNew ? Words::tr("write, new file") : Words::tr("write");
    case core::ChangeKind::Append:
        return isNew ? Words::tr("append, new file") : Words::tr("append");
    case core::ChangeKind::Patch:
        return isNew ? Words::tr("patch, new file") : Words::tr("patch");
    case core::ChangeKind::Delete:
        return Words::tr("delete");
    case core::ChangeKind::Move:
        return Words::tr("move to %1").arg(displayText(edit.movedTo));
    case core::ChangeKind::Copy:
        return Words::tr("copy of %1").arg(displayText(edit.copiedFrom));
    case core::ChangeKind::Rewrite:
        if (edit.command.empty())
            return Words::tr("rewrite");
        if (!edit.isAfterSeen && edit.after.isKnown())
            return Words::tr("changed by %1").arg(displayText(edit.command));
        return edit.isAfterSeen
            ? Words::tr("changed by %1; the new text is from a later read").arg(displayText(edit.command))
            : Words::tr("changed by %1, the log does not show how").arg(displayText(edit.command));
    }
    return {};
}

QString countWords(QChar sign, uint64_t lines, bool isExact)
{
    if (!isExact && lines == 0)
        return QString(sign) + u'?';
    return (isExact ? QString(sign) : QString(u'\u2265') + sign) + displayText(core::groupedNumber(lines));
}

namespace {

/// The edits by state.
QString foundWords(const EditReview &review)
{
    const FoundEdits &found = *review.found();
    std::array<size_t, kEditFateCount> counts {};
    std::unordered_set<std::string_view> files;
    for (size_t i = 0; i < found.count(); ++i) {
        ++counts[static_cast<size_t>(fateOf(review, i))];
        files.insert(found.edit(i).path);
    }
    QStringList words { Words::tr("%1 in %2")
            .arg(counted(found.ownCount, Words::tr("edit"), Words::tr("edits")),
                counted(files.size(), Words::tr("file"), Words::tr("files"))) };
    constexpr std::array kOrder { EditFate::Landed, EditFate::Replaced, EditFate::Deleted, EditFate::ChangedSince,
        EditFate::Reverted, EditFate::NeverLanded, EditFate::Failed, EditFate::Interrupted, EditFate::Unknown };
    for (const EditFate fate : kOrder) {
        if (const size_t count = counts[static_cast<size_t>(fate)]; count > 0)
            words << u"%1 %2"_s.arg(groupedText(count), wordOf(fate));
    }
    if (const size_t outside = counts[static_cast<size_t>(EditFate::Outside)]; outside > 0)
        words << Words::tr("and %1 outside the log").arg(counted(outside, Words::tr("change"), Words::tr("changes")));
    return words.join(u" · "_s);
}

QString reviewWords(size_t own, size_t reviewed, size_t comments, size_t sentBack)
{
    QStringList words { Words::tr("%1 of %2 reviewed").arg(groupedText(reviewed), groupedText(own)) };
    if (comments > 0)
        words << counted(comments, Words::tr("comment"), Words::tr("comments"));
    if (sentBack > 0)
        words << Words::tr("%1 sent back").arg(groupedText(sentBack));
    return words.join(u" · "_s);
}

} // namespace

QString summaryWords(const EditReview &review)
{
    if (!review.found())
        return {};
    const size_t own = review.found()->ownCount;
    const QString found = foundWords(review);
    return own == 0
        ? found
        : found + u'\n' + reviewWords(own, review.reviewedCount(), review.commented().size(), review.sentBackCount());
}

QString longestSummaryWords(const EditReview &review)
{
    if (!review.found())
        return {};
    const size_t own = review.found()->ownCount;
    return own == 0 ? foundWords(review) : foundWords(review) + u'\n' + reviewWords(own, own, own, own);
}

namespace {

/// At most so many names, and how many more there are.
QString namesWords(const QStringList &names, size_t most)
{
    const auto shown = static_cast<qsizetype>(most);
    const QString words = names.first(std::min(shown, names.size())).join(u", "_s);
    return names.size() <= shown
        ? words
        : Words::tr("%1 and %n more", nullptr, static_cast<int>(names.size() - shown)).arg(words);
}

} // namespace

QString leftOutWords(const core::CumulatedPatch &patch, size_t mostNames)
{
    std::vector<std::pair<core::UnpatchedFile::Reason, QStringList>> reasons;
    for (const core::UnpatchedFile &file : patch.leftOut) {
        auto reason = std::ranges::find(reasons, file.reason, [](const auto &each) { return each.first; });
        if (reason == reasons.end())
            reason = reasons.emplace(reasons.end(), file.reason, QStringList());
        reason->second << Words::tr("%1 (%2)").arg(
            displayText(file.path), counted(file.changes, Words::tr("change"), Words::tr("changes")));
    }
    QStringList sentences;
    for (const auto &[reason, names] : reasons)
        sentences << Words::tr("Left out: %1, because %2.").arg(namesWords(names, mostNames), reasonWords(reason));
    QStringList unchanged;
    for (const std::string &path : patch.unchanged)
        unchanged << displayText(path);
    if (!unchanged.isEmpty())
        sentences << Words::tr("Not in the patch: %1, because %2.")
                         .arg(namesWords(unchanged, mostNames), displayText(core::kUnchangedReason));
    return sentences.join(u' ');
}

} // namespace ui
