// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/cell_readout.h"

#include <QPainter>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLine = 16;
constexpr int kTightLine = 13; ///< where the window is low
constexpr int kLines = MapModel::kFigureLines;
constexpr int kTitle = 17;
constexpr int kHead = 2 * kTitle + 19;  ///< a line for each setting, and the note
constexpr int kShortHead = kTitle + 19; ///< both settings on one line, which may be cut
constexpr int kTightHead = 19;          ///< without the note
constexpr int kRecorded = 54;           ///< the column of the recorded run
constexpr int kLeastWithRecorded = 230; ///< narrower, there is none

} // namespace

CellReadout::CellReadout(MapModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setObjectName(u"tuningReadout"_s);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    connect(&model, &MapModel::mapChanged, this, &CellReadout::refresh);
    connect(&model, &MapModel::hoverChanged, this, &CellReadout::refresh);
    connect(&model, &MapModel::markerChanged, this, &CellReadout::refresh);
    connect(&model.state(), &ViewState::themeChanged, this, qOverload<>(&QWidget::update));
}

QSize CellReadout::sizeHint() const { return { 240, kHead + kLines * kLine + 4 }; }

QSize CellReadout::minimumSizeHint() const { return { 160, kTightHead + kLines * kTightLine }; }

void CellReadout::refresh()
{
    const auto place = m_model.map().isEmpty() ? std::nullopt : m_model.readPlace();
    const core::SweepFigures *figures = place ? m_model.readFigures() : nullptr;
    m_figures = figures != nullptr ? m_model.linesOf(*figures) : std::vector<MapModel::Figure>();
    m_titles = place ? m_model.settingsAt(*place) : QStringList();
    m_note = m_model.readNote();
    setAccessibleName(place ? m_model.spoken(*place, figures) : QString());
    update();
}

std::vector<MapModel::Figure> CellReadout::told(size_t room) const
{
    auto losses = static_cast<size_t>(std::ranges::count_if(m_figures, &MapModel::Figure::isLoss));
    std::vector<MapModel::Figure> figures;
    for (const MapModel::Figure &figure : m_figures) {
        if (figure.isLoss)
            --losses;
        else if (figures.size() + losses >= room)
            continue;
        if (figures.size() < room)
            figures.push_back(figure);
    }
    return figures;
}

void CellReadout::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_model.state().theme();
    painter.fillRect(rect(), theme.base);
    if (m_titles.isEmpty())
        return;
    const auto elided
        = [&](const QString &text, int room) { return painter.fontMetrics().elidedText(text, Qt::ElideRight, room); };
    painter.setFont(Theme::strongFont(12));
    painter.setPen(theme.text);
    const auto hasRoomFor = [&](int head) { return height() >= head + kLines * kTightLine; };
    const int head = hasRoomFor(kHead) ? kHead : hasRoomFor(kShortHead) ? kShortHead : kTightHead;
    int y = 0;
    for (const QString &title : head == kHead ? m_titles : QStringList(m_titles.join(u" · "_s))) {
        painter.drawText(QRect(0, y, width(), kTitle), Qt::AlignLeft | Qt::AlignVCenter, elided(title, width()));
        y += kTitle;
    }
    const bool isCompared = head != kTightHead && width() >= kLeastWithRecorded
        && std::ranges::any_of(m_figures, [](const MapModel::Figure &each) { return !each.recorded.isEmpty(); });
    const int column = isCompared ? kRecorded : 0;
    if (head != kTightHead) {
        painter.setFont(Theme::textFont(11));
        painter.setPen(theme.secondary);
        const QRect row(0, y, width(), 15);
        const int title = painter.fontMetrics().horizontalAdvance(tr("recorded")) + 8;
        const int taken = isCompared ? std::max(column, title) : 0;
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, elided(m_note, width() - taken));
        if (isCompared)
            painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, tr("recorded"));
    }
    const int line = std::clamp((height() - head) / kLines, kTightLine, kLine);
    const std::vector<MapModel::Figure> figures = told(static_cast<size_t>(std::max(0, (height() - head) / line)));
    for (size_t i = 0; i < figures.size(); ++i) {
        const MapModel::Figure &figure = figures[i];
        const QRect row(0, head + static_cast<int>(i) * line, width(), line);
        const int room = width() - column - 8;
        const int title = QFontMetrics(Theme::textFont(11)).horizontalAdvance(figure.title);
        painter.setFont(Theme::figureFont(11));
        QString value = figure.value;
        if (title + painter.fontMetrics().horizontalAdvance(value) > room)
            value = value.section(u' ', 0, 0); // the title says what it counts
        painter.setPen(figure.isLoss ? theme.hot : theme.text);
        painter.drawText(row.adjusted(0, 0, -column, 0), Qt::AlignRight | Qt::AlignVCenter, value);
        const int left = room - painter.fontMetrics().horizontalAdvance(value);
        painter.setPen(theme.secondary);
        if (isCompared)
            painter.drawText(
                row, Qt::AlignRight | Qt::AlignVCenter, figure.recorded.isEmpty() ? u"–"_s : figure.recorded);
        painter.setFont(Theme::textFont(11));
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, elided(figure.title, left));
    }
}

} // namespace ui
