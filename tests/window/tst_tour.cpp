// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/tour.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QTest>

using namespace Qt::StringLiterals;
using ui::Tour;

namespace {

struct Shown {
    ui::MainWindow window;
    Tour *tour = window.findChild<Tour *>(u"tour"_s);
    QPushButton *next = window.findChild<QPushButton *>(u"tourNext"_s);
    QPushButton *skip = window.findChild<QPushButton *>(u"tourSkip"_s);
    QWidget *frame = window.findChild<QWidget *>(u"tourFrame"_s);
    QLabel *words = window.findChild<QLabel *>(u"tourWords"_s);
    QPushButton *offer = window.findChild<QPushButton *>(u"takeTour"_s);

    Shown()
    {
        window.resize(1280, 800);
        window.restoreDefaultLayout();
        window.show();
    }
    void begin()
    {
        QTRY_VERIFY(offer->isVisible()); // once it is known that there are no sessions
        QTest::mouseClick(offer, Qt::LeftButton);
        QTRY_VERIFY(tour->step().has_value());
    }
    [[nodiscard]] QRect framed() const { return frame->geometry(); }
    [[nodiscard]] QRect placeOf(const QString &name)
    {
        const auto *widget = window.findChild<QWidget *>(name);
        return { widget->mapTo(&window, QPoint()), widget->size() };
    }
};

} // namespace

/// The tour as a new user takes it.
class TestTour final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { ui::openSettings().clear(); }
    void cleanupTestCase() { ui::openSettings().clear(); }
    void aStepIsDoneWhenThePersonDoesIt();
    void nextGoesOnWithoutTheDeed();
    void skippedItCanBeShownAgain();
    void itLeavesTheUsersSessionAlone();
    void anotherSessionEndsIt();
};

void TestTour::aStepIsDoneWhenThePersonDoesIt()
{
    Shown shown;
    QTRY_VERIFY(shown.offer->isVisible() && !shown.tour->isVisible());
    shown.begin();
    QVERIFY(shown.tour->isVisible() && shown.tour->step() == Tour::Step::Compaction && !shown.tour->isDone());
    QVERIFY2(shown.words->text().startsWith(u"Tour 1 of 3 · "_s), qPrintable(shown.words->text()));
    QCOMPARE(shown.framed(), shown.placeOf(u"timeline"_s));
    ui::ViewState &state = shown.window.state();
    const auto &compactions = state.session()->threads.front().compactions;
    QCOMPARE(compactions.size(), size_t(2));
    state.setPosition({ core::ThreadIndex(0U), core::CallIndex(1U) });
    QVERIFY(!shown.tour->isDone()); // another call
    auto *timeline = shown.window.findChild<ui::TimelineView *>();
    for (int item = 0; item < timeline->itemCount(); ++item) {
        if (timeline->itemName(item).startsWith(u"compaction 2"_s))
            timeline->activateItem(item);
    }
    QTRY_VERIFY(shown.tour->isDone());
    QVERIFY2(shown.words->text().contains(u" slots with 1 slot: "_s), qPrintable(shown.words->text()));

    QTest::mouseClick(shown.next, Qt::LeftButton);
    QCOMPARE(shown.tour->step(), std::optional(Tour::Step::Loss));
    QVERIFY(!shown.tour->isDone());
    QCOMPARE(shown.framed(), shown.placeOf(u"findings"_s));
    QTRY_VERIFY(shown.window.workspace().findings().get() != nullptr);
    // The first finding is the lost message. Its link leads to it.
    QVERIFY(!shown.window.workspace().findings().get()->findings.empty());
    state.setCurrentBlock(core::BlockId(1U)); // the model's text
    QVERIFY(!shown.tour->isDone());
    state.setCurrentBlock(core::BlockId(0U));
    QVERIFY(shown.tour->isDone());
    QVERIFY2(shown.words->text().contains(u"Do not rename anything public"_s), qPrintable(shown.words->text()));
    QVERIFY2(
        shown.words->text().contains(u"The array at the end does not have it."_s), qPrintable(shown.words->text()));

    QTest::mouseClick(shown.next, Qt::LeftButton);
    QVERIFY(shown.tour->step() == Tour::Step::Policy && !shown.tour->isDone() && !shown.skip->isVisible());
    // A policy that has nothing to do here is no example.
    shown.window.actions().action(u"policy.preset.genkit-recipe"_s)->trigger();
    QTRY_VERIFY(shown.tour->isDone());
    QVERIFY2(shown.words->text().contains(u"changes nothing"_s), qPrintable(shown.words->text()));
    shown.window.actions().action(u"policy.preset.claw-before-last-user"_s)->trigger();
    QTRY_VERIFY2(shown.words->text().contains(u"Before: "_s), qPrintable(shown.words->text()));
    shown.window.resize(1500, 900);
    QApplication::processEvents();
    QCOMPARE(shown.framed(), shown.placeOf(u"policy"_s));

    QTest::mouseClick(shown.next, Qt::LeftButton);
    QVERIFY(!shown.tour->isVisible() && !shown.frame->isVisible() && !shown.tour->step());
}

void TestTour::nextGoesOnWithoutTheDeed()
{
    Shown shown;
    shown.begin();
    shown.next->setFocus();
    QTest::keyClick(shown.next, Qt::Key_Space);
    QCOMPARE(shown.tour->step(), std::optional(Tour::Step::Loss));
    QTest::keyClick(shown.next, Qt::Key_Space);
    QTest::keyClick(shown.next, Qt::Key_Space);
    QVERIFY(!shown.tour->step());
    QVERIFY(!shown.window.workspace().plan().policy); // it chooses nothing by itself
}

void TestTour::skippedItCanBeShownAgain()
{
    Shown shown;
    shown.begin();
    QTest::mouseClick(shown.skip, Qt::LeftButton);
    QVERIFY(!shown.tour->isVisible());
    // Asked for, it is shown all the same.
    shown.window.actions().action(u"help.tour"_s)->trigger();
    QTRY_COMPARE(shown.tour->step(), std::optional(Tour::Step::Compaction));
}

void TestTour::itLeavesTheUsersSessionAlone()
{
    Shown shown;
    QVERIFY(shown.window.workspace().openNow(testing::samplePath(u"messages-21.codex.jsonl"_s).toStdString()));
    const core::SessionPtr own = shown.window.state().session();
    shown.window.actions().action(u"help.tour"_s)->trigger();
    ui::MainWindow *other = nullptr;
    const auto windows = QApplication::topLevelWidgets();
    for (QWidget *each : windows) {
        if (auto *found = qobject_cast<ui::MainWindow *>(each); found != nullptr && found != &shown.window)
            other = found;
    }
    QVERIFY(other != nullptr);
    QTRY_VERIFY(other->findChild<Tour *>(u"tour"_s)->step().has_value());
    QVERIFY(shown.window.state().session() == own && !shown.tour->step());
    // Its window goes with it.
    const QPointer<QWidget> ofTour(other);
    other->findChild<QPushButton *>(u"tourSkip"_s)->click();
    QTRY_VERIFY(!ofTour);
    QVERIFY(shown.window.isVisible());
}

void TestTour::anotherSessionEndsIt()
{
    Shown shown;
    shown.begin();
    QVERIFY(shown.window.workspace().openNow(testing::samplePath(u"messages-21.codex.jsonl"_s).toStdString()));
    QVERIFY(!shown.tour->step() && !shown.tour->isVisible());
}

PALIMPSEST_TEST(TestTour)

#include "tst_tour.moc"
