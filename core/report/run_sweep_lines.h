// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/sweep/run_sweep.h"

#include <nlohmann/json_fwd.hpp>

namespace core {

/// The result for one file, as lines of `palimpsest.sweep_run/2`: one per run, and one per file or run left out. They
/// contain everything that `sweepSet` needs, with every digit, so that sweeps can be made on many machines and
/// combined.
[[nodiscard]] std::string runSweepLines(const SweepPlan &plan, const FileSweep &file);

/// Reads such lines from any number of files, in any order.
class RunSweepReader final {
public:
    /// Fails and names the line if it is another document, or has another policy, other settings or prices.
    [[nodiscard]] Result<void> add(const nlohmann::ordered_json &line, const std::string &where);

    [[nodiscard]] const std::optional<SweepPlan> &plan() const { return m_plan; } ///< of the first line
    [[nodiscard]] std::vector<FileSweep> take() { return std::move(m_files); }

private:
    std::optional<SweepPlan> m_plan;
    std::string m_planText; ///< as in the first line
    std::vector<FileSweep> m_files;
};

} // namespace core
