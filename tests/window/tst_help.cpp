// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"
#include "tests/sourcedir.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/hub/actions.h"
#include "ui/look/material_words.h"
#include "ui/mainwindow/go_to.h"
#include "ui/mainwindow/legend_page.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/manual_page.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTreeView>
#include <QUndoStack>

using namespace Qt::StringLiterals;

/// Legend, manual and the menus of rows.
class TestHelp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { ui::openSettings().clear(); }
    void cleanupTestCase() { ui::openSettings().clear(); }
    void theLegendNamesEveryMaterial();
    void everyLinkOfTheManualOpens();
    void aRowOffersItsActions();
    void aSubagentOpensFromItsCall();
    void backLeavesAWalkAsAWhole();
};

void TestHelp::theLegendNamesEveryMaterial()
{
    ui::MainWindow window;
    window.actions().action(u"help.legend"_s)->trigger();
    const auto *legend = window.findChild<ui::LegendPage *>();
    QVERIFY(legend != nullptr && legend->isVisible() && !legend->isModal());
    QStringList words;
    const auto labels = legend->findChildren<QLabel *>();
    for (const QLabel *label : labels)
        words << label->text();
    for (size_t i = 0; i < core::kMaterialCount; ++i) {
        const auto material = static_cast<core::Material>(i);
        QVERIFY2(words.contains(ui::materialName(material)), qPrintable(ui::materialName(material)));
        QVERIFY(words.contains(ui::materialMeaning(material)));
    }
    QVERIFY2(legend->sizeHint().width() <= 1280, qPrintable(QString::number(legend->sizeHint().width())));
}

void TestHelp::everyLinkOfTheManualOpens()
{
    ui::MainWindow window;
    window.actions().action(u"help.manual"_s)->trigger();
    auto *manual = window.findChild<ui::ManualPage *>();
    QVERIFY(manual != nullptr && manual->isVisible());
    auto *text = manual->findChild<QTextBrowser *>(u"manualText"_s);
    const QStringList pages = QDir(u":/manual"_s).entryList({ u"*.md"_s }, QDir::Files);
    QVERIFY(pages.size() > 20);
    QSet<QUrl> links;
    for (const QString &page : pages) {
        const QUrl source(u"qrc:/manual/"_s + page);
        text->setSource(source);
        for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
            const auto formats = block.textFormats();
            for (const auto &range : formats) {
                const QUrl target = source.resolved(QUrl(range.format.anchorHref()));
                if (range.format.isAnchor() && target.path().startsWith(u"/manual/"_s)
                    && target.path().endsWith(u".md"_s))
                    links << target;
            }
        }
    }
    for (const QUrl &link : std::as_const(links)) {
        Q_EMIT text->anchorClicked(link);
        QCOMPARE(text->source(), link.adjusted(QUrl::RemoveFragment));
        QVERIFY2(!text->toPlainText().isEmpty(), qPrintable(link.toString()));
        if (link.hasFragment())
            QVERIFY2(text->textCursor().position() > 0, qPrintable(link.toString()));
    }
    QVERIFY(links.size() > 40);
}

void TestHelp::aRowOffersItsActions()
{
    ui::MainWindow window;
    window.resize(1440, 900);
    window.show();
    window.restoreDefaultLayout();
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    auto *tree = window.findChild<QTreeView *>(u"outlineTree"_s);
    QVERIFY(tree != nullptr);
    QTRY_VERIFY(tree->model()->rowCount() > 0);
    const QModelIndex row = tree->model()->index(0, 0);
    const QPoint place = tree->visualRect(row).center();
    QVERIFY(tree->viewport()->rect().contains(place));
    Q_EMIT tree->customContextMenuRequested(place);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    for (const auto &id : { u"go.trace"_s, u"go.show-edit"_s, u"go.subagent"_s, u"edit.copy-link"_s })
        QVERIFY2(menu->actions().contains(window.actions().action(id)), qPrintable(id));
    QVERIFY(window.state().currentBlock().isValid());
    menu->close();
}

void TestHelp::aSubagentOpensFromItsCall()
{
    for (const std::string &file : testing::corpusFiles({ "claude-code" })) {
        ui::MainWindow window;
        if (!window.workspace().openNow(testing::corpus() / file))
            continue;
        ui::ViewState &state = window.state();
        QAction *open = window.actions().action(u"go.subagent"_s);
        for (size_t i = 0; i < state.session()->threads.size(); ++i) {
            const core::BlockId call = state.session()->threads[i].parentCall;
            if (!call.isValid())
                continue;
            state.setCurrentBlock(call);
            QVERIFY(open->isEnabled());
            open->trigger();
            QCOMPARE(state.position().thread, core::ThreadIndex(i));
            state.setPosition({ core::ThreadIndex(0U), {} });
            state.setCurrentBlock(core::BlockId(0U));
            QCOMPARE(open->isEnabled(), call == core::BlockId(0U));
            return;
        }
    }
    QSKIP("The corpus is not there, or has no session with a subagent.");
}

void TestHelp::backLeavesAWalkAsAWhole()
{
    ui::MainWindow window;
    QVERIFY(window.workspace().openNow(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/manual/session.jsonl"));
    ui::ViewState &state = window.state();
    QAction *back = window.actions().action(u"go.back"_s);
    QAction *forward = window.actions().action(u"go.forward"_s);
    const auto at = [&](uint32_t call) { return core::Position { core::ThreadIndex(0U), core::CallIndex(call) }; };
    state.setPosition(at(10));
    for (int i = 0; i < 5; ++i)
        state.stepCall(1);
    QCOMPARE(state.position(), at(15));
    state.setPosition(at(60));
    QVERIFY(back->isEnabled() && !forward->isEnabled());
    back->trigger();
    QCOMPARE(state.position(), at(15));
    forward->trigger();
    QCOMPARE(state.position(), at(60));
    const core::BlockId shown = state.currentBlock();
    const core::BlockId other
        = state.picture().before.blocksOf(state.picture().before.slot(core::SlotIndex(0U))).front();
    state.setCurrentBlock(other);
    back->trigger();
    QCOMPARE(state.currentBlock(), shown);
    state.setPosition(at(30));
    QVERIFY2(!forward->isEnabled(), "a new place ends the way forward");
    QVERIFY(!window.workspace().undoStack().canUndo());
}

PALIMPSEST_TEST(TestHelp)

#include "tst_help.moc"
