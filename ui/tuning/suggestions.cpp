// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/suggestions.h"

#include "core/formats/session_files.h"
#include "ui/base/run_figures.h"
#include "ui/base/workspace.h"

#include <algorithm>

namespace ui {

namespace {

/// By several plans; empty if cancelled.
std::vector<std::shared_ptr<const core::SweepSet>> sweptSets(const FolderSweeps::Choice &choice,
    const std::vector<core::SweepPlan> &plans, const core::Prices &prices, core::Progress &progress)
{
    std::vector<std::shared_ptr<const core::SweepSet>> sets;
    if (plans.empty())
        return sets;
    std::vector<std::vector<core::FileSweep>> made(plans.size());
    core::sweepFiles(core::filesOf(choice.places), std::span(plans), prices, choice.options(progress),
        [&](std::vector<core::FileSweep> file) {
            for (size_t i = 0; i < file.size(); ++i)
                made[i].push_back(std::move(file[i]));
        });
    for (size_t i = 0; i < plans.size() && !progress.isCancelled(); ++i)
        sets.push_back(std::make_shared<const core::SweepSet>(core::sweepSet(plans[i], std::move(made[i]))));
    return sets;
}

} // namespace

Suggestions::Suggestions(Workspace &workspace, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
{
}

std::vector<core::SweepLimit> Suggestions::usualLimits() { return { { core::SweepMetric::LostUses, 0.01, true } }; }

void Suggestions::setMap(FolderMapPtr map, const FolderSweeps::Choice &choice, size_t grid)
{
    if (map == m_map)
        return;
    // A map of the same policy again may be of files that have changed.
    if (choice != m_choice || grid != m_grid || (map && map->set.plan.policy->document == m_sweptBeside))
        m_swept.clear();
    if (map)
        m_sweptBeside = map->set.plan.policy->document;
    m_map = std::move(map);
    m_choice = choice;
    m_grid = grid;
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

void Suggestions::setHasOwn(bool hasOwn)
{
    if (std::exchange(m_hasOwn, hasOwn) != hasOwn)
        start();
}

std::vector<core::PolicyPtr> Suggestions::others() const
{
    std::vector<core::PolicyPtr> others;
    std::ranges::copy_if(m_others, std::back_inserter(others),
        [&](const core::PolicyPtr &each) { return !m_map || each->id != m_map->set.plan.policy->id; });
    return others;
}

void Suggestions::add(const core::PolicyPtr &policy)
{
    std::erase_if(m_others, [&](const core::PolicyPtr &each) { return each->id == policy->id; });
    m_others.push_back(policy);
    start();
}

void Suggestions::remove(const std::string &policyId)
{
    if (std::erase_if(m_others, [&](const core::PolicyPtr &each) { return each->id == policyId; }) > 0)
        start();
}

std::optional<core::SweepPlan> Suggestions::planOf(const core::PolicyPtr &policy) const
{
    // What a range is without words must be the same for all sessions: it knows no session's window.
    auto x = core::parseAxis(*policy, core::Session {}, "keep", m_grid);
    auto y = core::parseAxis(*policy, core::Session {}, "trigger", m_grid);
    if (!x || !y || x->values.empty() || y->values.empty())
        return std::nullopt;
    return core::SweepPlan { policy, std::move(*x), std::move(*y), m_workspace.figures().prices()->date() };
}

Suggestions::SetPtr Suggestions::sweptBefore(const core::Policy &policy) const
{
    const auto found
        = std::ranges::find(m_swept, policy.document, [](const SetPtr &set) { return set->plan.policy->document; });
    return found != m_swept.end() ? *found : nullptr;
}

const core::SweepSetReport *Suggestions::chosen() const
{
    return m_current && m_current->chosen ? &m_current->policies[*m_current->chosen] : nullptr;
}

std::optional<size_t> Suggestions::ownCell() const
{
    const core::SweepSetReport *made = chosen();
    return made != nullptr && m_currentHasOwn && m_current->chosen == size_t { 0 }
        ? std::optional((**made->suggestion).cell)
        : std::nullopt;
}

void Suggestions::start()
{
    m_job.cancel();
    m_current.reset();
    Sets known;
    std::vector<core::SweepPlan> plans;
    for (const core::PolicyPtr &policy : others()) {
        auto plan = planOf(policy);
        known.push_back(plan ? sweptBefore(*policy) : nullptr);
        if (plan && !known.back())
            plans.push_back(std::move(*plan));
        else if (!plan)
            known.pop_back();
    }
    if (m_map && (m_hasOwn || !known.empty())) {
        core::SuggestionOptions options;
        options.limits = m_limits;
        m_job.start(
            this,
            [map = m_map, hasOwn = m_hasOwn, choice = m_choice, known, plans = std::move(plans), options,
                prices = m_workspace.figures().prices()](core::Progress &progress) {
                const Sets swept = sweptSets(choice, plans, *prices, progress);
                if (progress.isCancelled())
                    return Found {};
                Sets sets = known;
                size_t next = 0;
                for (SetPtr &set : sets)
                    set = set ? set : swept[next++];
                std::vector<core::SweepSetReport> reports;
                const auto report = [&](const core::SweepSet &set) {
                    reports.push_back({ set, core::SweepMetric::Cost, core::suggest(set, options) });
                };
                if (hasOwn)
                    report(map->set);
                for (const SetPtr &set : sets)
                    report(*set);
                return Found { std::make_shared<const core::PolicyChoice>(core::choosePolicy(std::move(reports))),
                    std::move(sets) };
            },
            [this, hasOwn = m_hasOwn](Found found) {
                m_current = std::move(found.choice);
                m_currentHasOwn = hasOwn;
                for (const SetPtr &set : found.sets) {
                    if (!sweptBefore(*set->plan.policy))
                        m_swept.push_back(set);
                }
                Q_EMIT changed();
            });
    }
    Q_EMIT changed();
}

} // namespace ui
