// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/edit_basis.h"
#include "core/evidence/trace.h"
#include "core/evidence/uses.h"
#include "core/findings/finding.h"
#include "core/money/cost.h"
#include "core/tokens/array_sums.h"

namespace core {

/// What the findings of all threads share.
struct SessionGround {
    SessionPtr session;
    BlockTokensPtr tokens;
    const Prices &prices;
    SessionSumsPtr sums;
    RecordedCache cache;
    Edits edits;
    double sent = 0; ///< tokens of all prompts
    Progress *progress = nullptr;
};

/// Dollars for one token of a call's prompt.
struct CallPrice {
    double read = 0; ///< read from the cache; the price of input in a session without a cache
    /// Price of a token that is sent for the first time. If a compaction made the call write its prompt again, this
    /// equals `read`; the finding `cache-breaks` then has the rest of the cost.
    double entry = 0;
};
/// By call; zeros without a price.
[[nodiscard]] std::vector<CallPrice> callPrices(
    std::span<const RunCall> run, const RecordedCache &cache, uint32_t callCount);

/// What the kinds of findings read of one thread, computed once.
struct FindingGround {
    static constexpr uint32_t kNone = 0xffffffffU;

    const SessionGround &whole;
    ThreadIndex threadIndex;
    ArraySumsPtr sums;
    std::vector<UnloggedStretch> unlogged;
    ContextSpans spans;
    Uses uses;
    std::vector<uint32_t> places;  ///< by BlockId: index in `uses.log`, or kNone
    std::vector<EditBasis> bases;  ///< by edit of the session
    std::vector<RunCall> run;      ///< the calls with recorded usage
    std::vector<CallPrice> prices; ///< by call; zeros without a price
    std::vector<double> readSums;  ///< sums of `CallPrice::read` over the calls before each one

    FindingGround(const SessionGround &shared, ThreadIndex thread, Uses found);

    [[nodiscard]] const Session &session() const { return *whole.session; }
    [[nodiscard]] const Thread &thread() const { return session().thread(threadIndex); }
    [[nodiscard]] uint32_t callCount() const { return spans.callCount; }

    /// The calls from `from` on that sent a block. Calls at which a silent clearing may have removed it are left out.
    [[nodiscard]] std::vector<ContextSpan> sentSpans(BlockId block, uint32_t from = 0) const;
    [[nodiscard]] bool isSent(BlockId block, uint32_t call) const;
    /// The block's tokens times the calls.
    [[nodiscard]] double tokensOf(const ContextSpan &span) const;
    /// The cost of the block in these calls, in dollars: the call at which it entered pays `entry`, all others `read`.
    [[nodiscard]] double moneyOf(const ContextSpan &span) const;
    /// Sets the tokens and the money of a finding by its spans. Sorts the spans.
    void weigh(Finding &finding) const;
    /// `messages.py`: the last part of the path that the block is about; else its label.
    [[nodiscard]] std::string nameOf(BlockId id) const;
    [[nodiscard]] bool hasMoney() const { return !readSums.empty() && readSums.back() > 0; }
    /// An estimated figure, or a calibrated one if the table is.
    [[nodiscard]] TokenFigure figure(double value) const;

private:
    [[nodiscard]] std::span<const ContextSpan> spansOf(BlockId block) const;
};

} // namespace core
