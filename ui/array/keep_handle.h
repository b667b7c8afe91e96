// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

#include <optional>

class QPainter;

namespace ui {

/// The boundary of the keep window: a line across the column with a draggable handle beside it. A drag is one gesture
/// of the Workspace.
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

    [[nodiscard]] bool isDragged() const { return m_isDragged; }
    void startDrag();
    void dragTo(double y);
    /// Returns false if there was no drag.
    bool endDrag();
    bool cancelDrag();

private:
    /// y of the line in the widget; nullopt without a keep window to drag.
    [[nodiscard]] std::optional<double> line() const;
    [[nodiscard]] QString words() const;
    /// The setting that keeps the slots from `cutoff` on.
    [[nodiscard]] core::Measure keepAt(size_t cutoff) const;

    const ArrayContent &m_content;
    const ArrayViewport &m_view;
    bool m_isDragged = false;
    std::optional<size_t> m_draggedTo; ///< the requested cutoff; the picture may lag behind
};

} // namespace ui
