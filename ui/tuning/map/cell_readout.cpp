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
constexpr int kHead = 36;
constexpr int kTightHead = 19; ///< without its note

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
    m_title = place ? m_model.words(*place) : QString();
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
    if (m_title.isEmpty())
        return;
    const auto elided
        = [&](const QString &text, int room) { return painter.fontMetrics().elidedText(text, Qt::ElideRight, room); };
    painter.setFont(Theme::strongFont(12));
    painter.setPen(theme.text);
    painter.drawText(QRect(0, 0, width(), 17), Qt::AlignLeft | Qt::AlignVCenter, elided(m_title, width()));
    const bool hasNote = height() >= kHead + kLines * kTightLine;
    if (hasNote) {
        painter.setFont(Theme::textFont(11));
        painter.setPen(theme.secondary);
        painter.drawText(QRect(0, 17, width(), 15), Qt::AlignLeft | Qt::AlignVCenter, elided(m_note, width()));
    }
    const int head = hasNote ? kHead : kTightHead;
    const int line = std::clamp((height() - head) / kLines, kTightLine, kLine);
    const std::vector<MapModel::Figure> figures = told(static_cast<size_t>(std::max(0, (height() - head) / line)));
    for (size_t i = 0; i < figures.size(); ++i) {
        const MapModel::Figure &figure = figures[i];
        const QRect row(0, head + static_cast<int>(i) * line, width(), line);
        painter.setFont(Theme::figureFont(11));
        const int value = painter.fontMetrics().horizontalAdvance(figure.value);
        painter.setPen(figure.isLoss ? theme.hot : theme.text);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, figure.value);
        painter.setFont(Theme::textFont(11));
        painter.setPen(theme.secondary);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, elided(figure.title, width() - value - 8));
    }
}

} // namespace ui
