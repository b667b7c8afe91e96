// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"
#include "core/session/session.h"
#include "core/tokens/weights.h"

#include <string>

namespace core {

/// Assumed size of a summary in a session without recorded summaries.
inline constexpr double kAssumedSummaryTokens = 1000;

/// The size of a summary that nobody wrote. `compact` and `replay` use this size.
struct AssumedSummary {
    double tokens = kAssumedSummaryTokens;
    bool isMedian
        = false; ///< of the summaries that the thread's recorded compactions wrote; else kAssumedSummaryTokens

    /// `summaries without a text are assumed to have ~3,095 tokens (the median of the recorded summaries)`.
    [[nodiscard]] std::string sentence() const;
};

[[nodiscard]] AssumedSummary assumedSummary(const Session &session, ThreadIndex thread, const BlockTokens &tokens);

/// Whether a stage of the policy writes a summary with neither a text nor a size of its own.
[[nodiscard]] bool assumesSummary(const Policy &policy);

/// Whether a stage of the policy writes a summary without a text of its own: what it would say is unknown.
[[nodiscard]] bool lacksSummaryText(const Policy &policy);

/// Text of a length that harnesses which count characters take for so many tokens. It says that a `noun` has no text.
[[nodiscard]] std::string assumedText(std::string_view noun, double tokens);

/// What to write as the text of a summary that has no text.
enum class SummaryStandIn : uint8_t {
    Note,   ///< a note made from the structure of the removed messages
    Filler, ///< a sentence, repeated up to the assumed size
};
/// The policy with the assumed size in each stage that writes a summary without a text, unless the stage has a size.
[[nodiscard]] PolicyPtr withAssumedSummary(const PolicyPtr &policy, const AssumedSummary &summary, SummaryStandIn text);

} // namespace core
