// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/request_log.h"

#include <unordered_map>

namespace core::requests {

/// The distinct system prompts with tools of a recording.
class Preludes final {
public:
    /// Adds the prelude of a request and takes over its blocks; `Alignment::kNone` if it has none.
    [[nodiscard]] uint32_t add(RequestDraft &request, const SessionBuilder &builder);

    /// True if the system prompts are equal and both or neither have tools; also true if the tools are equal.
    [[nodiscard]] bool areAlike(uint32_t a, uint32_t b) const;
    /// Key of the system prompt and of whether there are tools.
    [[nodiscard]] Hash likeness(uint32_t prelude) const;
    /// Key of the tools; null if there are none.
    [[nodiscard]] Hash tools(uint32_t prelude) const { return m_preludes[prelude].tools; }

    /// Puts a prelude into the builder's pool, unless it is there.
    [[nodiscard]] BlockRange place(uint32_t prelude, ThreadIndex thread, SessionBuilder &builder);

private:
    struct Prelude {
        std::vector<Block> blocks;
        Hash system; ///< of the system prompt without what the harness injected into it
        Hash tools;
        uint64_t line = 0;
        std::optional<BlockRange> range;
    };

    std::vector<Prelude> m_preludes;
    std::unordered_map<Hash, uint32_t> m_ids; ///< by content
};

} // namespace core::requests
