// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/calibration_trial.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace core {

/// The content of `palimpsest tokens --calibration` for one session.
struct CalibrationReport {
    std::string file;
    std::string model;
    size_t calls = 0;                      ///< with usage, in the thread that has most
    std::optional<CalibrationTrial> trial; ///< nullopt with too few calls with usage
};

/// Counts the session (the cost of `exactTokens`) and tests its calibration.
[[nodiscard]] CalibrationReport calibrationReport(
    std::string file, const Session &session, const RanksPtr &o200k, unsigned threads);

/// Why predictions for a session are wrong by more than 5 % (the ninth decile of the later calls), according to the
/// recording: one sentence per departure, the largest first, then smaller gains. Empty if the error is smaller; says so
/// if no reason is found.
[[nodiscard]] std::vector<std::string> explanationsOf(const CalibrationTrial &trial);

/// The document `palimpsest.calibration/1`.
[[nodiscard]] nlohmann::ordered_json calibrationJson(std::span<const CalibrationReport> reports);

/// A line per session, then sessions with fewer than 20 calls, and the medians over the others.
[[nodiscard]] std::string drawCalibration(std::span<const CalibrationReport> reports);

} // namespace core
