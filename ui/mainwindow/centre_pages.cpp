// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/centre_pages.h"

#include "ui/edits/edits_page.h"
#include "ui/hub/actions.h"
#include "ui/hub/search_line.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/difference_page.h"
#include "ui/mainwindow/empty_page.h"
#include "ui/sessions/sessions_page.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/session/comparison_view.h"
#include "ui/tuning/session/tuning_page.h"
#include "ui/tuning/tuning_pages.h"

#include <QLabel>
#include <QStackedLayout>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

struct PageNames {
    QLatin1StringView name;
    const char *title;
    Qt::Key key; ///< with Ctrl+Shift it shows the page
};
constexpr std::array<PageNames, CentrePages::kPageCount> kNames { {
    { "sessions"_L1, QT_TRANSLATE_NOOP("ui::CentrePages", "Sessions"), Qt::Key_1 },
    { "debug"_L1, QT_TRANSLATE_NOOP("ui::CentrePages", "Debug"), Qt::Key_2 },
    { "tune"_L1, QT_TRANSLATE_NOOP("ui::CentrePages", "Tune"), Qt::Key_3 },
    { "edits"_L1, QT_TRANSLATE_NOOP("ui::CentrePages", "Edits"), Qt::Key_4 },
} };

} // namespace

CentrePages::CentrePages(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_sessions(new SessionsPage(this))
    , m_empty(new EmptyPage(this))
    , m_reading(new QLabel(this))
    , m_firstPages(new QStackedLayout)
    , m_array(new ArrayPage(state, this))
    , m_edits(new EditsPage(state, this))
    , m_tuning(new TuningPages(state, this))
    , m_pages(new QStackedLayout(this))
{
    m_pages->setContentsMargins(0, 0, 0, 0);
    auto *first = new QWidget(this);
    m_firstPages->setContentsMargins(0, 0, 0, 0);
    first->setLayout(m_firstPages);
    m_firstPages->addWidget(m_sessions);
    m_firstPages->addWidget(m_empty);
    m_reading->setObjectName(u"reading"_s);
    m_reading->setTextFormat(Qt::PlainText);
    m_reading->setAlignment(Qt::AlignCenter);
    m_reading->setAutoFillBackground(true);
    m_reading->setFont(Theme::textFont(15));
    m_firstPages->addWidget(m_reading);
    for (QWidget *page :
        { first, static_cast<QWidget *>(m_array), static_cast<QWidget *>(m_tuning), static_cast<QWidget *>(m_edits) })
        m_pages->addWidget(page);
    connect(&m_tuning->sessionPage()->comparison(), &ComparisonView::differenceRequested, this,
        &CentrePages::showDifference);
    connect(m_sessions, &SessionsPage::hasSessionsChanged, this, &CentrePages::showFirstPage);
    connect(&m_sessions->library(), &SessionLibrary::stageChanged, this, &CentrePages::showFirstPage);
    connect(&state.workspace(), &Workspace::loadingChanged, this, &CentrePages::showFirstPage);
    showFirstPage();
    const auto applyTheme = [this, &state] {
        m_sessions->setTheme(state.theme());
        m_empty->setTheme(state.theme());
        QPalette palette = state.theme().palette();
        palette.setColor(QPalette::Window, state.theme().base);
        palette.setColor(QPalette::WindowText, state.theme().secondary);
        m_reading->setPalette(palette);
    };
    connect(&state, &ViewState::themeChanged, this, applyTheme);
    applyTheme();
    if (state.session())
        showSession();
}

QStringList CentrePages::titles()
{
    QStringList titles;
    for (const PageNames &names : kNames)
        titles << tr(names.title);
    return titles;
}

QString CentrePages::nameOf(Page page) { return kNames[static_cast<size_t>(page)].name; }

void CentrePages::addActions(ActionRegistry &actions, const QString &menu)
{
    for (size_t i = 0; i < kPageCount; ++i)
        actions.add(u"view."_s + kNames[i].name, menu, tr(kNames[i].title),
            QKeySequence(Qt::CTRL | Qt::SHIFT | kNames[i].key), [this, i] { choose(static_cast<Page>(i)); });
}

CentrePages::Page CentrePages::page() const
{
    return m_difference != nullptr ? Page::Tuning : static_cast<Page>(m_pages->currentIndex());
}

void CentrePages::setPage(Page page)
{
    m_pages->setCurrentIndex(static_cast<int>(page));
    dropDifference();
    Q_EMIT pageChanged();
}

void CentrePages::showSession()
{
    if (page() == Page::Sessions)
        setPage(Page::Array);
}

void CentrePages::showDifference(const ComparedArray &before, const ComparedArray &after)
{
    setPage(Page::Tuning);
    m_difference = new DifferencePage(m_state, this);
    connect(m_difference, &DifferencePage::closeRequested, this, &CentrePages::closeDifference);
    m_pages->addWidget(m_difference);
    m_pages->setCurrentWidget(m_difference);
    m_difference->compare(before, after);
    m_difference->array().setFocus();
    Q_EMIT pageChanged();
}

bool CentrePages::closeDifference()
{
    if (m_difference == nullptr)
        return false;
    setPage(Page::Tuning);
    m_tuning->sessionPage()->comparison().setFocus();
    return true;
}

/// The page exists only while it is shown. One of its own signals may request its deletion.
void CentrePages::dropDifference()
{
    if (m_difference == nullptr)
        return;
    m_pages->removeWidget(m_difference);
    m_difference->hide();
    std::exchange(m_difference, nullptr)->deleteLater();
}

void CentrePages::choose(Page page)
{
    const bool hasContent
        = page == Page::Sessions || m_state.session() || (page == Page::Tuning && m_tuning->hasFolder());
    if (!hasContent)
        return;
    setPage(page);
    if (page == Page::Sessions) {
        m_empty->refresh();
        m_sessions->library().refresh();
    }
    takeFocus(page);
}

bool CentrePages::focusSearch()
{
    if (page() != Page::Sessions || m_firstPages->currentWidget() != m_sessions)
        return false;
    m_sessions->searchLine().setFocus();
    m_sessions->searchLine().selectAll();
    return true;
}

void CentrePages::showFirstPage()
{
    const Workspace &workspace = m_state.workspace();
    if (workspace.isLoading() && !workspace.session()) {
        m_reading->setText(tr("Reading %1…").arg(displayText(workspace.path().filename().string())));
        return m_firstPages->setCurrentWidget(m_reading);
    }
    const bool isEmpty = !m_sessions->hasSessions() && m_sessions->library().stage() == SessionLibrary::Stage::Done;
    m_firstPages->setCurrentWidget(isEmpty ? static_cast<QWidget *>(m_empty) : m_sessions);
}

void CentrePages::takeFocus(Page page)
{
    switch (page) {
    case Page::Sessions:
        return m_firstPages->currentWidget()->setFocus();
    case Page::Array:
        return m_array->array().setFocus();
    case Page::Tuning:
        return m_tuning->focusMap();
    case Page::Edits:
        return m_edits->list()->setFocus();
    }
}

} // namespace ui
