// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/diff/compared_texts.h"

#include "core/base/text.h"
#include "ui/diff/diff_view.h"
#include "ui/text/text_guess.h"

#include <QStringList>

namespace ui {

using namespace Qt::StringLiterals;

DiffSide DiffSide::of(QString title, std::string text)
{
    return { std::move(title), nullptr, std::make_shared<const TextDocument>(std::move(text)) };
}

namespace {

TextLanguage guessedLanguage(const TextDocument &before, const TextDocument &after)
{
    TextLanguage language;
    language.definition = languageOf(after.bytes());
    if (language.definition.empty())
        language.definition = languageOf(before.bytes());
    return language;
}

void readTexts(const DiffInput &input, ComparedTexts &shown)
{
    const auto read = [&](const DiffSide &side, TextDocumentPtr &document) {
        if (document)
            return;
        document = side.document;
        if (!document && side.read) {
            auto result = side.read();
            if (result)
                document = std::move(*result);
            else
                shown.error = result.error().sentence();
        }
        if (!document)
            document = std::make_shared<const TextDocument>();
    };
    if (input.readSections && !shown.before) {
        auto texts = input.readSections();
        if (!texts) {
            shown.error = texts.error().sentence();
            return;
        }
        shown.before = std::move(texts->before);
        shown.after = std::move(texts->after);
        shown.sections = std::move(texts->sections);
    }
    read(input.before, shown.before);
    read(input.after, shown.after);
}

} // namespace

ComparedTexts compareTexts(const DiffOrder &order, const core::Progress *progress)
{
    ComparedTexts shown = order.known;
    readTexts(order.input, shown);
    if (!shown.error.empty() || (progress != nullptr && progress->isCancelled()))
        return shown;
    const core::DiffOptions options { order.whitespace, core::WordMarks::Found };
    if (!shown.diff && !shown.sections.empty()) {
        DiffTexts texts { shown.before, shown.after, shown.sections };
        shown.diff = std::make_shared<const core::LineDiff>(diffSections(texts, options, progress));
        shown.sections = std::move(texts.sections);
    }
    if (!shown.diff)
        shown.diff = std::make_shared<const core::LineDiff>(
            core::diffLines(shown.before->bytes(), shown.after->bytes(), options, progress));
    shown.language = order.input.language;
    if (shown.language.definition.empty() && shown.language.fileName.empty())
        shown.language = guessedLanguage(*shown.before, *shown.after);
    const DiffMode mode = shown.hasOneText() ? DiffMode::Unified : order.mode;
    shown.contents = diffContents(shown.before, shown.after, *shown.diff, mode, shown.language, shown.sections);
    return shown;
}

QString ComparedTexts::nameOf(size_t difference) const
{
    const core::Difference &at = diff->differences[difference];
    QStringList parts {
        DiffView::tr("difference %1 of %2").arg(groupedText(difference + 1), groupedText(differenceCount()))
    };
    parts << DiffView::tr("line %1").arg(groupedText((at.after.isEmpty() ? at.before.first : at.after.first) + 1));
    if (!at.before.isEmpty())
        parts << counted(at.before.count(), DiffView::tr("line removed"), DiffView::tr("lines removed"));
    if (!at.after.isEmpty())
        parts << counted(at.after.count(), DiffView::tr("line added"), DiffView::tr("lines added"));
    return parts.join(u", "_s);
}

QString ComparedTexts::status(std::optional<size_t> current) const
{
    if (!diff)
        return {};
    if (diff->isSame())
        return before->size() == 0 ? DiffView::tr("both are empty") : DiffView::tr("no differences");
    const QString counts = u"+%1 \u2212%2"_s.arg(groupedText(diff->addedCount), groupedText(diff->removedCount));
    const QString where = current
        ? DiffView::tr("difference %1 of %2").arg(groupedText(*current + 1), groupedText(differenceCount()))
        : counted(differenceCount(), DiffView::tr("difference"), DiffView::tr("differences"));
    return where + u" · "_s + counts;
}

QString ComparedTexts::shortStatus(std::optional<size_t> current) const
{
    return current ? DiffView::tr("%1 of %2").arg(groupedText(*current + 1), groupedText(differenceCount()))
                   : status(current);
}

} // namespace ui
