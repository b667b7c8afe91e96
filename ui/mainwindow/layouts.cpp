// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/layouts.h"

#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/panel_docks.h"
#include "ui/policy/policy_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/session/tuning_page.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/widgets/segmented_control.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QSplitter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTimelineHeight = 200;
constexpr int kShortTimelineHeight = 136; ///< of a session with few calls
constexpr size_t kFewCalls = 20;
constexpr double kBottomShare = 0.27; ///< of the window's height: some rows of a table
constexpr int kLeastBottom = 170;
/// In a lower window the array keeps its height and the parts above and below shrink.
constexpr int kRoomyHeight = 1000;
constexpr int kLow = 600; ///< height of a window whose timeline is folded until the user unfolds it

/// The default of a layout.
struct Standard {
    CentrePages::Page page;
    Qt::DockWidgetAreas areas; ///< whose panels are visible
    bool isFolded;
};
constexpr std::array<Standard, CentrePages::kPageCount> kStandards { {
    { CentrePages::Page::Sessions, Qt::NoDockWidgetArea, false },
    { CentrePages::Page::Array, Qt::AllDockWidgetAreas, false },
    { CentrePages::Page::Tuning, Qt::RightDockWidgetArea, false },
    { CentrePages::Page::Edits, Qt::NoDockWidgetArea, true },
} };

const Standard &standardOf(CentrePages::Page page) { return kStandards[static_cast<size_t>(page)]; }

QString settingOf(const QString &layout, const QString &name) { return u"layout/"_s + layout + u'/' + name; }

} // namespace

Layouts::Layouts(ViewState &state, QMainWindow &window, QSplitter &splitter, TimelineView &timeline,
    CentrePages &centre, PanelDocks &panels)
    : QObject(&window)
    , m_state(state)
    , m_window(window)
    , m_splitter(splitter)
    , m_timeline(timeline)
    , m_centre(centre)
    , m_panels(panels)
    , m_switch(new SegmentedControl(CentrePages::titles(), &window))
    , m_page(centre.page())
{
    m_switch->setObjectName(u"layoutSwitch"_s);
    m_switch->setAccessibleName(tr("Layout"));
    m_panels.layOut(bottomHeight());
    m_allDocks = window.saveState();
    connect(m_switch, &SegmentedControl::chosen, this,
        [this](int index) { m_centre.choose(static_cast<CentrePages::Page>(index)); });
    connect(&centre, &CentrePages::pageChanged, this, &Layouts::follow);
    connect(centre.tuningPages(), &TuningPages::pageChanged, this, &Layouts::showTimeline);
    // One table says what the compared runs come to.
    connect(centre.tuningPages()->sessionPage(), &TuningPage::comparingChanged, &timeline,
        [&timeline](bool isComparing) { timeline.setShowsCompareTable(!isComparing); });
    connect(&timeline, &TimelineView::foldRequested, this, &Layouts::setTimelineFolded);
    connect(&timeline, &TimelineView::lanesHeightChanged, this, [this] {
        // The lanes have their room beside that of the curve.
        if (current().splitter.isEmpty() && m_state.session())
            setTimelineHeight();
    });
    connect(&splitter, &QSplitter::splitterMoved, this, [this] { current().splitter = m_splitter.saveState(); });
    connect(&state.workspace(), &Workspace::sessionChanged, this, [this](bool isNew) {
        if (isNew)
            showTimeline();
    });
    const auto applyTheme = [this] { m_switch->setTheme(m_state.theme()); };
    connect(&state, &ViewState::themeChanged, this, applyTheme);
    applyTheme();
    show();
}

void Layouts::addActions(ActionRegistry &actions, const QString &menu)
{
    m_centre.addActions(actions, menu);
    actions.addSeparator(menu);
    actions.addChoice(
        u"view.fold-timeline"_s, menu, tr("Fold the Timeline"), [this] { setTimelineFolded(!m_timeline.isFolded()); },
        [this] { return m_timeline.isFolded(); });
    actions.add(u"view.fill"_s, menu, tr("Fill the Window with This View, On or Off"), QKeySequence(Qt::Key_F11),
        [this] { toggleFilled(); });
    actions.add(u"view.default-layout"_s, menu, tr("Restore Default Layouts"), {}, [this] { restoreDefaults(); });
}

// --- settings -------------------------------------------------------------------------------------------------------

void Layouts::restore()
{
    const QSettings settings = openSettings();
    for (const Standard &standard : kStandards) {
        const QString name = CentrePages::nameOf(standard.page);
        Layout &layout = m_layouts[static_cast<size_t>(standard.page)];
        layout.docks = settings.value(settingOf(name, u"docks"_s)).toByteArray();
        layout.splitter = settings.value(settingOf(name, u"timeline"_s)).toByteArray();
        if (const QVariant isFolded = settings.value(settingOf(name, u"folded"_s)); isFolded.isValid())
            layout.isFolded = isFolded.toBool();
        m_isRestored = m_isRestored || !layout.docks.isEmpty();
    }
    show();
}

void Layouts::save()
{
    stopFilling();
    remember();
    QSettings settings = openSettings();
    for (const Standard &standard : kStandards) {
        const QString name = CentrePages::nameOf(standard.page);
        const Layout &layout = m_layouts[static_cast<size_t>(standard.page)];
        settings.setValue(settingOf(name, u"docks"_s), layout.docks);
        settings.setValue(settingOf(name, u"timeline"_s), layout.splitter);
        if (layout.isFolded)
            settings.setValue(settingOf(name, u"folded"_s), *layout.isFolded);
        else
            settings.remove(settingOf(name, u"folded"_s));
    }
}

void Layouts::restoreDefaults()
{
    stopFilling();
    m_layouts = {};
    show();
}

// --- the layout of a page -------------------------------------------------------------------------------------------

void Layouts::follow()
{
    const CentrePages::Page page = m_centre.page();
    if (page == m_page)
        return;
    stopFilling();
    remember();
    m_page = page;
    show();
}

void Layouts::remember()
{
    m_panels.showEmpty();
    current().docks = m_window.saveState();
    m_panels.hideEmpty();
}

void Layouts::show()
{
    m_switch->setCurrent(static_cast<int>(m_page));
    const QByteArray &docks = current().docks;
    m_panels.showEmpty();
    m_panels.showAreas(standardOf(m_page).areas); // for panels that the stored layout does not know
    if (docks.isEmpty() || !m_window.restoreState(docks))
        showDefaultDocks();
    else
        m_panels.placeUnknown(standardOf(m_page).areas);
    m_panels.hideEmpty();
    showTimeline();
}

void Layouts::showDefaultDocks()
{
    m_window.restoreState(m_allDocks);
    m_panels.showAreas(standardOf(m_page).areas);
    m_panels.layOut(bottomHeight());
}

void Layouts::showTimeline()
{
    const bool hasSession = m_state.session() != nullptr;
    const bool hasFolder = m_centre.tuningPages()->hasFolder();
    m_switch->setVisible(hasSession || hasFolder);
    m_switch->setOff(static_cast<int>(CentrePages::Page::Array), !hasSession);
    m_switch->setOff(static_cast<int>(CentrePages::Page::Edits), !hasSession);
    const bool isOfOthers = m_page == CentrePages::Page::Tuning && m_centre.tuningPages()->isOfOtherSessions();
    m_timeline.setVisible(hasSession && m_page != CentrePages::Page::Sessions && !isOfOthers);
    m_panels.panel<PolicyPanel>().setNamesSession(hasSession && isOfOthers);
    m_timeline.setFolded(isFolded());
    const bool hasOwnHeight = !m_timeline.isFolded() && !current().splitter.isEmpty();
    if (!hasOwnHeight || !m_splitter.restoreState(current().splitter))
        setTimelineHeight();
}

bool Layouts::isFolded() const
{
    // A low window has no room for the lanes and the array.
    const bool isLow = m_window.height() < kLow;
    const Layout &layout = m_layouts[static_cast<size_t>(m_page)];
    return layout.isFolded.value_or(standardOf(m_page).isFolded || isLow);
}

void Layouts::setTimelineFolded(bool isFolded)
{
    current().isFolded = isFolded;
    showTimeline();
}

void Layouts::setTimelineHeight()
{
    const bool isShort = m_state.session() && m_state.session()->threads.front().calls.size() < kFewCalls;
    const int curve = inThisHeight(isShort ? kShortTimelineHeight : kTimelineHeight);
    m_splitter.setSizes(
        { m_timeline.isFolded() ? TimelineMetrics::kFolded : curve + m_timeline.lanesHeight(), m_window.height() });
}

int Layouts::inThisHeight(int pixels) const
{
    return pixels * std::clamp(m_window.height(), kRoomyHeight * 6 / 10, kRoomyHeight) / kRoomyHeight;
}

int Layouts::bottomHeight() const
{
    return std::max(kLeastBottom, static_cast<int>(std::lround(kBottomShare * m_window.height())));
}

// --- one view alone -------------------------------------------------------------------------------------------------

void Layouts::toggleFilled()
{
    if (stopFilling())
        return;
    QWidget *focus = QApplication::focusWidget();
    const bool isTimeline = focus == &m_timeline;
    m_panels.showEmpty();
    const QByteArray before = m_window.saveState();
    const bool isPanel = m_panels.showOnlyPanelOf(focus);
    if (isPanel)
        m_splitter.hide();
    else if (isTimeline)
        m_centre.hide();
    else
        m_timeline.hide();
    m_unfilled = before;
    if (focus != nullptr)
        focus->setFocus(); // hiding its neighbours may have moved the focus
}

bool Layouts::stopFilling()
{
    if (!m_unfilled)
        return false;
    const QByteArray docks = *std::exchange(m_unfilled, std::nullopt);
    QWidget *focus = QApplication::focusWidget();
    m_splitter.show();
    m_centre.show();
    m_window.restoreState(docks);
    m_panels.hideEmpty();
    showTimeline();
    if (focus != nullptr)
        focus->setFocus();
    return true;
}

} // namespace ui
