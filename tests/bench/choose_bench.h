// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

namespace bench {

/// What the thread of the window works when a call, a unit or a keep value is chosen among 100,000 slots.
void benchChoose();

} // namespace bench
