// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/suggestions.h"

#include <algorithm>

namespace ui {

Suggestions::Suggestions(QObject *parent)
    : QObject(parent)
{
}

std::vector<core::SweepLimit> Suggestions::usualLimits() { return { { core::SweepMetric::LostUses, 0.01, true } }; }

void Suggestions::setMap(FolderMapPtr map)
{
    if (map == m_map)
        return;
    m_map = std::move(map);
    start();
}

void Suggestions::setLimits(std::vector<core::SweepLimit> limits)
{
    const auto isSame = [](const core::SweepLimit &a, const core::SweepLimit &b) {
        return a.metric == b.metric && a.most == b.most && a.isShare == b.isShare;
    };
    if (std::ranges::equal(limits, m_limits, isSame))
        return;
    m_limits = std::move(limits);
    start();
}

void Suggestions::start()
{
    m_job.cancel();
    m_current.reset();
    if (m_map) {
        core::SuggestionOptions options;
        options.limits = m_limits;
        m_job.start(
            this, [map = m_map, options](core::Progress &) { return core::suggest(map->set, options); },
            [this](core::Result<core::Suggestion> made) {
                m_current = std::move(made);
                Q_EMIT changed();
            });
    }
    Q_EMIT changed();
}

} // namespace ui
