// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QString>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ui {

/// Generalised UTF-8 as UTF-16, for the clipboard: lone surrogates and control characters are kept, stray bytes become
/// U+FFFD. Painted labels use displayText().
[[nodiscard]] QString toUtf16(std::string_view text);

/// The same, appended, with the byte of `text` at which each UTF-16 unit begins, counted from `firstByte`.
void appendUtf16(std::string_view text, size_t firstByte, QString &result, std::vector<size_t> &offsets);

} // namespace ui
