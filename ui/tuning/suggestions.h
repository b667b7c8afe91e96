// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/suggestion.h"
#include "ui/base/job.h"
#include "ui/tuning/folder_map.h"

#include <QObject>

namespace ui {

/// What a folder's runs suggest within limits, found in the background: anew when the map or a limit changes. The
/// latest start wins.
class Suggestions final : public QObject {
    Q_OBJECT

public:
    explicit Suggestions(QObject *parent = nullptr);

    /// Of which map; nullptr: nothing can be suggested yet.
    void setMap(FolderMapPtr map);
    [[nodiscard]] const std::vector<core::SweepLimit> &limits() const { return m_limits; }
    void setLimits(std::vector<core::SweepLimit> limits);
    /// At most 1 % of later uses lost, as on the command line.
    [[nodiscard]] static std::vector<core::SweepLimit> usualLimits();

    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// An error says why there is nothing to suggest; nothing while it is being found.
    [[nodiscard]] const std::optional<core::Result<core::Suggestion>> &current() const { return m_current; }
    [[nodiscard]] const FolderMapPtr &map() const { return m_map; } ///< that `current` is of

Q_SIGNALS:
    void changed();

private:
    void start();

    FolderMapPtr m_map;
    std::vector<core::SweepLimit> m_limits = usualLimits();
    std::optional<core::Result<core::Suggestion>> m_current;
    Job<core::Result<core::Suggestion>> m_job;
};

} // namespace ui
