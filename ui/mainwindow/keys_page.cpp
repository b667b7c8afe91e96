// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/keys_page.h"

#include "ui/look/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

QString plain(const QString &title) { return QString(title).remove(u'&'); }

/// Triggering the entry of a submenu does nothing.
bool isMenu(const ActionRegistry::Entry &entry) { return entry.action->menu() != nullptr; }

/// Keys that act while a painted view has the focus; they are not actions, because they are single letters.
struct ViewKey {
    const char *keys;
    const char *deed;
};
constexpr auto kViewKeys = std::to_array<ViewKey>({
    { "Left, Right or K, J", QT_TRANSLATE_NOOP("ui::KeysPage", "Previous or next slot (array)") },
    { "Up, Down", QT_TRANSLATE_NOOP("ui::KeysPage", "Previous or next call (array, timeline)") },
    { "Home, End", QT_TRANSLATE_NOOP("ui::KeysPage", "First or last slot; first call or the end (timeline)") },
    { ". ,", QT_TRANSLATE_NOOP("ui::KeysPage", "Next or previous slot of the same kind") },
    { "] [", QT_TRANSLATE_NOOP("ui::KeysPage", "Next or previous hot slot") },
    { "F", QT_TRANSLATE_NOOP("ui::KeysPage", "Centre the current slot; again: fit the whole array") },
    { "Drag, Shift+Click, Ctrl+Click", QT_TRANSLATE_NOOP("ui::KeysPage", "Select several slots (array)") },
    { "Shift+Left, Shift+Right",
        QT_TRANSLATE_NOOP("ui::KeysPage",
            "Select more or fewer slots (array); measure a range (timeline); choose more days (sessions)") },
    { "Ctrl+Left, Ctrl+Right",
        QT_TRANSLATE_NOOP("ui::KeysPage", "Outline the previous or next slot and keep the selection (array)") },
    { "Ctrl+Space",
        QT_TRANSLATE_NOOP("ui::KeysPage", "Add the outlined slot to the selection, or take it out (array)") },
    { "Ctrl+PageDown, Ctrl+PageUp",
        QT_TRANSLATE_NOOP("ui::KeysPage", "Next or previous slot of the array after a compaction (array)") },
    { "M, Shift+M",
        QT_TRANSLATE_NOOP("ui::KeysPage", "Select the slots of the next or previous part of the bar (array)") },
    { "Shift+Up, Shift+Down",
        QT_TRANSLATE_NOOP(
            "ui::KeysPage", "Keep more or fewer slots (array); the policy's trigger higher or lower (timeline)") },
    { "T, Shift+T", QT_TRANSLATE_NOOP("ui::KeysPage", "Next or previous trace (timeline)") },
    { "Arrows, Shift+Arrows",
        QT_TRANSLATE_NOOP(
            "ui::KeysPage", "Move the handle by one cell or by eight (map); move a zoomed picture (message)") },
    { "Left, Right", QT_TRANSLATE_NOOP("ui::KeysPage", "Previous or next point of the front (tuning)") },
    { "Enter",
        QT_TRANSLATE_NOOP(
            "ui::KeysPage", "Apply the settings of the handle or the point (tuning); open or follow the row (lists)") },
    { "1 to 9", QT_TRANSLATE_NOOP("ui::KeysPage", "Follow the first to the ninth link of the row (findings)") },
    { "Space, C", QT_TRANSLATE_NOOP("ui::KeysPage", "Mark the edit as reviewed; write a comment (edits)") },
    { "Ctrl+Shift+[, Ctrl+Shift+]",
        QT_TRANSLATE_NOOP("ui::KeysPage", "Fold or unfold the lines at the caret (texts)") },
    { "Menu, Shift+F10", QT_TRANSLATE_NOOP("ui::KeysPage", "The menu of the current slot, trace, row or text") },
    { "Ctrl+Wheel", QT_TRANSLATE_NOOP("ui::KeysPage", "Zoom at the pointer") },
    { "Shift+Wheel, middle drag", QT_TRANSLATE_NOOP("ui::KeysPage", "Pan") },
});

} // namespace

KeysPage::KeysPage(ActionRegistry &actions, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"keysPage"_s);
    setWindowTitle(tr("Keys"));
    resize(560, 620);
    const auto &entries = actions.entries();
    const size_t menus = static_cast<size_t>(std::ranges::count_if(entries, isMenu));
    auto *table = new QTableWidget(static_cast<int>(entries.size() - menus + kViewKeys.size()), 3, this);
    table->setHorizontalHeaderLabels({ tr("Menu"), tr("Command"), tr("Key") });
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->verticalHeader()->hide();
    table->setShowGrid(false);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    int row = 0;
    for (const ActionRegistry::Entry &entry : entries) {
        if (isMenu(entry))
            continue;
        table->setItem(row, 0, new QTableWidgetItem(plain(entry.menu)));
        table->setItem(row, 1, new QTableWidgetItem(plain(entry.action->text())));
        auto *edit = new QKeySequenceEdit(entry.action->shortcut(), table);
        edit->setMaximumSequenceLength(1);
        connect(edit, &QKeySequenceEdit::editingFinished, &actions,
            [&actions, id = entry.id, edit] { actions.setShortcut(id, edit->keySequence()); });
        table->setCellWidget(row++, 2, edit);
    }
    for (const ViewKey &key : kViewKeys) {
        table->setItem(row, 0, new QTableWidgetItem(tr("Views")));
        table->setItem(row, 1, new QTableWidgetItem(tr(key.deed)));
        table->setItem(row++, 2, new QTableWidgetItem(QLatin1StringView(key.keys)));
    }
    auto *restore = new QPushButton(tr("Restore Standard Keys"), this);
    connect(restore, &QPushButton::clicked, this, [this, &actions] {
        actions.restoreStandard();
        close();
    });
    auto *column = new QVBoxLayout(this);
    column->addWidget(table);
    column->addWidget(restore, 0, Qt::AlignLeft);
}

CommandPalette::CommandPalette(ActionRegistry &actions, QWidget *parent)
    : QDialog(parent, Qt::Popup)
{
    setObjectName(u"commandPalette"_s);
    setAccessibleName(tr("Command Palette"));
    resize(460, 340);
    auto *field = new QLineEdit(this);
    field->setPlaceholderText(tr("Type a command"));
    field->setFont(Theme::textFont(14));
    auto *list = new QTreeWidget(this);
    list->setFont(Theme::textFont(13));
    list->setFocusPolicy(Qt::NoFocus);
    list->setColumnCount(2);
    list->setHeaderHidden(true);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAllColumnsShowFocus(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setStyleSheet(u"QTreeView::item { padding: 3px 6px; }"_s);
    field->setTextMargins(6, 4, 6, 4);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    const auto choose = [list](int row) {
        list->setCurrentItem(list->topLevelItem(std::clamp(row, 0, std::max(0, list->topLevelItemCount() - 1))));
    };
    auto *column = new QVBoxLayout(this);
    column->addWidget(field);
    column->addWidget(list);
    const auto fill = [&actions, list, choose](const QString &wanted) {
        list->clear();
        const QStringList words = wanted.split(u' ', Qt::SkipEmptyParts);
        for (const ActionRegistry::Entry &entry : actions.entries()) {
            if (!entry.action->isEnabled() || isMenu(entry))
                continue;
            const QString line = plain(entry.menu) + u": "_s + plain(entry.action->text());
            const bool fits = std::ranges::all_of(
                words, [&](const QString &word) { return line.contains(word, Qt::CaseInsensitive); });
            if (!fits)
                continue;
            const QString key = entry.action->shortcut().toString(QKeySequence::NativeText);
            auto *item = new QTreeWidgetItem(list, { line, key });
            item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
            item->setData(0, Qt::UserRole, entry.id);
        }
        choose(0);
    };
    connect(field, &QLineEdit::textChanged, this, fill);
    const auto run = [this, &actions, list] {
        const QTreeWidgetItem *item = list->currentItem();
        if (item == nullptr)
            return;
        const QString id = item->data(0, Qt::UserRole).toString();
        close();
        for (const ActionRegistry::Entry &entry : actions.entries()) {
            if (entry.id == id)
                return entry.action->trigger();
        }
    };
    connect(field, &QLineEdit::returnPressed, this, run);
    connect(list, &QTreeWidget::itemClicked, this, run);
    for (const int key : { Qt::Key_Down, Qt::Key_Up }) {
        auto *step = new QAction(field);
        step->setShortcut(key);
        step->setShortcutContext(Qt::WidgetShortcut);
        const int delta = key == Qt::Key_Down ? 1 : -1;
        connect(step, &QAction::triggered, this,
            [list, choose, delta] { choose(list->indexOfTopLevelItem(list->currentItem()) + delta); });
        field->addAction(step);
    }
    fill({});
    field->setFocus();
}

} // namespace ui
