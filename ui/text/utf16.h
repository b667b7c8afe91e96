// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QString>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ui {

/// Converts generalised UTF-8 to UTF-16 for the clipboard. Keeps lone surrogates and control characters; invalid bytes
/// become U+FFFD. Painted labels use displayText().
[[nodiscard]] QString toUtf16(std::string_view text);

/// Appends the conversion to `result`, and to `offsets` the byte offset of each UTF-16 unit, counted from `firstByte`.
void appendUtf16(std::string_view text, size_t firstByte, QString &result, std::vector<size_t> &offsets);

} // namespace ui
