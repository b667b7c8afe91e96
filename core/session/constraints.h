// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>
#include <vector>

namespace core {

/// The sentences of a text, written by a person or a summary, that say what must or must not be done: with "must" or
/// "should not" in them, or with a clause that begins with "never", "do not", "no". Questions and lines of code are not
/// constraints.
[[nodiscard]] std::vector<std::string_view> constraintsIn(std::string_view text);

/// The line without list and quotation marks in front of it: `- `, `12. `, `> `.
[[nodiscard]] std::string_view withoutListMark(std::string_view line);

} // namespace core
