// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QStringList>

namespace ui {

/// The effect of the plan on the chosen call, in sentences.
struct PolicyVerdict {
    bool isAsIf = false; ///< the trigger is not reached: `total` says what the policy would do if it acted
    QString total;       ///< `118.0k → 52.1k tokens · −56 %`; empty without a plan
    QStringList invalid; ///< faults that a provider would refuse
    QStringList lines;   ///< whether it fires, missing windows, overrides
};
[[nodiscard]] PolicyVerdict policyVerdict(const ViewState &state);

/// Losses and savings of the policy over all calls; empty until known.
struct RunVerdict {
    QStringList lines;
    QStringList costs; ///< how the two costs are counted, and why they differ from usage
};
[[nodiscard]] RunVerdict runVerdict(const Workspace &workspace);

} // namespace ui
