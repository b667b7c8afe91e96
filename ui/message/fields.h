// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/text_content.h"

#include <string>
#include <string_view>

namespace ui {

/// A JSON object or array as fields to read: every string decoded, with its key beside it and coloured as what it is (a
/// file body by the path it stands with, a command as a shell script, a patch as a patch, a prompt as Markdown). What
/// holds long strings is taken apart (`edits[0].old_string`), the rest is shown as JSON.
/// Between two fields stands one line feed that is not in the JSON; the bytes of each field are exact.
/// `fileName` gives the language where no path stands among the fields.
[[nodiscard]] TextContentPtr fieldsOf(std::string_view json, std::string_view fileName = {});

/// True if reading the JSON is better done by fields: some string in it has several lines or is long.
[[nodiscard]] bool hasLongStrings(std::string_view json);

} // namespace ui
