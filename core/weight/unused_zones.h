// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/weight/resent_unused.h"

namespace core {

/// Ranks the hot zones of one array by tokens resent unused, for any number of keep windows. The constructor calls
/// `resentUnused` once; each window then costs O(blocks resent unused).
class UnusedZoneFinder final {
public:
    UnusedZoneFinder() = default;
    UnusedZoneFinder(const Transcript &transcript, Position position, const Weights &weights, const Uses &uses);

    /// The blocks before `cutoff` that `resentUnused` lists, in its order, without reasons. If there are none, returns
    /// `byResent`, the hot zones of the same window.
    [[nodiscard]] HotZones before(size_t cutoff, const HotZones &byResent) const;

private:
    struct Candidate {
        UnusedGroup unused;
        HotBlock block;
    };
    std::vector<Candidate> m_candidates; ///< stale blocks first, then the rest; by tokens resent unused
};

} // namespace core
