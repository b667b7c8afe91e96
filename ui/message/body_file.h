// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <QString>

#include <string>

namespace ui {

/// The exact bytes of a block's body, or of the record that holds it: for saving and for copying all.
[[nodiscard]] std::string bytesToSave(const core::Session &session, core::BlockId id, bool isRaw);

/// Writes those bytes to `path`, by a new file and a rename. Refuses the files that the session was read from. Runs on
/// any thread.
[[nodiscard]] core::Result<void> saveBody(
    const core::Session &session, core::BlockId id, bool isRaw, const QString &path);

/// A file name for the body or the record of a block. Of a path that the session names, the last part alone.
[[nodiscard]] QString suggestedFileName(const core::Session &session, core::BlockId id, bool isRaw);

} // namespace ui
