// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/text_content.h"

#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// JSON with one member or element a line. Changes only blanks between tokens; all other bytes keep their order, in
/// damaged JSON too.
[[nodiscard]] std::string prettyJson(std::string_view json);

/// Whether the text is one complete JSON object or array, apart from surrounding blanks. Checks the structure, not
/// every token.
[[nodiscard]] bool isJson(std::string_view text);

/// End of the value at `begin`; the end of the text if the value is truncated.
[[nodiscard]] size_t endOfJson(std::string_view json, size_t begin);

/// Objects and arrays worth folding: multi-line ones and long ones. Also runs of at least 1,000 characters without a
/// blank (base64, hashes, minified data), which are folded initially. At most 100,000.
[[nodiscard]] std::vector<TextFold> jsonFolds(std::string_view json);

/// The long runs only, for any text. A run that is the whole text is not folded initially, as nothing else would be
/// visible.
[[nodiscard]] std::vector<TextFold> runFolds(std::string_view text);

} // namespace ui
