// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// Searches of a generated session of 100,000 slots and about 200 MB, which is written into `folder`: until the first
/// hits are there, and until all are. A plain loop over the decoded texts counts first.
void benchSearch(const std::filesystem::path &folder, const std::vector<std::string> &texts);

} // namespace bench
