// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/compaction/policy.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The arguments of `palimpsest shoot`.
struct ShootRequest {
    std::filesystem::path file; ///< or a folder of sessions for the Tuning view
    QStringList views;          ///< names of MainWindow::viewNames(), or of folderViewNames(); empty for all
    std::filesystem::path folder;
    std::optional<uint32_t> call; ///< nullopt: the call with the largest recorded prompt
    std::optional<uint32_t> thread;
    std::optional<uint32_t> slot;          ///< the slot to select
    core::PolicyPtr policy;                ///< simulated beside the array
    std::filesystem::path overrides;       ///< a file of overrides; empty for none
    std::vector<core::PolicyPtr> compared; ///< in the timeline
    std::string found;                     ///< a filter line to search for; empty for none
    std::string traced;                    ///< a text to trace over the calls; empty for none
    bool ignoresTriggers = false;          ///< every stage acts as if its trigger were reached
    std::filesystem::path after;           ///< another file as the `after` array; empty for none
    bool isDark = false;
    QSize size { 1600, 1000 };
    double scale = 1.0;
};

/// Writes pictures of the views without a display; returns their paths. Needs a QApplication.
[[nodiscard]] core::Result<QStringList> shoot(const ShootRequest &request);

} // namespace ui
