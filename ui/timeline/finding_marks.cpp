// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/finding_marks.h"

#include "ui/look/shaped_words.h"

#include <QPainter>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMarkRadius = 3.5;
constexpr double kReach = 7;      ///< half the height and width in which the pointer meets a dot
constexpr size_t kMostCount = 99; ///< that has room beside a dot
constexpr size_t kMostTold = 5;   ///< findings in a tool tip

QString countText(size_t count)
{
    return count > kMostCount ? u"%1+"_s.arg(kMostCount) : count > 1 ? QString::number(count) : QString();
}

} // namespace

QRectF FindingMarks::placeOf(const FindingTrack::Group &group) const
{
    const double right = group.count() > 1 ? FindingTrack::kRoom - kReach : kReach;
    return { group.x - kReach, m_layout.plot().top - m_layout.plot().findingRow, kReach + right, 2 * kReach };
}

std::optional<FindingTrack::Group> FindingMarks::at(QPointF position) const
{
    for (const FindingTrack::Group &group : m_content.findingTrack().groups(m_layout)) {
        if (placeOf(group).contains(position))
            return group;
    }
    return std::nullopt;
}

QRect FindingMarks::rectOf(size_t place) const
{
    for (const FindingTrack::Group &group : m_content.findingTrack().groups(m_layout)) {
        if (group.first <= place && place < group.end)
            return placeOf(group).toAlignedRect();
    }
    return {};
}

QString FindingMarks::tip(const FindingTrack::Group &group) const
{
    QStringList lines;
    const std::vector<size_t> findings = m_content.findingTrack().findingsOf(group);
    for (size_t i = 0; i < std::min(findings.size(), kMostTold); ++i)
        lines << displayText(m_content.findings()->findings[findings[i]].what);
    if (findings.size() > kMostTold)
        lines << tr("and %n more", nullptr, static_cast<int>(findings.size() - kMostTold));
    return lines.join(u'\n');
}

QString FindingMarks::nameOf(const TimelineContent &content, size_t place)
{
    const FindingTrack &track = content.findingTrack();
    return tr("finding, %1: %2")
        .arg(content.nameOf(track.columnOf(place)),
            displayText(content.findings()->findings[track.findingOf(place)].what));
}

void FindingMarks::paint(QPainter &painter) const
{
    const Theme &theme = m_content.theme();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::textFont(10));
    for (const FindingTrack::Group &group : m_content.findingTrack().groups(m_layout)) {
        const QRectF place = placeOf(group);
        painter.setPen(QPen(theme.base, 1.5));
        painter.setBrush(group.isLost ? theme.hot : theme.of(core::Material::Summary));
        painter.drawEllipse(QPointF(group.x, place.center().y()), kMarkRadius + 0.75, kMarkRadius + 0.75);
        painter.setPen(theme.secondary);
        drawWords(painter, place.adjusted(kReach + kMarkRadius + 2, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter,
            countText(group.count()));
    }
    painter.restore();
}

} // namespace ui
