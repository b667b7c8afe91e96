// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <string_view>
#include <vector>

namespace core {

/// A message of a log, and what is known of the call that returned it.
struct LoggedMessage {
    MessageDraft draft;
    bool isResponse = false; ///< a call returned it
    std::optional<Usage> usage;
    StringId responseId;
    std::optional<uint32_t> stubOf {}; ///< its blocks stand in the place of those of this message
};

/// Collects the messages of one thread while its log is read, and adds them to the pool at the end. The array grows
/// with each message until a new array replaces it. Every response is a call that was sent the array before it.
class ThreadLog final {
public:
    using Index = uint32_t;

    /// Appends a message to the array.
    Index add(LoggedMessage message);
    /// Takes the messages of a new array. A message that the current array has with the same role and content is
    /// reused; the others are added, and count as no response. Returns all of them in order.
    [[nodiscard]] std::vector<Index> adopt(const SessionBuilder &builder, std::vector<LoggedMessage> messages);
    /// Takes a message that is not in the array yet, for a new array.
    [[nodiscard]] Index store(LoggedMessage message);
    /// Replaces the array. `how` names kind, trigger, line and figures; the arrays are filled in. Without a change
    /// nothing is recorded.
    void replace(std::vector<Index> array, RecordedCompaction how);

    [[nodiscard]] LoggedMessage &at(Index index) { return m_messages[index]; }
    [[nodiscard]] const LoggedMessage &at(Index index) const { return m_messages[index]; }
    [[nodiscard]] const std::vector<Index> &array() const { return m_epochs.back().array; }
    [[nodiscard]] size_t size() const { return m_messages.size(); }
    [[nodiscard]] bool isEmpty() const { return m_messages.empty(); }

    /// Adds the messages to a thread that has none. Messages without blocks are left out.
    void write(SessionBuilder &builder, ThreadIndex thread) const;

private:
    /// An array that grows until the next one replaces it, and how it began.
    struct Epoch {
        std::vector<Index> array;
        RecordedCompaction how;
        size_t begun = 0; ///< messages that it began with
    };
    class Writer;

    std::vector<LoggedMessage> m_messages;
    std::vector<Epoch> m_epochs { Epoch {} };
};

/// The call with this id in the pool, or an invalid id.
[[nodiscard]] BlockId callOfId(const SessionBuilder &builder, StringId callId);

/// The beginning of the first typed text becomes the title of the session and of its main thread. A title that the
/// session has already stays.
void setTypedTitle(SessionBuilder &builder);

} // namespace core
