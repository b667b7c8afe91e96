// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/tool_changes.h"
#include "core/session/session.h"

#include <cstdint>

namespace core {

/// The outcome of a requested change, according to the tool result.
enum class EditOutcome : uint8_t {
    Landed,
    Failed,      ///< the tool reports an error
    Interrupted, ///< the user refused or stopped it, or it has no result
    Untold,      ///< not logged: a command of its script failed or is conditional, or it names files by wildcards
};

/// `result` is the tool result, or nullptr. A result without an error flag can still be an error: the edit tools of
/// several harnesses report errors only in words. Reads the first bytes of the result; for shell patches all of it.
[[nodiscard]] EditOutcome outcomeOf(const Session &session, const AskedChange &change, const Block *result);

} // namespace core
