// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "ui/diff/diff_sections.h"
#include "ui/text/text_look.h"

#include <QString>

#include <functional>
#include <string>

namespace ui {

/// One of the two texts that a diff view compares.
struct DiffSide {
    QString title; ///< `before · #341`
    /// Reads the text; called once, on a worker thread. The diff view shows errors. Unset: the side has no text.
    std::function<core::Result<TextDocumentPtr>()> read;
    TextDocumentPtr document; ///< the text itself, instead of `read`

    [[nodiscard]] static DiffSide of(QString title, std::string text);
};

/// The texts of a diff view.
struct DiffInput {
    DiffSide before;
    DiffSide after;
    /// Language of both texts. Without a definition and a file name it is guessed from their beginning.
    TextLanguage language;
    /// Wraps long lines in the unified view.
    bool isProse = false;
    /// Reads several files instead of two texts; each is compared separately under a heading. Called once, on a worker
    /// thread. The sides then have titles only.
    std::function<core::Result<DiffTexts>()> readSections = {};
};

} // namespace ui
