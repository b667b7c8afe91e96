// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/panel_docks.h"

#include "ui/hub/actions.h"
#include "ui/mainwindow/panels.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLeftShare = 0.18; ///< of the window's width
constexpr int kLeftLeast = 232;
constexpr int kLeftMost = 420;
constexpr int kRightWidth = 290;

/// Gives the focus to the panel, or to the first part of it that takes it: the same key closes the panel then.
void takeFocus(Panel &panel)
{
    if (!panel.whyEmpty().isEmpty())
        return; // it is not shown
    panel.setFocus();
    if (panel.hasFocus() || panel.isAncestorOf(QApplication::focusWidget()))
        return;
    const auto parts = panel.findChildren<QWidget *>();
    const auto first = std::ranges::find_if(parts, [&panel](const QWidget *part) {
        return part->isVisibleTo(&panel) && part->isEnabled() && (part->focusPolicy() & Qt::TabFocus) != 0;
    });
    if (first != parts.end())
        (*first)->setFocus();
}

} // namespace

const std::vector<PanelKind> &panelKinds()
{
#define PALIMPSEST_CALL_PANEL(name) name(),
    static const std::vector<PanelKind> kKinds { PALIMPSEST_PANELS(PALIMPSEST_CALL_PANEL) };
#undef PALIMPSEST_CALL_PANEL
    return kKinds;
}

PanelDocks::PanelDocks(ViewState &state, QMainWindow &window)
    : QObject(&window)
    , m_window(window)
{
    window.setDockNestingEnabled(true);
    window.setAnimated(false); // nothing in the window moves by itself
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    window.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    window.setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    for (const PanelKind &kind : panelKinds())
        m_entries.push_back(makeEntry(kind, state));
    connect(&m_window, &QMainWindow::tabifiedDockWidgetActivated, this, [this](QDockWidget *dock) {
        const auto entry = std::ranges::find(m_entries, dock, &Entry::dock);
        if (entry != m_entries.end())
            takeFocus(*entry->panel);
    });
}

PanelDocks::Entry PanelDocks::makeEntry(const PanelKind &kind, ViewState &state)
{
    Panel *panel = kind.make(state, &m_window);
    auto *dock = new QDockWidget(kind.title, &m_window);
    dock->setObjectName(kind.name + u"Dock"_s);
    dock->setWidget(panel);
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    dock->setTitleBarWidget(new QWidget(dock)); // a tab or the panel itself shows the title
    QDockWidget *first = firstIn(kind.area);
    m_window.addDockWidget(kind.area, dock);
    if (first != nullptr)
        m_window.tabifyDockWidget(first, dock);
    connect(panel, &Panel::countChanged, dock, [dock, title = kind.title](size_t count) {
        dock->setWindowTitle(count > 0 ? u"%1 %2"_s.arg(title).arg(count) : title);
    });
    connect(panel, &Panel::partChanged, dock, [dock, title = kind.title](size_t part, size_t all) {
        dock->setWindowTitle(all > 0 ? tr("%1 %2 of %3 at the end").arg(title).arg(part).arg(all) : title);
    });
    connect(panel, &Panel::showInArrayRequested, this, &PanelDocks::showInArrayRequested);
    connect(panel, &Panel::showPanelRequested, this, [this](const QString &name) { raise(name); });
    connect(panel, &Panel::showEditRequested, this, &PanelDocks::showEditRequested);
    connect(panel, &Panel::emptinessChanged, dock, [this, panel, dock] { followEmptiness(*panel, *dock); });
    connect(dock, &QDockWidget::visibilityChanged, panel, &Panel::setInSight);
    return { kind, panel, dock };
}

QDockWidget *PanelDocks::firstIn(Qt::DockWidgetArea area) const
{
    const auto found = std::ranges::find(m_entries, area, [](const Entry &entry) { return entry.kind.area; });
    return found == m_entries.end() ? nullptr : found->dock;
}

QStringList PanelDocks::pictureNames()
{
    QStringList names;
    for (const PanelKind &kind : panelKinds())
        names << kind.name << kind.otherPictures;
    return names;
}

void PanelDocks::addActions(ActionRegistry &actions, const QString &menu)
{
    std::vector<Entry> byKey = m_entries;
    std::ranges::sort(byKey, {}, [](const Entry &entry) { return entry.kind.key; });
    for (const Entry &entry : byKey) {
        const bool hasKey = entry.kind.key != Qt::Key_unknown;
        actions.add(u"view."_s + entry.kind.name, menu, entry.kind.title,
            hasKey ? QKeySequence(Qt::CTRL | entry.kind.key) : QKeySequence(), [this, entry] { toggle(entry); });
    }
}

void PanelDocks::setRowActions(const QList<QAction *> &actions)
{
    for (const Entry &entry : m_entries)
        entry.panel->setRowActions(actions);
}

int PanelDocks::leftWidth(int windowWidth)
{
    return std::clamp(static_cast<int>(windowWidth * kLeftShare), kLeftLeast, kLeftMost);
}

void PanelDocks::followWidth(int before, int now)
{
    QDockWidget *dock = firstIn(Qt::LeftDockWidgetArea);
    if (dock != nullptr && dock->isVisible() && std::abs(dock->width() - leftWidth(before)) <= 1)
        m_window.resizeDocks({ dock }, { leftWidth(now) }, Qt::Horizontal);
}

void PanelDocks::layOut(int bottomHeight)
{
    QList<QDockWidget *> sides;
    QList<int> widths;
    for (const auto &[area, width] : { std::pair(Qt::LeftDockWidgetArea, leftWidth(m_window.width())),
             std::pair(Qt::RightDockWidgetArea, kRightWidth) }) {
        if (QDockWidget *dock = firstIn(area)) {
            sides << dock;
            widths << width;
        }
    }
    m_window.resizeDocks(sides, widths, Qt::Horizontal);
    if (QDockWidget *dock = firstIn(Qt::BottomDockWidgetArea)) {
        m_window.resizeDocks({ dock }, { bottomHeight }, Qt::Vertical);
        dock->raise();
    }
}

void PanelDocks::showAreas(Qt::DockWidgetAreas areas)
{
    for (const Entry &entry : m_entries)
        entry.dock->setVisible(areas.testFlag(entry.kind.area));
}

bool PanelDocks::showOnlyPanelOf(const QWidget *widget)
{
    bool isInOne = false;
    for (const Entry &entry : m_entries) {
        const bool isIts = widget != nullptr && entry.dock->isAncestorOf(widget);
        isInOne = isInOne || isIts;
        entry.dock->setVisible(isIts);
    }
    return isInOne;
}

void PanelDocks::placeUnknown(Qt::DockWidgetAreas visible)
{
    for (const Entry &entry : m_entries) {
        if (m_window.dockWidgetArea(entry.dock) != Qt::NoDockWidgetArea)
            continue;
        m_window.addDockWidget(entry.kind.area, entry.dock);
        if (QDockWidget *first = firstIn(entry.kind.area); first != entry.dock)
            m_window.tabifyDockWidget(first, entry.dock);
        entry.dock->setVisible(visible.testFlag(entry.kind.area));
    }
}

void PanelDocks::hideEmpty()
{
    m_isApplying = false;
    for (const Entry &entry : m_entries)
        followEmptiness(*entry.panel, *entry.dock);
}

void PanelDocks::showEmpty()
{
    m_isApplying = true; // a panel that is shown may say again that it is empty
    for (QDockWidget *dock : std::exchange(m_emptied, {}))
        dock->show();
}

void PanelDocks::followEmptiness(const Panel &panel, QDockWidget &dock)
{
    if (m_isApplying)
        return;
    const bool isEmpty = !panel.whyEmpty().isEmpty();
    if (isEmpty && !dock.isHidden()) {
        m_emptied.push_back(&dock);
        dock.hide();
    } else if (!isEmpty && std::erase(m_emptied, &dock) > 0) {
        dock.show();
    }
}

const PanelDocks::Entry &PanelDocks::entryOf(const QString &name) const
{
    return *std::ranges::find(m_entries, name, [](const Entry &entry) { return entry.kind.name; });
}

void PanelDocks::raise(const Panel &panel)
{
    if (const QString why = panel.whyEmpty(); !why.isEmpty())
        return Q_EMIT said(why);
    const auto found = std::ranges::find(m_entries, &panel, [](const Entry &entry) { return entry.panel; });
    found->dock->show();
    found->dock->raise();
}

void PanelDocks::raise(const QString &name) { raise(*entryOf(name).panel); }

void PanelDocks::focus(const QString &name)
{
    raise(name);
    takeFocus(*entryOf(name).panel);
}

void PanelDocks::toggle(const Entry &entry)
{
    // A dock behind the tab of another is visible, too: the window moves it out of its area.
    const bool isInSight = entry.dock->isVisible() && m_window.rect().intersects(entry.dock->geometry());
    const QWidget *focus = QApplication::focusWidget();
    if (isInSight && (entry.panel == focus || entry.panel->isAncestorOf(focus))) {
        entry.dock->hide();
        return;
    }
    raise(*entry.panel);
    takeFocus(*entry.panel);
}

bool PanelDocks::takePicture(const QString &name, const std::function<void(QWidget *)> &take)
{
    const auto found = std::ranges::find_if(m_entries,
        [&](const Entry &entry) { return entry.kind.name == name || entry.kind.otherPictures.contains(name); });
    if (found == m_entries.end())
        return false;
    const bool isEmptied = std::ranges::contains(m_emptied, found->dock);
    if (isEmptied)
        found->dock->show();
    found->dock->raise();
    found->panel->showForPicture(name);
    QApplication::sendPostedEvents();
    found->panel->waitForContent();
    take(found->panel);
    found->panel->showForPicture(found->kind.name);
    if (isEmptied && std::ranges::contains(m_emptied, found->dock)) // its content may have come
        found->dock->hide();
    if (QDockWidget *first = firstIn(found->kind.area))
        first->raise();
    return true;
}

} // namespace ui
