// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/compaction/policy.h"
#include "core/findings/finding_ground.h"
#include "core/findings/findings.h"
#include "core/findings/kinds.h"

namespace core {

namespace {

constexpr double kNear = 0.9;             ///< of the window
constexpr Timestamp kPause = 5 * kMinute; ///< longer waits do not count as time near the window

std::string durationText(Timestamp time)
{
    return time >= kOneHour ? formatted("{:.1f} h", static_cast<double>(time) / kOneHour)
                            : formatted("{} min", time / kMinute);
}

void findNearWindow(const FindingGround &ground, std::vector<Finding> &findings)
{
    const auto window = ground.session().windowTokens;
    if (!window || *window == 0)
        return;
    const auto most = static_cast<double>(*window);
    const std::vector<Call> &calls = ground.thread().calls;
    std::vector<uint32_t> near;
    size_t above = 0;
    uint32_t highest = 0;
    double peak = 0;
    Timestamp time = 0;
    for (uint32_t i = 0; i < calls.size(); ++i) {
        const double prompt = calls[i].prompt().value_or(0);
        if (prompt < kNear * most)
            continue;
        near.push_back(i);
        above += prompt > most ? 1 : 0;
        if (prompt > peak) {
            peak = prompt;
            highest = i;
        }
        const Timestamp wait
            = i + 1 < calls.size() && calls[i].time && calls[i + 1].time ? *calls[i + 1].time - *calls[i].time : 0;
        time += wait > 0 && wait <= kPause ? wait : 0;
    }
    if (near.empty())
        return;
    Finding &made = findings.emplace_back();
    made.rank = above > 0 ? FindingRank::Lost : FindingRank::Costs;
    made.sureness = Sureness::Recorded;
    made.count = above > 0 ? above : near.size();
    made.what = above > 0 ? counted(above, "prompt") + (above == 1 ? " was" : " were")
            + " larger than the window that the file or the vendor states for the model"
                          : counted(near.size(), "prompt") + " used more than 90 % of the window";
    made.link(FindingLink::Target::Call, highest);
    made.where = formatted("peak {} of {}", groupedNumber(static_cast<uint64_t>(peak)), groupedNumber(*window));
    if (time >= kMinute)
        made.where += "; " + durationText(time) + " above 90 % of the window";
    made.tokens = TokenFigure { peak, Basis::Exact, 0 };
    if (above > 0)
        return;
    made.help = "a lower trigger";
    if (const std::vector<PolicyPtr> own = ownPresets(ground.session()); !own.empty()) {
        made.policy = own.front()->id;
        made.setting = "trigger=0.7w";
        made.help += ", for example 70 % of the window";
        if (!helpingPolicy(made))
            made.policy = made.setting = {};
    }
}

} // namespace

const FindingKind kNearWindow { "near-window", "prompts near the window or above it", "call* near the window",
    findNearWindow };

} // namespace core
