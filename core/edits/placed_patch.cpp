// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/placed_patch.h"

#include "core/base/format.h"
#include "core/base/text_lines.h"
#include "core/git/git_buffers.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace core {

namespace {

constexpr size_t kContext = 3;
constexpr std::string_view kUnknownLine("\0\n", 2);

/// The lines of a text with known numbers (each unknown line as a placeholder line), and the rest.
struct PlacedText {
    std::string text;
    std::string rest; ///< text behind the first gap without a known line count
    bool isWhole = true;
};

PlacedText placed(const KnownText &known)
{
    PlacedText made;
    for (const KnownText::Part &part : known.parts()) {
        if (part.isGap() && !made.text.empty() && !made.text.ends_with('\n')) { // only part of its last line is known
            made.text.erase(made.text.rfind('\n') + 1);
            made.isWhole = false;
        }
        made.isWhole = made.isWhole && (!part.isGap() || part.lines);
        if (!made.isWhole)
            made.rest += part.view();
        else if (!part.isGap())
            made.text += part.view();
        for (uint64_t i = 0; made.isWhole && part.isGap() && i < *part.lines; ++i)
            made.text += kUnknownLine;
    }
    return made;
}

/// Writes hunks with the known context.
class HunkWriter final {
public:
    HunkWriter(const PlacedText &before, const PlacedText &after)
        : m_before(before)
        , m_after(after)
        , m_old(before.text)
        , m_new(after.text)
    {
    }

    std::optional<std::string> write(const std::vector<LineHunk> &changes)
    {
        for (size_t i = 0; i < changes.size();) {
            size_t end = i + 1; // changes that share context form one hunk
            while (end < changes.size() && changes[end].before.first - changes[end - 1].before.end <= 2 * kContext
                && areKnown(m_before.text, m_old, { changes[end - 1].before.end, changes[end].before.first }))
                ++end;
            if (!writeHunk({ changes.begin() + static_cast<std::ptrdiff_t>(i),
                    changes.begin() + static_cast<std::ptrdiff_t>(end) }))
                return std::nullopt;
            i = end;
        }
        return std::move(m_text);
    }

private:
    [[nodiscard]] static bool isKnown(std::string_view text, const TextLines &lines, size_t line)
    {
        return lines.span(line).of(text) != kUnknownLine;
    }
    [[nodiscard]] static bool areKnown(std::string_view text, const TextLines &lines, LineRange range)
    {
        return !lines.span(range).of(text).contains('\0');
    }

    void addLines(char sign, std::string_view text, const TextLines &lines, LineRange range)
    {
        for (size_t line = range.first; line < range.end; ++line) {
            const std::string_view bytes = lines.span(line).of(text);
            m_text += sign;
            m_text += bytes;
            m_text += bytes.ends_with('\n') ? "" : "\n\\ No newline at end of file\n";
        }
    }

    bool writeHunk(const std::vector<LineHunk> &changes);

    const PlacedText &m_before;
    const PlacedText &m_after;
    TextLines m_old;
    TextLines m_new;
    std::string m_text;
};

bool HunkWriter::writeHunk(const std::vector<LineHunk> &changes)
{
    for (const LineHunk &change : changes) {
        if (!areKnown(m_before.text, m_old, change.before) || !areKnown(m_after.text, m_new, change.after))
            return false;
    }
    size_t leading = 0;
    const LineHunk &first = changes.front();
    while (leading < std::min(kContext, first.before.first)
        && isKnown(m_before.text, m_old, first.before.first - leading - 1))
        ++leading;
    size_t trailing = 0;
    const LineHunk &last = changes.back();
    while (trailing < std::min(kContext, m_old.count() - last.before.end)
        && isKnown(m_before.text, m_old, last.before.end + trailing))
        ++trailing;
    // git places a hunk without a following line at the end of the file.
    const bool reachesEnd = m_before.isWhole && last.before.end == m_old.count();
    if (trailing == 0 && !reachesEnd)
        return false;
    const LineRange old { first.before.first - leading, last.before.end + trailing };
    const LineRange made { first.after.first - leading, last.after.end + trailing };
    const auto start = [](const LineRange &range) { return range.first + (range.isEmpty() ? 0 : 1); };
    m_text += formatted("@@ -{},{} +{},{} @@\n", start(old), old.count(), start(made), made.count());
    size_t at = old.first;
    for (const LineHunk &change : changes) {
        addLines(' ', m_before.text, m_old, { at, change.before.first });
        addLines('-', m_before.text, m_old, change.before);
        addLines('+', m_after.text, m_new, change.after);
        at = change.before.end;
    }
    addLines(' ', m_before.text, m_old, { at, old.end });
    return true;
}

} // namespace

std::optional<std::string> placedHunks(const KnownText &before, const KnownText &after)
{
    const PlacedText old = placed(before);
    const PlacedText made = placed(after);
    if (old.rest != made.rest || old.isWhole != made.isWhole)
        return std::nullopt;
    const auto changes = lineHunks(old.text, made.text, Whitespace::Exact);
    return changes ? HunkWriter(old, made).write(*changes) : std::nullopt;
}

} // namespace core
