// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/measure_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScopedValueRollback>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kField = 84;
constexpr int kWidestField = 156; ///< for a share of the window less some tokens
constexpr int kFieldMargin = 18;

/// What follows the number in the field.
QString unitOf(const core::Measure &measure)
{
    const QString shown = QString::fromStdString(measure.fieldText());
    const auto end = std::ranges::find_if(shown, [](QChar c) { return c.isLetter() || c == u'%'; });
    return shown.sliced(end - shown.begin());
}

} // namespace

using namespace Qt::StringLiterals;
using Unit = core::Measure::Unit;

MeasureRow::MeasureRow(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_name(new QLabel(name, this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_field(new QLineEdit(this))
{
    m_slider->setAccessibleName(name);
    m_field->setAccessibleName(name);
    m_name->setObjectName(u"measureName"_s);
    m_name->setMinimumWidth(48);
    m_slider->setMinimumWidth(40);
    m_field->setFixedWidth(kField);
    m_field->setAlignment(Qt::AlignRight);
    m_field->setToolTip(tr("A share of the window (10 %), tokens (20000tok, 20k), messages (6msg), results "
                           "(3results) or turns (2turns)"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_name);
    row->addWidget(m_slider, 1);
    row->addWidget(m_field);
    connect(m_slider, &QSlider::sliderPressed, this, &MeasureRow::gestureStarted);
    connect(m_slider, &QSlider::sliderReleased, this, &MeasureRow::gestureEnded);
    connect(m_slider, &QSlider::valueChanged, this, [this](int step) {
        if (m_isSetting)
            return;
        const bool isKey = !m_slider->isSliderDown();
        if (isKey)
            Q_EMIT gestureStarted();
        Q_EMIT measureChanged(measureAt(step));
        if (isKey)
            Q_EMIT gestureEnded();
    });
    connect(m_field, &QLineEdit::editingFinished, this, [this] {
        if (m_field->isModified())
            Q_EMIT textEntered(withUnit(m_field->text().trimmed()));
        m_field->setModified(false);
    });
}

QString MeasureRow::withUnit(const QString &text) const
{
    bool isNumber = false;
    (void)QLocale::c().toDouble(text, &isNumber);
    return isNumber ? text + m_unit : text;
}

core::Measure MeasureRow::measureAt(int step) const
{
    const double value = step * m_step;
    return { m_measure.unit == Unit::WindowFraction ? std::round(value * 1000) / 1000 : value, m_measure.unit };
}

void MeasureRow::setMeasure(const core::Measure &measure, double tokens, size_t count)
{
    const QScopedValueRollback setting(m_isSetting, true);
    m_measure = measure;
    const bool isFraction = measure.unit == Unit::WindowFraction;
    const bool hasSlider = isFraction || (measure.unit == Unit::Tokens ? tokens > 0 : count > 0);
    if (!hasSlider)
        setWords(QString::fromStdString(measure.fieldText()));
    m_unit = measure.less > 0 ? QString() : unitOf(measure);
    if (!hasSlider)
        return;
    double most = static_cast<double>(std::max<size_t>(count, 1));
    m_step = 1;
    if (isFraction) {
        m_step = 0.005;
        most = 1;
    } else if (measure.unit == Unit::Tokens) {
        // Round steps, some hundreds of them.
        most = std::max({ tokens, measure.value, 1000.0 });
        m_step = std::pow(10, std::floor(std::log10(most / 200)));
        m_step = std::max(1.0, m_step);
    }
    m_slider->setVisible(true);
    m_slider->setRange(measure.unit == Unit::Messages ? 0 : 1, static_cast<int>(std::ceil(most / m_step)));
    m_slider->setPageStep(std::max(1, m_slider->maximum() / 20));
    if (!m_slider->isSliderDown())
        m_slider->setValue(
            static_cast<int>(std::round((measure.value - (tokens > 0 ? measure.less / tokens : 0)) / m_step)));
    const QString text = QString::fromStdString(measure.fieldText());
    if (!m_field->isModified())
        m_field->setText(text);
    m_field->setFixedWidth(
        std::clamp(m_field->fontMetrics().horizontalAdvance(text) + kFieldMargin, kField, kWidestField));
}

void MeasureRow::setWords(const QString &words)
{
    m_slider->setVisible(false);
    m_unit.clear();
    m_field->setMinimumWidth(kField);
    m_field->setMaximumWidth(QWIDGETSIZE_MAX);
    if (!m_field->isModified())
        m_field->setText(words);
}

void MeasureRow::setTheme(const Theme &theme)
{
    QPalette palette = theme.palette();
    palette.setColor(QPalette::WindowText, theme.secondary);
    m_name->setPalette(palette);
    m_field->setFont(Theme::figureFont(12));
    m_slider->setStyleSheet(
        u"QSlider { min-height: 18px; }"
        "QSlider::groove:horizontal { height: 3px; background: %1; border-radius: 1px; }"
        "QSlider::sub-page:horizontal { height: 3px; background: %2; border-radius: 1px; }"
        "QSlider::handle:horizontal { width: 12px; height: 12px; margin: -6px 0; border-radius: 7px;"
        " border: 2px solid %2; background: %3; }"
        "QSlider::handle:horizontal:focus { background: %4; }"_s.arg(
            theme.hairline.name(), theme.accent.name(), theme.base.name(), theme.accentGround.name()));
}

} // namespace ui
