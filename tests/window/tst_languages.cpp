// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/files/text_scale.h"
#include "ui/look/pseudo_locale.h"
#include "ui/mainwindow/centre_pages.h"
#include "ui/mainwindow/keys_page.h"
#include "ui/mainwindow/legend_page.h"
#include "ui/mainwindow/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include <QRegularExpression>
#include <QScopeGuard>

#include <cmath>
#include <map>

using namespace Qt::StringLiterals;

namespace {

/// Whether words of the window are in it: letters beside figures, signs and names.
bool hasWords(const QString &text)
{
    static const QRegularExpression kWord(u"[A-Za-z]{3,}"_s);
    return text.contains(kWord);
}

bool isTranslated(const QString &text) { return text.contains(u'['); } // its end may be cut off

/// Names and sentences of the core, which has one language: policies, stages, figures, and what tool tips say of them.
bool isOfTheCore(const QString &owner, const QString &text)
{
    static const QRegularExpression kNames(
        u"^(Anthropic|OpenAI|Gemini|GenAI|LangChain|Genkit|Codex|Claude|https?:|palimpsest |.*claude-|tokens$|<p )"_s);
    return owner == u"QAction " || owner.startsWith(u"QAction policy.preset."_s)
        || owner.startsWith(u"ui::ComparisonView"_s) || kNames.match(text).hasMatch();
}

/// The texts of the window's own parts, by the widget they are on: buttons, actions, titles, columns, placeholders.
std::multimap<QString, QString> textsOf(const QWidget &window)
{
    std::multimap<QString, QString> texts;
    const auto add = [&](const QObject &owner, const QString &text) {
        texts.emplace(QString::fromLatin1(owner.metaObject()->className()) + u' ' + owner.objectName(), text);
    };
    for (const QAction *action : window.findChildren<QAction *>())
        add(*action, action->text());
    for (const auto *button : window.findChildren<QAbstractButton *>()) {
        add(*button, button->text());
        add(*button, button->toolTip());
    }
    for (const auto *dock : window.findChildren<QDockWidget *>())
        add(*dock, dock->windowTitle());
    for (const auto *field : window.findChildren<QLineEdit *>())
        add(*field, field->placeholderText());
    for (const auto *tabs : window.findChildren<QTabBar *>()) {
        for (int i = 0; i < tabs->count() && tabs->objectName() != u"blockTabs"; ++i) // its words are of the session
            add(*tabs, tabs->tabText(i));
    }
    for (const auto *header : window.findChildren<QHeaderView *>()) {
        for (int i = 0; header->model() != nullptr && i < header->count(); ++i)
            add(*header->parent(), header->model()->headerData(i, header->orientation()).toString());
    }
    for (const auto *widget : window.findChildren<QWidget *>()) {
        if (qobject_cast<const QLabel *>(widget) == nullptr)
            add(*widget, widget->accessibleName());
    }
    return texts;
}

} // namespace

/// Words that can be translated, and text that is as large as the system's.
class TestLanguages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { ui::openSettings().clear(); }
    void cleanupTestCase() { ui::openSettings().clear(); }
    void aPseudoTextKeepsItsPlaces_data();
    void aPseudoTextKeepsItsPlaces();
    void everyTextOfTheWindowIsTranslated();
    void textIsAsLargeAsThatOfTheSystem_data();
    void textIsAsLargeAsThatOfTheSystem();
    void aChosenScaleIsKept();
};

void TestLanguages::aPseudoTextKeepsItsPlaces_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("wanted");
    const auto row
        = [](const char *name, const QString &text, const QString &wanted) { QTest::newRow(name) << text << wanted; };
    row("words", u"Next Call"_s, u"[Néxt Cáll ~~~]"_s);
    row("arguments", u"%1 of %n"_s, u"[%1 óf %n ~~]"_s);
    row("a mnemonic", u"&Edit"_s, u"[&Édít ~]"_s);
    row("markup", u"<a href='x'>Open</a>"_s, u"[<a href='x'>Ópén</a> ~~~~~~]"_s);
    row("nothing", u""_s, u""_s);
}

void TestLanguages::aPseudoTextKeepsItsPlaces()
{
    QFETCH(const QString, text);
    QFETCH(const QString, wanted);
    QCOMPARE(ui::PseudoLocale::pseudo(text), wanted);
}

void TestLanguages::everyTextOfTheWindowIsTranslated()
{
    ui::PseudoLocale pseudo;
    QVERIFY(QCoreApplication::installTranslator(&pseudo));
    const auto back = qScopeGuard([&] { QCoreApplication::removeTranslator(&pseudo); });
    ui::MainWindow window;
    window.resize(1600, 1000);
    window.show();
    const QString session = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s;
    QVERIFY(window.workspace().openNow(session.toStdString()).has_value());
    QApplication::processEvents();
    std::map<QString, int> missing;
    size_t translated = 0;
    for (const auto &[owner, text] : textsOf(window)) {
        if (isTranslated(text))
            ++translated;
        else if (hasWords(text) && !isOfTheCore(owner, text))
            ++missing[owner + u": "_s + text];
    }
    for (const auto &[text, count] : missing)
        qInfo("not translated: %s", qPrintable(text));
    QVERIFY2(translated > 300, qPrintable(QString::number(translated)));
    QVERIFY2(missing.empty(), qPrintable(QString::number(missing.size())));
}

void TestLanguages::textIsAsLargeAsThatOfTheSystem_data()
{
    QTest::addColumn<double>("points");
    QTest::addColumn<int>("wanted");
    for (const auto &[points, wanted] : std::initializer_list<std::pair<double, int>> { { 8, 75 }, { 9, 100 },
             { 10, 100 }, { 11, 100 }, { 12, 125 }, { 14, 150 }, { 16, 175 }, { 20, 200 }, { 40, 300 }, { 1, 75 } })
        QTest::newRow(qPrintable(u"%1 points"_s.arg(points))) << points << wanted;
}

void TestLanguages::textIsAsLargeAsThatOfTheSystem()
{
    QFETCH(const double, points);
    QFETCH(const int, wanted);
    QFont font;
    font.setPointSizeF(points);
    QCOMPARE(ui::textScaleFor(font, 96), wanted);
    font.setPixelSize(26);
    QCOMPARE(ui::textScaleFor(font, 96), 200);
}

void TestLanguages::aChosenScaleIsKept()
{
    QCOMPARE(ui::chosenTextScale(), 0);
    ui::setChosenTextScale(150);
    QCOMPARE(ui::chosenTextScale(), 150);
    QCOMPARE(ui::wantedTextScale(), 150);
    for (const QVariant &wrong :
        { QVariant(137), QVariant(u"large"_s), QVariant(-100), QVariant(QByteArray("\xff\x00", 2)) }) {
        ui::openSettings().setValue(u"window/text-scale"_s, wrong);
        QCOMPARE(ui::chosenTextScale(), 0);
    }
    const QByteArray before = qgetenv("QT_SCALE_FACTOR");
    qputenv("QT_SCALE_FACTOR", "2");
    ui::prepareTextScale(150);
    QCOMPARE(qgetenv("QT_SCALE_FACTOR").toDouble(), 3.0);
    before.isNull() ? qunsetenv("QT_SCALE_FACTOR") : qputenv("QT_SCALE_FACTOR", before);
}

PALIMPSEST_TEST(TestLanguages)

#include "tst_languages.moc"
