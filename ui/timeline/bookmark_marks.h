// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <QCoreApplication>

#include <optional>

class QPainter;

namespace ui {

/// The ribbons of bookmarks in a timeline. Each stands on the axis at the first call that contained its message.
class BookmarkMarks final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    BookmarkMarks(const TimelineContent &content, const TimelineLayout &layout)
        : m_content(content)
        , m_layout(layout)
    {
    }

    /// The bookmark at a place, as an index of `TimelineContent::bookmarks`.
    [[nodiscard]] std::optional<size_t> at(QPointF position) const;
    /// The message and the note.
    [[nodiscard]] QString tip(size_t bookmark) const;
    /// Empty if it is out of sight.
    [[nodiscard]] QRectF placeOf(size_t bookmark) const;
    void paint(QPainter &painter) const;

private:
    const TimelineContent &m_content;
    const TimelineLayout &m_layout;
};

} // namespace ui
