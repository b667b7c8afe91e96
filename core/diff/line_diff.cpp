// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/diff/line_diff.h"

#include "core/diff/line_pairs.h"
#include "core/diff/word_diff.h"

#include <algorithm>

namespace core {

namespace {

/// Number of equal lines around the differences that are passed to the engine, which may move a difference to where it
/// reads best.
constexpr size_t kMargin = 256;

class Comparison final {
public:
    Comparison(std::string_view before, std::string_view after, const DiffOptions &options, const Progress *progress)
        : m_before(before)
        , m_after(after)
        , m_options(options)
        , m_progress(progress)
    {
        m_diff.before = TextLines(before);
        m_diff.after = TextLines(after);
    }

    LineDiff run()
    {
        for (const LineHunk &hunk : hunks())
            addHunk(hunk);
        addSame(m_diff.before.count());
        return std::move(m_diff);
    }

private:
    [[nodiscard]] bool isCancelled() const { return m_progress != nullptr && m_progress->isCancelled(); }

    [[nodiscard]] std::vector<LineHunk> hunks() const
    {
        const size_t beforeCount = m_diff.before.count();
        const size_t afterCount = m_diff.after.count();
        const size_t most = std::min(beforeCount, afterCount);
        const auto isEqual = [&](size_t beforeLine, size_t afterLine) {
            return m_diff.before.span(beforeLine).of(m_before) == m_diff.after.span(afterLine).of(m_after);
        };
        size_t head = 0;
        while (head < most && isEqual(head, head))
            ++head;
        size_t tail = 0;
        while (tail < most - head && isEqual(beforeCount - 1 - tail, afterCount - 1 - tail))
            ++tail;
        if (head == beforeCount && head == afterCount)
            return {};
        std::vector<LineHunk> whole { { { head, beforeCount - tail }, { head, afterCount - tail } } };
        if (isCancelled())
            return whole;

        const size_t skipped = head - std::min(head, kMargin);
        const size_t kept = tail - std::min(tail, kMargin);
        const ByteSpan beforePart = m_diff.before.span(LineRange { skipped, beforeCount - kept });
        const ByteSpan afterPart = m_diff.after.span(LineRange { skipped, afterCount - kept });
        auto found = lineHunks(beforePart.of(m_before), afterPart.of(m_after), m_options.whitespace);
        if (!found)
            return whole;
        size_t beforeLine = 0;
        size_t afterLine = 0;
        for (LineHunk &hunk : *found) {
            for (LineRange *range : { &hunk.before, &hunk.after }) {
                range->first += skipped;
                range->end += skipped;
            }
            // Both texts must have the same number of lines between two hunks: all later code relies on it.
            if (hunk.before.first < beforeLine || hunk.before.first - beforeLine != hunk.after.first - afterLine)
                return whole;
            beforeLine = hunk.before.end;
            afterLine = hunk.after.end;
        }
        if (beforeCount - beforeLine != afterCount - afterLine)
            return whole;
        return std::move(*found);
    }

    void addSame(size_t beforeEnd)
    {
        const size_t count = beforeEnd - m_beforeLine;
        if (count == 0)
            return;
        addRun(DiffKind::Same, count, count);
    }

    void addRun(DiffKind kind, size_t beforeCount, size_t afterCount)
    {
        if (beforeCount == 0 && afterCount == 0)
            return;
        const LineRange before { m_beforeLine, m_beforeLine + beforeCount };
        const LineRange after { m_afterLine, m_afterLine + afterCount };
        m_beforeLine = before.end;
        m_afterLine = after.end;
        if (!m_diff.runs.empty() && m_diff.runs.back().kind == kind) {
            m_diff.runs.back().before.end = before.end;
            m_diff.runs.back().after.end = after.end;
        } else {
            m_diff.runs.push_back({ kind, before, after });
        }
    }

    void addHunk(const LineHunk &hunk)
    {
        addSame(hunk.before.first);
        Difference difference { m_diff.runs.size(), 0, hunk.before, hunk.after };
        m_diff.removedCount += hunk.before.count();
        m_diff.addedCount += hunk.after.count();
        if (m_options.words == WordMarks::Found && !isCancelled()) {
            for (const auto &[beforeLine, afterLine] :
                m_pairer.pairs(m_before, m_diff.before, hunk.before, m_after, m_diff.after, hunk.after)) {
                addRun(DiffKind::Removed, beforeLine - m_beforeLine, 0);
                addRun(DiffKind::Added, 0, afterLine - m_afterLine);
                const ByteSpan before = m_diff.before.span(m_beforeLine);
                const ByteSpan after = m_diff.after.span(m_afterLine);
                m_words.compare(before.of(m_before), before.begin, m_diff.beforeWords, after.of(m_after), after.begin,
                    m_diff.afterWords);
                addRun(DiffKind::Changed, 1, 1);
            }
        }
        addRun(DiffKind::Removed, hunk.before.end - m_beforeLine, 0);
        addRun(DiffKind::Added, 0, hunk.after.end - m_afterLine);
        difference.endRun = m_diff.runs.size();
        m_diff.differences.push_back(difference);
    }

    std::string_view m_before;
    std::string_view m_after;
    DiffOptions m_options;
    const Progress *m_progress;
    LineDiff m_diff;
    LinePairer m_pairer;
    WordDiffer m_words;
    size_t m_beforeLine = 0; ///< first line that is not in a run yet
    size_t m_afterLine = 0;
};

} // namespace

LineDiff diffLines(
    std::string_view before, std::string_view after, const DiffOptions &options, const Progress *progress)
{
    return Comparison(before, after, options, progress).run();
}

} // namespace core
