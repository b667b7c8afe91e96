// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cuts/cut_costing.h"

#include <mutex>

namespace core {

/// A run in which the policy's trigger counts as reached at every call, or at none. The state that a harness keeps
/// determines what a policy does next. So a run that arrives at the state of a track continues like the track as long
/// as its trigger gives the same answer. Runs that differ only in their triggers share tracks. Immutable.
struct CutTrack {
    enum class Trigger : uint8_t { Reached, NotReached };

    Trigger trigger = Trigger::Reached;
    std::vector<CutCall> calls; ///< up to where cuts can describe the arrays
    std::vector<CutState> states;
    /// By call: the value that a trigger with one measure is compared with. Trigger::Reached: the minimum over the
    /// stages that wait for it, negated, because RangeMaxima finds the first large value; NotReached: the maximum.
    RangeMaxima readings;
    // Sums over the calls before each one:
    std::vector<double> tokens;
    std::vector<uint64_t> lostBytes;
    std::vector<uint32_t> fired;
    std::vector<uint32_t> torn;
    std::vector<uint32_t> summaries; ///< that a request wrote
    RangeMaxima most;                ///< of prompts
    RangeMaxima least;               ///< of negated prompts
    CutTrackCosts costs;

    /// The first call from `from` on at which a policy with this trigger leaves the track.
    [[nodiscard]] size_t followedUntil(size_t from, const GrowthWatch &watch) const;
};

/// Makes a track. O(calls × cost of a call).
class CutTrackMaker final {
public:
    explicit CutTrackMaker(CutTrack::Trigger trigger) { m_track.trigger = trigger; }

    [[nodiscard]] CutTrack make(const CutTablesPtr &tables, const Policy &policy, const CostGround &costs);

    // Called by the run:
    /// Records the value that a waiting stage compares with the policy's trigger. Returns whether the trigger counts as
    /// reached.
    [[nodiscard]] bool record(double reading);
    void take(const CutCall &call, const CutState &state);

private:
    static constexpr double kNone = -std::numeric_limits<double>::infinity();

    CutTrack m_track;
    std::vector<double> m_readings;
    double m_reading = kNone; ///< of the current call
};

/// The tracks of policies that differ only in the policy's trigger. Created on demand; thread-safe.
class CutTracks final {
public:
    CutTracks(CutTablesPtr tables, Policy policy, const CostGround &costs)
        : m_tables(std::move(tables))
        , m_policy(std::move(policy))
        , m_costs(costs)
    {
    }

    [[nodiscard]] const CutTrack &of(CutTrack::Trigger trigger);
    /// Whether a policy with this trigger can follow the tracks.
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
