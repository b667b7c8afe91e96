// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/search.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// The content of `search`: the blocks that match a filter line.
struct SearchReport {
    SearchGround ground;
    std::string line;
    std::vector<SearchHit> hits;   ///< in pool order
    std::optional<Position> hotAt; ///< whose hot blocks the line asks for; nullopt if it does not
};

/// The document `palimpsest.search/1` with the first `limit` hits.
[[nodiscard]] nlohmann::ordered_json searchJson(const SearchReport &report, size_t limit = SIZE_MAX);

/// For the terminal: a row for each of the first `limit` hits with its message, what it is, its state and the text
/// around the match; then how many there are. Ends with a line end.
[[nodiscard]] std::string drawSearch(const SearchReport &report, size_t limit = SIZE_MAX);

/// `12 blocks of 5 messages match.`
[[nodiscard]] std::string countSentence(const SearchReport &report);

} // namespace core
