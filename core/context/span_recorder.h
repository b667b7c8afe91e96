// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/context/context_spans.h"

namespace core {

/// Records which block was at which index of the array during which calls, from changes alone. A change costs O(1).
class SpanRecorder final {
public:
    /// From `call` on `block` is at `place`; an invalid `block` empties the place.
    void set(size_t place, BlockId block, uint32_t call);
    /// From `call` on the array has only `size` places.
    void truncate(size_t size, uint32_t call);

    /// All spans, sorted by block; touching spans of a block are merged. `end` is the index after the last call.
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
