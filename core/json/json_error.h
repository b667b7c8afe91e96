// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// The first JSON syntax error in a text.
struct JsonError {
    size_t line = 1;    ///< counted from 1
    std::string reason; ///< a clause: `unexpected '}'; expected string literal`
};

/// Copying, comparing and writing a value of the program's own documents call themselves for each level.
inline constexpr size_t kMostJsonLevels = 500;

/// Where a text goes deeper than `kMostJsonLevels`. `parseJson` refuses it.
[[nodiscard]] std::optional<size_t> tooDeepJson(std::string_view text, bool allowsComments);

/// nullopt if the text is JSON that `parseJson` takes. Comments count as errors unless `allowsComments`.
[[nodiscard]] std::optional<JsonError> jsonErrorOf(std::string_view text, bool allowsComments = false);

} // namespace core
