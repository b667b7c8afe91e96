// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QAccessibleWidget>
#include <QRect>
#include <QString>

#include <memory>
#include <unordered_map>

namespace ui {

/// The items that a painted view draws, as accessible objects for assistive technology and end-to-end tests.
class PaintedItems {
public:
    PaintedItems() = default;
    PaintedItems(const PaintedItems &) = delete;
    PaintedItems &operator=(const PaintedItems &) = delete;
    virtual ~PaintedItems() = default;

    [[nodiscard]] virtual int itemCount() const = 0;
    /// "slot 11, tool call write_file, about 3,700 tokens, hot"
    [[nodiscard]] virtual QString itemName(int item) const = 0;
    /// In widget coordinates; empty while the item is scrolled out of sight.
    [[nodiscard]] virtual QRect itemRect(int item) const = 0;
    [[nodiscard]] virtual int itemAt(QPoint position) const = 0;
    [[nodiscard]] virtual bool isItemSelected(int item) const = 0;
    virtual void activateItem(int item) = 0;
};

/// Makes widgets that implement PaintedItems accessible. Call once before the first window.
void installPaintedAccessibility();

} // namespace ui
