// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/formats.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <atomic>
#include <fcntl.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

QString program() { return QCoreApplication::applicationDirPath() + u"/palimpsest"_s; }

struct Run {
    int exitCode = -1; ///< -2 for a crash, -3 for no end in time
    QByteArray output;
    QByteArray error;
};

Run run(const QStringList &arguments, const QString &outputFile = {}, const QProcessEnvironment &more = {},
    const QString &inputFile = {})
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(more);
    process.setProcessEnvironment(environment);
    if (!outputFile.isEmpty())
        process.setStandardOutputFile(outputFile);
    if (!inputFile.isEmpty())
        process.setStandardInputFile(inputFile);
    process.start(program(), arguments);
    Run result;
    if (!process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        result.exitCode = -3;
        return result;
    }
    result.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    result.output = process.readAllStandardOutput();
    result.error = process.readAllStandardError();
    return result;
}

std::string userRecord(const std::string &uuid, const std::string &parent, const std::string &text)
{
    return R"({"parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"")
        + R"(,"isSidechain":false,"type":"user","uuid":")" + uuid + R"(","message":{"role":"user","content":")" + text
        + "\"}}\n";
}

std::string answerRecord(const std::string &uuid, const std::string &parent)
{
    return R"({"parentUuid":")" + parent + R"(","isSidechain":false,"type":"assistant","uuid":")" + uuid
        + R"(","message":{"id":")" + uuid + R"(","role":"assistant","content":[{"type":"text","text":"ok"}]}})" + "\n";
}

/// A Claude Code file of about `bytes` bytes: questions of 10 kB and answers.
std::string sessionOf(size_t bytes)
{
    std::string document;
    std::string parent;
    for (int i = 0; document.size() < bytes; ++i) {
        const std::string number = std::to_string(i);
        document += userRecord("u" + number, parent, std::string(10'000, 'x'));
        document += answerRecord("a" + number, "u" + number);
        parent = "a" + number;
    }
    return document;
}

/// Two messages of a person, a summary that keeps one of them, and a call behind it.
std::string summarisedSession()
{
    return userRecord("u1", "", "never touch the config") + answerRecord("a1", "u1")
        + userRecord("u2", "a1", "now write a test") + answerRecord("a2", "u2")
        + R"({"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"a2",)"
        + R"("compactMetadata":{"trigger":"auto","preTokens":9}})" + "\n"
        + R"({"parentUuid":"b","isSidechain":false,"type":"user","uuid":"s","isCompactSummary":true,"message":)"
        + R"({"role":"user","content":"He said: never touch the config"}})" + "\n" + answerRecord("a3", "s");
}

} // namespace

/// The program as it is typed: its words, its exit codes, and what it does with input that is no session.
class CommandLineTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void wrongUsage_data();
    void wrongUsage();
    void helpListsWhatThereIs();
    void versionIsOneLine();
    void formatsAreThoseOfTheRegistry();
    void positionsAndThreads_data();
    void positionsAndThreads();
    void showWithAPolicy();
    void triggersSayWhatTheyCount();
    void aSettingThatNoStageUsesHasNoValue();
    void policiesAreListedInColumns();
    void tokensOfTexts();
    void tokensOfASession();
    void searchOfASession();
    void traceOfATextAndABlock();
    void traceOfUserMessages();
    void reachOfFilesAndFolders();
    void sweepOfASession();
    void sweepOfManySessions();
    void linesOfManyMachines();
    void calibrationOfSessions();
    void noWindowSystemIsNeeded();
    void outputThatCannotBeWritten();
    void exportIsRefused_data();
    void exportIsRefused();
    void planListsOriginalsAndKeys();
    void originalsComeBack();
    void originalsAreDecoded();
    void coloursAndWidth_data();
    void coloursAndWidth();
    void badInput_data();
    void badInput();
    void hugeLines();
    void aFileThatChangesBeforeItIsRead_data();
    void aFileThatChangesBeforeItIsRead();
    void aFileThatChangesWhileItIsRead_data();
    void aFileThatChangesWhileItIsRead();

private:
    QString write(const std::string &bytes, const QString &name = u"session.jsonl"_s) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void CommandLineTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

QString CommandLineTest::write(const std::string &bytes, const QString &name) const
{
    QFile file(m_folder->filePath(name));
    const bool isWritten = file.open(QIODevice::WriteOnly)
        && file.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size());
    return isWritten ? file.fileName() : QString();
}

void CommandLineTest::wrongUsage_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("part");
    const QString file = u"FILE"_s; // stands for a session of one call
    QTest::newRow("an option that there is not") << QStringList { u"--colour"_s } << u"--colour"_s;
    QTest::newRow("a misspelt command") << QStringList { u"sho"_s, file } << u"Did you mean “show”?"_s;
    QTest::newRow("a word that is neither command nor file")
        << QStringList { u"shorten"_s } << u"“shorten” is neither a command nor a file."_s;
    QTest::newRow("a short option that there is not") << QStringList { u"-x"_s, file } << u"-x"_s;
    QTest::newRow("a window with an array after and no file")
        << QStringList { u"--after"_s, file } << u"--after compares with one file, not with 0"_s;
    QTest::newRow("a window with an array after and two files")
        << QStringList { file, u"--after="_s + file, file } << u"not with 2"_s;
    QTest::newRow("a place and no file") << QStringList { u"--call"_s, u"3"_s } << u"--call opens one file"_s;
    QTest::newRow("a place and two files")
        << QStringList { file, u"--message=3"_s, file } << u"--message opens one file"_s;
    QTest::newRow("a place and an array after")
        << QStringList { u"--edit"_s, u"3"_s, u"--after"_s, file, file } << u"--edit opens one file"_s;
    QTest::newRow("a place that is no number")
        << QStringList { u"--call"_s, u"x"_s, file } << u"--call takes a whole number"_s;
    QTest::newRow("an array after without its file") << QStringList { file, u"--after"_s } << u"--after AFTER FILE"_s;
    QTest::newRow("show without a file") << QStringList { u"show"_s } << u"FILE"_s;
    QTest::newRow("show with two files") << QStringList { u"show"_s, file, u"b"_s } << u"\"b\""_s;
    QTest::newRow("show with an option of another command")
        << QStringList { u"show"_s, file, u"--view"_s } << u"--view"_s;
    QTest::newRow("an option without its value") << QStringList { u"show"_s, file, u"--call"_s } << u"--call N"_s;
    QTest::newRow("a value for a switch") << QStringList { u"show"_s, file, u"--json=yes"_s } << u"--json"_s;
    QTest::newRow("a call that is no number")
        << QStringList { u"show"_s, file, u"--call"_s, u"last"_s } << u"\"last\""_s;
    QTest::newRow("a negative call") << QStringList { u"show"_s, file, u"--call"_s, u"-1"_s } << u"\"-1\""_s;
    QTest::newRow("a call behind the last") << QStringList { u"show"_s, file, u"--call"_s, u"1"_s } << u"only call 0"_s;
    QTest::newRow("a call beyond all numbers")
        << QStringList { u"show"_s, file, u"--call"_s, u"99999999999999999999"_s } << u"99999999999999999999"_s;
    QTest::newRow("a thread that there is not")
        << QStringList { u"show"_s, file, u"--thread"_s, u"7"_s } << u"only thread 0"_s;
    QTest::newRow("a weight that there is not")
        << QStringList { u"show"_s, file, u"--weight"_s, u"kilos"_s } << u"\"kilos\""_s;
    QTest::newRow("a policy that is none")
        << QStringList { u"show"_s, file, u"--policy"_s, u"no-such"_s } << u"no-such"_s;
    QTest::newRow("a setting without a policy")
        << QStringList { u"show"_s, file, u"--set"_s, u"keep=1msg"_s } << u"--policy"_s;
    QTest::newRow("a shape that is none")
        << QStringList { u"compact"_s, file, u"--policy"_s, u"none"_s, u"--as"_s, u"gemini"_s } << u"\"gemini\""_s;
    QTest::newRow("a shape without a file")
        << QStringList { u"compact"_s, file, u"--policy"_s, u"none"_s, u"--as"_s, u"genkit"_s } << u"-o OUT"_s;
    QTest::newRow("a file without a name")
        << QStringList { u"compact"_s, file, u"--policy"_s, u"none"_s, u"-o"_s, QString() } << u"--output is empty"_s;
    QTest::newRow("a store without a name")
        << QStringList { u"compact"_s, file, u"--policy"_s, u"none"_s, u"--store="_s } << u"--store is empty"_s;
    QTest::newRow("a folder for a policy")
        << QStringList { u"compact"_s, file, u"--policy"_s, u"/"_s } << u"a policy is a file"_s;
    QTest::newRow("a repository that is none")
        << QStringList { u"compact"_s, file, u"--policy"_s, u"none"_s, u"--repo"_s, u"/no-such"_s } << u"--repo"_s;
    QTest::newRow("a measure without its unit") << QStringList { u"show"_s, file, u"--keep"_s, u"6"_s } << u"6msg"_s;
    QTest::newRow("a colour that is none") << QStringList { u"show"_s, file, u"--color"_s, u"red"_s } << u"\"red\""_s;
    QTest::newRow("a width that is too small")
        << QStringList { u"show"_s, file, u"--width"_s, u"5"_s } << u"40 to 1000"_s;
    QTest::newRow("texts without a document")
        << QStringList { u"show"_s, file, u"--texts"_s } << u"--texts needs --json"_s;
    QTest::newRow("an encoding that there is not")
        << QStringList { u"tokens"_s, file, u"--encoding"_s, u"p50k_base"_s } << u"\"p50k_base\""_s;
    QTest::newRow("a calibration of single slots")
        << QStringList { u"tokens"_s, file, u"--calibration"_s, u"--slots"_s } << u"combined with --slots"_s;
    QTest::newRow("tokens of a call that there is not")
        << QStringList { u"tokens"_s, file, u"--call"_s, u"7"_s } << u"only call 0"_s;
    QTest::newRow("a search for nothing") << QStringList { u"search"_s, file, u" "_s } << u"is empty"_s;
    QTest::newRow("a search without a query") << QStringList { u"search"_s, file } << u"QUERY"_s;
    QTest::newRow("a search with a mistake")
        << QStringList { u"search"_s, file, u"x role:boss"_s } << u"(position 8)"_s;
    QTest::newRow("a trace of two things")
        << QStringList { u"trace"_s, file, u"--text"_s, u"x"_s, u"--block"_s, u"#0"_s } << u"not both"_s;
    QTest::newRow("a trace of nothing") << QStringList { u"trace"_s, file, u"--text"_s, u" "_s } << u"is blank"_s;
    QTest::newRow("a trace of a block that there is not")
        << QStringList { u"trace"_s, file, u"--block"_s, u"#2"_s } << u"no block \"#2\""_s;
    QTest::newRow("a trace of a thread that there is not")
        << QStringList { u"trace"_s, file, u"--thread"_s, u"1"_s } << u"only thread 0"_s;
    QTest::newRow("reach of uses of no kind")
        << QStringList { u"reach"_s, file, u"--uses"_s, u"guess"_s } << u"\"guess\""_s;
    QTest::newRow("reach in two forms") << QStringList { u"reach"_s, file, u"--json"_s, u"--csv"_s }
                                        << u"Give one of"_s;
    QTest::newRow("a replay of no policy") << QStringList { u"replay"_s, file } << u"--policy"_s;
    QTest::newRow("a replay under a policy that is none")
        << QStringList { u"replay"_s, file, u"--policy"_s, u"no-such"_s } << u"no-such"_s;
    QTest::newRow("a replay in two forms")
        << QStringList { u"replay"_s, file, u"--policy"_s, u"none"_s, u"--json"_s, u"--csv"_s } << u"not both"_s;
    QTest::newRow("a sweep of no policy") << QStringList { u"sweep"_s, file } << u"--policy"_s;
    const QStringList sweep { u"sweep"_s, file, u"--policy"_s, u"deep-agents"_s };
    QTest::newRow("a sweep by a setting that is none") << sweep + QStringList { u"--x"_s, u"colour"_s } << u"keep"_s;
    QTest::newRow("a sweep by one setting twice") << sweep + QStringList { u"--y"_s, u"keep"_s } << u"two different"_s;
    QTest::newRow("a sweep over no grid") << sweep + QStringList { u"--grid"_s, u"0"_s } << u"1 to 256"_s;
    QTest::newRow("a sweep of no metric") << sweep + QStringList { u"--metric"_s, u"joy"_s } << u"lost_uses"_s;
    QTest::newRow("a sweep of a range without its count")
        << sweep + QStringList { u"--keep"_s, u"1msg:9msg"_s } << u"FIRST:LAST:COUNT"_s;
    QTest::newRow("a sweep with two words for one axis")
        << sweep + QStringList { u"--keep"_s, u"1msg:9msg:3"_s, u"--x"_s, u"keep"_s } << u"same axis"_s;
    QTest::newRow("a sweep since a day that is none")
        << sweep + QStringList { u"--since"_s, u"2026-02-30"_s } << u"2026-02-30"_s;
    QTest::newRow("a sweep with a limit of nothing")
        << sweep + QStringList { u"--suggest"_s, u"--limit"_s, u"joy=1"_s } << u"lost_uses"_s;
    QTest::newRow("a sweep of many with one thread")
        << sweep + QStringList { u"--suggest"_s, u"--thread"_s, u"0"_s } << u"--subagents"_s;
    QTest::newRow("lines of sweeps with a policy")
        << sweep + QStringList { u"--merge"_s } << u"the merged lines name the policy"_s;
    QTest::newRow("a sweep in two forms") << sweep + QStringList { u"--json"_s, u"--csv"_s } << u"only one of"_s;
    QTest::newRow("a trace under settings of no policy")
        << QStringList { u"trace"_s, file, u"--set"_s, u"keep=1msg"_s } << u"--policy"_s;
    QTest::newRow("formats with a file") << QStringList { u"formats"_s, file } << u"formats"_s;
    QTest::newRow("shoot without a place") << QStringList { u"shoot"_s, file } << u"-o"_s;
}

void CommandLineTest::wrongUsage()
{
    QFETCH(QStringList, words);
    QFETCH(QString, part);
    const QString file = write(sessionOf(1));
    words.replaceInStrings(u"FILE"_s, file);
    const Run result = run(words);
    QCOMPARE(result.exitCode, 2);
    QCOMPARE(result.output, QByteArray());
    const QString error = QString::fromUtf8(result.error);
    QVERIFY2(error.startsWith(u"palimpsest: ") && error.endsWith(u'\n') && error.count(u'\n') == 1, qPrintable(error));
    QVERIFY2(error.contains(part), qPrintable(error));
}

void CommandLineTest::helpListsWhatThereIs()
{
    const Run help = run({ u"--help"_s });
    QCOMPARE(help.exitCode, 0);
    QCOMPARE(help.error, QByteArray());
    QCOMPARE(run({ u"-h"_s }).output, help.output);
    static const QRegularExpression kCommand(u"^  ([a-z]+) "_s, QRegularExpression::MultilineOption);
    QStringList commands;
    for (auto it = kCommand.globalMatch(QString::fromUtf8(help.output)); it.hasNext();)
        commands << it.next().captured(1);
    QVERIFY(commands.contains(u"show"_s));
    QVERIFY(commands.contains(u"formats"_s));
    for (const QString &command : commands) {
        const Run each = run({ command, u"--help"_s });
        QCOMPARE(each.exitCode, 0);
        QVERIFY2(each.output.startsWith("Usage: palimpsest " + command.toUtf8()), each.output.constData());
        for (const QByteArray &line : each.output.split('\n'))
            QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
        // Nothing is listed that is not there: every option is taken, if only to be refused for its value.
        static const QRegularExpression kOption(u"--([a-z-]+)"_s);
        QStringList words { command };
        for (auto it = kOption.globalMatch(QString::fromUtf8(each.output)); it.hasNext();)
            words << it.next().captured() << u"no-such-value"_s;
        QVERIFY(!words.contains(u"--help"_s));
        words << u"no-such-file"_s << u"one-too-many"_s;
        const Run tried = run(words);
        const bool isHook = QStringList { u"recall"_s, u"statusline"_s, u"guard"_s }.contains(command);
        QCOMPARE(tried.exitCode, isHook ? 1 : 2);
        QVERIFY2(!tried.error.contains("has no option"), tried.error.constData());
    }
    // Names come from the tables of what there is.
    const QByteArray shoot = run({ u"shoot"_s, u"--help"_s }).output;
    for (const char *view : { "heaviest", "rewrites", "suggestion" })
        QVERIFY2(shoot.contains(view), shoot.constData());
    QVERIFY(run({ u"sweep"_s, u"--help"_s }).output.contains("refetch_tokens"));
    QVERIFY(run({ u"sessions"_s, u"--help"_s }).output.startsWith("Usage: palimpsest sessions DIR"));
    QVERIFY(help.output.contains("palimpsest --after AFTER FILE"));
    for (const QByteArray &line : help.output.split('\n'))
        QVERIFY2(QString::fromUtf8(line).size() <= 120, line.constData());
}

void CommandLineTest::versionIsOneLine()
{
    const Run version = run({ u"--version"_s });
    QCOMPARE(version.exitCode, 0);
    static const QRegularExpression kVersion(u"^palimpsest \\d+\\.\\d+\\.\\d+\n$"_s);
    QVERIFY(kVersion.match(QString::fromUtf8(version.output)).hasMatch());
}

void CommandLineTest::formatsAreThoseOfTheRegistry()
{
    const Run json = run({ u"formats"_s, u"--json"_s });
    QCOMPARE(json.exitCode, 0);
    const QJsonObject document = QJsonDocument::fromJson(json.output).object();
    QCOMPARE(document.value(u"schema"_s).toString(), u"palimpsest.formats/1"_s);
    const QJsonArray list = document.value(u"formats"_s).toArray();
    QCOMPARE(size_t(list.size()), formats().size());
    const Run plain = run({ u"formats"_s });
    QCOMPARE(plain.exitCode, 0);
    for (size_t i = 0; i < formats().size(); ++i) {
        const QString id = QString::fromUtf8(formats()[i]->id);
        QCOMPARE(list.at(static_cast<qsizetype>(i))[u"id"_s].toString(), id);
        QVERIFY(QString::fromUtf8(plain.output).contains(id));
        const bool isVerified = list.at(static_cast<qsizetype>(i))[u"verified"_s].toBool();
        QCOMPARE(isVerified, isProven(*formats()[i]));
        const QString title = QString::fromUtf8(formats()[i]->title);
        QCOMPARE(QString::fromUtf8(plain.output).contains(title + u" (tested on fixtures)\n"_s), !isVerified);
    }
}

void CommandLineTest::positionsAndThreads_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("slotCount");
    QTest::addColumn<int>("call"); // -1: the end
    QTest::newRow("without a call: the end") << QStringList {} << 4 << -1;
    QTest::newRow("the end by its name") << QStringList { u"--call"_s, u"end"_s } << 4 << -1;
    QTest::newRow("the first call") << QStringList { u"--call"_s, u"0"_s } << 1 << 0;
    QTest::newRow("the last call") << QStringList { u"--call=1"_s } << 3 << 1;
    QTest::newRow("the last word counts") << QStringList { u"--call"_s, u"0"_s, u"--call"_s, u"1"_s } << 3 << 1;
    QTest::newRow("the main thread by its number") << QStringList { u"--thread"_s, u"0"_s } << 4 << -1;
}

void CommandLineTest::positionsAndThreads()
{
    QFETCH(QStringList, words);
    QFETCH(int, slotCount);
    QFETCH(int, call);
    const QString file = write(sessionOf(15'000), u"-odd name.jsonl"_s);
    const Run result = run(QStringList { u"show"_s, u"--json"_s } + words + QStringList { u"--"_s, file });
    QVERIFY2(result.exitCode == 0, result.error.constData());
    const QJsonObject document = QJsonDocument::fromJson(result.output).object();
    QCOMPARE(int(document.value(u"slots"_s).toArray().size()), slotCount);
    QCOMPARE(document.value(u"call"_s)[u"index"_s].toInt(-1), call);
    // The same array is drawn.
    const Run drawn = run(QStringList { u"show"_s } + words + QStringList { u"--"_s, file });
    QCOMPARE(drawn.exitCode, 0);
    QVERIFY(
        drawn.output.contains(call < 0 ? QByteArray("array at the end") : "array at call " + QByteArray::number(call)));
}

/// The same compaction as `compact` tells of, beside the array.
void CommandLineTest::showWithAPolicy()
{
    const QString file = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples/messages-21.genkit.json"_s;
    const QStringList policy { u"--policy"_s, u"genkit-recipe-figure"_s, u"--set"_s, u"clip-arguments.cap=300"_s };
    const Run plain = run({ u"show"_s, file, u"--json"_s });
    const Run shown = run(QStringList { u"show"_s, file, u"--json"_s } + policy);
    const Run compact = run(QStringList { u"compact"_s, file, u"--json"_s } + policy);
    QCOMPARE(shown.exitCode, 0);
    QJsonObject document = QJsonDocument::fromJson(shown.output).object();
    QCOMPARE(document.take(u"policy"_s).toString(), u"genkit-recipe-figure"_s);
    const QJsonObject told = document.take(u"compaction"_s).toObject();
    QCOMPARE(document, QJsonDocument::fromJson(plain.output).object());
    const QJsonObject wanted = QJsonDocument::fromJson(compact.output).object();
    QVERIFY(!told[u"rewrites"_s].toArray().isEmpty());
    QCOMPARE(told[u"rewrites"_s].toArray().size(), wanted[u"rewrites"_s].toArray().size());
    QCOMPARE(told[u"slots"_s], wanted[u"slots"_s]);
    QCOMPARE(told[u"after"_s], wanted[u"after"_s]);
    const Run drawn = run(QStringList { u"show"_s, file } + policy);
    const Run alone = run({ u"show"_s, file });
    const Run lines = run(QStringList { u"compact"_s, file } + policy);
    QCOMPARE(drawn.output, alone.output + "\n" + lines.output);
}

/// A harness's tokens are not those that the rest of the output counts: beside its trigger stands what it counts.
void CommandLineTest::triggersSayWhatTheyCount()
{
    const QString file = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples/messages-21.genkit.json"_s;
    const QByteArray counting = "counts text parts only, 4 characters a token\n";
    for (const QString &command : { u"compact"_s, u"replay"_s }) {
        const Run told = run({ command, file, u"--policy"_s, u"genkit-recipe"_s });
        QCOMPARE(told.exitCode, 0);
        QVERIFY2(told.output.contains(counting), told.output.constData());
    }
    QVERIFY(run({ u"policies"_s, u"genkit-recipe"_s }).output.contains(counting));
    QVERIFY(run({ u"policies"_s, u"pi"_s })
            .output.contains("adds two numbers: the usage of the previous call, and its own count of the messages"));
    QVERIFY(run({ u"policies"_s, u"iii-pr140-as-coded"_s }).output.contains("without its cache writes"));
    QVERIFY(run({ u"policies"_s, u"deep-agents"_s }).output.contains("4 characters a token (3.3 for Claude)"));
    // Of a policy that waits for nothing, or for messages alone, there is nothing to say.
    QVERIFY(!run({ u"policies"_s, u"claw-idle"_s }).output.contains("counts the tokens"));
    const Run messages = run({ u"policies"_s, u"langchain-summarization"_s, u"--set"_s, u"trigger=50msg"_s });
    QVERIFY(!messages.output.contains("characters a token"));
}

void CommandLineTest::aSettingThatNoStageUsesHasNoValue()
{
    const QByteArray none = run({ u"policies"_s, u"none"_s }).output;
    QVERIFY2(none.contains("\ntrigger       –\nkeep          –\n"), none.constData());
    const QByteArray idle = run({ u"policies"_s, u"claw-idle"_s }).output;
    QVERIFY2(idle.contains("\ntrigger       always\nkeep          –\n"), idle.constData());
    QVERIFY(run({ u"policies"_s, u"claw-idle"_s, u"--set"_s, u"selector=by-tool"_s })
            .output.contains("\nkeep          10 % of window\n"));
    QVERIFY(run({ u"policies"_s, u"open-swe-artifacts"_s }).output.contains("\nkeep          –\n"));
    QVERIFY(run({ u"policies"_s, u"pi"_s }).output.contains("\nkeep          20,000 tokens\n"));
}

void CommandLineTest::policiesAreListedInColumns()
{
    QVERIFY(run({ u"policies"_s }).output.contains("\nlangchain-clear-tool-uses-js  matches published code"));
    QVERIFY(run({ u"policies"_s }).output.startsWith("none                          — "));
    const QString sample = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples/messages-21.codex.jsonl"_s;
    const QList<QByteArray> lines = run({ u"policies"_s, u"--for"_s, sample }).output.split('\n');
    QVERIFY(lines.size() > 2 && lines[0].startsWith("none ") && lines[1].startsWith("codex "));
    QCOMPARE(run({ u"policies"_s, u"pi"_s, u"--for"_s, sample }).exitCode, 2);
    const Run shown = run({ u"policies"_s, u"genkit-recipe"_s });
    QVERIFY2(shown.output.contains("messages as in Genkit, lengths in code points\n"), shown.output.constData());
    // Each parameter says what it does, behind its value or below it.
    const Run idle = run({ u"policies"_s, u"claw-idle"_s });
    QVERIFY2(idle.output.contains("\n      selector              “idle”              Selects the results\n"),
        idle.output.constData());
    const Run memory = run({ u"policies"_s, u"claw-memory"_s, u"--set"_s, u"memory-folder=notes"_s });
    QVERIFY2(memory.output.contains("\n      memory-folder         “notes”             The folder of {memory}"),
        memory.output.constData());
    for (const QByteArray &line : idle.output.split('\n'))
        QVERIFY2(!line.startsWith("        ") || QString::fromUtf8(line).size() <= 100, line.constData());
}

void CommandLineTest::tokensOfTexts()
{
    const QString hello = write("hello world", u"hello.txt"_s);
    const QString code = write("\n\n  // naïve: \xFF\n", u"b.cpp"_s);
    const QString empty = write("", u"empty"_s);
    const Run lines = run({ u"tokens"_s, hello, code, empty });
    QCOMPARE(lines.exitCode, 0);
    QCOMPARE(lines.error, QByteArray());
    QCOMPARE(QString::fromUtf8(lines.output), u"2  %1\n8  %2\n0  %3\n"_s.arg(hello, code, empty));

    const Run json = run({ u"tokens"_s, hello, u"--json"_s, u"--encoding"_s, u"cl100k_base"_s });
    const QJsonObject document = QJsonDocument::fromJson(json.output).object();
    QCOMPARE(document[u"schema"].toString(), u"palimpsest.tokens/1"_s);
    const QJsonObject file = document[u"files"][0].toObject();
    QCOMPARE(file[u"kind"].toString(), u"text"_s);
    QCOMPARE(file[u"encoding"].toString(), u"cl100k_base"_s);
    QCOMPARE(file[u"bytes"].toInt(), 11);
    QCOMPARE(file[u"tokens"][u"value"].toInt(), 2);
    QCOMPARE(file[u"tokens"][u"basis"].toString(), u"exact"_s);

    // What can be counted is, and the exit code tells of the rest.
    const Run missing = run({ u"tokens"_s, u"/no-such"_s, hello });
    QCOMPARE(missing.exitCode, 1);
    QVERIFY(missing.error.contains("/no-such"));
    QCOMPARE(QString::fromUtf8(missing.output), u"2  %1\n"_s.arg(hello));
}

void CommandLineTest::tokensOfASession()
{
    const QString file = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples/messages-21.codex.jsonl"_s;
    const auto entryOf = [&](const QStringList &options) {
        const Run json = run(QStringList { u"tokens"_s, file, u"--json"_s } + options);
        return QJsonDocument::fromJson(json.output).object()[u"files"][0].toObject();
    };
    const QJsonObject end = entryOf({});
    QCOMPARE(end[u"kind"].toString(), u"session"_s);
    QCOMPARE(end[u"encoding"].toString(), u"o200k_base"_s); // its model's
    QCOMPARE(end[u"model_encoding"].toString(), u"o200k_base"_s);
    QCOMPARE(end[u"tokens"][u"value"].toInt(), 13059);
    QCOMPARE(end[u"not_counted"].toInt(), 3); // encrypted reasoning
    QCOMPARE(end[u"slots"].toArray().size(), 22);
    for (const char *list : { "kinds", "slots" }) {
        int sum = 0;
        for (const QJsonValue each : end[QLatin1StringView(list)].toArray())
            sum += each[u"tokens"][u"value"].toInt();
        QCOMPARE(sum, 13059);
    }
    // What is no text was not counted: that is not the same as no tokens.
    QVERIFY(end[u"with_estimates"][u"value"].toInt() > 13059);
    QCOMPARE(end[u"with_estimates"][u"basis"].toString(), u"estimated"_s);
    for (const QJsonValue each : end[u"kinds"].toArray()) {
        const bool isNoText = each[u"not_counted"] == each[u"blocks"];
        QCOMPARE(each[u"tokens"].isNull(), isNoText);
        QCOMPARE(each[u"with_estimates"].isNull(), each[u"not_counted"].toInt() == 0);
    }
    const QJsonObject first = entryOf({ u"--call"_s, u"0"_s });
    QCOMPARE(first[u"call"].toInt(-1), 0);
    QVERIFY(first[u"tokens"][u"value"].toInt() < 1000);
    QCOMPARE(entryOf({ u"--encoding"_s, u"cl100k_base"_s })[u"tokens"][u"value"].toInt(), 13074);
    QCOMPARE(entryOf({ u"--text"_s })[u"kind"].toString(), u"text"_s);

    const QStringList lines = QString::fromUtf8(run({ u"tokens"_s, file }).output).split(u'\n');
    QCOMPARE(lines[0], u"13059  "_s + file);
    QCOMPARE(lines[1], u"  22 slots at the end, o200k_base, the encoding of gpt-5.1-codex"_s);
    QVERIFY(run({ u"tokens"_s, file, u"--slots"_s }).output.contains("[21]"));
}

void CommandLineTest::searchOfASession()
{
    const QString file = write(summarisedSession());
    const QJsonObject json
        = QJsonDocument::fromJson(run({ u"search"_s, file, u"typed \"WRITE a test\""_s, u"--json"_s }).output).object();
    QCOMPARE(json[u"schema"].toString(), u"palimpsest.search/1"_s);
    QCOMPARE(json[u"count"].toInt(), 1);
    const QJsonObject hit = json[u"hits"][0].toObject();
    QCOMPARE(
        hit[u"state"].toString(), u"typed, the message itself was last sent at call 1, then a summary replaced it"_s);
    QCOMPARE(hit[u"last_call"].toInt(), 1);
    QCOMPARE(hit[u"at_end"].toBool(), false);
    QCOMPARE(hit[u"bytes"].toInt(), 12);
    QVERIFY(hit[u"snippet"].toString().mid(hit[u"offset"].toInt()).startsWith(u"write a test"_s));
    const Run drawn = run({ u"search"_s, file, u"-typed"_s + u" "_s, u"--limit"_s, u"1"_s });
    QVERIFY(!drawn.output.contains("blocks of")); // a word with a dash is an option
    const Run limited = run({ u"search"_s, file, u" -lost"_s, u"--limit"_s, u"1"_s });
    QVERIFY2(limited.output.contains("The first 1 of them are listed."), limited.output.constData());
    QVERIFY(run({ u"search"_s, file, u"nowhere"_s }).output.startsWith("No block matches."));
}

void CommandLineTest::traceOfATextAndABlock()
{
    const QString file = write(summarisedSession());
    const auto document = [&](const QStringList &options) {
        const Run json = run(QStringList { u"trace"_s, file, u"--json"_s } + options);
        return QJsonDocument::fromJson(json.output).object();
    };
    const QJsonObject kept = document({ u"--text"_s, u"never touch the config"_s });
    QCOMPARE(kept[u"schema"].toString(), u"palimpsest.trace/1"_s);
    QCOMPARE(kept[u"text"].toString(), u"never touch the config"_s);
    QCOMPARE(kept[u"calls"].toInt(), 3);
    QCOMPARE(kept[u"compactions"][0][u"call"].toInt(-1), 1);
    const QJsonArray lanes = kept[u"lanes"].toArray();
    QCOMPARE(lanes.size(), 2);
    QCOMPARE(lanes[0][u"from_call"].toInt(-1), 0);
    QCOMPARE(lanes[0][u"to_call"].toInt(-1), 1);
    QCOMPARE(lanes[1][u"to_call"].toInt(-1), 2);
    QCOMPARE(lanes[1][u"state"].toString(), u"verbatim"_s);
    QVERIFY(lanes[0][u"carrier"] != lanes[1][u"carrier"]);
    QCOMPARE(kept[u"end"][u"carrier"], lanes[1][u"carrier"]);
    QVERIFY(kept[u"verdict"].toString().startsWith(u"Still in the context, "_s));

    // By its key, its number and its message.
    const QJsonObject own = document({ u"--block"_s, lanes[0][u"carrier"].toString() });
    QCOMPARE(own[u"block"], lanes[0][u"carrier"]);
    QCOMPARE(own[u"lanes"], kept[u"lanes"]);
    QCOMPARE(document({ u"--block"_s, u"#0"_s }), own);
    QCOMPARE(document({ u"--block"_s, u"0"_s }), own);

    const QJsonObject lost = document({ u"--text"_s, u"write a test"_s });
    QCOMPARE(lost[u"lanes"][1][u"state"].toString(), u"gone"_s);
    QVERIFY(lost[u"lanes"][1][u"carrier"].isNull());
    QCOMPARE(lost[u"verdict"].toString(), u"Last sent at call 1. Compaction 1 dropped it. 1 call ran without it."_s);
    const Run drawn = run({ u"trace"_s, file, u"--text"_s, u"write a test"_s });
    QVERIFY2(drawn.output.contains(lost[u"verdict"].toString().toUtf8()), drawn.output.constData());
    QCOMPARE(document({ u"--text"_s, u"not said"_s })[u"lanes"].toArray().size(), 0);
}

void CommandLineTest::traceOfUserMessages()
{
    const QString file = write(summarisedSession());
    const QJsonObject json = QJsonDocument::fromJson(run({ u"trace"_s, file, u"--json"_s }).output).object();
    QCOMPARE(json[u"user_messages"][u"count"].toInt(), 2);
    QCOMPARE(json[u"user_messages"][u"in_context"].toInt(), 1);
    QCOMPARE(json[u"traces"].toArray().size(), 2);
    QCOMPARE(json[u"traces"][0][u"text"].toString(), u"never touch the config"_s);
    QCOMPARE(json[u"traces"][1][u"end"][u"state"].toString(), u"gone"_s);
    const QByteArray fact = "1 of 2 user messages in context at the end";
    QVERIFY(run({ u"trace"_s, file }).output.contains(fact));
    QVERIFY(run({ u"show"_s, file }).output.contains(fact));
    QVERIFY(!run({ u"show"_s, file, u"--call"_s, u"1"_s }).output.contains("user messages"));
}

void CommandLineTest::reachOfFilesAndFolders()
{
    const QString sample = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples/messages-21.genkit.json"_s;
    const Run one = run({ u"reach"_s, sample, u"--json"_s });
    QVERIFY2(one.exitCode == 0, one.error.constData());
    const QJsonObject document = QJsonDocument::fromJson(one.output).object();
    QCOMPARE(document[u"schema"].toString(), u"palimpsest.reach/1"_s);
    QCOMPARE(document[u"sessions"].toArray().size(), 1);
    QCOMPARE(document[u"sessions"][0][u"file"].toString(), sample);
    QCOMPARE(document[u"uses"], document[u"sessions"][0][u"uses"]);

    // A folder: sessions below it, by name; hidden files are none of them, and what is no session is named.
    write(sessionOf(1), u"b.jsonl"_s);
    QVERIFY(QDir(m_folder->path()).mkpath(u"a/.git"_s));
    write(summarisedSession(), u"a/c.jsonl"_s);
    write(summarisedSession(), u"a/.git/d.jsonl"_s);
    write("hello", u"note.txt"_s);
    const Run folder = run({ u"reach"_s, m_folder->path(), u"--csv"_s });
    QCOMPARE(folder.exitCode, 0);
    QVERIFY2(folder.error.contains("1 of 3 files could not be read as sessions: note.txt. --verbose"),
        folder.error.constData());
    QCOMPARE(folder.error.count('\n'), 1);
    QVERIFY(!run({ u"reach"_s, m_folder->path(), u"--verbose"_s }).error.contains("--verbose"));
    const QList<QByteArray> lines = folder.output.split('\n');
    QCOMPARE(lines.size(), 7); // heading, two sessions, three of all, the end
    QVERIFY(lines[1].contains("a/c.jsonl") && lines[2].contains("b.jsonl"));
    QVERIFY(!folder.output.contains(".git"));

    // A file that is asked for by its name has to be one; the others are told all the same.
    const Run mixed = run({ u"reach"_s, m_folder->filePath(u"note.txt"_s), sample, u"--csv"_s });
    QCOMPARE(mixed.exitCode, 1);
    QVERIFY(mixed.output.contains("messages-21.genkit.json"));
    QVERIFY(QDir(m_folder->path()).mkpath(u"empty"_s));
    const Run empty = run({ u"reach"_s, m_folder->filePath(u"empty"_s) });
    QCOMPARE(empty.exitCode, 1);
    QVERIFY(empty.error.contains("no session"));
    for (const char *kind : { "repeat", "same-call", "name" })
        QCOMPARE(run({ u"reach"_s, sample, u"--uses"_s, QString::fromUtf8(kind) }).exitCode, 0);
}

void CommandLineTest::sweepOfASession()
{
    const QString sample = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples/messages-21.genkit.json"_s;
    const QStringList sweep { u"sweep"_s, sample, u"--policy"_s, u"langchain-summarization"_s, u"--x"_s,
        u"keep=2msg..8msg"_s, u"--y"_s, u"trigger=10000tok..60000tok"_s, u"--grid"_s, u"3"_s };
    const Run json = run(sweep + QStringList { u"--json"_s });
    QVERIFY2(json.exitCode == 0, json.error.constData());
    const QJsonObject document = QJsonDocument::fromJson(json.output).object();
    QCOMPARE(document[u"schema"].toString(), u"palimpsest.sweep/1"_s);
    QCOMPARE(document[u"x"][u"values"].toArray(), QJsonArray({ u"2msg"_s, u"5msg"_s, u"8msg"_s }));
    QCOMPARE(document[u"cells"].toArray().size(), 9);
    // A cell is what a replay of its policy says.
    const QJsonObject cell = document[u"cells"][4].toObject();
    const Run replay = run({ u"replay"_s, sample, u"--policy"_s, u"langchain-summarization"_s, u"--json"_s, u"--set"_s,
        u"keep="_s + cell[u"x"].toString(), u"--set"_s, u"trigger="_s + cell[u"y"].toString() });
    const QJsonValue totals = QJsonDocument::fromJson(replay.output).object()[u"policies"][1][u"totals"];
    QVERIFY(cell[u"tokens"].toInteger() > 0);
    QCOMPARE(cell[u"tokens"].toInteger(), totals[u"tokens"][u"value"].toInteger());
    QCOMPARE(cell[u"peak"].toInteger(), totals[u"peak"][u"value"].toInteger());
    QCOMPARE(cell[u"lost_uses"].toInt(), totals[u"lost_uses"].toInt());
    QCOMPARE(cell[u"torn_calls"].toInt(), totals[u"torn_calls"].toInt());
    const QByteArray csv = run(sweep + QStringList { u"--csv"_s }).output;
    QCOMPARE(csv.count('\n'), 10);
    QVERIFY(csv.startsWith("keep,trigger,cost,"));
    const Run drawn = run(sweep + QStringList { u"--metric"_s, u"peak"_s });
    QVERIFY2(drawn.output.contains("1 session"), drawn.output.constData());
    QVERIFY(drawn.output.contains("Peak context"));
    // The map writes 1 in the cell with the least peak, which the list begins with.
    const QJsonArray cells = document[u"cells"].toArray();
    const auto best
        = std::ranges::min_element(cells, {}, [](const QJsonValue &each) { return each[u"peak"].toInteger(); });
    const qsizetype place = std::distance(cells.begin(), best);
    const QList<QByteArray> lines = drawn.output.split('\n');
    const QByteArray &row = lines[2 + 2 - place / 3]; // below the title and a blank line, the largest trigger first
    const qsizetype label = row.size() - 6;           // three cells of two letters
    QVERIFY2(row[label + 2 * (place % 3)] == '1', drawn.output.constData());
    QVERIFY2(drawn.output.contains("\n    1  keep " + QByteArray::number(2 + 3 * (place % 3)) + " messages, trigger "),
        drawn.output.constData());
}

void CommandLineTest::sweepOfManySessions()
{
    const QString samples = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples/"_s;
    const QStringList settings { u"--policy"_s, u"deep-agents"_s, u"--keep"_s, u"1000tok:8000tok:3"_s, u"--trigger"_s,
        u"5000tok:60000tok:4"_s };
    const QStringList names { u"messages-21.claude-code.jsonl"_s, u"messages-21.codex.jsonl"_s,
        u"messages-21.genkit.json"_s };
    for (const QString &name : names)
        QVERIFY(QFile::copy(samples + name, m_folder->filePath(name)));
    QVERIFY(QFile::copy(samples + names[0], m_folder->filePath(u"resumed.jsonl"_s)));
    const QString folder = m_folder->path();
    const Run whole = run(QStringList { u"sweep"_s, folder, u"--json"_s, u"--suggest"_s } + settings);
    QVERIFY2(whole.exitCode == 0, whole.error.constData());
    const QJsonObject document = QJsonDocument::fromJson(whole.output).object();
    QCOMPARE(document[u"schema"].toString(), u"palimpsest.sweep_set/1"_s);
    QCOMPARE(document[u"files"].toInt(), 4);
    QCOMPARE(document[u"runs"].toArray().size(), 3);
    QCOMPARE(document[u"merged"].toArray().size(), 1);
    QCOMPARE(document[u"cells"].toArray().size(), 12);
    QVERIFY(document[u"suggestion"][u"reason"].toString().contains(u"10 runs"_s));

    // The medians as a picture.
    const QString picture = m_folder->filePath(u"map.png"_s);
    const QStringList mapped { u"sweep"_s, folder, u"--png"_s, picture };
    const Run painted = run(mapped + settings);
    QVERIFY2(painted.exitCode == 0, painted.error.constData());
    QCOMPARE(QString::fromUtf8(painted.output), picture + u'\n');
    QFile png(picture);
    QVERIFY(png.open(QIODevice::ReadOnly));
    const QByteArray bytes = png.readAll();
    QVERIFY(bytes.startsWith("\x89PNG"));
    QCOMPARE(bytes.mid(16, 8), QByteArray::fromHex("000004b000000384")); // 1200 x 900
    QCOMPARE(run(mapped + settings + QStringList { u"--suggest"_s }).exitCode, 2);
    QVERIFY(QFile::remove(picture));

    // Several policies beside each other, each with settings of its own.
    const QStringList two { u"sweep"_s, folder, u"--policy"_s, u"deep-agents"_s, u"--policy"_s, u"genkit-recipe"_s,
        u"--grid"_s, u"2"_s };
    const QJsonObject choice
        = QJsonDocument::fromJson(run(two + QStringList { u"--suggest"_s, u"--json"_s }).output).object();
    QCOMPARE(choice[u"schema"].toString(), u"palimpsest.policy_choice/1"_s);
    QVERIFY(choice[u"chosen"].isNull());
    QCOMPARE(choice[u"policies"].toArray().size(), 2);
    QCOMPARE(choice[u"policies"][1][u"policy"][u"id"].toString(), u"genkit-recipe"_s);
    QVERIFY(run(two).exitCode == 2 && run(two).error.contains("--suggest"));

    // File by file, in another order, and put together: the same bytes.
    QByteArray lines;
    for (const QString &name : QStringList { u"resumed.jsonl"_s, names[2], names[0], names[1] }) {
        const Run one = run(QStringList { u"sweep"_s, u"--ndjson"_s, m_folder->filePath(name) } + settings);
        QCOMPARE(one.exitCode, 0);
        lines += one.output;
    }
    QCOMPARE(lines.count('\n'), 4);
    QTemporaryDir elsewhere;
    QFile file(elsewhere.filePath(u"lines"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(lines) == lines.size());
    file.close();
    const Run merged = run({ u"sweep"_s, u"--merge"_s, file.fileName(), u"--json"_s, u"--suggest"_s });
    QVERIFY2(merged.exitCode == 0, merged.error.constData());
    QCOMPARE(merged.output, whole.output);

    const Run drawn = run(QStringList { u"sweep"_s, folder, u"--metric"_s, u"peak"_s } + settings);
    QVERIFY2(drawn.output.startsWith("4 files, 3 runs, 1 duplicate merged\n"), drawn.output.constData());
    const Run csv = run(QStringList { u"sweep"_s, folder, u"--csv"_s } + settings);
    QCOMPARE(csv.output.count('\n'), 13);
    // A list on standard input; an old recording; a file that is no session.
    QFile list(elsewhere.filePath(u"list"_s));
    QVERIFY(list.open(QIODevice::WriteOnly) && list.write((folder + u"\n"_s).toUtf8()) > 0);
    list.close();
    const Run listed
        = run(QStringList { u"sweep"_s, u"-"_s, u"--json"_s, u"--suggest"_s } + settings, {}, {}, list.fileName());
    QCOMPARE(listed.output, whole.output);
    const Run old = run(QStringList { u"sweep"_s, folder, u"--since"_s, u"2100-01-01"_s } + settings);
    QCOMPARE(old.exitCode, 1);
    QVERIFY(old.output.contains("0 runs"));
    QCOMPARE(run(QStringList { u"sweep"_s, folder, file.fileName(), u"--csv"_s } + settings).exitCode, 1);
    const Run broken = run({ u"sweep"_s, u"--merge"_s, list.fileName() });
    QCOMPARE(broken.exitCode, 1);
    QVERIFY(broken.error.contains("list:1"));
}

void CommandLineTest::linesOfManyMachines()
{
    const QString samples = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples/"_s;
    const QStringList names { u"messages-21.claude-code.jsonl"_s, u"messages-21.codex.jsonl"_s,
        u"messages-21.genkit.json"_s };
    for (const QString &name : names)
        QVERIFY(QFile::copy(samples + name, m_folder->filePath(name)));
    // The uses of a copied session count once: in the first file.
    QVERIFY(QFile::copy(samples + names[0], m_folder->filePath(u"a-copy.jsonl"_s)));
    const QString folder = m_folder->path();
    const QTemporaryDir elsewhere;
    const QString file = elsewhere.filePath(u"lines"_s);
    const auto lines = [&](const QStringList &command) {
        QByteArray text;
        for (const QString &name : QStringList { names[2], names[0], u"a-copy.jsonl"_s, names[1], names[0] })
            text += run(command + QStringList { u"--ndjson"_s, m_folder->filePath(name) }).output;
        QFile into(file);
        const bool isWritten = into.open(QIODevice::WriteOnly) && into.write(text) == text.size();
        return isWritten ? text.count('\n') : -1;
    };
    // One file was read twice.
    QCOMPARE(lines({ u"findings"_s }), 5);
    for (const QString &form : { u"--json"_s, u"--total"_s }) {
        const Run whole = run({ u"findings"_s, folder, form });
        const Run merged = run({ u"findings"_s, u"--merge"_s, file, form });
        QVERIFY2(merged.exitCode == 0, merged.error.constData());
        QCOMPARE(merged.output, whole.output);
    }
    QVERIFY(run({ u"findings"_s, folder, u"--total"_s }).output.startsWith("4 sessions\n"));
    QCOMPARE(run({ u"findings"_s, u"--merge"_s, file, u"--fail-on"_s, u"unlogged"_s }).exitCode,
        run({ u"findings"_s, folder, u"--fail-on"_s, u"unlogged"_s }).exitCode);
    QVERIFY(run({ u"reach"_s, u"--merge"_s, file }).error.contains("lines:1: This is not a line of schema"));

    QCOMPARE(lines({ u"reach"_s }), 5);
    for (const QString &form : { u"--json"_s, u"--csv"_s }) {
        const Run whole = run({ u"reach"_s, folder, form });
        const Run merged = run({ u"reach"_s, u"--merge"_s, file, form });
        QVERIFY2(merged.exitCode == 0, merged.error.constData());
        QCOMPARE(merged.output, whole.output);
    }
    const auto copied = [&](int session) {
        const QJsonObject document
            = QJsonDocument::fromJson(run({ u"reach"_s, u"--merge"_s, file, u"--json"_s }).output).object();
        return document[u"sessions"][session][u"copied_uses"].toInt();
    };
    QCOMPARE(copied(0), 0);
    QVERIFY(copied(1) > 0);

    // A line that was cut, and a line that contradicts another.
    QFile cut(file);
    QVERIFY(cut.open(QIODevice::ReadOnly));
    const QByteArray text = cut.readAll();
    cut.close();
    const auto mergeOf = [&](const QByteArray &changed) {
        QFile into(file);
        return into.open(QIODevice::WriteOnly) && into.write(changed) == changed.size()
            ? (into.close(), run({ u"reach"_s, u"--merge"_s, file }))
            : Run {};
    };
    const Run torn = mergeOf(text.chopped(9));
    QCOMPARE(torn.exitCode, 1);
    QVERIFY2(torn.error.contains("lines:5"), torn.error.constData());
    QByteArray other = text;
    const qsizetype last = other.lastIndexOf("\"unsure_uses\":0");
    QVERIFY(last > 0);
    other.replace(last, 15, "\"unsure_uses\":7");
    QVERIFY(mergeOf(other).error.contains("Two lines give different figures for "));
    QVERIFY(mergeOf("\n").error.contains("There are no lines to merge."));
}

void CommandLineTest::calibrationOfSessions()
{
    const QString folder = QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + u"/resources/samples"_s;
    const Run json = run({ u"tokens"_s, u"--calibration"_s, u"--json"_s, folder });
    QCOMPARE(json.exitCode, 0);
    const QJsonObject document = QJsonDocument::fromJson(json.output).object();
    QCOMPARE(document[u"schema"].toString(), u"palimpsest.calibration/1"_s);
    // The recipe's dump records no usage; nine calls are too few to count.
    QCOMPARE(document[u"sessions"].toArray().size(), 2);
    QCOMPARE(document[u"sessions_counted"].toInt(), 0);
    const QJsonObject session = document[u"sessions"][0].toObject();
    QCOMPARE(session[u"calls"].toInt(), 9);
    QCOMPARE(session[u"has_enough_calls"].toBool(), false);
    QVERIFY(session[u"trial"][u"rates"][u"tool_result"].toDouble() > 0.5);
    const QByteArray lines = run({ u"tokens"_s, u"--calibration"_s, folder }).output;
    QVERIFY(lines.contains("fewer than 20 calls with usage:"));
}

void CommandLineTest::noWindowSystemIsNeeded()
{
    QProcessEnvironment broken;
    broken.insert(u"QT_QPA_PLATFORM"_s, u"no-such-platform"_s);
    const QString file = write(sessionOf(1));
    QCOMPARE(run({ u"show"_s, file }, {}, broken).exitCode, 0);
    QCOMPARE(run({ u"formats"_s }, {}, broken).exitCode, 0);
    QCOMPARE(run({ u"--help"_s }, {}, broken).exitCode, 0);
}

void CommandLineTest::outputThatCannotBeWritten()
{
    if (!QFile::exists(u"/dev/full"_s))
        QSKIP("There is no /dev/full here.");
    const Run result = run({ u"show"_s, write(sessionOf(200'000)), u"--json"_s }, u"/dev/full"_s);
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.error.startsWith("palimpsest: The output could not be written"), result.error.constData());
}

namespace {

/// A question, a call with its result, an answer.
std::string calledSession()
{
    const auto record = [](const char *type, const char *uuid, const char *parent, const std::string &message) {
        return std::string(R"({"parentUuid":)") + parent + R"(,"isSidechain":false,"type":")" + type + R"(","uuid":")"
            + uuid + R"(","message":)" + message + "}\n";
    };
    return record("user", "u1", "null", R"({"role":"user","content":"a"})")
        + record("assistant", "r1", R"("u1")",
            R"({"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]})")
        + record("user", "u2", R"("r1")",
            R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"c"}]})")
        + record(
            "assistant", "r2", R"("u2")", R"({"id":"m2","role":"assistant","content":[{"type":"text","text":"d"}]})");
}

} // namespace

void CommandLineTest::exportIsRefused_data()
{
    QTest::addColumn<QByteArray>("session");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("sentence");
    const QStringList dropped { u"--overrides"_s, u"FOLDER/overrides.json"_s };
    const QByteArray called = QByteArray::fromStdString(calledSession());
    QTest::newRow("a file that had to be repaired")
        << "[{\"type\":\"human\",\"content\":\"" + QByteArray(3000, 'x')
            + "\xFF\"},{\"type\":\"ai\",\"content\":\"b\"},{\"type\":\"human\",\"content\":\"c\"}]"
        << QStringList { u"--set"_s, u"keep=1msg"_s } << u"out"_s << u"`--as langchain` writes the array alone."_s;
    QTest::newRow("a folder that is not there")
        << called << QStringList() << u"none/out"_s << u"There is no folder “FOLDER/none” to write it to."_s;
    QTest::newRow("a link to nowhere") << called << QStringList() << u"link"_s << u"There is a link at this place"_s;
    QTest::newRow("an array that a provider refuses")
        << called << dropped << u"out"_s
        << u"A provider would refuse the new array at [0]: The tool result has no call before it. Nothing was "
           "written; --force writes it anyway."_s;
    QTest::newRow("the same in another shape")
        << called << dropped + QStringList { u"--as"_s, u"openai"_s } << u"out"_s << u"--force"_s;
}

/// With one sentence and exit code 1; nothing is written then, not even a store.
void CommandLineTest::exportIsRefused()
{
    QFETCH(const QByteArray, session);
    QFETCH(QStringList, words);
    QFETCH(const QString, place);
    QFETCH(QString, sentence);
    const QString file = write(session.toStdString());
    write(R"({"schema":"palimpsest.overrides/1","drop":["m1/0"]})", u"overrides.json"_s);
    QVERIFY(QFile::link(m_folder->filePath(u"nowhere"_s), m_folder->filePath(u"link"_s)));
    const QStringList before = QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::System);
    words.replaceInStrings(u"FOLDER"_s, m_folder->path());
    words = QStringList {
        u"compact"_s, file, u"--policy"_s, u"genkit-recipe-figure"_s, u"-o"_s, m_folder->filePath(place)
    } + words;
    const Run refused = run(words);
    QCOMPARE(refused.exitCode, 1);
    QCOMPARE(refused.output, QByteArray());
    QCOMPARE(refused.error.count('\n'), 1);
    QVERIFY2(
        refused.error.contains(sentence.replace(u"FOLDER"_s, m_folder->path()).toUtf8()), refused.error.constData());
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::System), before);
    if (!sentence.contains(u"--force"_s))
        return;
    const Run forced = run(words + QStringList { u"--force"_s });
    QVERIFY2(forced.exitCode == 0, forced.error.constData());
    QVERIFY(QFile::exists(m_folder->filePath(place)));
}

/// Single ones, into a folder that is made where its own folder is there, and the whole session.
void CommandLineTest::originalsComeBack()
{
    const QString file = write(calledSession());
    const QString overrides
        = write(R"({"schema":"palimpsest.overrides/1","drop":["u1/0","m2/0"]})", u"overrides.json"_s);
    const QString out = m_folder->filePath(u"out"_s);
    const QString store = out + u".originals.git"_s;
    const Run written = run({ u"compact"_s, file, u"--policy"_s, u"none"_s, u"--overrides"_s, overrides, u"-o"_s, out,
        u"--force"_s, u"--json"_s });
    QVERIFY2(written.exitCode == 0, written.error.constData());
    QStringList names;
    const auto originals = QJsonDocument::fromJson(written.output)[u"originals"_s].toArray();
    for (const auto &each : originals)
        names << each[u"name"_s].toString();
    QVERIFY(names.size() > 1);

    const QString far = m_folder->filePath(u"no/such/place"_s);
    const Run refused = run(QStringList { u"restore"_s, store, u"-o"_s, far } + names);
    QCOMPARE(refused.exitCode, 1);
    QVERIFY2(refused.error.contains("There is no folder"), refused.error.constData());
    QVERIFY(!QFile::exists(m_folder->filePath(u"no"_s)));
    const QString place = m_folder->filePath(u"back/"_s);
    QCOMPARE(run(QStringList { u"restore"_s, store, u"-o"_s, place } + names).exitCode, 0);
    QCOMPARE(QDir(place + u"originals"_s).entryList(QDir::Files).size(), names.size());
    QCOMPARE(run({ u"restore"_s, store, u"--session"_s, out }).output, QByteArray::fromStdString(calledSession()));
}

/// As they stood in the session, and as what they say.
void CommandLineTest::originalsAreDecoded()
{
    const QString file
        = write(R"({"system":"S","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a\nb"},)"
                R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGkK"}},)"
                R"({"type":"text","text":"c"}]},{"role":"assistant","content":"d"}]})");
    const QStringList compact { u"compact"_s, file, u"--policy"_s, u"none"_s, u"--json"_s };
    const auto slots = QJsonDocument::fromJson(run(compact).output)[u"before_slots"_s].toArray();
    QJsonArray keys;
    for (const auto &slot : slots) {
        for (const QJsonArray blocks = slot[u"blocks"_s].toArray(); const auto &block : blocks)
            keys << block[u"key"_s];
    }
    QCOMPARE(keys.size(), 4);
    const QJsonObject overrides { { u"schema"_s, u"palimpsest.overrides/1"_s },
        { u"drop"_s, QJsonArray { keys[0], keys[1] } } };
    const QString dropped = write(QJsonDocument(overrides).toJson().toStdString(), u"overrides.json"_s);
    const QString out = m_folder->filePath(u"out"_s);
    const QString store = out + u".originals.git"_s;
    const Run written = run(compact + QStringList { u"--overrides"_s, dropped, u"-o"_s, out });
    QVERIFY2(written.exitCode == 0, written.error.constData());
    const auto restored = [&](const QString &name, const QStringList &more = {}) {
        return run(QStringList { u"restore"_s, store, name } + more).output;
    };
    QCOMPARE(restored(u"#0-0"_s), QByteArray("a\\nb"));
    QCOMPARE(restored(u"#0-0"_s, { u"--decoded"_s }), QByteArray("a\nb"));
    QCOMPARE(restored(u"#0-1"_s), QByteArray("aGkK"));
    QCOMPARE(restored(u"originals/#0-1"_s, { u"--decoded"_s }), QByteArray("hi\n"));
    const auto ofText = QJsonDocument::fromJson(restored(u"#0-0"_s, { u"--json"_s }))[u"originals"_s].toArray();
    QCOMPARE(ofText.first()[u"coding"_s].toString(), u"json-string"_s);
    QCOMPARE(run({ u"restore"_s, store, u"--decoded"_s }).exitCode, 2);
}

/// Without a store the plan says what one would hold, and how overrides name the blocks.
void CommandLineTest::planListsOriginalsAndKeys()
{
    const QString file = write(calledSession());
    const QStringList compact { u"compact"_s, file, u"--policy"_s, u"none"_s, u"--json"_s };
    const QJsonArray slotsBefore = QJsonDocument::fromJson(run(compact).output)[u"before_slots"_s].toArray();
    QStringList keys;
    for (const auto &slot : slotsBefore) {
        const QJsonArray blocks = slot[u"blocks"_s].toArray();
        for (const auto &block : blocks)
            keys << block[u"key"_s].toString();
    }
    QCOMPARE(keys, (QStringList { u"u1/0"_s, u"m1/0"_s, u"u2/0"_s, u"m2/0"_s }));
    QCOMPARE(
        QJsonDocument::fromJson(run({ u"show"_s, file, u"--json"_s }).output)[u"slots"_s][1][u"blocks"_s][0][u"key"_s]
            .toString(),
        keys[1]);
    const QString drop = write(R"({"schema":"palimpsest.overrides/1","drop":["u1/0"]})", u"overrides.json"_s);
    const QStringList dropping = compact + QStringList { u"--overrides"_s, drop };
    const QJsonObject planned = QJsonDocument::fromJson(run(dropping).output).object();
    const Run stored = run(dropping + QStringList { u"--store"_s, m_folder->filePath(u"store"_s) });
    QVERIFY2(stored.exitCode == 0, stored.error.constData());
    const QJsonObject kept = QJsonDocument::fromJson(stored.output).object();
    QCOMPARE(planned[u"rewrites"_s], kept[u"rewrites"_s]);
    QCOMPARE(planned[u"rewrites"_s][0][u"original"_s].toString(), u"#0-0"_s);
    QJsonObject original = planned[u"originals"_s][0].toObject();
    QCOMPARE(original[u"bytes"_s].toInt(), 1);
    QCOMPARE(original[u"stored"_s].toBool(true), false);
    original[u"stored"_s] = true;
    QCOMPARE(original, kept[u"originals"_s][0].toObject());
}

void CommandLineTest::coloursAndWidth_data()
{
    QTest::addColumn<bool>("isTerminal");
    QTest::addColumn<QString>("option");
    QTest::addColumn<bool>("noColor");
    QTest::addColumn<bool>("hasColours");
    QTest::newRow("on a terminal") << true << QString() << false << true;
    QTest::newRow("on a terminal that wants none") << true << QString() << true << false;
    QTest::newRow("on a terminal, never") << true << u"never"_s << false << false;
    QTest::newRow("on a terminal that wants none, always") << true << u"always"_s << true << true;
    QTest::newRow("into a pipe") << false << QString() << false << false;
    QTest::newRow("into a pipe, always") << false << u"always"_s << false << true;
}

void CommandLineTest::coloursAndWidth()
{
    QFETCH(bool, isTerminal);
    QFETCH(QString, option);
    QFETCH(bool, noColor);
    QFETCH(bool, hasColours);
    QStringList words { u"show"_s, write(sessionOf(1)) };
    if (!option.isEmpty())
        words << u"--color"_s << option;
    QByteArray output;
    if (isTerminal) {
        const QByteArray path = program().toLocal8Bit();
        std::vector<QByteArray> bytes { path };
        for (const QString &word : words)
            bytes.push_back(word.toLocal8Bit());
        std::vector<char *> argv;
        for (QByteArray &word : bytes)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        winsize size {};
        size.ws_row = 50;
        size.ws_col = 73;
        int master = -1;
        const pid_t child = ::forkpty(&master, nullptr, nullptr, &size);
        if (child == 0) {
            if (noColor)
                ::setenv("NO_COLOR", "1", 1);
            else
                ::unsetenv("NO_COLOR");
            ::execv(argv.front(), argv.data());
            ::_exit(127);
        }
        QVERIFY(child > 0);
        std::array<char, 4096> buffer {};
        for (ssize_t count = 1; count > 0;) {
            count = ::read(master, buffer.data(), buffer.size());
            if (count > 0)
                output.append(buffer.data(), count);
        }
        ::close(master);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(WEXITSTATUS(status), 0);
    } else {
        QProcessEnvironment environment;
        environment.insert(u"NO_COLOR"_s, noColor ? u"1"_s : QString());
        output = run(words, {}, environment).output;
    }
    QVERIFY(!output.isEmpty());
    QCOMPARE(output.contains("\x1b["), hasColours);
    // As wide as the terminal, or 100: the keep boundary reaches from edge to edge.
    static const QRegularExpression kColour(u"\x1b\\[[0-9;]*m"_s);
    const QStringList lines = QString::fromUtf8(output).remove(kColour).remove(u'\r').split(u'\n');
    qsizetype widest = 0;
    for (const QString &line : lines)
        widest = std::max(widest, line.size());
    QCOMPARE(widest, isTerminal ? 73 : 100);
}

void CommandLineTest::badInput_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, const QString &kind, const QString &sentence) {
        QTest::newRow(name) << kind << sentence;
    };
    row("a file that is not there", u"missing"_s, u"There is no such file."_s);
    row("no bytes", u"empty"_s, u"The file is empty."_s);
    row("a folder", u"folder"_s, u"This is a folder; choose a session file in it."_s);
    row("a pipe", u"pipe"_s, u"This is not a regular file."_s);
    row("a device", u"device"_s, u"This is not a regular file."_s);
    row("a file that may not be read", u"forbidden"_s, u"You have no permission to read this file."_s);
    row("a picture", u"png"_s, u"It is an image."_s);
    row("a database", u"sqlite"_s, u"The database cannot be read: file is not a database."_s);
    row("an archive", u"zip"_s, u"The ZIP archive cannot be read: "_s);
    row("compressed, and cut", u"zstd"_s, u"compressed file"_s);
    row("bytes of no text", u"bytes"_s, u"It is"_s);
    row("a hundred thousand brackets", u"brackets"_s, u"It is JSON in an unknown format."_s);
    row("a hundred thousand objects in each other", u"objects"_s, u"It is JSON in an unknown format."_s);
    row("NULs", u"nul"_s, u"It is a binary file."_s);
    row("text of one line", u"line"_s, u"It is text in an unknown format."_s);
}

void CommandLineTest::badInput()
{
    QFETCH(QString, kind);
    QFETCH(QString, sentence);
    QString path = m_folder->filePath(u"x"_s);
    std::string bytes;
    if (kind == u"folder") {
        path = m_folder->path();
    } else if (kind == u"pipe") {
        QCOMPARE(::mkfifo(path.toLocal8Bit().constData(), 0600), 0);
    } else if (kind == u"device") {
        path = u"/dev/zero"_s;
    } else if (kind == u"forbidden") {
        if (::geteuid() == 0)
            QSKIP("Runs as root, whom nothing is forbidden; tst_source has this as another user.");
        path = write("{}");
        QCOMPARE(::chmod(path.toLocal8Bit().constData(), 0), 0);
    } else if (kind != u"missing") {
        if (kind == u"png")
            bytes = "\x89PNG\r\n\x1a\n" + std::string(5000, '\x07');
        else if (kind == u"sqlite")
            bytes = "SQLite format 3" + std::string(5000, '\0');
        else if (kind == u"zip")
            bytes = "PK\x03\x04" + std::string(5000, '\x01');
        else if (kind == u"zstd")
            bytes = "\x28\xB5\x2F\xFD\x04";
        else if (kind == u"bytes")
            bytes = std::string(100'000, '\xFF');
        else if (kind == u"brackets")
            bytes = std::string(100'000, '[');
        else if (kind == u"nul")
            bytes = std::string(100'000, '\0');
        else if (kind == u"line")
            bytes.assign(12'800'000, 'x');
        for (int i = 0; kind == u"objects" && i < 100'000; ++i)
            bytes += "{\"a\":";
        path = write(bytes, u"x"_s);
    }
    const Run result = run({ u"show"_s, path, u"--json"_s });
    QCOMPARE(result.exitCode, 1);
    QCOMPARE(result.output, QByteArray());
    const QString error = QString::fromUtf8(result.error);
    QVERIFY2(error.startsWith(u"palimpsest: %1: "_s.arg(path)) && error.count(u'\n') == 1, qPrintable(error));
    QVERIFY2(error.contains(sentence), qPrintable(error));
}

void CommandLineTest::hugeLines()
{
    // One text of 12.8 million characters.
    std::string text;
    text.assign(12'800'000, 'x');
    const QString whole = write(userRecord("u1", "", text) + answerRecord("a1", "u1"), u"whole.jsonl"_s);
    Run result = run({ u"show"_s, whole, u"--json"_s });
    QVERIFY2(result.exitCode == 0, result.error.constData());
    QJsonObject document = QJsonDocument::fromJson(result.output).object();
    QCOMPARE(document.value(u"totals"_s)[u"chars"_s].toInteger(), 12'800'002);
    QVERIFY(result.output.size() < 10'000); // the text itself is nobody's business here

    // The same cut in the middle, with whole records before and behind it.
    const std::string huge = userRecord("u2", "a1", text);
    const QString cut = write(userRecord("u1", "", "go") + answerRecord("a1", "u1") + huge.substr(0, huge.size() / 2)
            + "\n" + userRecord("u3", "a1", "more"),
        u"cut.jsonl"_s);
    result = run({ u"show"_s, cut, u"--json"_s });
    QVERIFY2(result.exitCode == 0, result.error.constData());
    document = QJsonDocument::fromJson(result.output).object();
    QCOMPARE(document.value(u"slots"_s).toArray().size(), 3);
    QCOMPARE(document.value(u"diagnostics"_s).toArray().size(), 1);
    QCOMPARE(document.value(u"diagnostics"_s)[0][u"line"_s].toInt(), 3);

    // A damaged line of objects by the hundred thousand, which might all be the beginning of a record.
    std::string objects = R"({"parentUuid":"a1","isSidechain":false,"type":"user","uuid":"u2","toolUseResult":[)";
    for (int i = 0; i < 200'000; ++i)
        objects += R"({"type":"x","uuid":"y"} )";
    const QString many
        = write(userRecord("u1", "", "go") + answerRecord("a1", "u1") + objects + "\n" + userRecord("u3", "a1", "more"),
            u"many.jsonl"_s);
    result = run({ u"show"_s, many, u"--json"_s });
    QVERIFY2(result.exitCode == 0, result.error.constData());
    document = QJsonDocument::fromJson(result.output).object();
    QCOMPARE(document.value(u"slots"_s).toArray().size(), 3);
}

void CommandLineTest::aFileThatChangesBeforeItIsRead_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("isLarge");
    for (const bool isLarge : { false, true }) {
        for (const char *change : { "grows", "shrinks", "is emptied", "is replaced", "vanishes" })
            QTest::addRow("%s file %s", isLarge ? "a mapped" : "a small", change)
                << QString::fromUtf8(change) << isLarge;
    }
}

namespace {

void changeFile(const QString &path, const QString &change)
{
    if (change == u"grows") {
        QFile file(path);
        if (file.open(QIODevice::Append))
            file.write(QByteArray::fromStdString(userRecord("late", "", "late")));
    } else if (change == u"shrinks") {
        QFile::resize(path, QFile(path).size() / 3);
    } else if (change == u"is emptied") {
        QFile::resize(path, 0);
    } else if (change == u"is replaced") {
        QFile other(path + u".new"_s);
        if (other.open(QIODevice::WriteOnly))
            other.write(QByteArray::fromStdString(sessionOf(1000)));
        other.close();
        ::rename(other.fileName().toLocal8Bit().constData(), path.toLocal8Bit().constData());
    } else {
        QFile::remove(path);
    }
}

} // namespace

void CommandLineTest::aFileThatChangesBeforeItIsRead()
{
    // Opened, then changed, then read: every byte is read behind the change.
    QFETCH(QString, change);
    QFETCH(bool, isLarge);
    const QString path = write(sessionOf(isLarge ? Source::kMapThreshold + 100'000 : 100'000));
    const auto source = Source::open(path.toStdString());
    QVERIFY(source);
    QCOMPARE((*source)->isMapped(), isLarge);
    changeFile(path, change);
    const auto session = loadSession(*source);
    QVERIFY(!session);
    QCOMPARE(int(session.error().kind), int(ErrorKind::Changed));
    QVERIFY(session.error().message.ends_with('.'));
    QCOMPARE(session.error().where, path.toStdString());
    QVERIFY((*source)->isTorn() == (isLarge && (change == u"shrinks" || change == u"is emptied")));
}

void CommandLineTest::aFileThatChangesWhileItIsRead_data() { aFileThatChangesBeforeItIsRead_data(); }

void CommandLineTest::aFileThatChangesWhileItIsRead()
{
    QFETCH(QString, change);
    QFETCH(bool, isLarge);
    const QString path = write(sessionOf(isLarge ? 2 * Source::kMapThreshold : Source::kMapThreshold - 100'000));
    Progress progress;
    std::atomic<bool> isOver = false;
    std::thread changer([&] {
        while (progress.fraction() < 0.2 && !isOver)
            std::this_thread::yield();
        changeFile(path, change);
    });
    const auto session = loadSession(path.toStdString(), &progress);
    isOver = true;
    changer.join();
    // Noticed while reading, or, where the reader was quicker, the first time anybody asks.
    if (session) {
        const auto torn = (*session)->torn();
        QVERIFY(torn);
        QCOMPARE(int(torn->kind), int(ErrorKind::Changed));
    } else {
        QCOMPARE(int(session.error().kind), int(ErrorKind::Changed));
    }
}

PALIMPSEST_TEST(CommandLineTest)
#include "tst_command_line.moc"
