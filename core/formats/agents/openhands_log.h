// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/chat_runs.h"

#include <set>

namespace core {

/// What one event of OpenHands adds to the array. The events of one response are merged into one.
struct OpenHandsEvent {
    /// Events leave the array, and a summary stands for them.
    struct Condensation {
        std::vector<std::string> forgotten; ///< ids of events
        std::optional<MessageDraft> summary;
        std::optional<uint64_t> offset; ///< of the summary, among the events that stay
    };

    std::vector<std::string> ids;
    std::vector<MessageDraft> messages;
    std::optional<Condensation> condensation;
    bool isCall = false;
    /// Blocks of the response that are not sent again: the call that ends the conversation.
    uint32_t unsent = 0;
    std::optional<Usage> usage;
    StringId responseId;
    uint64_t line = 0;
};

/// The events of one agent in order. Follows `View.from_events` of OpenHands: the array of a call has the messages of
/// all events that no condensation has forgotten, and the summary of the latest one.
class OpenHandsLog final {
public:
    void add(OpenHandsEvent event) { m_events.push_back(std::move(event)); }
    [[nodiscard]] bool isEmpty() const { return m_events.empty(); }
    [[nodiscard]] OpenHandsEvent *last() { return m_events.empty() ? nullptr : &m_events.back(); }
    [[nodiscard]] size_t messageCount() const;

    /// Adds everything to a thread that is empty, and the prelude to its calls.
    void finish(SessionBuilder &builder, ThreadIndex index, const std::vector<Block> &prelude);

private:
    struct Placed {
        size_t events = 0; ///< as a summary counts them
        BlockRanges blocks;
        bool isForgotten = false;
    };

    void place(SessionBuilder &builder, ThreadIndex index, CallLinker &linker, OpenHandsEvent &event);
    void condense(SessionBuilder &builder, ThreadIndex index, OpenHandsEvent &event);
    void settle(Thread &thread);

    std::vector<OpenHandsEvent> m_events;
    std::vector<Placed> m_placed; ///< by event
    std::set<std::string> m_forgotten;
    BlockRanges m_array;
    BlockRanges m_summary;            ///< the latest one
    std::optional<uint64_t> m_offset; ///< its place
    size_t m_open = 0;                ///< first compaction whose array after it is not known yet
};

} // namespace core
