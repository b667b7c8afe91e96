// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/panel_docks.h"
#include "ui/mainwindow/panels.h"

#include <QApplication>
#include <QDockWidget>
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
};

namespace {

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
    window.openSample();
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
        window.openSample();
        QTRY_VERIFY(window.workspace().session());
        delete dockOf(window, name);
        ui::openSettings().setValue(u"layout/debug/docks"_s, window.saveState());
    }
    ui::MainWindow window;
    window.show();
    window.openSample();
    QTRY_VERIFY(window.workspace().session());
    QApplication::processEvents();
    QDockWidget *dock = dockOf(window, name);
    QCOMPARE(window.dockWidgetArea(dock), ui::panelKinds().back().area);
    QVERIFY2(!dock->isHidden(), qPrintable(name));
    QVERIFY(!window.tabifiedDockWidgets(dock).isEmpty());
    ui::openSettings().remove(u"layout"_s);
}

PALIMPSEST_TEST(TestPanels)
#include "tst_panels.moc"
