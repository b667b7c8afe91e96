// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"
#include "tests/test_program.h"
#include "ui/array/array_view.h"
#include "ui/mainwindow/main_window.h"
#include "ui/message/message_panel.h"
#include "ui/rewrites/rewrites_model.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTest>
#include <QToolButton>

using core::SlotIndex;
using namespace Qt::StringLiterals;

namespace {

/// The window on the sample, as recorded.
struct Written {
    ui::MainWindow window;
    ui::Workspace &workspace = window.workspace();
    ui::ViewState &state = window.state();
    ui::ArrayView *array = window.findChild<ui::ArrayView *>();
    ui::MessagePanel *message = window.findChild<ui::MessagePanel *>();
    QPlainTextEdit *field = window.findChild<QPlainTextEdit *>(u"textEditorField"_s);

    Written()
    {
        window.resize(1500, 1000);
        window.restoreDefaultLayout();
        QVERIFY(workspace.openNow(testing::samplePath(u"messages-21.genkit.json"_s).toStdString()).has_value());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        workspace.undoStack().clear();
        QApplication::processEvents();
    }
    void choose(uint32_t slot)
    {
        state.setCurrentSlot(SlotIndex(slot));
        message->waitForContent();
    }
    void trigger(const QString &id) { window.actions().action(id)->trigger(); }
    /// Replaces the text of a slot as a person would.
    void write(uint32_t slot, const QString &text)
    {
        choose(slot);
        trigger(u"edit.replace-text"_s);
        QVERIFY(field->isVisible());
        field->selectAll();
        field->insertPlainText(text);
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        state.waitForPicture();
    }
    /// Inserts a message beside the current slot.
    void insert(const QString &action, const QString &text)
    {
        trigger(action);
        QVERIFY(field->isVisible());
        field->insertPlainText(text);
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        state.waitForPicture();
    }
    /// Clicks a slot of the second column.
    void clickAfter(uint32_t slot)
    {
        const QString name = u"slot %1 after the compaction"_s.arg(slot);
        for (int i = 0; i < array->itemCount(); ++i) {
            if (array->itemName(i).startsWith(name + u','))
                return QTest::mouseClick(array, Qt::LeftButton, {}, array->itemRect(i).center());
        }
        QFAIL(qPrintable(name));
    }
    [[nodiscard]] QString nameOf(const QString &beginning) const
    {
        for (int i = 0; i < array->itemCount(); ++i) {
            if (array->itemName(i).startsWith(beginning))
                return array->itemName(i);
        }
        return {};
    }
    [[nodiscard]] std::string textAfter(uint32_t slot) const
    {
        const core::Transcript &after = state.picture().after;
        return after.session()->text(after.block(after.blocksOf(after.slot(SlotIndex(slot))).front()).body);
    }
    [[nodiscard]] QString notice() const
    {
        const auto *words = message->findChild<QLabel *>(u"messageNotice"_s);
        return words->isVisible() ? words->text() : QString();
    }
};

} // namespace

/// Writing into the array in the window: real keys on real widgets.
class TestTextByHand final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTextIsReplaced();
    void theNewTextIsShown();
    void aMessageIsInserted();
    void aMessageIsInsertedAtTheStart();
    void anInsertedMessageIsEditedInPlace();
    void anEditedMessageKeepsItsPlaceAmongOthers();
    void anotherInsertedMessageLeavesTheFirst();
    void theTextGoesOutAsItCameIn();
    void discardingChangesNothing();
    void leavingApplies();
    void theActionSaysWhyNot();
    void rewritesTakeItBack();
    void resetTakesAllBack();
    void theMenusOfferIt();
};

void TestTextByHand::aTextIsReplaced()
{
    Written shown;
    const size_t slots = shown.state.picture().before.slotCount();
    shown.write(16, u"Please stop here."_s);
    QVERIFY(!shown.field->isVisible());
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    QCOMPARE(shown.state.picture().after.slotCount(), slots);
    QCOMPARE(shown.textAfter(16), std::string("Please stop here."));
    QCOMPARE(shown.state.picture().made()->fates[16], core::Fate::Edited);
    QVERIFY2(shown.nameOf(u"slot 16,"_s).contains(u"edited"_s), qPrintable(shown.nameOf(u"slot 16,"_s)));
    const QString after = shown.nameOf(u"slot 16 after the compaction"_s);
    QCOMPARE(after.count(u"edited"_s), 1);
    QVERIFY(shown.message->findChild<QWidget *>(u"messageFacts"_s) != nullptr);
    shown.trigger(u"edit.undo"_s);
    QVERIFY(!shown.workspace.plan().isSimulated());
    shown.trigger(u"edit.redo"_s);
    shown.state.waitForPicture();
    QCOMPARE(shown.textAfter(16), std::string("Please stop here."));
    // Written back as it was recorded, it is no edit.
    const core::Transcript &before = shown.state.picture().before;
    shown.write(16, QString::fromStdString(before.session()->text(before.block(before.blocks()[16]).body)));
    QVERIFY(shown.workspace.plan().overrides.isEmpty());
}

void TestTextByHand::theNewTextIsShown()
{
    Written shown;
    shown.choose(16);
    const auto text = [&] {
        shown.message->waitForContent();
        shown.message->surface()->selectAll();
        return QString::fromStdString(shown.message->surface()->selectedAsShown());
    };
    auto *recorded = shown.message->findChild<QAbstractButton *>(u"recordedText"_s);
    const QString before = text();
    QVERIFY(!before.isEmpty() && !recorded->isVisible());
    shown.write(16, u"Please stop here."_s);
    QCOMPARE(text(), u"Please stop here."_s);
    QVERIFY(recorded->isVisible());
    QTest::mouseClick(recorded, Qt::LeftButton);
    QCOMPARE(text(), before);
    QTest::mouseClick(recorded, Qt::LeftButton);
    shown.message->copyAll();
    QCOMPARE(QGuiApplication::clipboard()->text(), u"Please stop here."_s);
    shown.choose(15);
    QVERIFY(!recorded->isVisible());
    shown.choose(16);
    shown.trigger(u"edit.undo"_s);
    shown.state.waitForPicture();
    QCOMPARE(text(), before);
    QVERIFY(!recorded->isVisible());
}

void TestTextByHand::aMessageIsInserted()
{
    Written shown;
    const size_t slots = shown.state.picture().before.slotCount();
    shown.choose(15);
    shown.trigger(u"edit.insert-message"_s);
    QVERIFY(shown.field->isVisible());
    QVERIFY(shown.field->toPlainText().isEmpty());
    // A blank message is refused, and the field stays.
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(shown.field->isVisible());
    QVERIFY(shown.window.findChild<QLabel *>(u"textEditorFault"_s)->isVisible());
    QTest::keyClicks(shown.field, u"Wait"_s);
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    shown.state.waitForPicture();
    QCOMPARE(shown.state.picture().after.slotCount(), slots + 1);
    QCOMPARE(shown.textAfter(16), std::string("Wait"));
    const QString name = shown.nameOf(u"slot 16 after the compaction"_s);
    QVERIFY2(name.contains(u"inserted"_s), qPrintable(name));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    shown.trigger(u"edit.undo"_s);
    QVERIFY(!shown.workspace.plan().isSimulated());
}

void TestTextByHand::aMessageIsInsertedAtTheStart()
{
    Written shown;
    const size_t slots = shown.state.picture().before.slotCount();
    shown.choose(15);
    shown.insert(u"edit.insert-first"_s, u"First of all"_s);
    QCOMPARE(shown.state.picture().after.slotCount(), slots + 1);
    QCOMPARE(shown.textAfter(0), std::string("First of all"));
    shown.insert(u"edit.insert-first"_s, u"Then this"_s);
    QCOMPARE(shown.textAfter(0), std::string("First of all"));
    QCOMPARE(shown.textAfter(1), std::string("Then this"));
    QCOMPARE(shown.state.picture().after.slotCount(), slots + 2);
    // The second is edited as the second.
    shown.clickAfter(1);
    shown.trigger(u"edit.replace-text"_s);
    QCOMPARE(shown.field->toPlainText(), u"Then this"_s);
    QTest::keyClick(shown.field, Qt::Key_Escape);
    // Calls before the chosen one hold it, too.
    shown.state.stepCall(-1);
    shown.state.waitForPicture();
    QCOMPARE(shown.textAfter(0), std::string("First of all"));
    shown.trigger(u"edit.undo"_s);
    shown.trigger(u"edit.undo"_s);
    QVERIFY(!shown.workspace.plan().isSimulated());
}

void TestTextByHand::anInsertedMessageIsEditedInPlace()
{
    Written shown;
    shown.choose(15);
    shown.insert(u"edit.insert-message"_s, u"Wait"_s);
    shown.clickAfter(16);
    shown.trigger(u"edit.replace-text"_s);
    QVERIFY(shown.field->isVisible());
    QCOMPARE(shown.field->toPlainText(), u"Wait"_s);
    shown.field->selectAll();
    shown.field->insertPlainText(u"Go on"_s);
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    shown.state.waitForPicture();
    QCOMPARE(shown.textAfter(16), std::string("Go on"));
    QCOMPARE(shown.workspace.plan().overrides.insert.size(), size_t(1));
    QCOMPARE(shown.workspace.undoStack().count(), 2);
    shown.trigger(u"edit.undo"_s);
    shown.state.waitForPicture();
    QCOMPARE(shown.textAfter(16), std::string("Wait"));
    // The rewrites offer the same, and so does their button.
    shown.trigger(u"view.rewrites"_s);
    shown.clickAfter(16);
    auto *edit = shown.window.findChild<QToolButton *>(u"editRewrite"_s);
    QTRY_VERIFY(edit->isVisible());
    QTest::mouseClick(edit, Qt::LeftButton);
    QVERIFY(shown.field->isVisible());
    QCOMPARE(shown.field->toPlainText(), u"Wait"_s);
    QTest::keyClick(shown.field, Qt::Key_Escape);
    // A slot of the session is edited again once it is chosen.
    shown.choose(15);
    shown.trigger(u"edit.replace-text"_s);
    QVERIFY(shown.field->toPlainText() != u"Wait"_s);
}

void TestTextByHand::anEditedMessageKeepsItsPlaceAmongOthers()
{
    Written shown;
    shown.choose(15);
    shown.insert(u"edit.insert-message"_s, u"One"_s);
    shown.insert(u"edit.insert-message"_s, u"Two"_s);
    shown.clickAfter(16);
    shown.trigger(u"edit.replace-text"_s);
    auto *role = shown.window.findChild<QComboBox *>(u"textEditorRole"_s);
    role->setCurrentIndex(role->findText(u"assistant"_s));
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    const std::vector<core::TextInsertion> &all = shown.workspace.plan().overrides.insert;
    QCOMPARE(all.size(), size_t(2));
    QCOMPARE(all[0].text, std::string("One"));
    QCOMPARE(all[0].role, core::Role::Assistant);
    QCOMPARE(all[1].text, std::string("Two"));
}

void TestTextByHand::anotherInsertedMessageLeavesTheFirst()
{
    Written shown;
    shown.choose(15);
    shown.insert(u"edit.insert-message"_s, u"One"_s);
    shown.insert(u"edit.insert-message"_s, u"Two"_s);
    shown.clickAfter(16);
    shown.trigger(u"edit.replace-text"_s);
    QCOMPARE(shown.field->toPlainText(), u"One"_s);
    shown.field->selectAll();
    shown.field->insertPlainText(u"First"_s);
    // Asked for again, it is left as it is.
    shown.trigger(u"edit.replace-text"_s);
    QCOMPARE(shown.field->toPlainText(), u"First"_s);
    shown.clickAfter(17);
    shown.trigger(u"edit.replace-text"_s);
    QVERIFY(shown.field->isVisible());
    QCOMPARE(shown.field->toPlainText(), u"Two"_s);
    const std::vector<core::TextInsertion> &all = shown.workspace.plan().overrides.insert;
    QCOMPARE(all.size(), size_t(2));
    QCOMPARE(all[0].text, std::string("First"));
    QCOMPARE(all[1].text, std::string("Two"));
}

void TestTextByHand::theTextGoesOutAsItCameIn()
{
    Written shown;
    const QString odd = u"a\u00a0b\tc\u2028d\n\ne\u202ef"_s;
    shown.write(16, odd);
    QCOMPARE(QString::fromStdString(shown.textAfter(16)), odd);
    shown.trigger(u"edit.replace-text"_s);
    QTest::keyClick(shown.field, Qt::Key_End, Qt::ControlModifier);
    QTest::keyClicks(shown.field, u"!"_s);
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    shown.state.waitForPicture();
    QCOMPARE(QString::fromStdString(shown.textAfter(16)), odd + u'!');
}

void TestTextByHand::discardingChangesNothing()
{
    Written shown;
    shown.choose(16);
    QTest::mouseClick(shown.message->findChild<QWidget *>(u"editText"_s), Qt::LeftButton);
    QVERIFY(shown.field->isVisible());
    QTest::keyClicks(shown.field, u"x"_s);
    QTest::keyClick(shown.field, Qt::Key_Escape);
    QVERIFY(!shown.field->isVisible());
    QCOMPARE(shown.workspace.undoStack().count(), 0);
    // Applying the same text is no step either.
    shown.trigger(u"edit.replace-text"_s);
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(shown.workspace.undoStack().count(), 0);
}

void TestTextByHand::leavingApplies()
{
    Written shown;
    shown.choose(16);
    shown.trigger(u"edit.replace-text"_s);
    QTest::keyClicks(shown.field, u"Now: "_s);
    shown.choose(3);
    QVERIFY(!shown.field->isVisible());
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    QCOMPARE(shown.state.currentSlot(), SlotIndex(3U));
    shown.state.waitForPicture();
    QVERIFY(shown.textAfter(16).starts_with("Now: "));
}

void TestTextByHand::theActionSaysWhyNot()
{
    Written shown;
    shown.choose(1); // a tool call, whose result is [2]
    shown.trigger(u"edit.insert-message"_s);
    QVERIFY(!shown.field->isVisible());
    QVERIFY2(shown.notice().contains(u"between a tool call and its result"_s), qPrintable(shown.notice()));
    shown.trigger(u"edit.replace-text"_s);
    QVERIFY(shown.field->isVisible());
    shown.field->selectAll();
    shown.field->insertPlainText(u"no JSON"_s);
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(shown.field->isVisible());
    QVERIFY(shown.window.findChild<QLabel *>(u"textEditorFault"_s)->text().contains(u"JSON object"_s));
    QCOMPARE(shown.workspace.undoStack().count(), 0);
}

void TestTextByHand::rewritesTakeItBack()
{
    Written shown;
    shown.write(16, u"Please stop here."_s);
    shown.trigger(u"edit.insert-message"_s);
    QTest::keyClicks(shown.field, u"Wait"_s);
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    shown.state.waitForPicture();
    const core::CompactionPtr made = shown.state.picture().made();
    QCOMPARE(made->rewrites.size(), size_t(2));
    shown.trigger(u"view.rewrites"_s);
    auto *restore = shown.window.findChild<QToolButton *>(u"restoreRewrite"_s);
    QTRY_VERIFY(restore->isVisible());
    const auto inserted = std::ranges::find(made->rewrites, core::Fate::Inserted, &core::Rewrite::fate);
    Q_EMIT shown.state.addedBlockChosen(inserted->made);
    QTest::mouseClick(restore, Qt::LeftButton);
    QVERIFY(shown.workspace.plan().overrides.insert.empty());
    QCOMPARE(shown.workspace.plan().overrides.replace.size(), size_t(1));
    shown.state.waitForPicture();
    shown.choose(3);
    shown.choose(16);
    QTest::mouseClick(restore, Qt::LeftButton);
    QVERIFY(shown.workspace.plan().overrides.isEmpty());
    QCOMPARE(shown.workspace.undoStack().count(), 4);
}

void TestTextByHand::resetTakesAllBack()
{
    Written shown;
    shown.write(16, u"Please stop here."_s);
    shown.trigger(u"edit.insert-message"_s);
    QTest::keyClicks(shown.field, u"Wait"_s);
    QTest::keyClick(shown.field, Qt::Key_Return, Qt::ControlModifier);
    shown.write(20, u"All done."_s);
    shown.choose(16);
    shown.trigger(u"edit.reset"_s);
    QCOMPARE(shown.workspace.plan().overrides.replace.size(), size_t(1)); // that of [20]
    QVERIFY(shown.workspace.plan().overrides.insert.empty());
    shown.trigger(u"edit.undo"_s);
    QCOMPARE(shown.workspace.plan().overrides.replace.size(), size_t(2));
    QCOMPARE(shown.workspace.plan().overrides.insert.size(), size_t(1));
    // A dropped block has no text of its own.
    shown.trigger(u"policy.drop"_s);
    QCOMPARE(shown.workspace.plan().overrides.replace.size(), size_t(1));
}

void TestTextByHand::theMenusOfferIt()
{
    Written shown;
    shown.choose(16);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, { 10, 10 }, shown.array->mapToGlobal(QPoint(10, 10)));
    QList<QAction *> offered;
    QTimer::singleShot(0, [&] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        offered = menu->actions();
        menu->close();
    });
    QApplication::sendEvent(shown.array, &event);
    for (const auto &id : { u"edit.replace-text"_s, u"edit.insert-message"_s, u"edit.reset"_s })
        QVERIFY2(offered.contains(shown.window.actions().action(id)), qPrintable(id));
}

PALIMPSEST_TEST(TestTextByHand)

#include "tst_text_by_hand.moc"
