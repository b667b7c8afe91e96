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

    /// What silent clearings left out of an array at a step. `isStanding(place, block)` says whether the array still
    /// has the block of the log there; places from `end` on are not in the log yet.
    template <typename Standing>
    [[nodiscard]] double unsent(size_t step, size_t end, const Standing &isStanding) const
    {
        const UnsentText &text = m_ground->unsentAt(step);
        if (text.blocks.empty())
            return 0;
        double standing = 0;
        for (const Place &each : m_unsure) {
            if (each.place < end && text.holds(each.block) && isStanding(each.place, each.block))
                standing += each.tokens;
        }
        return text.of(standing);
    }
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
    struct Place {
        uint32_t place = 0;
        BlockId block;
        double tokens = 0;
    };
    struct Thinking {
        uint32_t place = 0;
        BlockId block;
        double open = 0;       ///< its weight minus that in the table, until its turn is over
        double past = 0;       ///< the same, after its turn
        double openBefore = 0; ///< sum of `open` over the thinking before
        double pastBefore = 0;
    };

    /// The index of the first thinking at `place` or behind it.
    [[nodiscard]] size_t firstThinkingAt(uint32_t place) const;

    const ReplayGround *m_ground;
    size_t m_size = 0;
    std::vector<Place> m_unsure;
    std::vector<Thinking> m_thinking;
    std::vector<uint32_t> m_heavyPast; ///< indices of the thinking whose `past` is not 0
    std::vector<uint32_t> m_userTexts;
};

} // namespace core
