// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/text_content.h"

#include <optional>
#include <string_view>
#include <vector>

namespace ui {

/// These functions guess the form of a text from its content. Each reads only the beginning, unless it says otherwise.

/// Recognises a patch: `diff --git`, `---`/`+++`, a hunk header, `*** Begin Patch`.
[[nodiscard]] bool looksLikeDiff(std::string_view text);

/// Whether the output of a tool has enough headings, fences, lists and emphasis to be Markdown.
[[nodiscard]] bool looksLikeMarkdown(std::string_view text);

/// The name of a syntax definition, or empty. Recognises a `#!` line, an XML or HTML opening, a patch, and JSON (for
/// which it reads the whole text).
[[nodiscard]] std::string_view languageOf(std::string_view text);

/// A text with line numbers added by a tool: ` 12→text` (Claude Code), ` 12<tab>text` (cat -n), `00012| text`.
struct NumberedLines {
    std::vector<TextSpan> prefixes;
    std::vector<uint32_t> numbers; ///< by line; 0 if it has none
    size_t firstLine = 0;          ///< first line with a number
    size_t lastLine = 0;
};

/// nullopt unless most lines have a number and the numbers ascend. One pass over all lines.
[[nodiscard]] std::optional<NumberedLines> numberedLines(const TextDocument &document);

/// The path in the opening tag of a body that a harness wrapped: `<read_file path="src/a.py">`; empty if there is none.
[[nodiscard]] std::string_view wrappedPath(std::string_view text);

} // namespace ui
