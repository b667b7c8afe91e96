// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// What base64 stands for (RFC 4648, with `+` and `/`); line ends and missing padding do no harm. Nothing for a text
/// that holds any other character.
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);

/// True for `data:…;base64,…`.
[[nodiscard]] bool isDataUrl(std::string_view text);

/// The same for base64 as it stands between the quotes of a JSON string: with escapes and blanks, and with or without
/// the head of a data URL.
[[nodiscard]] std::optional<std::string> decodeQuotedBase64(std::string_view raw);

} // namespace core
