// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/enum_names.h"
#include "core/compaction/policy.h"

namespace core {

// Names of the policy enumerations in documents.
inline constexpr EnumNames<Comparator, 2> kComparators { { ">=", ">" } };
inline constexpr EnumNames<Keep::Rule, 3> kKeepRules { { "crossing", "within", "within-or-nothing" } };
inline constexpr EnumNames<Keep::Pairing, 7> kKeepPairings { { "none", "back", "forward", "balanced", "turn",
    "turn-or-last", "last-turn" } };
inline constexpr EnumNames<Counter::Kind, 7> kCounters { { "tokens", "genkit-text", "langchain", "langchain-js",
    "characters", "json-quarter", "pi" } };
inline constexpr EnumNames<Counter::Usage, 6> kCounterUsages { { "none", "beside", "with-later", "without-writes",
    "call", "prompt" } };
inline constexpr EnumNames<Persistence, 2> kPersistences { { "view", "persistent" } };
inline constexpr EnumNames<SummaryWorker::Reload, 2> kReloads { { "call", "turn" } };
inline constexpr EnumNames<SummaryWorker::KeepFrom, 2> kKeepFroms { { "trigger", "landing" } };
inline constexpr EnumNames<SummaryWorker::Request, 2> kWorkerRequests { { "messages", "empty" } };

} // namespace core
