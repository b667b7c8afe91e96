// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/new_file.h"
#include "core/formats/reading/format.h"
#include "core/originals/restore.h"
#include "core/writing/splice.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sstream>

using namespace core;
using namespace Qt::StringLiterals;

namespace fs = std::filesystem;

namespace {

std::string record(int number, const std::string &type, const std::string &message)
{
    return "{\"parentUuid\":" + (number == 0 ? "null" : "\"u" + std::to_string(number - 1) + "\"")
        + R"(,"isSidechain":false,"type":")" + type + R"(","uuid":"u)" + std::to_string(number) + R"(","message":)"
        + message + "}\n";
}

/// A person, a call with its result of three lines, an answer.
std::string document(const std::string &words)
{
    return record(0, "user", R"({"role":"user","content":")" + words + "\"}")
        + record(1, "assistant",
            R"({"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"run","input":{}}]})")
        + record(2, "user",
            R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"one\ntwo\nthree"}]})")
        + record(
            3, "assistant", R"({"id":"m2","role":"assistant","content":[{"type":"text","text":")" + words + "\"}]}");
}

FileIdentity identityOf(std::string_view name, std::string_view format, std::string_view bytes)
{
    FileIdentity file;
    file.file = std::filesystem::path(name).filename().string();
    file.format = format;
    file.bytes = bytes.size();
    file.hash = contentHash(bytes);
    return file;
}

/// Adds what is needed to rebuild the session file: both files' identities, the splices and the removed ranges.
void addSplices(StoredCompaction &into, const Session &session, const Spliced &spliced, std::string_view exportName)
{
    const SourcePtr &source = session.sources.front();
    into.ledger.session = identityOf(source->name(), session.format, source->bytes());
    into.ledger.exported = identityOf(exportName, session.format, spliced.bytes);
    into.ledger.splices.clear();
    for (const InverseSplice &each : spliced.inverse) {
        LedgerSplice splice;
        splice.at = each.at;
        splice.length = each.length;
        splice.originalOffset = each.originalOffset;
        if (each.originalSize > 0) {
            splice.original = "session/" + std::to_string(each.originalOffset);
            into.originals.push_back(
                { splice.original, source->bytes().substr(each.originalOffset, each.originalSize) });
        }
        into.ledger.splices.push_back(std::move(splice));
    }
}

std::string contentOf(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Run {
    int exitCode = -1;
    QByteArray output;
    QByteArray error;
};

Run run(const QStringList &arguments)
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s, QStringList { u"restore"_s } + arguments);
    process.waitForFinished(60'000);
    return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2, process.readAllStandardOutput(),
        process.readAllStandardError() };
}

} // namespace

/// Originals and whole session files out of a store, in the program and as it is typed.
class RestoreTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theSessionComesBack();
    void anotherFileIsNoExport();
    void aStoreThatLies();
    void newFilesAreNew();
    void whatThereIsIsListed();
    void namesAreWritten();
    void nothingIsWrittenBehindLinks();
    void placesOfEveryLengthAreSentences();
    void theProgramRebuildsTheSession();
    void wrongWords_data();
    void wrongWords();

private:
    [[nodiscard]] fs::path path(const std::string &name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    [[nodiscard]] QString named(const std::string &name) const { return QString::fromStdString(path(name).string()); }
    /// Compacts a session by hand, exports it as `NAME.out` and commits that.
    void compact(const std::string &name, const std::string &words);

    std::unique_ptr<QTemporaryDir> m_folder;
};

void RestoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    compact("a.jsonl", "first");
    compact("b.jsonl", "second");
}

void RestoreTest::compact(const std::string &name, const std::string &words)
{
    QVERIFY(writeNewFile(path(name), document(words)).has_value());
    const auto session = loadSession(path(name));
    QVERIFY(session.has_value());
    SpliceEdits edits;
    edits.replacements.push_back({ BlockId(2), "[cleared]" });
    edits.droppedMessages.push_back(MessageId(0));
    edits.insertions.push_back({ MessageId(3), Role::User, "go on", false });
    const auto spliced = spliceSession(**session, edits);
    QVERIFY2(spliced.has_value(), spliced ? "" : spliced.error().sentence().c_str());

    const std::string original = (*session)->text((*session)->block(BlockId(2)).body);
    StoredCompaction compaction;
    compaction.policy = "{}";
    compaction.ledger.policy = "by hand";
    compaction.seconds = 1'700'000'000;
    compaction.originals.push_back({ "result of t1", original });
    LedgerRewrite rewrite;
    rewrite.slot = SlotIndex(2);
    rewrite.message = MessageId(2);
    rewrite.block = BlockId(2);
    rewrite.stage = "clear";
    rewrite.original = "result of t1";
    rewrite.artifact = "/large_tool_results/t1";
    compaction.ledger.rewrites.push_back(rewrite);
    LedgerArtifact artifact;
    artifact.name = rewrite.artifact;
    artifact.difference = "the first line only";
    compaction.artifacts.push_back({ artifact, "one" });
    addSplices(compaction, **session, *spliced, path(name + ".out").string());
    auto store = Store::openOrCreate(path("store.git"));
    QVERIFY2(store.has_value(), store ? "" : store.error().sentence().c_str());
    const auto commit = store->commit(compaction);
    QVERIFY2(commit.has_value(), commit ? "" : commit.error().sentence().c_str());
    QVERIFY(writeNewFile(path(name + ".out"), spliced->bytes).has_value());
}

void RestoreTest::theSessionComesBack()
{
    const auto store = Store::open(path("store.git"));
    for (const std::string name : { "a.jsonl", "b.jsonl" }) {
        const std::string exported = contentOf(path(name + ".out"));
        QVERIFY(exported != contentOf(path(name)) && exported.contains("[cleared]"));
        const auto commit = findExport(*store, exported, name + ".out");
        QVERIFY2(commit.has_value(), commit ? "" : commit.error().sentence().c_str());
        QCOMPARE(commit->number, name == "a.jsonl" ? 1U : 2U);
        const auto session = restoreSession(*store, *commit, exported, name + ".out");
        QVERIFY2(session.has_value(), session ? "" : session.error().sentence().c_str());
        QCOMPARE(QByteArray::fromStdString(*session), QByteArray::fromStdString(contentOf(path(name))));
    }
}

void RestoreTest::anotherFileIsNoExport()
{
    const auto store = Store::open(path("store.git"));
    const std::string changed = contentOf(path("a.jsonl.out")) + " ";
    const auto none = findExport(*store, changed, "a.jsonl.out");
    QVERIFY(!none.has_value());
    QVERIFY2(none.error().sentence().starts_with("a.jsonl.out: ")
            && none.error().message.contains("No compaction in the store exported this file"),
        none.error().sentence().c_str());
    const auto other = restoreSession(*store, *store->find("1"), contentOf(path("b.jsonl.out")), "b.jsonl.out");
    QVERIFY(!other.has_value());
    QCOMPARE(other.error().kind, ErrorKind::Changed);
    QVERIFY2(other.error().message.contains("compaction 1 exported (“a.jsonl.out”"), other.error().message.c_str());
}

void RestoreTest::aStoreThatLies()
{
    // A ledger that names another session: what comes out is not handed out as that.
    StoredCompaction compaction;
    const auto session = loadSession(path("a.jsonl"));
    addSplices(compaction, **session, Spliced { contentOf(path("a.jsonl")), {}, {}, {} }, "x");
    compaction.ledger.session.hash = contentHash("another");
    auto store = Store::openOrCreate(path("lies.git"));
    const auto commit = store->commit(compaction);
    const auto restored = restoreSession(*store, *commit, contentOf(path("a.jsonl")), "x");
    QVERIFY(!restored.has_value());
    QVERIFY2(restored.error().message.contains("damaged"), restored.error().message.c_str());
    StoredCompaction silent;
    const auto none = restoreSession(*store, *store->commit(silent), "x", "x");
    QVERIFY2(none.error().message.contains("exported no file"), none.error().message.c_str());
}

void RestoreTest::newFilesAreNew()
{
    const fs::path folder = path("new");
    fs::create_directories(folder);
    QVERIFY(writeNewFile(folder / "file", std::string("a\0b", 3)).has_value());
    QCOMPARE(contentOf(folder / "file"), std::string("a\0b", 3));
    const auto again = writeNewFile(folder / "file", "c");
    QVERIFY(!again.has_value());
    QVERIFY2(again.error().message.contains("already"), again.error().message.c_str());
    QCOMPARE(contentOf(folder / "file"), std::string("a\0b", 3));
    fs::create_symlink(folder / "nowhere", folder / "link");
    const auto link = writeNewFile(folder / "link", "c");
    QVERIFY2(!link && link.error().message.contains("a link"), link ? "" : link.error().message.c_str());
    QVERIFY(!fs::exists(folder / "nowhere"));
    QVERIFY(!writeNewFile(folder, "c").has_value());
    for (const fs::path &place : { folder / "none" / "file", folder / "file" / "file" }) {
        const auto lost = writeNewFile(place, "c");
        QVERIFY2(!lost && lost.error().message.contains("no folder"), lost ? "" : lost.error().message.c_str());
    }
    {
        const auto unplaced = NewFile::write(folder / "unplaced", "c");
        QVERIFY(unplaced.has_value());
        QVERIFY(!fs::exists(folder / "unplaced"));
    }
    QCOMPARE(std::distance(fs::directory_iterator(folder), {}), 2);
}

void RestoreTest::whatThereIsIsListed()
{
    const Run json = run({ named("store.git"), u"--json"_s });
    QVERIFY2(json.exitCode == 0, json.error.constData());
    const QJsonObject last = QJsonDocument::fromJson(json.output).object();
    QCOMPARE(last[u"schema"].toString(), u"palimpsest.restore/1"_s);
    QCOMPARE(last[u"commit"][u"number"].toInt(), 2);
    QCOMPARE(last[u"session"][u"file"].toString(), u"b.jsonl"_s);
    const QJsonArray originals = last[u"originals"].toArray();
    QVERIFY(originals.size() > 1);
    QCOMPARE(originals[0][u"name"].toString(), u"result of t1"_s);
    QCOMPARE(originals[0][u"bytes"].toInt(), 13);
    QCOMPARE(originals[0][u"slot"].toInt(), 2);
    QCOMPARE(originals[0][u"block"].toInt(), 2);
    QCOMPARE(originals[0][u"splice"].toBool(true), false);
    QCOMPARE(originals[0][u"oid"].toString().size(), 40);
    QCOMPARE(originals[1][u"slot"], QJsonValue(QJsonValue::Null));
    QCOMPARE(originals[1][u"splice"].toBool(), true);
    QCOMPARE(last[u"artifacts"][0][u"path"].toString(), u"large_tool_results/t1"_s);

    const Run first = run({ named("store.git"), u"--commit"_s, u"1"_s, u"--json"_s, u"result of t1"_s });
    const QJsonObject one = QJsonDocument::fromJson(first.output).object();
    QCOMPARE(one[u"session"][u"file"].toString(), u"a.jsonl"_s);
    QCOMPARE(one[u"originals"].toArray().size(), 1);
    QCOMPARE(one[u"artifacts"].toArray().size(), 0);

    const Run text = run({ named("store.git") });
    QCOMPARE(text.exitCode, 0);
    const QString drawn = QString::fromUtf8(text.output);
    QVERIFY2(drawn.startsWith(u"Compaction 2 of b.jsonl by by hand · 2023-11-14 22:13 UTC · "), qPrintable(drawn));
    QVERIFY2(drawn.contains(u"result of t1") && drawn.contains(u"slot [2] #2") && drawn.contains(u"the first line only")
            && drawn.contains(u"--session EXPORT"),
        qPrintable(drawn));
}

void RestoreTest::namesAreWritten()
{
    QCOMPARE(run({ named("store.git"), u"result of t1"_s }).output, QByteArray("one\ntwo\nthree"));
    QCOMPARE(run({ named("store.git"), u"/large_tool_results/t1"_s }).output, QByteArray("one"));
    QCOMPARE(run({ named("store.git"), u"originals/result of t1"_s, u"-o"_s, named("out") }).exitCode, 0);
    QCOMPARE(contentOf(path("out")), "one\ntwo\nthree");
    const Run again = run({ named("store.git"), u"large_tool_results/t1"_s, u"-o"_s, named("out") });
    QCOMPARE(again.exitCode, 1);
    QVERIFY2(again.error.contains("already"), again.error.constData());
    QCOMPARE(contentOf(path("out")), "one\ntwo\nthree");
    const QStringList both { named("store.git"), u"result of t1"_s, u"/large_tool_results/t1"_s };
    QCOMPARE(run(both + QStringList { u"-o"_s, named("folder") }).exitCode, 0);
    QCOMPARE(contentOf(path("folder/originals/result of t1")), "one\ntwo\nthree");
    QCOMPARE(contentOf(path("folder/large_tool_results/t1")), "one");
    // What an interrupted run wrote stays; other files are left alone.
    fs::remove(path("folder/large_tool_results/t1"));
    QCOMPARE(run(both + QStringList { u"-o"_s, named("folder") }).exitCode, 0);
    QCOMPARE(contentOf(path("folder/large_tool_results/t1")), "one");
    std::ofstream(path("folder/large_tool_results/t1")) << "two";
    QCOMPARE(run(both + QStringList { u"-o"_s, named("folder") }).exitCode, 1);
    QCOMPARE(contentOf(path("folder/large_tool_results/t1")), "two");
    // Nothing is written if one of the names is wrong.
    const Run wrong = run({ named("store.git"), u"result of t1"_s, u"nothing"_s, u"-o"_s, named("other") });
    QCOMPARE(wrong.exitCode, 1);
    QVERIFY2(wrong.error.contains("“nothing”"), wrong.error.constData());
    QVERIFY(!fs::exists(path("other")));
}

void RestoreTest::nothingIsWrittenBehindLinks()
{
    fs::create_directories(path("folder"));
    fs::create_directories(path("elsewhere"));
    fs::create_directory_symlink(path("elsewhere"), path("folder/originals"));
    const Run result = run({ named("store.git"), u"result of t1"_s, u"-o"_s, named("folder") });
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.error.contains("There is a link at this place"), result.error.constData());
    QVERIFY(fs::is_empty(path("elsewhere")));
}

void RestoreTest::placesOfEveryLengthAreSentences()
{
    for (const std::string &name : { std::string(300, 'x'), std::string(5000, 'x') }) {
        for (const QStringList &names :
            { QStringList { u"result of t1"_s }, QStringList { u"result of t1"_s, u"/large_tool_results/t1"_s } }) {
            const Run result = run(QStringList { named("store.git") } + names + QStringList { u"-o"_s, named(name) });
            QCOMPARE(result.exitCode, 1);
            QVERIFY2(result.error.startsWith("palimpsest: ") && result.error.contains("File name too long"),
                result.error.constData());
        }
    }
}

void RestoreTest::theProgramRebuildsTheSession()
{
    const Run printed = run({ named("store.git"), u"--session"_s, named("a.jsonl.out") });
    QVERIFY2(printed.exitCode == 0, printed.error.constData());
    QCOMPARE(printed.output.toStdString(), contentOf(path("a.jsonl")));
    const Run written = run({ named("store.git"), u"--session"_s, named("b.jsonl.out"), u"-o"_s, named("back.jsonl") });
    QCOMPARE(written.exitCode, 0);
    QCOMPARE(written.output, QByteArray());
    QCOMPARE(contentOf(path("back.jsonl")), contentOf(path("b.jsonl")));
    const Run other
        = run({ named("store.git"), u"--commit=1"_s, u"--session"_s, named("b.jsonl.out"), u"-o"_s, named("no") });
    QCOMPARE(other.exitCode, 1);
    QVERIFY2(other.error.contains("not the file that compaction 1 exported"), other.error.constData());
    QVERIFY(!fs::exists(path("no")));
}

void RestoreTest::wrongWords_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("part");
    QTest::newRow("no store") << QStringList {} << 2 << u"STORE"_s;
    QTest::newRow("a store that is not there") << QStringList { u"FOLDER/none.git"_s } << 1 << u"no store"_s;
    QTest::newRow("a file that is no store") << QStringList { u"FOLDER/a.jsonl"_s } << 1 << u"could not be opened"_s;
    QTest::newRow("several names without a folder")
        << QStringList { u"FOLDER/store.git"_s, u"result of t1"_s, u"large_tool_results/t1"_s } << 2 << u"-o OUT"_s;
    QTest::newRow("names beside --session")
        << QStringList { u"FOLDER/store.git"_s, u"x"_s, u"--session"_s, u"y"_s } << 2 << u"--session"_s;
    QTest::newRow("a compaction that there is not")
        << QStringList { u"FOLDER/store.git"_s, u"--commit"_s, u"7"_s } << 1 << u"1 to 2"_s;
    QTest::newRow("an export that is not there")
        << QStringList { u"FOLDER/store.git"_s, u"--session"_s, u"FOLDER/none"_s } << 1 << u"none"_s;
    QTest::newRow("an export of something else")
        << QStringList { u"FOLDER/store.git"_s, u"--session"_s, u"FOLDER/a.jsonl"_s } << 1 << u"changed since"_s;
}

void RestoreTest::wrongWords()
{
    QFETCH(QStringList, words);
    QFETCH(int, exitCode);
    QFETCH(QString, part);
    words.replaceInStrings(u"FOLDER"_s, m_folder->path());
    const Run result = run(words);
    const QString error = QString::fromUtf8(result.error);
    QVERIFY2(result.exitCode == exitCode, qPrintable(error));
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(error.startsWith(u"palimpsest: ") && error.count(u'\n') == 1 && error.contains(part), qPrintable(error));
}

PALIMPSEST_TEST(RestoreTest)
#include "tst_restore.moc"
