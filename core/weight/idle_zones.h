// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/weight/idle_rent.h"

namespace core {

/// The hot zones of one array by idle rent, for one keep window after another. Idle rent is found once, which costs
/// what `idleRents` does; a window then costs O(blocks with idle rent).
class IdleZoneFinder final {
public:
    IdleZoneFinder() = default;
    IdleZoneFinder(const Transcript &transcript, Position position, const Weights &weights, const Uses &uses);

    /// The blocks before `cutoff` that `idleRents` lists of single blocks, in its order, without their reasons. Where
    /// none of them idles, those of `byRent`: the hot zones of the same window as long as no use is known.
    [[nodiscard]] HotZones before(size_t cutoff, const HotZones &byRent) const;

private:
    struct Candidate {
        IdleGroup idle;
        HotBlock block;
    };
    std::vector<Candidate> m_candidates; ///< those with stale bodies first, by their idle rent, then the rest
};

} // namespace core
