// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// A body as bytes (generalised UTF-8) with a line index. Immutable, Qt-free, built on any thread in one pass. Only
/// U+000A ends a line. A text that ends with one has an empty last line, as in an editor.
class TextDocument final {
public:
    TextDocument(); ///< the empty text, one line
    explicit TextDocument(std::string text);
    /// A view into bytes that `owner` keeps alive.
    TextDocument(std::string_view text, std::shared_ptr<const void> owner);

    TextDocument(const TextDocument &) = delete;
    TextDocument &operator=(const TextDocument &) = delete;

    [[nodiscard]] std::string_view bytes() const { return m_bytes; }
    [[nodiscard]] size_t size() const { return m_bytes.size(); }
    [[nodiscard]] size_t lineCount() const { return m_lineStarts.size(); }
    [[nodiscard]] const std::vector<size_t> &lineStarts() const { return m_lineStarts; }
    [[nodiscard]] size_t lineStart(size_t line) const { return m_lineStarts[line]; }
    /// Without the line feed.
    [[nodiscard]] size_t lineEnd(size_t line) const
    {
        return line + 1 < m_lineStarts.size() ? m_lineStarts[line + 1] - 1 : m_bytes.size();
    }
    [[nodiscard]] std::string_view line(size_t line) const
    {
        return m_bytes.substr(m_lineStarts[line], lineEnd(line) - m_lineStarts[line]);
    }
    /// The line that contains the byte at `offset`; a line feed belongs to the line it ends.
    [[nodiscard]] size_t lineOf(size_t offset) const;

private:
    void index();

    std::string m_text;
    std::shared_ptr<const void> m_owner;
    std::string_view m_bytes;
    std::vector<size_t> m_lineStarts;
};

using TextDocumentPtr = std::shared_ptr<const TextDocument>;

} // namespace ui
