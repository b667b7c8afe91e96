// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "ui/text/text_content.h"

#include <string>

namespace ui {

/// The form in which a body is shown.
enum class FormKind : uint8_t {
    Empty,    ///< it has no bytes
    Fields,   ///< arguments of a call, or another JSON value that holds texts
    Numbered, ///< a file body with line numbers from the tool
    Code,     ///< in the language of its path or its first line
    Json,
    Diff,
    Terminal, ///< output with colours
    Markdown, ///< prose: its source, highlighted
    Plain,
    Raw, ///< the record as it is in the file
    Image,
    Encrypted,
    Binary, ///< a document that is not text
};

/// JSON is re-indented, or shown as it is.
enum class Indent : uint8_t { AsItStands, Pretty };

struct BodyForm {
    FormKind kind = FormKind::Empty;
    TextContentPtr content; ///< null for other bodies than text
    /// Its lines are meant to be wrapped; code is not.
    bool isProse = true;
    /// It is JSON, and re-indenting makes a difference.
    bool canIndent = false;
};

/// The form for the body of a block, picked by kind, tool, path and content. Pure: runs on any thread. Costs a few
/// passes over the text.
[[nodiscard]] BodyForm bodyForm(const core::Session &session, core::BlockId id, Indent indent);

/// The record that holds a block, byte for byte, or re-indented; strings keep their bytes then, too.
[[nodiscard]] BodyForm rawForm(const core::Session &session, core::BlockId id, Indent indent);

/// The decoded bytes of a body: its text; for images and documents, the decoded base64.
[[nodiscard]] std::string bodyBytes(const core::Session &session, core::BlockId id);

} // namespace ui
