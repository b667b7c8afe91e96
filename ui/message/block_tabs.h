// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QTabBar>

#include <vector>

namespace ui {

/// The blocks of one slot as small tabs: a square in the block's colour, and its label.
class BlockTabs final : public QTabBar {
    Q_OBJECT

public:
    struct Tab {
        QString words;
        QColor colour;
        bool isHot = false;
        friend bool operator==(const Tab &, const Tab &) = default;
    };

    explicit BlockTabs(QWidget *parent = nullptr);

    /// Does nothing and emits nothing if the tabs are equal.
    void setTabs(const std::vector<Tab> &tabs, int current);
    void setTheme(const Theme &theme);

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;
    void paintEvent(QPaintEvent *event) override;

private:
    std::vector<Tab> m_tabs;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
