// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/bookmark_marks.h"

#include "core/session/slot_label.h"
#include "ui/hub/bookmarks.h"
#include "ui/look/bookmark_mark.h"

#include <QPainter>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kWidth = 8;
constexpr double kHeight = 12;

} // namespace

QRectF BookmarkMarks::placeOf(size_t bookmark) const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    const double x = m_layout.xOf(m_content.bookmarks()[bookmark].column);
    return x < plot.left || x > plot.right ? QRectF() : QRectF(x - kWidth / 2, plot.bottom - kHeight, kWidth, kHeight);
}

std::optional<size_t> BookmarkMarks::at(QPointF position) const
{
    for (size_t i = m_content.bookmarks().size(); i-- > 0;) {
        if (placeOf(i).adjusted(-2, -2, 2, 0).contains(position))
            return i;
    }
    return std::nullopt;
}

QString BookmarkMarks::tip(size_t bookmark) const
{
    const core::Session &session = *m_content.session();
    const core::BlockId id = m_content.bookmarks()[bookmark].block;
    const core::Block &block = session.block(id);
    const std::string note = m_content.state().workspace().bookmarks().noteOf(id);
    const QString message
        = tr("bookmark: #%1 %2").arg(block.message.value()).arg(displayText(core::labelOf(session, block).text()));
    return note.empty() ? message : message + u'\n' + displayText(note);
}

void BookmarkMarks::paint(QPainter &painter) const
{
    for (size_t i = 0; i < m_content.bookmarks().size(); ++i) {
        if (const QRectF place = placeOf(i); !place.isEmpty())
            paintBookmark(painter, m_content.theme(), place);
    }
}

} // namespace ui
