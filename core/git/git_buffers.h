// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/base/text_lines.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Which whitespace differences count.
enum class Whitespace : uint8_t {
    Exact,        ///< all
    IgnoreAtEnd,  ///< all but those at the end of a line; line feed and carriage return belong to the end
    IgnoreAmount, ///< as IgnoreAtEnd, and runs of blanks are equal whatever their length
    IgnoreAll,    ///< none
};

/// Lines of one text that replace lines of another; one range may be empty.
struct LineHunk {
    LineRange before;
    LineRange after;
};

/// The differing lines of two buffers, from top to bottom, as libgit2's diff engine finds them. Between two hunks both
/// texts have the same number of lines. Any bytes are allowed: NUL, invalid UTF-8 and carriage returns are not special.
/// nullopt if the engine fails: text of a gigabyte, out of memory. Thread-safe.
[[nodiscard]] std::optional<std::vector<LineHunk>> lineHunks(
    std::string_view before, std::string_view after, Whitespace whitespace);

/// The patch between two buffers as `git diff` writes it; empty if they are equal.
[[nodiscard]] Result<std::string> bufferPatch(std::optional<std::string_view> before,
    std::optional<std::string_view> after, const std::string &path, uint32_t contextLines);

} // namespace core
