// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json.h"
#include "core/summary/summary_template.h"
#include "tests/loopback.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"
#include "ui/files/settings.h"
#include "ui/mainwindow/main_window.h"
#include "ui/summary/summary_dialog.h"
#include "ui/text/text_surface.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QUndoStack>

using namespace Qt::StringLiterals;
using testing::Loopback;

namespace {

const QByteArray kKey = "key-7f3a-91";

/// The window on a session, under a policy that summarises, with the dialog open.
struct Shown {
    ui::MainWindow window;
    ui::Workspace &workspace = window.workspace();
    ui::SummaryDialog *dialog = nullptr;

    Shown()
    {
        window.resize(1500, 1000);
        QVERIFY(workspace.openNow(testing::samplePath(u"messages-21.claude-code.jsonl"_s).toStdString()).has_value());
        window.show();
        const auto policy = core::withSetting(*core::preset("langchain-summarization"), "keep", "3msg");
        workspace.commitPlan(workspace.planWith(*policy), u"Choose"_s);
        workspace.undoStack().clear();
        window.actions().action(u"policy.write-summary"_s)->trigger();
        dialog = window.findChild<ui::SummaryDialog *>();
        QVERIFY(dialog != nullptr);
    }

    template <typename Widget>
    [[nodiscard]] Widget *part(const char *name) const
    {
        return dialog->findChild<Widget *>(QString::fromUtf8(name));
    }
    /// Chooses the server and waits for the request to be ready.
    void ask(const Loopback &server, const QString &variable = {}) const
    {
        part<QComboBox>("summaryApi")->setCurrentIndex(static_cast<int>(core::SummaryApi::Anthropic));
        part<QLineEdit>("summaryModel")->setText(u"m"_s);
        part<QLineEdit>("summaryAddress")->setText(QString::fromUtf8(server.url()));
        part<QLineEdit>("summaryVariable")->setText(variable);
        const QComboBox *forms = part<QComboBox>("summaryTemplate");
        const_cast<QComboBox *>(forms)->setCurrentIndex(forms->findData(u"handoff"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60'000);
        QVERIFY(part<QPushButton>("summarySend")->isEnabled());
    }
    void send() const
    {
        part<QPushButton>("summarySend")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60'000);
    }
    [[nodiscard]] QString words() const { return part<QLabel>("summaryWords")->text(); }
    [[nodiscard]] std::string summary() const
    {
        const core::PolicyPtr &policy = workspace.plan().policy;
        const auto &values = policy->stages.back().values;
        const auto found = values.find("summary.text");
        return found == values.end() ? std::string() : std::get<std::string>(found->second);
    }
};

QByteArray stream(const QString &name)
{
    QFile file(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/tests/samples/streams/"_s + name + u".sse"_s);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// The dialog in which a model writes the summary of the plan's policy.
class TestSummaryDialog final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { ui::openSettings().clear(); }
    void whatIsShownIsWhatIsSent();
    void aNoteIsUsedInOneStep();
    void aFailureChangesNothing_data();
    void aFailureChangesNothing();
    void cancelEndsTheRequest();
    void withoutAPolicyNothingCanBeSent();
    void anOpenDialogFollowsTheTheme();
};

void TestSummaryDialog::whatIsShownIsWhatIsSent()
{
    Loopback server;
    const Shown shown;
    shown.ask(server);
    QVERIFY(server.requests().empty());
    const std::string text(shown.dialog->findChild<ui::TextSurface *>()->content()->document->bytes());
    QVERIFY(shown.part<QLabel>("summaryFacts")->text().contains(u"POST "_s + QString::fromUtf8(server.url())));
    server.plan({ .body = stream(u"anthropic"_s) });
    shown.send();
    QCOMPARE(server.requests().size(), 1);
    const core::Json body = core::parseJson(Loopback::bodyOf(server.requests()[0]).toStdString());
    QCOMPARE(text,
        "--- system ---\n" + body["system"].get<std::string>() + "\n--- user ---\n"
            + body["messages"][0]["content"].get<std::string>());
}

void TestSummaryDialog::aNoteIsUsedInOneStep()
{
    qputenv("PALIMPSEST_TEST_KEY", kKey);
    Loopback server;
    server.plan({ .body = stream(u"anthropic"_s) });
    const Shown shown;
    shown.ask(server, u"PALIMPSEST_TEST_KEY"_s);
    shown.send();
    QVERIFY(server.requests().at(0).contains(kKey));
    QVERIFY2(shown.words().startsWith(u"The note is complete."_s), qPrintable(shown.words()));
    auto *note = shown.part<QPlainTextEdit>("summaryNote");
    QVERIFY(note->toPlainText().startsWith(u"## Goal\nAdd `--dry-run`"_s));
    QCOMPARE(shown.part<QTableWidget>("summaryCoverage")->columnCount(), 3);
    QCOMPARE(shown.summary(), "");
    note->appendPlainText(u"By hand."_s);
    shown.part<QPushButton>("summaryUse")->click();
    QVERIFY(shown.summary().ends_with("Run make check ✓ 🙂.\nBy hand."));
    QCOMPARE(shown.workspace.undoStack().count(), 1);
    // The new summary is now the one as it is.
    QTRY_VERIFY_WITH_TIMEOUT(!shown.dialog->isBusy(), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(shown.part<QPlainTextEdit>("summaryNow")->toPlainText().contains(u"By hand."_s), 60'000);
    shown.workspace.undoStack().undo();
    QCOMPARE(shown.summary(), "");

    const QSettings settings = ui::openSettings();
    QCOMPARE(settings.value(u"summary/model"_s).toString(), u"m"_s);
    QCOMPARE(settings.value(u"summary/key-variable"_s).toString(), u"PALIMPSEST_TEST_KEY"_s);
    const QStringList keys = settings.allKeys();
    for (const QString &each : keys)
        QVERIFY(!settings.value(each).toString().contains(QString::fromUtf8(kKey)));
}

void TestSummaryDialog::aFailureChangesNothing_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("words");
    QTest::newRow("cut off") << 200 << stream(u"anthropic-length"_s) << u"the note is cut off"_s;
    QTest::newRow("broken") << 200 << stream(u"anthropic-malformed"_s) << u"malformed"_s;
    QTest::newRow("refused") << 401 << QByteArray("{}") << u"The server answers 401"_s;
}

void TestSummaryDialog::aFailureChangesNothing()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, words);
    Loopback server;
    server.plan({ .status = status, .body = body });
    const Shown shown;
    shown.ask(server);
    const core::PolicyPtr before = shown.workspace.plan().policy;
    shown.send();
    QVERIFY2(shown.words().contains(words), qPrintable(shown.words()));
    QVERIFY(shown.part<QPlainTextEdit>("summaryNote")->toPlainText().isEmpty());
    QVERIFY(!shown.part<QPushButton>("summaryUse")->isEnabled());
    QCOMPARE(shown.workspace.plan().policy, before);
}

void TestSummaryDialog::cancelEndsTheRequest()
{
    Loopback server;
    server.plan({ .body = stream(u"anthropic-cut"_s), .isSilent = true });
    const Shown shown;
    shown.ask(server);
    auto *send = shown.part<QPushButton>("summarySend");
    send->click();
    QTRY_VERIFY_WITH_TIMEOUT(!shown.part<QPlainTextEdit>("summaryNote")->toPlainText().isEmpty(), 60'000);
    QCOMPARE(send->text(), u"Cancel"_s);
    send->click();
    QVERIFY(shown.words().startsWith(u"Cancelled."_s));
    QCOMPARE(send->text(), u"Send"_s);
}

void TestSummaryDialog::withoutAPolicyNothingCanBeSent()
{
    const Shown shown;
    shown.workspace.commitPlan(shown.workspace.planWith(core::preset("none")), u"None"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.dialog->isBusy(), 60'000);
    QVERIFY(!shown.part<QPushButton>("summarySend")->isEnabled());
    QVERIFY(!shown.part<QPushButton>("summaryUse")->isEnabled());
}

void TestSummaryDialog::anOpenDialogFollowsTheTheme()
{
    const Shown shown;
    auto &window = const_cast<ui::MainWindow &>(shown.window);
    const auto *text = shown.dialog->findChild<ui::TextSurface *>();
    const auto *model = shown.part<QLineEdit>("summaryModel");
    QTRY_VERIFY_WITH_TIMEOUT(!shown.dialog->isBusy(), 60'000);
    for (const auto look : { ui::MainWindow::Look::Dark, ui::MainWindow::Look::Light, ui::MainWindow::Look::Dark }) {
        window.setLook(look);
        const ui::Theme &theme = window.state().theme();
        QCOMPARE(theme.appearance == ui::Appearance::Dark, look == ui::MainWindow::Look::Dark);
        const QImage image = shown.dialog->grab().toImage();
        const auto at = [&](const QWidget *part, QPoint place) {
            return image.pixelColor(part->mapTo(shown.dialog, place)).name();
        };
        QCOMPARE(at(text, { text->width() / 2, text->height() - 4 }), theme.base.name());
        QCOMPARE(at(model, { model->width() - 8, model->height() / 2 }), theme.base.name());
        QCOMPARE(image.pixelColor(2, 2).name(), theme.window.name());
    }
}

PALIMPSEST_TEST(TestSummaryDialog)
#include "tst_summary_dialog.moc"
