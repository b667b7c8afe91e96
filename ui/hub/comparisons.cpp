// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/comparisons.h"

#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/hub/workspace.h"

#include <algorithm>

namespace ui {

Comparisons::Comparisons(Workspace &workspace)
    : m_workspace(workspace)
{
    connect(&workspace.figures(), &RunFigures::recordedChanged, this, &Comparisons::startAll);
    connect(&workspace.facts(), &ThreadFacts::usesChanged, this, &Comparisons::startAll);
    connect(&workspace, &Workspace::planChanged, this, &Comparisons::takePlan);
}

Comparisons::~Comparisons() = default;

std::optional<size_t> Comparisons::indexOf(const std::string &policyId) const
{
    const auto found
        = std::ranges::find_if(m_entries, [&](const auto &entry) { return entry->compared.policy->id == policyId; });
    return found == m_entries.end() ? std::nullopt : std::optional(static_cast<size_t>(found - m_entries.begin()));
}

void Comparisons::toggle(const core::PolicyPtr &policy)
{
    if (const auto known = indexOf(policy->id)) {
        m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(*known));
    } else {
        if (m_entries.size() == kMost)
            m_entries.erase(m_entries.begin());
        m_entries.push_back(std::make_unique<Entry>(&m_pool));
        m_entries.back()->compared.policy = policy;
        start(*m_entries.back());
    }
    Q_EMIT changed();
}

bool Comparisons::removeOne()
{
    if (m_entries.empty())
        return false;
    m_entries.pop_back();
    Q_EMIT changed();
    return true;
}

void Comparisons::clear()
{
    if (m_entries.empty())
        return;
    m_entries.clear();
    Q_EMIT changed();
}

void Comparisons::takePlan()
{
    const core::Overrides &overrides = m_workspace.plan().overrides;
    if (overrides == m_overrides)
        return;
    m_overrides = overrides;
    startAll();
}

void Comparisons::startAll()
{
    if (m_entries.empty())
        return;
    for (const auto &entry : m_entries)
        start(*entry);
    Q_EMIT changed();
}

void Comparisons::start(Entry &entry)
{
    const core::RecordedFiguresPtr &recorded = m_workspace.figures().recorded();
    if (!recorded) {
        entry.job.cancel();
        entry.compared.figures = nullptr;
        return;
    }
    core::ReplayOptions options;
    options.overrides = m_overrides;
    options.memo = m_workspace.memo();
    entry.job.start(
        this,
        [policy = entry.compared.policy, recorded, uses = m_workspace.facts().uses(), options](
            core::Progress &progress) {
            return core::replayedFigures(policy, *recorded, uses.get(), options, progress);
        },
        [this, &entry](core::PolicyFiguresPtr figures) {
            entry.compared.figures = std::move(figures);
            Q_EMIT changed();
        },
        m_workspace.reporter());
}

void Comparisons::waitForComparisons()
{
    const auto running
        = [this] { return std::ranges::find_if(m_entries, [](const auto &entry) { return entry->job.isRunning(); }); };
    for (auto entry = running(); entry != m_entries.end(); entry = running())
        (*entry)->job.wait();
}

} // namespace ui
