// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/base64.h"

#include "core/base/text.h"

#include <array>
#include <cstdint>

namespace core {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 0xFF;

constexpr std::array<uint8_t, 256> kDigitOf = [] {
    std::array<uint8_t, 256> digits {};
    digits.fill(kNoDigit);
    for (size_t i = 0; i < kDigits.size(); ++i)
        digits[static_cast<unsigned char>(kDigits[i])] = static_cast<uint8_t>(i);
    return digits;
}();

constexpr std::string_view kDataMark = ";base64,";

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
        const uint8_t digit = kDigitOf[static_cast<unsigned char>(c)];
        if (digit == kNoDigit)
            return std::nullopt;
        bits = bits << 6U | digit;
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

bool isDataUrl(std::string_view text) { return text.starts_with("data:") && text.substr(0, 256).contains(kDataMark); }

std::optional<std::string> decodeQuotedBase64(std::string_view raw)
{
    if (isDataUrl(raw))
        raw.remove_prefix(raw.find(kDataMark) + kDataMark.size());
    if (raw.find_first_of("\\ \r\n\t") == std::string_view::npos)
        return decodeBase64(raw);
    std::string text = decodeJsonString(raw);
    std::erase_if(text, isBlank);
    return decodeBase64(text);
}

} // namespace core
