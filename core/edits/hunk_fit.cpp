// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/hunk_fit.h"

#include <string>
#include <string_view>

namespace core {

namespace {

/// The lines of a body by number, as far as gaps allow.
class PlacedLines final {
public:
    explicit PlacedLines(const KnownText &text)
    {
        std::string line;
        for (const KnownText::Part &part : text.parts()) {
            if (part.isGap() && !part.lines)
                return; // line numbers from here on are unknown
            if (part.isGap())
                m_lines.resize(m_lines.size() + *part.lines);
            for (std::string_view rest = part.isGap() ? std::string_view() : part.view(); !rest.empty();) {
                const size_t end = rest.find('\n');
                line += rest.substr(0, end);
                if (end == std::string_view::npos)
                    break;
                m_lines.push_back(std::move(line));
                line.clear();
                rest.remove_prefix(end + 1);
            }
        }
        if (!line.empty())
            m_lines.push_back(std::move(line));
        m_isWhole = true;
    }

    /// Whether line `number` (1-based) is `line`; nullopt if that line is unknown.
    [[nodiscard]] std::optional<bool> is(uint64_t number, std::string_view line) const
    {
        if (number == 0 || number > m_lines.size())
            return m_isWhole ? std::optional(false) : std::nullopt;
        const auto &known = m_lines[number - 1];
        return known ? std::optional(areAlike(*known, line)) : std::nullopt;
    }

private:
    /// Whether lines are equal, possibly with leading tabs recorded as blanks.
    static bool areAlike(std::string_view known, std::string_view recorded)
    {
        if (known.ends_with('\r') && !recorded.ends_with('\r'))
            known.remove_suffix(1);
        if (known == recorded)
            return true;
        size_t tabs = 0;
        while (tabs < known.size() && known[tabs] == '\t')
            ++tabs;
        return tabs > 0 && recorded == std::string(tabs * 2, ' ') + std::string(known.substr(tabs));
    }

    std::vector<std::optional<std::string>> m_lines;
    bool m_isWhole = false;
};

} // namespace

std::optional<bool> hunksFit(const std::vector<RecordedHunk> &hunks, const KnownText &before, const KnownText &after)
{
    const PlacedLines old(before);
    const PlacedLines made(after);
    std::optional<bool> fits;
    for (const RecordedHunk &hunk : hunks) {
        uint64_t oldLine = hunk.beforeLine;
        uint64_t madeLine = hunk.afterLine;
        for (const std::string_view line : hunk.lines) {
            if (line.empty() || line.front() == '\\') // "No newline at end of file"
                continue;
            const auto isOld = line.front() == '+' ? std::nullopt : old.is(oldLine++, line.substr(1));
            const auto isMade = line.front() == '-' ? std::nullopt : made.is(madeLine++, line.substr(1));
            if (isOld == false || isMade == false)
                return false;
            fits = isOld || isMade ? std::optional(true) : fits;
        }
    }
    return fits;
}

} // namespace core
