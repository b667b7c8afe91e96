// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/findings/typed_recall.h"
#include "core/report/agent_status.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
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

/// A session of Claude Code.
class Log final {
public:
    void typed(const std::string &text, const std::string &promptId = {}) { m_log.typed(text, promptId); }
    void answered(uint64_t prompt)
    {
        m_log.setUsage(0, 0, prompt);
        m_log.call("Bash", { { "command", "ls" } });
    }
    void rejected(const std::string &text)
    {
        m_log.result(
            "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to "
            "proceed, the user said:\n"
                + text,
            true);
    }
    void compacted(const std::string &summary, uint64_t before = 167'000) { m_log.compact(summary, before); }

    [[nodiscard]] std::string bytes() const { return m_log.text(); }
    [[nodiscard]] SessionPtr session() const { return testing::sound(m_log.text()); }

private:
    testing::ClaudeLog m_log { "/w" };
};

std::vector<std::string> textsOf(const TypedRecall &recall)
{
    std::vector<std::string> texts;
    for (const RecallMessage &each : recall.messages)
        texts.push_back((each.comesFirst ? "! " : "") + each.text);
    return texts;
}

using Texts = std::vector<std::string>;

struct Run {
    int exitCode = -1;
    QByteArray output;
    QByteArray error;
};

Run run(const QStringList &words, const QByteArray &input = {}, const QString &data = {})
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"XDG_DATA_HOME"_s, data);
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s, words);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished();
    return { process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError() };
}

QByteArray hookInput(const QString &transcript, const QString &promptId = u"p0"_s)
{
    return QJsonDocument(
        QJsonObject { { u"session_id"_s, u"abc/../d"_s }, { u"transcript_path"_s, transcript },
            { u"prompt_id"_s, promptId }, { u"hook_event_name"_s, u"PreCompact"_s }, { u"trigger"_s, u"auto"_s } })
        .toJson();
}

} // namespace

/// What an agent's hooks get from Palimpsest.
class HooksTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNewestFitTheBudget();
    void theOutputHasRoom();
    void beforeTheSummaryIsKnown();
    void thePromptThatIsStillToBeSent();
    void whatTheSummaryLost();
    void corpus_data() { testing::addCorpusRows(6); }
    void corpus();
    void status();
    void statusOfARecordedTrigger();
    void recallAsAHook();
    void guardAsAHook();
    void statuslineAsAHook();
    void wrongInput();
    void settings();
};

void HooksTest::theNewestFitTheBudget()
{
    const auto words = [](const char *name, bool comesFirst) {
        return RecallMessage { std::string(name) + " one two three four five six seven eight nine", comesFirst };
    };
    const std::vector<RecallMessage> messages { words("a", true), words("b", false), words("c", true),
        words("d", false) };
    QCOMPARE(recalled({}, RecallCause::Lost, {}).text, "");
    const auto put = [&](double tokens) {
        RecallLimits limits;
        limits.tokens = tokens;
        return recalled(messages, RecallCause::Lost, "/t.jsonl", limits);
    };
    // A message has some 11 tokens.
    QCOMPARE(put(15).put, (std::vector<size_t> { 2 }));
    QCOMPARE(put(26).put, (std::vector<size_t> { 0, 2 }));
    QCOMPARE(put(38).put, (std::vector<size_t> { 0, 2, 3 }));
    const Recalled all = put(1000);
    QCOMPARE(all.put.size(), size_t(4));
    QVERIFY(!all.text.contains("/t.jsonl"));
    const Recalled some = put(26);
    QCOMPARE(some.leftOut, (std::vector<size_t> { 1, 3 }));
    QVERIFY2(some.text.contains("2 messages of 4 (number 2 and 4)"), some.text.c_str());
    QVERIFY(some.text.contains("/t.jsonl"));
    QVERIFY(some.text.contains("Message 3 of 4:\nc one two"));
    QVERIFY(!some.text.contains("b one two"));
    // A large message does not keep smaller ones out.
    std::vector<RecallMessage> uneven { words("small", false), { std::string(4000, 'x') + " y", true } };
    QCOMPARE(recalled(uneven, RecallCause::Lost, {}, { .tokens = 30 }).put, (std::vector<size_t> { 0 }));
}

/// However long the messages are: the harness shows longer output only in part.
void HooksTest::theOutputHasRoom()
{
    std::vector<RecallMessage> messages;
    for (int i = 0; i < 60; ++i)
        messages.push_back({ std::string(static_cast<size_t>(i) * 37 % 700, 'a') + "\xF0\x9F\x98\x80 x", i % 3 == 0 });
    const Recalled made = recalled(messages, RecallCause::MayBeLost, "/a/transcript.jsonl", { .tokens = 1e9 });
    QVERIFY(!made.put.empty() && !made.leftOut.empty());
    QVERIFY(textLengths(made.text).utf16Units <= kHookOutput);
    // Nothing that is left out would have had room.
    uint64_t shortest = UINT64_MAX;
    for (const size_t i : made.leftOut)
        shortest = std::min(shortest, textLengths(messages[i].text).utf16Units);
    QVERIFY(textLengths(made.text).utf16Units + shortest + 300 > kHookOutput);
}

void HooksTest::beforeTheSummaryIsKnown()
{
    Log log;
    log.typed("Read the ledger and tell me what a posting is.");
    log.answered(1000);
    log.rejected("look into the other folder");
    log.answered(2000);
    log.typed("Never write to the archive.");
    log.answered(3000);
    log.typed("Read the ledger and tell me what a posting is.");
    log.answered(4000);
    const TypedRecall recall = messagesToRecall(log.session());
    QVERIFY(recall.cause == RecallCause::MayBeLost);
    QCOMPARE(textsOf(recall),
        (Texts { "! look into the other folder", "! Never write to the archive.",
            "Read the ledger and tell me what a posting is." }));
}

/// Claude Code compacts before it sends a prompt: the prompt then stands behind the summary.
void HooksTest::thePromptThatIsStillToBeSent()
{
    Log log;
    log.typed("Go on.", "p1");
    log.answered(1000);
    log.typed("Never write to the archive.", "p2");
    log.answered(2000);
    log.typed("Go on.", "p3");
    const Texts all { "! Never write to the archive.", "Go on." };
    QCOMPARE(textsOf(messagesToRecall(log.session(), "p3")), (Texts { "! Never write to the archive." }));
    // A command compacts after a prompt that was interrupted. The next request does not hold that prompt.
    QCOMPARE(textsOf(messagesToRecall(log.session(), "p4")), all);
    QCOMPARE(textsOf(messagesToRecall(log.session())), all);
    // In the middle of the turn the prompt is part of what is summarised.
    log.answered(3000);
    QCOMPARE(textsOf(messagesToRecall(log.session(), "p3")), all);
}

void HooksTest::whatTheSummaryLost()
{
    Log log;
    log.typed("Read the ledger and tell me what a posting is.");
    log.answered(1000);
    log.typed("Never write to the folder of the archive.");
    log.answered(3000);
    log.compacted("The user said: Read the ledger and tell me what a posting is. Work goes on.");
    const TypedRecall recall = messagesToRecall(log.session());
    QVERIFY(recall.cause == RecallCause::Lost);
    QCOMPARE(textsOf(recall), (Texts { "! Never write to the folder of the archive." }));
    // Later the summary is part of the past, and the next compaction may lose anything.
    log.typed("Go on with the parser.");
    log.answered(2000);
    QCOMPARE(textsOf(messagesToRecall(log.session())),
        (Texts { "Read the ledger and tell me what a posting is.", "! Never write to the folder of the archive.",
            "Go on with the parser." }));
}

/// Of real sessions: each message is put back as it is or left out, and the text has room.
void HooksTest::corpus()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    const auto session = loadSession(testing::corpus() / file.toStdString());
    if (!session)
        return;
    const TypedRecall recall = messagesToRecall(*session);
    const Recalled made = recalled(recall.messages, recall.cause, file.toStdString());
    QCOMPARE(made.put.size() + made.leftOut.size(), recall.messages.size());
    QCOMPARE(made.text.empty(), recall.messages.empty());
    QVERIFY(textLengths(made.text).utf16Units <= kHookOutput);
    for (const size_t i : made.put)
        QVERIFY(made.text.contains(":\n" + recall.messages[i].text));
    // What is in context at the end is among the messages, unless a compaction is the last record.
    const InContext count = userMessagesAt(*session, {});
    if (recall.cause == RecallCause::MayBeLost)
        QVERIFY(recall.messages.empty() == (count.all == 0) || count.standing < count.all);
}

void HooksTest::status()
{
    Log log;
    log.typed("Go on with the parser.");
    QCOMPARE(drawAgentStatus(agentStatus(log.session())), "1 typed message at risk");
    for (const uint64_t prompt : { 100'000, 110'000, 120'000, 130'000 })
        log.answered(prompt);
    // The model of these sessions has a window of 200,000 tokens, of which this Claude Code (2.1.14) reserves 45,000.
    QCOMPARE(drawAgentStatus(agentStatus(log.session())),
        "130,000 of 200,000 tokens · compacts at ~155,000, in about 3 calls · 1 typed message at risk");
    QCOMPARE(drawAgentStatus(agentStatus(log.session(), 168'000)),
        "168,000 of 200,000 tokens · compacts at ~155,000, at the next call · 1 typed message at risk");
    QCOMPARE(drawAgentStatus(agentStatus(log.session(), 130'500, 1'000'000)),
        "130,500 of 1,000,000 tokens · compacts at ~955,000, in about 83 calls · 1 typed message at risk");
    log.answered(90'000); // it does not grow
    QCOMPARE(drawAgentStatus(agentStatus(log.session())),
        "90,000 of 200,000 tokens · compacts at ~155,000 · 1 typed message at risk");
}

void HooksTest::statusOfARecordedTrigger()
{
    Log log;
    log.typed("Read the ledger and tell me what a posting is.");
    log.answered(140'000);
    log.compacted("Nothing of it.", 142'000);
    log.typed("Go on with the parser.");
    log.answered(20'000);
    QCOMPARE(drawAgentStatus(agentStatus(log.session())),
        "20,000 of 200,000 tokens · compacts at ~142,000 · 1 typed message at risk, 1 lost");
}

void HooksTest::recallAsAHook()
{
    const QTemporaryDir folder;
    const QString transcript = folder.filePath(u"t.jsonl"_s);
    QCOMPARE(run({ u"recall"_s }, hookInput(transcript)).exitCode, 0); // not written yet
    Log log;
    log.typed("Never write to the archive.", "p1");
    log.answered(1000);
    log.typed("Is it done?", "p2");
    QFile file(transcript);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(log.bytes().c_str()) > 0);
    file.close();
    const Run made = run({ u"recall"_s }, hookInput(transcript, u"p2"_s));
    QCOMPARE(made.exitCode, 0);
    QVERIFY(made.output.endsWith("Message 1 of 1:\nNever write to the archive.\n"));
    const Run all = run({ u"recall"_s }, hookInput(transcript));
    QVERIFY(all.output.endsWith("Message 2 of 2:\nIs it done?\n"));
    QCOMPARE(run({ u"recall"_s, transcript }).output, all.output);
    const Run none = run({ u"recall"_s, u"--budget"_s, u"1"_s }, hookInput(transcript));
    QVERIFY(none.output.contains("Left out for lack of room: 2 messages of 2 (number 1 and 2)."));
}

void HooksTest::guardAsAHook()
{
    const QTemporaryDir folder;
    const QString transcript = folder.filePath(u"t.jsonl"_s);
    Log log;
    log.typed("Never write to the archive.");
    log.answered(1000);
    QFile file(transcript);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(log.bytes().c_str()) > 0);
    file.close();
    for (int i = 0; i < 2; ++i) {
        const Run made = run({ u"guard"_s }, hookInput(transcript), folder.filePath(u"data"_s));
        QVERIFY2(made.exitCode == 0, made.error);
    }
    QStringList kept;
    QDirIterator files(folder.filePath(u"data"_s), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        kept << files.next();
    kept.sort();
    QCOMPARE(kept.size(), 4);
    QVERIFY(kept.front().startsWith(folder.filePath(u"data/palimpsest/guard/abcd/"_s)));
    for (const QString &each : kept) {
        QFile copy(each);
        QVERIFY(copy.open(QIODevice::ReadOnly));
        const QByteArray bytes = copy.readAll();
        if (each.endsWith(u"transcript.jsonl")) {
            QCOMPARE(bytes, QByteArray::fromStdString(log.bytes()));
            continue;
        }
        const QJsonObject report = QJsonDocument::fromJson(bytes).object();
        QCOMPARE(report[u"schema"_s].toString(), u"palimpsest.guard/1"_s);
        QCOMPARE(report[u"trigger"_s].toString(), u"auto"_s);
        QCOMPARE(report[u"context_tokens"_s].toInt(), 1000);
        QCOMPARE(report[u"typed"_s].toArray().at(0).toObject()[u"text"_s].toString(), u"Never write to the archive."_s);
        QCOMPARE(report[u"typed"_s].toArray().at(0).toObject()[u"first"_s].toBool(), true);
    }
}

void HooksTest::statuslineAsAHook()
{
    const QTemporaryDir folder;
    const QString transcript = folder.filePath(u"t.jsonl"_s);
    Log log;
    log.typed("Go on.");
    log.answered(1000);
    QFile file(transcript);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(log.bytes().c_str()) > 0);
    file.close();
    QJsonObject input = QJsonDocument::fromJson(hookInput(transcript)).object();
    input[u"context_window"_s]
        = QJsonObject { { u"total_input_tokens"_s, 50'000 }, { u"context_window_size"_s, 300'000 } };
    const Run made = run({ u"statusline"_s }, QJsonDocument(input).toJson());
    QCOMPARE(made.exitCode, 0);
    QCOMPARE(QString::fromUtf8(made.output),
        u"50,000 of 300,000 tokens · compacts at ~255,000 · 1 typed message at risk\n"_s);
}

/// Nothing that goes wrong may stop the agent: with exit code 2 a hook does.
void HooksTest::wrongInput()
{
    for (const char *command : { "recall", "statusline", "guard" }) {
        for (const char *input : { "", "{}", "[1]", "{\"transcript_path\": 3}", "nonsense" }) {
            const Run made = run({ QString::fromLatin1(command) }, input);
            QCOMPARE(made.exitCode, 1);
            QVERIFY(made.output.isEmpty() && made.error.contains("transcript_path"));
        }
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"t.jsonl"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("not a session\n") > 0);
        file.close();
        QCOMPARE(run({ QString::fromLatin1(command) }, hookInput(file.fileName())).exitCode, 1);
        QCOMPARE(run({ QString::fromLatin1(command), u"--nothing"_s }, hookInput(file.fileName())).exitCode, 1);
    }
    QCOMPARE(run({ u"recall"_s, u"--budget"_s, u"many"_s }, {}).exitCode, 1);
}

void HooksTest::settings()
{
    qunsetenv("PALIMPSEST_ENTRY");
    const Run made = run({ u"hooks"_s, u"--harness"_s, u"claude-code"_s, u"--budget"_s, u"500"_s });
    QCOMPARE(made.exitCode, 0);
    const QJsonObject settings = QJsonDocument::fromJson(made.output).object();
    const QString program = QCoreApplication::applicationDirPath() + u"/palimpsest"_s;
    const auto command = [&](const QString &event) {
        return settings[u"hooks"_s].toObject()[event].toArray().at(0).toObject()[u"hooks"_s].toArray().at(0).toObject();
    };
    QCOMPARE(command(u"SessionStart"_s)[u"type"_s].toString(), u"command"_s);
    QCOMPARE(command(u"SessionStart"_s)[u"command"_s].toString(), program + u" recall --budget 500"_s);
    QCOMPARE(command(u"PreCompact"_s)[u"command"_s].toString(), program + u" guard"_s);
    QCOMPARE(settings[u"hooks"_s].toObject()[u"SessionStart"_s].toArray().at(0).toObject()[u"matcher"_s].toString(),
        u"compact"_s);
    QCOMPARE(settings[u"statusLine"_s].toObject()[u"command"_s].toString(), program + u" statusline"_s);
    QCOMPARE(run({ u"hooks"_s, u"--harness"_s, u"codex"_s }).exitCode, 2);

    // In the build environment's root the program needs the root.
    qputenv("PALIMPSEST_ENTRY", "/a folder/packaging/dev");
    const Run inRoot = run({ u"hooks"_s });
    qunsetenv("PALIMPSEST_ENTRY");
    QCOMPARE(QJsonDocument::fromJson(inRoot.output)[u"statusLine"_s][u"command"_s].toString(),
        u"'/a folder/packaging/dev' exec palimpsest statusline"_s);

    // A script that starts the program with its own loader is what to call, not that loader.
    qputenv("PALIMPSEST_LAUNCHER", "/opt/a folder/palimpsest");
    const Run launched = run({ u"hooks"_s });
    qunsetenv("PALIMPSEST_LAUNCHER");
    QCOMPARE(QJsonDocument::fromJson(launched.output)[u"statusLine"_s][u"command"_s].toString(),
        u"'/opt/a folder/palimpsest' statusline"_s);
}

PALIMPSEST_TEST(HooksTest)
#include "tst_hooks.moc"
