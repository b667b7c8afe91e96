// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/array_page.h"

#include <QHBoxLayout>
#include <QLabel>

namespace ui {

using namespace Qt::StringLiterals;

ArrayPage::ArrayPage(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_array(new ArrayView(state, this))
    , m_mode(new SegmentedControl({ tr("Slots"), tr("Bars"), tr("Heaviest First") }, this))
    , m_unit(new SegmentedControl({ tr("Tokens"), tr("Characters"), tr("Bytes") }, this))
    , m_colour(new SegmentedControl({ tr("Material"), tr("Role"), tr("Age") }, this))
    , m_title(new QLabel(tr("Array"), this))
{
    m_mode->setObjectName(u"arrayMode"_s);
    m_unit->setObjectName(u"weightUnit"_s);
    m_colour->setObjectName(u"colourBy"_s);
    m_title->setFont(Theme::strongFont(13));
    auto *row = new QHBoxLayout;
    row->setContentsMargins(14, 8, 14, 0);
    row->setSpacing(10);
    row->addWidget(m_title);
    row->addSpacing(6);
    row->addWidget(m_mode);
    row->addStretch();
    row->addWidget(m_unit);
    row->addWidget(m_colour);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_array, 1);
    setAutoFillBackground(true);

    connect(m_mode, &SegmentedControl::chosen, this, [this](int index) { m_array->setMode(static_cast<ArrayMode>(index)); });
    connect(m_array, &ArrayView::modeChanged, this, [this] { m_mode->setCurrent(static_cast<int>(m_array->mode())); });
    connect(m_unit, &SegmentedControl::chosen, this,
        [this](int index) { m_state.setUnit(static_cast<core::WeightUnit>(index)); });
    connect(m_colour, &SegmentedControl::chosen, this,
        [this](int index) { m_state.setColourBy(static_cast<ColourBy>(index)); });
    connect(&state, &ViewState::pictureChanged, this, [this] {
        m_unit->setCurrent(static_cast<int>(m_state.unit()));
        m_colour->setCurrent(static_cast<int>(m_state.colourBy()));
    });
    connect(&state, &ViewState::themeChanged, this, &ArrayPage::applyTheme);
    applyTheme();
}

void ArrayPage::applyTheme()
{
    QPalette palette = m_state.theme().palette();
    palette.setColor(QPalette::Window, m_state.theme().base);
    setPalette(palette);
    for (SegmentedControl *control : { m_mode, m_unit, m_colour })
        control->setTheme(m_state.theme());
}

} // namespace ui
