// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/diff/line_diff.h"
#include "core/edits/apply_patch.h"
#include "core/edits/apply_view.h"
#include "core/edits/edit_basis.h"
#include "core/edits/edits.h"
#include "core/edits/hunk_fit.h"
#include "core/edits/recorded_change.h"
#include "core/edits/shell_changes.h"
#include "core/report/edits_report.h"
#include "tests/claude_log.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <format>

using namespace core;
using testing::ClaudeLog;
using namespace Qt::StringLiterals;

namespace {

using Json = nlohmann::ordered_json;

std::string_view nameOf(ChangeKind kind)
{
    constexpr std::array<std::string_view, 9> kNames { "replace", "insert", "write", "append", "patch", "delete",
        "rewrite", "move", "copy" };
    return kNames[static_cast<size_t>(kind)];
}

/// `write a.txt "text"` one behind the other.
std::string describe(const FileChange &change)
{
    std::string text = std::string(nameOf(change.kind)) + " " + change.path;
    if (!change.movedTo.empty())
        text += " to " + change.movedTo;
    if (!change.text.empty())
        text += " \"" + change.text + "\"";
    for (const PatchHunk &hunk : change.hunks) {
        text += " [" + hunk.anchor;
        for (const std::string &line : hunk.before)
            text += "-" + line + ";";
        for (const std::string &line : hunk.after)
            text += "+" + line + ";";
        text += hunk.isAtEnd ? "$]" : "]";
    }
    return text;
}

template <typename Changes>
QString describeAll(const Changes &changes)
{
    std::string text;
    for (const auto &change : changes)
        text += (text.empty() ? "" : " | ") + describe(change);
    return QString::fromStdString(text);
}

/// An edit in words: `Edit a.txt landed +1 -1 known`.
std::string describe(const Session &session, const Edit &edit)
{
    constexpr std::array<std::string_view, 4> kOutcomes { "landed", "failed", "interrupted", "untold" };
    std::string text = edit.origin == EditOrigin::Outside ? std::string("outside")
                                                          : std::string(session.string(session.block(edit.use).name));
    text += " " + edit.path + " " + std::string(kOutcomes[static_cast<size_t>(edit.outcome)]);
    text += " +" + std::to_string(edit.added) + " -" + std::to_string(edit.removed) + (edit.isCountKnown ? "" : "?");
    return text;
}

QByteArray describe(const Edits &edits)
{
    std::string text;
    for (const Edit &edit : edits.edits)
        text += (text.empty() ? "" : " | ") + describe(*edits.session, edit);
    return QByteArray::fromStdString(text);
}

Edits editsOf(const ClaudeLog &log)
{
    const SessionPtr session = log.load();
    return session ? *findEdits(session) : Edits();
}

QByteArray shown(const KnownText &text) { return QByteArray::fromStdString(text.readable()); }

const std::string kTen = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

} // namespace

/// Edits found in tool calls, and the bodies of files that are rebuilt from them.
class EditsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void patchesAreReadByTheirGrammar_data();
    void patchesAreReadByTheirGrammar();
    void shellCommandsTellWhatTheyWrite_data();
    void shellCommandsTellWhatTheyWrite();
    void shellCommandsTellWhatTheyShow_data();
    void shellCommandsTellWhatTheyShow();
    void toolsTellWhatTheyChange_data();
    void toolsTellWhatTheyChange();
    void knownTextsAreCutAtLines();
    void bodiesNeverContradictTheFile();
    void hunksAreFoundAsCodexDoes_data();
    void hunksAreFoundAsCodexDoes();
    void bodiesAreRebuiltFromReadsAndEdits();
    void whatNoReadHasShownIsAGap();
    void whatDidNotLandIsNotApplied();
    void aChangeOutsideTheLogIsARow();
    void theRecordedOriginalIsHeldAgainstTheBody();
    void aNotebookIsTakenFromItsRecord();
    void aNewCellsLinesAreNotLinesOfTheFile();
    void aRecordTellsAllOfAChangeOutsideTheLog();
    void editsThatFailedRestOnSomethingToo();
    void anEmptyNewTextTakesTheLineEndAlong();
    void recordsOfOtherHarnessesAreRead();
    void codexRecordsPatchesAsEvents();
    void codexSettlesTheEndOfAFile_data();
    void codexSettlesTheEndOfAFile();
    void whatIsNoViewOfAFileChangesNothing_data();
    void whatIsNoViewOfAFileChangesNothing();
    void everyRowOutsideTheLogTellsOfLines_data();
    void everyRowOutsideTheLogTellsOfLines();
    void anOldTextThatWasNotThereHadCome();
    void piRecordsNumberedLines();
    void earlyPiReadsDollarsAsJavaScriptDoes();
    void recordedLinesTellThatAFileHadChanged();
    void theBasisIsTheNewestCarrierInContext();
    void theBasisIsOfTheSameFile();
    void anEditIsNoEvidenceForItself();
    void theBasisUnderAPolicyIsWhatItWouldHaveKept();
    void laterPatchesQuoteEarlierOnes();
    void aPatchProvesTheLinesOfItsHunks();
    void linesAreCountedAsTheyAreCompared();
    void whatIsCountedOfAPartIsABound_data();
    void whatIsCountedOfAPartIsABound();
};

void EditsTest::patchesAreReadByTheirGrammar_data()
{
    QTest::addColumn<QString>("patch");
    QTest::addColumn<QString>("expected");
    QTest::newRow("a new file") << "*** Begin Patch\n*** Add File: a.txt\n+one\n+\n+two\n*** End Patch\n"
                                << "write a.txt \"one\n\ntwo\n\"";
    QTest::newRow("a file goes") << "*** Begin Patch\n*** Delete File: a b.txt\n*** End Patch" << "delete a b.txt";
    QTest::newRow("hunks below anchors")
        << "*** Begin Patch\n*** Update File: a\n@@ def f():\n x\n-y\n+z\n@@\n-q\n*** End of File\n*** End Patch\n"
        << "patch a [def f():-x;-y;+x;+z;] [-q;$]";
    QTest::newRow("the first hunk may do without its sign")
        << "*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch" << "patch a [-x;+y;]";
    QTest::newRow("a file moves") << "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch"
                                  << "patch a to b [-x;+y;]";
    QTest::newRow("several files")
        << "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n@@\n-x\n+y\n*** End Patch\ntrailing"
        << "write a \"x\n\" | patch b [-x;+y;]";
    QTest::newRow("cut off") << "*** Begin Patch\n*** Update File: b\n@@\n-x\n+y" << "patch b [-x;+y;]";
    QTest::newRow("carriage returns") << "*** Begin Patch\r\n*** Update File: b\r\n@@\r\n-x\r\n+y\r\n*** End Patch\r\n"
                                      << "patch b [-x;+y;]";
    QTest::newRow("no patch") << "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n" << "";
}

void EditsTest::patchesAreReadByTheirGrammar()
{
    QFETCH(QString, patch);
    QFETCH(QString, expected);
    QCOMPARE(describeAll(parsePatch(patch.toStdString())), expected);
}

void EditsTest::shellCommandsTellWhatTheyWrite_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    QTest::newRow("here-document") << "cat > a.txt << 'EOF'\none $x\nEOF\necho done" << "write a.txt \"one $x\n\"";
    QTest::newRow("printf") << "printf '%s: %s\\n' a 1 b 2 > a.txt; printf 'x\\ty%%\\n' >> b.txt"
                            << "write a.txt \"a: 1\nb: 2\n\" | append b.txt \"x\ty%\n\"";
    QTest::newRow("printf of numbers and variables") << "printf '%03d' 7 > a.txt; printf \"$X\" > b.txt"
                                                     << "rewrite a.txt | rewrite b.txt";
    QTest::newRow("expanded here-document") << "cat > a.txt <<EOF\none $x\nEOF" << "rewrite a.txt";
    QTest::newRow("stripped here-document") << "cat >>a.txt <<-EOF\n\tone\n\tEOF" << "append a.txt \"one\n\"";
    QTest::newRow("echo") << "echo \"one two\" three > 'a b.txt'" << "write a b.txt \"one two three\n\"";
    QTest::newRow("echo without end") << "echo -n x >> a" << "append a \"x\"";
    QTest::newRow("a program's output") << "git show HEAD:x > /tmp/y 2>/dev/null" << "rewrite /tmp/y";
    QTest::newRow("only errors go elsewhere") << "go test ./... 2> log.txt; make 2>&1 | tail" << "";
    QTest::newRow("a sign in quotes") << "grep -n \"<style>\" a; jq '.[] | select(.x > 3)' b" << "";
    QTest::newRow("folders") << "cd sub && echo x > a && cd .. && touch b" << "write sub/a \"x\n\"";
    QTest::newRow("in place") << "sed -i 's/a/b/' one.c two.c && sed -n 1,2p three.c"
                              << "rewrite one.c | rewrite two.c";
    QTest::newRow("in place, BSD") << "sed -i '' -e 's|a|b|g' one.c" << "rewrite one.c";
    QTest::newRow("perl in place") << "perl -pi -e 's/a/b/' one.c" << "rewrite one.c";
    QTest::newRow("variables tell nothing") << "sed -i 's/a/b/' $F; rm -f $O; echo x > $OUT" << "";
    QTest::newRow("wildcards tell what they match")
        << "sed -i 's/a/b/' *.c; rm -f *.o; echo x > *" << "rewrite *.c | delete *.o";
    QTest::newRow("removed") << "rm -f a.txt b.txt && rm -rf folder" << "delete a.txt | delete b.txt | delete folder";
    QTest::newRow("tee") << "echo x | tee -a log.txt > /dev/null" << "rewrite log.txt";
    QTest::newRow("patch")
        << "cd sub && apply_patch <<'PATCH'\n*** Begin Patch\n*** Add File: a\n+$x\n*** End Patch\nPATCH"
        << "write sub/a \"$x\n\"";
    QTest::newRow("a message in a substitution") << "git commit -m \"$(cat <<'EOF'\nfix: a > b\nEOF\n)\"" << "";
    QTest::newRow("a comment") << "# echo x > a\nls # > b" << "";
}

void EditsTest::shellCommandsTellWhatTheyWrite()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    std::vector<FileChange> changes;
    for (ShellChange &each : shellChanges(script.toStdString()))
        changes.push_back(std::move(each.change));
    QCOMPARE(describeAll(changes), expected);
}

void EditsTest::shellCommandsTellWhatTheyShow_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    QTest::newRow("cat") << "cat a.txt" << "a.txt 0 all";
    QTest::newRow("in a folder") << "cd /x && cat a.txt" << "/x/a.txt 0 all";
    QTest::newRow("sed") << "sed -n '10,20p' a.txt" << "a.txt 9 11";
    QTest::newRow("sed to the end") << "sed -n '10,$p' a.txt" << "a.txt 9 all";
    QTest::newRow("numbered") << "nl -ba a.txt | sed -n '10,20p'" << "a.txt 9 11";
    QTest::newRow("head") << "head -n 5 a.txt" << "a.txt 0 5";
    QTest::newRow("two files") << "cat a.txt b.txt" << "";
    QTest::newRow("two commands") << "cat a.txt && cat b.txt" << "";
    QTest::newRow("searched") << "cat a.txt | grep x" << "";
    QTest::newRow("written") << "cat a.txt > b.txt" << "";
}

void EditsTest::shellCommandsTellWhatTheyShow()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    const auto view = shellView(script.toStdString());
    std::string text;
    if (view)
        text = view->path + " " + std::to_string(view->firstLine) + " "
            + (view->lineCount ? std::to_string(*view->lineCount) : "all");
    QCOMPARE(QString::fromStdString(text), expected);
}

void EditsTest::toolsTellWhatTheyChange_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *tool, const Json &arguments, const char *expected) {
        QTest::newRow(name) << tool << QString::fromStdString(arguments.dump()) << expected;
    };
    row("Claude Code's Edit", "Edit", { { "file_path", "a" }, { "old_string", "x" }, { "new_string", "y" } },
        "replace a");
    row("an empty old text makes the file", "MultiEdit",
        { { "file_path", "a" }, { "edits", Json::array({ { { "old_string", "" }, { "new_string", "y" } } }) } },
        "write a \"y\"");
    row("pi's edit", "edit", { { "path", "a" }, { "oldText", "x" }, { "newText", "y" } }, "replace a");
    row("Deep Agents' write_file", "write_file", { { "file_path", "a" }, { "content", "y" } }, "write a \"y\"");
    row("the text editor replaces", "str_replace_based_edit_tool",
        { { "command", "str_replace" }, { "path", "a" }, { "old_str", "x" }, { "new_str", "y" } }, "replace a");
    row("the text editor creates", "str_replace_editor",
        { { "command", "create" }, { "path", "a" }, { "file_text", "y" } }, "write a \"y\"");
    row("the text editor inserts", "str_replace_based_edit_tool",
        { { "command", "insert" }, { "path", "a" }, { "insert_line", 3 }, { "insert_text", "y" } }, "insert a \"y\"");
    row("the text editor shows", "str_replace_editor", { { "command", "view" }, { "path", "a" } }, "");
    row("a notebook's new cell", "NotebookEdit",
        { { "notebook_path", "a.ipynb" }, { "new_source", "y" }, { "edit_mode", "insert" } }, "rewrite a.ipynb \"y\"");
    row("a patch as an argument", "apply_patch", { { "input", "*** Begin Patch\n*** Add File: a\n+y\n*** End Patch" } },
        "write a \"y\n\"");
    row("the hosted patch tool", "apply_patch",
        { { "type", "update_file" }, { "path", "a" }, { "diff", "@@\n-x\n+y" } }, "patch a [-x;+y;]");
    row("Codex's shell", "shell",
        { { "command", Json::array({ "apply_patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch" }) } },
        "delete a");
    row("Codex's login shell", "shell",
        { { "command", Json::array({ "bash", "-lc", "echo x > a" }) }, { "workdir", "/w" } }, "write /w/a \"x\n\"");
    row("todos are no file", "TodoWrite", { { "todos", Json::array() } }, "");
    row("an issue is no file", "create_issue", { { "title", "x" }, { "content", "y" } }, "");
}

void EditsTest::toolsTellWhatTheyChange()
{
    QFETCH(QString, tool);
    QFETCH(QString, arguments);
    QFETCH(QString, expected);
    SessionBuilder builder;
    const ThreadIndex thread = builder.addThread(ThreadKind::Main);
    const Body body = builder.ownedBody(arguments.toStdString(), "test");
    MessageDraft draft;
    draft.role = Role::Assistant;
    draft.blocks = { builder.makeBlock(BlockKind::ToolCall, body, builder.intern(tool.toStdString())) };
    builder.addMessage(thread, draft);
    const SessionPtr session = builder.finish();
    std::vector<FileChange> changes;
    for (AskedChange &each : changesOf(*session, session->blocks.front()))
        changes.push_back(std::move(each.change));
    QCOMPARE(describeAll(changes), expected);
}

void EditsTest::knownTextsAreCutAtLines()
{
    KnownText text = KnownText::gap(2);
    text.append(KnownText::of("three\nfour\n", BlockId(7)));
    text.append(KnownText::gap());
    QVERIFY(text.fits(kTen));
    QVERIFY(!text.fits("one\nthree\nfour\nfive\n"));
    QVERIFY(!text.fits("one\ntwo\nthree\nfive\n"));
    KnownText halved = text;
    QCOMPARE(halved.cutAtLine(1), std::optional<size_t>(1));
    QCOMPARE(halved.parts().front().lines, std::optional<uint64_t>(1));
    KnownText cut = text;
    QCOMPARE(cut.cutAtLine(3).has_value(), true);
    const auto eighth = cut.cutAtLine(7); // three lines into the gap behind
    QVERIFY(eighth.has_value());
    cut.replace(*eighth, std::string::npos, KnownText::of("eight\nnine\nten\n", BlockId(8)));
    QVERIFY(cut.fits(kTen));
    QCOMPARE(shown(cut), "[… 2 lines not known]\nthree\nfour\n[… 3 lines not known]\neight\nnine\nten\n");
    QCOMPARE(text.origins(0, 20), std::vector<BlockId> { BlockId(7) });
    KnownText unplaced = KnownText::gap();
    unplaced.append(KnownText::of("x\n", BlockId(1)));
    QVERIFY(!unplaced.cutAtLine(3).has_value());
}

/// Whatever is seen and changed in whatever order: what is known is what the file holds.
void EditsTest::bodiesNeverContradictTheFile()
{
    std::mt19937_64 random = seededRandom();
    const auto below = [&](size_t count) { return static_cast<size_t>(random() % count); };
    size_t whole = 0;
    for (int round = 0; round < caseCount(200); ++round) {
        std::vector<std::string> lines;
        for (size_t i = 0; i < 5 + below(40); ++i)
            lines.push_back(std::format("line {} {}", i, random() % 1'000'000)); // none stands twice
        const auto textOf = [&](size_t first, size_t end) {
            std::string text;
            for (size_t i = first; i < end; ++i)
                text += lines[i] + "\n";
            return text;
        };
        FileBody file;
        for (uint32_t step = 0; step < 12; ++step) {
            const size_t first = below(lines.size());
            const size_t end = first + 1 + below(std::min<size_t>(8, lines.size() - first));
            if (below(2) == 0) {
                const FileView view { "f", first, textOf(first, end), end == lines.size() };
                const Viewed viewed = applyView(file, view, BlockId(step));
                QVERIFY(!viewed.contradicts);
                file = viewed.after;
            } else {
                FileChange change;
                const std::string fresh = std::format("new {} {}", step, random() % 1'000'000);
                if (below(2) == 0) {
                    change.kind = ChangeKind::Replace;
                    change.replacements = { { textOf(first, end), fresh + "\n" } };
                } else {
                    change.kind = ChangeKind::Patch;
                    change.hunks = { { {},
                        { lines.begin() + static_cast<std::ptrdiff_t>(first),
                            lines.begin() + static_cast<std::ptrdiff_t>(end) },
                        { fresh } } };
                }
                const std::string before = textOf(0, lines.size());
                lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(first),
                    lines.begin() + static_cast<std::ptrdiff_t>(end));
                lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(first), fresh);
                const Applied applied = applyChange(file, change, BlockId(step));
                QVERIFY(!applied.contradicts);
                QVERIFY(applied.before.text.fits(before));
                file = applied.after;
            }
            QVERIFY2(file.text.fits(textOf(0, lines.size())), file.text.readable().c_str());
        }
        whole += file.isKnown() ? 1 : 0;
    }
    QVERIFY(whole > 5); // of some files everything has been seen
}

void EditsTest::hunksAreFoundAsCodexDoes_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("patch");
    QTest::addColumn<QString>("expected");
    QTest::newRow("in the middle") << "a\nb\nc\n" << "@@\n a\n-b\n+B" << "a\nB\nc\n";
    QTest::newRow("below the anchor") << "f\nx\ng\nx\n" << "@@ g\n-x\n+y" << "f\nx\ng\ny\n";
    QTest::newRow("below the hunk before") << "x\nx\nx\n" << "@@\n-x\n+1\n@@\n-x\n+2" << "1\n2\nx\n";
    QTest::newRow("blanks at the ends of lines do not count") << "a  \nb\n" << "@@\n a\n-b\n+c" << "a\nc\n";
    QTest::newRow("nor at their beginning") << "    a\nb\n" << "@@\n-a\n+c" << "c\nb\n";
    QTest::newRow("nothing to find it by") << "a\n" << "@@\n+b" << "a\nb\n";
}

void EditsTest::hunksAreFoundAsCodexDoes()
{
    QFETCH(QString, file);
    QFETCH(QString, patch);
    QFETCH(QString, expected);
    FileChange change;
    change.kind = ChangeKind::Patch;
    change.hunks = parseHunks(patch.toStdString());
    const Applied applied = applyChange({ KnownText::of(file.toStdString(), BlockId(1)), false }, change, BlockId(2));
    QVERIFY(!applied.contradicts);
    QCOMPARE(QString::fromUtf8(shown(applied.after.text)), expected);
}

void EditsTest::bodiesAreRebuiltFromReadsAndEdits()
{
    ClaudeLog log;
    log.typed("Go.");
    log.write("/work/a.txt", "one\ntwo\n");
    log.edit("/work/a.txt", "two", "2");
    log.call("Bash", { { "command", "cat >> a.txt <<'EOF'\nthree\nEOF" } });
    log.result("");
    log.read("/work/b.txt", kTen);
    log.call("MultiEdit",
        { { "file_path", "/work/b.txt" },
            { "edits",
                Json::array({ { { "old_string", "one" }, { "new_string", "1" } },
                    { { "old_string", "1\ntwo" }, { "new_string", "2" } } }) } });
    log.result("Applied 2 edits to /work/b.txt");
    const Edits edits = editsOf(log);
    QCOMPARE(describe(edits),
        "Write a.txt landed +2 -0 | Edit a.txt landed +1 -1 | Bash a.txt landed +1 -0 | MultiEdit b.txt landed +1 -2");
    QVERIFY(edits.edits[0].before.isAbsent);
    QCOMPARE(shown(edits.edits[2].after.text), "one\n2\nthree\n");
    QCOMPARE(shown(edits.edits[3].before.text), QByteArray::fromStdString(kTen));
    QVERIFY(shown(edits.edits[3].after.text).startsWith("2\nthree\n"));
    QCOMPARE(edits.edits[3].call, CallIndex(4));
    QCOMPARE(edits.previous(1), &edits.edits[0]);
    QCOMPARE(edits.next(1), &edits.edits[2]);
    QCOMPARE(edits.next(2), nullptr);
}

void EditsTest::whatNoReadHasShownIsAGap()
{
    ClaudeLog log;
    log.typed("Go.");
    log.call("Read", { { "file_path", "/work/a.txt" }, { "offset", 3 }, { "limit", 2 } });
    log.result(ClaudeLog::numbered("three\nfour", 3));
    log.edit("/work/a.txt", "four", "4\nfour and a half");
    log.edit("/work/a.txt", "nine", "9");
    const Edits edits = editsOf(log);
    QCOMPARE(describe(edits), "Edit a.txt landed +2 -1? | Edit a.txt landed +1 -1?");
    QCOMPARE(shown(edits.edits[0].before.text), "[… 2 lines not known]\nthree\nfour\n[… lines not known]\n");
    QCOMPARE(
        shown(edits.edits[0].after.text), "[… 2 lines not known]\nthree\n4\nfour and a half\n[… lines not known]\n");
    QVERIFY(!edits.edits[0].after.isKnown());
    // Two gaps may hold it: only what it proves is known then.
    QCOMPARE(shown(edits.edits[1].after.text), "[… lines not known]\n9\n[… lines not known]\n");
}

void EditsTest::whatDidNotLandIsNotApplied()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", kTen);
    const Json arguments { { "file_path", "/work/a.txt" }, { "old_string", "two" }, { "new_string", "2" } };
    log.call("Edit", arguments);
    log.result("<tool_use_error>String to replace not found in file.</tool_use_error>", true);
    log.call("Edit", arguments);
    log.result("The user doesn't want to proceed with this tool use. The tool use was rejected.", true);
    log.call("Bash", { { "command", "make && echo x > a.txt" } });
    log.result("Exit code 2\nmake: no rule", true);
    log.read("/work/a.txt", kTen);
    log.call("Edit", arguments);
    const Edits edits = editsOf(log);
    QCOMPARE(describe(edits),
        "Edit a.txt failed +0 -0 | Edit a.txt interrupted +0 -0 | Bash a.txt untold +0 -0 | Edit a.txt interrupted +0 "
        "-0");
    QCOMPARE(shown(edits.edits[1].after.text), QByteArray::fromStdString(kTen));
    QVERIFY(edits.edits[2].isAfterSeen); // it may have been written or not: the read tells
    QVERIFY(edits.edits[3].before.isKnown());
}

void EditsTest::aChangeOutsideTheLogIsARow()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", kTen);
    log.edit("/work/a.txt", "two", "2");
    log.read("/work/a.txt", "zero\none\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
    log.read("/work/a.txt", "zero\none\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
    log.call("Read", { { "file_path", "/work/a.txt" }, { "offset", 3 }, { "limit", 2 } });
    log.result(ClaudeLog::numbered("2\n3", 3));
    const Edits edits = editsOf(log);
    QCOMPARE(describe(edits), "Edit a.txt landed +1 -1 | outside a.txt landed +1 -1 | outside a.txt landed +1 -0?");
    const Session &session = *edits.session;
    QCOMPARE(session.block(edits.edits[1].use).kind, BlockKind::ToolCall); // since the edit
    QCOMPARE(session.block(edits.edits[1].result).message, MessageId(6));
    EditsReport report = editsReport(edits.session);
    QVERIFY(drawEdits(report).contains("a.txt: changed outside the log between #3 and #6: +1 -1"));
}

void EditsTest::theRecordedOriginalIsHeldAgainstTheBody()
{
    const auto beside = [](const std::string &original, const std::string &line) {
        return Json { { "filePath", "/work/a.txt" }, { "oldString", "two" }, { "newString", "2" },
            { "originalFile", original },
            { "structuredPatch",
                Json::array({ { { "oldStart", 1 }, { "newStart", 1 },
                    { "lines", Json::array({ " one", "-two", line }) } } }) } };
    };
    const auto made = [&](const Json &record) {
        ClaudeLog log;
        log.typed("Go.");
        log.read("/work/a.txt", kTen);
        log.call("Edit", { { "file_path", "/work/a.txt" }, { "old_string", "two" }, { "new_string", "2" } });
        log.result("The file /work/a.txt has been updated.", false, record);
        return editsOf(log);
    };
    const Edits equal = made(beside(kTen, "+2"));
    QCOMPARE(describe(equal), "Edit a.txt landed +1 -1");
    QCOMPARE(equal.edits[0].agreement, Agreement::Agrees);
    QVERIFY(!equal.edits[0].isFromRecord);
    const Edits other = made(beside(kTen, "+zwei")); // another line than the edit wrote
    QCOMPARE(other.edits[0].agreement, Agreement::Differs);
    const Edits changed = made(beside(kTen + "eleven\n", "+2"));
    QCOMPARE(describe(changed), "outside a.txt landed +1 -0 | Edit a.txt landed +1 -1");
    QCOMPARE(changed.edits[1].agreement, Agreement::Differs);
    QVERIFY(shown(changed.edits[1].after.text).endsWith("eleven\n"));
}

void EditsTest::aNotebookIsTakenFromItsRecord()
{
    const std::string before = "{\"cells\": [{\"id\": \"a\", \"source\": [\"x\"]}]}\n";
    const std::string after = "{\"cells\": [{\"id\": \"a\", \"source\": [\"y\"]}]}\n";
    const Json arguments { { "notebook_path", "/work/a.ipynb" }, { "cell_id", "a" }, { "new_source", "y" } };
    ClaudeLog log;
    log.typed("Go.");
    log.call("NotebookEdit", arguments);
    log.result("Updated cell a with y", false, { { "original_file", before }, { "updated_file", after } });
    log.call("NotebookEdit", arguments);
    log.result("Updated cell a with y");
    const Edits edits = editsOf(log);
    QCOMPARE(describe(edits), "NotebookEdit a.ipynb landed +1 -1 | NotebookEdit a.ipynb landed +0 -0?");
    QCOMPARE(edits.edits[0].before.text.flat(), before);
    QCOMPARE(edits.edits[0].after.text.flat(), after);
    QVERIFY(edits.edits[0].isFromRecord);
    QCOMPARE(edits.edits[1].before.text.flat(), after);
    QVERIFY(!edits.edits[1].after.isKnown()); // how the cell stands in the file is not told
}

/// The file may hold it in one line.
void EditsTest::aNewCellsLinesAreNotLinesOfTheFile()
{
    ClaudeLog log;
    log.typed("Go.");
    log.call("NotebookEdit",
        { { "notebook_path", "/work/a.ipynb" }, { "new_source", "x = 1\ny = 2" }, { "edit_mode", "insert" } });
    log.result("Inserted cell a");
    QCOMPARE(describe(editsOf(log)), "NotebookEdit a.ipynb landed +0 -0?");
    QVERIFY(drawEdits(editsReport(log.load())).contains("how many lines is not known"));
}

/// A part of it is seen first; then the record beside an edit holds all.
void EditsTest::aRecordTellsAllOfAChangeOutsideTheLog()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", kTen);
    log.call("Read", { { "file_path", "/work/a.txt" }, { "offset", 1 }, { "limit", 2 } });
    log.result(ClaudeLog::numbered("zero\none", 1));
    const std::string now = "zero\none\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine\n10\n";
    log.call("Edit", { { "file_path", "/work/a.txt" }, { "old_string", "three" }, { "new_string", "3" } });
    log.result("Done.", false, { { "filePath", "/work/a.txt" }, { "originalFile", now } });
    const Edits edits = editsOf(log);
    QCOMPARE(describe(edits), "outside a.txt landed +3 -2 | Edit a.txt landed +1 -1");
    QCOMPARE(edits.edits[0].after.text.flat(), now);
}

/// What a call that failed was to replace is looked for as well; and such a call shows nothing of a file.
void EditsTest::editsThatFailedRestOnSomethingToo()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", "def something():\n    return 1 + 2\n");
    const Json refused { { "file_path", "/work/a.txt" }, { "old_string", "    return 1 + 2" }, { "new_string", "x" } };
    log.call("Edit", refused);
    log.result("The user doesn't want to proceed with this tool use.", true);
    log.call("Edit", refused);
    log.result("Done.");
    log.call(
        "Edit", { { "file_path", "/work/a.txt" }, { "old_string", "nowhere to be found" }, { "new_string", "x" } });
    log.result("<tool_use_error>String to replace not found in file.</tool_use_error>", true);
    const EditsReport report = editsReport(log.load());
    QCOMPARE(report.bases.size(), 3U);
    std::string told;
    for (const EditBasis &basis : report.bases)
        told += basisText(*report.edits.session, basis) + " | ";
    QCOMPARE(told,
        "read #2, 1 call before, in context | read #2, 2 calls before, in context | not in the logged context | ");
}

void EditsTest::anEmptyNewTextTakesTheLineEndAlong()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", kTen);
    log.edit("/work/a.txt", "two", "");
    QCOMPARE(shown(editsOf(log).edits[0].after.text).left(10), "one\nthree\n");
}

void EditsTest::recordsOfOtherHarnessesAreRead()
{
    const auto hunks = parseUnifiedDiff("--- a\n+++ b\n@@ -2,2 +2,2 @@\n two\n-three\n+3\n");
    QCOMPARE(hunks.size(), 1U);
    const KnownText before = KnownText::of(kTen, BlockId(1));
    const KnownText after = KnownText::of("one\ntwo\n3\nfour\n", BlockId(1));
    QCOMPARE(hunksFit(hunks, before, after), std::optional(true));
    QCOMPARE(hunksFit(hunks, before, before), std::optional(false));
    QCOMPARE(hunksFit(hunks, KnownText::gap(), KnownText::gap()), std::nullopt);

    const Json call { { "name", "edit_file" }, { "id", "c1" }, { "type", "tool_call" },
        { "args", { { "file_path", "/a" }, { "old_string", "x" }, { "new_string", "y" } } } };
    const Json messages = Json::array({ { { "type", "human" }, { "content", "Go." }, { "id", "1" } },
        { { "type", "ai" }, { "content", "" }, { "id", "2" }, { "tool_calls", Json::array({ call }) } },
        { { "type", "tool" }, { "content", "Updated." }, { "id", "3" }, { "tool_call_id", "c1" },
            { "status", "success" },
            { "artifact",
                { { "diff",
                    { { "filePath", "/a" }, { "originalContent", "1\nx\n" }, { "newContent", "1\ny\n" },
                        { "isNewFile", false } } } } } } });
    const auto session = testing::load(Json { { "messages", messages } }.dump());
    QVERIFY(session);
    const Edits edits = *findEdits(*session);
    QCOMPARE(describe(edits), "edit_file /a landed +1 -1");
    QCOMPARE(edits.edits[0].agreement, Agreement::Agrees);
    QVERIFY(edits.edits[0].isFromRecord);
    QCOMPARE(shown(edits.edits[0].after.text), "1\ny\n");
}

void EditsTest::codexRecordsPatchesAsEvents()
{
    std::string log;
    const auto add = [&](const char *type, const Json &payload) {
        log += Json { { "timestamp", "2026-01-01T00:00:00.000Z" }, { "type", type }, { "payload", payload } }.dump()
            + "\n";
    };
    const auto patch = [&](const std::string &id, const std::string &text, const Json &changes, bool isDone = true) {
        add("response_item",
            { { "type", "custom_tool_call" }, { "name", "apply_patch" }, { "call_id", id },
                { "input", "*** Begin Patch\n" + text + "*** End Patch\n" } });
        add("event_msg",
            { { "type", "patch_apply_end" }, { "call_id", id }, { "success", isDone }, { "changes", changes } });
        add("response_item",
            { { "type", "custom_tool_call_output" }, { "call_id", id },
                { "output",
                    R"({"output":"Success. Updated the following files:\nM a.txt\n","metadata":{"exit_code":0}})" } });
    };
    add("session_meta", { { "id", "1" }, { "cwd", "/work" }, { "cli_version", "0.79.0" } });
    add("response_item",
        { { "type", "message" }, { "role", "user" },
            { "content", Json::array({ { { "type", "input_text" }, { "text", "Go." } } }) } });
    patch("c1", "*** Add File: a.txt\n+one\n+two\n",
        { { "/work/a.txt", { { "type", "add" }, { "content", "one\ntwo\n" } } } });
    const std::string diff = "@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    patch("c2", "*** Update File: a.txt\n@@\n-two\n+2\n",
        { { "/work/a.txt", { { "type", "update" }, { "unified_diff", diff }, { "move_path", nullptr } } } });
    patch("c3", "*** Update File: a.txt\n@@\n-2\n+zwei\n",
        { { "/work/a.txt", { { "type", "update" }, { "unified_diff", diff } } } });   // the record says something else
    patch("c4", "*** Update File: a.txt\n@@\n-gone\n+come\n", Json::object(), false); // whatever its answer says
    const auto session = testing::load(log);
    QVERIFY(session);
    const Edits edits = *findEdits(*session);
    QCOMPARE(describe(edits),
        "apply_patch a.txt landed +2 -0 | apply_patch a.txt landed +1 -1 | outside a.txt landed +1 -0? | "
        "apply_patch a.txt landed +1 -1 | apply_patch a.txt failed +0 -0");
    QCOMPARE(edits.edits[0].agreement, Agreement::Agrees);
    QCOMPARE(edits.edits[1].agreement, Agreement::Agrees);
    QCOMPARE(edits.edits[3].agreement, Agreement::Differs);
}

void EditsTest::codexSettlesTheEndOfAFile_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("an empty last line goes") << QByteArray("one\ntwo\n\n") << QByteArray("one\n2\n");
    QTest::newRow("of several only one") << QByteArray("one\ntwo\n\n\n") << QByteArray("one\n2\n\n");
    QTest::newRow("a line feed stays") << QByteArray("one\ntwo\n") << QByteArray("one\n2\n");
    QTest::newRow("a last line without one gets it") << QByteArray("two\none") << QByteArray("2\none\n");
}

void EditsTest::codexSettlesTheEndOfAFile()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    FileChange change = parsePatch("*** Begin Patch\n*** Update File: a\n@@\n-two\n+2\n*** End Patch\n").front();
    const FileBody body { KnownText::of(before.toStdString(), BlockId(1)), false };
    // Other programs that take such patches leave the end alone.
    QByteArray kept = before;
    QCOMPARE(shown(applyChange(body, change, BlockId(2)).after.text), kept.replace("two", "2"));
    change.settlesEnd = true;
    QCOMPARE(shown(applyChange(body, change, BlockId(2)).after.text), after);
}

void EditsTest::whatIsNoViewOfAFileChangesNothing_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("shown");
    std::string lines;
    for (int line = 1; line <= 90; ++line)
        lines += "line " + std::to_string(line) + (line == 45 ? "\n[... omitted 4 of 94 lines ...]\n\n" : "\n");
    QTest::newRow("lines left out in the middle") << u"a.txt"_s << QString::fromStdString(lines);
    QTest::newRow("the cells of a notebook") << u"a.ipynb"_s << u"<cell id=\"a\">x = 1</cell id=\"a\">"_s;
}

void EditsTest::whatIsNoViewOfAFileChangesNothing()
{
    QFETCH(QString, path);
    QFETCH(QString, shown);
    const std::string file = "/work/" + path.toStdString();
    ClaudeLog log;
    log.typed("Go.");
    log.call("Read", { { "file_path", file } });
    log.result(shown.toStdString());
    if (path == u"a.txt"_s) {
        log.call("Bash", { { "command", "cat " + file } });
        log.result(shown.toStdString());
    }
    log.call("Edit", { { "file_path", file }, { "old_string", "two" }, { "new_string", "2" } });
    log.result("Done.", false, { { "filePath", file }, { "originalFile", kTen } });
    const Edits edits = editsOf(log);
    QCOMPARE(edits.edits.size(), 1U);
}

void EditsTest::everyRowOutsideTheLogTellsOfLines_data()
{
    QTest::addColumn<QString>("seen");
    QTest::addColumn<int>("first");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("a line came above") << u"two\nthree\nfour\n"_s << 3 << QByteArray("outside a.txt landed +1 -0?");
    QTest::newRow("two lines went above")
        << u"seven\neight\nnine\n"_s << 5 << QByteArray("outside a.txt landed +0 -2?");
    QTest::newRow("what is seen may stand anywhere") << u"two\n"_s << 3 << QByteArray();
}

void EditsTest::everyRowOutsideTheLogTellsOfLines()
{
    QFETCH(QString, seen);
    QFETCH(int, first);
    QFETCH(QByteArray, expected);
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", kTen);
    const std::string text = seen.toStdString();
    log.call(
        "Read", { { "file_path", "/work/a.txt" }, { "offset", first }, { "limit", std::ranges::count(text, '\n') } });
    log.result(ClaudeLog::numbered(text.substr(0, text.size() - 1), static_cast<size_t>(first)));
    QCOMPARE(describe(editsOf(log)), expected);
}

/// An edit that finds what was not there tells which lines came.
void EditsTest::anOldTextThatWasNotThereHadCome()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", kTen);
    log.edit("/work/a.txt", "two\ntwo and a half\ntwo and three quarters\nthr", "2");
    QVERIFY2(describe(editsOf(log)).startsWith("outside a.txt landed +2 -0? | "), describe(editsOf(log)));
}

void EditsTest::piRecordsNumberedLines()
{
    const Json record { { "type", "message" },
        { "message",
            { { "role", "toolResult" }, { "toolName", "edit" },
                { "details",
                    { { "diff",
                        "     ...\n  2 two\n- 3 three\n+ 3 3\n+ 4 3½\n  4 four\n     ...\n  1 seven\n  2 eight\n- 9 "
                        "nine\n 10 "
                        "ten" } } } } } };
    SessionBuilder builder;
    const ThreadIndex thread = builder.addThread(ThreadKind::Main);
    Block block = builder.makeBlock(BlockKind::ToolResult, builder.ownedBody(record.dump(), "test"), {});
    block.recordOffset = block.body.offset;
    block.recordSize = block.body.size;
    MessageDraft draft;
    draft.blocks = { block };
    builder.addMessage(thread, draft);
    const SessionPtr session = builder.finish();
    const auto change = RecordedChanges(*session).find(session->blocks.front(), "a.txt");
    QVERIFY(change);
    QCOMPARE(change->hunks.size(), 2U);
    QCOMPARE(change->hunks[1].beforeLine, 7U); // two lines before the ninth, whatever their numbers
    QCOMPARE(change->hunks[1].afterLine, 8U);
    const KnownText before = KnownText::of(kTen, BlockId(1));
    const KnownText after = KnownText::of("one\ntwo\n3\n3½\nfour\nfive\nsix\nseven\neight\nten\n", BlockId(1));
    QCOMPARE(hunksFit(change->hunks, before, after), std::optional(true));
    QCOMPARE(hunksFit(change->hunks, before, before), std::optional(false));
}

namespace {

/// A session of pi that reads a.txt, which holds `text`, and edits it once, with this recorded diff.
SessionPtr piSession(const std::string &text, const Json &arguments, const std::string &diff)
{
    std::string log = Json { { "type", "session" }, { "version", 3 }, { "id", "1" }, { "cwd", "/work" },
        { "timestamp", "2026-01-01T00:00:00.000Z" } }
                          .dump()
        + "\n";
    int number = 0;
    const auto add = [&](const Json &message) {
        const Json parent = number == 0 ? Json(nullptr) : Json(std::to_string(number));
        log += Json { { "type", "message" }, { "id", std::to_string(number + 1) }, { "parentId", parent },
            { "timestamp", "2026-01-01T00:00:00.000Z" }, { "message", message } }
                   .dump()
            + "\n";
        ++number;
    };
    const auto call = [&](const std::string &name, const Json &with, const Json &answer, const Json &details) {
        add({ { "role", "assistant" },
            { "content",
                Json::array(
                    { { { "type", "toolCall" }, { "id", name }, { "name", name }, { "arguments", with } } }) } });
        add({ { "role", "toolResult" }, { "toolCallId", name }, { "toolName", name }, { "details", details },
            { "content", Json::array({ { { "type", "text" }, { "text", answer } } }) }, { "isError", false } });
    };
    add({ { "role", "user" }, { "content", "Go." } });
    call("read", { { "path", "a.txt" } }, text, nullptr);
    call("edit", arguments, "Successfully replaced text in a.txt.", { { "diff", diff } });
    return *testing::load(log);
}

} // namespace

void EditsTest::earlyPiReadsDollarsAsJavaScriptDoes()
{
    const Edits edits
        = *findEdits(piSession(kTen, { { "path", "a.txt" }, { "oldText", "two" }, { "newText", "$$2 $&" } },
            "  1 one\n- 2 two\n+ 2 $2 two\n  3 three"));
    QCOMPARE(edits.edits.size(), 1U);
    QCOMPARE(edits.edits[0].agreement, Agreement::Agrees);
    QVERIFY(edits.edits[0].after.text.flat().starts_with("one\n$2 two\nthree\n"));
}

void EditsTest::recordedLinesTellThatAFileHadChanged()
{
    const Edits edits = *findEdits(piSession(kTen, { { "path", "a.txt" }, { "oldText", "four" }, { "newText", "4" } },
        "  1 three\n- 2 four\n+ 2 4\n  3 five"));
    QCOMPARE(describe(edits), "outside a.txt landed +0 -2? | edit a.txt landed +1 -1");
    QCOMPARE(edits.edits[1].agreement, Agreement::Differs);
    QVERIFY(edits.edits[1].isFromRecord);
    QVERIFY(edits.edits[1].after.text.flat().ends_with("three\n4\nfive\nsix\nseven\neight\nnine\nten\n"));
}

void EditsTest::theBasisIsTheNewestCarrierInContext()
{
    ClaudeLog log;
    log.typed("Go.");                                 // #0
    log.read("/work/a.txt", kTen);                    // #1, #2
    log.edit("/work/a.txt", "two\nthree", "2\n3");    // #3: read #2
    log.edit("/work/a.txt", "2\n3", "two and three"); // #5: what #3 wrote
    log.edit("/work/a.txt", "seven", "7");            // #7: read #2, three calls before
    log.compact("The agent changed seven lines; eight is next.");
    log.edit("/work/a.txt", "eight", "8");
    log.edit("/work/a.txt", "nine", "9");
    const EditsReport report = editsReport(log.load());
    std::vector<std::string> sentences;
    for (const EditBasis &basis : report.bases)
        sentences.push_back(basisText(*report.edits.session, basis));
    QCOMPARE(sentences.size(), 5U);
    QCOMPARE(QByteArray::fromStdString(sentences[0]), "read #2, 1 call before, in context");
    QCOMPARE(QByteArray::fromStdString(sentences[1]), "own edit #3, 1 call before, in context");
    QCOMPARE(QByteArray::fromStdString(sentences[2]), "read #2, 3 calls before, in context");
    QCOMPARE(QByteArray::fromStdString(sentences[3]), "only in the summary");
    QCOMPARE(QByteArray::fromStdString(sentences[4]), "not in the logged context");
    QCOMPARE(QByteArray::fromStdString(outcomeText(report.edits, 2, report.remains[2])),
        "landed · no later edit replaces it");
}

/// Other files may hold the same text.
void EditsTest::theBasisIsOfTheSameFile()
{
    ClaudeLog log;
    log.typed("Go.");                              // #0
    log.read("/work/a.txt", kTen);                 // #1, #2
    log.read("/work/b.txt", kTen);                 // #3, #4
    log.edit("/work/a.txt", "two\nthree", "2\n3"); // #5
    log.edit("/work/b.txt", "2\n3", "23");         // #7
    const EditsReport report = editsReport(log.load());
    QCOMPARE(report.bases.size(), 3U); // the second: b.txt was changed outside of the log
    const Session &session = *report.edits.session;
    QCOMPARE(QByteArray::fromStdString(basisText(session, report.bases[0])), "read #2, 2 calls before, in context");
    QCOMPARE(QByteArray::fromStdString(basisText(session, report.bases[2])),
        "own edit #5 of a.txt, 1 call before, in context");
}

/// The thinking before the call repeats the old text. The read before the compaction was the last to show it.
void EditsTest::anEditIsNoEvidenceForItself()
{
    ClaudeLog log;
    log.typed("Go.");              // #0
    log.read("/work/a.txt", kTen); // #1, #2
    log.compact("The agent goes on.");
    log.edit("/work/a.txt", "eight\nnine", "8\n9");
    std::string text = log.text();
    const std::string call = R"("content":[{"type":"tool_use","id":")" + log.lastCall();
    const size_t at = text.find(call);
    QVERIFY(at != std::string::npos);
    text.insert(at + std::string_view(R"("content":[)").size(),
        R"({"type":"thinking","thinking":"It says eight\nnine","signature":"x"},)");
    const auto session = testing::load(text);
    QVERIFY(session);
    const EditsReport report = editsReport(*session);
    QCOMPARE(report.bases.size(), 1U);
    QCOMPARE(report.bases[0].kind, BasisKind::NotLogged);
    QCOMPARE(report.bases[0].carriers.size(), 1U);
    QCOMPARE((*session)->block(report.bases[0].carriers[0]).message, MessageId(2));
}

void EditsTest::theBasisUnderAPolicyIsWhatItWouldHaveKept()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", kTen);
    for (const char *number : { "one", "two", "three", "four", "five" })
        log.edit("/work/a.txt", number, std::string(number) + "!");
    const SessionPtr session = log.load();
    QVERIFY(session);
    auto policy = preset("langchain-clear-tool-uses");
    for (const auto &[key, value] : { std::pair("trigger", "1tok"), std::pair("keep", "1results") }) {
        auto changed = withSetting(*policy, key, value);
        QVERIFY2(changed, changed ? "" : changed.error().message.c_str());
        policy = std::make_shared<const Policy>(std::move(*changed));
    }
    const EditsReport report = editsReport(session, { .folder = {}, .policy = policy, .threads = 1 });
    QCOMPARE(report.policyBases.size(), 5U);
    QCOMPARE(report.bases[4].kind, BasisKind::Shown); // as recorded the read is there to the end
    QCOMPARE(report.policyBases[0].kind, BasisKind::Shown);
    QCOMPARE(report.policyBases[4].kind, BasisKind::Lost); // the policy had cleared it by then
    QCOMPARE(basisText(*report.edits.session, report.policyBases[4]), "lost: nothing in context shows it");
    const auto json = editsJson(report);
    QCOMPARE(json["edits"][4]["policy_basis"]["slots"].size(), 0U);
    QVERIFY(json["edits"][4]["policy_basis"]["last_shown"].is_number());
}

void EditsTest::laterPatchesQuoteEarlierOnes()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", kTen);
    const auto patch = [&](const std::string &hunk) {
        log.call("apply_patch",
            { { "input", "*** Begin Patch\n*** Update File: /work/a.txt\n@@\n" + hunk + "*** End Patch\n" } });
        log.result("Success. Updated the following files:\nM a.txt");
    };
    patch("-two\n+2\n");
    patch(" 2\n-three\n+3\n");
    const EditsReport report = editsReport(log.load());
    QCOMPARE(report.bases.size(), 2U);
    QCOMPARE(report.bases[0].kind, BasisKind::Shown);
    QCOMPARE(report.bases[1].kind, BasisKind::Pieces); // its own line and one of the file
    QCOMPARE(report.bases[0].quotedBy, std::vector<BlockId> { report.edits.edits[1].use });
    QVERIFY(report.bases[1].quotedBy.empty());
}

/// The log never shows the file: its lines are unknown, but the patch names those that it changes.
void EditsTest::aPatchProvesTheLinesOfItsHunks()
{
    ClaudeLog log;
    log.typed("Go.");
    const auto patch = [&](const std::string &hunks, const std::string &result) {
        log.call("apply_patch",
            { { "input", "*** Begin Patch\n*** Update File: /work/a.txt\n" + hunks + "*** End Patch\n" } });
        log.result(result);
    };
    const std::string landed = "Success. Updated the following files:\nM a.txt";
    patch("@@ def f():\n one\n-two\n+2\n+2b\n@@\n-three\n four\n", landed);
    patch("@@\n+five\n@@\n six\n+seven\n", landed);
    log.call("Write", { { "file_path", "/work/b.txt" }, { "content", "new\n" } });
    log.result("The file /work/b.txt has been updated.");
    QCOMPARE(describe(*findEdits(log.load())),
        QByteArray("apply_patch a.txt landed +2 -2 | apply_patch a.txt landed +2 -0 | Write b.txt landed +0 "
                   "-0?"));
}

void EditsTest::linesAreCountedAsTheyAreCompared()
{
    std::string before;
    for (int i = 0; i < 20'000; ++i)
        before += "line " + std::to_string(i * 7919 % 20'000) + " of a long file\n";
    std::string after = before;
    for (size_t at = after.find("99 of"); at != std::string::npos; at = after.find("99 of", at + 200))
        after.replace(at, 5, "ninety-nine of");
    const FileBody old { KnownText::of(before, BlockId(1)), false };
    const FileBody made { KnownText::of(after, BlockId(2)), false };
    const LineDiff diff = diffLines(before, after);
    const LineCounts counts = changedLines(old, made);
    QVERIFY(counts.added > 100);
    QCOMPARE(counts.added, diff.addedCount);
    QCOMPARE(counts.removed, diff.removedCount);
}

/// Lines 2 and 3 of ten are read, `two` and `three`; then something happens to the file.
void EditsTest::whatIsCountedOfAPartIsABound_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *tool, const Json &arguments, const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(tool) << QString::fromStdString(arguments.dump())
                            << QByteArray(expected);
    };
    const auto edit = [](const char *before, const char *after) {
        return Json { { "file_path", "/work/a.txt" }, { "old_string", before }, { "new_string", after } };
    };
    row("a line never seen may have been there", "Read", { { "file_path", "/work/a.txt" } },
        "outside a.txt landed +0 -1?");
    row("so may those of a text that is written", "Write",
        { { "file_path", "/work/a.txt" }, { "content", "one\ntwo\nelf\n" } }, "Write a.txt landed +0 -1?");
    row("an edit of what was read", "Edit", edit("two\n", "2\n2 and a half\n"), "Edit a.txt landed +2 -1?");
    row("an edit of what was not", "Edit", edit("seven", "7"), "Edit a.txt landed +1 -1?");
    row("the first line may have blanks before it", "Edit", edit("seven", "and\n    seven"),
        "Edit a.txt landed +1 -0?");
    row("the last line may go on", "Edit", edit("seven\n", "seven\n7"), "Edit a.txt landed +1 -0?");
    row("an inserted line", "str_replace_editor",
        { { "command", "insert" }, { "path", "/work/a.txt" }, { "insert_line", 1 }, { "new_str", "new" } },
        "str_replace_editor a.txt landed +1 -0?");
    row("a removed file", "Bash", { { "command", "rm a.txt" } }, "Bash a.txt landed +0 -2?");
}

void EditsTest::whatIsCountedOfAPartIsABound()
{
    QFETCH(QString, tool);
    QFETCH(QString, arguments);
    QFETCH(QByteArray, expected);
    ClaudeLog log;
    log.typed("Go.");
    log.call("Read", { { "file_path", "/work/a.txt" }, { "offset", 2 }, { "limit", 2 } });
    log.result(ClaudeLog::numbered("two\nthree", 2));
    log.call(tool.toStdString(), Json::parse(arguments.toStdString()));
    log.result(tool == u"Read"_s ? ClaudeLog::numbered("one\ntwo\nelf", 1) : std::string("Done."));
    QCOMPARE(describe(editsOf(log)), expected);
}

PALIMPSEST_TEST(EditsTest)
#include "tst_edits.moc"
