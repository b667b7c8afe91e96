// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

#include <nlohmann/json_fwd.hpp>

namespace core {

/// Reads a policy from parsed JSON. `where` (a file name) and `text` (the parsed text) give errors a file and line;
/// both may be empty. Fails with Malformed and names the first wrong member.
[[nodiscard]] Result<Policy> readPolicy(
    const nlohmann::ordered_json &json, std::string_view where = {}, std::string_view text = {});

} // namespace core
