// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/search.h"
#include "ui/edits/found_edits.h"

#include <optional>
#include <vector>

namespace ui {

/// The edits that a filter line finds, ascending; nullopt if cancelled. Words are sought in the path, in the tool call
/// as written, and in the lines of the diff as it is shown, on both sides. All other terms look at the tool call.
/// Changes outside of the log have none, so they never match such a term. Reads the bodies of files: for worker
/// threads.
[[nodiscard]] std::optional<std::vector<size_t>> editsMatching(const FoundEditsPtr &found, core::SearchGround ground,
    const core::Query &query, unsigned threads, core::Progress *progress);

} // namespace ui
