// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// The change of one file as a patch that `git apply` takes, `context` lines around each change; empty where nothing
/// changed. A side that is not there makes a patch that creates or deletes the file. `path` is relative to the folder
/// the patch is applied in; slashes at its beginning are dropped. Every byte of the texts is in the patch as it is.
[[nodiscard]] Result<std::string> unifiedPatch(std::string_view path, std::optional<std::string_view> before,
    std::optional<std::string_view> after, uint32_t context = 3);

} // namespace core
