// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/pi/pi_record.h"

#include <span>

namespace core {

/// Rebuilds the arrays of a pi session from its entries. Each entry has an earlier one as parent; its array is the path
/// from the root to it. Behind a compaction the array is the summary, the messages of the path from the first kept
/// entry to the compaction, and what follows. The final array is that of the last entry in the file.
///
/// Every response is a call, on the path to the end or on an abandoned path; its array is the path that leads to it.
/// Aborted and failed responses are in later arrays only for pi versions that sent them, until 0.49.1 (January 2026),
/// and without calls that have no result.
class PiTree final {
public:
    void add(PiEntry entry, std::span<const Block> blocks);

    /// Makes the session of all entries so far with `builder`, which is the reader's own or a copy of it. The call
    /// consumes `builder`.
    [[nodiscard]] SessionPtr finish(SessionBuilder &builder) const;

private:
    std::vector<PiEntry> m_entries;
    std::vector<Block> m_blocks;
};

} // namespace core
