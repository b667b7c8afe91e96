// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/text_content.h"

#include <string>
#include <string_view>

namespace ui {

/// Shows a JSON object or array as readable fields. Each string is decoded, labelled with its key, and highlighted by
/// its kind: a file body by its path, a command as a shell script, a patch as a patch, a prompt as Markdown. Values
/// with long strings are split (`edits[0].old_string`); the rest is shown as JSON. The bytes of each field are exact;
/// the line feed between two fields is not in the JSON. `fileName` determines the language if no field is a path.
[[nodiscard]] TextContentPtr fieldsOf(std::string_view json, std::string_view fileName = {});

/// Whether JSON is more readable as fields: some string is long or has several lines.
[[nodiscard]] bool hasLongStrings(std::string_view json);

} // namespace ui
