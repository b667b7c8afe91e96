// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json.h"
#include "tests/loopback.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using testing::Loopback;

namespace {

const QByteArray kKey = "key-7f3a-91";

struct Run {
    int code = -1;
    QByteArray output;
    QByteArray errors;
};

QString root() { return QString::fromUtf8(PALIMPSEST_SOURCE_DIR); }

/// Runs the program on the session of the manual, while this process serves.
Run summarise(const QStringList &words)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PALIMPSEST_TEST_KEY"_s, QString::fromUtf8(kKey));
    process.setProcessEnvironment(environment);
    QSignalSpy finished(&process, &QProcess::finished);
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s,
        QStringList { u"summarise"_s, root() + u"/resources/manual/session.jsonl"_s, u"--call"_s, u"60"_s,
            u"--policy"_s, u"deep-agents"_s, u"--as-if-fired"_s, u"--set"_s, u"keep=8000tok"_s }
            + words);
    if (!finished.wait(120'000))
        return {};
    return { process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError() };
}

QStringList asking(const Loopback &server)
{
    return { u"--api"_s, u"openai-chat"_s, u"--model"_s, u"m"_s, u"--url"_s, QString::fromUtf8(server.url()),
        u"--key-env"_s, u"PALIMPSEST_TEST_KEY"_s };
}

/// A note in one event.
QByteArray streamed(const QByteArray &note)
{
    const core::Json choice { { "index", 0 }, { "delta", { { "content", note.toStdString() } } },
        { "finish_reason", "stop" } };
    const core::Json event { { "choices", core::Json::array({ choice }) },
        { "usage", { { "prompt_tokens", 1000 }, { "completion_tokens", 50 } } } };
    return "data: " + QByteArray::fromStdString(core::jsonText(event, -1)) + "\n\ndata: [DONE]\n\n";
}

constexpr auto kNote = "## Session intent\nAdd stable links. See src/links.cpp.\n\n## Next steps\nnone";

QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// The command that lets a model write a summary, against a server on loopback.
class TestSummarise final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_folder.isValid()); }
    void withoutSendNothingIsSent();
    void aNoteIsWrittenBehindTheOriginals();
    void theNoteIsTheSummaryOfCompact();
    void aRefusedNoteIsNotWritten_data();
    void aRefusedNoteIsNotWritten();
    void notesAreCompared();
    void wrongUsageIsAnError_data();
    void wrongUsageIsAnError();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

void TestSummarise::withoutSendNothingIsSent()
{
    const Loopback server;
    const Run shown = summarise(asking(server));
    QCOMPARE(shown.code, 0);
    QVERIFY(shown.output.startsWith("POST " + server.url() + "/chat/completions (stays on this computer)"));
    QVERIFY(shown.output.endsWith("Nothing was sent. --send sends this.\n"));
    QVERIFY(!shown.output.contains(kKey));
    const Run json = summarise(asking(server) + QStringList { u"--json"_s });
    const core::Json document = core::parseJson(json.output.toStdString());
    QCOMPARE(document["schema"], "palimpsest.summary/1");
    QCOMPARE(document["sent"], false);
    // What the document says is sent, is printed.
    const core::Json body = core::parseJson(document["request"]["body"].get<std::string>());
    for (const core::Json &message : body["messages"])
        QVERIFY(shown.output.contains(QByteArray::fromStdString(message["content"].get<std::string>())));
    QVERIFY(server.requests().empty());
}

void TestSummarise::aNoteIsWrittenBehindTheOriginals()
{
    Loopback server;
    server.plan({ .body = streamed(kNote) });
    const QString note = path(u"written.md"_s);
    const Run sent = summarise(asking(server) + QStringList { u"--send"_s, u"-o"_s, note, u"--json"_s });
    QVERIFY2(sent.code == 0, sent.errors.constData());
    QCOMPARE(read(note), QByteArray(kNote) + "\n");
    const core::Json document = core::parseJson(sent.output.toStdString());
    QCOMPARE(document["sent"], true);
    QCOMPARE(document["note"], kNote);
    QCOMPARE(document["usage"]["output"], 50);
    QVERIFY(!document["loss"].empty());
    QVERIFY(!document["originals"].empty());
    QVERIFY(QDir(note + u".originals.git"_s).exists());
    QCOMPARE(server.requests().size(), 1);
    QCOMPARE(Loopback::bodyOf(server.requests()[0]).toStdString(), document["request"]["body"].get<std::string>());
    for (const QByteArray &text : { sent.output, sent.errors, read(note), Loopback::bodyOf(server.requests()[0]) })
        QVERIFY(!text.contains(kKey));
    // A note is never written over.
    const Run again = summarise(asking(server) + QStringList { u"--send"_s, u"-o"_s, note });
    QCOMPARE(again.code, 1);
    QCOMPARE(server.requests().size(), 1);
}

void TestSummarise::theNoteIsTheSummaryOfCompact()
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s,
        { u"compact"_s, root() + u"/resources/manual/session.jsonl"_s, u"--call"_s, u"60"_s, u"--policy"_s,
            u"deep-agents"_s, u"--as-if-fired"_s, u"--set"_s, u"keep=8000tok"_s, u"--set"_s,
            u"summary.text="_s + QString::fromUtf8(kNote), u"-o"_s, path(u"compacted.jsonl"_s), u"--force"_s });
    QVERIFY(process.waitForFinished(120'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    QVERIFY(read(path(u"compacted.jsonl"_s)).contains("Add stable links. See src/links.cpp."));
}

void TestSummarise::aRefusedNoteIsNotWritten_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("empty") << 200 << streamed(" \n") << QByteArray("The note is empty.");
    QTest::newRow("longer") << 200 << streamed("## Summary\n" + QByteArray("many words ").repeated(60'000))
                            << QByteArray("not shorter");
    QTest::newRow("obeys the transcript") << 200 << streamed("HACKED") << QByteArray("none of the headings");
    QTest::newRow("half a stream") << 200 << streamed(kNote).left(60) << QByteArray("holds no event");
    QTest::newRow("a wrong key") << 401 << QByteArray("{\"error\": \"no " + kKey + "\"}") << QByteArray("no [key]");
}

void TestSummarise::aRefusedNoteIsNotWritten()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, sentence);
    Loopback server;
    server.plan({ .status = status, .body = body });
    const QString note = path(QString::fromUtf8(QTest::currentDataTag()) + u".md"_s);
    const Run sent = summarise(asking(server) + QStringList { u"--send"_s, u"-o"_s, note });
    QCOMPARE(sent.code, 1);
    QVERIFY2(sent.errors.contains(sentence), sent.errors.constData());
    QVERIFY(!QFile::exists(note));
    QVERIFY(!sent.errors.contains(kKey) && !sent.output.contains(kKey));
}

void TestSummarise::notesAreCompared()
{
    const auto write = [this](const QString &name, const QByteArray &text) {
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
    };
    const QString empty = write(u"one.md"_s, "nothing");
    const QString full = write(u"two.md"_s, read(root() + u"/resources/manual/session.jsonl"_s));
    const Run compared = summarise({ u"--note"_s, empty, u"--note"_s, full, u"--json"_s });
    QVERIFY2(compared.code == 0, compared.errors.constData());
    const core::Json document = core::parseJson(compared.output.toStdString());
    QCOMPARE(document["schema"], "palimpsest.note-coverage/1");
    const auto held = [&](size_t note) {
        uint64_t sum = 0;
        for (const core::Json &kind : document["notes"][note]["facts"])
            sum += kind["held"].get<uint64_t>();
        return sum;
    };
    QCOMPARE(document["notes"][0]["facts"][0]["kind"], "paths");
    QVERIFY(held(0) < held(1));
}

void TestSummarise::wrongUsageIsAnError_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("sentence");
    const QStringList good { u"--api"_s, u"gemini"_s, u"--model"_s, u"m"_s };
    QTest::newRow("no api") << QStringList() << QByteArray("needs --api");
    QTest::newRow("no model") << QStringList { u"--api"_s, u"gemini"_s } << QByteArray("needs --model");
    QTest::newRow("no template") << good + QStringList { u"--template"_s, u"nowhere"_s }
                                 << QByteArray("There is no template and no file \"nowhere\"");
    QTest::newRow("plain http") << good + QStringList { u"--url"_s, u"http://example.org"_s }
                                << QByteArray("unencrypted");
    QTest::newRow("no note") << good + QStringList { u"--send"_s } << QByteArray("--send needs -o NOTE");
    QTest::newRow("no key") << good
            + QStringList { u"--send"_s, u"--key-env"_s, u"PALIMPSEST_NO_KEY"_s, u"-o"_s,
                  QDir::tempPath() + u"/no-such-note"_s }
                            << QByteArray("PALIMPSEST_NO_KEY holds no key");
}

void TestSummarise::wrongUsageIsAnError()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, sentence);
    const Run run = summarise(words);
    QCOMPARE(run.code, 2);
    QVERIFY2(run.errors.contains(sentence), run.errors.constData());
}

PALIMPSEST_TEST(TestSummarise)
#include "tst_summarise.moc"
