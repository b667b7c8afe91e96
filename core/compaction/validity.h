// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// Things in an array that a provider would refuse or that are suspicious: a tool call without a later result, a result
/// without an earlier call, an array that does not begin with the user, consecutive model messages where the API
/// requires alternation, empty messages. O(blocks).
[[nodiscard]] std::vector<Violation> violationsOf(const Transcript &transcript);

/// The violations of the `after` array that the `before` array does not have, plus damage by a policy's stages:
/// texts that are together longer than what they replace, and clips that clip their own result again. Recorded and
/// observed arrays may have longer texts, as no provider refuses those.
[[nodiscard]] std::vector<Violation> newViolations(const Compaction &compaction);

/// The part of the violations of the `after` array that a provider would refuse: all but those of stages.
[[nodiscard]] std::vector<Violation> refusalsOf(const Compaction &compaction);
/// Whether a provider would refuse the array for it.
[[nodiscard]] bool isRefusal(const Violation &violation);
/// The first refusal, and how many there are: `A provider would refuse the new array at [3]: …`
[[nodiscard]] std::string refusalSentence(std::span<const Violation> refusals);

/// Consecutive equal violations of the same slot, reported once. Points into the given violations.
struct AlikeViolations {
    const Violation *first = nullptr;
    size_t count = 0;
    /// `The tool result has no call before it. (2 times)`.
    [[nodiscard]] std::string sentence() const;
};
[[nodiscard]] std::vector<AlikeViolations> alikeIn(std::span<const Violation> violations);

/// A sentence if these parameters let a clip clip its own result again at the next call; else nullopt. (The Genkit
/// recipe does so if its cap is below its preview.)
[[nodiscard]] std::optional<std::string> reclips(const StageSpec &spec, LengthUnit unit);

} // namespace core
