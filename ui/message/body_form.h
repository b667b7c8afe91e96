// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/spilled_output.h"
#include "ui/text/text_content.h"

#include <string>

namespace ui {

/// The form in which a body is shown.
enum class FormKind : uint8_t {
    Empty,    ///< it has no bytes
    Fields,   ///< arguments of a call, or other JSON with long strings
    Numbered, ///< file content with line numbers from the tool
    Code,     ///< in the language of its path or first line
    Json,
    Diff,
    Terminal, ///< output with ANSI colours
    Markdown, ///< highlighted Markdown source
    Plain,
    Raw, ///< the record as in the file
    Image,
    Encrypted,
    Binary,     ///< a document other than text
    Unreadable, ///< a file that cannot be read
};

/// JSON is re-indented, or shown as written.
enum class Indent : uint8_t { AsItStands, Pretty };

struct BodyForm {
    FormKind kind = FormKind::Empty;
    TextContentPtr content; ///< nullptr unless the form is text
    /// Its lines should be wrapped; those of code should not.
    bool isProse = true;
    /// The body is JSON that re-indenting changes.
    bool canIndent = false;
};

/// The form for the body of a block, chosen by kind, tool, path and content. Pure; any thread. Costs a few passes over
/// the text.
[[nodiscard]] BodyForm bodyForm(const core::Session &session, core::BlockId id, Indent indent);

/// The same of a text that stands in place of the body.
[[nodiscard]] BodyForm ownForm(const core::Session &session, core::BlockId id, std::string text, Indent indent);

/// The record of a block, byte for byte or re-indented; the bytes of strings are kept in both cases.
[[nodiscard]] BodyForm rawForm(const core::Session &session, core::BlockId id, Indent indent);

/// The whole output of a tool call as the harness saved it, in the form of the block that has a part of it. Of a longer
/// one the first 64 MB.
[[nodiscard]] BodyForm wholeForm(
    const core::Session &session, core::BlockId id, const core::SpilledOutput &whole, Indent indent);

/// The decoded bytes of a body: its text; for images and documents, the decoded base64.
[[nodiscard]] std::string bodyBytes(const core::Session &session, core::BlockId id);

} // namespace ui
