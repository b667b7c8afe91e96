// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace core {

/// Bytes [begin, end) of a text.
struct ByteSpan {
    size_t begin = 0;
    size_t end = 0;

    [[nodiscard]] size_t size() const { return end - begin; }
    [[nodiscard]] bool isEmpty() const { return begin == end; }
    [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
    friend bool operator==(const ByteSpan &, const ByteSpan &) = default;
};

/// Lines [first, end) of a text, 0-based.
struct LineRange {
    size_t first = 0;
    size_t end = 0;

    [[nodiscard]] size_t count() const { return end - first; }
    [[nodiscard]] bool isEmpty() const { return first == end; }
    friend bool operator==(const LineRange &, const LineRange &) = default;
};

/// The line starts of a text. Only U+000A ends a line, and it belongs to that line, so that the lines together are the
/// text. The empty text has no lines; a final line feed starts no further line.
class TextLines final {
public:
    TextLines() = default;
    explicit TextLines(std::string_view text)
    {
        for (size_t at = 0; at < text.size();) {
            m_starts.push_back(at);
            const void *feed = std::memchr(text.data() + at, '\n', text.size() - at);
            at = feed == nullptr ? text.size() : static_cast<size_t>(static_cast<const char *>(feed) - text.data()) + 1;
        }
        m_size = text.size();
    }

    [[nodiscard]] size_t count() const { return m_starts.size(); }
    /// Offset of a line's first byte; the size of the text for the line after the last.
    [[nodiscard]] size_t start(size_t line) const { return line < m_starts.size() ? m_starts[line] : m_size; }
    [[nodiscard]] ByteSpan span(size_t line) const { return { start(line), start(line + 1) }; }
    [[nodiscard]] ByteSpan span(LineRange lines) const { return { start(lines.first), start(lines.end) }; }

private:
    std::vector<size_t> m_starts;
    size_t m_size = 0;
};

/// The number of lines that TextLines finds.
[[nodiscard]] inline uint64_t lineCountOf(std::string_view text)
{
    return static_cast<uint64_t>(std::ranges::count(text, '\n')) + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

} // namespace core
