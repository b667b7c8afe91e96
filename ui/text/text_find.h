// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "ui/text/ansi.h"

#include <string>
#include <string_view>
#include <vector>

namespace ui {

struct FindOptions {
    bool isCaseSensitive = false;
    bool isWholeWord = false;
    friend bool operator==(const FindOptions &, const FindOptions &) = default;
};

/// All non-overlapping occurrences of `wanted` in `text`, from left to right. Case-insensitive search uses Unicode's
/// simple case folding. Empty if cancelled.
[[nodiscard]] std::vector<TextSpan> findAll(
    std::string_view text, std::string_view wanted, FindOptions options, const core::Progress *progress = nullptr);

/// All occurrences of several texts, from left to right. Of two that overlap, the one that begins first counts, or the
/// longer one.
[[nodiscard]] std::vector<TextSpan> findEach(std::string_view text, const std::vector<std::string> &wanted,
    FindOptions options, const core::Progress *progress = nullptr);

/// Whether the byte belongs to a word for double clicks: letters, digits, `_` and everything beyond ASCII.
[[nodiscard]] bool isWordByte(char byte);

} // namespace ui
