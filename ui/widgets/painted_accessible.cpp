// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/painted_accessible.h"

#include <QWidget>

namespace ui {

namespace {

class ItemAccessible final : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    ItemAccessible(QWidget *view, PaintedItems *items, int item)
        : m_view(view)
        , m_items(items)
        , m_item(item)
    {
    }

    [[nodiscard]] bool isValid() const override { return m_item < m_items->itemCount(); }
    [[nodiscard]] QObject *object() const override { return nullptr; }
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
        return kind == QAccessible::Name && isValid() ? m_items->itemName(m_item) : QString();
    }
    void setText(QAccessible::Text, const QString &) override { }
    [[nodiscard]] QRect rect() const override
    {
        const QRect local = m_items->itemRect(m_item);
        return local.isEmpty() ? QRect() : QRect(m_view->mapToGlobal(local.topLeft()), local.size());
    }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        state.selectable = true;
        state.selected = m_items->isItemSelected(m_item);
        state.offscreen = m_items->itemRect(m_item).isEmpty();
        return state;
    }
    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this) : nullptr;
    }

    [[nodiscard]] QStringList actionNames() const override { return { pressAction() }; }
    void doAction(const QString &name) override
    {
        if (name == pressAction())
            m_items->activateItem(m_item);
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
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

    [[nodiscard]] int childCount() const override { return m_items->itemCount(); }
    [[nodiscard]] QAccessibleInterface *child(int item) const override
    {
        if (item < 0 || item >= m_items->itemCount())
            return nullptr;
        const auto known = m_ids.find(item);
        if (known != m_ids.end())
            return QAccessible::accessibleInterface(known->second);
        auto *made = new ItemAccessible(widget(), m_items, item);
        m_ids.emplace(item, QAccessible::registerAccessibleInterface(made));
        return made;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface *wanted) const override
    {
        for (const auto &[item, id] : m_ids) {
            if (QAccessible::accessibleInterface(id) == wanted)
                return item;
        }
        return -1;
    }
    [[nodiscard]] QAccessibleInterface *childAt(int x, int y) const override
    {
        return child(m_items->itemAt(widget()->mapFromGlobal(QPoint(x, y))));
    }

private:
    PaintedItems *m_items;
    mutable std::unordered_map<int, QAccessible::Id> m_ids;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *view = qobject_cast<QWidget *>(object);
    auto *items = dynamic_cast<PaintedItems *>(object);
    return view != nullptr && items != nullptr ? new ViewAccessible(view, items) : nullptr;
}

} // namespace

void installPaintedAccessibility() { QAccessible::installFactory(makeInterface); }

} // namespace ui
