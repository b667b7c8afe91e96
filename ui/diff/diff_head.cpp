// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/diff/diff_head.h"

#include "ui/text/text_surface.h"
#include "ui/widgets/segmented_control.h"

#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeadGap = 8;
constexpr int kRoomForTitle = 160;
constexpr int kTitleLeft = static_cast<int>(TextSurface::kLeftPadding);

} // namespace

DiffHead::DiffHead(QWidget *parent)
    : QWidget(parent)
    , m_status(new QLabel(this))
    , m_previous(makeButton(u"previousDifference"_s, Qt::UpArrow, tr("Previous difference (Alt+Up)"), -1))
    , m_next(makeButton(u"nextDifference"_s, Qt::DownArrow, tr("Next difference (Alt+Down)"), 1))
    , m_modes(new SegmentedControl({ tr("Side by Side"), tr("Unified") }, this))
{
    m_status->setObjectName(u"diffStatus"_s);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setFont(Theme::textFont(12));
    m_modes->setObjectName(u"diffMode"_s);
    connect(m_modes, &SegmentedControl::chosen, this,
        [this](int index) { Q_EMIT modeChosen(static_cast<DiffMode>(index)); });
}

QToolButton *DiffHead::makeButton(const QString &name, Qt::ArrowType arrow, const QString &tip, int direction)
{
    auto *button = new QToolButton(this);
    button->setObjectName(name);
    button->setArrowType(arrow);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setToolTip(tip);
    button->setAccessibleName(tip.section(u" ("_s, 0, 0));
    button->setFixedSize(22, 22);
    connect(button, &QToolButton::clicked, this, [this, direction] { Q_EMIT stepRequested(direction); });
    return button;
}

void DiffHead::setTitles(std::array<QString, 2> titles)
{
    m_titles = std::move(titles);
    m_file.clear(); // until the new texts are laid out
    update();
}

void DiffHead::setFile(const QString &file)
{
    if (file == m_file)
        return;
    m_file = file;
    update();
}

void DiffHead::setChosenMode(DiffMode mode) { m_modes->setCurrent(static_cast<int>(mode)); }

void DiffHead::setState(State state)
{
    m_state = std::move(state);
    m_previous->setVisible(m_state.hasDifferences);
    m_next->setVisible(m_state.hasDifferences);
    m_modes->setVisible(m_state.hasModes);
    layOut();
    update();
}

void DiffHead::layOut()
{
    int right = width() - kHeadGap;
    const auto placeRight = [&](QWidget *widget, QSize size, int gap) {
        right -= size.width();
        widget->setGeometry(QRect(QPoint(right, (kHeight - size.height()) / 2), size));
        right -= gap;
    };
    if (m_state.hasModes)
        placeRight(m_modes, m_modes->sizeHint(), kHeadGap);
    if (m_state.hasDifferences) {
        placeRight(m_next, m_next->size(), 0);
        placeRight(m_previous, m_previous->size(), 4);
    }
    const QFontMetrics metrics(Theme::textFont(12));
    const auto roomFor
        = [&](const QString &title) { return std::min(metrics.horizontalAdvance(title), kRoomForTitle); };
    const int titleEnd = m_state.mode == DiffMode::Unified
        ? 2 * (kTitleLeft + 2 * kHeadGap + std::max(roomFor(m_titles[0]), roomFor(m_titles[1])))
        : width() / 2 + kTitleLeft + roomFor(m_titles[1]);
    const bool fits = right - metrics.horizontalAdvance(m_state.status) - 2 * kHeadGap >= titleEnd;
    m_status->setText(fits ? m_state.status : m_state.shortStatus);
    m_status->setToolTip(fits ? QString() : m_state.status);
    placeRight(m_status, QSize(m_status->sizeHint().width(), kHeight), kHeadGap);
}

std::array<QRect, 2> DiffHead::titleRects() const
{
    const int bare = m_state.hasModes ? m_modes->x() : width();
    const int end = (m_status->text().isEmpty() ? bare : m_status->x()) - kHeadGap;
    const bool isUnified = m_state.mode == DiffMode::Unified;
    const int middle = isUnified ? end / 2 : m_state.newTextAt;
    const QRect left(kTitleLeft, 0, std::max(0, std::min(middle, end) - kTitleLeft - kHeadGap), kHeight);
    const int start = middle + (isUnified ? 0 : kTitleLeft);
    return { left, QRect(start, 0, std::max(0, end - start), kHeight) };
}

void DiffHead::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.base);
    painter.setFont(Theme::textFont(12));
    const QFontMetrics metrics(painter.font());
    auto rects = titleRects();
    auto words = m_titles;
    if (!m_file.isEmpty()) { // its end tells most
        const QString file = metrics.elidedText(m_file, Qt::ElideLeft, rects[0].width());
        painter.setPen(m_theme.text);
        painter.drawText(rects[0], Qt::AlignLeft | Qt::AlignVCenter, file);
        rects[0].setLeft(std::min(rects[0].right(), rects[0].left() + metrics.horizontalAdvance(file) + kHeadGap));
    }
    if (m_state.mode == DiffMode::Unified) {
        words[0].prepend(u"\u2212 "_s);
        words[1].prepend(u"+ "_s);
    }
    painter.setPen(m_theme.secondary);
    for (size_t i = 0; i < rects.size(); ++i)
        painter.drawText(
            rects[i], Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(words[i], Qt::ElideRight, rects[i].width()));
}

void DiffHead::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_modes->setTheme(theme);
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    quiet.setColor(QPalette::Window, theme.base);
    m_status->setPalette(quiet);
    update();
}

/// The tool tip of a title that does not fit.
bool DiffHead::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto rects = titleRects();
    const QFontMetrics metrics(Theme::textFont(12));
    for (size_t i = 0; i < rects.size(); ++i) {
        if (rects[i].contains(help->pos()) && metrics.horizontalAdvance(m_titles[i]) > rects[i].width()) {
            QToolTip::showText(help->globalPos(), m_titles[i].toHtmlEscaped(), this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

} // namespace ui
