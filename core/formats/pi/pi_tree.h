// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/pi/pi_record.h"

#include <span>

namespace core {

/// Rebuilds the arrays of a pi session from its entries. Each hangs on an earlier one; the array at an entry is the
/// path from the root to it. Behind a compaction it is the summary, the messages of the path from the first kept entry
/// up to the compaction, and what follows. The array at the end is that of the last entry in the file.
///
/// Every response is a call, on the path that leads to the end or on one that was left; its array is the path that
/// leads to it. Responses that were aborted or failed stand in later arrays only as long as pi sent them, to 0.49.1
/// (January 2026), and without the calls that nothing answered.
class PiTree final {
public:
    explicit PiTree(SessionBuilder &builder)
        : m_builder(builder)
    {
    }

    void add(PiEntry entry, std::span<const Block> blocks);

    /// A session of the entries so far; more may follow.
    [[nodiscard]] SessionPtr snapshot() const;
    /// The same with everything; the builder is used up.
    [[nodiscard]] SessionPtr finish();

private:
    SessionBuilder &m_builder;
    std::vector<PiEntry> m_entries;
    std::vector<Block> m_blocks;
};

} // namespace core
