// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/evidence/uses.h"

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

namespace core {

/// How far back uses reach: a share of uses for each number of last tokens. Needs no policy and no price; what a policy
/// would have to keep is read off it.
class Reach final {
public:
    Reach() = default;
    /// Of each use the tokens that have to be kept for it (`useDistances`), in any order.
    explicit Reach(std::vector<double> distances);

    [[nodiscard]] size_t useCount() const { return m_distances.size(); }
    [[nodiscard]] const std::vector<double> &distances() const { return m_distances; } ///< ascending
    /// The share of uses whose carrier lies whole within the last `tokens`; 0 where there are no uses.
    [[nodiscard]] double shareWithin(double tokens) const;
    /// The fewest tokens that reach a share of the uses; 0 where there are none.
    [[nodiscard]] double keepFor(double share) const;

private:
    std::vector<double> m_distances;
};

/// The tokens at which curves are told: four steps a doubling from 625 to 320,000, with 5k, 10k, 20k, 40k and 80k among
/// them.
inline constexpr size_t kReachSteps = 37;
[[nodiscard]] std::array<double, kReachSteps> reachSteps();

/// The reach of one session. Its uses are those of its main thread and its runs: a subagent has a context of its own,
/// which is over before a policy would act.
struct SessionReach {
    std::string file;
    Reach reach;
    size_t copies = 0; ///< uses in records that an earlier session holds too, and that were counted there
};

/// Reach over sessions.
struct ReachSummary {
    /// Sessions with fewer uses have no curve to speak of and are in no median.
    static constexpr size_t kFewestUses = 5;

    UseKind kind = UseKind::Quote;
    std::vector<SessionReach> sessions; ///< in the order in which they were added

    /// At each of `reachSteps` the share that the session in the middle reaches, and those that leave a tenth of the
    /// sessions below and above.
    struct Spread {
        std::array<double, kReachSteps> median {};
        std::array<double, kReachSteps> low {};
        std::array<double, kReachSteps> high {};
    };
    [[nodiscard]] Spread spread() const;
    /// What each of these sessions would have to keep to reach a share of its uses, ascending.
    [[nodiscard]] std::vector<double> keepsFor(double share) const;
    /// All uses of all sessions.
    [[nodiscard]] Reach all() const;
    [[nodiscard]] size_t sessionCount() const; ///< with uses enough
};

/// The value below which a share of the others lie (the nearest of them); of none 0. `values` ascend.
[[nodiscard]] double quantile(const std::vector<double> &values, double share);

struct ReachOptions {
    UseKind kind = UseKind::Quote;
    UseBinding binding = UseBinding::Newest;
    const CommonNames *commonNames = nullptr; ///< of names: are no uses
};

/// Adds up reach session after session, so that one at a time has to be in memory. A session that was resumed stands in
/// several files, whose records are copied: a use counts once, in the file that was added first. Uses are the same
/// where the blocks that need a text are, by the id of their call or message and all that they hold.
class ReachCollector final {
public:
    explicit ReachCollector(ReachOptions options = {});

    /// False if cancelled: nothing is added.
    bool add(std::string file, const Session &session, const BlockTokens &tokens, Progress *progress = nullptr);
    [[nodiscard]] const ReachSummary &summary() const { return m_summary; }

private:
    ReachOptions m_options;
    ReachSummary m_summary;
    std::unordered_set<Hash> m_known; ///< blocks of the sessions so far that needed a text
};

} // namespace core
