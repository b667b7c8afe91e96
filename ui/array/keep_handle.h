// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

#include <optional>

class QPainter;

namespace ui {

/// The boundary of the keep window: a line across the column with a draggable handle beside it. A drag, or a key held
/// down, is one gesture of the Workspace.
class KeepHandle final {
    Q_DECLARE_TR_FUNCTIONS(ui::ArrayView)

public:
    KeepHandle(const ArrayContent &content, const ArrayViewport &view)
        : m_content(content)
        , m_view(view)
    {
    }

    /// Rectangle of the handle, beside the slots' text; empty if it is out of sight or there is no keep window.
    [[nodiscard]] QRectF rect() const;
    [[nodiscard]] bool contains(QPointF position) const { return rect().adjusted(-4, -4, 4, 4).contains(position); }
    void paint(QPainter &painter) const;

    /// Whether there is a keep window whose boundary can be moved.
    [[nodiscard]] bool exists() const { return line().has_value(); }
    /// The first slot that is kept, as requested: the picture may lag behind.
    [[nodiscard]] size_t cutoff() const { return m_requested.value_or(m_content.state().picture().cutoff); }
    /// `keep 10 % of window, the last 6 of 21 slots`
    [[nodiscard]] QString name() const;
    /// The name, and what the boundary is: the policy's, or without a policy a trial.
    [[nodiscard]] QString tip() const;

    [[nodiscard]] bool isDragged() const { return m_gesture == Gesture::Drag; }
    [[nodiscard]] bool isRunning() const { return m_gesture != Gesture::None; }
    void startDrag() { start(Gesture::Drag); }
    void dragTo(double y);
    /// Moves the boundary by some slots; needs one.
    void step(int slots);
    /// Keeps the slots from `cutoff` on, as one undo step; needs a boundary.
    void keepFrom(size_t cutoff);
    /// Return false if no gesture of that kind was active.
    bool endDrag() { return end(Gesture::Drag); }
    bool endSteps() { return end(Gesture::Steps); }
    /// Reverts the gesture; returns false if there was none.
    bool cancel();

private:
    enum class Gesture { None, Drag, Steps };
    void start(Gesture gesture);
    bool end(Gesture gesture);
    void request(size_t cutoff);

    /// y of the line in the widget; nullopt without a keep window to drag.
    [[nodiscard]] std::optional<double> line() const;
    [[nodiscard]] QString words() const;
    /// As recorded, nothing was kept: the boundary is the user's.
    [[nodiscard]] bool isTrial() const { return m_content.state().workspace().plan().policy == nullptr; }
    /// The setting that keeps the slots from `cutoff` on.
    [[nodiscard]] core::Measure keepAt(size_t cutoff) const;

    const ArrayContent &m_content;
    const ArrayViewport &m_view;
    Gesture m_gesture = Gesture::None;
    std::optional<size_t> m_requested; ///< the cutoff that a gesture asked for
};

} // namespace ui
