// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>

namespace core {

// The files of resources/ranks, as pack_ranks.py wrote them: a byte of length and that many bytes for each token, in
// the order of the ranks.
[[nodiscard]] std::string_view packedO200k();
[[nodiscard]] std::string_view packedCl100k();

} // namespace core
