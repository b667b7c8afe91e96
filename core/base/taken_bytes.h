// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

namespace core {

/// The number of bytes that `SourceHold` and `SourcePart` have taken from sources in this process. The readers of
/// records take bytes only with these two. Tests compare the number with what was appended to a file.
[[nodiscard]] uint64_t takenBytes();

} // namespace core
