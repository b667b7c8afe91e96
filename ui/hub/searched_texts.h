// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/query.h"

#include <optional>
#include <vector>

namespace ui {

class SessionSearch;

/// The texts that a query looks for, to be marked in what it finds.
[[nodiscard]] std::vector<core::Needle> textsOf(const core::Query &query);
/// Those of the filter line; nullopt while the line has a mistake.
[[nodiscard]] std::optional<std::vector<core::Needle>> searchedTexts(const SessionSearch &search);

} // namespace ui
