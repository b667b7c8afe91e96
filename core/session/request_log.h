// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

namespace core {

/// One recorded request body.
struct RequestDraft {
    std::vector<MessageDraft> messages; ///< the array, in order
    std::vector<Block> prelude;         ///< system prompt and tool definitions, in order
    std::vector<MessageDraft> response; ///< what came back, where it was recorded
    std::optional<Usage> usage;
    std::optional<Timestamp> time;
    StringId model;
    StringId responseId;
    uint64_t line = 0;
};

/// Turns a recording of whole requests into a session in which every block stands once.
///
/// Requests are grouped into threads by their longest common prefix with the latest array of a thread; one that shares
/// none is a side thread. Within a thread a block equal to one of the previous array (content hash, cache marks
/// ignored, in order) is that block. A request whose array does not begin with the whole previous array is a recorded
/// compaction of kind Replacement. Costs O(blocks of the request) a request.
class RequestLog final {
public:
    explicit RequestLog(SessionBuilder &builder);
    ~RequestLog();
    RequestLog(const RequestLog &) = delete;
    RequestLog &operator=(const RequestLog &) = delete;

    void add(const RequestDraft &request);
    /// Orders the threads (the main one is the one with the most calls, the earliest of those) and puts everything into
    /// the builder's pool, thread by thread.
    void finish();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace core
