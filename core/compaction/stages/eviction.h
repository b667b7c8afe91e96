// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

namespace core::stages {

/// What the stages that summarise have in common. The parameters of `evictionParameters` say what the summary is, where
/// the evicted part and its media go, and what stands for them in the array.
[[nodiscard]] std::vector<ParameterSpec> evictionParameters();

/// Where the evicted part goes; empty where it goes nowhere.
[[nodiscard]] std::string archiveName(const StageParameters &parameters);
/// Whether its messages are kept there, and not a summary alone.
[[nodiscard]] bool archivesMessages(const StageParameters &parameters);
/// The text of the message that stands for them.
[[nodiscard]] std::string summaryMessage(const StageParameters &parameters, const std::string &summary);

/// The messages before `cut` go to the archive, a summary stands for them. With `isStored` the array stays as it is.
/// False where there is nothing before it but summaries.
bool evictBefore(StageRun &run, size_t cut, bool isStored = false);

} // namespace core::stages
