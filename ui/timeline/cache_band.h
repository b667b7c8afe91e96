// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_figures.h"
#include "ui/timeline/timeline_layout.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The cache read and the cost of one call of a run.
struct CachedCall {
    double prompt = 0; ///< tokens; 0: no cache figures for the call
    double read = 0;
    core::CacheCause cause = core::CacheCause::None; ///< why the read is not all that the previous call left
    std::optional<core::Timestamp> idle;
    std::optional<double> cost; ///< dollars; nullopt without a price

    [[nodiscard]] double share() const { return prompt > 0 ? read / prompt : 0; }
    [[nodiscard]] bool isMiss() const { return core::breaksCache(cause); }
};

/// Consecutive calls that share pixels, as drawn by the band.
struct CachePiece {
    double left = 0; ///< pixels
    double right = 0;
    double share = 0; ///< share of all their prompt tokens that was read
    bool hasMiss = false;
};

/// For every call the share of its prompt that was read from the cache, on the axis of a TimelineSeries, and the cost
/// of the whole run. Qt-free; O(calls) to build, O(log calls) per pixel to query.
class CacheBand final {
public:
    CacheBand() = default;
    /// As recorded; empty if no call has a recorded cache read, or without a model of this cache.
    explicit CacheBand(const core::RecordedFigures &figures);
    /// Under a policy; empty without a model of this cache.
    explicit CacheBand(const core::PolicyFigures &figures);

    [[nodiscard]] bool isEmpty() const { return m_calls.empty(); }
    [[nodiscard]] size_t callCount() const { return m_calls.size(); }
    /// nullptr for the end, and for calls without cache figures.
    [[nodiscard]] const CachedCall *at(size_t column) const;
    [[nodiscard]] double readShare() const;
    /// Columns whose cache was broken, ascending.
    [[nodiscard]] const std::vector<size_t> &misses() const { return m_misses; }

    /// `$4.10 by usage · computed $4.02`, `~$3.20 (4.2 % less)`; mentions calls without a price.
    [[nodiscard]] const std::string &money() const { return m_money; }
    /// `97.2 % read from the cache, broken 5 times`.
    [[nodiscard]] std::string reading() const;
    /// What stands beside a policy: of the recorded run the computed figures, with those by usage in brackets.
    [[nodiscard]] const std::string &comparedMoney() const
    {
        return m_comparedMoney.empty() ? m_money : m_comparedMoney;
    }
    [[nodiscard]] std::string comparedReading() const
    {
        return m_comparedReading.empty() ? reading() : m_comparedReading;
    }

    /// The visible pieces from left to right, at most one a pixel; calls without cache figures have none.
    [[nodiscard]] std::vector<CachePiece> pieces(const TimelineLayout &layout) const;

private:
    void addUp();

    std::vector<CachedCall> m_calls;
    std::vector<double> m_prompts; ///< prefix sums; n + 1 entries
    std::vector<double> m_reads;
    std::vector<size_t> m_misses;
    std::string m_money;
    std::string m_comparedMoney; ///< empty: as `m_money`
    std::string m_comparedReading;
};

/// Positions of the cache lane below the axis: one band for each run, and a row of text. Qt-free.
struct CacheRows {
    double top = 0;
    size_t bands = 0; ///< 0: no lane

    static constexpr double kRow = 12;
    static constexpr double kBand = 9;
    static constexpr double kWords = 16;

    [[nodiscard]] static double heightOf(size_t bands)
    {
        return bands > 0 ? static_cast<double>(bands) * kRow + kWords : 0;
    }
    [[nodiscard]] double topOf(size_t band) const { return top + static_cast<double>(band) * kRow + 2; }
    [[nodiscard]] double wordsTop() const { return top + static_cast<double>(bands) * kRow; }
    /// The band at a height; `bands` for the row of text, nullopt outside of the lane.
    [[nodiscard]] std::optional<size_t> bandAt(double y) const;
};

} // namespace ui
