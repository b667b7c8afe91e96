// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/suggestions.h"

#include "core/compaction/policy_run.h"
#include "core/formats/session_files.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/workspace.h"

#include <algorithm>

namespace ui {

namespace {

/// Sweeps by several plans; empty if cancelled. Calls `tell` for each file, from one thread at a time.
std::vector<std::shared_ptr<const core::SweepSet>> sweptSets(const FolderSweeps::Choice &choice,
    const std::vector<core::SweepPlan> &plans, const core::Prices &prices, core::Progress &progress,
    const std::function<void(const FolderSweeps::Count &)> &tell)
{
    std::vector<std::shared_ptr<const core::SweepSet>> sets;
    std::vector<std::vector<core::FileSweep>> made(plans.size());
    const std::vector<std::string> files = core::filesOf(choice.places);
    core::sweepFiles(files, std::span(plans), prices, choice.options(progress), [&](std::vector<core::FileSweep> file) {
        for (size_t i = 0; i < file.size(); ++i)
            made[i].push_back(std::move(file[i]));
        tell({ made.front().size(), files.size() });
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

void Suggestions::setMap(FolderMapPtr map, const FolderSweeps::Choice &choice, size_t grid)
{
    if (map == m_map)
        return;
    // A new map of the same policy may come from changed files.
    if (choice != m_choice || grid != m_grid || (map && map->set.plan.policy->document == m_sweptBeside))
        forgetSweeps();
    if (map)
        m_sweptBeside = map->set.plan.policy->document;
    m_map = std::move(map);
    m_choice = choice;
    m_grid = grid;
    start();
}

void Suggestions::setLimits(std::vector<core::SweepLimit> limits)
{
    if (limits == m_limits)
        return;
    m_limits = std::move(limits);
    start();
}

void Suggestions::setHasOwn(bool hasOwn)
{
    if (std::exchange(m_hasOwn, hasOwn) != hasOwn)
        start();
}

core::PolicyPtr Suggestions::own() const { return m_map ? m_map->set.plan.policy : m_workspace.plan().policy; }

std::vector<core::PolicyPtr> Suggestions::others() const
{
    const core::PolicyPtr own = this->own();
    std::vector<core::PolicyPtr> others;
    std::ranges::copy_if(
        m_others, std::back_inserter(others), [&](const core::PolicyPtr &each) { return !own || each->id != own->id; });
    return others;
}

void Suggestions::add(const core::PolicyPtr &policy)
{
    if (!canTakePart(policy))
        return;
    std::erase_if(m_others, [&](const core::PolicyPtr &each) { return each->id == policy->id; });
    m_others.push_back(policy);
    start();
}

void Suggestions::changeOwn()
{
    const core::PolicyPtr before = own();
    const bool tookPart = std::exchange(m_hasOwn, true);
    if (!before)
        return;
    std::erase_if(m_others, [&](const core::PolicyPtr &each) { return each->id == before->id; });
    if (tookPart && canTakePart(before))
        m_others.push_back(before);
}

void Suggestions::remove(const std::string &policyId)
{
    if (std::erase_if(m_others, [&](const core::PolicyPtr &each) { return each->id == policyId; }) > 0)
        start();
}

std::optional<core::SweepPlan> Suggestions::planOf(const core::PolicyPtr &policy) const
{
    if (!core::hasStageOn(*policy))
        return std::nullopt;
    // A default range must be the same for all sessions, so it cannot depend on a session's window.
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

void Suggestions::forgetSweeps()
{
    m_swept.clear();
    m_toSweep.clear();
    m_sweeping.cancel();
}

void Suggestions::start()
{
    m_weighing.cancel();
    m_current.reset();
    m_isStopped = false;
    std::vector<core::SweepPlan> plans;
    std::vector<std::string> documents;
    for (const core::PolicyPtr &policy : m_map ? others() : std::vector<core::PolicyPtr>()) {
        auto plan = sweptBefore(*policy) ? std::nullopt : planOf(policy);
        if (!plan)
            continue;
        documents.push_back(policy->document);
        plans.push_back(std::move(*plan));
    }
    if (plans.empty()) {
        m_sweeping.cancel();
        weigh();
    } else if (!isSweeping() || documents != m_toSweep) {
        m_toSweep = std::move(documents);
        sweep(std::move(plans));
    }
    Q_EMIT changed();
}

void Suggestions::stop()
{
    if (!isSweeping())
        return;
    m_sweeping.cancel();
    ++m_run;
    m_isStopped = true;
    Q_EMIT changed();
}

void Suggestions::sweep(std::vector<core::SweepPlan> plans)
{
    m_files = {};
    const auto tell = [this, run = ++m_run](const Count &files) {
        QMetaObject::invokeMethod(
            this,
            [this, run, files] {
                if (run != m_run)
                    return;
                m_files = files;
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    };
    m_sweeping.start(
        this,
        [choice = m_choice, plans = std::move(plans), prices = m_workspace.figures().prices(), tell](
            core::Progress &progress) { return sweptSets(choice, plans, *prices, progress, tell); },
        [this](const Sets &sets) {
            std::ranges::copy(sets, std::back_inserter(m_swept));
            weigh();
            Q_EMIT changed();
        });
}

/// Chooses among all policies that take part. All of them are swept.
void Suggestions::weigh()
{
    Sets sets;
    for (const core::PolicyPtr &policy : others()) {
        if (SetPtr set = sweptBefore(*policy))
            sets.push_back(std::move(set));
    }
    if (!m_map || (!m_hasOwn && sets.empty()))
        return;
    core::SuggestionOptions options;
    options.limits = m_limits;
    m_weighing.start(
        this,
        [map = m_hasOwn ? m_map : nullptr, sets = std::move(sets), options](core::Progress &) -> ChoicePtr {
            std::vector<core::SweepSetReport> reports;
            const auto report = [&](const core::SweepSet &set) {
                reports.push_back({ set, core::SweepMetric::Cost, core::suggest(set, options) });
            };
            if (map)
                report(map->set);
            for (const SetPtr &set : sets)
                report(*set);
            return std::make_shared<const core::PolicyChoice>(core::choosePolicy(std::move(reports)));
        },
        [this, hasOwn = m_hasOwn](ChoicePtr choice) {
            m_current = std::move(choice);
            m_currentHasOwn = hasOwn;
            Q_EMIT changed();
        });
}

} // namespace ui
