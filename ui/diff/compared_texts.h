// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "ui/diff/diff_content.h"
#include "ui/diff/diff_input.h"

#include <memory>
#include <optional>

namespace ui {

/// Two texts, their differences, and the contents of the surfaces that show them. A value, computed in a job.
struct ComparedTexts {
    TextDocumentPtr before;
    TextDocumentPtr after;
    std::vector<DiffSection> sections;
    std::shared_ptr<const core::LineDiff> diff; ///< nullptr until the texts are compared
    TextLanguage language;
    DiffContents contents;
    std::string error; ///< why a text cannot be read

    [[nodiscard]] size_t differenceCount() const { return diff ? diff->differences.size() : 0; }
    /// True if only one of the texts has a line, as of a new file. A second column would stay empty.
    [[nodiscard]] bool hasOneText() const { return diff && (before->size() == 0) != (after->size() == 0); }
    /// `difference 2 of 3, line 12, 1 line removed`
    [[nodiscard]] QString nameOf(size_t difference) const;
    /// `difference 2 of 3 · +4 −2`; empty until the texts are compared.
    [[nodiscard]] QString status(std::optional<size_t> current) const;
    /// `2 of 3`, or the whole status without a current difference.
    [[nodiscard]] QString shortStatus(std::optional<size_t> current) const;
};

/// The options of a comparison. Known texts and differences are reused.
struct DiffOrder {
    DiffInput input;
    DiffMode mode = DiffMode::SideBySide;
    core::Whitespace whitespace = core::Whitespace::Exact;
    ComparedTexts known;
};

/// Reads the texts of the order, compares them and builds the contents. Pure except for reading files; runs on any
/// thread.
[[nodiscard]] ComparedTexts compareTexts(const DiffOrder &order, const core::Progress *progress);

} // namespace ui
