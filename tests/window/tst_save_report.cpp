// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/claude_log.h"
#include "tests/opened_window.h"
#include "tests/test_program.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/session_report_save.h"

#include <QCoreApplication>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString noticeOf(const ui::MainWindow &window)
{
    const auto *words = window.findChild<QLabel *>(u"noticeWords"_s);
    return words->isVisible() ? words->text() : QString();
}

/// Saves the report of what the window shows; whether it was written.
bool save(ui::MainWindow &window, const QString &path)
{
    QSignalSpy finished(&window.reportSave(), &ui::SessionReportSave::finished);
    window.reportSave().saveTo(path);
    return (finished.size() == 1 || finished.wait(120'000)) && finished.front().front().toBool();
}

} // namespace

/// The report from the File menu.
class TestSaveReport final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itEqualsThatOfTheCommand_data();
    void itEqualsThatOfTheCommand();
    void secretsAreMaskedAndCounted();
    void nothingIsReplaced();

private:
    QTemporaryDir m_folder;
};

void TestSaveReport::itEqualsThatOfTheCommand_data()
{
    QTest::addColumn<QString>("ending");
    QTest::newRow("a page for a browser") << u".html"_s;
    QTest::newRow("Markdown") << u".md"_s;
}

void TestSaveReport::itEqualsThatOfTheCommand()
{
    QFETCH(const QString, ending);
    testing::OpenedWindow opened;
    QVERIFY(opened.window.actions().action(u"file.report"_s) != nullptr);
    opened.window.state().setPosition({ core::ThreadIndex(0U), core::CallIndex(60U) });
    const QString here = m_folder.filePath(u"window"_s + ending);
    QVERIFY2(save(opened.window, here), qPrintable(noticeOf(opened.window)));
    const QString there = m_folder.filePath(u"command"_s + ending);
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s,
        { u"report"_s, QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/manual/session.jsonl"_s, u"--call"_s,
            u"60"_s, u"-o"_s, there });
    QVERIFY(process.waitForFinished(240'000));
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(bytesOf(here).size() > 10'000);
    QVERIFY(bytesOf(here) == bytesOf(there));
}

void TestSaveReport::secretsAreMaskedAndCounted()
{
    testing::ClaudeLog log;
    log.typed("The token is ghp_" + std::string("0123456789abcdefghijklmnopqrstuvwxyzAB") + ", do not lose it.");
    log.call("Bash", { { "command", "make" } });
    log.result("done");
    ui::MainWindow window;
    window.resize(1400, 900);
    window.show();
    window.workspace().show(log.load());
    const QString path = m_folder.filePath(u"secret.html"_s);
    QVERIFY2(save(window, path), qPrintable(noticeOf(window)));
    QVERIFY(!bytesOf(path).contains("ghp_0123456789"));
    QVERIFY2(noticeOf(window).contains(u"GitHub token"_s), qPrintable(noticeOf(window)));
    QVERIFY2(noticeOf(window).startsWith(u"Written to secret.html. "_s), qPrintable(noticeOf(window)));
    const auto *details = window.findChild<QWidget *>(u"notice"_s)->findChild<QPlainTextEdit *>();
    QVERIFY2(details->toPlainText().contains(u"masked"_s), qPrintable(details->toPlainText()));
}

void TestSaveReport::nothingIsReplaced()
{
    testing::OpenedWindow opened;
    const QString path = m_folder.filePath(u"kept.html"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("mine");
    file.close();
    QVERIFY(!save(opened.window, path));
    QCOMPARE(bytesOf(path), QByteArray("mine"));
    QVERIFY2(noticeOf(opened.window).startsWith(u"Nothing was written: "_s), qPrintable(noticeOf(opened.window)));
    QVERIFY(!save(opened.window, m_folder.filePath(u"report.png"_s)));
    QVERIFY(!QFile::exists(m_folder.filePath(u"report.png"_s)));
}

PALIMPSEST_TEST(TestSaveReport)
#include "tst_save_report.moc"
