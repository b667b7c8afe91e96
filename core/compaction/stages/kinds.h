// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

namespace core::stages {

// Each is made in the file of its name; stage_kinds.cpp lists them.
[[nodiscard]] StageKind clipArguments();
[[nodiscard]] StageKind clipResults();
[[nodiscard]] StageKind clipTexts();
[[nodiscard]] StageKind truncateResults();
[[nodiscard]] StageKind offloadResults();
[[nodiscard]] StageKind offloadUserMessages();
[[nodiscard]] StageKind offloadTail();
[[nodiscard]] StageKind pageReads();
[[nodiscard]] StageKind acknowledgeEdits();
[[nodiscard]] StageKind elide();
[[nodiscard]] StageKind clearToolUses();
[[nodiscard]] StageKind dropImages();
[[nodiscard]] StageKind dropThinking();
[[nodiscard]] StageKind summarise();
[[nodiscard]] StageKind summariseWhenAsked();

/// The arguments of the call are `{}` already: clearing them changes nothing.
[[nodiscard]] inline bool hasNoArguments(const Block &call) { return call.body.lengths.codePoints <= 2; }

} // namespace core::stages
