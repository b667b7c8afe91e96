// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"
#include "core/tokens/weights.h"
#include "ui/look/theme.h"
#include "ui/policy/stage_figures.h"

#include <QWidget>

#include <optional>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace ui {

class ParameterForm;
class TickBox;

/// A bar that shows the weight of an array by material, true to scale.
class StripBar final : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// `whole` is the weight that fills the width. Pale for a disabled stage.
    void setStrip(const WeightStrip &strip, double whole, bool isPale);
    void setTheme(const Theme &theme);
    [[nodiscard]] QSize sizeHint() const override { return { 100, 10 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 20, 10 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    WeightStrip m_strip;
    double m_whole = 0;
    bool m_isPale = false;
    Theme m_theme = Theme::make(Appearance::Light);
};

/// One stage of a policy: its check box, its savings, the array's weight after it, and its parameters when expanded.
/// The row can be dragged.
class StageRow final : public QWidget {
    Q_OBJECT

public:
    StageRow(const core::StageSpec &spec, QWidget *parent = nullptr);

    void setSpec(const core::StageSpec &spec);
    /// nullopt: the figure is still being computed.
    void setFigure(const std::optional<StageFigure> &figure, double whole, const core::Weights &weights);
    /// Until a simulated array is shown.
    void clearFigure();
    void setVerdict(const QString &words);
    void setTheme(const Theme &theme);
    void setUnfolded(bool isUnfolded);
    [[nodiscard]] bool isUnfolded() const;
    void setDragged(bool isDragged);
    /// Lets the title drag the row; returns true if the check box must not get the event.
    bool dragByTitle(QEvent *event);

Q_SIGNALS:
    void ticked(bool isOn);
    void parameterChanged(const QString &name, const QString &value);
    void removeRequested();
    void focused();
    void dragged(QPoint global);
    void dropped(QPoint global);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    const core::StageKind *m_kind;
    core::StageSpec m_spec;
    Theme m_theme = Theme::make(Appearance::Light);
    QVBoxLayout *m_column;
    TickBox *m_box;
    QLabel *m_saving;
    QToolButton *m_fold;
    StripBar *m_strip;
    QLabel *m_verdict;
    ParameterForm *m_form = nullptr; ///< created when first expanded
    QToolButton *m_remove = nullptr;
    std::optional<QPoint> m_pressed;
    bool m_isDragged = false;
};

} // namespace ui
