// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/trigger_line.h"

#include <optional>

namespace ui {

/// Moves the policy's trigger by a drag of its line or by keys. A drag, or a key while it is held down, is one gesture
/// of the Workspace. The scale of the plot stays as it is until the gesture ends.
class TriggerGesture final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    explicit TriggerGesture(const TimelineContent &content)
        : m_content(content)
    {
    }

    [[nodiscard]] bool isDragging() const { return m_kind == Kind::Drag; }
    [[nodiscard]] bool isRunning() const { return m_kind != Kind::None; }
    /// The value at the top of the plot while a gesture runs.
    [[nodiscard]] std::optional<double> heldTop() const { return m_heldTop; }

    void startDrag(const TimelineLayout &layout, double y);
    void dragTo(const TimelineLayout &layout, double y);
    /// By a round step, up (1) or down (-1).
    void step(const TimelineLayout &layout, double topTokens, int direction);
    /// False if there was no gesture of that kind.
    bool endDrag() { return end(Kind::Drag); }
    bool endSteps() { return end(Kind::Steps); }
    /// Takes the gesture back.
    void cancel();
    /// Another thread is shown: it has a scale of its own.
    void forgetTop() { m_heldTop.reset(); }

private:
    enum class Kind { None, Drag, Steps };
    bool end(Kind kind);

    const TimelineContent &m_content;
    Kind m_kind = Kind::None;
    std::optional<double> m_heldTop;
    double m_grip = 0; ///< pixels from the line down to the point that was pressed
};

} // namespace ui
