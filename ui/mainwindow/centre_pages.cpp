// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/centre_pages.h"

#include "ui/edits/edits_page.h"
#include "ui/files/settings.h"
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
#include <array>
#include <string_view>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr QPoint kSwitchAt(14, 8); ///< the corner of the pages' heads
constexpr auto kSetting = "window/centre";
constexpr std::array<std::string_view, 3> kNames { "array", "edits", "tuning" }; ///< by page, in the settings

} // namespace

CentrePages::CentrePages(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_array(new ArrayPage(state, this))
    , m_edits(new EditsPage(state, this))
    , m_tuning(new TuningPages(state, this))
    , m_switch(new SegmentedControl({ tr("Array"), tr("Edits"), tr("Tuning") }, this))
    , m_pages(new QStackedLayout(this))
{
    m_switch->setObjectName(u"centreSwitch"_s);
    m_switch->setAccessibleName(tr("What the middle shows"));
    m_switch->resize(m_switch->sizeHint());
    m_switch->move(kSwitchAt);
    m_pages->setContentsMargins(0, 0, 0, 0);
    m_pages->addWidget(m_array);
    m_pages->addWidget(m_edits);
    m_pages->addWidget(m_tuning);
    m_array->setHeadRoom(m_switch->width());
    m_edits->setHeadRoom(m_switch->width());
    m_tuning->setHeadRoom(m_switch->width());
    connect(&m_tuning->sessionPage()->comparison(), &ComparisonView::differenceRequested, this,
        &CentrePages::showDifference);
    connect(m_switch, &SegmentedControl::chosen, this, [this](int index) { choose(static_cast<Page>(index)); });
    const auto applyTheme = [this, &state] { m_switch->setTheme(state.theme()); };
    connect(&state, &ViewState::themeChanged, this, applyTheme);
    applyTheme();
    const auto known = std::ranges::find(kNames, openSettings().value(kSetting).toString().toStdString());
    setPage(known == kNames.end() ? Page::Array : static_cast<Page>(known - kNames.begin()));
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

/// It is there only while it is shown. One of its own signals may have asked for this.
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
    openSettings().setValue(kSetting, displayText(kNames[static_cast<size_t>(page)]));
    switch (page) {
    case Page::Array:
        m_array->array().setFocus();
        break;
    case Page::Edits:
        m_edits->list()->setFocus();
        break;
    case Page::Tuning:
        m_tuning->focusMap();
        break;
    }
}

} // namespace ui
