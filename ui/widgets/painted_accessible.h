// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QAccessible>
#include <QRect>
#include <QString>

#include <optional>
#include <vector>

class QWidget;

namespace ui {

/// The items that a painted view draws, as accessible objects for assistive technology and end-to-end tests. The
/// objects are made when somebody asks for them, and the children of the view are the items in sight alone.
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

    /// The item that keys act on; -1 without one.
    [[nodiscard]] virtual int currentItem() const { return -1; }
    /// What a tool tip says of an item, for people without a pointer.
    [[nodiscard]] virtual QString itemTip(int item) const { return itemName(item); }
    /// Ascending; a view with more items than pixels overrides it.
    [[nodiscard]] virtual std::vector<int> itemsInSight() const;

    /// The value of a line that can be dragged.
    struct Value {
        double now = 0;
        double least = 0;
        double most = 0;
        double step = 0;
    };
    /// nullopt for items that are no such line.
    [[nodiscard]] virtual std::optional<Value> itemValue(int /*item*/) const { return std::nullopt; }
    virtual void setItemValue(int /*item*/, double /*value*/) { }
};

/// Makes widgets that implement PaintedItems accessible. Call once before the first window.
void installPaintedAccessibility();

// What a view tells assistive technology; nothing is computed while none runs.

/// Another item is the current one of the view.
void tellCurrentItem(QWidget &view);
/// The value of an item has changed.
void tellItemValue(QWidget &view, int item);

} // namespace ui
