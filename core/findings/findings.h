// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/compaction/policy.h"
#include "core/findings/finding.h"
#include "core/money/prices.h"
#include "core/tokens/array_sums.h"

namespace core {

/// Findings of a kind beyond `FindingKind::most`.
struct FindingsLeftOut {
    const FindingKind *kind = nullptr;
    size_t findings = 0;
    size_t count = 0; ///< the sum of `Finding::count`
    double tokens = 0;
};

/// A call that a finding refers to.
struct FindingPlace {
    ThreadIndex thread;
    uint32_t call = 0;    ///< from 0; the number of calls for the end of the thread
    uint32_t finding = 0; ///< index in `Findings::findings`
    friend auto operator<=>(const FindingPlace &, const FindingPlace &) = default;
};

/// The findings of a session, the most important first.
struct Findings {
    SessionPtr session;
    std::vector<Finding> findings;
    std::vector<FindingPlace> places;     ///< of all findings but notes, ascending. Each finding names a call once. A
                                          ///< message counts as the first call that contained it
    std::optional<double> money;          ///< paid for all of `findings`, in dollars; each token of a call counts once
    std::optional<double> recorded;       ///< cost of the session's calls with a price
    std::vector<FindingsLeftOut> leftOut; ///< in the order of the kinds
    std::vector<Finding> smaller;         ///< those that `leftOut` counts, in the order of `findings`
};

/// Looks for every kind of finding in every thread with calls. They are ordered by rank, then by money, then by tokens.
/// `sums` are the session's; without them they are made here. Costs as much as `findUses` of every thread, `findEdits`,
/// `recordedCache` and `tracedUserMessages` together: it reads all texts a few times. nullopt if cancelled, also while
/// the tokens were counted: `tokens` is nullptr then.
[[nodiscard]] std::optional<Findings> findFindings(const SessionPtr &session, const BlockTokensPtr &tokens,
    const Prices &prices, SessionSumsPtr sums = nullptr, Progress *progress = nullptr);

/// The policy that would have helped: the preset with its changed setting; `chosen` with this setting, if it was made
/// from the preset. nullptr if the finding names none, or if the preset has no such setting.
[[nodiscard]] PolicyPtr helpingPolicy(const Finding &finding, const PolicyPtr &chosen = nullptr);

} // namespace core
