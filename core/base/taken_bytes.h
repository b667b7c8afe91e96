// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

namespace core {

/// How many bytes holds and parts have taken from sources in this process, which is what readers of records read. Tests
/// compare it with what was appended to a file.
[[nodiscard]] uint64_t takenBytes();

} // namespace core
