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

/// nullopt if the text is valid JSON. Comments count as errors unless `allowsComments`.
[[nodiscard]] std::optional<JsonError> jsonErrorOf(std::string_view text, bool allowsComments = false);

} // namespace core
