// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string>
#include <string_view>

namespace core {

/// What the splice writer has to know of a format; everything else follows from where the bodies stand.
struct SpliceShape {
    std::string_view format;
    bool hasParents = false;     ///< records name the one before them: `parentUuid`
    bool repeatsCalls = false;   ///< a message may hold its tool calls twice
    bool endsInRecording = true; ///< of several requests the last one alone is the array
    bool isEventLog = false;     ///< records, not all of them messages, in the order in which they came about
    /// A new message as the format writes it. `example` is the record that it is to stand before, `isLine` whether
    /// that is a whole line; `uuid` and `parent` (raw JSON) are for formats with parents.
    std::string (*message)(const struct NewMessage &message, std::string_view example, bool isLine) = nullptr;
    std::string_view emptyContent = "null"; ///< stands for a content that was dropped from beside other blocks
    bool hasSystem = true;                  ///< messages of the system stand in the array

    /// Whose a new message reads as.
    [[nodiscard]] Role roleOf(Role role) const { return role == Role::System && !hasSystem ? Role::User : role; }
};

struct NewMessage {
    Role role = Role::User;
    std::string_view text;
    bool isSummary = false;
    std::string uuid;
    std::string parent;
};

/// nullptr if files of the format cannot be written.
[[nodiscard]] const SpliceShape *spliceShapeOf(std::string_view format);

/// `text` as it stands between the quotes of a JSON string. Lone surrogates are escaped, bytes that are no UTF-8 become
/// U+FFFD.
[[nodiscard]] std::string escapedJson(std::string_view text);

} // namespace core
