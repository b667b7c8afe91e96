// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edit_diff.h"

#include "core/base/visible.h"
#include "ui/edits/edit_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

struct DiffWords {
    Q_DECLARE_TR_FUNCTIONS(ui::EditDiff)
};

bool hasLanded(const core::Edit &edit)
{
    return edit.outcome == core::EditOutcome::Landed || edit.outcome == core::EditOutcome::Untold;
}

/// The blocks that a body was rebuilt from: `rebuilt from #341 #352`.
QString sourcesOf(const core::Session &session, const core::FileBody &body)
{
    constexpr qsizetype kMost = 3;
    QStringList numbers;
    for (const core::KnownText::Part &part : body.text.parts()) {
        const QString number = part.isGap() ? QString() : numberOf(session, part.from);
        if (!number.isEmpty() && !numbers.contains(number))
            numbers << number;
    }
    if (numbers.isEmpty())
        return {};
    const qsizetype more = numbers.size() - kMost;
    if (more > 0)
        return DiffWords::tr("rebuilt from %1 and %n more", nullptr, static_cast<int>(more))
            .arg(numbers.first(kMost).join(u' '));
    return DiffWords::tr("rebuilt from %1").arg(numbers.join(u' '));
}

/// How much of a body is known, if it is not known completely.
QStringList knowledgeOf(const core::FileBody &body)
{
    if (body.isAbsent)
        return { DiffWords::tr("no file") };
    if (body.isKnown())
        return {};
    return { body.text.knownBytes() == 0 ? DiffWords::tr("not known") : DiffWords::tr("partly known") };
}

QString beforeTitle(const core::Session &session, const core::FileBody &body)
{
    QStringList words = QStringList { DiffWords::tr("before") } + knowledgeOf(body);
    if (const QString sources = sourcesOf(session, body); !sources.isEmpty())
        words << sources;
    return words.join(u" · "_s);
}

QString afterTitle(const core::FileBody &body, core::Agreement agreement)
{
    QStringList words = QStringList { DiffWords::tr("after") } + knowledgeOf(body);
    if (agreement == core::Agreement::Agrees)
        words << DiffWords::tr("matches the harness's record");
    else if (agreement == core::Agreement::Differs)
        words << DiffWords::tr("differs from the harness's record");
    return words.join(u" · "_s);
}

/// Reads on a worker thread, because reading joins the parts of the body.
DiffSide sideOf(QString title, const core::KnownText &text)
{
    DiffSide side;
    side.title = std::move(title);
    if (text.knownBytes() <= DiffView::kAtOnce / 2)
        side.document = std::make_shared<const TextDocument>(text.readable());
    else
        side.read = [text]() -> core::Result<TextDocumentPtr> {
            return std::make_shared<const TextDocument>(text.readable());
        };
    return side;
}

std::string joined(const std::vector<std::string> &lines)
{
    std::string text;
    for (const std::string &line : lines)
        text += line + "\n";
    return text;
}

/// The old and new texts that a call asked for.
std::pair<std::string, std::string> askedTexts(const core::Session &session, const core::Edit &edit)
{
    std::pair<std::string, std::string> texts;
    for (const core::FileChange &asked : core::askedChanges(session, edit)) {
        for (const core::Replacement &each : asked.replacements) {
            texts.first += each.before + "\n";
            texts.second += each.after + "\n";
        }
        for (const core::PatchHunk &hunk : asked.hunks) {
            texts.first += joined(hunk.before);
            texts.second += joined(hunk.after);
        }
        texts.second += asked.text;
    }
    return texts;
}

DiffInput askedDiff(const core::Session &session, const core::Edit &edit)
{
    auto [before, after] = askedTexts(session, edit);
    const bool hasFailed = edit.outcome == core::EditOutcome::Failed;
    DiffInput input;
    input.before = DiffSide::of(DiffWords::tr("old text"), std::move(before));
    input.after = DiffSide::of(hasFailed ? DiffWords::tr("new text · failed, never applied")
                                         : DiffWords::tr("new text · interrupted, never applied"),
        std::move(after));
    return input;
}

/// True if the text before is known in part and a command left a file of unknown text: nothing can be compared.
bool isMadeUnknown(const core::FileBody &before, const core::FileBody &after)
{
    return before.text.knownBytes() > 0 && !after.isAbsent && after.text.knownBytes() == 0 && !after.isKnown();
}

DiffInput unknownDiff()
{
    DiffInput input;
    input.before.read = []() -> core::Result<TextDocumentPtr> {
        return core::failure(core::ErrorKind::NotFound,
            DiffWords::tr("The log does not show the changed file, so there is nothing to compare.").toStdString());
    };
    return input;
}

/// A cell of an otherwise unknown notebook: the call's text between two gaps.
DiffInput cellDiff(const std::string &source)
{
    core::KnownText after = core::KnownText::gap();
    after.append(core::KnownText::of(source, {}));
    after.append(core::KnownText::gap());
    DiffInput input;
    input.before = sideOf(DiffWords::tr("before · not known"), core::KnownText::gap());
    input.after = sideOf(DiffWords::tr("after · only the notebook cell, as the call gives it"), after);
    return input;
}

/// The source that a call gives a notebook's cell; empty for other calls and for known files.
std::string cellOf(const core::Session &session, const core::Edit &edit)
{
    const bool isCell = edit.kind == core::ChangeKind::Rewrite && edit.origin == core::EditOrigin::Tool;
    return isCell && !edit.after.isKnown() ? askedTexts(session, edit).second : std::string();
}

DiffInput lifeDiff(const core::Session &session, const core::FileLife &life)
{
    DiffInput input;
    input.before = sideOf(beforeTitle(session, life.before), life.before.text);
    input.after = sideOf(afterTitle(life.after, {}), life.after.text);
    return input;
}

/// Each ended by a line feed, so that the next one begins a line.
void appendFile(std::string &all, const core::FileBody &body)
{
    const std::string text = body.text.readable();
    all += text;
    all += text.empty() || text.ends_with('\n') ? "" : "\n";
}

/// The changed files, one below the other.
DiffTexts changedFiles(const FoundEdits &found)
{
    DiffTexts texts;
    std::string before;
    std::string after;
    for (const core::FileLife &life : found.lives) {
        if (isMadeUnknown(life.before, life.after))
            continue;
        const DiffSection section { core::visibleText(life.path), life.path, before.size(), after.size(), 0 };
        appendFile(before, life.before);
        appendFile(after, life.after);
        if (std::string_view(before).substr(section.before) == std::string_view(after).substr(section.after)) {
            before.resize(section.before);
            after.resize(section.after);
        } else {
            texts.sections.push_back(section);
        }
    }
    texts.before = std::make_shared<const TextDocument>(std::move(before));
    texts.after = std::make_shared<const TextDocument>(std::move(after));
    return texts;
}

DiffInput sessionDiff(const FoundEditsPtr &found)
{
    DiffInput input;
    input.before.title = DiffWords::tr("before the first edits");
    input.after.title = DiffWords::tr("after the last edits");
    input.readSections = [found]() -> core::Result<DiffTexts> { return changedFiles(*found); };
    return input;
}

} // namespace

DiffInput diffOf(const FoundEditsPtr &found, size_t number, EditScope scope)
{
    const core::Session &session = *found->edits.session;
    if (scope == EditScope::Session)
        return sessionDiff(found);
    const core::Edit &edit = found->edit(number);
    const core::FileLife *life = found->lifeOf(number);
    DiffInput input;
    if (scope == EditScope::File && life != nullptr) {
        input = isMadeUnknown(life->before, life->after) ? unknownDiff() : lifeDiff(session, *life);
    } else if (!hasLanded(edit) && edit.use.isValid()) {
        input = askedDiff(session, edit);
    } else if (const std::string cell = cellOf(session, edit); !cell.empty()) {
        input = cellDiff(cell);
    } else if (isMadeUnknown(edit.before, edit.after)) {
        input = unknownDiff();
    } else {
        // An unknown file must not count as removed lines.
        const bool isNothing = edit.before.text.knownBytes() == 0 && edit.after.isKnown();
        input.before = sideOf(beforeTitle(session, edit.before), isNothing ? core::KnownText() : edit.before.text);
        input.after = sideOf(afterTitle(edit.after, edit.agreement), edit.after.text);
    }
    input.language.fileName = edit.movedTo.empty() ? edit.path : edit.movedTo;
    return input;
}

std::vector<size_t> editsIn(
    const FoundEdits &found, size_t number, EditScope scope, const std::vector<std::string> &files)
{
    const auto holds = [&](const std::string &path) { return std::ranges::find(files, path) != files.end(); };
    std::vector<size_t> edits;
    for (size_t i = 0; i < found.count(); ++i) {
        const core::Edit &edit = found.edit(i);
        const bool isShown = !found.isOutside(i) && (scope != EditScope::Edit || i == number);
        if (isShown && hasLanded(edit) && (holds(edit.path) || (!edit.movedTo.empty() && holds(edit.movedTo))))
            edits.push_back(i);
    }
    return edits;
}

std::vector<core::FileLife> livesOf(const FoundEdits &found, size_t number, EditScope scope)
{
    if (scope == EditScope::Session)
        return found.lives;
    if (scope == EditScope::Edit)
        return hasLanded(found.edit(number)) ? core::fileLives(found.edit(number)) : std::vector<core::FileLife>();
    const core::FileLife *life = found.lifeOf(number);
    return life == nullptr ? std::vector<core::FileLife>() : std::vector { *life };
}

} // namespace ui
