// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"

#include <optional>
#include <string>

namespace core {

/// What became of a message that the user typed, in one array: from present to lost.
enum class MessageState : uint8_t {
    InContext, ///< the message itself
    Quoted,    ///< another text, word for word: mostly a summary
    Partial,   ///< another text, a part of the words
    Unknown,   ///< see TraceState::Unknown
    NotYet,    ///< it was typed later
    TakenBack, ///< a rewind removed it
    Replaced,  ///< it was there until a summary replaced it, and the summary does not quote it
    Gone,
};

/// The state of a message of `tracedUserMessages` in the array of a call; index `callCount` is the final array. More
/// detailed than the state of its lane, which is Verbatim for `Quoted` and Gone for the last three. O(lanes).
[[nodiscard]] MessageState messageStateAt(const ContextSpans &spans, const Trace &message, uint32_t call);

/// `in context, word for word`, `5 of its 9 words in summary #344`, `replaced by the summary`
[[nodiscard]] std::string messageStateText(const ContextSpans &spans, const Trace &message, uint32_t call);

/// The last call that contained the text or a part of it.
struct LastSent {
    uint32_t call = 0;
    bool mayBeLater = false; ///< it is unknown whether a later call contained it
};
/// nullopt if no call did.
[[nodiscard]] std::optional<LastSent> lastSentOf(const ContextSpans &spans, const Trace &message);

} // namespace core
