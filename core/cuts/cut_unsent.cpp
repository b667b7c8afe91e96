// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cuts/cut_tables.h"

#include <algorithm>

namespace core {

namespace {

CutUnsent unsentOf(const CutEpoch &epoch, const UnsentText &text)
{
    CutUnsent made;
    made.text = &text;
    const auto begin = [](std::vector<double> &sums) { sums.push_back(0); };
    const auto add = [](std::vector<double> &sums, double tokens) { sums.push_back(sums.back() + tokens); };
    begin(made.ofLog);
    begin(made.untouched);
    std::ranges::for_each(made.changedBy, begin);
    for (const LogPlaces::Unsure &each : epoch.places.unsure()) {
        if (!text.holds(each.block))
            continue;
        made.places.push_back(each.place);
        add(made.ofLog, each.tokens);
        const bool isThere = epoch.base[each.place] == epoch.blocks[each.place];
        const int8_t by = epoch.changedBy[each.place];
        add(made.untouched, isThere && by < 0 ? each.tokens : 0);
        for (size_t k = 0; k < made.changedBy.size(); ++k)
            add(made.changedBy[k], isThere && by == static_cast<int8_t>(k) ? each.tokens : 0);
    }
    return made;
}

} // namespace

void sumUnsent(CutTables &tables)
{
    const CutStep *before = nullptr;
    for (size_t i = 0; i < tables.steps.size(); ++i) {
        CutStep &step = tables.steps[i];
        const UnsentText &text = tables.ground->unsentAt(i);
        if (text.blocks.empty()) {
            before = nullptr;
            continue;
        }
        const bool isAlike
            = before != nullptr && before->epoch == step.epoch && tables.unsent[before->unsent].text == &text;
        if (!isAlike)
            tables.unsent.push_back(unsentOf(tables.epochs[step.epoch], text));
        step.unsent = static_cast<uint32_t>(tables.unsent.size() - 1);
        before = &step;
    }
}

} // namespace core
