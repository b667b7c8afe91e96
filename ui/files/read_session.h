// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"

#include <filesystem>

namespace ui {

/// Threads that a reader may use: one for each processor.
[[nodiscard]] unsigned workerCount();

/// Reads a session from a file, or from one of the program's own resources (`:/…`). `publish` gets snapshots while it
/// reads, on the thread that called. Any thread.
[[nodiscard]] core::Result<core::SessionPtr> readSession(
    const std::filesystem::path &path, core::Progress *progress = nullptr, const core::Publish &publish = {});

} // namespace ui
