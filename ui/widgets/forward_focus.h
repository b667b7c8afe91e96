// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QEvent>
#include <QFocusEvent>
#include <QWidget>

namespace ui {

/// Hands the focus of a widget on to one of its parts. With a focus proxy, Tab would pass over the parts before it.
class ForwardFocus final : public QObject {
public:
    ForwardFocus(QWidget *widget, QWidget *part)
        : QObject(widget)
        , m_part(part)
    {
        widget->installEventFilter(this);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::FocusIn)
            m_part->setFocus(static_cast<QFocusEvent *>(event)->reason());
        return QObject::eventFilter(watched, event);
    }

private:
    QWidget *m_part;
};

} // namespace ui
