// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"
#include "core/sweep/sweep_set.h"

namespace app {

/// Whether the words of `sweep` are about many sessions: several files, a folder, a list on standard input, or an
/// option that only makes sense for many.
[[nodiscard]] bool isSweepOfMany(const Arguments &arguments);

/// The sweeps of the sessions that the words name, and with which exit code what could not be read ends: what that was
/// is said. `--policy` and what `sweep` has for many are read.
struct SweptSessions {
    core::SweepSet set;
    int exitCode = 0;
};
[[nodiscard]] core::Result<SweptSessions> sweptSessions(const Arguments &arguments);

/// `sweep` over many sessions, or over lines that such sweeps have written.
[[nodiscard]] int runSweepOfMany(const Arguments &arguments);

} // namespace app
