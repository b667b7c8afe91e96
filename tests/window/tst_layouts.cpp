// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/opened_window.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/edits/edits_page.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/array_page.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/layouts.h"
#include "ui/mainwindow/main_window.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tuning/tuning_pages.h"
#include "ui/widgets/segmented_control.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using Page = ui::CentrePages::Page;

/// Four layouts, one for each job, and one view that fills the window.
class TestLayouts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanupTestCase();
    void anEmptyWindowShowsNothingButWaysIn();
    void eachLayoutHasItsPanels();
    void aLayoutKeepsItsChanges();
    void theTimelineFoldsToAStrip();
    void aLowWindowFoldsTheTimeline();
    void theDiffHasTwoThirdsOfTheWindow();
    void theOutlineHasAShareOfTheWidth();
    void otherPagesSayNothingOfTheArray();
    void theTimelineOfAnotherFolderIsNotShown();
    void aPanelFillsTheWindow();
    void theArrayAndTheTimelineFillTheWindow();
};

namespace {

QDockWidget *layoutDock(const ui::MainWindow &window, const QString &name)
{
    return window.findChild<QDockWidget *>(name + u"Dock"_s);
}

/// The names of the panels that are not hidden.
QStringList shownPanels(const ui::MainWindow &window)
{
    QStringList names;
    const auto docks = window.findChildren<QDockWidget *>();
    for (const QDockWidget *dock : docks) {
        if (!dock->isHidden())
            names << dock->objectName().chopped(4);
    }
    names.sort();
    return names;
}

ui::TimelineView *timelineOf(const ui::MainWindow &window) { return window.findChild<ui::TimelineView *>(); }

QString editedSession() { return QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s; }

using Opened = testing::OpenedWindow;

} // namespace

void TestLayouts::init() { ui::openSettings().clear(); }

void TestLayouts::cleanupTestCase() { ui::openSettings().clear(); }

void TestLayouts::anEmptyWindowShowsNothingButWaysIn()
{
    ui::MainWindow window;
    window.show();
    QApplication::processEvents();
    QCOMPARE(window.centre().page(), Page::Sessions);
    QCOMPARE(shownPanels(window), QStringList());
    QVERIFY(!timelineOf(window)->isVisible());
    QVERIFY(!window.layouts().pageSwitch()->isVisible());
    for (const QString &name : { u"view.debug"_s, u"view.tune"_s, u"view.edits"_s }) {
        window.actions().action(name)->trigger();
        QCOMPARE(window.centre().page(), Page::Sessions);
    }
}

void TestLayouts::eachLayoutHasItsPanels()
{
    Opened opened;
    QCOMPARE(opened.window.centre().page(), Page::Array);
    const ui::TimelineView *timeline = timelineOf(opened.window);
    QVERIFY(opened.window.layouts().pageSwitch()->isVisible());
    QVERIFY(shownPanels(opened.window).size() > 5);
    QVERIFY(timeline->isVisible() && !timeline->isFolded());
    QTest::keyClick(&opened.window, Qt::Key_3, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(opened.window.centre().page(), Page::Tuning);
    QCOMPARE(shownPanels(opened.window), QStringList { u"policy"_s });
    QVERIFY(timeline->isVisible() && !timeline->isFolded());
    opened.choose(Page::Edits);
    QCOMPARE(shownPanels(opened.window), QStringList());
    QVERIFY(timeline->isVisible() && timeline->isFolded());
    opened.choose(Page::Sessions);
    QCOMPARE(shownPanels(opened.window), QStringList());
    QVERIFY(!timeline->isVisible());
    opened.choose(Page::Array);
    QVERIFY(shownPanels(opened.window).size() > 5);
    QVERIFY(timeline->isVisible() && !timeline->isFolded());
}

void TestLayouts::aLayoutKeepsItsChanges()
{
    {
        Opened opened;
        opened.choose(Page::Tuning);
        opened.window.actions().action(u"view.weight"_s)->trigger();
        opened.choose(Page::Edits);
        QCOMPARE(shownPanels(opened.window), QStringList());
        opened.choose(Page::Tuning);
        QCOMPARE(shownPanels(opened.window), (QStringList { u"policy"_s, u"weight"_s }));
        opened.window.close();
    }
    ui::MainWindow later;
    later.show();
    QVERIFY(later.workspace().openNow(editedSession().toStdString()).has_value());
    later.centre().choose(Page::Tuning);
    QCOMPARE(shownPanels(later), (QStringList { u"policy"_s, u"weight"_s }));
    later.actions().action(u"view.default-layout"_s)->trigger();
    QCOMPARE(shownPanels(later), QStringList { u"policy"_s });
}

void TestLayouts::theTimelineFoldsToAStrip()
{
    Opened opened;
    ui::TimelineView *timeline = timelineOf(opened.window);
    const int full = timeline->height();
    QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(20, 16)); // the mark left of its title
    QApplication::processEvents();
    QVERIFY(timeline->isFolded());
    QVERIFY(timeline->height() * 3 < full);
    // A click in the strip still chooses a call.
    const auto before = opened.window.state().position();
    QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(timeline->width() / 4, timeline->height() - 10));
    QVERIFY(opened.window.state().position() != before);
    for (int item = 0; item < timeline->itemCount(); ++item)
        QVERIFY(timeline->rect().intersects(timeline->itemRect(item)));
    QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(20, 16));
    QApplication::processEvents();
    QCOMPARE(timeline->height(), full);
}

void TestLayouts::aLowWindowFoldsTheTimeline()
{
    Opened low({ 900, 540 });
    low.choose(Page::Array);
    QVERIFY(timelineOf(low.window)->isFolded());
    low.window.actions().action(u"view.fold-timeline"_s)->trigger(); // who wants it unfolds it
    QVERIFY(!timelineOf(low.window)->isFolded());
    low.choose(Page::Tuning);
    low.choose(Page::Array);
    QVERIFY(!timelineOf(low.window)->isFolded());
}

void TestLayouts::theDiffHasTwoThirdsOfTheWindow()
{
    Opened opened;
    opened.choose(Page::Edits);
    opened.window.centre().editsPage()->waitForContent();
    QApplication::processEvents();
    const QWidget *side = opened.window.centre().editsPage()->diffView()->parentWidget();
    const double share = double(side->width()) * side->height() / (1600.0 * 1000.0);
    QVERIFY2(share >= 2.0 / 3, qPrintable(QString::number(share)));
}

void TestLayouts::theOutlineHasAShareOfTheWidth()
{
    Opened opened({ 1280, 800 });
    const QDockWidget *dock = layoutDock(opened.window, u"outline"_s);
    const int narrow = dock->width();
    QVERIFY2(narrow <= 240, qPrintable(QString::number(narrow)));
    opened.window.resize(1920, 1080);
    QApplication::processEvents();
    QVERIFY2(dock->width() >= 1920 * 17 / 100, qPrintable(QString::number(dock->width())));
    // A width of the user's own stays.
    opened.window.resizeDocks({ const_cast<QDockWidget *>(dock) }, { 300 }, Qt::Horizontal);
    QApplication::processEvents();
    QCOMPARE(dock->width(), 300);
    opened.window.resize(1600, 1000);
    QApplication::processEvents();
    QCOMPARE(dock->width(), 300);
}

void TestLayouts::otherPagesSayNothingOfTheArray()
{
    Opened opened;
    const auto *left = opened.window.findChild<QLabel *>(u"statusLeft"_s);
    opened.window.state().setCurrentSlot(core::SlotIndex(1U));
    const QString words = left->text();
    QVERIFY(!words.isEmpty());
    for (const Page page : { Page::Edits, Page::Tuning, Page::Sessions }) {
        opened.choose(page);
        QVERIFY2(left->text().isEmpty(), qPrintable(left->text()));
    }
    opened.choose(Page::Array);
    QCOMPARE(left->text(), words);
}

void TestLayouts::theTimelineOfAnotherFolderIsNotShown()
{
    Opened opened;
    const QTemporaryDir other;
    const ui::TimelineView *timeline = timelineOf(opened.window);
    const std::filesystem::path file = opened.window.workspace().path();
    for (const std::filesystem::path &own : { file, file.parent_path() }) {
        opened.window.tune({ other.path().toStdString() });
        QVERIFY(!timeline->isVisible());
        opened.window.tune({ own });
        QVERIFY(timeline->isVisible());
    }
    opened.window.tune({ other.path().toStdString() });
    const auto *head = opened.window.findChild<QWidget *>(u"headLine"_s);
    const auto *title = opened.window.findChild<QLabel *>(u"policyRunTitle"_s);
    const QString name = QString::fromStdString(file.filename().string());
    QVERIFY(!head->isVisible());
    QVERIFY(title->text().contains(name));
    opened.window.centre().tuningPages()->setPage(ui::TuningPages::Page::Session);
    QVERIFY(timeline->isVisible());
    QVERIFY(head->isVisible());
    QVERIFY(!title->text().contains(name));
}

void TestLayouts::aPanelFillsTheWindow()
{
    Opened opened;
    const QStringList before = shownPanels(opened.window);
    opened.window.actions().action(u"view.message"_s)->trigger();
    QApplication::processEvents();
    const QDockWidget *dock = layoutDock(opened.window, u"message"_s);
    const QSize size = dock->size();
    QTest::keyClick(&opened.window, Qt::Key_F11);
    QApplication::processEvents();
    QCOMPARE(shownPanels(opened.window), QStringList { u"message"_s });
    QVERIFY(dock->width() > 1500 && dock->height() > 800);
    QVERIFY(dock->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(&opened.window, Qt::Key_F11);
    QApplication::processEvents();
    QCOMPARE(shownPanels(opened.window), before);
    QCOMPARE(dock->size(), size);
    // Another page ends it, and the filled state is not remembered.
    QTest::keyClick(&opened.window, Qt::Key_F11);
    opened.choose(Page::Edits);
    QVERIFY(opened.window.centre().isVisible());
    opened.choose(Page::Array);
    QCOMPARE(shownPanels(opened.window), before);
}

void TestLayouts::theArrayAndTheTimelineFillTheWindow()
{
    Opened opened;
    ui::TimelineView *timeline = timelineOf(opened.window);
    const ui::ArrayView &array = opened.window.centre().arrayPage()->array();
    opened.window.centre().arrayPage()->array().setFocus();
    QTest::keyClick(&opened.window, Qt::Key_F11);
    QApplication::processEvents();
    QCOMPARE(shownPanels(opened.window), QStringList());
    QVERIFY(array.isVisible() && !timeline->isVisible());
    QTest::keyClick(&opened.window, Qt::Key_Escape);
    QApplication::processEvents();
    QVERIFY(timeline->isVisible() && shownPanels(opened.window).size() > 5);
    timeline->setFocus();
    QTest::keyClick(&opened.window, Qt::Key_F11);
    QApplication::processEvents();
    QVERIFY(timeline->isVisible() && !array.isVisible());
    QTest::keyClick(&opened.window, Qt::Key_F11);
    QApplication::processEvents();
    QVERIFY(array.isVisible());
}

PALIMPSEST_TEST(TestLayouts)
#include "tst_layouts.moc"
