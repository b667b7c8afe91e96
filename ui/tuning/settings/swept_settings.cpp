// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/settings/swept_settings.h"

#include "ui/hub/workspace.h"

#include <algorithm>

namespace ui {

namespace {

bool isSameAxis(const core::SweepAxis &a, const core::SweepAxis &b)
{
    return a.setting == b.setting && a.unit == b.unit && a.values == b.values;
}

core::PolicyPtr withFirstValues(const core::Policy &policy, const core::SweepAxis &x, const core::SweepAxis &y)
{
    auto first = core::withSetting(policy, x.setting, x.textOf(x.values.front()));
    if (first)
        first = core::withSetting(*first, y.setting, y.textOf(y.values.front()));
    return first ? std::make_shared<const core::Policy>(std::move(*first)) : nullptr;
}

} // namespace

bool SweptPolicy::isSame(const SweptPolicy &other) const
{
    return policy->document == other.policy->document && isSameAxis(x, other.x) && isSameAxis(y, other.y);
}

SweptSettings::SweptSettings(Workspace &workspace, size_t grid)
    : m_workspace(workspace)
    , m_grid(grid)
{
}

std::vector<std::string> SweptSettings::all() const
{
    const core::PolicyPtr &policy = m_workspace.plan().policy;
    const bool doesSomething = policy && std::ranges::contains(policy->stages, true, &core::StageSpec::isEnabled);
    return doesSomething ? core::sweepSettings(*policy) : std::vector<std::string>();
}

void SweptSettings::set(Axis axis, const std::string &setting)
{
    std::string &own = m_settings[static_cast<size_t>(axis)];
    std::string &other = m_settings[axis == Axis::X ? 1 : 0];
    if (own == setting)
        return;
    if (other == setting)
        other = own;
    own = setting;
    Q_EMIT changed();
}

void SweptSettings::keepKnown()
{
    const std::vector<std::string> known = all();
    const auto isKnown = [&](const std::string &each) { return std::ranges::find(known, each) != known.end(); };
    if (known.empty() || std::ranges::all_of(m_settings, isKnown))
        return;
    m_settings = { "keep", "trigger" };
    Q_EMIT changed();
}

std::optional<core::SweepAxis> SweptSettings::axisFor(
    Axis which, const core::Session &session, const std::optional<SweptPolicy> &before) const
{
    const core::Policy &policy = *m_workspace.plan().policy;
    const std::string &setting = at(which);
    if (before) {
        const core::SweepAxis &axis = which == Axis::X ? before->x : before->y;
        const auto value = axis.setting == setting ? core::valueIn(policy, axis) : std::nullopt;
        if (value && before->policy->id == policy.id && *value >= axis.values.front() && *value <= axis.values.back())
            return axis;
    }
    auto axis = core::parseAxis(policy, session, setting, m_grid);
    return axis && !axis->values.empty() ? std::optional(std::move(*axis)) : std::nullopt;
}

std::optional<SweptPolicy> SweptSettings::swept(
    const core::Session &session, const std::optional<SweptPolicy> &before) const
{
    const core::PolicyPtr &policy = m_workspace.plan().policy;
    if (all().empty())
        return std::nullopt;
    auto x = axisFor(Axis::X, session, before);
    auto y = axisFor(Axis::Y, session, before);
    if (!x || !y)
        return std::nullopt;
    core::PolicyPtr first = withFirstValues(*policy, *x, *y);
    return first ? std::optional(SweptPolicy { std::move(first), std::move(*x), std::move(*y) }) : std::nullopt;
}

} // namespace ui
