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

/// The policy of a map, with the first values of its two settings, and these. Where only the two values of a policy
/// differ, it is the same.
struct SweptPolicy {
    core::PolicyPtr policy;
    core::SweepAxis x;
    core::SweepAxis y;

    [[nodiscard]] bool isSame(const SweptPolicy &other) const;
};

/// Which two settings of the plan's policy are swept, and over which values.
class SweptSettings final : public QObject {
    Q_OBJECT

public:
    enum class Axis : uint8_t { X, Y };

    SweptSettings(Workspace &workspace, size_t grid);

    /// How many values an axis has at most.
    void setGrid(size_t count) { m_grid = count; }
    [[nodiscard]] size_t grid() const { return m_grid; }
    /// Settings that can be swept; empty as recorded.
    [[nodiscard]] std::vector<std::string> all() const;
    [[nodiscard]] const std::string &at(Axis axis) const { return m_settings[static_cast<size_t>(axis)]; }
    /// Where it is the other axis' setting, the two change places.
    void set(Axis axis, const std::string &setting);
    /// Those that the plan's policy does not have give way to keep and trigger.
    void keepKnown();

    /// The plan's policy over values that `session` gives; nothing without a policy, or where a setting has no range.
    /// The values of `before` stay while the policy's own are among them: a map does not slip away below the marker.
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
