// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/query.h"

#include <optional>
#include <vector>

namespace ui {

class SessionSearch;

/// All texts that what a query finds contains, to be marked.
[[nodiscard]] std::vector<core::Needle> textsOf(const core::Query &query);
/// Those of the filter line; nullopt while the line has a mistake.
[[nodiscard]] std::optional<std::vector<core::Needle>> searchedTexts(const SessionSearch &search);

} // namespace ui
