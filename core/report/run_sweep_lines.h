// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/sweep/run_sweep.h"

namespace core {

/// What became of one file, a line for each run and for what was left out: documents `palimpsest.sweep_run/2` that hold
/// all that `sweepSet` needs, every figure to its last digit. So sweeps can be made on many machines and put together.
[[nodiscard]] std::string runSweepLines(const SweepPlan &plan, const FileSweep &file);

/// Reads such lines back, from as many places as there are, in any order.
class RunSweepReader final {
public:
    /// An error names the line: what is no such document, or of another policy, other settings or prices.
    [[nodiscard]] Result<void> add(std::string_view lines, const std::string &where);

    [[nodiscard]] const std::optional<SweepPlan> &plan() const { return m_plan; } ///< of the first line
    [[nodiscard]] std::vector<FileSweep> take() { return std::move(m_files); }

private:
    [[nodiscard]] Result<void> addLine(std::string_view line, const std::string &where);

    std::optional<SweepPlan> m_plan;
    std::string m_planText; ///< as the first line has it
    std::vector<FileSweep> m_files;
};

} // namespace core
