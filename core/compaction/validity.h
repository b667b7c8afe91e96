// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// What a provider would refuse in an array, or find odd: a tool call without a result behind it, a result without a
/// call before it, an array that does not begin with the user, model messages that follow each other where the API
/// wants them to alternate, messages of nothing. O(blocks).
[[nodiscard]] std::vector<Violation> violationsOf(const Transcript &transcript);

/// The violations of the array after that the array before does not have too, and what the stages of a policy made
/// worse: placeholders that are longer than what they replaced, clips that clip their own clips again. What a harness
/// recorded, or another file holds, may be longer: no provider refuses that.
[[nodiscard]] std::vector<Violation> newViolations(const Compaction &compaction);

/// What a provider would refuse of a compaction's array after: its violations but for those of the stages.
[[nodiscard]] std::vector<Violation> refusalsOf(const Compaction &compaction);

/// Violations that follow each other and say the same of the same slot; they are told once. Points into those that it
/// was made of.
struct AlikeViolations {
    const Violation *first = nullptr;
    size_t count = 0;
    /// What is said of them: `The tool result has no call before it. (2 times)`.
    [[nodiscard]] std::string sentence() const;
};
[[nodiscard]] std::vector<AlikeViolations> alikeIn(std::span<const Violation> violations);

/// Parameters with which a clip clips its own result again at the next call: the sentence, or nothing. (The Genkit
/// recipe does with a cap below its preview.)
[[nodiscard]] std::optional<std::string> reclips(const StageSpec &spec, LengthUnit unit);

} // namespace core
