// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/front_panel.h"

#include "ui/tuning/map/front_view.h"
#include "ui/tuning/settings/setting_choosers.h"
#include "ui/widgets/segmented_control.h"

#include <QGridLayout>
#include <QLabel>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kChooser = 164; ///< beside the front

} // namespace

FrontPanel::FrontPanel(MapModel &model, Choosers place, const QString &prefix, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_choosers { compactChooser(prefix + u"FrontUp"_s, tr("Vertical figure of the front"), this),
        compactChooser(prefix + u"FrontAcross"_s, tr("Horizontal figure of the front"), this) }
    , m_view(new FrontView(model, this))
{
    m_view->setObjectName(prefix + u"Front"_s);
    if (place == Choosers::Above)
        placeAbove();
    else
        placeBeside();
    for (QLabel *label : std::as_const(m_words))
        label->setFont(Theme::textFont(12));
    connectChoosers();
    connect(&model.state(), &ViewState::themeChanged, this, &FrontPanel::applyTheme);
    applyTheme();
}

void FrontPanel::placeAbove()
{
    m_words << new QLabel(u"×"_s, this);
    auto *row = new QHBoxLayout;
    row->setSpacing(5);
    row->addWidget(m_choosers[0], 1);
    row->addWidget(m_words.front());
    row->addWidget(m_choosers[1], 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_view, 1);
}

void FrontPanel::placeBeside()
{
    m_words << new QLabel(tr("up"), this) << new QLabel(tr("across"), this);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    for (int i = 0; i < m_words.size(); ++i) {
        SegmentedControl *chooser = m_choosers[static_cast<size_t>(i)];
        chooser->setFixedWidth(kChooser);
        grid->addWidget(m_words[i], i, 0);
        grid->addWidget(chooser, i, 1);
    }
    const int rest = static_cast<int>(m_words.size());
    grid->setRowStretch(rest, 1);
    grid->setColumnMinimumWidth(2, 6);
    grid->addWidget(m_view, 0, 3, rest + 1, 1);
    grid->setColumnStretch(3, 1);
}

void FrontPanel::connectChoosers()
{
    for (size_t which = 0; which < m_choosers.size(); ++which) {
        m_choosers[which]->setWords(MapModel::titles());
        connect(m_choosers[which], &SegmentedControl::chosen, this,
            [this, which](int index) { m_model.setFrontMetric(which, static_cast<core::SweepMetric>(index)); });
    }
    const auto showChosen = [this] {
        for (size_t which = 0; which < m_choosers.size(); ++which)
            m_choosers[which]->setCurrent(static_cast<int>(m_model.frontMetrics()[which]));
    };
    connect(&m_model, &MapModel::frontChanged, this, showChosen);
    showChosen();
}

void FrontPanel::applyTheme()
{
    const Theme &theme = m_model.state().theme();
    for (SegmentedControl *control : m_choosers)
        control->setTheme(theme);
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    for (QLabel *label : std::as_const(m_words))
        label->setPalette(quiet);
}

} // namespace ui
