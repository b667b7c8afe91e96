// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

namespace core {

/// What a policy does with its present settings: `At every call: Offload large results. From 62 % of window on: Clip
/// tool arguments, Summarise. Keep: the last 10 % of window.`
[[nodiscard]] std::string deedSentence(const Policy &policy);
/// What the policy's worker does; empty without one.
[[nodiscard]] std::string workerSentence(const Policy &policy);

/// How a policy differs from the one it began as: `Changed: trigger 62 % of window, was 85 % of window; Clip tool
/// arguments off.` Names the first few settings and counts the others. Empty if both behave alike.
[[nodiscard]] std::string changeSentence(const Policy &now, const Policy &before);

} // namespace core
