// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/calibration_trial.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace core {

/// What `palimpsest tokens --calibration` says of one session.
struct CalibrationReport {
    std::string file;
    std::string model;
    size_t calls = 0;                      ///< with usage, of the thread that has most
    std::optional<CalibrationTrial> trial; ///< nothing where too few calls recorded their usage
};

/// Counts the session, which takes the time of `exactTokens`, and tries its calibration.
[[nodiscard]] CalibrationReport calibrationReport(
    std::string file, const Session &session, const RanksPtr &o200k, unsigned threads);

/// Why predictions of a session miss by more than 5 % (the ninth decile of the later calls), from what its recording
/// shows: one sentence a departure, the largest first, then smaller gains. Empty below; says so where nothing is found.
[[nodiscard]] std::vector<std::string> explanationsOf(const CalibrationTrial &trial);

/// The document `palimpsest.calibration/1`.
[[nodiscard]] nlohmann::ordered_json calibrationJson(std::span<const CalibrationReport> reports);

/// A line a session, sessions with fewer than 20 calls apart, and the medians over the others.
[[nodiscard]] std::string drawCalibration(std::span<const CalibrationReport> reports);

} // namespace core
