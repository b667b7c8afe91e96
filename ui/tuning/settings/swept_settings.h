// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep_axis.h"

#include <QObject>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ui {

class Workspace;

/// The policy of a map, with the first values of the two swept settings, and the settings. Policies that differ only in
/// the values of the two settings compare equal.
struct SweptPolicy {
    core::PolicyPtr policy;
    core::SweepAxis x;
    core::SweepAxis y;

    [[nodiscard]] bool isSame(const SweptPolicy &other) const;
};

/// The two settings of the plan's policy that are swept, and their values.
class SweptSettings final : public QObject {
    Q_OBJECT

public:
    enum class Axis : uint8_t { X, Y };

    SweptSettings(Workspace &workspace, size_t grid);

    /// Maximum number of values on an axis.
    void setGrid(size_t count) { m_grid = count; }
    [[nodiscard]] size_t grid() const { return m_grid; }
    /// Settings that can be swept; empty as recorded, or if no stage of the policy is on.
    [[nodiscard]] std::vector<std::string> all() const;
    [[nodiscard]] const std::string &at(Axis axis) const { return m_settings[static_cast<size_t>(axis)]; }
    /// Swaps the axes if the setting is already on the other axis.
    void set(Axis axis, const std::string &setting);
    /// Replaces settings that the plan's policy does not have by keep and trigger.
    void keepKnown();

    /// The plan's policy with the values to sweep in `session`; nullopt without a policy, or if a setting has no range.
    /// Keeps the values of `before` while the policy's own values are among them, so that the map does not move under
    /// the marker.
    [[nodiscard]] std::optional<SweptPolicy> swept(
        const core::Session &session, const std::optional<SweptPolicy> &before) const;

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] std::optional<core::SweepAxis> axisFor(
        Axis which, const core::Session &session, const std::optional<SweptPolicy> &before) const;

    Workspace &m_workspace;
    size_t m_grid;
    std::array<std::string, 2> m_settings { "keep", "trigger" };
};

} // namespace ui
