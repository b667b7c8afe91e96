// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/finding_track.h"

#include <algorithm>
#include <cmath>

namespace ui {

FindingTrack::FindingTrack(const core::Findings &findings, core::ThreadIndex thread)
{
    const auto [begin, end] = std::ranges::equal_range(findings.places, thread, {}, &core::FindingPlace::thread);
    m_places.assign(begin, end);
    m_lost.push_back(0);
    for (const core::FindingPlace &place : m_places) {
        const bool isLost = findings.findings[place.finding].rank == core::FindingRank::Lost;
        m_lost.push_back(m_lost.back() + (isLost ? 1 : 0));
    }
}

std::vector<FindingTrack::Group> FindingTrack::groups(const TimelineLayout &layout) const
{
    std::vector<Group> groups;
    const TimelineLayout::Plot &plot = layout.plot();
    const auto xOf = [&](const core::FindingPlace &place) { return layout.xOf(place.call); };
    auto at = std::ranges::lower_bound(m_places, plot.left, {}, xOf);
    while (at != m_places.end() && xOf(*at) <= plot.right) {
        const double x = xOf(*at);
        const double edge = std::min(x + kRoom, std::nextafter(plot.right, plot.right + 1));
        const auto end = std::ranges::lower_bound(at, m_places.end(), edge, {}, xOf);
        const auto first = static_cast<size_t>(at - m_places.begin());
        const auto last = static_cast<size_t>(end - m_places.begin());
        groups.push_back({ first, last, x, m_lost[last] > m_lost[first] });
        at = end;
    }
    return groups;
}

std::vector<size_t> FindingTrack::findingsOf(const Group &group) const
{
    std::vector<size_t> findings;
    for (size_t place = group.first; place < group.end; ++place)
        findings.push_back(findingOf(place));
    std::ranges::sort(findings);
    findings.erase(std::ranges::unique(findings).begin(), findings.end());
    return findings;
}

} // namespace ui
