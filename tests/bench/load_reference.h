// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string_view>

namespace bench {

/// What the reference loops saw, so that nobody optimises them away and so that they can be checked.
struct Touched {
    uint64_t records = 0;
    uint64_t bodyBytes = 0;
    uint64_t tokens = 0;
};

/// The fastest honest way through a Claude Code file: memchr for the lines, On-Demand for the fields that the reader
/// reads (type, uuid, parentUuid, timestamp, message id and model, content bodies as raw ranges, usage). Nothing is
/// kept. `bytes` must be followed by 64 readable bytes.
[[nodiscard]] Touched touchOnDemand(std::string_view bytes);

/// The same fields through nlohmann's DOM.
[[nodiscard]] Touched touchDom(std::string_view bytes);

/// Bytes of all records, each crossed once to its end: by the scanner of `core/json`, and by On-Demand, which first
/// finds the places of all brackets, quotes and commas. Both find the same bytes.
[[nodiscard]] uint64_t skipOurs(std::string_view bytes);
[[nodiscard]] uint64_t skipOnDemand(std::string_view bytes);

} // namespace bench
