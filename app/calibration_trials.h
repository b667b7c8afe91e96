// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

namespace app {

/// `tokens --calibration FILE|DIR…`: how well the usage of each session's first half predicts its second. Of a folder
/// every file below it that is a session with usage; what is none is passed over.
[[nodiscard]] int runCalibrationTrials(const Arguments &arguments);

} // namespace app
