// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/request_log.h"

namespace core::requests {

/// A request laid out as one sequence of blocks; points into the request.
struct Items {
    std::vector<Hash> keys; ///< role and content
    std::vector<const Block *> blocks;
    std::vector<uint32_t> messages; ///< into the request's messages
    std::vector<size_t> begins;     ///< of each message, and the end

    explicit Items(const RequestDraft &request);

    /// The first block that the harness did not inject, or the number of blocks.
    [[nodiscard]] size_t firstOwn() const;
    /// Hash of all blocks up to and including the first one that the harness did not inject.
    [[nodiscard]] Hash start() const;
};

[[nodiscard]] Hash keyOf(Role role, const Block &block);
[[nodiscard]] bool isModelOutput(const Block &block, Role role);

/// Merges user messages that follow each other where the session's slots do so, and gives every message a block.
void prepare(RequestDraft &request, const SessionBuilder &builder);

} // namespace core::requests
