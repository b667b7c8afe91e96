// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/range_maxima.h"
#include "core/replay/replay_figures.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ui {

/// The prompt of every call under a policy, on the axis of a TimelineSeries. Qt-free; O(calls) to build, O(log calls)
/// to query.
class PolicyCurve final {
public:
    PolicyCurve() = default;
    explicit PolicyCurve(const core::Replay &replay);

    [[nodiscard]] bool isEmpty() const { return m_tokens.empty(); }
    /// Calls + 1, as in the series.
    [[nodiscard]] size_t columnCount() const { return m_tokens.size(); }
    [[nodiscard]] double tokens(size_t column) const { return m_tokens[column]; }
    [[nodiscard]] double peak() const { return isEmpty() ? 0 : m_tokens[highestIn(0, columnCount())]; }
    [[nodiscard]] size_t highestIn(size_t first, size_t last) const { return m_highest.indexOfLargest(first, last); }
    [[nodiscard]] size_t lowestIn(size_t first, size_t last) const { return m_lowest.indexOfLargest(first, last); }
    /// The first call whose recorded model saw a different array; `columnCount()` if there is none.
    [[nodiscard]] size_t firstCounterfactual() const { return m_firstCounterfactual; }
    /// Columns before which the policy acted, ascending.
    [[nodiscard]] const std::vector<size_t> &acts() const { return m_acts; }
    /// Number of acts in columns `[first, last)`.
    [[nodiscard]] size_t actsIn(size_t first, size_t last) const;
    /// A summary of the policy's worker, from its start to its end. The array is short from `to` on, unless it failed.
    struct Wait {
        size_t from = 0;
        size_t to = 0;
        bool lands = false;
    };
    /// Ascending; they do not overlap. Without summaries that land at once.
    [[nodiscard]] const std::vector<Wait> &waits() const { return m_waits; }
    [[nodiscard]] double sentIn(size_t first, size_t last) const { return m_sent[last] - m_sent[first]; }

private:
    std::vector<double> m_tokens;
    std::vector<double> m_sent; ///< prefix sums over calls; n + 1 entries
    std::vector<size_t> m_acts;
    std::vector<Wait> m_waits;
    size_t m_firstCounterfactual = 0;
    core::RangeMaxima m_highest;
    core::RangeMaxima m_lowest; ///< of negated values
};

/// The totals of a replay, compared with the `recorded` tokens, most important first: `3 compactions`, `peak ~121k`,
/// `~8.1M tokens sent (recorded run: 12.3M)`.
[[nodiscard]] std::vector<std::string> replayFacts(
    const core::Replay &replay, const core::PromptSums &prompts, const core::TokenFigure &recorded);

/// `each summary is assumed to have ~1,000 tokens`; empty if none was assumed.
[[nodiscard]] std::string assumptionText(const core::Replay &replay);

} // namespace ui
