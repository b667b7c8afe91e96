// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cuts/cut_track.h"

namespace core {

void CutTrackMaker::take(const CutCall &call, const CutState &state)
{
    m_track.calls.push_back(call);
    m_track.states.push_back(state);
    m_readings.push_back(std::exchange(m_reading, kNone));
}

bool CutTrackMaker::record(double reading)
{
    const bool isReached = m_track.trigger == CutTrack::Trigger::Reached;
    m_reading = std::max(m_reading, isReached ? -reading : reading);
    return isReached;
}

CutTrack CutTrackMaker::make(const CutTablesPtr &tables, const Policy &policy, const CostGround &costs)
{
    CutReplay run(tables);
    (void)run.run(policy, *this);
    std::vector<double> prompts;
    std::vector<double> least;
    CutTrack &track = m_track;
    track.tokens.push_back(0);
    track.lostBytes.push_back(0);
    track.fired.push_back(0);
    track.torn.push_back(0);
    track.summaries.push_back(0);
    for (const CutCall &call : track.calls) {
        const bool isRequested = call.writtenSummary > 0 && !prompts.empty(); // see CutCosting::addOne
        prompts.push_back(call.tokens);
        least.push_back(-call.tokens);
        track.tokens.push_back(track.tokens.back() + call.tokens);
        track.lostBytes.push_back(track.lostBytes.back() + call.lostBytes);
        track.fired.push_back(track.fired.back() + (call.hasFired ? 1 : 0));
        track.torn.push_back(track.torn.back() + (call.isTorn ? 1 : 0));
        track.summaries.push_back(track.summaries.back() + (isRequested ? 1 : 0));
    }
    track.readings = RangeMaxima(std::move(m_readings));
    track.most = RangeMaxima(std::move(prompts));
    track.least = RangeMaxima(std::move(least));
    track.costs = CutCosting(tables, costs).trackCosts(run);
    return std::move(m_track);
}

size_t CutTrack::followedUntil(size_t from, const GrowthWatch &watch) const
{
    if (trigger == Trigger::Reached)
        return readings.first(from, [&](double reading) { return !watch.isReachedBy(-reading); });
    return readings.first(from, [&](double reading) { return watch.isReachedBy(reading); });
}

const CutTrack &CutTracks::of(CutTrack::Trigger trigger)
{
    Made &made = m_made[static_cast<size_t>(trigger)];
    std::call_once(made.once, [&] { made.track = CutTrackMaker(trigger).make(m_tables, m_policy, m_costs); });
    return made.track;
}

} // namespace core
