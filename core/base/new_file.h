// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string_view>

namespace core {

/// Writes a file that is not there yet: beside its place first, on the disk, then put there in one step, so that it is
/// there whole or not at all. What stands there already, whatever it is, stays, and that is an error.
[[nodiscard]] Result<void> writeNewFile(const std::filesystem::path &path, std::string_view bytes);

} // namespace core
