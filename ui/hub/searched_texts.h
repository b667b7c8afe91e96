// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/query.h"

#include <optional>
#include <span>
#include <vector>

namespace ui {

class SessionSearch;

/// The texts that a query looks for, to be marked in what it finds.
[[nodiscard]] std::vector<core::Needle> textsOf(const core::Query &query);
/// Where a text has them.
[[nodiscard]] std::vector<core::TextPlace> placesOf(std::span<const core::Needle> texts, std::string_view text);
/// Those of the filter line; nullopt while the line has a mistake.
[[nodiscard]] std::optional<std::vector<core::Needle>> searchedTexts(const SessionSearch &search);

} // namespace ui
