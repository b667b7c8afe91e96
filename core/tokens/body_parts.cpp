// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/body_parts.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace core {

namespace {

/// Shorter strings are always read as text.
constexpr size_t kSmallestMedia = 1024;

} // namespace

std::optional<Media> nextMedia(std::string_view json, size_t from)
{
    static constexpr auto kBeginnings = std::to_array<std::string_view>(
        { "iVBORw0KGgo", "/9j/", "\\/9j\\/", "R0lGODlh", "R0lGODdh", "UklGR", "data:image/" });
    while (from + kSmallestMedia < json.size()) {
        const auto *hit = static_cast<const char *>(std::memchr(json.data() + from, '"', json.size() - from));
        if (hit == nullptr)
            return std::nullopt;
        const size_t begin = static_cast<size_t>(hit - json.data()) + 1;
        from = begin;
        const std::string_view rest = json.substr(begin);
        const bool isDocument = rest.starts_with("JVBERi0");
        const bool isImage = !isDocument
            && std::ranges::any_of(kBeginnings, [&](std::string_view each) { return rest.starts_with(each); });
        if (!isDocument && !isImage)
            continue;
        const auto *close = static_cast<const char *>(std::memchr(rest.data(), '"', rest.size()));
        const size_t size = close == nullptr ? rest.size() : static_cast<size_t>(close - rest.data());
        const bool isEncoded = rest.substr(0, size).find(' ') == std::string_view::npos;
        if (size >= kSmallestMedia && isEncoded)
            return Media { begin, begin + size, isImage };
    }
    return std::nullopt;
}

} // namespace core
