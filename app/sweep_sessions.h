// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

namespace app {

/// Whether the words of `sweep` are about many sessions: several files, a folder, a list on standard input, or an
/// option that only makes sense for many.
[[nodiscard]] bool isSweepOfMany(const Arguments &arguments);

/// `sweep` over many sessions, or over lines that such sweeps have written.
[[nodiscard]] int runSweepOfMany(const Arguments &arguments);

} // namespace app
