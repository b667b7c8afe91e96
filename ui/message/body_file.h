// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <QString>

#include <string>

namespace ui {

/// What saving and copying all of a block give: the exact bytes of its body, or of the record that holds it.
[[nodiscard]] std::string bytesToSave(const core::Session &session, core::BlockId id, bool isRaw);

/// Writes them beside `path` and renames. Refuses the files that the session was read from: those are never written.
/// Pure but for the file: runs on any thread.
[[nodiscard]] core::Result<void> saveBody(
    const core::Session &session, core::BlockId id, bool isRaw, const QString &path);

} // namespace ui
