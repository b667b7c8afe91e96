// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace core {

/// One escape sequence of a JSON string: its size in raw bytes and the code point it encodes. A malformed escape is
/// read as a literal backslash.
struct JsonEscape {
    size_t rawSize = 1;
    uint32_t codePoint = '\\';
};

/// Decodes the escape sequence whose backslash is at `position`.
[[nodiscard]] JsonEscape jsonEscapeAt(std::string_view raw, size_t position);

/// Size of a code point in UTF-8; a surrogate takes three bytes.
[[nodiscard]] constexpr uint64_t utf8Size(uint32_t codePoint)
{
    if (codePoint < 0x80)
        return 1;
    if (codePoint < 0x800)
        return 2;
    return codePoint < 0x10000 ? 3 : 4;
}

} // namespace core
