// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

#include <QImage>

#include <vector>

class QPainter;

namespace ui {

/// The whole array as a narrow strip, true to scale, with marks for hot slots, matches and bookmarks and a frame around
/// the visible part. Cached as an image; rendering costs O(pixels).
class OverviewStrip final {
public:
    OverviewStrip(const ArrayContent &content, const ArrayViewport &view)
        : m_content(content)
        , m_view(view)
    {
    }

    /// Renders image and marks.
    void render();
    /// Updates the marks of hot slots, or of matches, only.
    void markHot();
    void markMatches();
    /// Updates the marks of bookmarks only.
    void markBookmarks();
    void paint(QPainter &painter) const;
    /// The slot at `y` in the widget, or the nearest one; invalid without slots.
    [[nodiscard]] core::SlotIndex slotAt(double y) const;

private:
    [[nodiscard]] bool isEmpty() const;
    /// The row of pixels at which a slot begins.
    [[nodiscard]] size_t rowOf(size_t slot, size_t rows) const;
    void paintFrame(QPainter &painter) const;

    const ArrayContent &m_content;
    const ArrayViewport &m_view;
    QImage m_image;
    std::vector<bool> m_hotRows; ///< by pixel row: has a mark
    std::vector<bool> m_matchRows;
    std::vector<size_t> m_bookmarkRows;
};

} // namespace ui
