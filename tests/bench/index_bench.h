// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// The index of many sessions: the first list, an unchanged second start, the words of all texts, searches. With
/// $PALIMPSEST_BENCH_SESSIONS over the sessions of that folder, else over generated ones in `folder`.
void benchIndex(const std::filesystem::path &folder, const std::vector<std::string> &texts);

} // namespace bench
