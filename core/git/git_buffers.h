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

/// Which differences in blanks count.
enum class Whitespace : uint8_t {
    Exact,        ///< all of them
    IgnoreAtEnd,  ///< none at the end of a line, its line feed and carriage return among them
    IgnoreAmount, ///< as before, and runs of blanks are equal whatever their length
    IgnoreAll,    ///< none
};

/// Lines of one text that stand in the place of lines of another; one of the two may be empty.
struct LineHunk {
    LineRange before;
    LineRange after;
};

/// What libgit2's diff engine finds between two buffers, from top to bottom; between two hunks lie as many lines before
/// as after. Bytes are bytes: NUL, invalid UTF-8 and carriage returns are like any other. Nothing if the engine
/// refuses: a text of a gigabyte, no memory. Any thread.
[[nodiscard]] std::optional<std::vector<LineHunk>> lineHunks(
    std::string_view before, std::string_view after, Whitespace whitespace);

/// The patch between two buffers, as `git diff` writes it; empty where they are equal.
[[nodiscard]] Result<std::string> bufferPatch(std::optional<std::string_view> before,
    std::optional<std::string_view> after, const std::string &path, uint32_t contextLines);

} // namespace core
