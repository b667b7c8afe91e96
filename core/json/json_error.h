// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Where a text stops being JSON, and why.
struct JsonError {
    size_t line = 1;    ///< counted from 1
    std::string reason; ///< a clause: `unexpected '}'; expected string literal`
};

/// Nothing if the text is JSON; comments are, if they are allowed.
[[nodiscard]] std::optional<JsonError> jsonErrorOf(std::string_view text, bool allowsComments = false);

} // namespace core
