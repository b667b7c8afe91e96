// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <QString>

namespace ui {

/// Its calls were made on more than one day: a time alone does not tell when.
[[nodiscard]] bool spansDays(const core::Thread &thread);

/// `16:15:01`, with the day where the thread spans days; empty where no time was recorded.
[[nodiscard]] QString callTimeText(const core::Call &call, bool withDay);

} // namespace ui
