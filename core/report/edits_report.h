// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/edits.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// What `edits` says of a session.
struct EditsReport {
    Edits edits;
};

/// The document `palimpsest.edits/1`. `before_known` and `after_known`: every byte of the body is known.
[[nodiscard]] nlohmann::ordered_json editsJson(const EditsReport &report);

/// For the terminal: a line for each edit, then the sums. Ends with a line end.
[[nodiscard]] std::string drawEdits(const EditsReport &report);

} // namespace core
