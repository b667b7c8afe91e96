// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

#include <optional>

class QPainter;

namespace ui {

/// The boundary of the keep window: a line across the column with a handle beside it, which can be dragged. A drag is
/// one gesture of the Workspace.
class KeepHandle final {
    Q_DECLARE_TR_FUNCTIONS(ui::ArrayView)

public:
    KeepHandle(const ArrayContent &content, const ArrayViewport &view)
        : m_content(content)
        , m_view(view)
    {
    }

    /// Place of the handle, clear of the words of slots; empty if it is out of sight or there is nothing to drag.
    [[nodiscard]] QRectF rect() const;
    [[nodiscard]] bool contains(QPointF position) const { return rect().adjusted(-4, -4, 4, 4).contains(position); }
    void paint(QPainter &painter) const;

    [[nodiscard]] bool isDragged() const { return m_isDragged; }
    void startDrag();
    void dragTo(double y);
    /// Both return false if there was no drag.
    bool endDrag();
    bool cancelDrag();

private:
    /// y of the line in the widget; nothing if there is no keep window to drag.
    [[nodiscard]] std::optional<double> line() const;
    [[nodiscard]] QString words() const;
    /// The setting that keeps the slots from `cutoff` on.
    [[nodiscard]] core::Measure keepAt(size_t cutoff) const;

    const ArrayContent &m_content;
    const ArrayViewport &m_view;
    bool m_isDragged = false;
    std::optional<size_t> m_draggedTo; ///< cutoff that was asked for; the picture may lag behind
};

} // namespace ui
