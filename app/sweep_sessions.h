// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"
#include "core/sweep/sweep_set.h"

namespace app {

/// Whether the arguments of `sweep` name several sessions: several files, a folder, a list on standard input, or an
/// option that only applies to several.
[[nodiscard]] bool isSweepOfMany(const Arguments &arguments);

/// The sweeps of the named sessions, and the exit code for files that could not be read, which have been reported. Uses
/// `--policy` and the options of `sweep` for many sessions.
struct SweptSessions {
    core::SweepSet set;
    int exitCode = 0;
};
[[nodiscard]] core::Result<SweptSessions> sweptSessions(const Arguments &arguments);

/// Runs `sweep` over many sessions, or over lines written by such sweeps.
[[nodiscard]] int runSweepOfMany(const Arguments &arguments);

} // namespace app
