// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// The change of one file as a patch for `git apply`, with `context` lines around each change; empty if the texts are
/// equal. If one side is nullopt, the patch creates or deletes the file. `path` is relative to the folder where the
/// patch is applied; leading slashes are dropped. The texts are copied byte for byte.
[[nodiscard]] Result<std::string> unifiedPatch(std::string_view path, std::optional<std::string_view> before,
    std::optional<std::string_view> after, uint32_t context = 3);

} // namespace core
