// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cuts/cut_costing.h"

#include <mutex>

namespace core {

/// A run in which the policy's trigger is taken to be reached at every call, or at none. What a policy does next is
/// told by what its harness keeps, so a run that has come to the state of a track goes on as it does, for as long as
/// its trigger says the same; and many runs differ in their triggers alone. Immutable once made.
struct CutTrack {
    enum class Trigger : uint8_t { Reached, NotReached };

    Trigger trigger = Trigger::Reached;
    std::vector<CutCall> calls; ///< as far as cuts tell it
    std::vector<CutState> states;
    /// Of each call what a trigger with one measure is compared with, where the run is a track's: the least, negative,
    /// of all that wait for it, or the largest where it is not reached.
    RangeMaxima readings;
    // Sums over all calls before each.
    std::vector<double> tokens;
    std::vector<uint64_t> lostBytes;
    std::vector<uint32_t> fired;
    std::vector<uint32_t> torn;
    RangeMaxima most;  ///< prompts
    RangeMaxima least; ///< prompts, negative
    CutTrackCosts costs;

    /// The first call from `from` on at which a policy with this trigger goes another way.
    [[nodiscard]] size_t followedUntil(size_t from, const GrowthWatch &watch) const;
};

/// Makes a track. O(calls × what a call costs).
class CutTrackMaker final {
public:
    explicit CutTrackMaker(CutTrack::Trigger trigger) { m_track.trigger = trigger; }

    [[nodiscard]] CutTrack make(const CutTablesPtr &tables, const Policy &policy, const CostGround &costs);

    // For the run:
    /// What a stage that waits for the policy's trigger compares with it; whether that is taken to be reached.
    [[nodiscard]] bool record(double reading);
    void take(const CutCall &call, const CutState &state);

private:
    static constexpr double kNone = -std::numeric_limits<double>::infinity();

    CutTrack m_track;
    std::vector<double> m_readings;
    double m_reading = kNone; ///< of the call that runs
};

/// The tracks of policies that differ in the policy's trigger alone. Made when they are asked for; threads may share
/// them.
class CutTracks final {
public:
    CutTracks(CutTablesPtr tables, Policy policy, const CostGround &costs)
        : m_tables(std::move(tables))
        , m_policy(std::move(policy))
        , m_costs(costs)
    {
    }

    [[nodiscard]] const CutTrack &of(CutTrack::Trigger trigger);
    /// Whether a policy with this trigger may follow them.
    [[nodiscard]] bool fit(const Trigger &trigger) const
    {
        const auto &own = m_policy.trigger.measures;
        return own.size() == 1 && trigger.measures.size() == 1 && trigger.measures.front().unit == own.front().unit;
    }

private:
    CutTablesPtr m_tables;
    Policy m_policy;
    const CostGround &m_costs;
    struct Made {
        std::once_flag once;
        CutTrack track;
    };
    std::array<Made, 2> m_made;
};

} // namespace core
