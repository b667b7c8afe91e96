// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"
#include "core/report/sweep_report.h"
#include "core/report/sweep_set_report.h"

namespace app {

/// Writes the map of `--metric` to the file of `--png`, in the colours of `--theme`; returns the exit code.
[[nodiscard]] int writeSweepPicture(const core::SweepReport &made, const Arguments &arguments);
/// The same for many sessions; writes nothing if there are no runs.
[[nodiscard]] int writeSweepPicture(core::SweepSetReport made, const Arguments &arguments);

} // namespace app
