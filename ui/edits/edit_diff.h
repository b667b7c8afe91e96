// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/diff/diff_view.h"
#include "ui/edits/found_edits.h"

#include <string>
#include <vector>

namespace ui {

/// How much of the session a diff shows.
enum class EditScope : uint8_t {
    Edit,
    File,    ///< from before the first edit of the file to after its last
    Session, ///< every file like that, one below the other
};

/// The texts of a diff: file bodies with a line for each gap. For an edit that did not land, which changed no body, the
/// diff shows the texts it asked for. Cheap; the texts are read later on a worker thread.
[[nodiscard]] DiffInput diffOf(const FoundEditsPtr &found, size_t number, EditScope scope);

/// The landed edits whose files are among `files`, those of a patch with this scope.
[[nodiscard]] std::vector<size_t> editsIn(
    const FoundEdits &found, size_t number, EditScope scope, const std::vector<std::string> &files);

/// The file changes of a patch with this scope; none for an edit that did not land.
[[nodiscard]] std::vector<core::FileLife> livesOf(const FoundEdits &found, size_t number, EditScope scope);

} // namespace ui
