// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/change_memo.h"
#include "core/compaction/compaction.h"
#include "core/compaction/memory_folder.h"
#include "core/compaction/texts.h"
#include "core/replay/replay.h"
#include "core/tokens/estimate.h"
#include "core/tokens/weights.h"
#include "tests/claude_log.h"
#include "tests/memory_files.h"
#include "tests/policy_with.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

using namespace core;
using namespace Qt::StringLiterals;
using namespace std::string_literals;
using testing::Folder;
using testing::Lines;
using testing::pathsOf;

namespace fs = std::filesystem;

namespace {

PolicyPtr policy(const fs::path &folder, const testing::Settings &settings = {})
{
    testing::Settings all { { "memory-folder", folder.string() }, { "inject.text", "Memory: {memory}" } };
    all.insert(all.end(), settings.begin(), settings.end());
    return testing::policyWith("claw-memory", all);
}

Compaction compacted(const SessionPtr &session, const PolicyPtr &policy)
{
    return compact(Transcript(session, session->threads.front().end), policy, *estimateTokens(*session, 1, nullptr));
}

ReplayGroundPtr groundOf(const SessionPtr &session)
{
    return replayGround(session, ThreadIndex(0U), estimateTokens(*session, 1, nullptr));
}

/// What is added to the last typed message of the array; empty if nothing is.
std::string addedText(const Compaction &compaction)
{
    std::string text;
    for (const BlockId id : compaction.after.blocks()) {
        const Block &block = compaction.after.block(id);
        if (block.is(BlockFlag::Typed))
            text = compaction.after.session()->text(block.body);
    }
    const size_t at = text.find("\n\n");
    return at == std::string::npos ? std::string() : text.substr(at + 2);
}

Lines filesNamed(const SessionPtr &session, const Folder &folder)
{
    const std::string added = addedText(compacted(session, policy(folder.path(), { { "memory-tags", "20" } })));
    Lines files;
    for (const std::string_view line : splitLines(added, LineRule::JavaScript))
        files.emplace_back(line.starts_with("Memory: ") ? line.substr(8) : line);
    files = pathsOf(std::move(files));
    std::ranges::sort(files);
    return files;
}

/// Four user messages, each about another animal, with a read and an answer behind each.
SessionPtr session()
{
    testing::ClaudeLog log;
    for (const char *animal : { "heron", "otter", "badger", "lynx" }) {
        log.typed("Look for the " + std::string(animal));
        log.read("/work/park.cpp", std::string(2000, 'x'));
        log.answered("Here it is.");
        log.wait(10);
    }
    return log.load();
}

} // namespace

/// The files that `{memory}` names in an added text.
class MemoryTagsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastThreeTurnsCount();
    void noneIsNamedWithoutAMatch();
    void aFolderThatCannotBeUsedIsSaid_data();
    void aFolderThatCannotBeUsedIsSaid();
    void aRelativeFolderStaysInTheWorkingFolder();
    void aRunReadsTheFolderOnce();
    void aReplayCostsWhatTheTextWeighs();
    void theReplayIsThatFromScratch();
    void theCacheBreaksWhereItMoves();
};

void MemoryTagsTest::theLastThreeTurnsCount()
{
    const Folder folder;
    folder.writeAnimals();
    testing::ClaudeLog log;
    log.typed("Look for the heron");
    log.answered("A newt!");
    log.typed("Look for the otter"); // the last three turns begin here
    log.injected("a wolf, which nobody typed");
    log.call("Bash", { { "command", "grep -r mole" } });
    log.result("the lynx"); // of a result nothing counts
    log.answered("The badger is there.");
    log.typed("Go on.");
    log.read("/work/ibex.cpp", "int lynx;");
    log.typed("Thanks.");
    QVERIFY(filesNamed(log.load(), folder) == Lines({ "badger.md", "ibex.md", "mole.md", "otter.md" }));
    log.answered("A hare came behind the message."); // not known at the message
    QVERIFY(filesNamed(log.load(), folder) == Lines({ "badger.md", "ibex.md", "mole.md", "otter.md" }));
    log.typed("And now?");
    QVERIFY(filesNamed(log.load(), folder) == Lines({ "hare.md", "ibex.md" }));
    QCOMPARE(addedText(compacted(log.load(), policy(folder.path(), { { "memory-tags", "1" } }))),
        std::string("Memory: hare.md: About the hare"));
}

void MemoryTagsTest::noneIsNamedWithoutAMatch()
{
    const Folder folder;
    for (const char *name : { "one.md", "two.md", "three.md" })
        folder.write(name, "of quite another matter");
    const SessionPtr made = session();
    const Compaction compaction = compacted(made, policy(folder.path()));
    QVERIFY(compaction.changesNothing());
    QCOMPARE(compaction.stages.front().note, std::string()); // that nothing matches is no fault of the folder
    QCOMPARE(addedText(compacted(made, policy(folder.path(), { { "inject.text", "Turn {turn}\nSee {memory}" } }))),
        std::string("Turn 4"));
}

void MemoryTagsTest::aFolderThatCannotBeUsedIsSaid_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("note");
    QTest::newRow("none") << u""_s << u"{memory} is not known. The parameter memory-folder is empty."_s;
    QTest::newRow("missing") << u"/no/such/folder"_s
                             << u"{memory} is not known. /no/such/folder: There is no such folder."_s;
    QTest::newRow("a file") << u"/dev/null"_s << u"{memory} is not known. /dev/null: This is a file; name a folder."_s;
    QTest::newRow("controls") << u"/no\u001B[31m"_s << u"{memory} is not known. /no␛[31m: There is no such folder."_s;
    QTest::newRow("elsewhere") << u"notes"_s
                               << u"{memory} is not known. /no/such/place: The working folder of the session is not on "
                                  "this computer."_s;
}

void MemoryTagsTest::aFolderThatCannotBeUsedIsSaid()
{
    QFETCH(const QString, folder);
    QFETCH(const QString, note);
    testing::ClaudeLog log("/no/such/place");
    log.typed("Look for the heron");
    log.answered("Done.");
    const SessionPtr made = log.load();
    const PolicyPtr wanted = policy(folder.toStdString());
    const Compaction compaction = compacted(made, wanted);
    QVERIFY(compaction.changesNothing());
    QCOMPARE(QString::fromStdString(compaction.stages.front().note), note);
    const ReplayPtr live = replay(groundOf(made), wanted);
    QCOMPARE(live->notes.size(), size_t(1));
    QCOMPARE(QString::fromStdString(live->notes.front()), note);
    QVERIFY(replayFromScratch(groundOf(made), wanted)->notes == live->notes);
    // Who does not ask for files hears nothing of the folder.
    const PolicyPtr other = policy(folder.toStdString(), { { "inject.text", "Turn {turn}" } });
    QVERIFY(replay(groundOf(made), other)->notes.empty());
}

void MemoryTagsTest::aRelativeFolderStaysInTheWorkingFolder()
{
    const Folder folder;
    folder.write("work/notes/heron.md", "# Herons");
    folder.write("secret/heron.md", "# Secret herons");
    fs::create_directory_symlink(folder.path() / "secret", folder.path() / "work" / "link");
    testing::ClaudeLog log((folder.path() / "work").string());
    log.typed("Look for the heron");
    const SessionPtr made = log.load();
    QCOMPARE(addedText(compacted(made, policy("notes"))), std::string("Memory: heron.md: Herons"));
    QCOMPARE(addedText(compacted(made, policy("./notes/../notes/"))), std::string("Memory: heron.md: Herons"));
    QCOMPARE(addedText(compacted(made, policy(folder.path() / "work" / "link"))),
        std::string("Memory: heron.md: Secret herons")); // a whole path is the user's own
    for (const char *outside : { "..", "../secret", "link", "link/." }) {
        const Compaction compaction = compacted(made, policy(outside));
        QVERIFY2(compaction.changesNothing(), outside);
        QVERIFY2(compaction.stages.front().note.contains("outside of the working folder"),
            compaction.stages.front().note.c_str());
    }
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", (folder.path() / "work").c_str());
    const std::string ofHome = addedText(compacted(made, policy("~/notes")));
    qputenv("HOME", home);
    QCOMPARE(ofHome, std::string("Memory: heron.md: Herons"));
}

void MemoryTagsTest::aRunReadsTheFolderOnce()
{
    const Folder folder;
    folder.write("a.md", "the heron");
    const SessionPtr made = session();
    const auto shelf = std::make_shared<MemoryShelf>();
    MemoryFolders run(shelf);
    const MemoryFolderPtr first = run.at(folder.path().string(), *made);
    QVERIFY(first->tags("heron", 20) == Lines { "a.md: the heron" });
    QVERIFY(MemoryFolders(shelf).at(folder.path().string(), *made) == first); // another run, the same files
    folder.write("a.md", "an old heron");
    QVERIFY(run.at(folder.path().string(), *made) == first); // nothing changes during a run
    const MemoryFolderPtr later = MemoryFolders(shelf).at(folder.path().string(), *made);
    QVERIFY(later->tags("heron", 20) == Lines { "a.md: an old heron" });
    // The plans and replays of a session share what they read.
    CompactOptions options;
    options.memo = std::make_shared<ChangeMemo>(made);
    const Transcript end(made, made->threads.front().end);
    QCOMPARE(compact(end, policy(folder.path()), *roughTokens(*made), options).stages.front().note, std::string());
    const auto files = memoryFiles(folder.path());
    QVERIFY(options.memo->memories()->find(folder.path(), *files));
    QVERIFY(!shelf->find(folder.path(), {}));
}

void MemoryTagsTest::aReplayCostsWhatTheTextWeighs()
{
    const Folder folder;
    folder.writeAnimals();
    const SessionPtr made = session();
    const ReplayGroundPtr ground = groundOf(made);
    const ReplayPtr plain = replay(ground, preset("none"));
    const ReplayPtr tagged = replay(ground, policy(folder.path(), { { "inject.text", "{memory}" } }));
    QCOMPARE(tagged->callCount(), size_t(8)); // two a user message
    const auto tag = [](const std::string &animal) { return animal + ".md: About the " + animal; };
    const Lines typed { "heron", "otter", "badger", "lynx" };
    for (size_t call = 0; call < 8; ++call) {
        // The animals of the last three turns are equally rare, and their files equally long: they stand by path.
        const size_t turn = call / 2;
        Lines known(typed.begin() + static_cast<ptrdiff_t>(turn < 2 ? 0 : turn - 2),
            typed.begin() + static_cast<ptrdiff_t>(turn + 1));
        std::ranges::sort(known);
        std::string text;
        for (const std::string &animal : known)
            text += (text.empty() ? "" : "\n") + tag(animal);
        const std::string before = "Look for the " + typed[turn];
        // The weight of a text in the units of the table: what the typed message weighs, in proportion.
        BlockId block;
        for (size_t i = 0; i < made->blocks.size(); ++i) {
            const BlockId id(static_cast<uint32_t>(i));
            if (made->block(id).is(BlockFlag::Typed) && made->text(made->block(id).body) == before)
                block = id;
        }
        QVERIFY(block.isValid());
        const double own = ground->tokens->of(block);
        const double whole
            = own * static_cast<double>(milliTokens(before + "\n\n" + text)) / static_cast<double>(milliTokens(before));
        const double extra = tagged->steps[call].tokens - plain->steps[call].tokens;
        QVERIFY2(std::abs(extra - (whole - own)) < 0.02,
            qPrintable(u"call %1: %2 instead of %3"_s.arg(call).arg(extra).arg(whole - own)));
    }
}

void MemoryTagsTest::theReplayIsThatFromScratch()
{
    const Folder folder;
    folder.writeAnimals();
    const ReplayGroundPtr ground = groundOf(session());
    const auto words = [](const ReplayPtr &replay) {
        std::string text;
        for (const ReplayStep &step : replay->steps)
            text += QString::asprintf("%.3f %.3f %u\n", step.tokens, step.unchangedTokens, step.blockCount)
                        .toStdString();
        return text;
    };
    std::set<std::string> all;
    for (const char *persistence : { "view", "persistent" }) {
        for (const char *place : { "newest-user", "every-user", "first-user", "last-message" }) {
            const PolicyPtr each = policy(folder.path(), { { "persistence", persistence }, { "place", place } });
            const std::string live = words(replay(ground, each));
            QCOMPARE(live, words(replayFromScratch(ground, each)));
            QCOMPARE(live, words(replay(ground, each))); // equal input, equal output
            if (persistence == "persistent"s)
                all.insert(live);
        }
    }
    QCOMPARE(all.size(), size_t(4)); // each place costs something else
}

void MemoryTagsTest::theCacheBreaksWhereItMoves()
{
    const Folder folder;
    folder.writeAnimals();
    const ReplayGroundPtr ground = groundOf(session());
    const ReplayPtr plain = replay(ground, preset("none"));
    const ReplayPtr moving = replay(ground, policy(folder.path()));
    const ReplayPtr kept = replay(ground, policy(folder.path(), { { "place", "every-user" } }));
    const auto broken = [](const ReplayPtr &replay, size_t call) {
        return replay->steps[call - 1].arrayTokens - replay->steps[call].unchangedTokens;
    };
    for (size_t call = 1; call < 8; ++call) {
        const bool isNewTurn = call % 2 == 0;
        // The user message before loses its tags, so that it is sent anew, and all behind it.
        const double turn = plain->steps[call - 1].arrayTokens - (call > 2 ? plain->steps[call - 3].arrayTokens : 0);
        QVERIFY(isNewTurn ? broken(moving, call) > 0 && broken(moving, call) < turn + 60 : broken(moving, call) == 0);
        QCOMPARE(broken(kept, call), 0.0);
    }
    QVERIFY(kept->steps[7].tokens > moving->steps[7].tokens); // all tags are there, not only the newest
    QCOMPARE(moving->compactions(), size_t(0));
    QCOMPARE(moving->lostBytes(), uint64_t(0));
}

PALIMPSEST_TEST(MemoryTagsTest)
#include "tst_memory_tags.moc"
