// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>

namespace core {

/// A file of resources/middleware, compiled in: what one API needs, with the constant `policy` still to be filled in.
[[nodiscard]] std::string_view langChainAdapter();
[[nodiscard]] std::string_view genkitAdapter();
/// What follows an adapter in every module.
[[nodiscard]] std::string_view middlewareEngine();

} // namespace core
