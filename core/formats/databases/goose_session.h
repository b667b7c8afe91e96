// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/json_records.h"
#include "core/formats/reading/thread_log.h"
#include "core/json/json_probe.h"

#include <vector>

namespace core {

/// The messages of one conversation of Goose, and who sees each. A compaction hides all messages before it from the
/// model, adds a summary and a reply that only the model sees, and repeats the last prompt.
/// Source: conversation/message.rs and context_mgmt/mod.rs of Goose (2026).
class GooseSession final {
public:
    void add(SessionBuilder &builder, const JsonMembers &message, std::string_view content, const JsonMembers &metadata,
        const Record &record);
    /// Adds everything to a thread that has no messages.
    void write(SessionBuilder &builder, ThreadIndex thread) const;
    [[nodiscard]] bool isEmpty() const { return m_seen.empty(); }
    /// The model of the messages that follow.
    void setModel(StringId model) { m_model = model; }

private:
    struct Seen {
        LoggedMessage message;
        bool byModel = true;
        bool byUser = true;
        bool isOfTool = false; ///< a call or a result
    };

    [[nodiscard]] std::vector<size_t> summaryPlaces() const;
    static void hideRest(SessionBuilder &builder, ThreadLog &log, const std::vector<bool> &isSent);
    static void addPart(SessionBuilder &builder, std::string_view raw, const Record &record, Seen &seen);

    std::vector<Seen> m_seen;
    StringId m_model;
};

} // namespace core
