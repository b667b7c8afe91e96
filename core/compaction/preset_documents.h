// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <span>
#include <string_view>

namespace core {

/// The documents of resources/policies, compiled in.
[[nodiscard]] std::span<const std::string_view> presetDocuments();

} // namespace core
