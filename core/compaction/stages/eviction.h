// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

namespace core::stages {

/// The common part of stages that summarise. The parameters in `evictionParameters` define the summary, the archive for
/// the evicted messages and their media, and the replacements in the array.
[[nodiscard]] std::vector<ParameterSpec> evictionParameters();

/// The name of the archive; empty if there is none.
[[nodiscard]] std::string archiveName(const StageParameters &parameters);
/// Whether the archive holds the messages, rather than a summary only.
[[nodiscard]] bool archivesMessages(const StageParameters &parameters);
/// The text of the message that replaces the evicted messages.
[[nodiscard]] std::string summaryMessage(const StageParameters &parameters, const std::string &summary);

/// Moves the messages before `cut` to the archive and replaces them by a summary. With `isStored` the array stays
/// unchanged. False if there is nothing but summaries before `cut`.
bool evictBefore(StageRun &run, size_t cut, bool isStored = false);

} // namespace core::stages
