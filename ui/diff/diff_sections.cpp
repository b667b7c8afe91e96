// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/diff/diff_sections.h"

#include <string_view>

namespace ui {

namespace {

using core::LineDiff;
using core::LineRange;

/// Where the lines and bytes of a section begin in the whole.
struct Base {
    size_t line = 0;
    size_t byte = 0;

    [[nodiscard]] LineRange of(LineRange lines) const { return { lines.first + line, lines.end + line }; }
};

void appendWords(std::vector<core::ByteSpan> &all, const std::vector<core::ByteSpan> &words, size_t byte)
{
    for (const core::ByteSpan &word : words)
        all.push_back({ word.begin + byte, word.end + byte });
}

void append(LineDiff &all, const LineDiff &part, Base before, Base after)
{
    const size_t firstRun = all.runs.size();
    for (const core::DiffRun &run : part.runs)
        all.runs.push_back({ run.kind, before.of(run.before), after.of(run.after) });
    for (const core::Difference &each : part.differences)
        all.differences.push_back(
            { each.firstRun + firstRun, each.endRun + firstRun, before.of(each.before), after.of(each.after) });
    appendWords(all.beforeWords, part.beforeWords, before.byte);
    appendWords(all.afterWords, part.afterWords, after.byte);
    all.removedCount += part.removedCount;
    all.addedCount += part.addedCount;
}

} // namespace

LineDiff diffSections(DiffTexts &texts, const core::DiffOptions &options, const core::Progress *progress)
{
    const std::string_view before = texts.before->bytes();
    const std::string_view after = texts.after->bytes();
    LineDiff all;
    all.before = core::TextLines(before);
    all.after = core::TextLines(after);
    size_t beforeLine = 0;
    size_t afterLine = 0;
    for (size_t i = 0; i < texts.sections.size(); ++i) {
        DiffSection &section = texts.sections[i];
        const bool isLast = i + 1 == texts.sections.size();
        const size_t beforeEnd = isLast ? before.size() : texts.sections[i + 1].before;
        const size_t afterEnd = isLast ? after.size() : texts.sections[i + 1].after;
        const LineDiff part = core::diffLines(before.substr(section.before, beforeEnd - section.before),
            after.substr(section.after, afterEnd - section.after), options, progress);
        section.firstRun = all.runs.size();
        append(all, part, { beforeLine, section.before }, { afterLine, section.after });
        beforeLine += part.before.count();
        afterLine += part.after.count();
    }
    return all;
}

} // namespace ui
