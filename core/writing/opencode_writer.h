// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/resume_shape.h"
#include "core/writing/messages_writer.h"

namespace core {

/// The id of the format of `writeOpencodeExport`.
inline constexpr std::string_view kOpencodeExportFormat = "opencode-export";

/// Writes the array of a thread of opencode as a file that `opencode import` takes in as the session `named`. All
/// messages get new ids: opencode does not take in a message whose id it knows. The last model of the thread stands in
/// every message. Tried with opencode 1.18.33.
[[nodiscard]] WrittenMessages writeOpencodeExport(
    const Transcript &transcript, const Thread &thread, const NewSession &named);

} // namespace core
