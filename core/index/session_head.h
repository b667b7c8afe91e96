// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/index/session_entry.h"
#include "core/index/session_places.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What the beginning and the end of a session file tell: enough for a row of the list, without figures.
struct SessionHead {
    static constexpr uint64_t kBytes = 32U << 10U;      ///< read of the beginning, and of the end
    static constexpr uint64_t kMostBytes = 256U << 10U; ///< read of an end without a typed message or a time in kBytes

    std::vector<SessionEntry> entries; ///< `isHead`; empty if the beginning does not tell
    uint64_t bytesRead = 0;
};

/// Reads both ends of a file that is larger than SessionHead::kBytes. Databases, archives and compressed files have no
/// such ends. The time of the end is that of the last message, or of the file if the end does not tell.
[[nodiscard]] SessionHead headOf(const SessionFile &file);

/// The beginning of a JSON text that may be cut anywhere, as complete JSON: behind the last complete value of the
/// outermost open array, or of a sequence of values; what is open there is closed. Empty if there is no such value.
[[nodiscard]] std::string completeJson(std::string_view cut);

} // namespace core
