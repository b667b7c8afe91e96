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

/// One measure of a policy: its name, a slider, and a field that takes any unit.
class MeasureRow final : public QWidget {
    Q_OBJECT

public:
    explicit MeasureRow(const QString &name, QWidget *parent = nullptr);

    /// `tokens` is the largest measure in tokens, `count` the largest in messages, results or turns. With 0 (nothing is
    /// open) there is no slider.
    void setMeasure(const core::Measure &measure, double tokens, size_t count);
    /// Words in place of a measure, as for a trigger of several: the slider is put away.
    void setWords(const QString &words);
    void setTheme(const Theme &theme);

Q_SIGNALS:
    void gestureStarted();
    void measureChanged(const core::Measure &measure); ///< of the slider
    void gestureEnded();
    void textEntered(const QString &text); ///< of the field

private:
    [[nodiscard]] core::Measure measureAt(int step) const;

    core::Measure m_measure;
    double m_step = 1;
    bool m_isSetting = false;
    QLabel *m_name;
    QSlider *m_slider;
    QLineEdit *m_field;
};

} // namespace ui
