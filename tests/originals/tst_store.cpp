// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/git/commit_files.h"
#include "core/git/tree_names.h"
#include "core/originals/restore.h"
#include "core/originals/store.h"
#include "core/originals/store_lock.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <random>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace core;
using namespace Qt::StringLiterals;

namespace fs = std::filesystem;

namespace {

#define VERIFY_RESULT(expression)                                                                                      \
    do {                                                                                                               \
        const auto verified = (expression).transform([](const auto &...) { return true; });                            \
        QVERIFY2(verified.has_value(), verified ? "" : verified.error().sentence().c_str());                           \
    } while (false)

/// Runs `work` in a process of its own; never -1, which `kill` would take for everyone.
template <typename Work>
pid_t forked(const Work &work)
{
    const pid_t child = ::fork();
    if (child < 0)
        qFatal("fork failed");
    if (child == 0)
        ::_exit(work() ? 0 : 1);
    return child;
}

/// The status of a process of ours that ended.
int statusOf(pid_t child)
{
    int status = -1;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    return status;
}

const Store::Options kQuick { std::chrono::milliseconds(5000), false };

constexpr int kFiles = 6; ///< of each kind, in the compactions of a writer that is killed

/// The texts that a compaction keeps must outlive it.
struct Sample {
    std::vector<std::string> texts;
    StoredCompaction compaction;
};

/// A compaction with `count` originals of its own and as many artifacts.
std::unique_ptr<Sample> sampleOf(int number, int count = 3)
{
    auto sample = std::make_unique<Sample>();
    StoredCompaction &into = sample->compaction;
    into.policy = R"({"schema":"palimpsest.policy/1","id":"test"})";
    into.seconds = 1'700'000'000 + number;
    into.ledger.session = {
        {},
        "session.jsonl",
        "claude-code",
        7,
        contentHash("session"),
    };
    into.ledger.policy = "test";
    for (int i = 0; i < count; ++i) {
        sample->texts.push_back("original " + std::to_string(number) + "." + std::to_string(i) + "\n");
        sample->texts.push_back("artifact " + std::to_string(number) + "." + std::to_string(i) + "\n");
    }
    for (int i = 0; i < count; ++i) {
        const std::string name = "block-" + std::to_string(i);
        LedgerArtifact artifact;
        artifact.name = "large_tool_results/call_" + std::to_string(i);
        LedgerRewrite rewrite;
        rewrite.slot = SlotIndex(i);
        rewrite.message = MessageId(i + 1);
        rewrite.block = BlockId(i + 2);
        rewrite.stage = "offload";
        rewrite.why = "over 20 000 tokens";
        rewrite.original = name;
        rewrite.artifact = artifact.name;
        into.originals.push_back({ name, sample->texts[2 * static_cast<size_t>(i)] });
        into.artifacts.push_back({ artifact, sample->texts[2 * static_cast<size_t>(i) + 1] });
        into.ledger.rewrites.push_back(rewrite);
    }
    return sample;
}

QByteArray git(const fs::path &store, const QStringList &arguments, int *exitCode = nullptr)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(u"git"_s, QStringList { u"--git-dir"_s, QString::fromStdString(store.string()) } + arguments);
    process.waitForFinished(60'000);
    if (exitCode != nullptr)
        *exitCode = process.exitCode();
    return process.readAll();
}

/// The first thing that is wrong with a store after its writer was killed; empty if nothing is.
std::string problemOf(const fs::path &path, size_t *count)
{
    const auto store = Store::open(path, kQuick);
    if (!store)
        return store.error().sentence();
    const auto commits = store->commits();
    if (!commits)
        return commits.error().sentence();
    *count = commits->size();
    for (const CommitInfo &commit : *commits) {
        const auto sample = sampleOf(static_cast<int>(commit.number) - 1, kFiles);
        const auto ledger = store->ledger(commit);
        if (!ledger)
            return ledger.error().sentence();
        if (ledger->rewrites.size() != kFiles)
            return "The ledger is not whole.";
        for (const StoredOriginal &original : sample->compaction.originals) {
            const auto bytes = store->read(commit, original.name);
            if (!bytes)
                return bytes.error().sentence();
            if (*bytes != original.bytes)
                return original.name + " is not what was stored.";
        }
    }
    return {};
}

} // namespace

/// The git repository that keeps originals, its names and its ledger.
class StoreTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void segmentsAreEscaped_data();
    void segmentsAreEscaped();
    void namesBecomePaths_data();
    void namesBecomePaths();
    void hostileNamesStayApart();
    void eachTreeIsReadOnce();
    void codingsComeBack();
    void ledgerComesBack();
    void whatTheLedgerDoesNotKnowSurvives();
    void pathsThatLeadElsewhere_data();
    void pathsThatLeadElsewhere();
    void ledgersThatAreRefused_data();
    void ledgersThatAreRefused();
    void commitsAreReadBack();
    void namesOfTheHarnessAreReadAsTheyWere();
    void theSameInputGivesTheSameCommits();
    void gitReadsIt();
    void otherFoldersAreLeftAlone_data();
    void otherFoldersAreLeftAlone();
    void aNewerStoreIsRefused();
    void aCloneIsReadOnly();
    void namesThatNobodyStored();
    void damageIsNoticedBeforeTheCommit();
    void aFullDiskLeavesTheLastCommit();
    void aSecondWriterWaitsThenSaysWho();
    void aLockLeftBehindStopsNobody();
    void twoWritersAtOnce();
    void killedAtAnyInstant();

private:
    [[nodiscard]] fs::path path(const char *name = "store.git") const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void StoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void StoreTest::segmentsAreEscaped_data()
{
    QTest::addColumn<QByteArray>("segment");
    QTest::addColumn<QByteArray>("escaped");
    const auto row = [](const char *name, const QByteArray &segment, const QByteArray &escaped) {
        QTest::newRow(name) << segment << escaped;
    };
    row("a plain name", "toolu_01AbC-d.txt", "toolu_01AbC-d.txt");
    row("letters of other scripts", "Größe 日本.md", "Größe 日本.md");
    row("nothing", "", "%");
    row("this folder", ".", "%2E");
    row("the folder above", "..", "%2E%2E");
    row("three dots", "...", "..%2E");
    row("a hidden file", ".env", ".env");
    row("git's own folder", ".git", "%2Egit");
    row("git's own folder in capitals", ".GIT", "%2EGIT");
    row("git's own folder on NTFS", "git~1", "git%7E1");
    row("git's own folder as a stream", ".git::$INDEX_ALLOCATION", "%2Egit%3A%3A$INDEX_ALLOCATION");
    row("git's own folder, blanks behind", ".git ", "%2Egit%20");
    row("git's own folder, dots behind", ".git..", "%2Egit.%2E");
    row("git's own folder on HFS+", ".g\u200Cit", ".g%E2%80%8Cit");
    row("git's own folder with a byte order mark", "\uFEFF.git", "%EF%BB%BF.git");
    row("git modules", ".gitmodules", "%2Egitmodules");
    row("a backslash", "..\\..\\x", "..%5C..%5Cx");
    row("a drive", "C:", "C%3A");
    row("what Windows reserves", "a*?\"<>|b", "a%2A%3F%22%3C%3E%7Cb");
    row("a device", "NUL", "%4EUL");
    row("a device with an ending", "com1.txt", "%63om1.txt");
    row("no device", "common.txt", "common.txt");
    row("a line end", "a\nb", "a%0Ab");
    row("a terminal sequence", "\x1b[31m", "%1B[31m");
    row("a zero", QByteArray("a\0b", 3), "a%00b");
    row("a right-to-left override", "\u202Etxt.exe", "%E2%80%AEtxt.exe");
    row("a percent sign", "%2E", "%252E");
    row("bytes that are no UTF-8", "a\xFF\xC3", "a%FF%C3");
    row("a lone surrogate", "a\xED\xA0\x80", "a%ED%A0%80");
    row("a slash", "a/b", "a%2Fb");
}

void StoreTest::segmentsAreEscaped()
{
    QFETCH(QByteArray, segment);
    QFETCH(QByteArray, escaped);
    QCOMPARE(QByteArray::fromStdString(escapedSegment(segment.toStdString())), escaped);
}

void StoreTest::namesBecomePaths_data()
{
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QStringList>("paths");
    const auto row = [](const char *name, const QStringList &names, const QStringList &paths) {
        QTest::newRow(name) << names << paths;
    };
    row("as the harness says", { u"large_tool_results/a"_s, u"conversation_history/1.md"_s },
        { u"large_tool_results/a"_s, u"conversation_history/1.md"_s });
    row("from the root", { u"/large_tool_results/a"_s }, { u"large_tool_results/a"_s });
    row("out of the tree", { u"../../etc/passwd"_s, u"a/../b"_s }, { u"%2E%2E/%2E%2E/etc/passwd"_s, u"a/%2E%2E/b"_s });
    row("empty segments", { u"a//b"_s, u"a/"_s, u""_s }, { u"a/%/b"_s, u"a/%%+2"_s, u"%"_s });
    row("our own names", { u"ledger.json"_s, u"Policy.JSON"_s, u"originals/x"_s, u"originals"_s },
        { u"ledger.json%+2"_s, u"Policy.JSON%+2"_s, u"originals%+2/x"_s, u"originals%+3"_s });
    row("the same name again", { u"a"_s, u"a"_s, u"a"_s }, { u"a"_s, u"a%+2"_s, u"a%+3"_s });
    row("names that differ in case", { u"Call"_s, u"cALL"_s, u"É"_s, u"é"_s },
        { u"Call"_s, u"cALL%+2"_s, u"É"_s, u"é%+2"_s });
    row("a file, then a folder", { u"a"_s, u"a/b"_s }, { u"a"_s, u"a%+2/b"_s });
    row("a folder, then a file", { u"a/b"_s, u"a"_s }, { u"a/b"_s, u"a%+2"_s });
}

void StoreTest::namesBecomePaths()
{
    QFETCH(QStringList, names);
    QFETCH(QStringList, paths);
    TreeNames tree;
    QStringList found;
    for (const QString &name : names)
        found << QString::fromStdString(tree.addArtifact(name.toStdString()));
    QCOMPARE(found, paths);
}

void StoreTest::hostileNamesStayApart()
{
    // Any names at all: paths that git takes, different ones even where case is ignored, the same ones every time.
    std::mt19937_64 random = seededRandom();
    const std::vector<std::string> parts { "a", "A", ".", "/", "\\", ".git", "~1", "%", "%2E", "+2", "\xFF", "\xE2",
        "ledger.json", "originals", std::string(90, 'x'), " ", "\n", "ö", "ü" };
    for (int round = 0; round < caseCount(20); ++round) {
        TreeNames tree;
        TreeNames again;
        std::set<std::string> files;
        std::set<std::string> folders;
        for (int i = 0; i < 200; ++i) {
            std::string name;
            for (size_t k = random() % 6; k > 0; --k)
                name += parts[random() % parts.size()];
            const std::string path = tree.addArtifact(name);
            QCOMPARE(again.addArtifact(name), path);
            QVERIFY2(isTreePath(path), path.c_str());
            std::string key = path;
            std::ranges::transform(key, key.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
            QVERIFY2(files.insert(key).second, path.c_str());
            for (size_t slash = key.find('/'); slash != std::string::npos; slash = key.find('/', slash + 1)) {
                QVERIFY2(slash > 0 && slash + 1 < key.size(), path.c_str());
                folders.insert(key.substr(0, slash));
            }
        }
        for (const std::string &folder : folders)
            QVERIFY2(!files.contains(folder), folder.c_str());
        QVERIFY(!files.contains("ledger.json") && !files.contains("policy.json") && !folders.contains("originals"));
    }
    // A name deeper and longer than any file system takes.
    TreeNames tree;
    std::string deep;
    for (int i = 0; i < 5000; ++i)
        deep += "folder/";
    const std::string path = tree.addArtifact(deep);
    QVERIFY(path.size() < 400 && isTreePath(path));
    QVERIFY(path != tree.addArtifact(deep + "x"));
}

/// A large tree costs what it holds: read for each of its files, the whole would grow with the square of their number.
void StoreTest::eachTreeIsReadOnce()
{
    auto store = Store::openOrCreate(path(), kQuick);
    VERIFY_RESULT(store);
    const auto sample = sampleOf(1, 300);
    const auto commit = store->commit(sample->compaction);
    VERIFY_RESULT(commit);
    const GitLibrary library;
    GitRepository repository;
    QCOMPARE(git_repository_open_bare(repository.out(), path().c_str()), 0);
    CommitFiles files(repository, commit->oid, "here");
    const auto ledger = store->ledger(*commit);
    VERIFY_RESULT(ledger);
    for (size_t i = 0; i < ledger->originals.size(); ++i) {
        const auto bytes = files.read(ledger->originals[i].path);
        VERIFY_RESULT(bytes);
        QCOMPARE(*bytes, sample->compaction.originals[i].bytes);
        VERIFY_RESULT(files.read(ledger->artifacts[i].path));
    }
    QCOMPARE(files.treesRead(), size_t(3)); // the root, the originals, the folder of the artifacts
    for (const char *none :
        { "nothing", "originals", "originals/", "originals/none", "ledger.json/x", "none/none", "" }) {
        const auto bytes = files.read(none);
        QVERIFY2(!bytes && bytes.error().kind == ErrorKind::NotFound, none);
    }
    const auto gone = CommitFiles(repository, std::string(40, 'a'), "here").read("ledger.json");
    QVERIFY(!gone && gone.error().kind == ErrorKind::Malformed && gone.error().where == "here");
}

void StoreTest::codingsComeBack()
{
    Ledger ledger = sampleOf(1)->compaction.ledger;
    ledger.originals.clear();
    for (const std::optional<Coding> coding :
        { std::optional<Coding>(), std::optional(Coding::Empty), std::optional(Coding::Plain),
            std::optional(Coding::JsonString), std::optional(Coding::JsonValue), std::optional(Coding::Base64) })
        ledger.originals.push_back({ {}, "o" + std::to_string(ledger.originals.size()), "p", "oid", 3, coding });
    const std::string json = writeLedger(ledger);
    const auto read = parseLedger(json);
    VERIFY_RESULT(read);
    for (size_t i = 0; i < ledger.originals.size(); ++i)
        QVERIFY(read->originals[i].coding == ledger.originals[i].coding);
    // Of an older program it is not said; what a newer one says stays, and is not known.
    QCOMPARE(json.find("\"coding\"") > json.find("\"o1\""), true);
    std::string newer = json;
    newer.replace(newer.find("json-value"), 10, "zstd-value");
    const auto kept = parseLedger(newer);
    VERIFY_RESULT(kept);
    QVERIFY(!kept->originals[4].coding.has_value());
    QVERIFY(writeLedger(*kept).contains("\"zstd-value\""));

    const auto decoded = [](std::optional<Coding> coding, const char *bytes) {
        LedgerOriginal original;
        original.name = "o";
        original.coding = coding;
        return decodedOriginal(original, bytes);
    };
    QCOMPARE(*decoded(Coding::Plain, "a\\nb"), std::string("a\\nb"));
    QCOMPARE(*decoded(Coding::JsonString, "a\\nb\\u00e4"), std::string("a\nb\xC3\xA4"));
    QCOMPARE(*decoded(Coding::JsonValue, "{ }"), std::string("{ }"));
    QCOMPARE(
        *decoded(Coding::TextParts, R"(["a\nb",{"type":"image"},{"type":"text","text":"c"}])"), std::string("a\nb\nc"));
    QCOMPARE(*decoded(Coding::Base64, "Pz8\\/"), std::string("???"));
    QCOMPARE(decoded(Coding::Base64, "no base64!").error().kind, ErrorKind::Malformed);
    QCOMPARE(decoded({}, "a").error().kind, ErrorKind::Usage);
}

void StoreTest::ledgerComesBack()
{
    Ledger ledger = sampleOf(1)->compaction.ledger;
    ledger.exported = { {}, "out.jsonl", "claude-code", 5, contentHash("export") };
    ledger.call = CallIndex(7);
    ledger.rewrites[1].why = std::string("a \xFF byte and a lone \xED\xA0\x80 surrogate");
    ledger.rewrites[1].slot = {};
    ledger.originals.push_back({ {}, std::string("na\xFFme"), "originals/na%FFme", std::string(40, 'a'), 3 });
    LedgerArtifact artifact;
    artifact.name = "/large_tool_results/x";
    artifact.path = "large_tool_results/x";
    artifact.isSameAsOriginal = true;
    artifact.difference = "clipped to 2,000 characters";
    artifact.recoverableFrom = { "artifact", "later slot" };
    artifact.fetchedBackAt = CallIndex(3);
    ledger.artifacts.push_back(artifact);
    ledger.splices.push_back({ {}, 10, 5, 10, "block-0" });
    const std::string json = writeLedger(ledger);
    QVERIFY(isValidUtf8(json));
    QVERIFY2(json.starts_with("{\n \"schema\": \"palimpsest.ledger/1\""), json.c_str());
    const auto read = parseLedger(json);
    VERIFY_RESULT(read);
    QCOMPARE(writeLedger(*read), json);
    QCOMPARE(read->originals.front().name, ledger.originals.front().name);
    QCOMPARE(read->rewrites[1].why, ledger.rewrites[1].why);
    QVERIFY(!read->rewrites[1].slot.isValid());
    QCOMPARE(read->rewrites[2].slot.value(), 2U);
    QCOMPARE(read->call.value(), 7U);
    QVERIFY(read->exported.has_value());
    QCOMPARE(read->artifacts.front().recoverableFrom.size(), 2U);
    QCOMPARE(read->artifacts.front().fetchedBackAt.value(), 3U);
    QCOMPARE(read->splices.front().originalOffset, 10U);
}

void StoreTest::whatTheLedgerDoesNotKnowSurvives()
{
    auto document = nlohmann::ordered_json::parse(writeLedger(sampleOf(1)->compaction.ledger));
    document["later"] = { { "nested", { 1, 2 } } };
    document["session"]["colour"] = "red";
    document["rewrites"][0]["weight"] = 1.5;
    document["originals"] = { { { "name", "n" }, { "path", "p" }, { "oid", "o" }, { "bytes", 1 }, { "x", nullptr } } };
    document["splices"]
        = { { { "at", 1 }, { "length", 2 }, { "original_offset", 3 }, { "original", "n" }, { "y", true } } };
    const auto read = parseLedger(document.dump());
    VERIFY_RESULT(read);
    const auto written = nlohmann::ordered_json::parse(writeLedger(*read));
    QCOMPARE(QByteArray::fromStdString(nlohmann::json(written).dump()),
        QByteArray::fromStdString(nlohmann::json(document).dump()));
}

void StoreTest::pathsThatLeadElsewhere_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("absolute") << QByteArray("/etc/passwd");
    QTest::newRow("above") << QByteArray("../x");
    QTest::newRow("above a folder") << QByteArray("originals/../../x");
    QTest::newRow("the folder itself") << QByteArray("originals/.");
    QTest::newRow("an empty segment") << QByteArray("originals//x");
    QTest::newRow("a folder without a file") << QByteArray("originals/");
    QTest::newRow("what git keeps") << QByteArray("originals/.git/hooks/post-checkout");
    QTest::newRow("what git keeps, in capitals") << QByteArray(".GIT/config");
    QTest::newRow("a NUL") << QByteArray("originals/x\0/../../y", 20);
    QTest::newRow("a line end") << QByteArray("originals/x\ny");
    QTest::newRow("a backslash") << QByteArray("originals\\..\\x");
    QTest::newRow("a drive") << QByteArray("C:/x");
    QTest::newRow("no UTF-8") << QByteArray("originals/\xff");
}

/// `restore` writes files at the paths of a ledger, which anybody may have written.
void StoreTest::pathsThatLeadElsewhere()
{
    QFETCH(QByteArray, path);
    LedgerOriginal original;
    original.name = "x";
    original.path = path.toStdString();
    LedgerArtifact artifact;
    artifact.name = "x";
    artifact.path = path.toStdString();
    Ledger ledger;
    ledger.originals = { original };
    const auto ofOriginal = parseLedger(writeLedger(ledger));
    QVERIFY(!ofOriginal);
    QVERIFY2(
        ofOriginal.error().message.contains("An original has an invalid path"), ofOriginal.error().message.c_str());
    ledger.originals.clear();
    ledger.artifacts = { artifact };
    const auto ofArtifact = parseLedger(writeLedger(ledger));
    QVERIFY(!ofArtifact);
    QVERIFY2(
        ofArtifact.error().message.contains("An artifact has an invalid path"), ofArtifact.error().message.c_str());
}

void StoreTest::ledgersThatAreRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("no JSON") << QByteArray("{") << QByteArray("not the list of originals of a Palimpsest store");
    QTest::newRow("a list") << QByteArray("[]") << QByteArray("not the list of originals of a Palimpsest store");
    QTest::newRow("another document") << QByteArray(R"({"schema":"palimpsest.show/1"})")
                                      << QByteArray("not the list of originals of a Palimpsest store");
    QTest::newRow("a newer one") << QByteArray(R"({"schema":"palimpsest.ledger/2"})") << QByteArray("newer version");
    QTest::newRow("a version that never was")
        << QByteArray(R"({"schema":"palimpsest.ledger/0"})") << QByteArray("no schema palimpsest.ledger");
    QTest::newRow("no lists") << QByteArray(R"({"schema":"palimpsest.ledger/1"})") << QByteArray("damaged");
    QByteArray damaged = QByteArray::fromStdString(writeLedger(sampleOf(1)->compaction.ledger));
    QTest::newRow("a negative slot") << damaged.replace("\"slot\": 1", "\"slot\": -1") << QByteArray("slot");
}

void StoreTest::ledgersThatAreRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, part);
    const auto read = parseLedger(json.toStdString(), "store");
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().sentence().starts_with("store: "), read.error().sentence().c_str());
    QVERIFY2(read.error().message.contains(part.toStdString()), read.error().sentence().c_str());
}

void StoreTest::commitsAreReadBack()
{
    auto store = Store::openOrCreate(path());
    VERIFY_RESULT(store);
    QCOMPARE(store->commits()->size(), 0U);
    QVERIFY(!store->find("").has_value());
    for (int i = 0; i < 3; ++i) {
        const auto commit = store->commit(sampleOf(i)->compaction);
        VERIFY_RESULT(commit);
        QCOMPARE(commit->number, static_cast<size_t>(i) + 1);
    }
    const auto again = Store::openOrCreate(path());
    VERIFY_RESULT(again);
    const auto commits = again->commits();
    VERIFY_RESULT(commits);
    QCOMPARE(commits->size(), 3U);
    QCOMPARE(commits->front().subject, "Compaction 1 of session.jsonl by test");
    QCOMPARE(commits->front().seconds, 1'700'000'000);
    for (int i = 0; i < 3; ++i) {
        const auto commit = again->find(std::to_string(i + 1));
        VERIFY_RESULT(commit);
        QCOMPARE(again->find(commit->oid)->number, static_cast<size_t>(i) + 1);
        QCOMPARE(again->find(commit->oid.substr(0, 8))->number, static_cast<size_t>(i) + 1);
        const auto ledger = again->ledger(*commit);
        VERIFY_RESULT(ledger);
        QCOMPARE(ledger->originals.size(), 3U);
        QCOMPARE(ledger->originals[1].path, "originals/block-1");
        QCOMPARE(ledger->originals[1].oid, objectIdOf(*again->read(*commit, "block-1")));
        QCOMPARE(ledger->artifacts[1].path, "large_tool_results/call_1");
        QCOMPARE(ledger->policyHash, contentHash(*again->readPath(*commit, "policy.json")));
        const std::string number = std::to_string(i);
        QCOMPARE(*again->read(*commit, "block-1"), "original " + number + ".1\n");
        QCOMPARE(*again->read(*commit, "originals/block-1"), "original " + number + ".1\n");
        QCOMPARE(*again->read(*commit, "large_tool_results/call_2"), "artifact " + number + ".2\n");
    }
    QCOMPARE(again->find("")->number, 3U);
    for (const char *which : { "0", "4", "-1", "deadbeef", "last" }) {
        const auto none = again->find(which);
        QVERIFY2(!none.has_value() && none.error().message.contains("1 to 3"), which);
    }
    const auto none = again->read(*again->find(""), "block-9");
    QVERIFY(!none.has_value());
    QCOMPARE(none.error().kind, ErrorKind::NotFound);
    QVERIFY2(none.error().message.contains("block-9"), none.error().message.c_str());
    QVERIFY(!again->readPath(*again->find(""), "originals").has_value());
}

void StoreTest::namesOfTheHarnessAreReadAsTheyWere()
{
    StoredCompaction compaction;
    compaction.policy = "{}";
    const std::vector<std::string> names { "../../outside", "/etc/passwd", ".git/config", "a\nb", "a\xFF",
        "ledger.json", "originals/x", "dup", "dup", "DUP", std::string(3000, 'n'), "C:\\x", "",
        std::string("a\0b", 3) };
    std::vector<std::string> texts;
    for (const std::string &name : names)
        texts.push_back("bytes of " + name + std::to_string(texts.size()));
    for (size_t i = 0; i < names.size(); ++i) {
        LedgerArtifact entry;
        entry.name = names[i];
        compaction.artifacts.push_back({ entry, texts[i] });
    }
    compaction.originals.push_back({ "ledger.json", "an original" });
    auto store = Store::openOrCreate(path(), kQuick);
    const auto commit = store->commit(compaction);
    VERIFY_RESULT(commit);
    const auto ledger = store->ledger(*commit);
    VERIFY_RESULT(ledger);
    for (size_t i = 0; i < names.size(); ++i) {
        QCOMPARE(ledger->artifacts[i].name, names[i]);
        QCOMPARE(*store->read(*commit, ledger->artifacts[i].path), texts[i]);
        const bool isFirst = names[i] != "dup" || i == 7;
        if (isFirst && names[i] != "ledger.json")
            QCOMPARE(*store->read(*commit, names[i]), texts[i]);
    }
    QCOMPARE(*store->read(*commit, "ledger.json"), "an original");
}

void StoreTest::theSameInputGivesTheSameCommits()
{
    std::vector<std::string> oids;
    for (const char *name : { "a.git", "b.git" }) {
        auto store = Store::openOrCreate(path(name), kQuick);
        for (int i = 0; i < 2; ++i)
            oids.push_back(store->commit(sampleOf(i)->compaction)->oid);
    }
    QCOMPARE(oids[0], oids[2]);
    QCOMPARE(oids[1], oids[3]);
    QVERIFY(oids[0] != oids[1]);
}

void StoreTest::gitReadsIt()
{
    if (QStandardPaths::findExecutable(u"git"_s).isEmpty())
        QSKIP("git is not installed.");
    auto store = Store::openOrCreate(path(), kQuick);
    for (int i = 0; i < 2; ++i)
        VERIFY_RESULT(store->commit(sampleOf(i)->compaction));
    const CommitInfo last = *store->find("");
    QCOMPARE(git(path(), { u"show"_s, u"main:ledger.json"_s }).toStdString(), *store->readPath(last, "ledger.json"));
    QCOMPARE(git(path(), { u"show"_s, u"main:originals/block-0"_s }), QByteArray("original 1.0\n"));
    QCOMPARE(git(path(), { u"show"_s, u"main~1:large_tool_results/call_2"_s }), QByteArray("artifact 0.2\n"));
    QCOMPARE(git(path(), { u"log"_s, u"--format=%s by %an %at"_s }),
        QByteArray("Compaction 2 of session.jsonl by test by Palimpsest 1700000001\n"
                   "Compaction 1 of session.jsonl by test by Palimpsest 1700000000\n"));
    int exitCode = -1;
    const QByteArray output = git(path(), { u"fsck"_s, u"--strict"_s, u"--full"_s }, &exitCode);
    QVERIFY2(exitCode == 0, output.constData());
    // What git does with a store of its own accord does no harm.
    git(path(), { u"gc"_s, u"--quiet"_s }, &exitCode);
    QCOMPARE(exitCode, 0);
    VERIFY_RESULT(store->commit(sampleOf(2)->compaction));
    QCOMPARE(*store->read(*store->find("1"), "block-0"), "original 0.0\n");
}

void StoreTest::otherFoldersAreLeftAlone_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("a folder with files") << u"folder"_s;
    QTest::newRow("a file") << u"file"_s;
    QTest::newRow("a working repository") << u"repository"_s;
    QTest::newRow("a bare repository") << u"bare"_s;
    QTest::newRow("a place that cannot be written") << u"closed"_s;
    QTest::newRow("a place in folders that are not there") << u"missing"_s;
    QTest::newRow("a place in a file") << u"under a file"_s;
}

void StoreTest::otherFoldersAreLeftAlone()
{
    QFETCH(QString, kind);
    fs::path place = path();
    if (kind == u"folder")
        fs::create_directories(place / "sub");
    else if (kind == u"file")
        std::ofstream(place) << "text";
    else if (kind == u"closed")
        place = "/proc/self/store.git";
    else if (kind == u"missing")
        place = path() / "no/such/store.git";
    else if (kind == u"under a file") {
        std::ofstream(place) << "text";
        place /= "store.git";
    } else if (QProcess::execute(u"git"_s,
                   QStringList { u"init"_s, u"--quiet"_s, QString::fromStdString(place.string()) }
                       + (kind == u"bare" ? QStringList { u"--bare"_s } : QStringList()))
        != 0)
        QSKIP("git is not installed.");
    const auto listing = [&] {
        std::set<std::string> names;
        for (const auto &entry : fs::recursive_directory_iterator(path().parent_path()))
            names.insert(entry.path().string());
        return names;
    };
    const auto before = listing();
    const auto store = Store::openOrCreate(place, kQuick);
    QVERIFY(!store.has_value());
    QVERIFY(store.error().sentence().starts_with(place.string() + ": "));
    QVERIFY(before == listing());
}

void StoreTest::aNewerStoreIsRefused()
{
    VERIFY_RESULT(Store::openOrCreate(path(), kQuick));
    std::ofstream(path() / "config", std::ios::app) << "[palimpsest]\n\tstore = 2\n";
    const auto store = Store::openOrCreate(path(), kQuick);
    QVERIFY(!store.has_value());
    QVERIFY2(store.error().message.contains("newer version"), store.error().message.c_str());
}

void StoreTest::aCloneIsReadOnly()
{
    if (QStandardPaths::findExecutable(u"git"_s).isEmpty())
        QSKIP("git is not installed.");
    {
        auto store = Store::openOrCreate(path(), kQuick);
        VERIFY_RESULT(store->commit(sampleOf(0)->compaction));
    }
    const fs::path clone = path("clone.git");
    QCOMPARE(git(path(),
                 { u"clone"_s, u"--quiet"_s, u"--bare"_s, QString::fromStdString(path().string()),
                     QString::fromStdString(clone.string()) }),
        QByteArray());
    auto store = Store::open(clone, kQuick);
    VERIFY_RESULT(store);
    QCOMPARE(*store->read(*store->find(""), "block-0"), "original 0.0\n");
    const auto commit = store->commit(sampleOf(1)->compaction);
    QVERIFY(!commit.has_value());
    QCOMPARE(commit.error().kind, ErrorKind::NotWritable);
    QCOMPARE(store->commits()->size(), 1U);
    const auto none = Store::open(path("none.git"), kQuick);
    QCOMPARE(none.error().kind, ErrorKind::NotFound);
}

void StoreTest::namesThatNobodyStored()
{
    auto store = Store::openOrCreate(path(), kQuick);
    auto sample = sampleOf(0);
    sample->compaction.ledger.rewrites[1].original = "nowhere";
    QVERIFY(store->commit(sample->compaction).error().message.contains("nowhere"));
    sample = sampleOf(0);
    sample->compaction.ledger.splices.push_back({ {}, 1, 1, 1, "nowhere" });
    QVERIFY(store->commit(sample->compaction).error().message.contains("nowhere"));
    sample = sampleOf(0);
    sample->compaction.originals[1].name = "block-0";
    QVERIFY(store->commit(sample->compaction).error().message.contains("block-0"));
    QCOMPARE(store->commits()->size(), 0U);
}

void StoreTest::damageIsNoticedBeforeTheCommit()
{
    // Long enough that git, which looks at the beginning of an object, does not notice.
    std::mt19937_64 random(7);
    std::string noise(50'000, '\0');
    for (char &c : noise)
        c = static_cast<char>('a' + random() % 16);
    std::string damaged;
    auto sample = sampleOf(0);
    sample->compaction.originals.front().bytes = noise;
    {
        auto store = Store::openOrCreate(path(), kQuick);
        VERIFY_RESULT(store->commit(sample->compaction));
        damaged = store->ledger(*store->find(""))->originals.front().oid;
    }
    // The blob of an original rots; a compaction that removes the same bytes again must not trust in it.
    const fs::path object = path() / "objects" / damaged.substr(0, 2) / damaged.substr(2);
    fs::permissions(object, fs::perms::owner_all);
    std::fstream file(object, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-3, std::ios::end);
    file << 'x';
    file.close();
    auto store = Store::openOrCreate(path(), kQuick);
    sample->compaction.seconds += 1;
    const auto commit = store->commit(sample->compaction);
    QVERIFY(!commit.has_value());
    QVERIFY2(commit.error().message.contains("originals/block-0"), commit.error().message.c_str());
    QCOMPARE(commit.error().kind, ErrorKind::Malformed);
    QCOMPARE(store->commits()->size(), 1U);
}

void StoreTest::aFullDiskLeavesTheLastCommit()
{
    auto store = Store::openOrCreate(path(), kQuick);
    VERIFY_RESULT(store->commit(sampleOf(0)->compaction));
    const pid_t child = forked([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit { 4096, 4096 };
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::mt19937_64 random(7);
        std::string noise(100'000, '\0');
        for (char &c : noise)
            c = static_cast<char>(random());
        auto sample = sampleOf(1);
        sample->compaction.originals[2].bytes = noise;
        const auto commit = store->commit(sample->compaction);
        return !commit && commit.error().kind == ErrorKind::NotWritable;
    });
    QCOMPARE(statusOf(child), 0);
    const auto again = Store::openOrCreate(path(), kQuick);
    QCOMPARE(again->commits()->size(), 1U);
}

void StoreTest::aSecondWriterWaitsThenSaysWho()
{
    auto store = Store::openOrCreate(path(), { std::chrono::milliseconds(100), false });
    std::array<int, 2> ready {};
    QCOMPARE(::pipe(ready.data()), 0);
    const pid_t holder = forked([&] {
        const auto lock = StoreLock::take(path(), std::chrono::milliseconds(1000));
        (void)!::write(ready[1], lock ? "1" : "0", 1);
        ::pause();
        return true;
    });
    char answer = '0';
    QCOMPARE(::read(ready[0], &answer, 1), 1);
    QCOMPARE(answer, '1');
    const auto commit = store->commit(sampleOf(0)->compaction);
    QVERIFY(!commit.has_value());
    QCOMPARE(commit.error().kind, ErrorKind::Busy);
    QVERIFY2(
        commit.error().message.contains("Process " + std::to_string(holder) + " on "), commit.error().message.c_str());
    QCOMPARE(store->commits()->size(), 0U); // readers need no lock

    // It dies without a word; who waits goes on.
    std::jthread killer([holder] {
        ::kill(holder, SIGKILL);
        statusOf(holder);
    });
    auto patient = Store::openOrCreate(path(), kQuick);
    VERIFY_RESULT(patient->commit(sampleOf(0)->compaction));
    ::close(ready[0]);
    ::close(ready[1]);
}

void StoreTest::aLockLeftBehindStopsNobody()
{
    auto store = Store::openOrCreate(path(), { std::chrono::milliseconds(0), false });
    VERIFY_RESULT(store->commit(sampleOf(0)->compaction));
    // As a writer leaves it that was killed while main moved.
    std::ofstream(path() / StoreLock::kFile) << "99999999 elsewhere\n";
    std::ofstream(path() / "refs/heads/main.lock") << "half";
    fs::create_directories(path() / "refs/palimpsest");
    std::ofstream(path() / "refs/palimpsest/pending.lock") << "";
    VERIFY_RESULT(store->commit(sampleOf(1)->compaction));
    QCOMPARE(fs::file_size(path() / StoreLock::kFile), 0U);
    QCOMPARE(store->commits()->size(), 2U);
}

void StoreTest::twoWritersAtOnce()
{
    constexpr int kEach = 10;
    std::vector<pid_t> writers;
    for (int i = 0; i < 2; ++i) {
        writers.push_back(forked([&] {
            // Both find no store and make one.
            auto store = Store::openOrCreate(path(), { std::chrono::milliseconds(60'000), false });
            bool isGood = store.has_value();
            for (int k = 0; isGood && k < kEach; ++k)
                isGood = store->commit(sampleOf(i * 100 + k)->compaction).has_value();
            return isGood;
        }));
    }
    for (const pid_t writer : writers)
        QCOMPARE(statusOf(writer), 0);
    const auto store = Store::open(path(), kQuick);
    QCOMPARE(store->commits()->size(), 2U * kEach);
    QCOMPARE(std::distance(fs::directory_iterator(path().parent_path()), {}), 1);
}

void StoreTest::killedAtAnyInstant()
{
    std::mt19937_64 random = seededRandom();
    size_t committed = 0;
    for (int round = 0; round < caseCount(25); ++round) {
        // The writer says when it begins a commit; at one of them it is killed, some file system calls later.
        std::array<int, 2> begun {};
        QCOMPARE(::pipe(begun.data()), 0);
        const pid_t child = forked([&] {
            bool isGood = ::write(begun[1], "s", 1) == 1;
            auto store = Store::openOrCreate(path(), kQuick);
            isGood = isGood && store.has_value();
            for (size_t next = isGood ? store->commits()->size() : 0; isGood; ++next)
                isGood = ::write(begun[1], "c", 1) == 1
                    && store->commit(sampleOf(static_cast<int>(next), kFiles)->compaction).has_value();
            return false;
        });
        char step = 0;
        for (size_t steps = 1 + random() % 6; steps > 0; --steps)
            QCOMPARE(::read(begun[0], &step, 1), 1);
        for (size_t calls = random() % 4000; calls > 0; --calls)
            (void)fs::exists(path());
        ::kill(child, SIGKILL);
        ::close(begun[0]);
        ::close(begun[1]);
        QVERIFY2(WIFSIGNALED(statusOf(child)), "a writer after a killed one could not write");
        if (!fs::exists(path()))
            continue; // killed before there was a store
        size_t count = 0;
        QCOMPARE(problemOf(path(), &count), std::string());
        QVERIFY(count >= committed);
        committed = count;
    }
    QVERIFY2(committed > 0, "no writer ever came to a commit");
    auto store = Store::openOrCreate(path(), kQuick);
    VERIFY_RESULT(store->commit(sampleOf(static_cast<int>(committed), kFiles)->compaction));
    if (QStandardPaths::findExecutable(u"git"_s).isEmpty())
        return;
    int exitCode = -1;
    const QByteArray output = git(path(), { u"fsck"_s, u"--full"_s }, &exitCode);
    QVERIFY2(exitCode == 0, output.constData());
}

PALIMPSEST_TEST(StoreTest)
#include "tst_store.moc"
