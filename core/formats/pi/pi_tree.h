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
    void add(PiEntry entry, std::span<const Block> blocks);

    /// The session of all entries so far, made with the builder or a copy of it, which is used up.
    [[nodiscard]] SessionPtr finish(SessionBuilder &builder) const;

private:
    std::vector<PiEntry> m_entries;
    std::vector<Block> m_blocks;
};

} // namespace core
