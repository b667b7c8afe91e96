// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/keyboard_acts.h"

#include "ui/hub/actions.h"
#include "ui/look/theme.h"
#include "ui/text/text_surface.h"
#include "ui/widgets/painted_accessible.h"

#include <QApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QHelpEvent>
#include <QMenu>
#include <QSplitter>
#include <QToolTip>
#include <QTreeView>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kEdgeStep = 24; ///< pixels that an edge moves

// --- tool tips -----------------------------------------------------------------------------------------------------

/// What a tool tip says of the current row of a list: the tips of its cells, or their texts where there are none.
QString tipOfRow(const QModelIndex &row)
{
    QStringList tips;
    QStringList texts;
    for (int column = 0; column < row.model()->columnCount(row.parent()); ++column) {
        const QModelIndex cell = row.siblingAtColumn(column);
        tips << cell.data(Qt::ToolTipRole).toString();
        texts << cell.data(Qt::DisplayRole).toString();
    }
    for (QStringList *words : { &tips, &texts }) {
        words->removeAll(QString());
        words->removeDuplicates();
    }
    return tips.isEmpty() ? toolTipText(texts.join(u" · "_s)) : tips.join(u"<br>"_s);
}

/// Asks a widget for its tool tip at a place, as the pointer does.
bool showTipAt(QWidget &widget, QPoint place)
{
    QHelpEvent help(QEvent::ToolTip, place, widget.mapToGlobal(place));
    QApplication::sendEvent(&widget, &help);
    return QToolTip::isVisible();
}

void showTipOf(QWidget &widget)
{
    const auto show = [&](const QWidget &on, const QRect &place, const QString &tip) {
        const QPoint at = place.isEmpty() ? on.rect().center() : place.center();
        QToolTip::showText(on.mapToGlobal(at), tip, &widget);
    };
    if (const auto *items = dynamic_cast<const PaintedItems *>(&widget)) {
        const int item = items->currentItem();
        return item < 0 ? show(widget, {}, widget.toolTip())
                        : show(widget, items->itemRect(item), toolTipText(items->itemTip(item)));
    }
    if (const auto *list = qobject_cast<const QAbstractItemView *>(&widget); list && list->currentIndex().isValid())
        return show(*list->viewport(), list->visualRect(list->currentIndex()), tipOfRow(list->currentIndex()));
    if (const auto *surface = qobject_cast<const TextSurface *>(&widget)) {
        showTipAt(*surface->viewport(), surface->rectOf(surface->caret()).center().toPoint());
        return;
    }
    // A button in a row, say, may leave it to the row.
    for (QWidget *each = &widget; each != nullptr && !each->isWindow(); each = each->parentWidget()) {
        if (showTipAt(*each, each->rect().center()))
            return;
    }
}

/// The dock or the page around a widget.
QWidget *paneOf(QWidget &widget)
{
    QWidget *pane = &widget;
    while (!pane->isWindow() && qobject_cast<QDockWidget *>(pane) == nullptr
        && qobject_cast<QSplitter *>(pane->parentWidget()) == nullptr)
        pane = pane->parentWidget();
    return pane;
}

/// Shows the tool tip of the focus; asked again, those of the texts beside it, which cannot take the focus.
class TipKey final : public QObject {
public:
    using QObject::QObject;

    void show()
    {
        QWidget *focus = QApplication::focusWidget();
        if (focus == nullptr)
            return;
        std::vector<QWidget *> places { focus };
        const auto parts = paneOf(*focus)->findChildren<QWidget *>();
        std::ranges::copy_if(parts, std::back_inserter(places), [](const QWidget *part) {
            return part->isVisible() && part->focusPolicy() == Qt::NoFocus && !part->toolTip().isEmpty();
        });
        m_next = focus == m_focus && QToolTip::isVisible() ? (m_next + 1) % places.size() : 0;
        m_focus = focus;
        QToolTip::hideText();
        showTipOf(*places[m_next]);
    }

private:
    const QWidget *m_focus = nullptr;
    size_t m_next = 0;
};

// --- tables --------------------------------------------------------------------------------------------------------

/// A menu of the columns; the column by which the table is sorted already reverses the order.
void askForOrder(QWidget *focus)
{
    auto *table = qobject_cast<QTreeView *>(focus);
    if (table == nullptr || !table->isSortingEnabled())
        return;
    auto *menu = new QMenu(table);
    menu->setObjectName(u"sortMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QHeaderView *header = table->header();
    for (int column = 0; column < header->count(); ++column) {
        const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
        if (header->isSectionHidden(column) || title.isEmpty())
            continue;
        const int first = table->model()->headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole).toInt();
        QAction *action = menu->addAction(title, table, [header, column, first] {
            const bool isSame = header->sortIndicatorSection() == column;
            const bool isUp = header->sortIndicatorOrder() == Qt::AscendingOrder;
            header->setSortIndicator(column,
                !isSame    ? static_cast<Qt::SortOrder>(first)
                    : isUp ? Qt::DescendingOrder
                           : Qt::AscendingOrder);
        });
        action->setCheckable(true);
        action->setChecked(header->sortIndicatorSection() == column);
        if (action->isChecked())
            menu->setActiveAction(action);
    }
    menu->popup(table->mapToGlobal(QPoint(0, header->height())));
}

// --- edges ---------------------------------------------------------------------------------------------------------

/// Moves the edge of the innermost part of a splitter, or of the dock, that holds the widget.
void resizePane(QMainWindow &window, QWidget *focus, int pixels)
{
    for (QWidget *each = focus; each != nullptr && each != &window; each = each->parentWidget()) {
        if (auto *splitter = qobject_cast<QSplitter *>(each->parentWidget()); splitter && splitter->count() > 1) {
            QList<int> sizes = splitter->sizes();
            const auto part = static_cast<qsizetype>(splitter->indexOf(each));
            const qsizetype other = part == 0 ? 1 : part - 1;
            sizes[part] += pixels;
            sizes[other] -= pixels;
            if (sizes[part] > 0 && sizes[other] > 0) {
                splitter->setSizes(sizes);
                Q_EMIT splitter->splitterMoved(sizes[0], 1);
            }
            return;
        }
        if (auto *dock = qobject_cast<QDockWidget *>(each)) {
            const Qt::DockWidgetArea area = window.dockWidgetArea(dock);
            const bool isBeside = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
            // All docks behind its tabs have the same place.
            QList<QDockWidget *> docks = window.tabifiedDockWidgets(dock);
            docks.prepend(dock);
            const QList<int> sizes(docks.size(), (isBeside ? dock->width() : dock->height()) + pixels);
            return window.resizeDocks(docks, sizes, isBeside ? Qt::Horizontal : Qt::Vertical);
        }
    }
}

} // namespace

void addKeyboardActs(QMainWindow &window, ActionRegistry &actions, const QString &view, const QString &help)
{
    actions.add(u"view.sort"_s, view, QMainWindow::tr("Sort the Table by…"),
        QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S), [] { askForOrder(QApplication::focusWidget()); });
    const auto resize = [&](const QString &id, const QString &words, Qt::Key key, int pixels) {
        actions.add(id, view, words, QKeySequence(Qt::ALT | Qt::SHIFT | key),
            [&window, pixels] { resizePane(window, QApplication::focusWidget(), pixels); });
    };
    resize(u"view.larger"_s, QMainWindow::tr("Make This View Larger"), Qt::Key_Right, kEdgeStep);
    resize(u"view.smaller"_s, QMainWindow::tr("Make This View Smaller"), Qt::Key_Left, -kEdgeStep);
    auto *tips = new TipKey(&window);
    actions.add(u"help.tip"_s, help, QMainWindow::tr("Show the Tool Tip of the Focus"),
        QKeySequence(Qt::CTRL | Qt::Key_F1), [tips] { tips->show(); });
}

} // namespace ui
