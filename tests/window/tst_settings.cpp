// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/main_window.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

/// Every setting of the window that a version reads.
const QStringList kKnown { u"window/look"_s, u"window/geometry"_s, u"window/text-scale"_s, u"files/recent"_s,
    u"search/history"_s, u"timeline/cache"_s, u"layout/debug/docks"_s, u"layout/debug/timeline"_s,
    u"layout/debug/folded"_s, u"summary/api"_s, u"summary/url"_s, u"shortcuts/go.end"_s, u"tour/seen"_s };

void writeSettings(const QByteArray &text)
{
    const QString path = ui::openSettings().fileName();
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// Opens a window on a session, looks at it, and closes it, so that it writes its settings.
void useAWindow()
{
    ui::MainWindow window;
    window.resize(1200, 800);
    window.show();
    QVERIFY(window.workspace().openNow(testing::samplePath(u"messages-21.claude-code.jsonl"_s).toStdString()));
    window.centre().setPage(ui::CentrePages::Page::Array);
    QApplication::processEvents();
    QVERIFY(window.findChild<ui::ArrayView *>()->isVisible());
    QVERIFY(window.findChild<ui::TimelineView *>()->isVisible());
    QVERIFY(!window.grab().isNull());
    QVERIFY(window.actions().action(u"go.end"_s) != nullptr);
    window.close();
}

} // namespace

/// Settings of older and newer versions, and of nobody.
class TestSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { ui::openSettings().clear(); }
    void cleanupTestCase() { ui::openSettings().clear(); }
    void unknownSettingsSurvive();
    void settingsOfAWrongTypeAreIgnored_data();
    void settingsOfAWrongTypeAreIgnored();
    void aDamagedFileIsNotInTheWay_data();
    void aDamagedFileIsNotInTheWay();
};

void TestSettings::unknownSettingsSurvive()
{
    {
        QSettings settings = ui::openSettings();
        settings.setValue(u"of-the-future/answer"_s, 42);
        settings.setValue(u"window/colour-of-2031"_s, u"octarine"_s);
        settings.setValue(u"shortcuts/view.that-comes-later"_s, u"Ctrl+9"_s);
        settings.setValue(u"layout/a-page-to-come/docks"_s, QByteArray("docks"));
    }
    useAWindow();
    const QSettings settings = ui::openSettings();
    QCOMPARE(settings.value(u"of-the-future/answer"_s).toInt(), 42);
    QCOMPARE(settings.value(u"window/colour-of-2031"_s).toString(), u"octarine"_s);
    QCOMPARE(settings.value(u"shortcuts/view.that-comes-later"_s).toString(), u"Ctrl+9"_s);
    QCOMPARE(settings.value(u"layout/a-page-to-come/docks"_s).toByteArray(), QByteArray("docks"));
}

void TestSettings::settingsOfAWrongTypeAreIgnored_data()
{
    QTest::addColumn<QVariant>("value");
    QTest::newRow("a word") << QVariant(u"sideways"_s);
    QTest::newRow("a number beyond all") << QVariant(2'000'000'000);
    QTest::newRow("a negative number") << QVariant(-7);
    QTest::newRow("bytes") << QVariant(QByteArray("\x00\xff\x00\x01 not a layout", 16));
    QTest::newRow("a list") << QVariant(QStringList { u"one"_s, u"two"_s });
    QTest::newRow("nothing") << QVariant(QString());
}

void TestSettings::settingsOfAWrongTypeAreIgnored()
{
    QFETCH(const QVariant, value);
    {
        QSettings settings = ui::openSettings();
        for (const QString &name : kKnown)
            settings.setValue(name, value);
    }
    useAWindow();
    useAWindow(); // what the first has written can be read
}

void TestSettings::aDamagedFileIsNotInTheWay_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("no settings") << QByteArray("{\"schema\": \"palimpsest.settings/9\"}\n");
    QTest::newRow("cut off") << QByteArray("[window]\nlook=@Invalid(");
    QTest::newRow("bytes") << QByteArray("\x00\x01\x02\xff[window\n=\n@ByteArray(", 24);
    QTest::newRow("a long line") << QByteArray("[window]\nlook=") + QByteArray(1'000'000, 'x');
}

void TestSettings::aDamagedFileIsNotInTheWay()
{
    QFETCH(const QByteArray, text);
    writeSettings(text);
    useAWindow();
    {
        QSettings settings = ui::openSettings();
        settings.setValue(u"window/look"_s, 2);
    }
    QCOMPARE(ui::openSettings().value(u"window/look"_s).toInt(), 2);
}

PALIMPSEST_TEST(TestSettings)

#include "tst_settings.moc"
