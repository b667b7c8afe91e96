// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/array_page.h"

#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>
#include <array>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSpacing = 10;

} // namespace

ArrayPage::ArrayPage(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_array(new ArrayView(state, this))
    , m_mode(new SegmentedControl({ tr("Slots"), tr("Bars"), tr("Heaviest First") }, this))
    , m_aftermath(new SegmentedControl({ tr("Recorded"), tr("Simulated") }, this))
    , m_unit(new SegmentedControl({ tr("Tokens"), tr("Characters"), tr("Bytes") }, this))
    , m_colour(new SegmentedControl({ tr("Material"), tr("Role"), tr("Age") }, this))
{
    m_mode->setObjectName(u"arrayMode"_s);
    m_aftermath->setObjectName(u"aftermath"_s);
    m_aftermath->setAccessibleName(tr("Array after the compaction"));
    m_unit->setObjectName(u"weightUnit"_s);
    m_colour->setObjectName(u"colourBy"_s);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kPageMargin, 8, kPageMargin, 0);
    row->setSpacing(kSpacing);
    row->addWidget(m_mode);
    row->addStretch();
    row->addWidget(m_aftermath);
    row->addWidget(m_unit);
    row->addWidget(m_colour);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_array, 1);

    connect(m_mode, &SegmentedControl::chosen, this,
        [this](int index) { m_array->setMode(static_cast<ArrayMode>(index)); });
    connect(m_array, &ArrayView::modeChanged, this, [this] { m_mode->setCurrent(static_cast<int>(m_array->mode())); });
    connect(m_aftermath, &SegmentedControl::chosen, this,
        [this](int index) { m_state.setAftermath(m_state.aftermaths()[static_cast<size_t>(index)]); });
    connect(m_unit, &SegmentedControl::chosen, this,
        [this](int index) { m_state.setUnit(static_cast<core::WeightUnit>(index)); });
    connect(m_colour, &SegmentedControl::chosen, this,
        [this](int index) { m_state.setColourBy(static_cast<ColourBy>(index)); });
    connect(&state, &ViewState::pictureChanged, this, [this] {
        refreshAftermath();
        m_unit->setCurrent(static_cast<int>(m_state.unit()));
        m_colour->setCurrent(static_cast<int>(m_state.colourBy()));
    });
    connect(&state, &ViewState::themeChanged, this, &ArrayPage::applyTheme);
    m_aftermath->hide();
    applyTheme();
}

void ArrayPage::fitControls()
{
    // In a narrow page the least used choosers shrink to one word first.
    const std::array controls { m_colour, m_unit, m_mode, m_aftermath };
    int wanted = 2 * kPageMargin;
    for (const SegmentedControl *control : controls)
        wanted += control->isHidden() ? 0 : control->wideWidth() + kSpacing;
    for (SegmentedControl *control : controls) {
        const bool isCompact = !control->isHidden() && wanted > width();
        control->setCompact(isCompact);
        if (isCompact)
            wanted -= control->wideWidth() - control->compactWidth();
    }
}

QSize ArrayPage::minimumSizeHint() const
{
    int width = 2 * kPageMargin;
    for (const SegmentedControl *control : { m_colour, m_unit, m_mode, m_aftermath })
        width += control->compactWidth() + kSpacing;
    return { std::max(width, m_array->minimumSizeHint().width()), QWidget::minimumSizeHint().height() };
}

void ArrayPage::resizeEvent(QResizeEvent *) { fitControls(); }

void ArrayPage::refreshAftermath()
{
    const std::vector<Aftermath> all = m_state.aftermaths();
    QStringList words;
    for (const Aftermath each : all)
        words << wordFor(each);
    m_aftermath->setVisible(all.size() > 1);
    m_aftermath->setWords(words);
    const auto shown = std::ranges::find(all, m_state.aftermath());
    m_aftermath->setCurrent(shown == all.end() ? 0 : static_cast<int>(shown - all.begin()));
    fitControls();
}

QString ArrayPage::wordFor(Aftermath aftermath)
{
    switch (aftermath) {
    case Aftermath::Recorded:
        return tr("Recorded");
    case Aftermath::Simulated:
        return tr("Simulated");
    case Aftermath::OwnRun:
        return tr("Own Run");
    case Aftermath::Observed:
        return tr("Observed");
    }
    return {};
}

void ArrayPage::applyTheme()
{
    for (SegmentedControl *control : { m_mode, m_aftermath, m_unit, m_colour })
        control->setTheme(m_state.theme());
    update();
}

void ArrayPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

} // namespace ui
