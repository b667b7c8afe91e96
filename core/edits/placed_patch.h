// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/known_text.h"

#include <optional>
#include <string>

namespace core {

/// The hunks for `git apply`, without a file header, of a change of a partly known file. Gaps with a known line count,
/// which some harnesses record, keep the line numbers right. nullopt if the change is not within known lines, if its
/// line number is unknown, or if no known line follows by which git could place it. Costs a diff of the lines, gap
/// lines included.
[[nodiscard]] std::optional<std::string> placedHunks(const KnownText &before, const KnownText &after);

} // namespace core
