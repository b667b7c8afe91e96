// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json.h"
#include "core/report/sweep_set_report.h"

namespace core {

/// The member `suggestion` of a set's document.
[[nodiscard]] Json suggestionJson(const SweepSet &set, const Suggestion &made);

} // namespace core
