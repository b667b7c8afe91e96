// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QAbstractButton>

namespace ui {

// Text controls: toggles and tabs.
inline constexpr int kWordHeight = 24;
inline constexpr int kWordPadding = 9;
[[nodiscard]] inline QFont wordFont() { return Theme::textFont(12); }

/// A text button that is on or off, drawn as a segment of a SegmentedControl; if not checkable, a quiet push button.
class ToggleButton : public QAbstractButton {
    Q_OBJECT

public:
    enum class Kind : uint8_t { Toggle, Push };

    ToggleButton(const QString &word, Kind kind, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
