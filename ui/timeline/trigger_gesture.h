// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/trigger_line.h"

#include <optional>

namespace ui {

/// Moves the policy's trigger by dragging its line or by keys. A drag, or a key held down, is one gesture of the
/// Workspace. The scale of the plot is fixed until the gesture ends.
class TriggerGesture final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    explicit TriggerGesture(const TimelineContent &content)
        : m_content(content)
    {
    }

    [[nodiscard]] bool isDragging() const { return m_kind == Kind::Drag; }
    [[nodiscard]] bool isRunning() const { return m_kind != Kind::None; }
    /// The value at the top of the plot during a gesture.
    [[nodiscard]] std::optional<double> heldTop() const { return m_heldTop; }

    void startDrag(const TimelineLayout &layout, double y);
    void dragTo(const TimelineLayout &layout, double y);
    /// Moves by a round step, up (1) or down (-1).
    void step(const TimelineLayout &layout, double topTokens, int direction);
    /// Moves to so many tokens, as one undo step.
    void moveTo(const TimelineLayout &layout, double tokens);
    /// How far `step` moves, in tokens; needs a movable trigger.
    [[nodiscard]] double stepSize(const TimelineLayout &layout) const;
    /// Return false if no gesture of that kind was active.
    bool endDrag() { return end(Kind::Drag); }
    bool endSteps() { return end(Kind::Steps); }
    /// Reverts the gesture.
    void cancel();
    /// Call it when another thread is shown, which has its own scale.
    void forgetTop() { m_heldTop.reset(); }

private:
    enum class Kind { None, Drag, Steps };
    bool end(Kind kind);

    const TimelineContent &m_content;
    Kind m_kind = Kind::None;
    std::optional<double> m_heldTop;
    double m_grip = 0; ///< pixels from the line to the pressed point
};

} // namespace ui
