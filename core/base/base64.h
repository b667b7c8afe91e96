// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Decodes base64 (RFC 4648, with `+` and `/`). Line ends and missing padding are allowed; any other character outside
/// the alphabet makes the result nullopt.
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);

/// True for `data:…;base64,…`.
[[nodiscard]] bool isDataUrl(std::string_view text);

/// Decodes base64 that is the raw content of a JSON string: escapes, blanks and the head of a data URL are allowed.
[[nodiscard]] std::optional<std::string> decodeQuotedBase64(std::string_view raw);

} // namespace core
