// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/focus_ring.h"

#include <QApplication>
#include <QPainter>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kThick = 2;

/// Only a border, so that what is below it is painted as without it.
class Frame final : public QWidget {
public:
    explicit Frame(QWidget *window)
        : QWidget(window)
    {
        setObjectName(u"focusRing"_s);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

protected:
    void paintEvent(QPaintEvent *) override { QPainter(this).fillRect(rect(), palette().color(QPalette::Accent)); }
    void resizeEvent(QResizeEvent *) override
    {
        setMask(QRegion(rect()) - QRegion(rect().adjusted(kThick, kThick, -kThick, -kThick)));
    }
};

/// Around the part of the widget that its ancestors do not cut off, in its window.
QRect placeInWindow(const QWidget &widget)
{
    QRect place = widget.rect();
    for (const QWidget *each = &widget; !each->isWindow(); each = each->parentWidget()) {
        place.translate(each->pos());
        place &= each->parentWidget()->rect();
    }
    return place.adjusted(-kThick, -kThick, kThick, kThick) & widget.window()->rect();
}

} // namespace

void FocusRing::install()
{
    static const QString kName = u"focusRingOfAll"_s;
    if (qApp->findChild<QObject *>(kName, Qt::FindDirectChildrenOnly) != nullptr)
        return;
    auto *ring = new FocusRing(qApp);
    ring->setObjectName(kName);
}

FocusRing::FocusRing(QObject *parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { follow(now); });
}

bool FocusRing::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
        m_isByKeys = true;
        break;
    case QEvent::MouseButtonPress:
        m_isByKeys = false;
        hide();
        break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide: {
        const auto *widget = qobject_cast<const QWidget *>(watched);
        if (m_frame && m_focus && widget != nullptr && (widget == m_focus || widget->isAncestorOf(m_focus)))
            place();
        break;
    }
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void FocusRing::follow(QWidget *focus)
{
    hide();
    const bool hasRing = focus != nullptr && m_isByKeys && !focus->isWindow()
        && focus->window()->windowType() != Qt::Popup && focus->window()->windowType() != Qt::ToolTip;
    if (!hasRing)
        return;
    m_focus = focus;
    m_frame = new Frame(focus->window());
    place();
}

void FocusRing::place()
{
    if (!m_focus->isVisible())
        return m_frame->hide();
    m_frame->setGeometry(placeInWindow(*m_focus));
    m_frame->raise();
    m_frame->show();
}

void FocusRing::hide()
{
    m_focus.clear();
    delete m_frame.data();
}

} // namespace ui
