// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/stage_figures.h"

#include <algorithm>
#include <numeric>

namespace ui {

namespace {

double savedIn(const core::Rewrite &rewrite, core::WeightUnit unit)
{
    const auto less
        = [](uint64_t before, uint64_t after) { return static_cast<double>(before) - static_cast<double>(after); };
    return unit == core::WeightUnit::Bytes ? less(rewrite.before.bytes, rewrite.after.bytes)
                                           : less(rewrite.before.codePoints, rewrite.after.codePoints);
}

} // namespace

double WeightStrip::total() const { return std::accumulate(materials.begin(), materials.end(), 0.0); }

StageFigures stageFigures(const core::Compaction &compaction, const core::Weights &weights)
{
    StageFigures figures;
    const core::Transcript &before = compaction.before;
    std::vector<core::Material> materials(before.session()->blocks.size(), core::Material::Summary); // of their slots
    for (const core::Slot &slot : before.slots()) {
        const core::Material material = core::materialOf(before, slot);
        for (const core::BlockId id : before.blocksOf(slot))
            materials[id.index()] = material;
        figures.raw.materials[static_cast<size_t>(material)] += weights.of(before, slot);
    }
    std::vector<WeightStrip> taken(compaction.stages.size());
    WeightStrip overridden;
    for (const core::Rewrite &rewrite : compaction.rewrites) {
        const core::Material material
            = rewrite.block.isValid() ? materials[rewrite.block.index()] : core::Material::Summary;
        const size_t index = static_cast<size_t>(material);
        if (rewrite.stage < taken.size())
            taken[rewrite.stage].materials[index] += savedIn(rewrite, weights.unit());
        else if (rewrite.block.isValid())
            overridden.materials[index] += weights.of(*before.session(), rewrite.block);
    }
    WeightStrip now = figures.raw;
    const auto take = [&](const WeightStrip &strip, double factor) {
        for (size_t i = 0; i < now.materials.size(); ++i)
            now.materials[i] = std::max(0.0, now.materials[i] - strip.materials[i] * factor);
    };
    take(overridden, 1.0);
    for (size_t i = 0; i < taken.size(); ++i) {
        const core::StageReport &report = compaction.stages[i];
        const double counted = taken[i].total();
        double saved = counted;
        if (weights.unit() == core::WeightUnit::Tokens)
            saved = report.savedTokens;
        else if (weights.unit() == core::WeightUnit::Characters)
            saved = static_cast<double>(report.savedCharacters);
        take(taken[i], counted != 0 ? saved / counted : 1.0);
        figures.stages.push_back({ now, saved });
    }
    return figures;
}

} // namespace ui
