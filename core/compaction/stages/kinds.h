// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

/// All stages, in menu order. To add a stage, write a file that defines `StageKind NAME()` and name it here.
#define PALIMPSEST_STAGES(STAGE)                                                                                       \
    STAGE(acknowledgeEdits)                                                                                            \
    STAGE(offloadResults)                                                                                              \
    STAGE(offloadUserMessages)                                                                                         \
    STAGE(summariseWhenAsked)                                                                                          \
    STAGE(truncateResults)                                                                                             \
    STAGE(pageReads)                                                                                                   \
    STAGE(clipArguments)                                                                                               \
    STAGE(clipResults)                                                                                                 \
    STAGE(clipTexts)                                                                                                   \
    STAGE(elide)                                                                                                       \
    STAGE(clearToolUses)                                                                                               \
    STAGE(dropImages)                                                                                                  \
    STAGE(dropThinking)                                                                                                \
    STAGE(summarise)                                                                                                   \
    STAGE(log)                                                                                                         \
    STAGE(inject)                                                                                                      \
    STAGE(offloadTail)

namespace core::stages {

#define PALIMPSEST_DECLARE(name) [[nodiscard]] StageKind name();
PALIMPSEST_STAGES(PALIMPSEST_DECLARE)
#undef PALIMPSEST_DECLARE

} // namespace core::stages
