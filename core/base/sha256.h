// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>

namespace core {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits, for names that harnesses derive from content. Some 200 MB/s.
[[nodiscard]] std::string sha256Hex(std::string_view bytes);

} // namespace core
