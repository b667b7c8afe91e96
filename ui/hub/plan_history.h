// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/compaction/overrides.h"

#include <QObject>
#include <QUndoStack>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace ui {

/// The plan for the array. All of it is one undoable value.
struct Plan {
    core::PolicyPtr policy; ///< nullptr: as recorded
    core::Overrides overrides;
    /// The overrides that an earlier window saved. They have no effect until the user chooses a policy, makes a new
    /// override or puts them into effect. Until then `overrides` is empty.
    core::Overrides resting;
    core::MissingOverrides missing; ///< keys of blocks that a reload did not find; they apply again when found
    core::Measure keep { 0.1, core::Measure::Unit::WindowFraction }; ///< used by the picture if there is no policy
    bool honoursTriggers = false; ///< if false, every stage acts as if its trigger were reached

    /// True if there is something to simulate.
    [[nodiscard]] bool isSimulated() const { return policy != nullptr || !overrides.isEmpty(); }
    /// What the user did by hand, in effect or not.
    [[nodiscard]] const core::Overrides &byHand() const { return resting.isEmpty() ? overrides : resting; }
};

enum class Override { Keep, Drop };

/// The plan of a window, previews during a gesture, and the undo stack of plans.
class PlanHistory final : public QObject {
    Q_OBJECT

public:
    [[nodiscard]] const Plan &plan() const { return m_plan; }
    [[nodiscard]] QUndoStack &undoStack() { return m_undoStack; }

    /// Starts over with a plan for another session: no policy, no undo steps. Emits nothing.
    void reset(const core::Measure &keep);
    /// Applies `change` to the plan, to the plan before the gesture and to all undo steps. Emits nothing. Returns
    /// whether the plan changed.
    [[nodiscard]] bool rewrite(const std::function<void(Plan &)> &change);

    /// Adds the overrides of an earlier window to the plan and to all undo steps that have none. In steps with a policy
    /// they are in effect; in the others they rest. False if the plan has overrides already.
    [[nodiscard]] bool rest(const core::Overrides &overrides, const core::MissingOverrides &missing);

    /// Sets the plan without an undo step, during a drag.
    void preview(const Plan &plan);
    /// True from the first preview of a gesture until a plan is committed.
    [[nodiscard]] bool isPreviewing() const { return m_isPreviewing; }
    /// Sets the plan as one undo step from `from`, the plan before the gesture; does nothing if both are equal.
    void commit(const Plan &from, const Plan &to, const QString &words);
    /// Keeps, drops or resets (`std::nullopt`) these blocks, as one undo step.
    void commitOverride(const std::vector<core::BlockId> &blocks, std::optional<Override> what, const QString &words);
    [[nodiscard]] std::optional<Override> overrideOf(core::BlockId block) const;

    // Texts by hand, each as one undo step.
    /// Gives the block another text, and takes its drop back; nullopt gives it its recorded text again.
    void commitText(core::BlockId block, const std::optional<std::string> &text);
    /// Inserts a message. If `instead` is in the plan already, the message replaces it.
    void commitInsertion(core::TextInsertion insertion, const std::optional<core::TextInsertion> &instead = {});
    /// Takes back the insertion with this index.
    void commitWithout(size_t insertion);
    /// Puts the resting overrides into effect.
    void commitResting();
    /// Takes back all overrides, resting and missing ones too.
    void commitDiscard();
    /// Takes back all overrides of these blocks, and what was inserted behind them.
    void commitReset(const std::vector<core::BlockId> &blocks);
    /// The text that the user gave the block; nullptr if none.
    [[nodiscard]] const std::string *textOf(core::BlockId block) const;

    [[nodiscard]] const core::Measure &keep() const
    {
        return m_plan.policy ? m_plan.policy->keep.measure : m_plan.keep;
    }
    void commitKeep(const core::Measure &from, const core::Measure &to);
    [[nodiscard]] std::optional<core::Measure> trigger() const;
    [[nodiscard]] Plan withKeep(const core::Measure &keep) const;
    /// Returns the current plan unchanged if the policy refuses the value. Needs a policy.
    [[nodiscard]] Plan withSetting(std::string_view key, const core::Measure &measure) const;

    void beginGesture() { m_gesture = m_plan; }
    /// Makes all previews of the gesture one undo step.
    void endGesture(const QString &words);
    void cancelGesture();
    [[nodiscard]] bool isInGesture() const { return m_gesture.has_value(); }

Q_SIGNALS:
    void changed();

private:
    void setPlan(const Plan &plan);
    /// The plan with its resting overrides in effect.
    [[nodiscard]] Plan awake() const;
    /// Commits changed overrides; does nothing if they are those of `awake()`.
    void commitChanged(const Plan &plan, const QString &words);

    Plan m_plan;
    std::optional<Plan> m_gesture; ///< the plan before the gesture
    bool m_isPreviewing = false;
    QUndoStack m_undoStack;
};

} // namespace ui
