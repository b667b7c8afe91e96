// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

namespace app {

/// `tokens --calibration FILE|DIR…`: how well the first half of each session's usage predicts the second half. In
/// folders it uses every session file with usage and skips other files.
[[nodiscard]] int runCalibrationTrials(const Arguments &arguments);

} // namespace app
