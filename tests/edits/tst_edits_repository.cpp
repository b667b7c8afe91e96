// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/cumulated_patch.h"
#include "core/edits/edit_states.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QDirIterator>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <map>

#include <filesystem>
#include <fstream>

using namespace core;
using namespace Qt::StringLiterals;
using testing::ClaudeLog;

namespace {

const std::string kText = "first\nsecond\nthird\nfourth\nfifth\n";
const std::string kEdited = "first\nsecond, changed\nthird\nfourth\nfifth\n";

/// A folder with a git repository, whose files and commits a test scripts.
class Repository final {
public:
    Repository()
    {
        git({ u"init"_s, u"-q"_s });
        git({ u"config"_s, u"user.name"_s, u"Test"_s });
        git({ u"config"_s, u"user.email"_s, u"test@example.org"_s });
    }

    [[nodiscard]] std::filesystem::path path() const { return m_folder.path().toStdString(); }
    void write(const std::string &name, const std::string &text) const
    {
        std::ofstream(path() / name, std::ios::binary) << text;
    }
    [[nodiscard]] std::string read(const std::string &name) const
    {
        std::ifstream file(path() / name, std::ios::binary);
        return { std::istreambuf_iterator<char>(file), {} };
    }
    void remove(const std::string &name) const { std::filesystem::remove(path() / name); }
    /// Commits everything and returns the commit's id.
    std::string commit() const
    {
        git({ u"add"_s, u"-A"_s });
        git({ u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"step"_s });
        return git({ u"rev-parse"_s, u"HEAD"_s }).trimmed().toStdString();
    }
    QByteArray git(const QStringList &arguments, const QByteArray &input = {}) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(u"git"_s, arguments);
        process.write(input);
        process.closeWriteChannel();
        process.waitForFinished();
        m_exitCode = process.exitCode();
        return process.readAll();
    }
    [[nodiscard]] int exitCode() const { return m_exitCode; }
    /// Every file with its size and time, those of git too.
    [[nodiscard]] QStringList listing() const
    {
        QStringList files;
        QDirIterator it(m_folder.path(), QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QFileInfo file(it.next());
            files << u"%1 %2 %3"_s.arg(file.filePath()).arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch());
        }
        files.sort();
        return files;
    }

private:
    QTemporaryDir m_folder;
    mutable int m_exitCode = 0;
};

bool hasGit() { return !QStandardPaths::findExecutable(u"git"_s).isEmpty(); }

QByteArray stateOf(const EditStanding &standing)
{
    return QByteArray::fromStdString(std::string(nameOf(standing.state)));
}

/// A session in `folder` whose agent reads each file and changes its second line.
ClaudeLog edited(const Repository &repository, const std::vector<std::string> &names)
{
    ClaudeLog log(repository.path().string());
    log.typed("Go.");
    for (const std::string &name : names) {
        const std::string path = (repository.path() / name).string();
        log.read(path, kText);
        log.edit(path, "second", "second, changed");
    }
    return log;
}

} // namespace

/// Edits held against a working tree and its history, and all of them as one patch.
class EditsRepositoryTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyEditHasItsState();
    void editsOfOneCommitHaveThatCommit();
    void aCommitThatTookMoreIsFound();
    void undoneWithATraceIsReverted_data();
    void undoneWithATraceIsReverted();
    void aLineThatWasExtendedIsChangedSince();
    void lineEndsDoNotCount();
    void filesComeAndGo();
    void elsewhereIsUnknown();
    void filesAreFoundInTheWholeWorkingTree_data();
    void filesAreFoundInTheWholeWorkingTree();
    void aBareRepositoryHasNoWorkingTree();
    void nothingIsWritten();
    void theCumulatedPatchApplies();
    void aPatchOfPartsNamesWhatItLeavesOut();
    void whatIsKnownInPartIsPatchedWhereItsLinesAreKnown();
    void aChangeOutsideTheLogIsInNoPatch();
    void nothingInAPatchMakesGitRefuseIt();
};

void EditsRepositoryTest::init()
{
    if (!hasGit())
        QSKIP("There is no git here.");
}

void EditsRepositoryTest::everyEditHasItsState()
{
    const Repository repository;
    const std::vector<std::string> names { "landed", "uncommitted", "changed", "reverted", "undone" };
    for (const std::string &name : names)
        repository.write(name, kText);
    std::ignore = repository.commit();
    ClaudeLog log = edited(repository, names);
    log.read((repository.path() / "other").string(), "alpha\nbeta\n");
    log.edit((repository.path() / "other").string(), "beta", "gamma");
    log.write((repository.path() / "vanished").string(), "It says so, but no file was ever there.\n");
    log.call("Edit",
        { { "file_path", (repository.path() / "landed").string() }, { "old_string", "x" }, { "new_string", "y" } });
    log.result("<tool_use_error>String to replace not found in file.</tool_use_error>", true);

    for (const std::string name : { "landed", "changed", "reverted" })
        repository.write(name, kEdited);
    const std::string commit = repository.commit();
    repository.write("changed", "first\nsecond, and changed once more\nthird\n");
    repository.write("reverted", kText);
    std::ignore = repository.commit();
    repository.write("uncommitted", kEdited);
    repository.write("undone", kText); // as it was, and no commit ever had the edit
    repository.write("other", "something else entirely\n");

    const Edits edits = *findEdits(log.load());
    const auto standings = editStandings(edits, repository.path());
    QCOMPARE(standings.size(), 8U);
    QCOMPARE(stateOf(standings[0]), "landed");
    QVERIFY(standings[0].isInHead);
    QCOMPARE(standings[0].commit, commit);
    QVERIFY(standings[0].commitTime > 0);
    QCOMPARE(stateOf(standings[1]), "landed");
    QVERIFY(!standings[1].isInHead);
    QVERIFY(standings[1].commit.empty());
    QCOMPARE(stateOf(standings[2]), "landed and changed since");
    QCOMPARE(standings[2].commit, commit);
    QCOMPARE(stateOf(standings[3]), "reverted");
    QVERIFY(standings[3].isStored);
    QCOMPARE(stateOf(standings[4]), "never landed"); // nothing tells that it was ever there
    QVERIFY(standings[4].reason == StandingReason::OldTextStands);
    QVERIFY(standings[4].commit.empty());
    QCOMPARE(stateOf(standings[5]), "unknown");
    QVERIFY(standings[5].reason == StandingReason::NotRecognised);
    QCOMPARE(stateOf(standings[6]), "never landed");
    QVERIFY(standings[6].reason == StandingReason::NoFile);
    QCOMPARE(stateOf(standings[7]), "never landed");
    QVERIFY(standings[7].reason == StandingReason::Failed);
}

void EditsRepositoryTest::editsOfOneCommitHaveThatCommit()
{
    const Repository repository;
    repository.write("a", kText);
    std::ignore = repository.commit();
    ClaudeLog log = edited(repository, { "a" });
    log.edit((repository.path() / "a").string(), "fourth", "4");
    log.edit((repository.path() / "a").string(), "second, changed", "2");
    const Edits edits = *findEdits(log.load());
    QCOMPARE(edits.edits.size(), 3U);
    repository.write("a", edits.edits[2].after.text.flat());
    const std::string commit = repository.commit();
    const auto standings = editStandings(edits, repository.path());
    // The body between was never stored, but the commit holds the second edit's lines; the first one's are gone again.
    QCOMPARE(stateOf(standings[0]), "landed and changed since");
    QVERIFY(standings[0].commit.empty());
    QCOMPARE(stateOf(standings[1]), "landed");
    QCOMPARE(standings[1].commit, commit);
    QCOMPARE(stateOf(standings[2]), "landed");
    QCOMPARE(standings[2].commit, commit);
}

/// The person adds a line and commits both; later the file is removed.
void EditsRepositoryTest::aCommitThatTookMoreIsFound()
{
    const Repository repository;
    repository.write("a", kText);
    std::ignore = repository.commit();
    const Edits edits = *findEdits(edited(repository, { "a" }).load());
    repository.write("a", kEdited + "sixth, by the person\n");
    const std::string commit = repository.commit();
    const EditStanding kept = editStandings(edits, repository.path()).front();
    QCOMPARE(stateOf(kept), "landed");
    QVERIFY(kept.isInHead);
    QCOMPARE(kept.commit, commit);
    repository.remove("a");
    std::ignore = repository.commit();
    const EditStanding gone = editStandings(edits, repository.path()).front();
    QCOMPARE(stateOf(gone), "landed and changed since");
    QCOMPARE(gone.commit, commit);
}

void EditsRepositoryTest::undoneWithATraceIsReverted_data()
{
    QTest::addColumn<QStringList>("commands"); // of git, while the file holds the edit and one line more
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<bool>("hasCommit");
    QTest::newRow("nothing tells") << QStringList() << QByteArray("never landed") << false;
    QTest::newRow("the index") << QStringList { u"add a"_s } << QByteArray("reverted") << false;
    QTest::newRow("the stash") << QStringList { u"stash"_s } << QByteArray("reverted") << true;
    QTest::newRow("another branch") << QStringList { u"checkout -q -b side"_s, u"commit -q -a -m side"_s,
        u"checkout -q -"_s } << QByteArray("reverted")
                                    << true;
    QTest::newRow("the reflog") << QStringList { u"commit -q -a -m x"_s, u"reset -q --hard HEAD~1"_s }
                                << QByteArray("reverted") << true;
}

void EditsRepositoryTest::undoneWithATraceIsReverted()
{
    QFETCH(QStringList, commands);
    const Repository repository;
    repository.write("a", kText);
    std::ignore = repository.commit();
    const Edits edits = *findEdits(edited(repository, { "a" }).load());
    repository.write("a", kEdited + "sixth, by the person\n");
    for (const QString &command : commands)
        repository.git(command.split(u' '));
    repository.write("a", kText);
    const EditStanding standing = editStandings(edits, repository.path()).front();
    QTEST(stateOf(standing), "state");
    QTEST(!standing.commit.empty(), "hasCommit");
    QCOMPARE(standing.isCommitInHistory, standing.commit.empty());
    const std::string told = " · in commit " + standing.commit.substr(0, 8) + ", outside HEAD's history";
    QCOMPARE(standingText(standing).ends_with(told), !standing.commit.empty());
}

void EditsRepositoryTest::aLineThatWasExtendedIsChangedSince()
{
    const Repository repository;
    repository.write("a", kText);
    std::ignore = repository.commit();
    const Edits edits = *findEdits(edited(repository, { "a" }).load());
    repository.write("a", "first\nsecond, changed, and more by the person\nthird\n");
    QCOMPARE(stateOf(editStandings(edits, repository.path()).front()), "landed and changed since");
}

/// Tools show and write line feeds whatever the file has.
void EditsRepositoryTest::lineEndsDoNotCount()
{
    const auto withReturns
        = [](const std::string &text) { return QByteArray::fromStdString(text).replace("\n", "\r\n").toStdString(); };
    const Repository repository;
    repository.write("a", withReturns(kText));
    std::ignore = repository.commit();
    const Edits edits = *findEdits(edited(repository, { "a" }).load());
    repository.write("a", withReturns(kEdited));
    QCOMPARE(stateOf(editStandings(edits, repository.path()).front()), "landed");
    const std::string commit = repository.commit();
    QCOMPARE(editStandings(edits, repository.path()).front().commit, commit);
    repository.write("a", withReturns(kText));
    QCOMPARE(stateOf(editStandings(edits, repository.path()).front()), "reverted");
}

void EditsRepositoryTest::filesComeAndGo()
{
    const Repository repository;
    repository.write("gone", kText);
    repository.write("back", kText);
    std::ignore = repository.commit();
    ClaudeLog log(repository.path().string());
    log.typed("Go.");
    log.read("gone", kText);
    log.call("Bash", { { "command", "rm gone back" } });
    log.result("");
    log.write("new", kText);
    repository.remove("gone");
    repository.write("new", kText);
    std::ignore = repository.commit();
    repository.remove("new");
    const Edits edits = *findEdits(log.load());
    const auto standings = editStandings(edits, repository.path());
    QCOMPARE(standings.size(), 3U);
    QCOMPARE(stateOf(standings[0]), "landed");
    QVERIFY(standings[0].isInHead);
    QVERIFY(stateOf(standings[1]) != "landed");  // it is still there
    QCOMPARE(stateOf(standings[2]), "reverted"); // a commit has it, and there is no such file again
    QVERIFY(standings[2].isInHead);
}

void EditsRepositoryTest::elsewhereIsUnknown()
{
    const Repository repository;
    ClaudeLog log(repository.path().string());
    log.typed("Go.");
    log.write("/elsewhere/a", kText);
    log.write("a", kText);
    const Edits edits = *findEdits(log.load());
    QCOMPARE(stateOf(editStandings(edits, repository.path())[0]), "unknown");
    QCOMPARE(stateOf(editStandings(edits, repository.path())[1]), "never landed");
    const QTemporaryDir plain; // in no repository
    std::ofstream(std::filesystem::path(plain.path().toStdString()) / "a") << kText;
    QCOMPARE(stateOf(editStandings(edits, plain.path().toStdString())[1]), "landed");
}

void EditsRepositoryTest::filesAreFoundInTheWholeWorkingTree_data()
{
    QTest::addColumn<QString>("recorded"); // working folder, below the temporary one
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("folder"); // that is named
    QTest::newRow("beside the recorded folder") << u"real/sub"_s << u"real/lib/a"_s << u"real/sub"_s;
    QTest::newRow("the recorded folder is a link") << u"link/sub"_s << u"real/lib/a"_s << u"link/sub"_s;
    QTest::newRow("the path leads through a link") << u"real"_s << u"link/lib/a"_s << u"real"_s;
    QTest::newRow("no folder is recorded") << QString() << u"real/lib/a"_s << u"real"_s;
    QTest::newRow("recorded on another machine") << u"gone/sub"_s << u"gone/lib/a"_s << u"real/sub"_s;
}

void EditsRepositoryTest::filesAreFoundInTheWholeWorkingTree()
{
    QFETCH(QString, recorded);
    QFETCH(QString, path);
    QFETCH(QString, folder);
    const QTemporaryDir temporary;
    const auto below = [&](const QString &name) { return temporary.filePath(name).toStdString(); };
    std::filesystem::create_directories(below(u"real/sub"_s));
    std::filesystem::create_directories(below(u"real/lib"_s));
    std::filesystem::create_directory_symlink(below(u"real"_s), below(u"link"_s));
    QProcess::execute(u"git"_s, { u"init"_s, u"-q"_s, temporary.filePath(u"real"_s) });
    std::ofstream(below(u"real/lib/a"_s)) << kEdited;
    ClaudeLog log(recorded.isEmpty() ? std::string() : below(recorded));
    log.typed("Go.");
    log.read(below(path), kText);
    log.edit(below(path), "second", "second, changed");
    log.edit("/elsewhere/b", "second", "second, changed");
    const Edits edits = *findEdits(log.load());
    const auto standings = editStandings(edits, below(folder));
    QCOMPARE(stateOf(standings[0]), "landed");
    QCOMPARE(stateOf(standings[1]), "unknown");
    QVERIFY(standings[1].reason == StandingReason::Elsewhere);
}

void EditsRepositoryTest::aBareRepositoryHasNoWorkingTree()
{
    const Repository repository;
    repository.write("a", kText);
    std::ignore = repository.commit();
    const Edits edits = *findEdits(edited(repository, { "a" }).load());
    repository.write("a", kEdited);
    const std::string commit = repository.commit();
    const QTemporaryDir bare;
    repository.git({ u"clone"_s, u"-q"_s, u"--bare"_s, u"."_s, bare.path() });
    const EditStanding standing = editStandings(edits, bare.path().toStdString()).front();
    QCOMPARE(stateOf(standing), "unknown");
    QVERIFY(standing.reason == StandingReason::NoWorkingTree);
    QVERIFY(standing.isInHead);
    QCOMPARE(standing.commit, commit);
}

void EditsRepositoryTest::nothingIsWritten()
{
    const Repository repository;
    repository.write("a", kText);
    std::ignore = repository.commit();
    const Edits edits = *findEdits(edited(repository, { "a" }).load());
    const QStringList before = repository.listing();
    std::ignore = editStandings(edits, repository.path());
    QCOMPARE(repository.listing(), before);
}

void EditsRepositoryTest::theCumulatedPatchApplies()
{
    const Repository repository;
    for (const std::string name : { "a", "b c.txt", "ü" })
        repository.write(name, kText);
    ClaudeLog log = edited(repository, { "a", "b c.txt", "ü" });
    const std::string folder = repository.path().string();
    log.edit(folder + "/a", "fifth\n", "fifth, without an end");
    log.write(folder + "/sub/new.txt", "a new file\n");
    log.edit(folder + "/sub/new.txt", "new", "brand-new");
    log.call("Bash", { { "command", "rm 'b c.txt'" } });
    log.result("");
    const Edits edits = *findEdits(log.load());
    const auto patch = cumulatedPatch(edits);
    QVERIFY(patch);
    QVERIFY(patch->leftOut.empty());
    const QByteArray words = repository.git({ u"apply"_s, u"-"_s }, QByteArray::fromStdString(patch->text));
    QVERIFY2(repository.exitCode() == 0, words.constData());
    QCOMPARE(repository.read("a"), "first\nsecond, changed\nthird\nfourth\nfifth, without an end");
    QCOMPARE(repository.read("ü"), kEdited);
    QCOMPARE(repository.read("sub/new.txt"), "a brand-new file\n");
    QVERIFY(!std::filesystem::exists(repository.path() / "b c.txt"));
}

void EditsRepositoryTest::aPatchOfPartsNamesWhatItLeavesOut()
{
    ClaudeLog log;
    log.typed("Go.");
    log.edit("/work/unseen", "second", "2");
    log.write("/elsewhere/a", kText);
    log.write("/work/b", kText);
    const auto patch = cumulatedPatch(*findEdits(log.load()));
    QVERIFY(patch);
    QCOMPARE(patch->files, std::vector<std::string> { "b" });
    QCOMPARE(patch->leftOut.size(), 2U);
    QCOMPARE(patch->leftOut[0].path, "unseen");
    QVERIFY(patch->leftOut[0].reason == UnpatchedFile::Reason::NotPlaced);
    QCOMPARE(patch->leftOut[1].path, "/elsewhere/a");
    QVERIFY(patch->leftOut[1].reason == UnpatchedFile::Reason::Elsewhere);
}

void EditsRepositoryTest::whatIsKnownInPartIsPatchedWhereItsLinesAreKnown()
{
    const Repository repository;
    std::string text;
    for (int line = 1; line <= 40; ++line)
        text += (line % 2 == 0 ? "even " + std::to_string(line) : std::string("odd"))
            + "\n"; // no line is found by itself
    repository.write("long", text);
    const std::string path = repository.path().string() + "/long";
    ClaudeLog log(repository.path().string());
    log.typed("Go.");
    log.call("Read", { { "file_path", path }, { "offset", 19 }, { "limit", 5 } });
    log.result(ClaudeLog::numbered("odd\neven 20\nodd\neven 22\nodd", 19));
    log.edit(path, "even 20\n", "EVEN\nTWENTY\n");
    log.edit(path, "even 22\n", "");
    const Edits edits = *findEdits(log.load());
    const auto patch = cumulatedPatch(edits);
    QVERIFY(patch && patch->leftOut.empty());
    QVERIFY2(patch->text.contains("@@ -19,5 +19,6 @@\n"), patch->text.c_str());
    const QByteArray words = repository.git({ u"apply"_s, u"-"_s }, QByteArray::fromStdString(patch->text));
    QVERIFY2(repository.exitCode() == 0, words.constData());
    text.replace(text.find("even 20\n"), 8, "EVEN\nTWENTY\n");
    text.erase(text.find("even 22\n"), 8);
    QCOMPARE(repository.read("long"), text);
    // Behind the last line that is known git would look for the end of the file.
    ClaudeLog atEdge(repository.path().string());
    atEdge.typed("Go.");
    atEdge.call("Read", { { "file_path", path }, { "offset", 19 }, { "limit", 2 } });
    atEdge.result(ClaudeLog::numbered("odd\neven 20", 19));
    atEdge.edit(path, "even 20\n", "2\n");
    const auto left = cumulatedPatch(*findEdits(atEdge.load()));
    QVERIFY(left && left->text.empty());
    QVERIFY(left->leftOut.size() == 1 && left->leftOut[0].reason == UnpatchedFile::Reason::NotPlaced);
}

/// Between two edits the person changes the file. The patch holds the edits alone, or leaves the file out and says so.
void EditsRepositoryTest::aChangeOutsideTheLogIsInNoPatch()
{
    const Repository repository;
    const std::string text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
    const std::string folder = repository.path().string() + "/";
    for (const std::string name : { "apart", "entangled", "last" })
        repository.write(name, text);
    ClaudeLog log(repository.path().string());
    log.typed("Go.");
    const auto changed = [&](const std::string &name, const std::string &before, const std::string &outside) {
        log.read(folder + name, text);
        log.edit(folder + name, "two\n", "2\n");
        std::string now = text;
        now.replace(now.find("two"), 3, "2");
        now.replace(now.find(before), before.size(), outside);
        log.read(folder + name, now);
    };
    changed("apart", "five\n", "");
    log.edit(folder + "apart", "six\n", "6\n"); // just below
    log.edit(folder + "apart", "nine\n", "9\n");
    changed("entangled", "five\n", "fuenf\n");
    log.edit(folder + "entangled", "fuenf\n", "5\n");
    changed("last", "ten\n", "");
    const auto patch = cumulatedPatch(*findEdits(log.load()), repository.path());
    QVERIFY(patch);
    QCOMPARE(patch->files, (std::vector<std::string> { "apart", "last" }));
    QCOMPARE(patch->leftOut.size(), 1U);
    QVERIFY(patch->leftOut[0].reason == UnpatchedFile::Reason::Outside);
    QVERIFY2(
        patch->text.starts_with("# left out: entangled (3 changes): it changed outside the log"), patch->text.c_str());
    const QByteArray words = repository.git({ u"apply"_s, u"-"_s }, QByteArray::fromStdString(patch->text));
    QVERIFY2(repository.exitCode() == 0, words.constData());
    QCOMPARE(repository.read("apart"), "one\n2\nthree\nfour\nfive\n6\nseven\neight\n9\nten\n");
    QCOMPARE(repository.read("last"), "one\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n");
}

/// One entry that git refuses would take all others along.
void EditsRepositoryTest::nothingInAPatchMakesGitRefuseIt()
{
    const Repository repository;
    std::string returns;
    for (const char c : kText)
        returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
    repository.write("crlf", returns);
    repository.write("known in part", returns);
    repository.write("mixed", "first\r\n" + kText);
    repository.write("target", kText);
    std::filesystem::create_symlink("target", repository.path() / "link");
    ClaudeLog log(repository.path().string());
    log.typed("Go.");
    const std::string folder = repository.path().string() + "/";
    for (const std::string name : { "crlf", "mixed", "link" }) { // shown with plain line feeds
        log.read(folder + name, (name == "mixed" ? "first\n" : "") + kText);
        log.edit(folder + name, "fifth\n", "5\n");
    }
    log.call("Read", { { "file_path", folder + "known in part" }, { "offset", 2 }, { "limit", 3 } });
    log.result(ClaudeLog::numbered("second\nthird\nfourth", 2));
    log.edit(folder + "known in part", "third", "3");
    log.write(folder + ".git/hooks/pre-commit", "exit 1\n");
    log.edit(folder + "made", "", "made\n"); // so Claude Code makes a file
    const auto patch = cumulatedPatch(*findEdits(log.load()), repository.path());
    QVERIFY(patch);
    QCOMPARE(patch->files, (std::vector<std::string> { "crlf", "known in part", "made" }));
    std::map<std::string, UnpatchedFile::Reason> reasons;
    for (const UnpatchedFile &file : patch->leftOut)
        reasons[file.path] = file.reason;
    using Reason = UnpatchedFile::Reason;
    QVERIFY((reasons
        == std::map<std::string, Reason> {
            { "mixed", Reason::LineEnds }, { "link", Reason::Linked }, { ".git/hooks/pre-commit", Reason::InGit } }));
    const QByteArray words = repository.git({ u"apply"_s, u"-"_s }, QByteArray::fromStdString(patch->text));
    QVERIFY2(repository.exitCode() == 0, words.constData());
    QCOMPARE(repository.read("crlf"), std::string(returns).replace(returns.find("fifth"), 5, "5"));
    QCOMPARE(repository.read("known in part"), std::string(returns).replace(returns.find("third"), 5, "3"));
    QCOMPARE(repository.read("made"), "made\n");
}

PALIMPSEST_TEST(EditsRepositoryTest)
#include "tst_edits_repository.moc"
