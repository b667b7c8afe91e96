// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/measure.h"
#include "ui/look/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QSlider;

namespace ui {

/// A row to edit one measure of a policy: name, slider, and a field that accepts any unit.
class MeasureRow final : public QWidget {
    Q_OBJECT

public:
    explicit MeasureRow(const QString &name, QWidget *parent = nullptr);

    /// `tokens` is the maximum in tokens, `count` the maximum in messages, results or turns. If it is 0 (no session),
    /// there is no slider.
    void setMeasure(const core::Measure &measure, double tokens, size_t count);
    /// Shows words instead of a measure, for a trigger with several measures; hides the slider.
    void setWords(const QString &words);
    void setTheme(const Theme &theme);

Q_SIGNALS:
    void gestureStarted();
    void measureChanged(const core::Measure &measure); ///< by the slider
    void gestureEnded();
    void textEntered(const QString &text); ///< in the field

private:
    [[nodiscard]] core::Measure measureAt(int step) const;
    /// The text; a number alone gets the unit that the field shows.
    [[nodiscard]] QString withUnit(const QString &text) const;

    core::Measure m_measure;
    QString m_unit; ///< as the field shows it; empty if a number alone would say too little
    double m_step = 1;
    bool m_isSetting = false;
    QLabel *m_name;
    QSlider *m_slider;
    QLineEdit *m_field;
};

} // namespace ui
