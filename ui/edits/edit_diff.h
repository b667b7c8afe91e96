// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/diff/diff_view.h"
#include "ui/edits/found_edits.h"

#include <vector>

namespace ui {

/// How much of the session a diff shows.
enum class EditScope : uint8_t {
    Edit,
    File,    ///< from before the first edit of the file until after its last
    Session, ///< every file so, one below the other
};

/// The texts of a diff: file bodies with a line for each gap. An edit that did not land changed no body; its diff shows
/// the texts it asked for. Costs nothing until the texts are read, on a worker thread.
[[nodiscard]] DiffInput diffOf(const FoundEditsPtr &found, size_t number, EditScope scope);

/// Changes of a patch of this scope; none for an edit that did not land.
[[nodiscard]] std::vector<core::FileLife> livesOf(const FoundEdits &found, size_t number, EditScope scope);

} // namespace ui
