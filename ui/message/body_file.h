// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <QString>

#include <string>

namespace ui {

/// The exact bytes of a block's body, or of its record if `isRaw`, for saving and for copying everything.
[[nodiscard]] std::string bytesToSave(const core::Session &session, core::BlockId id, bool isRaw);

/// Writes those bytes to `path` atomically. Refuses the files that the session was read from. Any thread.
[[nodiscard]] core::Result<void> saveBody(
    const core::Session &session, core::BlockId id, bool isRaw, const QString &path);

/// A file name for the body or record of a block; of a path in the session only its last part.
[[nodiscard]] QString suggestedFileName(const core::Session &session, core::BlockId id, bool isRaw);

} // namespace ui
