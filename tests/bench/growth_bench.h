// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

namespace bench {

/// What must grow no faster than its text: comparing lines, cutting a text into pieces, estimating a body. The figure
/// is the time for four times the text, in times of the text: about 4 if it is linear, 16 if it is quadratic.
void benchGrowth();

} // namespace bench
