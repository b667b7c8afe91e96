// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <string_view>

namespace core {

/// Readers note this for a main thread whose first record names a parent that is not in the file.
inline constexpr std::string_view kEarlierMessagesMissing
    = "The parent of the first record is not in the file: the file continues a conversation, and does not contain the "
      "messages before this record.";

/// Whether a prompt at this position has messages that the file does not contain, because it continues a conversation.
/// A recorded compaction that writes the array anew ends that.
[[nodiscard]] bool hasEarlierMessages(const Session &session, Position position);
/// The same of a thread's first prompt.
[[nodiscard]] inline bool beginsMidway(const Session &session, ThreadIndex thread)
{
    return hasEarlierMessages(session, { thread, CallIndex(0U) });
}

} // namespace core
