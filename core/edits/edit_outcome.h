// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/tool_changes.h"
#include "core/session/session.h"

#include <cstdint>

namespace core {

/// What became of a change that a call asked for, as its answer tells.
enum class EditOutcome : uint8_t {
    Landed,
    Failed,      ///< the tool says so
    Interrupted, ///< the person refused or stopped it, or nothing answered it
    Untold,      ///< whether it happened is not logged: its script failed somewhere, or runs it only if something else
                 ///< holds, or it names files by wildcards
};

/// `result` is the answer to the call, nullptr where there is none. An answer that is not marked as an error still may
/// be one: edit tools of several harnesses only say so in words. Costs a look at the answer's first bytes; of patches
/// made by a shell the whole.
[[nodiscard]] EditOutcome outcomeOf(const Session &session, const AskedChange &change, const Block *result);

} // namespace core
