// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/diff/line_diff.h"
#include "ui/text/text_document.h"

#include <string>
#include <vector>

namespace ui {

/// The start of one file in two texts that contain several files one after the other. Each file is empty or ends with a
/// line feed, so that the next file starts on a new line.
struct DiffSection {
    std::string title;
    std::string fileName; ///< determines the language
    size_t before = 0;    ///< byte offset in each text
    size_t after = 0;
    size_t firstRun = 0; ///< index of its first run in the diff
};

/// Two texts that contain several files.
struct DiffTexts {
    TextDocumentPtr before;
    TextDocumentPtr after;
    std::vector<DiffSection> sections;
};

/// Compares file by file, so that lines of different files never match, and sets the first run of each section. Costs
/// as much as `core::diffLines`.
[[nodiscard]] core::LineDiff diffSections(
    DiffTexts &texts, const core::DiffOptions &options, const core::Progress *progress = nullptr);

} // namespace ui
