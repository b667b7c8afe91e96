// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/files/settings.h"
#include "ui/hub/thread_facts.h"
#include "ui/mainwindow/layouts.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/panel_docks.h"
#include "ui/mainwindow/panels.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;

/// What follows from a row of the table of panels.
class TestPanels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowHasItsOwnNamesAndKey();
    void everyRowIsADockAnActionAndAPicture();
    void theDefaultLayoutShowsTheFirstOfEachArea();
    void aKeyShowsAPanel();
    void aKeyHidesThePolicyPanelFromEachOfItsFields();
    void aLayoutWithoutAPanelLeavesItInItsArea();
    void everyKeyTogglesItsPanel();
    void aPanelWithoutContentHasNoTab();
    void theKeyOfAHiddenPanelSaysWhy();
    void aHiddenTabComesBackWithALayout();
};

namespace {

/// Opens a session without compactions, rewrites and costs.
void openFigure(ui::MainWindow &window)
{
    window.open(testing::samplePath(u"messages-21.genkit.json"_s).toStdString());
}

QDockWidget *dockOf(const ui::MainWindow &window, const QString &name)
{
    return window.findChild<QDockWidget *>(name + u"Dock"_s);
}

/// Not hidden, and not behind the tab of another: the window moves those out of its area.
bool isInSight(const ui::MainWindow &window, const QDockWidget &dock)
{
    return dock.isVisible() && window.rect().contains(dock.geometry().center());
}

} // namespace

void TestPanels::everyRowHasItsOwnNamesAndKey()
{
    QSet<QString> names;
    QSet<int> keys;
    for (const ui::PanelKind &kind : ui::panelKinds()) {
        for (const QString &name : QStringList(kind.name) + kind.otherPictures) {
            QVERIFY2(!names.contains(name), qPrintable(name));
            names.insert(name);
        }
        QVERIFY2(!keys.contains(kind.key), qPrintable(kind.name));
        keys.insert(kind.key);
        QVERIFY(!kind.title.isEmpty());
    }
}

void TestPanels::everyRowIsADockAnActionAndAPicture()
{
    ui::MainWindow window;
    for (const ui::PanelKind &kind : ui::panelKinds()) {
        const QDockWidget *dock = dockOf(window, kind.name);
        QVERIFY2(dock != nullptr && dock->windowTitle() == kind.title, qPrintable(kind.name));
        const auto *action = window.findChild<QAction *>(u"view."_s + kind.name);
        QVERIFY2(action != nullptr && action->text() == kind.title, qPrintable(kind.name));
        const bool hasKey = kind.key != Qt::Key_unknown;
        QCOMPARE(action->shortcut(), hasKey ? QKeySequence(Qt::CTRL | kind.key) : QKeySequence());
        for (const QString &name : QStringList(kind.name) + kind.otherPictures)
            QVERIFY2(ui::MainWindow::viewNames().contains(name), qPrintable(name));
    }
}

void TestPanels::theDefaultLayoutShowsTheFirstOfEachArea()
{
    ui::MainWindow window;
    window.show();
    openFigure(window);
    QTRY_VERIFY(window.workspace().session());
    window.restoreDefaultLayout();
    QApplication::processEvents();
    QSet<int> areas;
    for (const ui::PanelKind &kind : ui::panelKinds()) {
        const QDockWidget *dock = dockOf(window, kind.name);
        QCOMPARE(window.dockWidgetArea(const_cast<QDockWidget *>(dock)), kind.area);
        QCOMPARE(isInSight(window, *dock), !areas.contains(kind.area));
        areas.insert(kind.area);
    }
}

void TestPanels::aKeyShowsAPanel()
{
    ui::MainWindow window;
    window.show();
    QApplication::processEvents();
    for (const ui::PanelKind &kind : ui::panelKinds()) {
        QDockWidget *dock = dockOf(window, kind.name);
        auto *action = window.findChild<QAction *>(u"view."_s + kind.name);
        dock->hide();
        action->trigger();
        QApplication::processEvents();
        QVERIFY2(isInSight(window, *dock), qPrintable(kind.name));
    }
}

void TestPanels::aKeyHidesThePolicyPanelFromEachOfItsFields()
{
    ui::MainWindow window;
    window.resize(1500, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(
        window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/samples/messages-21.genkit.json"));
    window.workspace().previewPlan(window.workspace().planWith(core::preset("genkit-recipe-figure")));
    QDockWidget *dock = dockOf(window, u"policy"_s);
    dock->show();
    dock->raise();
    QApplication::processEvents();
    int count = 0;
    for (QWidget *field : dock->findChildren<QWidget *>()) {
        if (field->focusPolicy() == Qt::NoFocus || !field->isVisible() || !field->isEnabled())
            continue;
        ++count;
        field->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_4, Qt::ControlModifier);
        QVERIFY2(dock->isHidden(),
            qPrintable(field->objectName() + u' ' + QLatin1StringView(field->metaObject()->className())));
        dock->show();
        dock->raise();
        QApplication::processEvents();
    }
    QVERIFY(count > 5);
}

/// As one that an earlier version wrote, which had no such panel.
void TestPanels::aLayoutWithoutAPanelLeavesItInItsArea()
{
    const QString name = ui::panelKinds().back().name;
    {
        ui::MainWindow window;
        window.show();
        openFigure(window);
        QTRY_VERIFY(window.workspace().session());
        // The layout remembers whether the dock was shown.
        window.workspace().commitPlan(window.workspace().planWith(core::preset("genkit-recipe-figure")), u"a policy"_s);
        window.state().waitForPicture();
        delete dockOf(window, name);
        ui::openSettings().setValue(u"layout/debug/docks"_s, window.saveState());
    }
    ui::MainWindow window;
    window.show();
    openFigure(window);
    QTRY_VERIFY(window.workspace().session());
    QApplication::processEvents();
    QDockWidget *dock = dockOf(window, name);
    QCOMPARE(window.dockWidgetArea(dock), ui::panelKinds().back().area);
    QVERIFY(dock->isHidden()); // the sample has no rewrites yet
    window.workspace().commitPlan(window.workspace().planWith(core::preset("genkit-recipe-figure")), u"a policy"_s);
    window.state().waitForPicture();
    QVERIFY2(!dock->isHidden(), qPrintable(name));
    QVERIFY(!window.tabifiedDockWidgets(dock).isEmpty());
    ui::openSettings().remove(u"layout"_s);
}

void TestPanels::everyKeyTogglesItsPanel()
{
    ui::MainWindow window;
    window.resize(1600, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    window.workspace().facts().waitForFacts();
    for (const ui::PanelKind &kind : ui::panelKinds()) {
        if (kind.key < Qt::Key_0 || kind.key > Qt::Key_9)
            continue;
        QDockWidget *dock = dockOf(window, kind.name);
        window.findChild<ui::ArrayView *>()->setFocus();
        QTest::keyClick(QApplication::focusWidget(), kind.key, Qt::ControlModifier);
        QApplication::processEvents();
        QVERIFY2(isInSight(window, *dock), qPrintable(kind.name));
        QVERIFY2(dock->isAncestorOf(QApplication::focusWidget()), qPrintable(kind.name));
        QTest::keyClick(QApplication::focusWidget(), kind.key, Qt::ControlModifier);
        QVERIFY2(dock->isHidden(), qPrintable(kind.name));
        QTest::keyClick(QApplication::focusWidget(), kind.key, Qt::ControlModifier);
        QVERIFY2(!dock->isHidden(), qPrintable(kind.name));
    }
}

void TestPanels::aPanelWithoutContentHasNoTab()
{
    ui::MainWindow window;
    window.resize(1500, 1000);
    window.show();
    openFigure(window);
    QTRY_VERIFY(window.workspace().session());
    window.restoreDefaultLayout();
    window.workspace().facts().waitForFacts();
    QApplication::processEvents();
    const auto isShown = [&](const QString &name) { return !dockOf(window, name)->isHidden(); };
    QVERIFY(isShown(u"message"_s) && isShown(u"search"_s) && isShown(u"findings"_s));
    for (const QString &name : { u"compactions"_s, u"rewrites"_s, u"bookmarks"_s })
        QVERIFY2(!isShown(name), qPrintable(name));
    dockOf(window, u"message"_s)->raise();
    window.workspace().commitPlan(window.workspace().planWith(core::preset("genkit-recipe-figure")), u"a policy"_s);
    window.state().waitForPicture();
    QApplication::processEvents();
    QVERIFY(isShown(u"compactions"_s) && isShown(u"rewrites"_s));
    QVERIFY(isInSight(window, *dockOf(window, u"message"_s))); // the tab in front stays there
    window.workspace().undoStack().undo();
    window.state().waitForPicture();
    QVERIFY(!isShown(u"compactions"_s) && !isShown(u"rewrites"_s));
    // What the user has hidden stays hidden.
    window.workspace().undoStack().redo();
    window.state().waitForPicture();
    dockOf(window, u"rewrites"_s)->hide();
    window.workspace().undoStack().undo();
    window.workspace().undoStack().redo();
    window.state().waitForPicture();
    QVERIFY(!isShown(u"rewrites"_s) && isShown(u"compactions"_s));
}

void TestPanels::theKeyOfAHiddenPanelSaysWhy()
{
    ui::MainWindow window;
    window.resize(1500, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    openFigure(window);
    QTRY_VERIFY(window.workspace().session());
    window.restoreDefaultLayout();
    QApplication::processEvents();
    const auto *words = window.findChild<QLabel *>(u"statusLeft"_s);
    for (const QString &name : { u"compactions"_s, u"rewrites"_s }) {
        const QWidget *focus = QApplication::focusWidget();
        window.actions().action(u"view."_s + name)->trigger();
        QVERIFY(dockOf(window, name)->isHidden());
        QVERIFY(QApplication::focusWidget() == focus);
        QVERIFY2(words->text().contains(u"Choose a policy"_s), qPrintable(words->text()));
        window.state().setCurrentSlot(core::SlotIndex(3U));
        QVERIFY(!words->text().contains(u"Choose a policy"_s));
    }
    window.actions().action(u"go.next-rewrite"_s)->trigger();
    QVERIFY(dockOf(window, u"rewrites"_s)->isHidden());
    // The name of the slot is copied, not the sentence.
    window.actions().action(u"edit.copy-link"_s)->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(u"[3]"_s));
}

/// A layout is stored with the tabs that were hidden as they had no content.
void TestPanels::aHiddenTabComesBackWithALayout()
{
    {
        ui::MainWindow window;
        window.show();
        openFigure(window);
        QTRY_VERIFY(window.workspace().session());
        window.restoreDefaultLayout();
        QVERIFY(dockOf(window, u"compactions"_s)->isHidden());
        window.layouts().toggleFilled();
        window.layouts().stopFilling();
        QVERIFY(dockOf(window, u"compactions"_s)->isHidden());
        window.close();
    }
    ui::MainWindow window;
    window.show();
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    QApplication::processEvents();
    QVERIFY(!dockOf(window, u"compactions"_s)->isHidden());
    QVERIFY(!dockOf(window, u"rewrites"_s)->isHidden());
    QVERIFY(dockOf(window, u"bookmarks"_s)->isHidden());
    ui::openSettings().remove(u"layout"_s);
}

PALIMPSEST_TEST(TestPanels)
#include "tst_panels.moc"
