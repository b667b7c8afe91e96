// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QCheckBox>

namespace ui {

/// A check box in the window's own colours.
class TickBox final : public QCheckBox {
    Q_OBJECT

public:
    explicit TickBox(const QString &words, QWidget *parent = nullptr);
    void setTheme(const Theme &theme);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 24, sizeHint().height() }; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool hitButton(const QPoint &position) const override { return rect().contains(position); }

private:
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
