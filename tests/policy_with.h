// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

#include <QtGlobal>

namespace testing {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// A preset with settings, as by `--set`. A setting that is refused ends the program.
[[nodiscard]] inline core::PolicyPtr policyWith(const char *id, const Settings &settings)
{
    core::Policy policy = *core::preset(id);
    for (const auto &[key, value] : settings) {
        auto changed = core::withSetting(policy, key, value);
        if (!changed)
            qFatal("%s", changed.error().sentence().c_str());
        policy = std::move(*changed);
    }
    return std::make_shared<const core::Policy>(std::move(policy));
}

} // namespace testing
