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
    /// By difference: its lines in this pane; empty if only the other side has lines.
    std::vector<TextSpan> differences;
    /// By difference: the offset to scroll to, its first differing word or its first line.
    std::vector<size_t> starts;
};

/// A part of the change map: lines [firstLine, endLine) of a pane.
struct DiffBar {
    size_t pane = 0;
    size_t firstLine = 0;
    size_t endLine = 0;
    size_t difference = 0;
    bool isRemoved = false;
    bool isAdded = false;
};

/// A comparison as shown by text surfaces: side by side two panes with equally many rows (old left, new right), unified
/// one pane. Each fold of unchanged lines covers the same lines in all panes.
struct DiffContents {
    DiffMode mode = DiffMode::SideBySide;
    std::vector<DiffPane> panes;
    std::vector<DiffBar> bars;
};

/// Unchanged lines shown around a difference, and the smallest number of further lines that are folded.
constexpr size_t kDiffContext = 3;
constexpr size_t kFewestFolded = 4;

/// `diff` must be of the two documents. With several files each has a heading, its own line numbers and its own
/// language. Costs a pass over the lines; unified also copies the texts. Pure; runs on any thread.
[[nodiscard]] DiffContents diffContents(const TextDocumentPtr &before, const TextDocumentPtr &after,
    const core::LineDiff &diff, DiffMode mode, const TextLanguage &language,
    const std::vector<DiffSection> &sections = {});

} // namespace ui
