// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Text of a session for HTML that is also XML: as content and inside quotes. Control, bidirectional and invisible
/// characters become visible marks; tabs stay, line ends become marks.
[[nodiscard]] std::string escapedMarkup(std::string_view text);

/// Text of a session for Markdown: no character of it forms markup, a link or a formula. One line.
[[nodiscard]] std::string escapedMarkdown(std::string_view text);

/// A text without its markup, and for each of its bytes the place in the marked text.
struct UnmarkedText {
    std::string text;
    std::vector<size_t> places;
};
/// Tags left out (a line end for those that begin a line or cell), the five entities and numbers decoded. Style sheets
/// are left out.
[[nodiscard]] UnmarkedText withoutMarkup(std::string_view markup);
/// The escapes of JSON strings decoded, and the backslashes of Markdown left out.
[[nodiscard]] UnmarkedText withoutJsonEscapes(std::string_view text);

} // namespace core
