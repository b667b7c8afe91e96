// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/window_style.h"

#include <QApplication>
#include <QMainWindow>
#include <QTabBar>
#include <QToolTip>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

QString windowStyleSheet(const Theme &theme)
{
    return u"QMainWindow::separator { background: %1; width: 1px; height: 1px; }"
           "QSplitter::handle { background: %1; }"
           "QToolTip { background: %6; color: %3; border: 1px solid %1; padding: 3px 6px; }"
           "QPushButton { background: %6; color: %3; border: 1px solid %1; border-radius: 5px; padding: 4px 12px; }"
           "QPushButton:hover { background: %4; } QPushButton:focus { border-color: %7; }"
           "QWidget#windowHead { background: %2; }"
           "QMenuBar { background: %2; color: %3; border: none; padding: 2px 6px; }"
           "QMenuBar::item { padding: 4px 10px; border-radius: 4px; background: transparent; }"
           "QMenuBar::item:selected { background: %4; }"
           "QStatusBar { background: %2; color: %5; border-top: 1px solid %1; }"
           "QStatusBar QLabel { color: %5; padding: 2px 10px; } QStatusBar::item { border: none; }"
           "QTabBar { background: %6; qproperty-drawBase: 0; }"
           "QScrollBar { background: transparent; border: none; }"
           "QScrollBar:vertical { width: 11px; } QScrollBar:horizontal { height: 11px; }"
           "QScrollBar::handle { background: %1; border: 2px solid %6; border-radius: 5px; }"
           "QScrollBar::handle:vertical { min-height: 24px; } QScrollBar::handle:horizontal { min-width: 24px; }"
           "QScrollBar::handle:hover { background: %5; }"
           "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
           "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
           "QAbstractScrollArea::corner { background: %6; border: none; }"
           "QTabBar::tab { background: %6; color: %5; padding: 7px 12px 5px 12px; border: none;"
           " border-bottom: 2px solid transparent; }"
           "QTabBar::tab:selected { color: %3; border-bottom: 2px solid %7; font-weight: 600; }"_s.arg(
               theme.hairline.name(), theme.window.name(), theme.text.name(), theme.accentGround.name(),
               theme.secondary.name(), theme.base.name(), theme.accent.name());
}

} // namespace

void applyWindowStyle(QMainWindow &window, const Theme &theme)
{
    // Dialogs, menus and tool tips are windows of their own: they take the colours of the application.
    QApplication::setPalette(theme.palette());
    QApplication::setFont(Theme::textFont(13));
    QToolTip::setPalette(theme.palette());
    QToolTip::setFont(Theme::textFont(12));
    window.setPalette(theme.palette());
    window.setFont(Theme::textFont(13));
    window.setStyleSheet(windowStyleSheet(theme));
    // The window makes the tabs of docks when these are tabified.
    const auto bars = window.findChildren<QTabBar *>(Qt::FindDirectChildrenOnly);
    for (QTabBar *bar : bars) {
        bar->setDrawBase(false);
        bar->setExpanding(false);
        bar->setElideMode(Qt::ElideNone); // a narrow window scrolls them: "C…" tells nobody what it is
        bar->setUsesScrollButtons(true);
    }
}

} // namespace ui
