// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace core {

/// One escape of a JSON string: how many raw bytes it takes and the code point it stands for. A malformed one is a
/// backslash that stands for itself.
struct JsonEscape {
    size_t rawSize = 1;
    uint32_t codePoint = '\\';
};

/// The escape whose backslash stands at `position`.
[[nodiscard]] JsonEscape jsonEscapeAt(std::string_view raw, size_t position);

/// Bytes of a code point in UTF-8; a surrogate takes three.
[[nodiscard]] constexpr uint64_t utf8Size(uint32_t codePoint)
{
    if (codePoint < 0x80)
        return 1;
    if (codePoint < 0x800)
        return 2;
    return codePoint < 0x10000 ? 3 : 4;
}

} // namespace core
