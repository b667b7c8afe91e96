// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QPainter>
#include <QPixmap>
#include <QWidget>

#include <utility>

namespace ui {

/// Caches a part of a view that seldom changes, so that only moving parts are repainted over it. `Key` holds the inputs
/// of the drawing besides the area and the screen.
template <typename Key>
class PaintLayer final {
public:
    /// Fills `area` of the painter's widget from the cache. If key, area or screen changed, calls `paint(painter)`
    /// first, in the widget's coordinates. The painter is not scaled.
    template <typename Paint>
    void draw(QPainter &painter, const QRect &area, const Key &key, const QColor &ground, const Paint &paint)
    {
        // Of what is painted on: a picture of the window may have more pixels than the screen.
        const double ratio = painter.deviceTransform().m11();
        if (m_pixmap.isNull() || area != m_area || ratio != m_pixmap.devicePixelRatio() || key != m_key) {
            m_area = area;
            m_key = key;
            m_pixmap = QPixmap(area.size() * ratio);
            m_pixmap.setDevicePixelRatio(ratio);
            m_pixmap.fill(ground);
            QPainter drawing(&m_pixmap);
            drawing.translate(-area.topLeft());
            paint(drawing);
            ++m_drawings;
        }
        painter.drawPixmap(area.topLeft(), m_pixmap);
    }
    /// Number of times the layer was painted.
    [[nodiscard]] size_t drawings() const { return m_drawings; }

private:
    QPixmap m_pixmap;
    QRect m_area;
    Key m_key {};
    size_t m_drawings = 0;
};

} // namespace ui
