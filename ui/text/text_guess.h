// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/text_content.h"

#include <optional>
#include <string_view>
#include <vector>

namespace ui {

/// Guesses of a text's form from its content. Each reads only the beginning, unless it says otherwise.

/// A patch: `diff --git`, `---`/`+++`, a hunk header, `*** Begin Patch`.
[[nodiscard]] bool looksLikeDiff(std::string_view text);

/// Headings, fences, lists and emphasis enough to be Markdown, in the output of a tool.
[[nodiscard]] bool looksLikeMarkdown(std::string_view text);

/// The language by a `#!` line, an XML or HTML opening, a patch or JSON (the whole text): the name of a syntax
/// definition, or empty.
[[nodiscard]] std::string_view languageOf(std::string_view text);

/// A text with line numbers from a tool: `     12→text` (Claude Code), `    12<tab>text` (cat -n), `00012| text`.
struct NumberedLines {
    std::vector<TextSpan> prefixes;
    std::vector<uint32_t> numbers; ///< by line, 0 for lines without one
    size_t firstLine = 0;          ///< of those that have one
    size_t lastLine = 0;
};

/// Nothing unless most lines have a number and the numbers count up. One pass over all lines.
[[nodiscard]] std::optional<NumberedLines> numberedLines(const TextDocument &document);

/// The path in the opening tag of a body that a harness wrapped: `<read_file path="src/a.py">`; empty if there is none.
[[nodiscard]] std::string_view wrappedPath(std::string_view text);

} // namespace ui
