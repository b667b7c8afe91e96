// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/sweep_marks.h"

#include <algorithm>

namespace core {

std::vector<double> recordedTriggers(const ReplayGround &ground)
{
    std::vector<double> triggers;
    size_t from = 0;
    for (const RecordedCompaction &compaction : ground.session().thread(ground.log.thread).compactions) {
        const bool writesAnew
            = compaction.kind == CompactionKind::Summary || compaction.kind == CompactionKind::Replacement;
        if (!writesAnew || !compaction.call.isValid())
            continue;
        const size_t to = std::min(compaction.call.index() + 1, ground.recorded.size());
        double most = 0;
        for (size_t call = from; call < to; ++call)
            most = std::max(most, ground.recorded[call]);
        if (most > 0)
            triggers.push_back(most);
        from = std::max(from, to);
    }
    return triggers;
}

std::vector<double> priceCliffs(const CostGround &costs)
{
    std::vector<double> cliffs;
    for (const CostGround::Call &call : costs.calls) {
        if (!call.prices)
            continue;
        const std::vector<PriceTier> &tiers = call.prices->tiers;
        for (size_t i = 1; i < tiers.size(); ++i) {
            if (tiers[i].price != tiers[i - 1].price)
                cliffs.push_back(tiers[i].above);
        }
    }
    std::ranges::sort(cliffs);
    cliffs.erase(std::ranges::unique(cliffs).begin(), cliffs.end());
    return cliffs;
}

} // namespace core
