// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"

#include <filesystem>

namespace ui {

/// Number of threads for a reader: one per processor.
[[nodiscard]] unsigned workerCount();

/// Whether the path names a resource of the program (`:/…`).
[[nodiscard]] bool isInProgram(const std::filesystem::path &path);

/// Reads a session from a file or from a resource of the program (`:/…`). Calls `publish` with snapshots while reading,
/// on the calling thread. Any thread.
[[nodiscard]] core::Result<core::SessionPtr> readSession(
    const std::filesystem::path &path, core::Progress *progress = nullptr, const core::Publish &publish = {});

} // namespace ui
