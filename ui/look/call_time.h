// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <QString>

namespace ui {

/// Whether the calls span several days, so that times need the day.
[[nodiscard]] bool spansDays(const core::Thread &thread);

/// `16:15:01`, with the day if `withDay`; empty if no time was recorded.
[[nodiscard]] QString callTimeText(const core::Call &call, bool withDay);

} // namespace ui
