// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>
#include <vector>

namespace core {

/// The words by which `toolDeed` judges a name, for code that judges names elsewhere: one list for each deed, and first
/// the deed that counts if a name has words of several.
[[nodiscard]] std::vector<std::vector<std::string_view>> deedWords();

} // namespace core
