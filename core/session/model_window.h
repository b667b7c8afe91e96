// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace core {

/// Context window of a model by its name, where the vendor publishes one; nothing for unknown names.
/// Source: vendors' model pages as of 2026-11 (facts: 200k for Claude models before the 1M variants, 272k input and
/// 400k in all for GPT-5 models).
[[nodiscard]] std::optional<uint64_t> knownWindow(std::string_view model);

} // namespace core
