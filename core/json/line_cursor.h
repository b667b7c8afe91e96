// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace core {

/// Converts places in a text to 1-based line numbers. Each look-up scans from the place of the look-up before, so
/// ascending look-ups cost one pass over the text together.
class LineCursor final {
public:
    /// A document that begins at line 1.
    explicit LineCursor(std::string_view text)
        : m_text(text)
    {
    }
    /// A record on a single line, or text decoded from it: every place is on `line`.
    explicit LineCursor(uint64_t line)
        : m_line(line)
    {
    }

    uint64_t lineOf(std::string_view place)
    {
        if (m_text.empty())
            return m_line;
        const auto offset = static_cast<size_t>(place.data() - m_text.data());
        const auto [begin, end] = std::minmax(offset, m_at);
        const auto newlines = static_cast<uint64_t>(std::ranges::count(m_text.substr(begin, end - begin), '\n'));
        m_line = offset > m_at ? m_line + newlines : m_line - newlines;
        m_at = offset;
        return m_line;
    }

private:
    std::string_view m_text;
    size_t m_at = 0;
    uint64_t m_line = 1;
};

} // namespace core
