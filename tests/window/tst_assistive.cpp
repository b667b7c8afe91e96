// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/opened_window.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/main_window.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/painted_accessible.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QTest>
#include <QUndoStack>

#include <set>

using namespace Qt::StringLiterals;
using Page = ui::CentrePages::Page;

namespace {

QAccessibleInterface *interfaceOf(QObject *object) { return QAccessible::queryAccessibleInterface(object); }

QAccessibleInterface *childNamed(const QAccessibleInterface &view, const QString &name)
{
    for (int i = 0; i < view.childCount(); ++i) {
        if (view.child(i)->text(QAccessible::Name).startsWith(name))
            return view.child(i);
    }
    return nullptr;
}

struct Opened : testing::OpenedWindow {
    Opened() { QVERIFY(QTest::qWaitForWindowActive(&window)); }
    [[nodiscard]] ui::ArrayView &array() { return *window.findChild<ui::ArrayView *>(); }
    [[nodiscard]] ui::TimelineView &timeline() { return *window.findChild<ui::TimelineView *>(); }
};

/// The array of a long session, shown alone.
struct LongArray {
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::ArrayView view { state };

    explicit LongArray(int calls)
    {
        std::string line = "u:10";
        for (int i = 0; i < calls; ++i)
            line += " c:20 t:400";
        workspace.show(core::session(line.c_str()));
        view.resize(900, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
};

} // namespace

/// Painted items as assistive technology meets them.
class TestAssistive : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanupTestCase();
    void everyItemInSightHasANameInWords_data();
    void everyItemInSightHasANameInWords();
    void everyRowOfAListHasAName();
    void childrenAreThoseInSight();
    void objectsOutOfSightAreForgotten();
    void theFocusIsOnTheCurrentItem();
    void keepIsASlider();
    void triggerIsASlider();
    void theWordsOfAControlArePressed();
};

void TestAssistive::initTestCase() { ui::installPaintedAccessibility(); }

void TestAssistive::init() { ui::openSettings().clear(); }

void TestAssistive::cleanupTestCase() { ui::openSettings().clear(); }

void TestAssistive::everyItemInSightHasANameInWords_data()
{
    QTest::addColumn<int>("page");
    QTest::newRow("the array") << static_cast<int>(Page::Array);
    QTest::newRow("the tuning") << static_cast<int>(Page::Tuning);
    QTest::newRow("the edits") << static_cast<int>(Page::Edits);
}

void TestAssistive::everyItemInSightHasANameInWords()
{
    QFETCH(const int, page);
    Opened opened;
    ui::Workspace &workspace = opened.window.workspace();
    workspace.commitPlan(workspace.planWith(core::preset("deep-agents")), u"Choose"_s);
    opened.window.centre().choose(static_cast<Page>(page));
    QApplication::processEvents();
    size_t views = 0;
    const auto widgets = opened.window.findChildren<QWidget *>();
    for (QWidget *widget : widgets) {
        const auto *items = dynamic_cast<ui::PaintedItems *>(widget);
        if (items == nullptr || !widget->isVisible())
            continue;
        ++views;
        const QAccessibleInterface *view = interfaceOf(widget);
        QVERIFY2(!view->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
        QCOMPARE(view->childCount(), static_cast<int>(items->itemsInSight().size()));
        int previous = -1;
        for (int i = 0; i < view->childCount(); ++i) {
            QAccessibleInterface *item = view->child(i);
            const QString name = item->text(QAccessible::Name);
            QVERIFY2(!name.isEmpty() && !name.contains(u'\n'), qPrintable(widget->objectName() + u": "_s + name));
            QVERIFY2(!item->text(QAccessible::Description).isEmpty(), qPrintable(name));
            QCOMPARE(view->indexOfChild(item), i);
            QCOMPARE(item->parent(), view);
            QVERIFY(items->itemsInSight()[static_cast<size_t>(i)] > previous);
            previous = items->itemsInSight()[static_cast<size_t>(i)];
            const bool isLine = item->role() == QAccessible::Slider;
            QCOMPARE(item->valueInterface() != nullptr, isLine);
            QVERIFY(!item->actionInterface()->actionNames().isEmpty());
        }
    }
    QVERIFY(views >= 2); // the timeline, the switch of the layouts, and what the page has
}

void TestAssistive::everyRowOfAListHasAName()
{
    Opened opened;
    ui::Workspace &workspace = opened.window.workspace();
    workspace.commitPlan(workspace.planWith(core::preset("deep-agents")), u"Choose"_s);
    workspace.findings().waitForFindings();
    opened.window.state().waitForPicture();
    QTest::qWait(300);
    const auto lists = opened.window.findChildren<QAbstractItemView *>();
    QStringList named;
    for (const QAbstractItemView *list : lists) {
        const QAbstractItemModel *model = list->model();
        if (model == nullptr || model->rowCount() == 0 || list->objectName().isEmpty())
            continue;
        named << list->objectName();
        for (int row = 0; row < model->rowCount(); ++row) {
            QString words;
            for (int column = 0; column < model->columnCount(); ++column) {
                const QModelIndex cell = model->index(row, column);
                const QString spoken = cell.data(Qt::AccessibleTextRole).toString();
                words += spoken.isEmpty() ? cell.data(Qt::DisplayRole).toString() : spoken;
            }
            const bool isHeading = !(model->flags(model->index(row, 0)) & Qt::ItemIsEnabled);
            QVERIFY2(isHeading || !words.trimmed().isEmpty(),
                qPrintable(u"row %1 of %2 has no words"_s.arg(row).arg(list->objectName())));
        }
    }
    for (const QString &name :
        { u"outlineTree"_s, u"weightTable"_s, u"findingsTable"_s, u"callsTable"_s, u"typedTable"_s })
        QVERIFY2(named.contains(name), qPrintable(name + u" not in "_s + named.join(u' ')));
}

void TestAssistive::childrenAreThoseInSight()
{
    LongArray shown(4'000);
    ui::ArrayView &view = shown.view;
    ui::ViewState &state = shown.state;
    const QAccessibleInterface *list = interfaceOf(&view);
    QVERIFY2(list->childCount() < 700, qPrintable(QString::number(list->childCount())));
    view.zoomAt(1e6, 300);
    state.setCurrentSlot(core::SlotIndex(4'000U));
    QVERIFY(list->childCount() < 60);
    QAccessibleInterface *current = childNamed(*list, u"slot 4000,"_s);
    QVERIFY(current != nullptr);
    QVERIFY(current->state().selected);
    QVERIFY(!current->state().offscreen);
    QVERIFY(childNamed(*list, u"slot 10,"_s) == nullptr);
    const QPoint middle = current->rect().center();
    QCOMPARE(list->childAt(middle.x(), middle.y()), current);
}

void TestAssistive::objectsOutOfSightAreForgotten()
{
    LongArray shown(3'000);
    ui::ArrayView &view = shown.view;
    ui::ViewState &state = shown.state;
    view.zoomAt(1e6, 300);
    QAccessibleInterface *list = interfaceOf(&view);
    state.setCurrentSlot(core::SlotIndex(0U));
    const QAccessible::Id first = QAccessible::uniqueId(childNamed(*list, u"slot 0,"_s));
    for (uint32_t slot = 0; slot < 6'000; slot += 5) {
        state.setCurrentSlot(core::SlotIndex(slot));
        for (int i = 0; i < list->childCount(); ++i)
            QVERIFY(list->child(i)->isValid());
    }
    QVERIFY(QAccessible::accessibleInterface(first) == nullptr);
}

/// What it tells of the focus is told on the bus alone: tests/independent/assistive.py listens there.
void TestAssistive::theFocusIsOnTheCurrentItem()
{
    Opened opened;
    opened.timeline().setFocus();
    opened.window.state().setCurrentSlot(core::SlotIndex(3U));
    const QAccessibleInterface *array = interfaceOf(&opened.array());
    QVERIFY(!childNamed(*array, u"slot 3,"_s)->state().focused); // the timeline has it
    opened.array().setFocus();
    QVERIFY(childNamed(*array, u"slot 3,"_s)->state().focused);
    QTest::keyClick(&opened.array(), Qt::Key_Right);
    QVERIFY(!childNamed(*array, u"slot 3,"_s)->state().focused);
    const QAccessibleInterface *slot = array->focusChild();
    QVERIFY(slot != nullptr);
    QVERIFY(slot->text(QAccessible::Name).startsWith(u"slot 4,"_s));
    QVERIFY(slot->state().focused && slot->state().selected);
    opened.timeline().setFocus();
    QTest::keyClick(&opened.timeline(), Qt::Key_Home);
    QVERIFY(interfaceOf(&opened.timeline())->focusChild()->text(QAccessible::Name).startsWith(u"call 0,"_s));
}

void TestAssistive::keepIsASlider()
{
    Opened opened;
    ui::ArrayView &array = opened.array();
    opened.window.workspace().previewKeep({ 6, core::Measure::Unit::Messages });
    const auto slots = static_cast<double>(opened.window.state().picture().before.slotCount());
    QAccessibleInterface *keep = childNamed(*interfaceOf(&array), u"keep 6 messages, the last 6 of "_s);
    QVERIFY(keep != nullptr);
    QCOMPARE(keep->role(), QAccessible::Slider);
    QAccessibleValueInterface *value = keep->valueInterface();
    QCOMPARE(value->currentValue().toDouble(), 6.0);
    QCOMPARE(value->minimumValue().toDouble(), 1.0);
    QCOMPARE(value->maximumValue().toDouble(), slots);
    const int steps = opened.window.workspace().undoStack().count();
    value->setCurrentValue(9);
    QTRY_COMPARE(opened.window.state().picture().cutoff, static_cast<size_t>(slots) - 9);
    QCOMPARE(opened.window.workspace().undoStack().count(), steps + 1);
    keep->actionInterface()->doAction(QAccessibleActionInterface::increaseAction());
    QTRY_COMPARE(value->currentValue().toDouble(), 10.0);
    value->setCurrentValue(1e9);
    QTRY_COMPARE(value->currentValue().toDouble(), slots);
}

void TestAssistive::triggerIsASlider()
{
    Opened opened;
    ui::Workspace &workspace = opened.window.workspace();
    const QAccessibleInterface *timeline = interfaceOf(&opened.timeline());
    QVERIFY(childNamed(*timeline, u"trigger"_s) == nullptr);
    core::Policy policy = core::withSetting(*core::preset("deep-agents"), "trigger", "60000tok").value();
    workspace.commitPlan(workspace.planWith(std::make_shared<const core::Policy>(std::move(policy))), u"Choose"_s);
    QAccessibleInterface *trigger = childNamed(*timeline, u"trigger, "_s);
    QVERIFY(trigger != nullptr);
    QVERIFY(trigger->text(QAccessible::Name).contains(u"60,000 tokens"_s));
    QAccessibleValueInterface *value = trigger->valueInterface();
    QCOMPARE(value->currentValue().toDouble(), 60'000.0);
    const int steps = workspace.undoStack().count();
    value->setCurrentValue(40'000);
    QCOMPARE(value->currentValue().toDouble(), 40'000.0);
    QCOMPARE(workspace.plan().policy->trigger.text(), std::string("40000tok"));
    QCOMPARE(workspace.undoStack().count(), steps + 1);
    const double step = value->minimumStepSize().toDouble();
    trigger->actionInterface()->doAction(QAccessibleActionInterface::decreaseAction());
    QCOMPARE(value->currentValue().toDouble(), 40'000.0 - step);
}

void TestAssistive::theWordsOfAControlArePressed()
{
    ui::SegmentedControl control({ u"One"_s, u"Two"_s, u"Three"_s });
    control.show();
    QVERIFY(QTest::qWaitForWindowExposed(&control));
    const QAccessibleInterface *list = interfaceOf(&control);
    QCOMPARE(list->childCount(), 3);
    QCOMPARE(list->child(1)->text(QAccessible::Name), u"Two"_s);
    QVERIFY(list->child(0)->state().selected);
    list->child(2)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(control.current(), 2);
    QVERIFY(list->child(2)->state().selected);
    const QPoint middle = list->child(1)->rect().center();
    QCOMPARE(list->childAt(middle.x(), middle.y()), list->child(1));
}

PALIMPSEST_TEST(TestAssistive)

#include "tst_assistive.moc"
