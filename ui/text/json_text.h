// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/text_content.h"

#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// JSON with a line for every member and element. Only blanks between tokens change: every other byte is kept in its
/// order, in damaged JSON too.
[[nodiscard]] std::string prettyJson(std::string_view json);

/// True if the text is one whole JSON object or array, with nothing but blanks around it. Looks at structure, not at
/// every token.
[[nodiscard]] bool isJson(std::string_view text);

/// Objects and arrays that are worth folding: those over several lines, and long ones. Also runs of at least 1,000
/// characters without a blank (base64, hashes, minified data), which start folded. At most 100,000.
[[nodiscard]] std::vector<TextFold> jsonFolds(std::string_view json);

/// The long runs alone, for any text. A run that is the whole text starts unfolded: there would be nothing to see.
[[nodiscard]] std::vector<TextFold> runFolds(std::string_view text);

} // namespace ui
