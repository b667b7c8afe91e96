// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/cell_readout.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLine = 16;
constexpr int kTightLine = 13; ///< where the window is low
constexpr int kLines = MapModel::kFigureLines;
constexpr int kTitle = 17;
constexpr int kNote = 15;
constexpr int kHead = 2 * kTitle + 19;  ///< a line for each setting, and the note
constexpr int kShortHead = kTitle + 19; ///< both settings on one line, which may be cut
constexpr int kTightHead = 19;          ///< without the note
constexpr int kColumn = 70;             ///< of another run
constexpr int kLeastWithRecorded = 230; ///< narrower, there is none
constexpr int kLeastWithOwn = 300;

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

CellReadout::Lines CellReadout::lines() const
{
    const auto hasRoomFor = [&](int head) { return height() >= head + kLines * kTightLine; };
    const int head = hasRoomFor(kHead) ? kHead : hasRoomFor(kShortHead) ? kShortHead : kTightHead;
    const int line = std::clamp((height() - head) / kLines, kTightLine, kLine);
    return { head, line, told(static_cast<size_t>(std::max(0, (height() - head) / line))) };
}

std::vector<QString MapModel::Figure::*> CellReadout::columns(int head) const
{
    std::vector<QString MapModel::Figure::*> shown;
    const auto add = [&](QString MapModel::Figure::*column, int least) {
        if (head != kTightHead && width() >= least
            && std::ranges::any_of(m_figures, [&](const MapModel::Figure &each) { return !(each.*column).isEmpty(); }))
            shown.push_back(column);
    };
    add(&MapModel::Figure::recorded, kLeastWithRecorded);
    add(&MapModel::Figure::own, kLeastWithOwn);
    return shown;
}

bool CellReadout::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || m_titles.isEmpty())
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const Lines shown = lines();
    const int line = help->pos().y() < shown.head ? -1 : (help->pos().y() - shown.head) / shown.height;
    if (line < 0 || static_cast<size_t>(line) >= shown.figures.size()) {
        QToolTip::hideText();
        return true;
    }
    const MapModel::Figure &figure = shown.figures[static_cast<size_t>(line)];
    const QString beside = figure.recorded.isEmpty() ? QString()
                                                     : u"\n"_s
            + tr("recorded: the recorded run, computed by the same rules as the cells; usage may differ. What it lost "
                 "is "
                 "not in the record (–). as it is: the harness's own policy, replayed.");
    QToolTip::showText(help->globalPos(), toolTipText(figure.title + u": "_s + figure.meaning + beside), this,
        QRect(0, shown.head + line * shown.height, width(), shown.height));
    return true;
}

void CellReadout::paintHead(QPainter &painter, int head, int taken) const
{
    const auto elided
        = [&](const QString &text, int room) { return painter.fontMetrics().elidedText(text, Qt::ElideRight, room); };
    const Theme &theme = m_model.state().theme();
    painter.setFont(Theme::strongFont(12));
    painter.setPen(theme.text);
    int y = 0;
    for (const QString &title : head == kHead ? m_titles : QStringList(m_titles.join(u" · "_s))) {
        painter.drawText(QRect(0, y, width(), kTitle), Qt::AlignLeft | Qt::AlignVCenter, elided(title, width()));
        y += kTitle;
    }
    if (head == kTightHead)
        return;
    painter.setFont(Theme::textFont(11));
    painter.setPen(theme.secondary);
    painter.drawText(QRect(0, y, width(), kNote), Qt::AlignLeft | Qt::AlignVCenter, elided(m_note, width() - taken));
}

void CellReadout::paintFigure(QPainter &painter, const MapModel::Figure &figure, const QRect &row) const
{
    const Theme &theme = m_model.state().theme();
    painter.setFont(Theme::figureFont(11));
    QString value = figure.value;
    for (const QLatin1StringView unit : { " tokens"_L1, " bytes"_L1 }) {
        if (value.endsWith(unit))
            value.chop(unit.size()); // the title says what it counts, and digits stand below digits
    }
    painter.setPen(figure.isLoss ? theme.hot : theme.text);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, value);
    const int left = row.width() - 8 - painter.fontMetrics().horizontalAdvance(value);
    painter.setPen(theme.secondary);
    painter.setFont(Theme::textFont(11));
    painter.drawText(
        row, Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(figure.title, Qt::ElideRight, left));
}

void CellReadout::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_model.state().theme();
    painter.fillRect(rect(), theme.base);
    if (m_titles.isEmpty())
        return;
    const Lines shown = lines();
    const auto beside = columns(shown.head);
    const int taken = static_cast<int>(beside.size()) * kColumn;
    paintHead(painter, shown.head, taken);
    const auto columnAt = [&](size_t column, int y, int height) {
        return QRect(width() - taken + static_cast<int>(column) * kColumn, y, kColumn, height);
    };
    for (size_t column = 0; column < beside.size(); ++column) {
        const bool isOwn = beside[column] == &MapModel::Figure::own;
        painter.drawText(columnAt(column, shown.head - kNote - 4, kNote), Qt::AlignRight | Qt::AlignVCenter,
            isOwn ? tr("as it is") : tr("recorded"));
    }
    for (size_t i = 0; i < shown.figures.size(); ++i) {
        const QRect row(0, shown.head + static_cast<int>(i) * shown.height, width() - taken, shown.height);
        paintFigure(painter, shown.figures[i], row);
        painter.setFont(Theme::figureFont(11));
        for (size_t column = 0; column < beside.size(); ++column) {
            const QString &words = shown.figures[i].*beside[column];
            painter.drawText(columnAt(column, row.top(), row.height()), Qt::AlignRight | Qt::AlignVCenter,
                words.isEmpty() ? u"–"_s : words);
        }
    }
}

} // namespace ui
