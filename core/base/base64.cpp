// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/base64.h"

#include <cstdint>

namespace core {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::optional<std::string> decodeBase64(std::string_view text)
{
    while (text.ends_with('=') || text.ends_with('\n'))
        text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        if (c == '\n' || c == '\r')
            continue;
        const size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos)
            return std::nullopt;
        bits = bits << 6U | static_cast<uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<char>(bits >> count & 0xFFU));
        }
    }
    if (count >= 6)
        return std::nullopt; // a digit too many
    return bytes;
}

} // namespace core
