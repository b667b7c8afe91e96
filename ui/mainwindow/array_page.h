// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_view.h"
#include "ui/widgets/segmented_control.h"

#include <QWidget>

namespace ui {

/// The array view with selectors for layout, weight and colour.
class ArrayPage final : public QWidget {
    Q_OBJECT

public:
    explicit ArrayPage(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] ArrayView &array() const { return *m_array; }
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void applyTheme();
    void refreshAftermath();
    /// Decides which selectors are compact.
    void fitControls();
    [[nodiscard]] static QString wordFor(Aftermath aftermath);

    ViewState &m_state;
    ArrayView *m_array;
    SegmentedControl *m_mode;
    SegmentedControl *m_aftermath;
    SegmentedControl *m_unit;
    SegmentedControl *m_colour;
};

} // namespace ui
