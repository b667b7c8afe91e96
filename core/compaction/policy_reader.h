// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

#include <nlohmann/json_fwd.hpp>

namespace core {

/// A policy from a document that is parsed already. `where` (a file) and `text` (what was parsed) give errors their
/// file and line; both may be empty. An error of kind Malformed names the first wrong member.
[[nodiscard]] Result<Policy> readPolicy(
    const nlohmann::ordered_json &json, std::string_view where = {}, std::string_view text = {});

} // namespace core
