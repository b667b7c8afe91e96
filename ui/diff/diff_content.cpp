// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/diff/diff_content.h"

#include "core/base/text.h"

#include <algorithm>

namespace ui {

namespace {

using core::DiffKind;
using core::DiffRun;
using core::LineDiff;
using core::LineRange;

constexpr auto kNoFinalFeed = "no line feed at the end";

std::string foldLabel(size_t lines) { return core::groupedNumber(lines) + " unchanged lines"; }

/// A file begins with this run.
bool beginsFile(size_t run, const std::vector<DiffSection> &sections)
{
    return run == 0 || std::ranges::binary_search(sections, run, {}, &DiffSection::firstRun);
}

/// The folded lines of an unchanged run; empty if too few are left.
LineRange foldedLines(const LineDiff &diff, size_t run, size_t count, const std::vector<DiffSection> &sections)
{
    if (diff.isSame())
        return {};
    const bool endsFile = run + 1 == diff.runs.size() || beginsFile(run + 1, sections);
    const size_t first = beginsFile(run, sections) ? 0 : kDiffContext;
    const size_t last = endsFile ? 0 : kDiffContext;
    return count >= first + last + kFewestFolded ? LineRange { first, count - last } : LineRange {};
}

/// The empty line after a final line feed: a document has it, a diff does not.
bool hasLastEmptyLine(const TextDocument &document, const core::TextLines &lines)
{
    return document.lineCount() > lines.count();
}

/// Above the first line of a file.
void addHeading(TextContent &content, size_t line, const DiffSection &section)
{
    content.insertions.push_back({ line, TextInsertion::Kind::Heading, section.title });
    // A file without lines on this side has no language either.
    while (!content.languages.empty() && content.languages.back().line == line)
        content.languages.pop_back();
    content.languages.push_back({ line, {}, section.fileName });
}

/// Spans of changed words, taken in the order of the lines.
class WordCursor final {
public:
    explicit WordCursor(const std::vector<core::ByteSpan> &words)
        : m_words(words)
    {
    }

    /// Calls `take` with the spans that begin in `span`.
    template <typename Take>
    void forEachIn(core::ByteSpan span, const Take &take)
    {
        while (m_next < m_words.size() && m_words[m_next].begin < span.begin)
            ++m_next;
        for (; m_next < m_words.size() && m_words[m_next].begin < span.end; ++m_next)
            take(m_words[m_next]);
    }

private:
    const std::vector<core::ByteSpan> &m_words;
    size_t m_next = 0;
};

/// One of two panes side by side.
class SideBuilder final {
public:
    SideBuilder(TextDocumentPtr document, const core::TextLines &lines, const std::vector<core::ByteSpan> &words,
        LineSign sign, const TextLanguage &language)
        : m_lines(lines)
        , m_words(words)
        , m_sign(sign)
    {
        m_content.document = std::move(document);
        m_content.languages.push_back(language);
        m_content.numbering = Numbering::Own;
        m_content.numbers.resize(m_content.document->lineCount(), 0);
        for (size_t line = 0; line < lines.count(); ++line)
            m_content.numbers[line] = static_cast<uint32_t>(line + 1);
        m_content.signs.resize(m_content.document->lineCount(), LineSign::None);
    }

    /// A file begins at this line.
    void beginFile(size_t line, const DiffSection &section)
    {
        addHeading(m_content, line, section);
        m_files.push_back(line);
    }

    void addFold(LineRange lines, bool takesLastLine)
    {
        const size_t end = takesLastLine ? m_content.document->size() : m_content.document->lineEnd(lines.end - 1);
        m_content.folds.push_back(
            { m_content.document->lineStart(lines.first), end, foldLabel(lines.count()), true, true });
    }

    void addFillers(size_t line, size_t count)
    {
        for (size_t i = 0; i < count; ++i)
            m_content.insertions.push_back({ line, TextInsertion::Kind::Filler, {} });
    }

    void addLines(LineRange lines)
    {
        if (lines.isEmpty())
            return;
        const bool isRemoved = m_sign == LineSign::Removed;
        const core::ByteSpan span = m_lines.span(lines);
        m_pane.marks.push_back({ { span.begin, span.end }, isRemoved ? MarkRole::Removed : MarkRole::Added, true });
        std::fill_n(m_content.signs.begin() + static_cast<std::ptrdiff_t>(lines.first), lines.count(), m_sign);
        m_words.forEachIn(span, [&](core::ByteSpan word) {
            m_pane.marks.push_back(
                { { word.begin, word.end }, isRemoved ? MarkRole::RemovedPart : MarkRole::AddedPart, false });
            if (m_pane.starts.size() < m_pane.differences.size())
                m_pane.starts.push_back(word.begin);
        });
    }

    void beginDifference(LineRange lines)
    {
        const core::ByteSpan span = m_lines.span(lines);
        m_pane.differences.push_back({ span.begin, span.end });
    }

    void endDifference()
    {
        if (m_pane.starts.size() < m_pane.differences.size())
            m_pane.starts.push_back(m_pane.differences.back().begin);
    }

    /// This side has no line feed at its end, and the other one has.
    void addNote()
    {
        auto at = std::ranges::lower_bound(m_content.insertions, m_lines.count(), {}, &TextInsertion::line);
        m_content.insertions.insert(at, { m_lines.count(), TextInsertion::Kind::Heading, kNoFinalFeed });
    }

    DiffPane take()
    {
        for (size_t i = 0; i < m_files.size(); ++i) {
            const size_t end = i + 1 < m_files.size() ? m_files[i + 1] : m_lines.count();
            for (size_t line = m_files[i]; line < end; ++line)
                m_content.numbers[line] = static_cast<uint32_t>(line - m_files[i] + 1);
        }
        m_pane.content = std::make_shared<const TextContent>(std::move(m_content));
        return std::move(m_pane);
    }

private:
    const core::TextLines &m_lines;
    WordCursor m_words;
    LineSign m_sign;
    std::vector<size_t> m_files; ///< the line where each begins
    TextContent m_content;
    DiffPane m_pane;
};

DiffContents sideBySide(const TextDocumentPtr &before, const TextDocumentPtr &after, const LineDiff &diff,
    const TextLanguage &language, const std::vector<DiffSection> &sections)
{
    DiffContents contents;
    SideBuilder left(before, diff.before, diff.beforeWords, LineSign::Removed, language);
    SideBuilder right(after, diff.after, diff.afterWords, LineSign::Added, language);
    const bool leftHasLast = hasLastEmptyLine(*before, diff.before);
    const bool rightHasLast = hasLastEmptyLine(*after, diff.after);

    // Lines of one side, until they can be paired with lines of the other.
    LineRange removed;
    LineRange added;
    const auto setBeside = [&] {
        const size_t rows = std::max(removed.count(), added.count());
        left.addFillers(removed.end, rows - removed.count());
        right.addFillers(added.end, rows - added.count());
        removed = { removed.end, removed.end };
        added = { added.end, added.end };
    };
    size_t difference = 0;
    auto section = sections.begin();
    for (size_t i = 0; i < diff.runs.size(); ++i) {
        const DiffRun &run = diff.runs[i];
        for (; section != sections.end() && section->firstRun == i; ++section) {
            left.beginFile(run.before.first, *section);
            right.beginFile(run.after.first, *section);
        }
        if (run.kind == DiffKind::Same) {
            const LineRange folded = foldedLines(diff, i, run.before.count(), sections);
            const bool takesLast = leftHasLast && rightHasLast && i + 1 == diff.runs.size();
            if (!folded.isEmpty()) {
                left.addFold({ run.before.first + folded.first, run.before.first + folded.end }, takesLast);
                right.addFold({ run.after.first + folded.first, run.after.first + folded.end }, takesLast);
            }
            continue;
        }
        if (difference < diff.differences.size() && diff.differences[difference].firstRun == i) {
            left.beginDifference(diff.differences[difference].before);
            right.beginDifference(diff.differences[difference].after);
            removed = { run.before.first, run.before.first };
            added = { run.after.first, run.after.first };
        }
        left.addLines(run.before);
        right.addLines(run.after);
        if (run.kind == DiffKind::Changed) {
            setBeside();
            removed = { run.before.end, run.before.end };
            added = { run.after.end, run.after.end };
            contents.bars.push_back({ 0, run.before.first, run.before.end, difference, true, true });
        } else if (run.kind == DiffKind::Removed) {
            removed.end = run.before.end;
            contents.bars.push_back({ 0, run.before.first, run.before.end, difference, true, false });
        } else {
            added.end = run.after.end;
            contents.bars.push_back({ 1, run.after.first, run.after.end, difference, false, true });
        }
        if (i + 1 == diff.differences[difference].endRun) {
            setBeside();
            left.endDifference();
            right.endDifference();
            ++difference;
        }
    }
    if (!leftHasLast && rightHasLast)
        left.addNote();
    if (leftHasLast && !rightHasLast)
        right.addNote();
    contents.panes.push_back(left.take());
    contents.panes.push_back(right.take());
    return contents;
}

/// Both texts in one: the removed lines, then the added ones.
class UnifiedBuilder final {
public:
    UnifiedBuilder(std::string_view before, std::string_view after, const LineDiff &diff, const TextLanguage &language,
        const std::vector<DiffSection> &sections)
        : m_before(before)
        , m_after(after)
        , m_diff(diff)
        , m_sections(sections)
        , m_removedWords(diff.beforeWords)
        , m_addedWords(diff.afterWords)
    {
        m_content.languages.push_back(language);
        m_content.numbering = Numbering::Own;
        m_text.reserve(after.size() + before.size() / 4);
    }

    DiffContents build()
    {
        auto section = m_sections.begin();
        for (size_t i = 0, difference = 0; i < m_diff.runs.size(); ++i) {
            for (; section != m_sections.end() && section->firstRun == i; ++section)
                beginFile(m_diff.runs[i], *section);
            if (m_diff.runs[i].kind == DiffKind::Same) {
                addSame(i);
                continue;
            }
            addDifference(difference);
            i = m_diff.differences[difference++].endRun - 1;
        }
        m_content.numbers.push_back(0); // the empty line behind the last one
        m_content.otherNumbers.push_back(0);
        m_content.signs.push_back(LineSign::None);
        m_content.document = std::make_shared<const TextDocument>(std::move(m_text));
        m_pane.content = std::make_shared<const TextContent>(std::move(m_content));
        DiffContents contents;
        contents.mode = DiffMode::Unified;
        contents.panes.push_back(std::move(m_pane));
        contents.bars = std::move(m_bars);
        return contents;
    }

private:
    [[nodiscard]] size_t lineCount() const { return m_content.signs.size(); }

    void beginFile(const DiffRun &run, const DiffSection &section)
    {
        addHeading(m_content, lineCount(), section);
        m_firstBefore = run.before.first;
        m_firstAfter = run.after.first;
    }

    /// The number of a line in its file, from 1.
    [[nodiscard]] static uint32_t numberOf(size_t line, size_t first)
    {
        return static_cast<uint32_t>(line - first + 1);
    }

    /// Separates a line without a line feed from the next one and shows a note.
    void endLine(size_t lineInText, const core::TextLines &lines, std::string_view text, bool isToldOf)
    {
        const bool isOpen = lineInText + 1 == lines.count() && !text.ends_with('\n');
        if (!isOpen)
            return;
        if (isToldOf)
            m_content.insertions.push_back({ lineCount(), TextInsertion::Kind::Heading, kNoFinalFeed });
        m_isOpen = true;
    }

    void addLine(std::string_view line, uint32_t before, uint32_t after, LineSign sign)
    {
        if (m_isOpen) {
            m_content.separators.push_back({ m_text.size(), m_text.size() + 1 });
            m_text += '\n';
            m_isOpen = false;
        }
        m_lastStart = m_text.size();
        m_text += line;
        m_content.otherNumbers.push_back(before);
        m_content.numbers.push_back(after);
        m_content.signs.push_back(sign);
    }

    void addSame(size_t index)
    {
        const DiffRun &run = m_diff.runs[index];
        const LineRange folded = foldedLines(m_diff, index, run.after.count(), m_sections);
        size_t foldBegin = 0;
        for (size_t i = 0; i < run.after.count(); ++i) {
            const size_t line = run.after.first + i;
            addLine(m_diff.after.span(line).of(m_after), numberOf(run.before.first + i, m_firstBefore),
                numberOf(line, m_firstAfter), LineSign::None);
            if (!folded.isEmpty() && i == folded.first)
                foldBegin = m_lastStart;
            if (!folded.isEmpty() && i + 1 == folded.end) {
                const bool endsWithFeed = m_text.ends_with('\n');
                const bool takesLastLine = index + 1 == m_diff.runs.size();
                const size_t end = m_text.size() - (endsWithFeed && !takesLastLine ? 1 : 0);
                m_content.folds.push_back({ foldBegin, end, foldLabel(folded.count()), true, true });
            }
            endLine(line, m_diff.after, m_after, false);
        }
    }

    void addDifference(size_t index)
    {
        const core::Difference &difference = m_diff.differences[index];
        const bool isToldOf = m_before.ends_with('\n') != m_after.ends_with('\n');
        const size_t begin = m_text.size() + (m_isOpen ? 1 : 0);
        m_pane.differences.push_back({ begin, begin });
        const auto addLines = [&](LineRange lines, bool isRemoved) {
            if (lines.isEmpty())
                return;
            const size_t firstLine = lineCount();
            const size_t rowMark = m_pane.marks.size();
            const std::string_view text = isRemoved ? m_before : m_after;
            const core::TextLines &all = isRemoved ? m_diff.before : m_diff.after;
            m_pane.marks.push_back({ {}, isRemoved ? MarkRole::Removed : MarkRole::Added, true });
            for (size_t line = lines.first; line < lines.end; ++line) {
                const core::ByteSpan span = all.span(line);
                const uint32_t number = numberOf(line, isRemoved ? m_firstBefore : m_firstAfter);
                addLine(span.of(text), isRemoved ? number : 0, isRemoved ? 0 : number,
                    isRemoved ? LineSign::Removed : LineSign::Added);
                if (line == lines.first)
                    m_pane.marks[rowMark].span.begin = m_lastStart;
                m_pane.marks[rowMark].span.end = m_text.size();
                WordCursor &words = isRemoved ? m_removedWords : m_addedWords;
                words.forEachIn(span, [&](core::ByteSpan word) {
                    const size_t at = m_lastStart + word.begin - span.begin;
                    m_pane.marks.push_back(
                        { { at, at + word.size() }, isRemoved ? MarkRole::RemovedPart : MarkRole::AddedPart, false });
                    if (m_pane.starts.size() < m_pane.differences.size())
                        m_pane.starts.push_back(at);
                });
                endLine(line, all, text, isToldOf);
            }
            m_bars.push_back({ 0, firstLine, lineCount(), index, isRemoved, !isRemoved });
        };
        addLines(difference.before, true);
        addLines(difference.after, false);
        m_pane.differences.back().end = m_text.size();
        if (m_pane.starts.size() < m_pane.differences.size())
            m_pane.starts.push_back(begin);
    }

    std::string_view m_before;
    std::string_view m_after;
    const LineDiff &m_diff;
    const std::vector<DiffSection> &m_sections;
    size_t m_firstBefore = 0; ///< lines of the file that is being added
    size_t m_firstAfter = 0;
    WordCursor m_removedWords;
    WordCursor m_addedWords;
    std::string m_text;
    TextContent m_content;
    DiffPane m_pane;
    std::vector<DiffBar> m_bars;
    size_t m_lastStart = 0; ///< of the line added last
    bool m_isOpen = false;  ///< the line added last did not end
};

} // namespace

DiffContents diffContents(const TextDocumentPtr &before, const TextDocumentPtr &after, const LineDiff &diff,
    DiffMode mode, const TextLanguage &language, const std::vector<DiffSection> &sections)
{
    if (mode == DiffMode::SideBySide)
        return sideBySide(before, after, diff, language, sections);
    return UnifiedBuilder(before->bytes(), after->bytes(), diff, language, sections).build();
}

} // namespace ui
