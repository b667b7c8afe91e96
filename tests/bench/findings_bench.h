// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// The time from the picture of a session to its findings: of 4 MB, a session of the corpus if it is there, and of
/// 200 MB.
void benchFindings(
    const std::filesystem::path &corpus, const std::filesystem::path &folder, const std::vector<std::string> &texts);

} // namespace bench
