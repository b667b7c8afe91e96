// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/centre_pages.h"

#include "ui/edits/edits_page.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/difference_page.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/session/comparison_view.h"
#include "ui/tuning/session/tuning_page.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/widgets/segmented_control.h"

#include <QStackedLayout>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr QPoint kSwitchAt(14, 8); ///< the corner of the pages' heads
constexpr auto kSetting = "window/centre";

} // namespace

CentrePages::CentrePages(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_array(new ArrayPage(state, this))
    , m_edits(new EditsPage(state, this))
    , m_tuning(new TuningPages(state, this))
    , m_switch(new SegmentedControl({}, this))
    , m_pages(new QStackedLayout(this))
    , m_rows {
        { u"array"_s, tr("Array"), Qt::Key_1, m_array, [this](int width) { m_array->setHeadRoom(width); },
            [this] { m_array->array().setFocus(); } },
        { u"edits"_s, tr("Edits"), Qt::Key_2, m_edits, [this](int width) { m_edits->setHeadRoom(width); },
            [this] { m_edits->list()->setFocus(); } },
        { u"tuning"_s, tr("Tuning"), Qt::Key_3, m_tuning, [this](int width) { m_tuning->setHeadRoom(width); },
            [this] { m_tuning->focusMap(); } },
    }
{
    QStringList titles;
    for (const Row &row : m_rows)
        titles << row.title;
    m_switch->setWords(titles);
    m_switch->setObjectName(u"centreSwitch"_s);
    m_switch->setAccessibleName(tr("Page"));
    m_switch->resize(m_switch->sizeHint());
    m_switch->move(kSwitchAt);
    m_pages->setContentsMargins(0, 0, 0, 0);
    for (const Row &row : m_rows) {
        m_pages->addWidget(row.page);
        row.setHeadRoom(m_switch->width());
    }
    connect(&m_tuning->sessionPage()->comparison(), &ComparisonView::differenceRequested, this,
        &CentrePages::showDifference);
    connect(m_switch, &SegmentedControl::chosen, this, [this](int index) { choose(static_cast<Page>(index)); });
    const auto applyTheme = [this, &state] { m_switch->setTheme(state.theme()); };
    connect(&state, &ViewState::themeChanged, this, applyTheme);
    applyTheme();
    const auto known = std::ranges::find(m_rows, openSettings().value(kSetting).toString(), &Row::name);
    setPage(known == m_rows.end() ? Page::Array : static_cast<Page>(known - m_rows.begin()));
}

void CentrePages::addActions(ActionRegistry &actions, const QString &menu)
{
    for (size_t i = 0; i < m_rows.size(); ++i)
        actions.add(u"view."_s + m_rows[i].name, menu, m_rows[i].title,
            QKeySequence(Qt::CTRL | Qt::SHIFT | m_rows[i].key), [this, i] { choose(static_cast<Page>(i)); });
}

CentrePages::Page CentrePages::page() const
{
    return m_difference != nullptr ? Page::Tuning : static_cast<Page>(m_pages->currentIndex());
}

void CentrePages::setPage(Page page)
{
    m_pages->setCurrentIndex(static_cast<int>(page));
    dropDifference();
    m_switch->setCurrent(static_cast<int>(page));
    m_switch->raise();
    Q_EMIT pageChanged();
}

void CentrePages::showDifference(const ComparedArray &before, const ComparedArray &after)
{
    setPage(Page::Tuning);
    m_difference = new DifferencePage(m_state, this);
    m_difference->setHeadRoom(m_switch->width());
    connect(m_difference, &DifferencePage::closeRequested, this, &CentrePages::closeDifference);
    m_pages->addWidget(m_difference);
    m_pages->setCurrentWidget(m_difference);
    m_switch->raise();
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
    setPage(page);
    const Row &row = m_rows[static_cast<size_t>(page)];
    openSettings().setValue(kSetting, row.name);
    row.takeFocus();
}

} // namespace ui
