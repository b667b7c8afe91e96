// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace ui {

/// A frame around the widget with the focus, whatever the widget draws itself. It is there while the keyboard moves the
/// focus and goes with the next click. One object serves all windows; it lives as long as the application.
class FocusRing final : public QObject {
public:
    /// Call it when a window is made; the second call does nothing.
    static void install();

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    explicit FocusRing(QObject *parent);

    void follow(QWidget *focus);
    void place();
    void hide();

    QPointer<QWidget> m_focus;
    QPointer<QWidget> m_frame; ///< a child of the window with the focus
    bool m_isByKeys = false;   ///< the last key was pressed after the last click
};

} // namespace ui
