// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/painted_accessible.h"

#include <QAccessibleWidget>
#include <QWidget>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace ui {

namespace {

/// Objects that are kept beside those in sight; who asked for one may ask it again.
constexpr size_t kKeptObjects = 1000;

class ItemAccessible final : public QAccessibleInterface,
                             public QAccessibleActionInterface,
                             public QAccessibleValueInterface {
public:
    ItemAccessible(QWidget *view, PaintedItems *items, int item)
        : m_view(view)
        , m_items(items)
        , m_item(item)
    {
    }

    [[nodiscard]] int item() const { return m_item; }

    [[nodiscard]] bool isValid() const override { return m_item < m_items->itemCount(); }
    [[nodiscard]] QObject *object() const override { return nullptr; }
    [[nodiscard]] QWindow *window() const override { return m_view->window()->windowHandle(); }
    [[nodiscard]] QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface *parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    [[nodiscard]] QAccessibleInterface *child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name)
            return m_items->itemName(m_item);
        const bool isDescription = kind == QAccessible::Description || kind == QAccessible::Help;
        return isDescription ? m_items->itemTip(m_item) : QString();
    }
    void setText(QAccessible::Text, const QString &) override { }
    [[nodiscard]] QRect rect() const override
    {
        const QRect local = isValid() ? m_items->itemRect(m_item) : QRect();
        return local.isEmpty() ? QRect() : QRect(m_view->mapToGlobal(local.topLeft()), local.size());
    }
    [[nodiscard]] QAccessible::Role role() const override
    {
        return value() ? QAccessible::Slider : QAccessible::ListItem;
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        const bool isCurrent = m_items->currentItem() == m_item;
        state.selectable = !value();
        state.selected = m_items->isItemSelected(m_item);
        state.focusable = true;
        state.focused = isCurrent && m_view->hasFocus();
        state.active = isCurrent;
        state.offscreen = m_items->itemRect(m_item).isEmpty();
        state.invisible = !m_view->isVisible();
        return state;
    }
    void *interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::ActionInterface)
            return static_cast<QAccessibleActionInterface *>(this);
        if (type == QAccessible::ValueInterface && value())
            return static_cast<QAccessibleValueInterface *>(this);
        return nullptr;
    }

    [[nodiscard]] QStringList actionNames() const override
    {
        return value() ? QStringList { increaseAction(), decreaseAction() } : QStringList { pressAction() };
    }
    void doAction(const QString &name) override
    {
        const auto line = value();
        if (!isValid())
            return;
        if (line && (name == increaseAction() || name == decreaseAction()))
            setCurrentValue(line->now + (name == increaseAction() ? line->step : -line->step));
        else if (!line && name == pressAction())
            m_items->activateItem(m_item);
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString &) const override { return {}; }

    [[nodiscard]] QVariant currentValue() const override { return of(&PaintedItems::Value::now); }
    void setCurrentValue(const QVariant &wanted) override
    {
        if (const auto line = value())
            m_items->setItemValue(m_item, std::clamp(wanted.toDouble(), line->least, line->most));
    }
    [[nodiscard]] QVariant maximumValue() const override { return of(&PaintedItems::Value::most); }
    [[nodiscard]] QVariant minimumValue() const override { return of(&PaintedItems::Value::least); }
    [[nodiscard]] QVariant minimumStepSize() const override { return of(&PaintedItems::Value::step); }

private:
    [[nodiscard]] std::optional<PaintedItems::Value> value() const
    {
        return isValid() ? m_items->itemValue(m_item) : std::nullopt;
    }
    [[nodiscard]] QVariant of(double PaintedItems::Value::*which) const
    {
        const auto line = value();
        return line ? QVariant((*line).*which) : QVariant();
    }

    QWidget *m_view;
    PaintedItems *m_items;
    int m_item;
};

class ViewAccessible final : public QAccessibleWidget {
public:
    ViewAccessible(QWidget *view, PaintedItems *items)
        : QAccessibleWidget(view, QAccessible::List)
        , m_items(items)
    {
    }
    ~ViewAccessible() override
    {
        for (const auto &[item, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }

    [[nodiscard]] int childCount() const override { return static_cast<int>(m_items->itemsInSight().size()); }
    [[nodiscard]] QAccessibleInterface *child(int index) const override
    {
        const std::vector<int> items = m_items->itemsInSight();
        const bool isThere = index >= 0 && static_cast<size_t>(index) < items.size();
        return isThere ? objectOf(items[static_cast<size_t>(index)]) : nullptr;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface *wanted) const override
    {
        const auto *object = dynamic_cast<const ItemAccessible *>(wanted);
        const bool isMine = object != nullptr && m_ids.contains(object->item())
            && QAccessible::accessibleInterface(m_ids.at(object->item())) == wanted;
        return isMine ? indexOf(object->item()) : -1;
    }
    [[nodiscard]] QAccessibleInterface *childAt(int x, int y) const override
    {
        return objectOf(m_items->itemAt(widget()->mapFromGlobal(QPoint(x, y))));
    }
    [[nodiscard]] QAccessibleInterface *focusChild() const override
    {
        const int item = widget()->hasFocus() ? m_items->currentItem() : -1;
        return item >= 0 ? objectOf(item) : QAccessibleWidget::focusChild();
    }
    /// The place of an item among the children; -1 if it is out of sight.
    [[nodiscard]] int indexOf(int item) const
    {
        const std::vector<int> items = m_items->itemsInSight();
        const auto place = std::ranges::lower_bound(items, item);
        return place != items.end() && *place == item ? static_cast<int>(place - items.begin()) : -1;
    }

private:
    [[nodiscard]] QAccessibleInterface *objectOf(int item) const
    {
        if (item < 0 || item >= m_items->itemCount())
            return nullptr;
        const auto known = m_ids.find(item);
        if (known != m_ids.end())
            return QAccessible::accessibleInterface(known->second);
        forgetSome();
        auto *made = new ItemAccessible(widget(), m_items, item);
        m_ids.emplace(item, QAccessible::registerAccessibleInterface(made));
        return made;
    }
    /// Deletes the objects out of sight once there are many.
    void forgetSome() const
    {
        const std::vector<int> items = m_items->itemsInSight();
        if (m_ids.size() < items.size() + kKeptObjects)
            return;
        std::erase_if(m_ids, [&](const auto &known) {
            if (std::ranges::binary_search(items, known.first))
                return false;
            QAccessible::deleteAccessibleInterface(known.second);
            return true;
        });
    }

    PaintedItems *m_items;
    mutable std::unordered_map<int, QAccessible::Id> m_ids;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *view = qobject_cast<QWidget *>(object);
    auto *items = dynamic_cast<PaintedItems *>(object);
    return view != nullptr && items != nullptr ? new ViewAccessible(view, items) : nullptr;
}

/// The place of an item among the children of a view; -1 if nobody listens or it is out of sight.
int toldIndex(QWidget &view, int item)
{
    if (!QAccessible::isActive() || item < 0 || !view.isVisible())
        return -1;
    const auto *object = dynamic_cast<ViewAccessible *>(QAccessible::queryAccessibleInterface(&view));
    return object != nullptr ? object->indexOf(item) : -1;
}

} // namespace

std::vector<int> PaintedItems::itemsInSight() const
{
    std::vector<int> items(static_cast<size_t>(std::max(0, itemCount())));
    std::iota(items.begin(), items.end(), 0);
    return items;
}

void installPaintedAccessibility() { QAccessible::installFactory(makeInterface); }

void tellCurrentItem(QWidget &view)
{
    if (!QAccessible::isActive())
        return;
    const int index = toldIndex(view, dynamic_cast<const PaintedItems &>(view).currentItem());
    if (index < 0)
        return;
    QAccessibleEvent selected(&view, QAccessible::Selection);
    selected.setChild(index);
    QAccessible::updateAccessibility(&selected);
    if (!view.hasFocus())
        return;
    QAccessibleEvent focused(&view, QAccessible::Focus);
    focused.setChild(index);
    QAccessible::updateAccessibility(&focused);
}

void tellItemValue(QWidget &view, int item)
{
    const int index = toldIndex(view, item);
    if (index < 0)
        return;
    const auto value = dynamic_cast<const PaintedItems &>(view).itemValue(item);
    QAccessibleValueChangeEvent changed(&view, value ? QVariant(value->now) : QVariant());
    changed.setChild(index);
    QAccessible::updateAccessibility(&changed);
}

} // namespace ui
