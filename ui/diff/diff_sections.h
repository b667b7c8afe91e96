// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/diff/line_diff.h"
#include "ui/text/text_document.h"

#include <string>
#include <vector>

namespace ui {

/// Where one of several files begins in two texts that hold them one below the other. A file ends with a line feed or
/// is empty, so that the next one begins a line.
struct DiffSection {
    std::string title;
    std::string fileName; ///< gives the language
    size_t before = 0;    ///< byte of each text
    size_t after = 0;
    size_t firstRun = 0; ///< of the comparison
};

/// Several files in two texts.
struct DiffTexts {
    TextDocumentPtr before;
    TextDocumentPtr after;
    std::vector<DiffSection> sections;
};

/// Compares the files one by one, so that lines of different files never match, and sets where the runs of each section
/// begin. Costs as much as `core::diffLines`.
[[nodiscard]] core::LineDiff diffSections(
    DiffTexts &texts, const core::DiffOptions &options, const core::Progress *progress = nullptr);

} // namespace ui
