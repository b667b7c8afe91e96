// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/commit.h"
#include "core/compaction/observe.h"
#include "core/git/git_handle.h"
#include "core/git/repository_texts.h"
#include "tests/joined.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace core;
using namespace Qt::StringLiterals;
using testing::joined;

namespace {

using Json = nlohmann::ordered_json;

const std::string kOld = "int first()\n{\n    return 41;\n}\nint second()\n{\n    return 42;\n}\n";
const std::string kNow = "// the file as it is now, which no commit holds\nint third();\n";
const std::string kNotes = "Words that stand in no file and are shown once more by nobody at all.";

/// As tools show files: a number and an arrow before each line.
std::string numbered(const std::string &text)
{
    std::string result;
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t newline = std::min(text.find('\n', at), text.size());
        result += "     " + std::to_string(++number) + "→" + text.substr(at, newline - at) + "\n";
        at = newline + 1;
    }
    return result;
}

Json call(const std::string &id, const std::string &tool, const Json &arguments)
{
    return { { "role", "assistant" }, { "content", nullptr },
        { "tool_calls",
            Json::array({ { { "id", id }, { "type", "function" },
                { "function", { { "name", tool }, { "arguments", arguments.dump() } } } } }) } };
}

Json result(const std::string &id, const std::string &text)
{
    return { { "role", "tool" }, { "tool_call_id", id }, { "content", text } };
}

/// Reads four files, then is told to go on; the rest is what comes behind the compaction.
SessionPtr made(const std::vector<Json> &later = {})
{
    Json messages = Json::array({ { { "role", "user" }, { "content", "Look." } } });
    messages.push_back(call("1", "read_file", { { "path", "old.cpp" } }));
    messages.push_back(result("1", numbered(kOld)));
    messages.push_back(call("2", "read_file", { { "path", "now.h" } }));
    messages.push_back(result("2", kNow));
    messages.push_back(call("3", "read_file", { { "path", "notes.txt" } }));
    messages.push_back(result("3", kNotes));
    messages.push_back(call("4", "write_file", { { "path", "../outside.txt" }, { "content", kNotes + kNotes } }));
    messages.push_back(result("4", "ok"));
    messages.push_back({ { "role", "user" }, { "content", "Go on." } });
    for (const Json &each : later)
        messages.push_back(each);
    messages.push_back({ { "role", "assistant" }, { "content", "Done." } });
    const auto session = testing::load(Json { { "model", "gpt-5" }, { "messages", messages } }.dump());
    return session ? *session : nullptr;
}

/// A repository whose only commit-less object is the old file, and whose working tree holds the other.
void makeRepository(const std::filesystem::path &folder)
{
    const GitLibrary library;
    GitRepository repository;
    QCOMPARE(git_repository_init(repository.out(), folder.c_str(), 0), 0);
    git_oid oid {};
    QCOMPARE(git_blob_create_from_buffer(&oid, repository.get(), kOld.data(), kOld.size()), 0);
    std::ofstream(folder / "now.h") << "// before\n" << kNow;
    std::ofstream(folder / "old.cpp") << "something else\n";
    std::ofstream(folder.parent_path() / "outside.txt") << kNotes << kNotes;
}

/// All results and the written file are dropped at the call that answers "Go on.".
Compaction dropped(const SessionPtr &session)
{
    const CallIndex at(4U);
    const Transcript array(session, rangesAt(*session, { ThreadIndex(0U), at }));
    CompactOptions options;
    options.position.call = at;
    for (const BlockId id : array.blocks()) {
        const Block &block = array.block(id);
        if (block.kind == BlockKind::ToolResult || session->string(block.name) == "write_file")
            options.overrides.drop.push_back(id);
    }
    return compact(array, preset("none"), *roughTokens(*session), options);
}

std::vector<Recovery> rewritesOf(const SessionPtr &session, const std::filesystem::path &folder)
{
    const Compaction compaction = dropped(session);
    return recoveriesOf(compaction, { ThreadIndex(0U), CallIndex(4U), folder }).rewrites;
}

} // namespace

/// From where a harness can have removed texts back, and when its agent did.
class RecoveryTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filesAndObjects();
    void withoutAFolder();
    void laterSlots();
    void fetches_data();
    void fetches();
    void artifactsAreReadByName();
    void anOverwrittenArtifactHoldsNothing();
    void theArtifactThatStandsIsRead();
    void theLedgerHoldsIt();
    void outsideOfTheFolder();
};

void RecoveryTest::filesAndObjects()
{
    const QTemporaryDir top;
    const std::filesystem::path folder = top.path().toStdString() + "/repository";
    std::filesystem::create_directory(folder);
    makeRepository(folder);
    const auto recoveries = rewritesOf(made(), folder);
    QCOMPARE(recoveries.size(), size_t(5));
    QCOMPARE(joined(recoveries[0].from), "git object"); // shown with line numbers
    QCOMPARE(joined(recoveries[1].from), "working tree");
    QCOMPARE(joined(recoveries[2].from), "");
    QCOMPARE(joined(recoveries[3].from), ""); // a file outside of the folder
    QCOMPARE(joined(recoveries[4].from), ""); // too short to tell
}

void RecoveryTest::withoutAFolder()
{
    for (const Recovery &each : rewritesOf(made(), {}))
        QCOMPARE(joined(each.from), "");
    QVERIFY(folderOf(*made(), {}).empty());
    Session here = *made();
    const QTemporaryDir folder;
    here.workingFolder = folder.path().toStdString();
    QCOMPARE(folderOf(here, {}).string(), folder.path().toStdString());
    QCOMPARE(folderOf(here, "elsewhere").string(), std::string("elsewhere"));
    here.workingFolder += "/none";
    QVERIFY(folderOf(here, {}).empty());
}

void RecoveryTest::laterSlots()
{
    const SessionPtr session = core::session("u:10 a:20 t:500=1 a:20 t:500=1 a:30");
    const Transcript array(session, session->threads.front().end);
    CompactOptions options;
    for (const BlockId id : array.blocks()) {
        if (array.block(id).kind == BlockKind::ToolResult && options.overrides.drop.empty())
            options.overrides.drop.push_back(id);
    }
    const Compaction compaction = compact(array, preset("none"), *roughTokens(*session), options);
    const Recoveries recoveries = recoveriesOf(compaction, {});
    QCOMPARE(recoveries.rewrites.size(), size_t(1));
    QCOMPARE(joined(recoveries.rewrites.front().from), "later slot");
    QVERIFY(!recoveries.rewrites.front().fetchedBackAt.isValid());
}

void RecoveryTest::fetches_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("written");
    QTest::addColumn<int>("rewrite");
    QTest::addColumn<int>("call");
    const QString notes = QString::fromStdString(kNotes);
    const QString old = QString::fromStdString(numbered(kOld));
    const QString half = QString::fromStdString(numbered("int second()\n    return 41;\nsomething that is new here\n"));
    QTest::newRow("the same text, by whatever tool") << u"run"_s << u"cat x"_s << notes << u""_s << 2 << 5;
    QTest::newRow("the same file, the same lines") << u"read_file"_s << u"old.cpp"_s << old << u""_s << 0 << 5;
    QTest::newRow("half of the lines of 12 characters") << u"read_file"_s << u"old.cpp"_s << half << u""_s << 0 << 5;
    QTest::newRow("another file with half of the lines") << u"read_file"_s << u"new.cpp"_s << half << u""_s << 0 << -1;
    QTest::newRow("the same file, other lines")
        << u"read_file"_s << u"old.cpp"_s << u"nothing of what stood there before"_s << u""_s << 0 << -1;
    QTest::newRow("the file was written between") << u"read_file"_s << u"old.cpp"_s << half << u"old.cpp"_s << 0 << -1;
}

void RecoveryTest::fetches()
{
    QFETCH(const QString, tool);
    QFETCH(const QString, path);
    QFETCH(const QString, text);
    QFETCH(const QString, written);
    QFETCH(const int, rewrite);
    QFETCH(const int, call);
    std::vector<Json> later;
    later.push_back(written.isEmpty() ? ::call("8", "list", Json::object())
                                      : ::call("8", "write_file", { { "path", written.toStdString() } }));
    later.push_back(result("8", "ok"));
    later.push_back(::call("9", tool.toStdString(), { { "path", path.toStdString() } }));
    later.push_back(result("9", text.toStdString()));
    const auto recoveries = rewritesOf(made(later), {});
    for (size_t i = 0; i < recoveries.size(); ++i) {
        const CallIndex at = recoveries[i].fetchedBackAt;
        QCOMPARE(at.isValid() ? static_cast<int>(at.value()) : -1, static_cast<int>(i) == rewrite ? call : -1);
    }
}

void RecoveryTest::artifactsAreReadByName()
{
    const SessionPtr session
        = made({ ::call("9", "run", { { "command", "head -n 5 '/kept/1.txt'" } }), result("9", "x") });
    Compaction compaction = dropped(session);
    compaction.artifacts.push_back({ "/kept/1.txt", [](const Session &) { return numbered(kOld); }, {}, false });
    compaction.artifacts.push_back({ "/kept/2.txt", [](const Session &) { return kNow.substr(0, 20); }, {}, false });
    compaction.rewrites[0].artifact = 0;
    compaction.rewrites[1].artifact = 1;
    const Recoveries recoveries = recoveriesOf(compaction, { ThreadIndex(0U), CallIndex(4U), {} });
    QCOMPARE(joined(recoveries.rewrites[0].from), "artifact");
    QCOMPARE(joined(recoveries.rewrites[1].from), ""); // the artifact is clipped
    QCOMPARE(recoveries.artifacts[0].fetchedBackAt, CallIndex(4U));
    QCOMPARE(recoveries.rewrites[0].fetchedBackAt, CallIndex(4U));
    QVERIFY(!recoveries.artifacts[1].fetchedBackAt.isValid());
}

void RecoveryTest::anOverwrittenArtifactHoldsNothing()
{
    // Deep Agents makes one name of both calls.
    const auto recoveriesWith = [](const std::string &first, const std::string &second) {
        Json messages = Json::array({ { { "role", "user" }, { "content", "Look." } } });
        messages.push_back(call("a/b", "run", { { "command", "one" } }));
        messages.push_back(result("a/b", first));
        messages.push_back(call("a_b", "run", { { "command", "two" } }));
        messages.push_back(result("a_b", second));
        messages.push_back({ { "role", "assistant" }, { "content", "Done." } });
        const SessionPtr session = *testing::load(Json { { "model", "gpt-5" }, { "messages", messages } }.dump());
        const Transcript array(session, session->threads.front().end);
        const auto policy
            = std::make_shared<const Policy>(*withSetting(*preset("deep-agents"), "offload-results.cap", "50"));
        return recoveriesOf(compact(array, policy, *roughTokens(*session), {}), {});
    };
    const std::string first(1000, 'a');
    const std::string second(1000, 'b');
    const Recoveries apart = recoveriesWith(first, second);
    QCOMPARE(apart.rewrites.size(), size_t(2));
    QCOMPARE(joined(apart.rewrites[0].from), "");
    QCOMPARE(joined(apart.rewrites[1].from), "artifact");
    QCOMPARE(joined(apart.artifacts[0].from), "");
    QCOMPARE(joined(apart.artifacts[1].from), "artifact");
    const Recoveries alike = recoveriesWith(first, first);
    QCOMPARE(joined(alike.rewrites[0].from), "artifact");
    QCOMPARE(joined(alike.rewrites[1].from), "artifact");
}

void RecoveryTest::theArtifactThatStandsIsRead()
{
    const SessionPtr session = made({ ::call("9", "run", { { "command", "cat /kept/1.txt" } }), result("9", "x") });
    const auto recoveriesWith = [&](const std::string &first, const std::string &second) {
        Compaction compaction = dropped(session);
        compaction.artifacts.push_back({ "/kept/1.txt", [first](const Session &) { return first; }, {}, false });
        compaction.artifacts.push_back({ "/kept/1.txt", [second](const Session &) { return second; }, {}, false });
        compaction.rewrites[0].artifact = 0;
        compaction.rewrites[1].artifact = 1;
        return recoveriesOf(compaction, { ThreadIndex(0U), CallIndex(4U), {} });
    };
    const Recoveries apart = recoveriesWith(numbered(kOld), kNow);
    QVERIFY(!apart.artifacts[0].fetchedBackAt.isValid());
    QVERIFY(!apart.rewrites[0].fetchedBackAt.isValid());
    QCOMPARE(apart.artifacts[1].fetchedBackAt, CallIndex(4U));
    QCOMPARE(apart.rewrites[1].fetchedBackAt, CallIndex(4U));
    // Of equal texts one file stands for both.
    const Recoveries alike = recoveriesWith(kNow, kNow);
    QCOMPARE(alike.artifacts[0].fetchedBackAt, CallIndex(4U));
    QCOMPARE(alike.artifacts[1].fetchedBackAt, CallIndex(4U));
    QCOMPARE(alike.rewrites[1].fetchedBackAt, CallIndex(4U));
}

void RecoveryTest::theLedgerHoldsIt()
{
    const QTemporaryDir top;
    const std::filesystem::path folder = top.path().toStdString() + "/repository";
    std::filesystem::create_directory(folder);
    makeRepository(folder);
    const SessionPtr session = made({ ::call("9", "run", { { "command", "cat" } }), result("9", kNotes),
        { { "role", "user" }, { "content", "Well." } } });
    auto store = Store::openOrCreate(top.path().toStdString() + "/store");
    QVERIFY(store.has_value());
    CommitOptions options;
    options.position.call = CallIndex(4U);
    options.folder = folder;
    const auto info = commit(dropped(session), *store, options);
    QVERIFY2(info.has_value(), info ? "" : info.error().message.c_str());
    const auto ledger = store->ledger(*info);
    QVERIFY(ledger.has_value());
    QCOMPARE(joined(ledger->rewrites[0].recoverableFrom.value()), "git object");
    QCOMPARE(joined(ledger->rewrites[2].recoverableFrom.value()), "");
    QCOMPARE(ledger->rewrites[2].fetchedBackAt, CallIndex(4U));
    // A ledger of before says nothing of it, and that is kept apart from "nowhere".
    Json document = Json::parse(writeLedger(*ledger));
    document["rewrites"][0].erase("recoverable_from");
    const auto older = parseLedger(document.dump());
    QVERIFY2(older.has_value(), older ? "" : older.error().message.c_str());
    QVERIFY(!older->rewrites[0].recoverableFrom.has_value());
}

void RecoveryTest::outsideOfTheFolder()
{
    const QTemporaryDir top;
    const std::filesystem::path folder = top.path().toStdString() + "/repository";
    std::filesystem::create_directory(folder);
    makeRepository(folder);
    RepositoryTexts texts(folder);
    QVERIFY(texts.fileAt("now.h").has_value());
    QVERIFY(texts.fileAt((folder / "now.h").string()).has_value());
    QVERIFY(!texts.fileAt("../outside.txt").has_value());
    std::filesystem::create_symlink("../outside.txt", folder / "link");
    QVERIFY(!texts.fileAt("link").has_value());
    QVERIFY(!texts.fileAt("none").has_value());
    QVERIFY(!texts.fileAt(".").has_value());
    QVERIFY(texts.hasBlob(kOld));
    QVERIFY(!texts.hasBlob(kNow));
    RepositoryTexts nowhere(folder / "none");
    QVERIFY(!nowhere.fileAt("now.h").has_value());
    QVERIFY(!nowhere.hasBlob(kOld));
}

PALIMPSEST_TEST(RecoveryTest)
#include "tst_recovery.moc"
