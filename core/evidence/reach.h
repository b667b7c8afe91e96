// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/evidence/uses.h"

#include <array>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace core {

/// How far back uses reach: for a number of last tokens, the share of uses within it. Needs no policy and no prices.
/// Shows how large a policy's keep window has to be.
class Reach final {
public:
    Reach() = default;
    /// `distances`: for each use the tokens to keep for it (`useDistances`), in any order.
    explicit Reach(std::vector<double> distances);

    [[nodiscard]] size_t useCount() const { return m_distances.size(); }
    [[nodiscard]] const std::vector<double> &distances() const { return m_distances; } ///< ascending
    /// The share of uses whose carrier lies completely within the last `tokens`; 0 without uses.
    [[nodiscard]] double shareWithin(double tokens) const;
    /// The smallest number of last tokens that reaches `share` of the uses; 0 without uses.
    [[nodiscard]] double keepFor(double share) const;

private:
    std::vector<double> m_distances;
};

/// The token counts at which curves are sampled: four steps per doubling from 625 to 320,000, with 5k, 10k, 20k, 40k
/// and 80k among them.
inline constexpr size_t kReachSteps = 37;
[[nodiscard]] std::array<double, kReachSteps> reachSteps();

/// The reach of one session, from the uses of its main thread and its runs. Subagents are left out: each has a context
/// of its own, which ends before a policy would act.
struct SessionReach {
    std::string file;
    Reach reach;
    size_t copies = 0; ///< uses left out because an earlier session has the same records and counted them
    size_t unsure = 0; ///< uses left out because a silent clearing may have removed their text
};

/// The reach of several sessions.
struct ReachSummary {
    /// Sessions with fewer uses are left out of medians.
    static constexpr size_t kFewestUses = 5;

    UseKind kind = UseKind::Quote;
    std::vector<SessionReach> sessions; ///< in the order of adding

    /// For each of `reachSteps` the median share over the sessions, and the first and last decile.
    struct Spread {
        std::array<double, kReachSteps> median {};
        std::array<double, kReachSteps> low {};
        std::array<double, kReachSteps> high {};
    };
    [[nodiscard]] Spread spread() const;
    /// For each of these sessions the tokens to keep to reach `share` of its uses, ascending.
    [[nodiscard]] std::vector<double> keepsFor(double share) const;
    [[nodiscard]] Reach all() const;
    [[nodiscard]] size_t sessionCount() const; ///< sessions with enough uses
};

/// The nearest-rank quantile of ascending `values`; 0 if there are none.
[[nodiscard]] double quantile(const std::vector<double> &values, double share);

struct ReachOptions {
    UseKind kind = UseKind::Quote;
    UseBinding binding = UseBinding::Newest;
    const CommonNames *commonNames = nullptr; ///< names that do not count as uses
};

/// What the reach of a set of sessions takes from one of them.
struct SessionUses {
    struct Use {
        Hash needer; ///< identity of the block that needs the text: equal in every file that has a copy of its record
        double distance = 0;
        friend bool operator==(const Use &, const Use &) = default;
    };

    std::string file;
    std::vector<Use> uses; ///< in the order of the threads
    size_t unsure = 0;
    friend bool operator==(const SessionUses &, const SessionUses &) = default;
};

/// The uses of a session that count; nullopt if cancelled.
[[nodiscard]] std::optional<SessionUses> sessionUses(std::string file, const Session &session,
    const BlockTokens &tokens, const ReachOptions &options = {}, Progress *progress = nullptr);

/// Collects the reach of sessions one at a time, so that only one has to be in memory. A resumed session has copies of
/// the same records in several files; its uses count once, in the file added first. Two uses are equal if the blocks
/// that need a text have the same call or message id and the same content.
class ReachCollector final {
public:
    explicit ReachCollector(ReachOptions options = {});

    /// False if cancelled; then nothing was added.
    bool add(std::string file, const Session &session, const BlockTokens &tokens, Progress *progress = nullptr);
    void add(const SessionUses &uses);
    [[nodiscard]] const ReachSummary &summary() const { return m_summary; }

private:
    ReachOptions m_options;
    ReachSummary m_summary;
    std::unordered_set<Hash> m_known; ///< blocks of earlier sessions that needed a text
};

} // namespace core
