// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/image_view.h"

#include "core/base/text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 12;
constexpr int kCaption = 22; ///< room for the words below the picture
constexpr double kMostZoom = 32;

} // namespace

ImageView::ImageView(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(120, 80);
}

void ImageView::setPicture(MessagePicture picture)
{
    m_picture = std::move(picture);
    if (m_size.isEmpty())
        m_size = size();
    fit();
    setAccessibleName(caption());
}

QString ImageView::caption() const
{
    const auto grouped
        = [](double number) { return QString::fromStdString(core::groupedNumber(static_cast<uint64_t>(number))); };
    return tr("%1 × %2 pixels · %3 · %4 bytes · shown at %5 %")
        .arg(grouped(fullSize().width()), grouped(fullSize().height()), m_picture.format.toUpper(),
            grouped(static_cast<double>(m_picture.bytes)))
        .arg(static_cast<int>(std::lround(zoom() * 100)));
}

void ImageView::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

QSizeF ImageView::fullSize() const { return m_picture.levels.empty() ? QSizeF() : m_picture.levels.front().size(); }

double ImageView::fittingZoom() const
{
    const QSizeF full = fullSize();
    const double width = std::max(1, m_size.width() - 2 * kMargin);
    const double height = std::max(1, m_size.height() - 2 * kMargin - kCaption);
    // Small pictures are not blown up.
    return full.isEmpty() ? 1.0 : std::min({ 1.0, width / full.width(), height / full.height() });
}

double ImageView::zoom() const { return m_zoom > 0 ? m_zoom : fittingZoom(); }

void ImageView::fit()
{
    m_zoom = 0;
    m_centre = QPointF(fullSize().width() / 2, fullSize().height() / 2);
    update();
}

void ImageView::zoomAt(double factor, QPointF position)
{
    const QRectF before = pictureRect();
    const QPointF pixel = (position - before.topLeft()) / zoom();
    m_zoom = std::clamp(zoom() * factor, std::min(0.02, fittingZoom()), kMostZoom);
    // The pixel under the pointer stays under it.
    const QPointF middle(m_size.width() / 2.0, (m_size.height() - kCaption) / 2.0);
    m_centre = pixel + (middle - position) / m_zoom;
    clampCentre();
    update();
}

void ImageView::clampCentre()
{
    const QSizeF full = fullSize();
    m_centre = { std::clamp(m_centre.x(), 0.0, full.width()), std::clamp(m_centre.y(), 0.0, full.height()) };
}

QRectF ImageView::pictureRect() const
{
    const double scale = zoom();
    const QSizeF shown = fullSize() * scale;
    const QPointF middle(m_size.width() / 2.0, (m_size.height() - kCaption) / 2.0);
    const QPointF topLeft = middle - m_centre * scale;
    return { QPointF(std::round(topLeft.x()), std::round(topLeft.y())), shown };
}

void ImageView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paint(painter, rect());
}

void ImageView::paint(QPainter &painter, const QRect &rect)
{
    m_size = rect.size();
    painter.save();
    painter.translate(rect.topLeft());
    painter.setClipRect(QRect(QPoint(), rect.size()));
    painter.fillRect(QRect(QPoint(), rect.size()), m_theme.base);
    if (!m_picture.levels.empty()) {
        const QRectF target = pictureRect();
        // The smallest level that still has a pixel for every pixel of the screen.
        const double needed = target.width() * painter.device()->devicePixelRatioF();
        const auto enough = std::ranges::find_if(m_picture.levels.rbegin(), m_picture.levels.rend(),
            [&](const QImage &level) { return level.width() >= needed; });
        const QImage &level = enough == m_picture.levels.rend() ? m_picture.levels.front() : *enough;
        painter.fillRect(target, m_theme.window); // transparent parts show the window's ground
        painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom() < 4);
        painter.drawImage(target, level);
        painter.setPen(m_theme.hairline);
        painter.drawRect(target.adjusted(-0.5, -0.5, 0.5, 0.5));

        const QRect below(kMargin, m_size.height() - kCaption - 2, m_size.width() - 2 * kMargin, kCaption);
        painter.fillRect(below.adjusted(-kMargin, 0, kMargin, 4), m_theme.base);
        painter.setPen(m_theme.secondary);
        painter.setFont(Theme::textFont(12));
        painter.drawText(
            below, Qt::AlignCenter, painter.fontMetrics().elidedText(caption(), Qt::ElideRight, below.width()));
    }
    painter.restore();
}

void ImageView::resizeEvent(QResizeEvent *) { m_size = size(); }

void ImageView::wheelEvent(QWheelEvent *event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) {
        event->ignore();
        return;
    }
    zoomAt(std::pow(1.0015, event->angleDelta().y()), event->position());
    event->accept();
}

void ImageView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragFrom = event->position();
    setCursor(Qt::ClosedHandCursor);
}

void ImageView::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & Qt::LeftButton) || m_zoom <= 0)
        return;
    m_centre -= (event->position() - m_dragFrom) / zoom();
    m_dragFrom = event->position();
    clampCentre();
    update();
}

void ImageView::mouseReleaseEvent(QMouseEvent *) { unsetCursor(); }

bool ImageView::panBy(int key)
{
    const double step = std::min(width(), height()) / 8.0 / zoom();
    if (key == Qt::Key_Left)
        m_centre.rx() -= step;
    else if (key == Qt::Key_Right)
        m_centre.rx() += step;
    else if (key == Qt::Key_Up)
        m_centre.ry() -= step;
    else if (key == Qt::Key_Down)
        m_centre.ry() += step;
    else
        return false;
    clampCentre();
    update();
    return true;
}

void ImageView::keyPressEvent(QKeyEvent *event)
{
    const QPointF middle = QRectF(rect()).center();
    const bool isFit = event->key() == Qt::Key_0;
    if (isFit)
        fit();
    else if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal)
        zoomAt(1.25, middle);
    else if (event->key() == Qt::Key_Minus)
        zoomAt(0.8, middle);
    else if (m_zoom <= 0 || !panBy(event->key()))
        QWidget::keyPressEvent(event);
}

} // namespace ui
