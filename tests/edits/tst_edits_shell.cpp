// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/cumulated_patch.h"
#include "core/edits/edits.h"
#include "core/edits/shell_changes.h"
#include "core/report/edits_report.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QTest>

#include <array>

using namespace core;
using testing::ClaudeLog;
using namespace Qt::StringLiterals;

namespace {

constexpr std::array<std::string_view, 9> kKinds { "replace", "insert", "write", "append", "patch", "delete", "rewrite",
    "move", "copy" };
constexpr std::array<std::string_view, 4> kOutcomes { "landed", "failed", "interrupted", "untold" };

/// `move a.txt > b/ into`: kind, path, where from or to, and how the path is meant.
std::string describe(const ShellChange &each)
{
    constexpr std::array<std::string_view, 4> kNamings { "", " file-or-folder", " known", " pattern" };
    const FileChange &change = each.change;
    std::string text(kKinds[static_cast<size_t>(change.kind)]);
    text += " " + (change.from.empty() ? "" : change.from + " > ") + change.path;
    text += change.movedTo.empty() ? "" : " > " + change.movedTo;
    text += change.goesIntoFolder ? " into" : "";
    text += kNamings[static_cast<size_t>(change.naming)];
    return text + (each.certainty == RunCertainty::Perhaps ? " perhaps" : "");
}

/// `move a.txt landed`.
std::string describe(const Edit &edit)
{
    const std::string kind
        = edit.origin == EditOrigin::Outside ? "outside" : std::string(kKinds[static_cast<size_t>(edit.kind)]);
    return kind + " " + edit.path + (edit.movedTo.empty() ? "" : " > " + edit.movedTo) + " "
        + std::string(kOutcomes[static_cast<size_t>(edit.outcome)]);
}

template <typename List>
QByteArray describeAll(const List &list)
{
    std::string text;
    for (const auto &each : list)
        text += (text.empty() ? "" : " | ") + describe(each);
    return QByteArray::fromStdString(text);
}

void run(ClaudeLog &log, const std::string &command, bool isError = false)
{
    log.call("Bash", { { "command", command } });
    log.result(isError ? "Exit code 1" : "", isError);
}

/// Two files that are known as a whole, one in a folder, and then a command.
ClaudeLog twoFilesAnd(const std::string &command, bool isError = false)
{
    ClaudeLog log;
    log.typed("Go.");
    log.write("/work/a.txt", "one\n");
    log.write("/work/src/b.py", "two\n");
    run(log, command, isError);
    return log;
}

Edits editsOf(const ClaudeLog &log)
{
    const SessionPtr session = log.load();
    return session ? *findEdits(session) : Edits();
}

/// The edits behind the two that write the files.
QByteArray made(const std::string &command, bool isError = false)
{
    const Edits edits = editsOf(twoFilesAnd(command, isError));
    return edits.edits.size() < 2 ? QByteArray("?") : describeAll(std::span(edits.edits).subspan(2));
}

} // namespace

/// What shells do to files beside writing them: moved, removed, put back, formatted.
class EditsShellTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsTellTheirFiles_data();
    void commandsTellTheirFiles();
    void namesAreHeldAgainstWhatIsKnown_data();
    void namesAreHeldAgainstWhatIsKnown();
    void aMoveTakesTheBodyAlong();
    void aMoveOverAFileIsAChangeOfIt();
    void ofAMoveBothHalvesArePatchedOrNone();
    void aFileThatIsRemovedIsGone();
    void theHomeFolderIsThatOfTheWorkingFolder();
    void whatAFormatterMadeIsSeenLater();
    void whatAFormatterMadeOfAnUnseenFileIsNotCounted();
    void aViewOfOtherTextEndsTheWait();
    void wildcardsLeaveFilesUncertain();
    void whatSedMakesOfPlainTextsIsKnown_data();
    void whatSedMakesOfPlainTextsIsKnown();
    void whatWasThereBeforeAFileWasWrittenIsTheReason();
    void whatGitBringsBackIsAsItWas_data();
    void whatGitBringsBackIsAsItWas();
};

void EditsShellTest::commandsTellTheirFiles_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *script, const char *expected) {
        QTest::newRow(name) << script << QByteArray(expected);
    };
    row("move", "mv a.txt b.txt", "move a.txt > b.txt file-or-folder");
    row("move into a folder", "mv -f a.txt b.txt dir",
        "move a.txt > dir into file-or-folder | move b.txt > dir into file-or-folder");
    row("move into a folder that says so", "cd src && mv a.txt ../dir/",
        "move src/a.txt > src/../dir/ into file-or-folder");
    row("move, asking first", "mv -n a.txt b.txt", "move a.txt > b.txt file-or-folder perhaps");
    row("move to where a variable says", "mv a.txt $DIR", "");
    row("a home folder", "cp a.txt ~/b.txt && rm ~/c.txt", "copy a.txt > ~/b.txt | delete ~/c.txt");
    row("somebody's home folder", "rm ~ada/c.txt", "");
    row("copy", "cp -p a.txt b.txt", "copy a.txt > b.txt");
    row("copy of a folder", "cp -r a b", "copy a > b file-or-folder");
    row("removed folder", "rm -rf build *.o", "delete build file-or-folder | delete *.o pattern");
    row("a name with a dash", "rm -- -f", "delete -f");
    row("git moves", "git mv a.txt b.txt", "move a.txt > b.txt file-or-folder");
    row("git removes", "git rm -r --quiet dir", "delete dir file-or-folder");
    row("git removes from the index alone", "git rm --cached a.txt", "");
    row("git puts back", "git checkout HEAD~1 -- a.txt", "rewrite a.txt file-or-folder");
    row("git puts back or changes the branch", "git checkout main", "rewrite main known");
    row("git makes a branch", "git checkout -b fix", "");
    row("git restores", "git -C sub restore --source HEAD a.txt", "rewrite sub/a.txt file-or-folder");
    row("git puts all aside", "git stash; git stash push -m wip; git stash -u",
        "rewrite . file-or-folder | rewrite . file-or-folder | rewrite . file-or-folder");
    row("git puts files aside", "git stash push -m wip -- a.txt", "rewrite a.txt file-or-folder");
    row("git brings all back", "git -C sub stash pop --index", "rewrite sub/. file-or-folder");
    row("git looks at what it put aside", "git stash list; git stash show -p; git stash drop", "");
    row("git throws all away", "git reset -q --hard HEAD~1", "rewrite . file-or-folder");
    row("git resets the index", "git reset HEAD a.txt; git reset --soft HEAD~1", "");
    row("git restores the index", "git restore --staged a.txt", "");
    row("formatter", "black a.py", "rewrite a.py");
    row("formatter that only looks", "black --check a.py; gofmt -l a.go; prettier a.js", "");
    row("formatter that is told to write", "gofmt -w a.go b.go && npx prettier --write a.js",
        "rewrite a.go | rewrite b.go | rewrite a.js");
    row("formatter of a folder", "uv run black src", "rewrite src known");
    row("formatter of its own wildcards", "prettier --write 'src/**/*.ts'", "rewrite src/**/*.ts pattern");
    row("formatter of all", "cargo fmt", "rewrite . known");
    row("linter that mends", "ruff check --fix a.py && eslint a.js", "rewrite a.py");
    row("value of an option", "black -l 100 --config c.toml a.py", "rewrite 100 known | rewrite a.py");
    row("if something holds", "if test -f a; then rm a; fi; rm b", "delete a perhaps | delete b");
    row("if nothing else does", "rm a || rm b", "delete a | delete b perhaps");
}

void EditsShellTest::commandsTellTheirFiles()
{
    QFETCH(QString, script);
    QFETCH(QByteArray, expected);
    QCOMPARE(describeAll(shellChanges(script.toStdString())), expected);
}

void EditsShellTest::namesAreHeldAgainstWhatIsKnown_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *script, const char *expected) {
        QTest::newRow(name) << script << QByteArray(expected);
    };
    row("a file", "mv a.txt c.txt", "move a.txt > c.txt landed");
    row("into a known folder", "mv a.txt src", "move a.txt > src/a.txt landed");
    row("to the working folder", "mv src/b.py .", "move src/b.py > b.py landed");
    row("a folder", "mv src lib", "move src/b.py > lib/b.py landed");
    row("a folder into another", "mv src lib/", "move src/b.py > lib/src/b.py landed");
    row("a file that nothing is known of", "mv x.txt y.txt", "move x.txt > y.txt landed");
    row("a folder is removed", "rm -rf src", "delete src/b.py landed");
    row("a branch", "git checkout main", "");
    row("all is put back", "git checkout .", "rewrite a.txt untold | rewrite src/b.py untold");
    row("all is put aside", "git stash", "rewrite a.txt untold | rewrite src/b.py untold");
    row("a file is put back", "git checkout -- a.txt", "rewrite a.txt landed");
    row("a formatter's language", "black .", "rewrite src/b.py untold");
    row("another language", "cargo fmt", "");
    row("wildcards", "rm *.txt", "rewrite a.txt untold");
    row("wildcards stay in their folder", "rm *.py", "");
    row("only if something holds", "test -f x && rm a.txt || rm src/b.py",
        "delete a.txt landed | delete src/b.py untold");
}

void EditsShellTest::namesAreHeldAgainstWhatIsKnown()
{
    QFETCH(QString, script);
    QFETCH(QByteArray, expected);
    QCOMPARE(made(script.toStdString()), expected);
}

void EditsShellTest::aMoveTakesTheBodyAlong()
{
    ClaudeLog log = twoFilesAnd("mv a.txt c.txt");
    log.edit("/work/c.txt", "one", "uno");
    const Edits edits = editsOf(log);
    QCOMPARE(describeAll(edits.edits),
        "write a.txt landed | write src/b.py landed | move a.txt > c.txt landed | replace c.txt landed");
    QCOMPARE(edits.edits[2].added + edits.edits[2].removed, 0U);
    QVERIFY(edits.edits[2].isCountKnown);
    QCOMPARE(edits.edits[3].before.text.flat(), "one\n");
    QCOMPARE(edits.edits[3].after.text.flat(), "uno\n");
    // Over the session a.txt was never there: what was written and moved away is nothing.
    const auto patch = cumulatedPatch(edits);
    QVERIFY(patch.has_value());
    QCOMPARE(patch->files, (std::vector<std::string> { "src/b.py", "c.txt" }));
    QVERIFY(patch->leftOut.empty());
    QCOMPARE(patch->unchanged, std::vector<std::string> { "a.txt" });
    QVERIFY2(patch->text.starts_with("# not in the patch: a.txt: it ends as it began"), patch->text.c_str());
}

void EditsShellTest::aMoveOverAFileIsAChangeOfIt()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/old.txt", "old\n");
    log.write("/work/new.txt", "new\n");
    run(log, "mv new.txt old.txt");
    const Edits edits = editsOf(log);
    QCOMPARE(edits.edits[1].movedOver.text.flat(), "old\n");
    const auto patch = cumulatedPatch(edits);
    QVERIFY(patch.has_value());
    QVERIFY2(patch->text.contains("--- a/old.txt\n+++ b/old.txt\n"), patch->text.c_str());
    QVERIFY(patch->text.contains("-old\n+new\n"));
}

/// A deletion without the other half would lose the file.
void EditsShellTest::ofAMoveBothHalvesArePatchedOrNone()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", "one\n");
    log.read("/work/b.txt", "two\n");
    run(log, "mv a.txt c.txt; mv c.txt d.txt; prettier --write d.txt; mv b.txt e.txt");
    log.read("/work/gone.txt", "three\n");
    run(log, "false || mv gone.txt f.txt");
    const auto patch = cumulatedPatch(editsOf(log));
    QVERIFY(patch.has_value());
    QCOMPARE(patch->files, (std::vector<std::string> { "b.txt", "e.txt" }));
    QVERIFY2(!patch->text.contains("-one") && !patch->text.contains("-three"), patch->text.c_str());
    QVERIFY2(patch->text.contains("# left out: a.txt (1 change): it was moved"), patch->text.c_str());
}

void EditsShellTest::aFileThatIsRemovedIsGone()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", "one\n");
    run(log, "rm a.txt");
    const Edits edits = editsOf(log);
    QCOMPARE(describeAll(edits.edits), "delete a.txt landed");
    QVERIFY(edits.edits[0].after.isAbsent);
    QCOMPARE(edits.edits[0].removed, 1U);
    QVERIFY(cumulatedPatch(edits)->text.contains("deleted file"));
}

void EditsShellTest::theHomeFolderIsThatOfTheWorkingFolder()
{
    const auto removed = [](const std::string &folder) {
        ClaudeLog log(folder);
        log.typed("Go.");
        run(log, "rm ~/work/a.txt ~/b.txt");
        return describeAll(editsOf(log).edits);
    };
    QCOMPARE(removed("/home/ada/work"), "delete a.txt landed | delete /home/ada/b.txt landed");
    QCOMPARE(removed("/Users/ada"), "delete work/a.txt landed | delete b.txt landed");
    QCOMPARE(removed("/srv/work"), "delete ~/work/a.txt landed | delete ~/b.txt landed");
}

void EditsShellTest::whatAFormatterMadeIsSeenLater()
{
    ClaudeLog log = twoFilesAnd("black src/b.py");
    log.read("/work/src/b.py", "two\nthree\n");
    const Edits edits = editsOf(log);
    QCOMPARE(describeAll(edits.edits),
        "write a.txt landed | write src/b.py landed | rewrite src/b.py landed"); // and nothing outside the log
    const Edit &edit = edits.edits[2];
    QCOMPARE(edit.command, "black");
    QVERIFY(edit.isAfterSeen);
    QCOMPARE(edit.before.text.flat(), "two\n");
    QCOMPARE(edit.after.text.flat(), "two\nthree\n");
    QCOMPARE(edit.added, 1U);
    QCOMPARE(edit.removed, 0U);
    QVERIFY(edit.isCountKnown);
    QVERIFY(drawEdits(editsReport(edits.session)).contains("changed by black; the new text is from a later read"));
}

void EditsShellTest::whatAFormatterMadeOfAnUnseenFileIsNotCounted()
{
    const Edits edits = editsOf(twoFilesAnd("black src/b.py"));
    const Edit &edit = edits.edits[2];
    QVERIFY(!edit.isAfterSeen && !edit.after.isKnown() && !edit.isCountKnown);
    QCOMPARE(edit.added + edit.removed, 0U); // not "at least one line removed"
    QVERIFY(drawEdits(editsReport(edits.session)).contains("changed by black, the log does not show how"));
    const auto patch = cumulatedPatch(edits);
    QCOMPARE(patch->files, std::vector<std::string> { "a.txt" });
    QCOMPARE(patch->leftOut.size(), 1U);
    QVERIFY(patch->leftOut[0].reason == UnpatchedFile::Reason::NotKnown);
    QVERIFY2(patch->text.starts_with("# left out: src/b.py (2 changes): the log does not show the result of a change"),
        patch->text.c_str());
}

/// What is seen of the file is not all that the formatter left: it changed in between.
void EditsShellTest::aViewOfOtherTextEndsTheWait()
{
    ClaudeLog log = twoFilesAnd("black src/b.py");
    log.call("Read", { { "file_path", "/work/src/b.py" }, { "offset", 1 }, { "limit", 1 } });
    log.result(ClaudeLog::numbered("two", 1));
    log.read("/work/src/b.py", "zero\ntwo\n");
    const Edits edits = editsOf(log);
    QVERIFY(describeAll(edits.edits).endsWith("rewrite src/b.py landed | outside src/b.py landed"));
    QVERIFY(!edits.edits[2].isAfterSeen);
}

void EditsShellTest::wildcardsLeaveFilesUncertain()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/read.txt", "read\n");
    log.write("/work/a.txt", "one\n");
    run(log, "rm *.txt");
    log.read("/work/a.txt", "one\n");
    log.edit("/work/read.txt", "ea", "oa");
    const Edits edits = editsOf(log);
    // Only read so far: nobody's edit. It is not known any more.
    QCOMPARE(describeAll(edits.edits), "write a.txt landed | rewrite a.txt untold | replace read.txt landed");
    QVERIFY(!edits.edits[2].before.isKnown());
    // It was still there, and as it was.
    QVERIFY(edits.edits[1].isAfterSeen);
    QCOMPARE(edits.edits[1].added + edits.edits[1].removed, 0U);
    // Where the command failed nothing is claimed either.
    QCOMPARE(made("rm *.txt", true), "rewrite a.txt untold");
}

void EditsShellTest::whatSedMakesOfPlainTextsIsKnown_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("the first of a line") << u"s/a/b/"_s << QByteArray("ba\nb\nc\n");
    QTest::newRow("all of a line") << u"s|a|b|g"_s << QByteArray("bb\nb\nc\n");
    QTest::newRow("nothing found") << u"s/x/y/"_s << QByteArray("aa\na\nc\n");
    for (const char *pattern : { "s/a./b/", "s/a/&&/", "s/a/b/2", "/c/d", "s/a/\\n/" })
        QTest::newRow(pattern) << QString::fromUtf8(pattern) << QByteArray("\0", 1);
}

void EditsShellTest::whatSedMakesOfPlainTextsIsKnown()
{
    QFETCH(QString, script);
    QFETCH(QByteArray, expected);
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", "aa\na\nc\n");
    run(log, "sed -i '" + script.toStdString() + "' a.txt");
    const Edits edits = editsOf(log);
    QCOMPARE(edits.edits.size(), 1U);
    QCOMPARE(QByteArray::fromStdString(edits.edits[0].after.text.flat()), expected);
    QCOMPARE(drawEdits(editsReport(edits.session)).contains("the log does not show how"), expected.contains('\0'));
}

void EditsShellTest::whatWasThereBeforeAFileWasWrittenIsTheReason()
{
    ClaudeLog log;
    log.typed("Go.");
    run(log, "echo one > a.txt");
    const auto patch = cumulatedPatch(editsOf(log));
    QVERIFY(patch && patch->leftOut.size() == 1);
    QVERIFY(patch->leftOut[0].reason == UnpatchedFile::Reason::NoBefore);
}

void EditsShellTest::whatGitBringsBackIsAsItWas_data()
{
    QTest::addColumn<QStringList>("scripts");
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<bool>("isKnown");
    const QByteArray both = "rewrite a.txt untold | rewrite src/b.py untold";
    QTest::newRow("in one script") << QStringList { u"git stash && make; git stash pop"_s } << QByteArray() << true;
    QTest::newRow("one after the other") << QStringList { u"git stash"_s, u"make"_s, u"git stash pop"_s }
                                         << both + " | " + both << true;
    QTest::newRow("onto another commit") << QStringList { u"git stash; git pull; git stash pop"_s }
                                         << both + " | " + both << false;
    QTest::newRow("with a commit in between")
        << QStringList { u"git stash"_s, u"git switch x"_s, u"git stash pop"_s } << both + " | " + both << false;
    QTest::newRow("with a change in between")
        << QStringList { u"git stash"_s, u"black a.txt src/b.py seen.txt"_s, u"git stash pop"_s }
        << both + " | rewrite a.txt landed | rewrite src/b.py landed | rewrite seen.txt landed"
            + " | rewrite a.txt untold | rewrite seen.txt untold | rewrite src/b.py untold"
        << false;
    QTest::newRow("if something holds") << QStringList { u"git stash; make || git stash pop"_s } << both + " | " + both
                                        << false;
}

void EditsShellTest::whatGitBringsBackIsAsItWas()
{
    QFETCH(QStringList, scripts);
    QFETCH(QByteArray, rows);
    QFETCH(bool, isKnown);
    ClaudeLog log;
    log.typed("Go.");
    log.write("/work/a.txt", "one\n");
    log.write("/work/src/b.py", "two\n");
    log.read("/work/seen.txt", "three\n");
    for (const QString &script : scripts)
        run(log, script.toStdString());
    log.edit("/work/a.txt", "one", "1");
    log.edit("/work/seen.txt", "three", "3");
    const Edits edits = editsOf(log);
    QCOMPARE(describeAll(std::span(edits.edits).subspan(2, edits.edits.size() - 4)), rows);
    QCOMPARE(edits.edits.back().before.isKnown(), isKnown);
    QCOMPARE((edits.edits.end() - 2)->after.isKnown(), isKnown);
    const auto patch = cumulatedPatch(edits);
    QVERIFY(patch);
    QCOMPARE(patch->leftOut.empty(), isKnown);
}

PALIMPSEST_TEST(EditsShellTest)
#include "tst_edits_shell.moc"
