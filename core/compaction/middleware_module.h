// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>

namespace core {

/// The module of resources/middleware/langchain.mjs, compiled in. Its constant `policy` is still to be filled in.
[[nodiscard]] std::string_view langChainModule();

} // namespace core
