// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>

namespace core {

// The files of resources/ranks as written by pack_ranks.py: for each token in rank order a length byte and that many
// bytes.
[[nodiscard]] std::string_view packedO200k();
[[nodiscard]] std::string_view packedCl100k();

} // namespace core
