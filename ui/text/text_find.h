// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "ui/text/ansi.h"

#include <string_view>
#include <vector>

namespace ui {

struct FindOptions {
    bool isCaseSensitive = false;
    bool isWholeWord = false;
    friend bool operator==(const FindOptions &, const FindOptions &) = default;
};

/// All places of `wanted` in `text`, from left to right, none overlapping the one before. Without regard to case,
/// letters are compared by Unicode's simple case folding. Nothing if cancelled.
[[nodiscard]] std::vector<TextSpan> findAll(
    std::string_view text, std::string_view wanted, FindOptions options, const core::Progress *progress = nullptr);

/// True for characters of a word, as a double click selects it: letters, digits, `_` and everything beyond ASCII.
[[nodiscard]] bool isWordByte(char byte);

} // namespace ui
