// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay.h"

namespace core {

/// The places of a log's array whose tokens depend on the call: blocks that silent clearings may have removed, and
/// thinking that weighs more until its turn is over.
class LogPlaces final {
public:
    explicit LogPlaces(const ReplayGround &ground)
        : m_ground(&ground)
    {
    }

    /// Adds the next block of the log.
    void push(BlockId id);
    /// Removes the places from `size` on.
    void truncate(size_t size);
    [[nodiscard]] size_t size() const { return m_size; }

    /// A block that silent clearings may have removed.
    struct Unsure {
        uint32_t place = 0;
        BlockId block;
        double tokens = 0;
    };
    /// By place.
    [[nodiscard]] std::span<const Unsure> unsure() const { return m_unsure; }

    /// What silent clearings left out of an array at a step. `isStanding(place, block)` says whether the array still
    /// has the block of the log there. O(blocks that the clearings of the step may have removed).
    template <typename Standing>
    [[nodiscard]] double unsent(size_t step, const Standing &isStanding)
    {
        double standing = 0;
        for (const Unsure &each : heldAt(step)) {
            if (isStanding(each.place, each.block))
                standing += each.tokens;
        }
        return m_ground->unsentAt(step).of(standing);
    }
    /// The same for the array of the log. O(1) while the clearings are the same.
    [[nodiscard]] double unsentOfLog(size_t step);
    /// Thinking can weigh more in a call than in the table of tokens. Returns this surplus for the thinking that the
    /// array no longer has. O(thinking of the last turn).
    template <typename Standing>
    [[nodiscard]] double removedThinking(size_t end, const Standing &isStanding) const
    {
        const uint32_t turn = lastUserText(end);
        double sum = 0;
        const auto add = [&](const Thinking &each, double more) {
            if (more != 0 && each.place < end && !isStanding(each.place, each.block))
                sum += more;
        };
        for (const uint32_t index : m_heavyPast) {
            if (m_thinking[index].place < turn)
                add(m_thinking[index], m_thinking[index].past);
        }
        for (size_t i = firstThinkingAt(turn); i < m_thinking.size(); ++i)
            add(m_thinking[i], m_thinking[i].open);
        return sum;
    }
    /// The same for an array without any thinking. O(log of thinking).
    [[nodiscard]] double allThinking() const;
    /// The last place before `end` with text of the user; 0 if there is none.
    [[nodiscard]] uint32_t lastUserText(size_t end) const;

private:
    struct Thinking {
        uint32_t place = 0;
        BlockId block;
        double open = 0;       ///< its weight minus that in the table, until its turn is over
        double past = 0;       ///< the same, after its turn
        double openBefore = 0; ///< sum of `open` over the thinking before
        double pastBefore = 0;
    };

    [[nodiscard]] std::span<const Unsure> heldAt(size_t step);
    void hold(const Unsure &unsure);
    /// The index of the first thinking at `place` or behind it.
    [[nodiscard]] size_t firstThinkingAt(uint32_t place) const;

    const ReplayGround *m_ground;
    size_t m_size = 0;
    std::vector<Unsure> m_unsure;
    const UnsentText *m_text = nullptr; ///< that `m_held` is for
    std::vector<Unsure> m_held;         ///< those that the clearings of the last step may have removed
    std::vector<double> m_heldSums;     ///< tokens of `m_held` up to each one
    std::vector<Thinking> m_thinking;
    std::vector<uint32_t> m_heavyPast; ///< indices of the thinking whose `past` is not 0
    std::vector<uint32_t> m_userTexts;
};

} // namespace core
