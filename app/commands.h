// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

/// All commands, in the order of the help. To add one, write a file that defines `const Command NAME`, and name it
/// here.
#define PALIMPSEST_COMMANDS(COMMAND)                                                                                   \
    COMMAND(kList)                                                                                                     \
    COMMAND(kShow)                                                                                                     \
    COMMAND(kWatch)                                                                                                    \
    COMMAND(kFindings)                                                                                                 \
    COMMAND(kCompact)                                                                                                  \
    COMMAND(kObserve)                                                                                                  \
    COMMAND(kSummarise)                                                                                                \
    COMMAND(kContinue)                                                                                                 \
    COMMAND(kRestore)                                                                                                  \
    COMMAND(kSearch)                                                                                                   \
    COMMAND(kTrace)                                                                                                    \
    COMMAND(kReach)                                                                                                    \
    COMMAND(kReplay)                                                                                                   \
    COMMAND(kSweep)                                                                                                    \
    COMMAND(kEdits)                                                                                                    \
    COMMAND(kExport)                                                                                                   \
    COMMAND(kReport)                                                                                                   \
    COMMAND(kTokens)                                                                                                   \
    COMMAND(kPolicies)                                                                                                 \
    COMMAND(kFormats)                                                                                                  \
    COMMAND(kRecall)                                                                                                   \
    COMMAND(kStatusline)                                                                                               \
    COMMAND(kGuard)                                                                                                    \
    COMMAND(kHooks)                                                                                                    \
    COMMAND(kShoot)                                                                                                    \
    COMMAND(kCompletions)                                                                                              \
    COMMAND(kMan)

namespace app {

#define PALIMPSEST_DECLARE_COMMAND(name) extern const Command name;
PALIMPSEST_COMMANDS(PALIMPSEST_DECLARE_COMMAND)
#undef PALIMPSEST_DECLARE_COMMAND

/// All commands, in the order of the help.
[[nodiscard]] std::span<const Command *const> commands();

} // namespace app
