// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/spilled_output.h"

#include <QString>

#include <optional>
#include <string>

namespace ui {

/// The exact bytes of a block's body, of its record if `isRaw`, or of the whole output `whole` if there is one, for
/// saving and for copying everything.
[[nodiscard]] std::string bytesToSave(
    const core::Session &session, core::BlockId id, bool isRaw, const std::optional<core::SpilledOutput> &whole = {});

/// A file name for the body or record of a block. If the name comes from a path in the session, only the last part of
/// the path is used.
[[nodiscard]] QString suggestedFileName(const core::Session &session, core::BlockId id, bool isRaw);

} // namespace ui
