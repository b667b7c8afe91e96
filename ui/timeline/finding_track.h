// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/findings.h"
#include "ui/timeline/timeline_layout.h"

#include <cstddef>
#include <vector>

namespace ui {

/// The places of findings in one thread. Qt-free.
class FindingTrack final {
public:
    FindingTrack() = default;
    FindingTrack(const core::Findings &findings, core::ThreadIndex thread);

    /// Places whose marks would overlap, drawn as one.
    struct Group {
        size_t first = 0; ///< of the places
        size_t end = 0;
        double x = 0;        ///< of the first place
        bool isLost = false; ///< one of them is of a finding with the rank Lost
        [[nodiscard]] size_t count() const { return end - first; }
    };
    /// Pixels from one mark to the next: room for a dot and a number.
    static constexpr double kRoom = 26;

    [[nodiscard]] size_t count() const { return m_places.size(); }
    [[nodiscard]] size_t columnOf(size_t place) const { return m_places[place].call; }
    [[nodiscard]] size_t findingOf(size_t place) const { return m_places[place].finding; }
    /// Every visible place is in exactly one group; groups are `kRoom` apart. Costs O(pixels), whatever the number of
    /// places.
    [[nodiscard]] std::vector<Group> groups(const TimelineLayout &layout) const;
    /// The findings of a group, the most important first, each once.
    [[nodiscard]] std::vector<size_t> findingsOf(const Group &group) const;

private:
    std::vector<core::FindingPlace> m_places; ///< ascending by call
    std::vector<uint32_t> m_lost;             ///< prefix counts of places with the rank Lost; one more than places
};

} // namespace ui
