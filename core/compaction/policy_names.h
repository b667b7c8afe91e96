// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/enum_names.h"
#include "core/compaction/policy.h"

namespace core {

// How documents name the values of a policy's enumerations.
inline constexpr EnumNames<Comparator, 2> kComparators { { ">=", ">" } };
inline constexpr EnumNames<Keep::Rule, 3> kKeepRules { { "crossing", "within", "within-or-nothing" } };
inline constexpr EnumNames<Keep::Pairing, 3> kKeepPairings { { "none", "back", "balanced" } };
inline constexpr EnumNames<Counter::Kind, 5> kCounters { { "tokens", "genkit-text", "langchain", "characters",
    "json-quarter" } };
inline constexpr EnumNames<Persistence, 2> kPersistences { { "view", "persistent" } };

} // namespace core
