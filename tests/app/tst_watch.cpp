// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/forecast.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

QString program() { return QCoreApplication::applicationDirPath() + u"/palimpsest"_s; }

/// `palimpsest watch`, and the lines it has printed.
class Watching final {
public:
    explicit Watching(const QStringList &arguments)
    {
        m_process.start(program(), QStringList { u"watch"_s } + arguments);
    }
    ~Watching()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    Watching(const Watching &) = delete;
    Watching &operator=(const Watching &) = delete;

    /// The next line; empty at the end.
    QByteArray line()
    {
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(60'000))
                return m_process.canReadLine() ? m_process.readLine() : QByteArray();
        }
        return m_process.readLine().trimmed();
    }
    QJsonObject object() { return QJsonDocument::fromJson(line()).object(); }
    /// The next object of this kind.
    QJsonObject object(const QString &kind)
    {
        for (QJsonObject each = object(); !each.isEmpty(); each = object()) {
            if (each[u"kind"].toString() == kind)
                return each;
        }
        return {};
    }
    int end() { return m_process.waitForFinished(60'000) ? m_process.exitCode() : -1; }
    QByteArray errors() { return m_process.readAllStandardError(); }

private:
    QProcess m_process;
};

testing::ClaudeLog logOf(size_t calls)
{
    testing::ClaudeLog log;
    log.typed("Please look at the files.");
    for (size_t i = 0; i < calls; ++i) {
        log.setUsage(1000 * i, 900, 100);
        log.read("/work/file" + std::to_string(i) + ".txt", std::string(400, 'x') + "\n");
    }
    return log;
}

} // namespace

class WatchTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void onceTellsWhatIsThere();
    void aGrowingFileIsFollowed();
    void aReplacedFileIsSaid();
    void theTextIsForPeople();
    void wrongOptionsAreRefused();
    void theForecastIsTheMeanOfTheLastCalls();

private:
    void append(const std::string &bytes) const
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::Append));
        QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())), static_cast<qint64>(bytes.size()));
    }

    QTemporaryDir m_folder;
    QString m_path;
};

void WatchTest::init()
{
    m_path = m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction()) + u".jsonl"_s);
    QFile::remove(m_path);
}

void WatchTest::onceTellsWhatIsThere()
{
    testing::ClaudeLog log = logOf(3);
    log.compact("Summary");
    log.setUsage(0, 500, 50);
    log.call("Bash", { { "command", "ls" } });
    append(log.text());
    Watching watching({ m_path, u"--once"_s, u"--json"_s });
    const QJsonObject session = watching.object();
    QCOMPARE(session[u"schema"].toString(), u"palimpsest.watch/1"_s);
    QCOMPARE(session[u"kind"].toString(), u"session"_s);
    QCOMPARE(session[u"calls"].toInt(), 4);
    for (int i = 0; i < 3; ++i) {
        const QJsonObject call = watching.object();
        QCOMPARE(call[u"kind"].toString(), u"call"_s);
        QCOMPARE(call[u"call"].toInt(), i);
        QCOMPARE(call[u"context"][u"value"].toInt(), 1000 * (i + 1));
        QCOMPARE(call[u"context"][u"basis"].toString(), u"exact"_s);
        QCOMPARE(call[u"cache_read_tokens"].toInt(), 1000 * i);
        QVERIFY(call[u"cost"].toDouble() > 0);
        QCOMPARE(call[u"change"].isNull(), i == 0);
        if (i > 0)
            QCOMPARE(call[u"change"][u"value"].toInt(), 1000);
        const QJsonArray entered = call[u"entered"].toArray();
        QCOMPARE(entered.size(), i == 0 ? 1 : 2); // the question; a call of a tool and its result
    }
    const QJsonObject compaction = watching.object();
    QCOMPARE(compaction[u"kind"].toString(), u"compaction"_s);
    QCOMPARE(compaction[u"trigger"].toString(), u"auto"_s);
    QCOMPARE(compaction[u"after_call"].toInt(), 2);
    const QJsonObject last = watching.object();
    QCOMPARE(last[u"call"].toInt(), 3);
    QCOMPARE(last[u"change"][u"value"].toInt(), 550 - 3000);
    QCOMPARE(watching.end(), 0);
    // Fewer of the calls before.
    Watching fewer({ m_path, u"--once"_s, u"--json"_s, u"--last"_s, u"1"_s });
    QCOMPARE(fewer.object()[u"kind"].toString(), u"session"_s);
    QCOMPARE(fewer.object(u"call"_s)[u"call"].toInt(), 3);
    QCOMPARE(fewer.end(), 0);
}

void WatchTest::aGrowingFileIsFollowed()
{
    const std::string text = logOf(12).text();
    const std::string before = logOf(4).text();
    append(before);
    Watching watching({ m_path, u"--json"_s, u"--until-removed"_s, u"--last"_s, u"0"_s });
    QCOMPARE(watching.object()[u"calls"].toInt(), 4);
    // Half a record, then the rest and everything up to the last result.
    append(text.substr(before.size(), 50));
    append(text.substr(before.size() + 50));
    for (int i = 4; i < 12; ++i) {
        const QJsonObject call = watching.object(u"call"_s);
        QCOMPARE(call[u"call"].toInt(), i);
        QCOMPARE(call[u"context"][u"value"].toInt(), 1000 * (i + 1));
    }
    const QJsonObject soon = watching.object(u"forecast"_s);
    QCOMPARE(soon[u"basis"].toString(), u"estimated"_s);
    QCOMPARE(soon[u"limit"].toString(), u"harness"_s);
    testing::ClaudeLog more = logOf(12);
    more.compact("Summary");
    append(more.text().substr(text.size()));
    QCOMPARE(watching.object(u"compaction"_s)[u"after_call"].toInt(), 11);
    QVERIFY(QFile::remove(m_path));
    QCOMPARE(watching.object(u"removed"_s)[u"schema"].toString(), u"palimpsest.watch/1"_s);
    QCOMPARE(watching.end(), 0);
}

void WatchTest::aReplacedFileIsSaid()
{
    append(logOf(2).text());
    Watching watching({ m_path, u"--json"_s, u"--last"_s, u"0"_s });
    QCOMPARE(watching.object()[u"kind"].toString(), u"session"_s);
    testing::ClaudeLog other;
    other.typed("Another session altogether");
    other.setUsage(0, 700, 0);
    other.call("Bash", { { "command", "ls" } });
    other.result("nothing");
    QFile next(m_path + u".new"_s);
    QVERIFY(next.open(QIODevice::WriteOnly));
    next.write(QByteArray::fromStdString(other.text()));
    next.close();
    QCOMPARE(std::rename(next.fileName().toUtf8().constData(), m_path.toUtf8().constData()), 0);
    QVERIFY(!watching.object(u"replaced"_s).isEmpty());
    QCOMPARE(watching.object(u"call"_s)[u"context"][u"value"].toInt(), 700);
}

void WatchTest::theTextIsForPeople()
{
    append(logOf(12).text());
    Watching watching({ m_path, u"--once"_s, u"--last"_s, u"2"_s });
    QVERIFY(watching.line().startsWith("Claude Code 2.1.14  opus-4-5 · 12 calls"));
    QCOMPARE(watching.line().simplified(), "call context change cached cost entered");
    QVERIFY(watching.line().simplified().startsWith("10 11,000 +1,000 91 % $"));
    const QByteArray last = watching.line().simplified();
    QVERIFY2(last.startsWith("11 12,000 +1,000 92 % $") && last.contains("tool result Read"), last.constData());
    const QByteArray soon = watching.line();
    QVERIFY2(soon.contains("would compact in about 143 calls. Estimated: the context grew by"), soon.constData());
    QCOMPARE(watching.end(), 0);
}

void WatchTest::wrongOptionsAreRefused()
{
    append(logOf(1).text());
    Watching number({ m_path, u"--last"_s, u"some"_s });
    QCOMPARE(number.end(), 2);
    Watching thread({ m_path, u"--thread"_s, u"3"_s });
    QCOMPARE(thread.end(), 2);
    Watching missing({ m_path + u".missing"_s });
    QCOMPARE(missing.end(), 1);
    QVERIFY(missing.errors().contains("There is no such file."));
}

void WatchTest::theForecastIsTheMeanOfTheLastCalls()
{
    const auto callsUntil = [](std::vector<double> sizes, double limit) {
        const auto soon = forecast(sizes, limit);
        return soon ? static_cast<int>(soon->calls) : -1;
    };
    QCOMPARE(callsUntil({ 10, 20, 30, 30 }, 80), 5);
    QCOMPARE(callsUntil({ 10, 20, 30, 30 }, 81), 6); // above it only at the sixth
    QCOMPARE(callsUntil({ 10, 20, 30, 34 }, 80), 5); // what is not sent yet is no growth of a call
    QCOMPARE(callsUntil({ 10, 20, 30, 80 }, 80), 0);
    QCOMPARE(callsUntil({ 10, 20, 20 }, 80), -1);       // one growth says nothing
    QCOMPARE(callsUntil({ 30, 20, 10, 10 }, 80), -1);   // it shrinks
    QCOMPARE(callsUntil({ 10, 11, 12, 12 }, 1000), -1); // too far away
    QCOMPARE(callsUntil({ 10, 20, 30, 30 }, 0), -1);    // no limit
    // Eight growths count: the leap before them does not.
    QCOMPARE(callsUntil({ 0, 1000, 1010, 1020, 1030, 1040, 1050, 1060, 1070, 1080, 1080 }, 1100), 2);
}

PALIMPSEST_TEST(WatchTest)
#include "tst_watch.moc"
