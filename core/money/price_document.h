// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>

namespace core {

/// resources/prices/prices.json, compiled in.
[[nodiscard]] std::string_view priceDocument();

} // namespace core
