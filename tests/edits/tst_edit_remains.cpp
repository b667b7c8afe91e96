// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/edit_remains.h"
#include "core/report/edits_report.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using testing::ClaudeLog;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kPath = "/work/a.txt";
const std::string kFive = "one\ntwo\nthree\nfour\nfive\n";

void bash(ClaudeLog &log, const std::string &script, const std::string &result = "", bool isError = false)
{
    log.call("Bash", { { "command", script } });
    log.result(result, isError);
}

/// A log that reads the file of five lines: the first edit is #3.
ClaudeLog begun()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read(kPath, kFive);
    return log;
}

/// `#3 replaced by #5 | #5 no later edit replaces it`; without what the log does not hold.
QByteArray rests(const Edits &edits)
{
    const std::vector<EditRemains> remains = editRemains(edits);
    QByteArray text;
    for (size_t i = 0; i < remains.size(); ++i) {
        if (edits.edits[i].origin == EditOrigin::Outside)
            continue;
        const MessageId message = edits.session->block(edits.edits[i].use).message;
        text += (text.isEmpty() ? "" : " | ") + QByteArray("#") + QByteArray::number(message.value()) + " "
            + QByteArray::fromStdString(remainsText(edits, i, remains[i]));
    }
    return text;
}

QByteArray rests(const ClaudeLog &log)
{
    const SessionPtr session = log.load();
    return session ? rests(*findEdits(session)) : QByteArray("no session");
}

} // namespace

/// What is said of the rest of an edit: only what the log shows.
class EditRemainsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void laterEditsReplaceWhatTheyRemove();
    void aReadBetweenChangesNothing();
    void movedLinesStay();
    void aShellDeletesTheFile();
    void aShellMovesTheFile();
    void aCommandBringsLinesBack();
    void unknownIsSaidOnlyWhereItIs();
    void anOldTextShowsWhatNoBodyShows();
    void callsOfOneMessageAreToldApart();
    void subagentsReplaceToo();
    void theDocumentNamesTheEdits();
};

void EditRemainsTest::laterEditsReplaceWhatTheyRemove()
{
    ClaudeLog log = begun();
    log.edit(kPath, "two\nthree", "2\n3"); // #3
    log.edit(kPath, "3\n", "drei\n");      // #5
    log.edit(kPath, "2\n", "zwei\n");      // #7
    log.edit(kPath, "five\n", "5\n");      // #9
    log.edit(kPath, "one\n", "");          // #11: adds nothing
    log.edit(kPath, "zwei", "ii");         // #13
    log.call("Edit", { { "file_path", kPath }, { "old_string", "drei" }, { "new_string", "iii" } });
    log.result("String to replace not found in file.", true); // #15: changes nothing
    QCOMPARE(rests(log),
        "#3 replaced by #5, #7 | #5 no later edit replaces it | #7 replaced by #13 | #9 no later edit replaces it | "
        "#11  | #13 no later edit replaces it | #15 ");
    log.edit(kPath, "5", "v"); // #17
    QVERIFY(rests(log).contains("#9 replaced by #17"));
}

/// The model saw the old text in a read behind the edit. It is the edit's text all the same.
void EditRemainsTest::aReadBetweenChangesNothing()
{
    ClaudeLog log = begun();
    log.edit(kPath, "two\nthree", "2\n3"); // #3
    log.read(kPath, "one\n2\n3\nfour\nfive\n");
    log.edit(kPath, "2\n", "zwei\n"); // #7
    QCOMPARE(rests(log), "#3 replaced in part by #7 | #7 no later edit replaces it");
    const EditsReport report = editsReport(log.load());
    QVERIFY(drawEdits(report).contains("#3 Edit a.txt · landed · replaced in part by #7 · +2 -2 · "));
}

void EditRemainsTest::movedLinesStay()
{
    ClaudeLog log = begun();
    log.edit(kPath, "two\n", "second line\n");                   // #3
    log.write(kPath, "five\nfour\nthree\nsecond line\none\n");   // #5
    log.edit(kPath, "second line\none\n", "one\nsecond line\n"); // #7
    QVERIFY2(rests(log).startsWith("#3 no later edit replaces it | "), rests(log).constData());
}

void EditRemainsTest::aShellDeletesTheFile()
{
    ClaudeLog log = begun();
    log.edit(kPath, "two\nthree", "2\n3"); // #3
    log.edit(kPath, "2\n", "zwei\n");      // #5
    log.edit(kPath, "one\n", "");          // #7: adds nothing
    ClaudeLog failed = log;
    bash(log, "cd /work && git rm -q a.txt"); // #9
    QCOMPARE(rests(log),
        "#3 replaced in part by #5, then file deleted by #9 | #5 file deleted by #9 | #7 file deleted by #9 | #9 ");
    log.write(kPath, "one\n2\n3\n"); // #11: its own text
    QVERIFY2(rests(log).contains("#5 file deleted by #9"), rests(log).constData());
    bash(failed, "rm /work/a.txt", "rm: cannot remove", true);
    QVERIFY2(rests(failed).contains("#5 not known whether a later edit replaces it: #9 may have"),
        rests(failed).constData());
    QVERIFY2(rests(failed).startsWith("#3 replaced in part by #5; of the rest it is not known | "),
        rests(failed).constData());
}

void EditRemainsTest::aShellMovesTheFile()
{
    ClaudeLog log = begun();
    log.edit(kPath, "two\nthree", "2\n3"); // #3
    bash(log, "mv a.txt b.txt");           // #5
    log.edit("/work/b.txt", "2\n3\n", ""); // #7
    QCOMPARE(rests(log), "#3 replaced by #7 | #5  | #7 ");
}

void EditRemainsTest::aCommandBringsLinesBack()
{
    ClaudeLog log = begun();
    log.edit(kPath, "two\nthree", "2\n3"); // #3
    bash(log, "git stash");                // #5
    log.read(kPath, kFive);                // #7
    QVERIFY2(rests(log).startsWith("#3 replaced by #5 | "), rests(log).constData());
    bash(log, "git stash pop");                 // #9
    log.read(kPath, "one\n2\n3\nfour\nfive\n"); // #11
    QVERIFY2(rests(log).startsWith("#3 no later edit replaces it | "), rests(log).constData());
}

void EditRemainsTest::unknownIsSaidOnlyWhereItIs()
{
    ClaudeLog log = begun();
    log.edit(kPath, "two\nthree", "2\n3");           // #3
    bash(log, "sed -i -e '/2/d' -e 's/x/y/' a.txt"); // #5: nobody knows
    QVERIFY2(rests(log).startsWith("#3 not known whether a later edit replaces it: #5 may have | #5 not known"),
        rests(log).constData());
    log.read(kPath, "one\n3\nfour\nfive\n");
    QVERIFY2(rests(log).startsWith("#3 replaced in part by #5"), rests(log).constData());
}

/// Several old texts in a file of which the log shows nothing: its body stays unknown.
void EditRemainsTest::anOldTextShowsWhatNoBodyShows()
{
    ClaudeLog log;
    log.typed("Go.");
    const auto both = [&](const char *first, const char *second, const char *third, const char *fourth) {
        const auto part = [](const char *before, const char *after) {
            return ClaudeLog::Json { { "oldText", before }, { "newText", after } };
        };
        log.call("edit",
            { { "path", kPath }, { "edits", ClaudeLog::Json::array({ part(first, second), part(third, fourth) }) } });
        log.result("Applied 2 edits to a.txt.");
    };
    both("alpha\n", "a line\n", "beta\n", "b line\n");   // #1
    both("a line\n", "A line\n", "gamma\n", "c line\n"); // #3
    QVERIFY2(rests(log).startsWith("#1 replaced in part by #3"), rests(log).constData());
    both("b line\n", "B line\n", "c line\n", "C line\n"); // #5
    QVERIFY2(rests(log).startsWith("#1 replaced by #3, #5 | #3 replaced in part by #5"), rests(log).constData());
}

void EditRemainsTest::callsOfOneMessageAreToldApart()
{
    ClaudeLog log = begun();
    bash(log, "printf 'x\\n' > b.txt; printf 'y\\n' > b.txt"); // #3
    QCOMPARE(rests(log), "#3 replaced by a later call of #3 | #3 no later edit replaces it");
}

/// Their threads stand behind the main thread; their edits are ordered by time.
void EditRemainsTest::subagentsReplaceToo()
{
    ClaudeLog main = begun();
    main.edit(kPath, "two\nthree", "2\n3");
    std::string text = main.text();
    ClaudeLog sub;
    sub.typed("Fix it.");
    sub.wait(1);
    sub.read(kPath, "one\n2\n3\nfour\nfive\n");
    sub.edit(kPath, "2\n3\n", "zwei\n");
    std::string other = sub.text();
    for (const auto &[from, to] :
        { std::pair<std::string, std::string>("\"isSidechain\":false", "\"isSidechain\":true"), { "uuid-", "side-" },
            { "toolu_", "side_" }, { "msg_", "mside_" }, { "req_", "rside_" } }) {
        for (size_t at = other.find(from); at != std::string::npos; at = other.find(from, at + to.size()))
            other.replace(at, from.size(), to);
    }
    const auto session = testing::load(text + other);
    QVERIFY(session);
    QVERIFY((*session)->threads.size() > 1);
    const QByteArray said = rests(*findEdits(*session));
    QVERIFY2(said.startsWith("#3 replaced by #"), said.constData());
}

void EditRemainsTest::theDocumentNamesTheEdits()
{
    ClaudeLog log = begun();
    log.edit(kPath, "two\nthree", "2\n3");
    log.edit(kPath, "3\n", "drei\n");
    bash(log, "rm a.txt");
    const auto json = editsJson(editsReport(log.load()));
    const auto &rest = json["edits"][0]["remains"];
    QCOMPARE(QByteArray::fromStdString(rest["kind"].get<std::string>()), "deleted");
    QCOMPARE(rest["replaced_by"].dump(), "[1]");
    QCOMPARE(rest["deleted_by"].dump(), "2");
    QCOMPARE(rest["lines"].dump(), "2");
    QCOMPARE(rest["lines_left"].dump(), "0");
    QVERIFY(json["edits"][2]["remains"].is_null());
}

PALIMPSEST_TEST(EditRemainsTest)
#include "tst_edit_remains.moc"
