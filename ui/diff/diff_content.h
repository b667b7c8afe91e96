// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/diff/line_diff.h"
#include "ui/diff/diff_sections.h"
#include "ui/text/text_content.h"
#include "ui/text/text_look.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ui {

enum class DiffMode : uint8_t { SideBySide, Unified };

/// The contents of one text surface of a comparison.
struct DiffPane {
    TextContentPtr content;
    std::vector<TextMark> marks;
    /// By difference: its lines in this pane. Empty where only the other side has lines.
    std::vector<TextSpan> differences;
    /// By difference: what a reader is to see of it first, its first word that differs or its first line.
    std::vector<size_t> starts;
};

/// A stretch of the change map: lines [firstLine, endLine) of a pane.
struct DiffBar {
    size_t pane = 0;
    size_t firstLine = 0;
    size_t endLine = 0;
    size_t difference = 0;
    bool isRemoved = false;
    bool isAdded = false;
};

/// A comparison as text surfaces show it: side by side two panes of equally many rows, old left and new right; unified
/// one pane. Stretches of unchanged lines are folded in all panes by the same fold.
struct DiffContents {
    DiffMode mode = DiffMode::SideBySide;
    std::vector<DiffPane> panes;
    std::vector<DiffBar> bars;
};

/// Unchanged lines that stay in sight around a difference, and how many beyond them are worth a fold.
constexpr size_t kDiffContext = 3;
constexpr size_t kFewestFolded = 4;

/// `diff` is that of the two documents. Each of several files has a heading, its own line numbers and its own language.
/// Costs a pass over the lines; unified also copies the texts. Pure: any thread.
[[nodiscard]] DiffContents diffContents(const TextDocumentPtr &before, const TextDocumentPtr &after,
    const core::LineDiff &diff, DiffMode mode, const TextLanguage &language,
    const std::vector<DiffSection> &sections = {});

} // namespace ui
