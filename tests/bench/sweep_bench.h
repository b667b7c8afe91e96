// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// Maps of 64 by 64 policies over about 2,000 calls, and what a cell costs where sessions hold little or much text.
void benchSweep(const std::filesystem::path &folder, const std::vector<std::string> &texts);

} // namespace bench
