// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/context_spans.h"

namespace core {

/// Writes down which block stood at a place in which calls, told only what changes. A change costs O(1).
class SpanRecorder final {
public:
    /// From `call` on `block` stands at the place; nothing where that is invalid.
    void set(size_t place, BlockId block, uint32_t call);
    /// From `call` on nothing stands at the places from `size` on.
    void truncate(size_t size, uint32_t call);

    /// All spans, by block; those of a block that touch are one. `end` is the index behind the last call.
    [[nodiscard]] std::vector<ContextSpan> finish(uint32_t end);

private:
    struct Open {
        BlockId block;
        uint32_t from = 0;
    };
    std::vector<Open> m_open; ///< by place
    std::vector<ContextSpan> m_spans;
};

} // namespace core
