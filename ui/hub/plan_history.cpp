// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/plan_history.h"

#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

class PlanCommand final : public QUndoCommand {
public:
    PlanCommand(std::function<void(const Plan &)> setPlan, Plan from, Plan to, const QString &words)
        : QUndoCommand(words)
        , m_setPlan(std::move(setPlan))
        , m_from(std::move(from))
        , m_to(std::move(to))
    {
    }
    void undo() override { m_setPlan(m_from); }
    void redo() override { m_setPlan(m_to); }
    [[nodiscard]] Plan &from() { return m_from; }
    [[nodiscard]] Plan &to() { return m_to; }

private:
    std::function<void(const Plan &)> m_setPlan;
    Plan m_from;
    Plan m_to;
};

bool isSame(const core::PolicyPtr &a, const core::PolicyPtr &b)
{
    return a == b || (a && b && a->document == b->document);
}

bool isSame(const Plan &a, const Plan &b)
{
    return isSame(a.policy, b.policy) && a.overrides == b.overrides && a.resting == b.resting && a.missing == b.missing
        && a.keep == b.keep && a.honoursTriggers == b.honoursTriggers;
}

void takeTexts(core::Overrides &overrides, const std::vector<core::BlockId> &blocks)
{
    std::erase_if(
        overrides.replace, [&](const core::TextEdit &each) { return std::ranges::contains(blocks, each.block); });
}

Plan woken(Plan plan)
{
    if (!plan.resting.isEmpty())
        plan.overrides = std::exchange(plan.resting, {});
    return plan;
}

} // namespace

Plan PlanHistory::awake() const { return woken(m_plan); }

void PlanHistory::reset(const core::Measure &keep)
{
    m_undoStack.clear();
    m_plan = {};
    m_plan.keep = keep;
    m_gesture.reset();
    m_isPreviewing = false;
}

bool PlanHistory::rewrite(const std::function<void(Plan &)> &change)
{
    const Plan before = m_plan;
    change(m_plan);
    if (m_gesture)
        change(*m_gesture);
    for (int i = 0; i < m_undoStack.count(); ++i) {
        // The stack returns its commands as const; the plan commands are ours.
        auto *command = const_cast<PlanCommand *>(dynamic_cast<const PlanCommand *>(m_undoStack.command(i)));
        if (command == nullptr)
            continue; // another's, which names no block
        change(command->from());
        change(command->to());
    }
    return !isSame(before, m_plan);
}

bool PlanHistory::rest(const core::Overrides &overrides, const core::MissingOverrides &missing)
{
    if (!m_plan.overrides.isEmpty())
        return false;
    const bool isOther = rewrite([&](Plan &plan) {
        if (!plan.overrides.isEmpty())
            return;
        (plan.policy ? plan.overrides : plan.resting) = overrides;
        plan.missing = missing;
    });
    if (isOther)
        Q_EMIT changed();
    return true;
}

void PlanHistory::preview(const Plan &plan)
{
    if (isSame(m_plan, plan))
        return;
    m_isPreviewing = true;
    m_plan = plan;
    Q_EMIT changed();
}

void PlanHistory::setPlan(const Plan &plan)
{
    if (!std::exchange(m_isPreviewing, false) && isSame(m_plan, plan))
        return;
    m_plan = plan;
    Q_EMIT changed();
}

void PlanHistory::commit(const Plan &from, const Plan &to, const QString &words)
{
    if (!isSame(from, to))
        m_undoStack.push(
            new PlanCommand([this](const Plan &plan) { setPlan(plan); }, from, to.policy ? woken(to) : to, words));
}

void PlanHistory::commitChanged(const Plan &plan, const QString &words)
{
    if (!isSame(plan, awake()))
        commit(m_plan, plan, words);
}

void PlanHistory::commitResting() { commit(m_plan, awake(), tr("Apply Your Changes")); }

void PlanHistory::commitDiscard()
{
    Plan plan = m_plan;
    plan.overrides = {};
    plan.resting = {};
    plan.missing = {};
    commit(m_plan, plan, tr("Discard Your Changes"));
}

void PlanHistory::commitOverride(
    const std::vector<core::BlockId> &blocks, std::optional<Override> what, const QString &words)
{
    Plan plan = awake();
    for (auto *list : { &plan.overrides.keep, &plan.overrides.drop })
        std::erase_if(*list, [&](core::BlockId id) { return std::ranges::find(blocks, id) != blocks.end(); });
    if (what) {
        auto &list = *what == Override::Keep ? plan.overrides.keep : plan.overrides.drop;
        list.insert(list.end(), blocks.begin(), blocks.end());
        std::ranges::sort(list);
    }
    if (what == Override::Drop)
        takeTexts(plan.overrides, blocks);
    const QString usual = !what ? tr("Clear Override") : *what == Override::Keep ? tr("Pin") : tr("Drop");
    commitChanged(plan, words.isEmpty() ? usual : words);
}

void PlanHistory::commitText(core::BlockId block, const std::optional<std::string> &text)
{
    Plan plan = awake();
    takeTexts(plan.overrides, { block });
    if (text) {
        std::erase(plan.overrides.drop, block);
        plan.overrides.replace.push_back({ block, *text });
        std::ranges::sort(plan.overrides.replace, {}, &core::TextEdit::block);
    }
    commitChanged(plan, text ? tr("Edit Text") : tr("Restore Text"));
}

void PlanHistory::commitInsertion(core::TextInsertion insertion, const std::optional<core::TextInsertion> &instead)
{
    Plan plan = awake();
    auto &all = plan.overrides.insert;
    const auto old = instead ? std::ranges::find(all, *instead) : all.end();
    const bool isOld = old != all.end();
    if (isOld)
        *old = std::move(insertion);
    else
        all.push_back(std::move(insertion));
    commitChanged(plan, isOld ? tr("Edit Inserted Message") : tr("Insert Message"));
}

void PlanHistory::commitWithout(size_t insertion)
{
    Plan plan = awake();
    plan.overrides.insert.erase(plan.overrides.insert.begin() + static_cast<std::ptrdiff_t>(insertion));
    commitChanged(plan, tr("Take Back Message"));
}

void PlanHistory::commitReset(const std::vector<core::BlockId> &blocks)
{
    Plan plan = awake();
    const auto isOfThese = [&](core::BlockId id) { return std::ranges::contains(blocks, id); };
    std::erase_if(plan.overrides.keep, isOfThese);
    std::erase_if(plan.overrides.drop, isOfThese);
    takeTexts(plan.overrides, blocks);
    std::erase_if(plan.overrides.insert, [&](const core::TextInsertion &each) { return isOfThese(each.after); });
    commitChanged(plan, tr("Reset to Recorded"));
}

const std::string *PlanHistory::textOf(core::BlockId block) const
{
    const auto &all = m_plan.overrides.replace;
    const auto found = std::ranges::lower_bound(all, block, {}, &core::TextEdit::block);
    return found != all.end() && found->block == block ? &found->text : nullptr;
}

std::optional<Override> PlanHistory::overrideOf(core::BlockId block) const
{
    if (std::ranges::binary_search(m_plan.overrides.keep, block))
        return Override::Keep;
    if (std::ranges::binary_search(m_plan.overrides.drop, block))
        return Override::Drop;
    return std::nullopt;
}

Plan PlanHistory::withKeep(const core::Measure &keep) const
{
    if (m_plan.policy)
        return withSetting("keep", keep);
    Plan plan = m_plan;
    plan.keep = keep;
    return plan;
}

Plan PlanHistory::withSetting(std::string_view key, const core::Measure &measure) const
{
    auto policy = core::withSetting(*m_plan.policy, key, measure.text());
    Plan plan = m_plan;
    if (policy)
        plan.policy = std::make_shared<const core::Policy>(std::move(*policy));
    return plan;
}

void PlanHistory::commitKeep(const core::Measure &from, const core::Measure &to)
{
    if (from != to)
        commit(withKeep(from), withKeep(to), tr("Change Keep to %1").arg(QString::fromStdString(to.words())));
}

std::optional<core::Measure> PlanHistory::trigger() const
{
    if (!m_plan.policy || m_plan.policy->trigger.measures.size() != 1)
        return std::nullopt;
    return m_plan.policy->trigger.measures.front();
}

void PlanHistory::endGesture(const QString &words)
{
    const auto from = std::exchange(m_gesture, std::nullopt);
    if (!from)
        return;
    commit(*from, m_plan, words);
    if (m_isPreviewing)
        setPlan(m_plan); // it ended where it began: no undo step, but the gesture ends
}

void PlanHistory::cancelGesture()
{
    if (const auto from = std::exchange(m_gesture, std::nullopt))
        setPlan(*from);
}

} // namespace ui
