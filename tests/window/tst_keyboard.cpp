// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/opened_window.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/edits/edits_page.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/empty_page.h"
#include "ui/mainwindow/keys_page.h"
#include "ui/mainwindow/layouts.h"
#include "ui/mainwindow/main_window.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/map/front_view.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/segmented_control.h"

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPointer>
#include <QSet>
#include <QTableWidget>
#include <QTest>
#include <QToolTip>
#include <QTreeView>

using namespace Qt::StringLiterals;
using Page = ui::CentrePages::Page;

namespace {

/// A window of a session, in front.
struct Opened : testing::OpenedWindow {
    Opened() { QVERIFY(QTest::qWaitForWindowActive(&window)); }
    void trigger(const QString &id) { window.actions().action(id)->trigger(); }
    [[nodiscard]] QRect placeOf(const QWidget &widget) const
    {
        return { widget.mapTo(&window, QPoint()), widget.size() };
    }
};

constexpr int kMostLinks = 20;

/// For messages.
QString nameOf(const QWidget &widget)
{
    return u"%1 “%2” in %3"_s.arg(QString::fromLatin1(widget.metaObject()->className()), widget.objectName(),
        widget.parentWidget() != nullptr ? widget.parentWidget()->objectName() : QString());
}

} // namespace

/// The window without a pointer.
class TestKeyboard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanupTestCase();
    void aClickTakesTheRingAway();
    void theRingFollowsItsWidget();
    void aToolTipIsAskedForByItsKey();
    void aTableIsSortedByKeys();
    void edgesMoveByKeys();
    void theFrontIsSteppedThrough();
    void keysOfViewsAreListed();
    void tabReachesAllThatIsInSight_data();
    void tabReachesAllThatIsInSight();
};

void TestKeyboard::init() { ui::openSettings().clear(); }

void TestKeyboard::cleanupTestCase() { ui::openSettings().clear(); }

void TestKeyboard::aClickTakesTheRingAway()
{
    Opened opened;
    auto *array = opened.window.findChild<ui::ArrayView *>();
    opened.window.findChild<ui::TimelineView *>()->setFocus();
    const auto hasRing = [&] {
        const auto *ring = opened.window.findChild<QWidget *>(u"focusRing"_s);
        return ring != nullptr && ring->isVisible();
    };
    QTest::mouseClick(array, Qt::LeftButton, {}, array->rect().center());
    QVERIFY(array->hasFocus());
    QVERIFY(!hasRing());
    QTest::keyClick(array, Qt::Key_Tab);
    QVERIFY(hasRing());
    QTest::mouseClick(array, Qt::LeftButton, {}, array->rect().center());
    QVERIFY(!hasRing());
}

void TestKeyboard::theRingFollowsItsWidget()
{
    Opened opened;
    auto *array = opened.window.findChild<ui::ArrayView *>();
    QTest::keyClick(&opened.window, Qt::Key_Tab);
    opened.window.findChild<ui::TimelineView *>()->setFocus();
    array->setFocus();
    const QPointer<QWidget> ring = opened.window.findChild<QWidget *>(u"focusRing"_s);
    QVERIFY(ring && ring->isVisible());
    QVERIFY(ring->geometry().contains(opened.placeOf(*array)));
    QVERIFY(opened.placeOf(*array).adjusted(-3, -3, 3, 3).contains(ring->geometry()));
    opened.window.resize(1300, 900);
    QApplication::processEvents();
    QVERIFY(ring->geometry().contains(opened.placeOf(*array)));
    QVERIFY(opened.placeOf(*array).adjusted(-3, -3, 3, 3).contains(ring->geometry()));
    const QRect before = ring->geometry();
    opened.choose(Page::Tuning);
    QVERIFY(!ring || !ring->isVisible() || ring->geometry() != before); // the array is not there
}

void TestKeyboard::aToolTipIsAskedForByItsKey()
{
    Opened opened;
    auto *array = opened.window.findChild<ui::ArrayView *>();
    array->setFocus();
    opened.window.state().setCurrentSlot(core::SlotIndex(0U));
    opened.trigger(u"help.tip"_s);
    QTRY_VERIFY(QToolTip::isVisible());
    QVERIFY2(QToolTip::text().contains(u"token"_s), qPrintable(QToolTip::text()));
    const QString first = QToolTip::text();
    opened.window.findChild<ui::TimelineView *>()->setFocus();
    opened.trigger(u"help.tip"_s);
    QTRY_VERIFY(QToolTip::text() != first);
    QVERIFY2(QToolTip::text().contains(u"call "_s), qPrintable(QToolTip::text()));
    QToolTip::hideText();
}

void TestKeyboard::aTableIsSortedByKeys()
{
    Opened opened;
    opened.trigger(u"view.weight"_s);
    auto *table = opened.window.findChild<QTreeView *>(u"weightTable"_s);
    QTRY_VERIFY(table->isVisible());
    table->setFocus();
    const auto sortBy = [&](int entry) {
        opened.trigger(u"view.sort"_s);
        auto *menu = table->findChild<QMenu *>(u"sortMenu"_s);
        QVERIFY(menu != nullptr);
        menu->actions()[entry]->trigger();
        menu->close();
        QApplication::sendPostedEvents(menu, QEvent::DeferredDelete);
    };
    sortBy(0);
    QCOMPARE(table->header()->sortIndicatorSection(), 0);
    const Qt::SortOrder order = table->header()->sortIndicatorOrder();
    sortBy(0);
    QVERIFY(table->header()->sortIndicatorOrder() != order);
    opened.window.findChild<ui::ArrayView *>()->setFocus();
    opened.trigger(u"view.sort"_s); // there is no table: nothing happens
    QVERIFY(QApplication::activePopupWidget() == nullptr);
}

void TestKeyboard::edgesMoveByKeys()
{
    Opened opened;
    auto *timeline = opened.window.findChild<ui::TimelineView *>();
    timeline->setFocus();
    const int height = timeline->height();
    opened.trigger(u"view.larger"_s);
    QApplication::processEvents();
    QVERIFY(timeline->height() > height);
    opened.trigger(u"view.smaller"_s);
    QApplication::processEvents();
    QCOMPARE(timeline->height(), height);
}

void TestKeyboard::theFrontIsSteppedThrough()
{
    Opened opened;
    ui::Workspace &workspace = opened.window.workspace();
    workspace.commitPlan(workspace.planWith(core::preset("deep-agents")), u"Choose"_s);
    opened.choose(Page::Tuning);
    auto *front = opened.window.findChild<ui::FrontView *>(u"tuningFront"_s);
    QVERIFY(front != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(front->itemCount() > 1, 60'000);
    front->setFocus();
    QTest::keyClick(front, Qt::Key_Right);
    QCOMPARE(front->currentItem(), 0);
    QTest::keyClick(front, Qt::Key_Right);
    QCOMPARE(front->currentItem(), 1);
    const QString name = front->itemName(1);
    QVERIFY2(name.contains(u"keep "_s) && name.contains(u"trigger "_s), qPrintable(name));
    const core::PolicyPtr before = workspace.plan().policy;
    QTest::keyClick(front, Qt::Key_Return);
    QVERIFY(workspace.plan().policy != before);
}

void TestKeyboard::keysOfViewsAreListed()
{
    Opened opened;
    const ui::KeysPage page(opened.window.actions(), nullptr);
    const auto *table = page.findChild<QTableWidget *>();
    QString keys;
    for (int row = 0; row < table->rowCount(); ++row) {
        if (const QTableWidgetItem *item = table->item(row, 2))
            keys += item->text() + u'\n';
        QVERIFY(!table->item(row, 1)->text().isEmpty());
    }
    for (const QString &key : { u"Shift+Left"_s, u"Ctrl+Space"_s, u"Shift+M"_s, u"Shift+T"_s, u"Shift+F10"_s })
        QVERIFY2(keys.contains(key), qPrintable(key));
}

void TestKeyboard::tabReachesAllThatIsInSight_data()
{
    QTest::addColumn<Page>("page");
    QTest::newRow("Debug") << Page::Array;
    QTest::newRow("Tune") << Page::Tuning;
    QTest::newRow("Edits") << Page::Edits;
    QTest::newRow("Sessions") << Page::Sessions;
}

/// Tab goes round all widgets that take the focus and are in sight, and through no others.
void TestKeyboard::tabReachesAllThatIsInSight()
{
    QFETCH(const Page, page);
    Opened opened;
    ui::Workspace &workspace = opened.window.workspace();
    workspace.commitPlan(workspace.planWith(core::preset("deep-agents")), u"Choose"_s);
    opened.window.centre().setPage(page);
    if (page == Page::Tuning)
        opened.window.centre().tuningPages()->waitForMap();
    opened.window.centre().editsPage()->waitForContent();
    if (page == Page::Sessions)
        QTRY_VERIFY(opened.window.centre().emptyPage()->isVisible());
    QApplication::processEvents();
    QTest::qWait(200);
    opened.window.layouts().pageSwitch()->setFocus();
    QList<const QWidget *> inSight;
    const auto all = opened.window.findChildren<QWidget *>();
    for (const QWidget *each : all) {
        const bool takesFocus = (each->focusPolicy() & Qt::TabFocus) != 0 && each->isEnabled() && !each->focusProxy();
        if (takesFocus && !each->visibleRegion().isEmpty())
            inSight << each;
    }
    QVERIFY(inSight.size() > 3);
    QSet<const QWidget *> met;
    for (const QWidget *now = QApplication::focusWidget(); now != nullptr && !met.contains(now);
        now = QApplication::focusWidget()) {
        met.insert(now);
        QVERIFY2(!now->visibleRegion().isEmpty(), qPrintable(nameOf(*now)));
        QTest::qWait(20); // a control may come with the focus
        for (int link = 0; link < kMostLinks && QApplication::focusWidget() == now; ++link)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab); // goes through the links of a text
    }
    for (const QWidget *each : std::as_const(inSight))
        QVERIFY2(met.contains(each), qPrintable(nameOf(*each)));
}

PALIMPSEST_TEST(TestKeyboard)

#include "tst_keyboard.moc"
