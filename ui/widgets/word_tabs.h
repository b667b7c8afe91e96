// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QTabBar>

namespace ui {

/// A row of words of which one is chosen and underlined, for tabs inside a panel. Keyboard and accessibility are those
/// of a tab bar.
class WordTabs final : public QTabBar {
    Q_OBJECT

public:
    explicit WordTabs(const QStringList &words, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

protected:
    void paintEvent(QPaintEvent *event) override;
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }

private:
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
