// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/session/slot_label.h"
#include "core/session/transcript.h"
#include "core/session/user_message.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// The lines of a document.
using Lines = std::vector<std::string>;

std::string quoted(const std::string &text) { return "\"" + text + "\""; }

/// `parent`: a uuid, `null` for an explicit null, empty for a record without the member.
std::string envelope(
    const std::string &type, const std::string &uuid, const std::string &parent, const std::string &rest)
{
    std::string line = "{";
    if (parent == "null")
        line += R"("parentUuid":null,)";
    else if (!parent.empty())
        line += R"("parentUuid":)" + quoted(parent) + ",";
    line += R"("isSidechain":false,"userType":"external","cwd":"/home/p","sessionId":"s","version":"2.1.14","type":)"
        + quoted(type);
    if (!uuid.empty())
        line += R"(,"uuid":)" + quoted(uuid);
    return line + (rest.empty() ? "" : "," + rest) + "}";
}

std::string user(
    const std::string &uuid, const std::string &parent, const std::string &content, const std::string &more = {})
{
    return envelope("user", uuid, parent,
        R"("message":{"role":"user","content":)" + content + "}" + (more.empty() ? "" : "," + more));
}

/// A person's words.
std::string says(const std::string &uuid, const std::string &parent, const std::string &text)
{
    return user(uuid, parent, quoted(text));
}

/// One record of a response; `usage` is the inside of the object.
std::string answer(const std::string &uuid, const std::string &parent, const std::string &id, const std::string &blocks,
    const std::string &usage = {}, const std::string &more = {})
{
    return envelope("assistant", uuid, parent,
        R"("message":{"model":"claude-opus-4-5","id":)" + quoted(id)
            + R"(,"type":"message","role":"assistant","content":[)" + blocks + "]"
            + (usage.empty() ? "" : R"(,"usage":{)" + usage + "}") + "}" + (more.empty() ? "" : "," + more));
}

std::string text(const std::string &words) { return R"({"type":"text","text":)" + quoted(words) + "}"; }
std::string thinking(const std::string &words)
{
    return R"({"type":"thinking","thinking":)" + quoted(words) + R"(,"signature":"c2ln"})";
}
std::string call(
    const std::string &id, const std::string &name = "Bash", const std::string &input = R"({"command":"ls"})")
{
    return R"({"type":"tool_use","id":)" + quoted(id) + R"(,"name":)" + quoted(name) + R"(,"input":)" + input + "}";
}
std::string result(const std::string &id, const std::string &content)
{
    return R"([{"type":"tool_result","tool_use_id":)" + quoted(id) + R"(,"content":)" + content + "}]";
}
std::string link(
    const std::string &type, const std::string &uuid, const std::string &parent, const std::string &more = {})
{
    return envelope(type, uuid, parent, more);
}

std::string joined(const Lines &lines, const std::string &end = "\n")
{
    std::string document;
    for (const std::string &line : lines)
        document += line + end;
    return document;
}

Result<SessionPtr> tryLoad(const std::string &document, Progress *progress = nullptr)
{
    return loadSession(Source::own(document, "test.jsonl"), progress);
}

SessionPtr load(const std::string &document)
{
    const auto session = tryLoad(document);
    return session ? *session : nullptr;
}

SessionPtr load(const Lines &lines) { return load(joined(lines)); }

/// What one block is, in a few signs: a text as it stands, `~thinking`, `Bash()`, `=result`, `<image>`, `?opaque`; with
/// `*` behind what a compaction wrote, `-` behind a stub.
std::string picture(const Session &session, const Block &block)
{
    const std::string words = session.text(block.body);
    const std::string name(session.string(block.name));
    const std::string mark = block.is(BlockFlag::Summary) ? "*" : block.is(BlockFlag::Stub) ? "-" : "";
    switch (block.kind) {
    case BlockKind::Text:
        return words + mark;
    case BlockKind::Thinking:
        return "~" + words;
    case BlockKind::ToolCall:
        return name + "()";
    case BlockKind::ToolResult:
        return block.is(BlockFlag::Stub) ? "=-" : "=" + words;
    case BlockKind::Image:
        return "<image>";
    case BlockKind::Document:
        return "<document>";
    case BlockKind::Opaque:
        return "?" + name;
    }
    return {};
}

/// An array: `u[hello] m[hi, Bash()] u[=ok]`, one bracket a slot.
std::string picture(const SessionPtr &session, const BlockRanges &ranges)
{
    const Transcript transcript(session, ranges);
    std::string array;
    for (const Slot &slot : transcript.slots()) {
        array += array.empty() ? "" : " ";
        array += slot.role == Role::Assistant ? "m[" : "u[";
        std::string blocks;
        for (const BlockId id : transcript.blocksOf(slot))
            blocks += (blocks.empty() ? "" : ", ") + picture(*session, session->block(id));
        array += blocks + "]";
    }
    return array;
}

std::string endOf(const SessionPtr &session, size_t thread = 0)
{
    return picture(session, session->threads.at(thread).end);
}

/// `3w 5n`: the lines with warnings and notes.
std::string diagnosticsOf(const Session &session)
{
    std::string list;
    for (const Diagnostic &each : session.diagnostics) {
        list
            += (list.empty() ? "" : " ") + std::to_string(each.line) + (each.severity == Severity::Warning ? "w" : "n");
    }
    return list;
}

const std::string kBoundary
    = R"("subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":155000})";

/// A plain run: a question, an answer with a call, its result, a last answer.
Lines plainRun()
{
    return { says("u1", "null", "go"),
        answer("a1", "u1", "m1", thinking("hm") + "," + call("t1"), R"("input_tokens":10)"),
        user("u2", "a1", result("t1", R"("ok")")), answer("a2", "u2", "m2", text("done"), R"("input_tokens":20)") };
}
const std::string kPlain = "u[go] m[~hm, Bash()] u[=ok] m[done]";

/// Begins with `count` lines of the plain run, then comes the rest.
Lines plainThen(size_t count, const Lines &rest)
{
    Lines lines = plainRun();
    lines.resize(count);
    lines.insert(lines.end(), rest.begin(), rest.end());
    return lines;
}

/// The lines as another version writes them.
Lines ofVersion(const std::string &version, Lines lines)
{
    const std::string usual = R"("version":"2.1.14")";
    for (std::string &line : lines) {
        if (const size_t at = line.find(usual); at != std::string::npos)
            line.replace(at, usual.size(), R"("version":)" + quoted(version));
    }
    return lines;
}

/// The plain run, then a compaction that keeps messages; `kept` is the inside of its metadata.
Lines keptRun(const std::string &kept, const Lines &behind = { says("u6", "u5", "go on") })
{
    Lines lines = plainThen(4,
        { link("system", "b1", "null",
              R"("subtype":"compact_boundary","compactMetadata":{"trigger":"auto",)" + kept + "}"),
            user("u5", "b1", quoted("so far"), R"("isCompactSummary":true)") });
    lines.insert(lines.end(), behind.begin(), behind.end());
    return lines;
}

std::string keptSegment(const std::string &head, const std::string &anchor, const std::string &tail)
{
    return R"("preservedSegment":{"headUuid":)" + quoted(head) + R"(,"anchorUuid":)" + quoted(anchor)
        + R"(,"tailUuid":)" + quoted(tail) + "}";
}

std::string keptList(const std::string &anchor, const std::string &uuids)
{
    return R"("preservedMessages":{"anchorUuid":)" + quoted(anchor) + R"(,"uuids":[)" + uuids + "]}";
}

} // namespace

/// The reader of Claude Code files and of the SDK stream: one row for every rule of the format and every damage.
class ClaudeCodeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theArrayAtTheEnd_data();
    void theArrayAtTheEnd();
    void whatAVersionSends_data();
    void whatAVersionSends();
    void damage_data();
    void damage();
    void recordsAreFoundAgain_data();
    void recordsAreFoundAgain();
    void blocksOfAMessage_data();
    void blocksOfAMessage();
    void lengthsAreThoseOfTheText();
    void flagsSayWhereTextsComeFrom_data();
    void flagsSayWhereTextsComeFrom();
    void typedWordsAmongTheHarnessesOwn();
    void everyResponseIsACall();
    void branchesAreCallsToo();
    void usageIsTheLastOneOfAResponse();
    void aCompactionStartsANewArray_data();
    void aCompactionStartsANewArray();
    void compactionsThatNothingFollows();
    void clearedResultsAreStubs();
    void subagentsAreThreads_data();
    void subagentsAreThreads();
    void aSubagentFileIsASessionOfItsOwn();
    void resultsAreNamedByTheirCalls();
    void whatWasNeverSentIsOnlyCounted();
    void theStreamIsRead_data();
    void theStreamIsRead();
    void theStreamOfPartsOfAResponse();
    void metadata();
    void recognised_data();
    void recognised();
    void notRecognised_data();
    void notRecognised();
    void loadingCanBeCancelled();
};

void ClaudeCodeTest::theArrayAtTheEnd_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QByteArray>("diagnostics");
    const auto row
        = [](const char *name, const Lines &lines, const std::string &expected, const std::string &diagnostics = {}) {
              QTest::newRow(name) << QByteArray::fromStdString(joined(lines)) << QByteArray::fromStdString(expected)
                                  << QByteArray::fromStdString(diagnostics);
          };
    row("nothing unusual", plainRun(), kPlain);

    // One response in several records.
    row("a response split over records is one slot",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", thinking("hm")), answer("a2", "a1", "m1", text("so")),
            answer("a3", "a2", "m1", call("t1")) },
        "u[go] m[~hm, so, Bash()]");
    row("responses with two ids are two slots",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", text("one")), answer("a2", "a1", "m2", text("two")) },
        "u[go] m[one] m[two]");
    row("a response whose records do not stand together is one slot",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", call("t1")), user("u2", "a1", result("t1", R"("ok")")),
            answer("a2", "u2", "m1", call("t2")), user("u3", "a2", result("t2", R"("yes")")),
            answer("a3", "u3", "m2", text("done")) },
        "u[go] m[Bash(), Bash()] u[=ok, =yes] m[done]");
    row("results of parallel calls hang on different records of one response",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", call("t1")), answer("a2", "a1", "m1", call("t2")),
            user("u2", "a1", result("t1", R"("one")")), user("u3", "a2", result("t2", R"("two")")),
            answer("a3", "u2", "m2", text("done")) },
        "u[go] m[Bash(), Bash()] u[=one, =two] m[done]");
    row("a response without content is no slot",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", ""), says("u2", "a1", "and?") }, "u[go, and?]");

    // Users.
    row("user records that follow each other are one slot",
        { says("u1", "null", "go"), says("u2", "u1", "now"), answer("a1", "u2", "m1", text("done")) },
        "u[go, now] m[done]");
    row("an answer does not see what else hangs on the record that it answers",
        { says("u1", "null", "go"), says("u2", "u1", "exit"), says("u3", "u2", "bye"),
            answer("a1", "u1", "m1", text("one")), says("u4", "a1", "more") },
        "u[go] m[one] u[more]");
    row("what is said beside a result stands in its slot",
        plainThen(3, { says("u3", "u2", "faster"), answer("a2", "u3", "m2", text("done")) }),
        "u[go] m[~hm, Bash()] u[=ok, faster] m[done]");
    row("a user record without content is none",
        { says("u1", "null", "go"), user("u2", "u1", "[]"), answer("a1", "u2", "m1", text("done")) }, "u[go] m[done]");

    // The chain.
    row("progress, system and attachment records stand in the chain",
        { says("u1", "null", "go"), link("attachment", "x1", "u1", R"("attachment":{"type":"todo"})"),
            link("progress", "p1", "x1", R"("data":{"type":"hook_progress"})"), answer("a1", "p1", "m1", text("done")),
            link("system", "s1", "a1", R"("subtype":"turn_duration")"), says("u2", "s1", "more") },
        R"(u[go, {"type": "todo"}] m[done] u[more])");
    row("the system prompt that is kept as an attachment is no message",
        { says("u1", "null", "go"),
            link("attachment", "x1", "u1", R"("attachment":{"type":"prompt_snapshot","systemPrompt":["Be brief."]})"),
            answer("a1", "x1", "m1", text("done")) },
        "u[go] m[done]");
    row("an attachment is the text that was made of it",
        { says("u1", "null", "go"),
            link("attachment", "x1", "u1",
                R"("attachment":{"type":"date","date":"2026-11-23"},"rendered":[{"content":"Today is Monday."}])"),
            answer("a1", "x1", "m1", text("done")) },
        "u[go, Today is Monday.] m[done]");

    // Messages that the person typed while the agent worked.
    const auto queue = [](const std::string &operation, const std::string &content = {}) {
        return R"({"type":"queue-operation","operation":")" + operation + R"(","timestamp":"2026-01-02T10:00:00.000Z")"
            + (content.empty() ? "" : ",\"content\":" + quoted(content)) + R"(,"sessionId":"s"})";
    };
    const std::string enqueued = queue("enqueue", "faster");
    const std::string done = answer("a2", "u2", "m2", text("done"));
    const std::string queuedAfter = "u[go] m[~hm, Bash()] u[=ok, faster] m[done]";
    row("a queued message is sent behind the result that was under way",
        plainThen(2, { enqueued, user("u2", "a1", result("t1", R"("ok")")), queue("remove"), done }), queuedAfter);
    row("the queue is written before the result",
        plainThen(2, { enqueued, queue("remove"), user("u2", "a1", result("t1", R"("ok")")), done }), queuedAfter);
    row("a queued message does not part a response",
        plainThen(1,
            { answer("a0", "u1", "m1", thinking("hm")), enqueued, answer("a1", "a0", "m1", call("t1")), queue("remove"),
                user("u2", "a1", result("t1", R"("ok")")), done }),
        queuedAfter);
    row("two queued messages",
        plainThen(3, { enqueued, queue("enqueue", "now"), queue("remove"), queue("remove"), done }),
        "u[go] m[~hm, Bash()] u[=ok, faster, now] m[done]");
    row("a queued message that was taken, with no response behind it", plainThen(3, { enqueued, queue("remove") }),
        "u[go] m[~hm, Bash()] u[=ok]");
    row("a queued message that was taken back", plainThen(3, { enqueued, queue("popAll", "faster"), done }), kPlain);
    row("a queued message that was never taken", plainThen(3, { enqueued, done }), kPlain);
    row("a queued message of a process that ended",
        plainThen(4,
            { enqueued, says("u3", "a2", "more"), queue("enqueue", "now"), answer("a3", "u3", "m3", call("t2")),
                user("u4", "a3", result("t2", R"("yes")")), queue("remove"), answer("a4", "u4", "m4", text("so")) }),
        kPlain + " u[more] m[Bash()] u[=yes, now] m[so]");
    row("a queued message that waited for the end of the turn",
        plainThen(4, { enqueued, queue("dequeue"), says("u3", "a2", "faster"), answer("a3", "u3", "m3", text("yes")) }),
        kPlain + " u[faster] m[yes]");
    row("a prompt is taken before a slash command",
        plainThen(3, { queue("enqueue", "/ide"), enqueued, queue("remove"), queue("popAll", "/ide"), done }),
        queuedAfter);
    for (const bool isBefore : { false, true }) {
        const std::string logged
            = link("attachment", "x1", "u2", R"("attachment":{"type":"queued_command","prompt":"faster"})");
        const std::string remove = queue("remove");
        row(isBefore ? "a queued message that is logged before it is taken" : "a queued message that is logged",
            plainThen(3,
                { enqueued, isBefore ? logged : remove, isBefore ? remove : logged,
                    answer("a2", "x1", "m2", text("done")) }),
            queuedAfter);
    }
    row("unknown types in the chain are links, outside of it nothing",
        { says("u1", "null", "go"), link("next-month", "x1", "u1", R"("payload":[1,{"a":2}])"),
            R"({"type":"custom-title","title":"x"})", R"({"type":7})", answer("a1", "x1", "m1", text("done")) },
        "u[go] m[done]");
    row("an edited prompt leaves the first try out",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", text("one")), says("u2", "a1", "wrong"),
            answer("a2", "u2", "m2", text("two")), says("u3", "a1", "right"), answer("a3", "u3", "m3", text("three")) },
        "u[go] m[one] u[right] m[three]");
    row("a result that is given once more is a branch",
        plainThen(4, { user("u3", "a1", result("t1", R"("again")")), answer("a3", "u3", "m3", text("other")) }),
        "u[go] m[~hm, Bash()] u[=again] m[other]");
    row("a record may stand before its parent",
        { says("u1", "null", "go"), answer("a2", "u2", "m2", text("done")), answer("a1", "u1", "m1", call("t1")),
            user("u2", "a1", result("t1", R"("ok")")), says("u3", "a2", "thanks") },
        "u[go] m[Bash()] u[=ok] m[done] u[thanks]");
    row("a parent that is not in the file: the record before it", plainThen(4, { says("u3", "elsewhere", "more") }),
        kPlain + " u[more]", "5n");
    row("so it is where only a link's parent is not in the file",
        plainThen(4,
            { link("progress", "p1", "elsewhere", R"("data":{"type":"hook_progress"})"), link("system", "s1", "p1"),
                says("u3", "s1", "more"), answer("a3", "u3", "m3", text("so")) }),
        kPlain + " u[more] m[so]", "5n");
    row("a link whose parent is not in the file, and nothing hangs on it",
        plainThen(4, { link("progress", "p1", "elsewhere") }), kPlain, "5n");
    row("the first parent is not in the file",
        { says("u1", "elsewhere", "go"), answer("a1", "u1", "m1", text("done")) }, "u[go] m[done]", "1n");
    row("so it is where a link comes first",
        { link("system", "s1", "elsewhere"), says("u1", "s1", "go"), answer("a1", "u1", "m1", text("done")) },
        "u[go] m[done]", "1n");
    row("a null parent in a file of links is a new beginning",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", text("one")), says("u2", "null", "new"),
            answer("a2", "u2", "m2", text("two")) },
        "u[new] m[two]");
    row("without any link the order of the file is the chain",
        { says("u1", "null", "go"), answer("a1", "null", "m1", text("one")), says("u2", "null", "new"),
            answer("a2", "null", "m2", text("two")) },
        "u[go] m[one] u[new] m[two]");
    row("a record without the member follows the one before it",
        { says("u1", "", "go"), answer("a1", "", "m1", text("one")), says("u2", "a1", "more"),
            answer("a2", "u2", "m2", text("two")) },
        "u[go] m[one] u[more] m[two]");
    row("its own parent", { says("u1", "u1", "go"), answer("a1", "u1", "m1", text("done")) }, "u[go] m[done]", "1n");
    row("parents in a circle are cut at the first of them",
        { says("u1", "a1", "go"), answer("a1", "u1", "m1", text("one")), says("u2", "a1", "more") },
        "u[go] m[one] u[more]", "1n");
    row("a circle of three that a fourth hangs on, met from there",
        { says("u4", "u3", "end"), says("u1", "u3", "a"), answer("a2", "u1", "m2", text("b")), says("u3", "a2", "c"),
            answer("a5", "u4", "m5", text("done")) },
        "u[a] m[b] u[c, end] m[done]", "2n");

    // Copies.
    row("a resumed session copies records: the first of a uuid counts",
        plainThen(4, { says("u1", "null", "go"), answer("a2", "u2", "m2", text("changed")), says("u3", "a2", "more") }),
        kPlain + " u[more]", "0n");

    // What is shown to the person only.
    row("an error of the API was never sent",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", text("API Error: 529"), {}, R"("isApiErrorMessage":true)"),
            says("u2", "a1", "go on"), answer("a2", "u2", "m2", text("done")) },
        "u[go, go on] m[done]");
    row("an error of the API at the end",
        { says("u1", "null", "go"),
            answer("a1", "u1", "m1", text("API Error: 529"), {}, R"("isApiErrorMessage":true)") },
        "u[go]");
}

void ClaudeCodeTest::theArrayAtTheEnd()
{
    QFETCH(QByteArray, document);
    QFETCH(QByteArray, expected);
    QFETCH(QByteArray, diagnostics);
    const SessionPtr session = load(document.toStdString());
    QVERIFY(session);
    QCOMPARE(session->format, "claude-code");
    QCOMPARE(QByteArray::fromStdString(endOf(session)), expected);
    QCOMPARE(QByteArray::fromStdString(diagnosticsOf(*session)), diagnostics);
}

/// Seen in the requests of the versions themselves.
void ClaudeCodeTest::whatAVersionSends_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const Lines &lines, const std::string &expected) {
        QTest::newRow(name) << QByteArray::fromStdString(joined(lines)) << QByteArray::fromStdString(expected);
    };
    const Lines interrupted { says("u1", "null", "go"), answer("a1", "u1", "m1", thinking("hm")),
        says("u2", "a1", "no"), answer("a2", "u2", "m2", text("done")) };
    row("2.1.32 sends thinking alone again", ofVersion("2.1.32", interrupted), "u[go] m[~hm] u[no] m[done]");
    row("2.1.33 does not", ofVersion("2.1.33", interrupted), "u[go, no] m[done]");
    row("nor does a later version whose numbers are longer", ofVersion("2.1.330", interrupted), "u[go, no] m[done]");
    row("an answer whose other records are lost was more than thinking",
        ofVersion("2.1.33",
            { says("u1", "null", "go"), answer("a1", "u1", "m1", thinking("hm")), link("progress", "p1", "lost"),
                says("u2", "p1", "no") }),
        "u[go] m[~hm] u[no]");
    const auto command = [](const std::string &parent, const std::string &content) {
        return link("system", "s1", parent, R"("subtype":"local_command","content":)" + quoted(content));
    };
    const Lines commanded { says("u1", "null", "go"), answer("a1", "u1", "m1", text("one")),
        command("a1", "<local-command-stdout>free"), says("u2", "s1", "more") };
    row("2.1.62 keeps its own commands to itself", ofVersion("2.1.62", commanded), "u[go] m[one] u[more]");
    row("2.1.63 sends what they print", ofVersion("2.1.63", commanded),
        "u[go] m[one] u[<local-command-stdout>free, more]");

    row("a compaction keeps the path between two messages", keptRun(keptSegment("u2", "u5", "a2")),
        "u[so far*, =ok] m[done] u[go on]");
    row("a compaction keeps a list", keptRun(keptList("u5", R"("u1","a2")")), "u[so far*, go] m[done] u[go on]");
    row("the list is followed where there are both",
        keptRun(keptSegment("u2", "u5", "a2") + "," + keptList("u5", R"("a2")")), "u[so far*] m[done] u[go on]");
    row("what a list names twice is kept once", keptRun(keptList("u5", R"("a2","a2")")), "u[so far*] m[done] u[go on]");
    row("an empty list keeps nothing", keptRun(keptSegment("u2", "u5", "a2") + "," + keptList("u5", "")),
        "u[so far*, go on]");
    row("a list with a record that is not there keeps nothing", keptRun(keptList("u5", R"("a2","gone")")),
        "u[so far*, go on]");
    row("a path from a record that is not there keeps nothing", keptRun(keptSegment("gone", "u5", "a2")),
        "u[so far*, go on]");
    row("what hangs on no known record keeps nothing", keptRun(keptSegment("u2", "gone", "a2")), "u[so far*, go on]");
    row("messages kept behind the boundary stand before the summary", keptRun(keptSegment("u1", "b1", "a1")),
        "u[go] m[~hm, Bash()] u[so far*, go on]");
    row("messages are kept at the end, too", keptRun(keptSegment("a2", "u5", "a2"), {}), "u[so far*] m[done]");
    row("one record of an answer is kept without the others",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", text("one")), answer("a2", "a1", "m1", text("two")),
            answer("a3", "a2", "m1", call("t1")),
            link("system", "b1", "null",
                R"("subtype":"compact_boundary","compactMetadata":{)" + keptList("u5", R"("a2")") + "}"),
            user("u5", "b1", quoted("so far"), R"("isCompactSummary":true)") },
        "u[so far*] m[two]");
    row("what was kept is kept once more",
        keptRun(keptList("u5", R"("a2")"),
            { says("u6", "u5", "go on"),
                link("system", "b2", "null",
                    R"("subtype":"compact_boundary","compactMetadata":{)" + keptList("u7", R"("u5","a2")") + "}"),
                user("u7", "b2", quoted("in short"), R"("isCompactSummary":true)"), says("u8", "u7", "on") }),
        "u[in short*, so far*] m[done] u[on]");
}

void ClaudeCodeTest::whatAVersionSends()
{
    QFETCH(QByteArray, document);
    QFETCH(QByteArray, expected);
    const SessionPtr session = load(document.toStdString());
    QVERIFY(session);
    QCOMPARE(QByteArray::fromStdString(endOf(session)), expected);
}

void ClaudeCodeTest::damage_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QByteArray>("diagnostics");
    const auto row = [](const char *name, const std::string &document, const std::string &expected,
                         const std::string &diagnostics) {
        QTest::newRow(name) << QByteArray::fromStdString(document) << QByteArray::fromStdString(expected)
                            << QByteArray::fromStdString(diagnostics);
    };
    const Lines run = plainRun();
    const auto lines = [&](const Lines &changed) { return joined(changed); };

    row("a byte order mark", "\xEF\xBB\xBF" + joined(run), kPlain, "");
    row("CR LF", joined(run, "\r\n"), kPlain, "");
    row("no line end at the end", run[0] + "\n" + run[1] + "\n" + run[2] + "\n" + run[3], kPlain, "");
    row("blank lines and empty objects", lines({ run[0], "", "{}", "   ", run[1], "{}", run[2], run[3] }), kPlain, "");

    row("two records on one line", lines({ run[0], run[1] + run[2], run[3] }), kPlain, "2n");
    row("all records on one line", lines({ run[0] + run[1] + run[2] + run[3] }), kPlain, "1n");
    row("records on one line with blanks between", lines({ run[0] + " \t" + run[1], run[2], run[3] }), kPlain, "1n");
    row("brackets that meet inside a string are no seam",
        lines({ says("u1", "null", "go}{"), answer("a1", "u1", "m1", text("}{\\\"}{")) }), "u[go}{] m[}{\"}{]", "");
    row("a seam that stands inside a string beside a real one",
        lines({ says("u1", "null", "go}{") + answer("a1", "u1", "m1", text("x}{")) }), "u[go}{] m[x}{]", "1n");

    row("the last record is cut", lines({ run[0], run[1], run[2] }) + run[3].substr(0, 120),
        "u[go] m[~hm, Bash()] u[=ok]", "4w");
    row("a record is cut in the middle of the file", lines({ run[0], run[1].substr(0, 200), run[2], run[3] }),
        "u[go, =ok] m[done]", "2w 3n 3n");
    row("a cut record with the next one glued to it", lines({ run[0], run[1], run[2].substr(0, 190) + run[3] }),
        "u[go] m[~hm, Bash()] m[done]", "3w 3n");
    const std::string brackets = says("u2", "a1", "}}}}]] {");
    row("a cut record whose text has brackets, with the next one glued to it",
        lines({ run[0], run[1], brackets.substr(0, brackets.size() - 5) + run[3] }), "u[go] m[~hm, Bash()] m[done]",
        "3w 3n");
    row("a cut record with two whole ones glued to it", lines({ run[0], run[1].substr(0, 100) + run[2] + run[3] }),
        "u[go, =ok] m[done]", "2w 2n 2n 2n");
    row("a cut record with the rest of the file on one line",
        lines({ run[0].substr(0, 60) + run[0] + run[1] + run[2] + run[3] }), kPlain, "1w 1n");
    {
        // More beginnings of objects than are tried one by one stand before the whole record.
        std::string many = run[2].substr(0, run[2].size() - 1) + R"(,"toolUseResult":[)";
        for (int i = 0; i < 1000; ++i)
            many += R"({"type":"text","text":"x"},)";
        row("a cut record full of objects, with the next one glued to it", lines({ run[0], run[1], many + run[3] }),
            "u[go] m[~hm, Bash()] m[done]", "3w 3n");
    }
    {
        // Cut right behind an object that looks like a record: it is none.
        const std::string progress = link("progress", "p1", "u1",
            R"("data":{"type":"agent_progress","agentId":"x","message":{"type":"user","uuid":"n1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"inner"}})");
        row("a record that is cut behind an inner message",
            lines({ run[0], progress.substr(0, progress.size() - 1), run[1], run[2], run[3] }), kPlain, "2w");
    }

    const auto withNul = [](std::string line, size_t at, size_t count) { return line.insert(at, count, '\0'); };
    row("NULs before a record", lines({ run[0], withNul(run[1], 0, 4096), run[2], run[3] }), kPlain, "");
    row("NULs behind a record", lines({ run[0], withNul(run[1], run[1].size(), 7), run[2], run[3] }), kPlain, "");
    row("a line of NULs", lines({ run[0], std::string(512, '\0'), run[1], run[2], run[3] }), kPlain, "");
    row("NULs inside a record", lines({ run[0], withNul(run[1], 100, 3), run[2], run[3] }), kPlain, "2n");
    row("NULs at the end of the file", lines(run) + std::string(4096, '\0'), kPlain, "");

    row("a byte that is no text", lines({ says("u1", "null", "g\xFFo"), answer("a1", "u1", "m1", text("done")) }),
        "u[g\xEF\xBF\xBDo] m[done]", "1n");
    row("a byte that is no text, with the next record glued to it",
        lines({ says("u1", "null", "g\xFFo") + answer("a1", "u1", "m1", text("done")) }), "u[g\xEF\xBF\xBDo] m[done]",
        "1n 1n");
    row("a raw control character", lines({ says("u1", "null", "g\x01o"), answer("a1", "u1", "m1", text("done")) }),
        "u[g\x01o] m[done]", "1n");
    row("raw line separators end no line",
        lines({ says("u1", "null", "a\u2028b\u2029c\u0085d"), answer("a1", "u1", "m1", text("done")) }),
        "u[a\u2028b\u2029c\u0085d] m[done]", "");
    row("halves of pairs", lines({ says("u1", "null", "a\\ud83dz\\ude00"), answer("a1", "u1", "m1", text("done")) }),
        "u[a\xED\xA0\xBDz\xED\xB8\x80] m[done]", "");

    row("values that are no objects", lines({ "\"error\"", run[0], "42", run[1], "[1]", run[2], "null", run[3] }),
        kPlain, "1w 3w 5w 7w");
    row("text that is no JSON", lines({ run[0], "npm ERR! code 1", run[1], run[2], run[3] }), kPlain, "2w");
    row("a message that is a string, and the record again, whole",
        lines({ run[0], envelope("user", "u9", "u1", R"("message":"error")"), user("u9", "u1", quoted("now")),
            answer("a1", "u9", "m1", text("done")) }),
        "u[go, now] m[done]", "2w");
    row("content under another name, and the record again, whole",
        lines({ run[0], envelope("user", "u9", "u1", R"("message":{"role":"user","contenst":"x"})"),
            user("u9", "u1", quoted("now")), answer("a1", "u9", "m1", text("done")) }),
        "u[go, now] m[done]", "");
    row("twice without content, and once with it",
        lines({ run[0], envelope("user", "u9", "u1", R"("message":{"role":"user"})"),
            envelope("user", "u9", "u1", R"("message":{"role":"user"})"), user("u9", "u1", quoted("now")) }),
        "u[go, now]", "0n");
    row("a message that is a string holds its place in the chain",
        lines({ run[0], envelope("assistant", "a9", "u1", R"("message":"error")"), says("u9", "a9", "now") }),
        "u[go, now]", "2w");
    row("a record without a message", lines({ run[0], envelope("user", "u9", "u1", ""), says("u8", "u9", "now") }),
        "u[go, now]", "");

    const std::string nested = std::string(100'000, '[') + std::string(100'000, ']');
    row("a hundred thousand brackets in the arguments of a call",
        lines({ run[0], answer("a1", "u1", "m1", call("t1", "Bash", nested)), says("u2", "a1", "now") }),
        "u[go] m[Bash()] u[now]", "");
    row("a hundred thousand brackets as content", lines({ run[0], user("u2", "u1", nested), says("u3", "u2", "now") }),
        "u[go, ?, now]", "");
    row("a hundred thousand brackets that do not close",
        lines({ run[0], answer("a1", "u1", "m1", call("t1", "Bash", std::string(100'000, '['))),
            says("u2", "u1", "now") }),
        "u[go, now]", "2w");
    row("a hundred thousand brackets alone", lines({ run[0], nested, says("u2", "u1", "now") }), "u[go, now]", "2w");
}

void ClaudeCodeTest::damage()
{
    QFETCH(QByteArray, document);
    QFETCH(QByteArray, expected);
    QFETCH(QByteArray, diagnostics);
    const SessionPtr session = load(document.toStdString());
    QVERIFY(session);
    for (const Diagnostic &each : session->diagnostics)
        QVERIFY2(each.reason.ends_with('.'), each.reason.c_str());
    QCOMPARE(QByteArray::fromStdString(endOf(session)), expected);
    QCOMPARE(QByteArray::fromStdString(diagnosticsOf(*session)), diagnostics);
}

void ClaudeCodeTest::recordsAreFoundAgain_data()
{
    QTest::addColumn<QByteArray>("document");
    const Lines run = plainRun();
    QTest::newRow("one a line") << QByteArray::fromStdString(joined(run));
    QTest::newRow("behind a byte order mark") << QByteArray::fromStdString("\xEF\xBB\xBF" + joined(run));
    QTest::newRow("glued") << QByteArray::fromStdString(joined({ run[0], run[1] + run[2], run[3] }));
    QTest::newRow("behind a stump") << QByteArray::fromStdString(
        joined({ run[0], run[1], run[1].substr(0, 90) + run[2], run[3] }));
    QTest::newRow("with CR LF") << QByteArray::fromStdString(joined(run, "\r\n"));
}

void ClaudeCodeTest::recordsAreFoundAgain()
{
    QFETCH(QByteArray, document);
    const SessionPtr session = load(document.toStdString());
    QVERIFY(session);
    QCOMPARE(endOf(session), kPlain);
    const Lines run = plainRun();
    const std::array<size_t, 5> recordOf { 0, 1, 1, 2, 3 };
    QCOMPARE(session->blocks.size(), recordOf.size());
    for (size_t i = 0; i < recordOf.size(); ++i) {
        const Block &block = session->blocks[i];
        QCOMPARE(session->record(block), run[recordOf.at(i)]);
        const auto before = std::string_view(document.constData(), block.recordOffset);
        QCOMPARE(block.recordLine, static_cast<uint64_t>(std::ranges::count(before, '\n')) + 1);
    }
    // A block without text has a record too.
    const SessionPtr empty = load({ says("u1", "null", ""), answer("a1", "u1", "m1", text("done")) });
    QCOMPARE(empty->record(empty->blocks.front()), says("u1", "null", ""));
}

void ClaudeCodeTest::blocksOfAMessage_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const std::string &content, const std::string &expected) {
        QTest::newRow(name) << QByteArray::fromStdString(content) << QByteArray::fromStdString(expected);
    };
    const std::string image = R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}})";
    row("a string", R"("hello")", "u[hello]");
    row("an empty string is a text of nothing", R"("")", "u[]");
    row("null is no content", "null", "");
    row("strings in a list", R"(["a","b"])", "u[a, b]");
    row("values of no type in a list", R"([7,"b"])", "u[?, b]");
    row("thinking that only the provider can read", R"([{"type":"redacted_thinking","data":"c2VjcmV0"}])",
        "u[~c2VjcmV0]");
    row("calls of the server", R"([{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"x"}}])",
        "u[web_search()]");
    row("results of the server",
        R"([{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"u"}]}])",
        R"(u[=[{"type": "web_search_result", "url": "u"}]])");
    row("a call without input", R"([{"type":"tool_use","id":"t","name":"Bash"}])", "u[Bash()]");
    row("a name with escapes", R"([{"type":"tool_use","id":"t\u0031","name":"Ba\u0073h","input":{}}])", "u[Bash()]");
    row("an image", "[" + image + "]", "u[<image>]");
    row("an image at an address", R"([{"type":"image","source":{"type":"url","url":"https://x/y.png"}}])",
        "u[<image>]");
    row("a document",
        R"([{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}}])",
        "u[<document>]");
    row("a document of text",
        R"([{"type":"document","source":{"type":"text","media_type":"text/plain","data":"words"}}])", "u[<document>]");
    row("a block of an unknown type", R"([{"type":"hologram","x":1}])", "u[?hologram]");
    row("a result as text", result("t", R"("a\nb")"), "u[=a\nb]");
    row("a result of one text", result("t", R"([{"type":"text","text":"a"}])"), "u[=a]");
    row("a result of two texts", result("t", R"([{"type":"text","text":"a"},{"type":"text","text":"b"}])"), "u[=a\nb]");
    row("a result of something unknown is its JSON", result("t", R"([{"type":"tool_reference","tool_name":"x"}])"),
        R"(u[=[{"type": "tool_reference", "tool_name": "x"}]])");
    row("a result of text and something unknown is its JSON",
        result("t", R"([{"type":"text","text":"a"},{"type":"ref","n":1}])"),
        R"(u[=[{"type": "text", "text": "a"}, {"type": "ref", "n": 1}]])");
    row("a result of an image", result("t", "[" + image + "]"), "u[=, <image>]");
    row("a result of a text and images", result("t", R"([{"type":"text","text":"a"},)" + image + "," + image + "]"),
        "u[=a, <image>, <image>]");
    row("a result of texts around an image",
        result("t", R"([{"type":"text","text":"a"},)" + image + R"(,{"type":"text","text":"b"},{"type":"ref","n":1}])"),
        "u[=a\nb, ?, <image>]");
    row("a result of nothing", result("t", "[]"), "u[=]");
    row("a result of null", result("t", "null"), "u[=]");
    row("a result without content", R"([{"type":"tool_result","tool_use_id":"t"}])", "u[=]");
}

void ClaudeCodeTest::blocksOfAMessage()
{
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, expected);
    const SessionPtr session = load({ user("u1", "null", content.toStdString()) });
    QVERIFY(session);
    QCOMPARE(QByteArray::fromStdString(endOf(session)), expected);
    QCOMPARE(diagnosticsOf(*session), content.contains("_result\"") ? "1n" : ""); // a result without a call
    // Base64 has bytes and no characters, and weighs nowhere but in its own block.
    for (const Block &block : session->blocks) {
        if (block.kind == BlockKind::Image && block.body.coding == Coding::Base64)
            QCOMPARE(block.lengths, (TextLengths { 0, 0, 4 }));
        else
            QVERIFY(!session->text(block.body).contains("AAAA") || block.kind == BlockKind::Document);
    }
}

void ClaudeCodeTest::lengthsAreThoseOfTheText()
{
    const SessionPtr session = load({ says("u1", "null", "caf\\u00e9 \\ud83d\\ude00"),
        answer("a1", "u1", "m1", call("t1", "Write", R"({"file_path":"/a","content":"é\n","n":[1,2]})")) });
    QCOMPARE(session->blocks[0].lengths, (TextLengths { 6, 7, 10 }));
    // Arguments are counted as the value written with `, ` and `: `, with the name of the tool.
    const std::string arguments = R"({"file_path": "/a", "content": "é\n", "n": [1, 2]})";
    QCOMPARE(session->text(session->blocks[1].body), arguments);
    QCOMPARE(session->blocks[1].lengths.codePoints, arguments.size() - 1 + 5);
    QCOMPARE(session->blocks[1].lengths.bytes, arguments.size() + 5);
    QCOMPARE(session->string(session->blocks[1].subject), "/a");
}

void ClaudeCodeTest::flagsSayWhereTextsComeFrom_data()
{
    QTest::addColumn<QByteArray>("record");
    QTest::addColumn<int>("flags");
    const auto row = [](const char *name, const std::string &record, std::initializer_list<BlockFlag> flags) {
        int bits = 0;
        for (const BlockFlag flag : flags)
            bits |= int(flag);
        QTest::newRow(name) << QByteArray::fromStdString(record) << bits;
    };
    row("typed by the person", says("u1", "null", "go"), { BlockFlag::Typed });
    row("a reminder", says("u1", "null", "<system-reminder>x"), { BlockFlag::Injected });
    row("a slash command", says("u1", "null", "<command-name>/model"), { BlockFlag::Injected });
    row("an interruption", says("u1", "null", "[Request interrupted by user]"), { BlockFlag::Injected });
    row("a skill's body", user("u1", "null", quoted("do so"), R"("isMeta":true)"), { BlockFlag::Injected });
    row("a summary", user("u1", "null", quoted("so far"), R"("isCompactSummary":true)"), { BlockFlag::Summary });
    row("a summary of an old version, told by its first words",
        says("u1", "null", "This session is being continued from a previous conversation that"),
        { BlockFlag::Summary });
    row("a failed result",
        user("u1", "null", R"([{"type":"tool_result","tool_use_id":"t","content":"no","is_error":true}])"),
        { BlockFlag::Error });
    row("a result", user("u1", "null", result("t", R"("yes")")), {});
    row("a cache mark",
        user("u1", "null",
            R"([{"type":"tool_result","tool_use_id":"t","content":"x","cache_control":{"type":"ephemeral"}}])"),
        { BlockFlag::CacheMark });
    row("an attachment", link("attachment", "u1", "null", R"("attachment":{"type":"todo"})"), { BlockFlag::Injected });
    row("a queued message", link("attachment", "u1", "null", R"("attachment":{"type":"queued_command","prompt":"go"})"),
        { BlockFlag::Typed });
    row("a queued message as it was sent",
        link("attachment", "u1", "null",
            R"("attachment":{"type":"queued_command","prompt":"go"},"rendered":[{"content":"<system-reminder>\nThe user )"
            R"(sent a new message while you were working:\ngo\n\nIMPORTANT: Answer it.\n</system-reminder>"}])"),
        { BlockFlag::Injected, BlockFlag::TypedPart });
    row("a queued notice",
        link("attachment", "u1", "null",
            R"("attachment":{"type":"queued_command","prompt":"<task-notification>x","commandMode":"task-notification"})"),
        { BlockFlag::Injected });
    row("what the model says", answer("u1", "null", "m1", text("go")), {});
    row("what only the provider can read", answer("u1", "null", "m1", R"({"type":"redacted_thinking","data":"eA=="})"),
        { BlockFlag::Encrypted });
}

void ClaudeCodeTest::flagsSayWhereTextsComeFrom()
{
    QFETCH(QByteArray, record);
    QFETCH(int, flags);
    const SessionPtr session = load(Lines { record.toStdString() });
    QVERIFY(session);
    QCOMPARE(session->blocks.size(), 1U);
    QCOMPARE(int(session->blocks.front().flags), flags);
}

/// A person also speaks where a tool call is rejected, and behind a slash command.
void ClaudeCodeTest::typedWordsAmongTheHarnessesOwn()
{
    const std::string rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    const auto failed = [](const std::string &content) {
        return R"([{"type":"tool_result","tool_use_id":"t","is_error":true,"content":)" + content + "}]";
    };
    const std::string command
        = "<command-message>x is running</command-message>\\n<command-name>/x</command-name>\\n<command-args>";
    const SessionPtr session = load(Lines {
        says("u1", "null", "go"),
        answer("a1", "u1", "m1", call("t")),
        user("u2", "a1", failed(quoted(rejected + " To tell you how to proceed, the user said:\\nmind the tests"))),
        answer("a2", "u2", "m2", call("t2")),
        user("u3", "a2", failed(quoted(rejected))),
        answer("a3", "u3", "m3", text("the user said: what?")),
        says("u4", "a3", command + "keep each commit small</command-args>"),
        says("u5", "u4", command + "</command-args>"),
        says("u6", "u5", "what is <command-args>this</command-args>?"),
        answer("a4", "u6", "m4", call("t3")),
        user("u7", "a4", result("t3", quoted("it says <command-args>this</command-args>"))),
        answer("a5", "u7", "m5", call("t4")),
        user("u8", "a5", failed(quoted("Permission for this tool use was denied. The user said:\\nsplit it"))),
        answer("a6", "u8", "m6", call("t5")),
        user("u9", "a6", failed(quoted("Permission for this tool use was denied. Try a different approach."))),
        says("u10", "u9", "[Request interrupted by user for tool use]"),
        says("u11", "u10", "[Request interrupted by user]\\nnot that file"),
    });
    QVERIFY(session);
    std::vector<std::string> typed;
    for (const Block &block : session->blocks) {
        if (isUserMessage(block))
            typed.emplace_back(typedText(block, session->text(block.body)));
    }
    QCOMPARE(typed,
        (std::vector<std::string> { "go", "mind the tests", "keep each commit small",
            "what is <command-args>this</command-args>?", "split it", "not that file" }));
    const auto rejection = std::ranges::find_if(session->blocks,
        [](const Block &block) { return block.kind == BlockKind::ToolResult && block.is(BlockFlag::TypedPart); });
    QCOMPARE(labelOf(*session, *rejection).subject, "mind the tests"); // not what the harness wrote before it
}

void ClaudeCodeTest::everyResponseIsACall()
{
    const SessionPtr session = load(plainRun());
    const auto &calls = session->threads.front().calls;
    QCOMPARE(calls.size(), 2U);
    QCOMPARE(picture(session, calls[0].input), "u[go]");
    QCOMPARE(picture(session, calls[1].input), "u[go] m[~hm, Bash()] u[=ok]");
    QCOMPARE(picture(session, BlockRanges::of({ calls[0].output })), "m[~hm, Bash()]");
    QCOMPARE(picture(session, BlockRanges::of({ calls[1].output })), "m[done]");
    QVERIFY(!calls[0].isDerived);
    QCOMPARE(calls[1].line, 4U);
    QCOMPARE(session->string(calls[1].responseId), "m2");
    QCOMPARE(session->string(calls[1].model), "claude-opus-4-5");

    // "No response requested." is in the array, but no model was called.
    const SessionPtr synthetic = load({ says("u1", "null", "go"), answer("a1", "u1", "m1", text("one")),
        envelope("assistant", "a2", "a1",
            R"("message":{"model":"<synthetic>","id":"m2","role":"assistant","content":[{"type":"text","text":"No response requested."}]})"),
        says("u2", "a2", "more"), answer("a3", "u2", "m3", "", R"("input_tokens":5)") });
    QCOMPARE(endOf(synthetic), "u[go] m[one] m[No response requested.] u[more]");
    const auto &both = synthetic->threads.front().calls;
    QCOMPARE(both.size(), 2U);
    // The second answered nothing at all, and was a call.
    QCOMPARE(both[1].output.size(), 0U);
    QCOMPARE(both[1].usage->input, 5U);
    QCOMPARE(picture(synthetic, both[1].input), endOf(synthetic));
}

void ClaudeCodeTest::branchesAreCallsToo()
{
    const SessionPtr session = load({ says("u1", "null", "go"), answer("a1", "u1", "m1", text("one")),
        says("u2", "a1", "wrong"), answer("a2", "u2", "m2", text("two")), says("u3", "a1", "right"),
        answer("a3", "u3", "m3", text("three")), says("u4", "a2", "back"), answer("a4", "u4", "m4", text("four")) });
    const auto &calls = session->threads.front().calls;
    QCOMPARE(calls.size(), 4U);
    QCOMPARE(picture(session, calls[1].input), "u[go] m[one] u[wrong]");
    QCOMPARE(picture(session, calls[2].input), "u[go] m[one] u[right]");
    QCOMPARE(picture(session, calls[3].input), "u[go] m[one] u[wrong] m[two] u[back]");
    QCOMPARE(endOf(session), "u[go] m[one] u[wrong] m[two] u[back] m[four]");
    QCOMPARE(session->blocks.size(), 8U); // each of them once
}

void ClaudeCodeTest::usageIsTheLastOneOfAResponse()
{
    const std::string partial
        = R"("input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":2)";
    const std::string whole
        = R"("input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":57,"service_tier":"standard")";
    const Usage expected { 3, 1000, 100, 57 };
    for (const bool wholeFirst : { false, true }) {
        const SessionPtr session
            = load({ says("u1", "null", "go"), answer("a1", "u1", "m1", text("one"), wholeFirst ? whole : partial),
                answer("a2", "a1", "m1", text("two"), wholeFirst ? partial : whole) });
        const auto &calls = session->threads.front().calls;
        QCOMPARE(calls.size(), 1U);
        QVERIFY(calls.front().usage == expected);
        QCOMPARE(calls.front().usage->prompt(), 1103U);
    }
    // Zeros, as errors and interrupted responses have them, are no usage.
    const SessionPtr none = load({ says("u1", "null", "go"),
        answer("a1", "u1", "m1", text("one"),
            R"("input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0)") });
    QVERIFY(!none->threads.front().calls.front().usage);
}

void ClaudeCodeTest::aCompactionStartsANewArray_data()
{
    QTest::addColumn<QByteArray>("logical");
    QTest::addColumn<QByteArray>("before");
    QTest::newRow("the logical parent is the last message") << QByteArray("a2") << QByteArray::fromStdString(kPlain);
    QTest::newRow("the logical parent is an earlier one")
        << QByteArray("u2") << QByteArray("u[go] m[~hm, Bash()] u[=ok]");
    QTest::newRow("the logical parent is not in the file")
        << QByteArray("elsewhere") << QByteArray::fromStdString(kPlain);
    QTest::newRow("no logical parent is named") << QByteArray() << QByteArray::fromStdString(kPlain);
}

void ClaudeCodeTest::aCompactionStartsANewArray()
{
    QFETCH(QByteArray, logical);
    QFETCH(QByteArray, before);
    const std::string named = logical.isEmpty() ? "" : R"("logicalParentUuid":)" + quoted(logical.toStdString()) + ",";
    const SessionPtr session = load(plainThen(4,
        { link("system", "b1", "null", named + kBoundary),
            user("u5", "b1", quoted("so far"), R"("isCompactSummary":true,"isVisibleInTranscriptOnly":true)"),
            says("u6", "u5", "go on"),
            answer("a6", "u6", "m6", text("yes"), R"("input_tokens":5,"cache_read_input_tokens":60)") }));
    QCOMPARE(endOf(session), "u[so far*, go on] m[yes]");
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 3U);
    QCOMPARE(thread.compactions.size(), 1U);
    const RecordedCompaction &compaction = thread.compactions.front();
    QCOMPARE(int(compaction.kind), int(CompactionKind::Summary));
    QCOMPARE(compaction.call, CallIndex(1U));
    QCOMPARE(compaction.trigger, "auto");
    QCOMPARE(QByteArray::fromStdString(picture(session, compaction.before)), before);
    QCOMPARE(picture(session, compaction.after), "u[so far*, go on]");
    QCOMPARE(compaction.beforeTokens, std::optional<uint64_t>(155000));
    QCOMPARE(compaction.afterTokens, std::optional<uint64_t>(65));
    QCOMPARE(compaction.line, 5U);
}

void ClaudeCodeTest::compactionsThatNothingFollows()
{
    const SessionPtr session
        = load(plainThen(4, { link("system", "b1", "null", R"("logicalParentUuid":"a2",)" + kBoundary) }));
    const RecordedCompaction &last = session->threads.front().compactions.front();
    QVERIFY(last.after.isEmpty());
    QVERIFY(!last.afterTokens);
    QCOMPARE(endOf(session), kPlain); // no summary was written: this is what there is

    const SessionPtr first = load({ link("system", "b1", "null", kBoundary),
        user("u1", "b1", quoted("so far"), R"("isCompactSummary":true)"), answer("a1", "u1", "m1", text("yes")) });
    const RecordedCompaction &before = first->threads.front().compactions.front();
    QVERIFY(!before.call.isValid());
    QVERIFY(before.before.isEmpty());
    QCOMPARE(picture(first, before.after), "u[so far*]");
}

void ClaudeCodeTest::clearedResultsAreStubs()
{
    const std::string image = R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}])";
    const SessionPtr session = load({ says("u1", "null", "go"),
        answer("a1", "u1", "m1", call("t1") + "," + call("t2") + "," + call("t3")),
        user("u2", "a1", result("t1", R"("one")")), user("u3", "a1", result("t2", R"("two")")),
        user("u4", "a1", result("t3", image)), answer("a2", "u4", "m2", text("so"), R"("input_tokens":900)"),
        link("system", "c1", "a2",
            R"("subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"auto","preTokens":50745,"tokensSaved":26741,"compactedToolIds":["t1","t3","gone"],"clearedAttachmentUUIDs":[]})"),
        says("u5", "c1", "more"), answer("a3", "u5", "m3", text("done"), R"("input_tokens":300)") });
    QCOMPARE(diagnosticsOf(*session), "");
    QCOMPARE(endOf(session), "u[go] m[Bash(), Bash(), Bash()] u[=-, =two, =-] m[so] u[more] m[done]");
    const Thread &thread = session->threads.front();
    QCOMPARE(picture(session, thread.calls[1].input), "u[go] m[Bash(), Bash(), Bash()] u[=one, =two, =, <image>]");
    QCOMPARE(thread.compactions.size(), 1U);
    const RecordedCompaction &clearing = thread.compactions.front();
    QCOMPARE(int(clearing.kind), int(CompactionKind::Clearing));
    QCOMPARE(clearing.call, CallIndex(1U));
    // The record counts results only: the contexts are those of the calls on both sides.
    QCOMPARE(clearing.beforeTokens, std::optional<uint64_t>(900));
    QCOMPARE(clearing.afterTokens, std::optional<uint64_t>(300));
    const std::vector<RecordedFigure> figures { { "preTokens", 50745 }, { "tokensSaved", 26741 },
        { "compactedToolIds", 3 } };
    QCOMPARE(clearing.figures, figures);
    QCOMPARE(picture(session, clearing.before), "u[go] m[Bash(), Bash(), Bash()] u[=one, =two, =, <image>] m[so]");
    QCOMPARE(picture(session, clearing.after), "u[go] m[Bash(), Bash(), Bash()] u[=-, =two, =-] m[so]");
    QCOMPARE(picture(session, thread.calls[2].input), "u[go] m[Bash(), Bash(), Bash()] u[=-, =two, =-] m[so] u[more]");
    // A stub stands in the message of what it replaces, and knows its call.
    const Transcript end(session, thread.end);
    const Block &stub = session->block(end.blocksOf(end.slots()[2]).front());
    QVERIFY(stub.is(BlockFlag::Stub));
    QCOMPARE(session->string(stub.callId), "t1");
    QCOMPARE(session->string(stub.name), "Bash");
    QCOMPARE(session->text(stub.body), "[Old tool result content cleared]");
    QCOMPARE(end.slots()[2].id, session->block(end.blocksOf(end.slots()[2])[1]).message);
}

void ClaudeCodeTest::subagentsAreThreads_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QByteArrayList>("threads");
    QTest::addColumn<QByteArrayList>("ids");
    const auto row
        = [](const char *name, const Lines &lines, const QByteArrayList &threads, const QByteArrayList &ids) {
              QTest::newRow(name) << QByteArray::fromStdString(joined(lines)) << threads << ids;
          };
    const auto side = [](std::string line, const std::string &agent = {}) {
        line.replace(line.find(R"("isSidechain":false)"), 19, R"("isSidechain":true)");
        if (!agent.empty())
            line.insert(line.size() - 1, R"(,"agentId":)" + quoted(agent));
        return line;
    };
    const auto progress = [](const std::string &uuid, const std::string &parent, const std::string &tool,
                              const std::string &agent, const std::string &inner, const std::string &type,
                              const std::string &message) {
        return link("progress", uuid, parent,
            R"("toolUseID":"x","parentToolUseID":)" + quoted(tool) + R"(,"data":{"type":"agent_progress","agentId":)"
                + quoted(agent) + R"(,"prompt":"look","message":{"type":)" + quoted(type) + R"(,"uuid":)"
                + quoted(inner) + R"(,"timestamp":"2026-01-01T00:00:00Z","message":)" + message + "}}");
    };
    const std::string look = R"({"role":"user","content":[{"type":"text","text":"look"}]})";
    const std::string found
        = R"({"role":"assistant","id":"n1","model":"claude-haiku-4-5","content":[{"type":"text","text":"found"}]})";
    const std::string task = answer("a1", "u1", "m1", call("task1", "Task", R"({"prompt":"look"})"));
    const std::string taskResult = user("u9", "a1", result("task1", R"("found")"));
    const QByteArray main = "u[go] m[Task()] u[=found]";

    row("in the file, without a name",
        { says("u1", "null", "go"), task, side(says("s1", "null", "look")),
            side(answer("s2", "s1", "n1", text("found"))), taskResult },
        { main, "u[look] m[found]" }, { "", "" });
    row("two in the file, told apart by their roots",
        { says("u1", "null", "go"), task, side(says("s1", "null", "look")), side(says("r1", "null", "seek")),
            side(answer("s2", "s1", "n1", text("found"))), side(answer("r2", "r1", "n2", text("sought"))), taskResult },
        { main, "u[look] m[found]", "u[seek] m[sought]" }, { "", "", "" });
    row("two in the file, told apart by their agents",
        { says("u1", "null", "go"), task, side(says("s1", "null", "look"), "x1"),
            side(says("r1", "null", "seek"), "x2"), side(answer("s2", "s1", "n1", text("found")), "x1"),
            side(answer("r2", "r1", "n2", text("sought")), "x2"), taskResult },
        { main, "u[look] m[found]", "u[seek] m[sought]" }, { "", "x1", "x2" });
    row("repeated in progress records",
        { says("u1", "null", "go"), task, progress("p1", "a1", "task1", "x1", "n1", "user", look),
            progress("p2", "p1", "task1", "x1", "n2", "assistant", found), taskResult },
        { main, "u[look] m[found]" }, { "", "x1" });
    row("repeated in progress records twice",
        { says("u1", "null", "go"), task, progress("p1", "a1", "task1", "x1", "n1", "user", look),
            progress("p2", "p1", "task1", "x1", "n1", "user", look),
            progress("p3", "p2", "task1", "x1", "n2", "assistant", found), taskResult },
        { main, "u[look] m[found]" }, { "", "x1" });
    row("agents whose names were made unreadable, told by the call that started them",
        { says("u1", "null", "go"), task, progress("p1", "a1", "task1", "redacted-1", "n1", "user", look),
            progress("p2", "p1", "task1", "redacted-2", "n2", "assistant", found), taskResult },
        { main, "u[look] m[found]" }, { "", "redacted-1" });
    row("an agent that goes on under a second call",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", call("task1", "Task") + "," + call("task2", "Task")),
            progress("p1", "a1", "task1", "x1", "n1", "user", look),
            progress("p2", "p1", "task2", "x1", "n2", "assistant", found) },
        { "u[go] m[Task(), Task()]", "u[look] m[found]" }, { "", "x1" });
    row("other progress is no subagent",
        { says("u1", "null", "go"), answer("a1", "u1", "m1", call("t1")),
            link("progress", "p1", "a1", R"("parentToolUseID":"t1","data":{"type":"bash_progress","output":"x"})"),
            user("u2", "p1", result("t1", R"("ok")")) },
        { "u[go] m[Bash()] u[=ok]" }, { "" });
    row("a link of a sidechain alone makes no thread",
        { says("u1", "null", "go"), side(link("system", "s1", "null", R"("subtype":"turn_duration")")),
            answer("a1", "u1", "m1", text("done")) },
        { "u[go] m[done]" }, { "" });
    row("a bash call of a subagent does not rename it",
        { says("u1", "null", "go"), task, side(says("s1", "null", "look"), "x1"),
            side(answer("s2", "s1", "n1", call("t7")), "x1"),
            side(link("progress", "s3", "s2", R"("parentToolUseID":"t7","data":{"type":"bash_progress"})"), "x1"),
            side(user("s4", "s3", result("t7", R"("ok")")), "x1") },
        { "u[go] m[Task()]", "u[look] m[Bash()] u[=ok]" }, { "", "x1" });
}

void ClaudeCodeTest::subagentsAreThreads()
{
    QFETCH(QByteArray, document);
    QFETCH(QByteArrayList, threads);
    QFETCH(QByteArrayList, ids);
    const SessionPtr session = load(document.toStdString());
    QVERIFY(session);
    QByteArrayList found;
    QByteArrayList foundIds;
    for (size_t i = 0; i < session->threads.size(); ++i) {
        const Thread &thread = session->threads[i];
        found << QByteArray::fromStdString(endOf(session, i));
        foundIds << QByteArray::fromStdString(thread.id);
        QCOMPARE(int(thread.kind), int(i == 0 ? ThreadKind::Main : ThreadKind::Subagent));
        QCOMPARE(thread.title, i == 0 ? "go" : i == 1 ? "look" : "seek");
        if (i > 0 && thread.parentCall.isValid())
            QCOMPARE(session->string(session->block(thread.parentCall).callId), "task1");
        if (i > 0 && document.contains("agent_progress"))
            QVERIFY(thread.parentCall.isValid());
    }
    QCOMPARE(found, threads);
    QCOMPARE(foundIds, ids);
    // Nobody types into a subagent.
    for (const Block &block : session->blocks)
        QVERIFY(!block.is(BlockFlag::Typed) || session->message(block.message).thread == ThreadIndex(0U));
}

void ClaudeCodeTest::aSubagentFileIsASessionOfItsOwn()
{
    Lines lines;
    for (std::string line : plainRun()) {
        line.replace(line.find(R"("isSidechain":false)"), 19, R"("isSidechain":true,"agentId":"x1")");
        lines.push_back(line);
    }
    // One of its own subagents, in progress records of this file.
    lines.push_back(
        R"({"parentUuid":"a2","isSidechain":true,"agentId":"x1","userType":"external","type":"progress","uuid":"p1","parentToolUseID":"task2","data":{"type":"agent_progress","agentId":"x2","message":{"type":"user","uuid":"n1","message":{"role":"user","content":"inner"}}}})");
    const SessionPtr session = load(lines);
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(endOf(session), kPlain);
    QCOMPARE(session->threads[0].calls.size(), 2U);
    QCOMPARE(endOf(session, 1), "u[inner]");
}

void ClaudeCodeTest::resultsAreNamedByTheirCalls()
{
    const SessionPtr session = load(
        { says("u1", "null", "go"), answer("a1", "u1", "m1", call("t1", "Read", R"({"file_path":"/src/a.cpp"})")),
            user("u2", "a1", result("t1", R"("int x;")")) });
    const Block &read = session->blocks.back();
    QCOMPARE(session->string(read.name), "Read");
    QCOMPARE(session->string(read.subject), "/src/a.cpp");
    const Transcript array(session, session->threads.front().end);
    QCOMPARE(labelOf(array, array.slots()[2]).text(), "tool · result Read");
}

void ClaudeCodeTest::whatWasNeverSentIsOnlyCounted()
{
    const std::string stored = R"({"stdout":"ok","originalFile":"a very long file"})";
    const SessionPtr session = load({ says("u1", "null", "go"), answer("a1", "u1", "m1", call("t1")),
        user("u2", "a1", result("t1", R"("ok")"), R"("toolUseResult":)" + stored),
        user("u3", "u2", result("t2", R"("no")"), R"("toolUseResult":"Error: no")"),
        user("u4", "u3", result("t3", R"("list")"), R"("toolUseResult":[1,2])") });
    const uint64_t strings = std::string(R"("Error: no")").size();
    QCOMPARE(session->sideBytes, stored.size() + strings + 5);
    QCOMPARE(session->blocks[2].sideBytes, stored.size());
    QCOMPARE(session->blocks[3].sideBytes, strings);
    QCOMPARE(endOf(session), "u[go] m[Bash()] u[=ok, =no, =list]");
    QCOMPARE(session->blocks[2].lengths.bytes, 2U);
}

void ClaudeCodeTest::theStreamIsRead_data()
{
    QTest::addColumn<bool>("isWrapped");
    QTest::newRow("as the program writes it") << false;
    QTest::newRow("as a program logs it, every payload in an envelope") << true;
}

void ClaudeCodeTest::theStreamIsRead()
{
    QFETCH(bool, isWrapped);
    const Lines payloads {
        R"({"type":"system","subtype":"init","session_id":"s","cwd":"/w","tools":["Bash"],"model":"claude-opus-4-5","claude_code_version":"2.0.64"})",
        R"({"type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"one"}],"usage":{"input_tokens":7}},"parent_tool_use_id":null,"session_id":"s"})",
        R"({"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"look"}}]},"parent_tool_use_id":null,"session_id":"s"})",
        R"({"type":"user","message":{"role":"user","content":[{"type":"text","text":"look"}]},"parent_tool_use_id":"t1","session_id":"s"})",
        R"({"type":"assistant","message":{"id":"n1","role":"assistant","content":[{"type":"text","text":"found"}]},"parent_tool_use_id":"t1","session_id":"s"})",
        R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"found"}]},"parent_tool_use_id":null,"session_id":"s"})",
        R"({"type":"system","subtype":"compact_boundary","session_id":"s","compact_metadata":{"trigger":"manual","pre_tokens":99}})",
        R"({"type":"user","message":{"role":"user","content":"This session is being continued from a previous conversation"},"parent_tool_use_id":null,"session_id":"s"})",
        R"({"type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":9}},"parent_tool_use_id":null,"session_id":"s"})",
        R"({"type":"result","subtype":"success","session_id":"s","usage":{"input_tokens":16},"total_cost_usd":1,"num_turns":2})"
    };
    Lines lines;
    for (const std::string &payload : payloads) {
        const std::string type = payload.substr(9, payload.find('"', 9) - 9);
        lines.push_back(isWrapped
                ? R"({"type":)" + quoted(type) + R"(,"message":)" + payload + R"(,"timestamp":"2026-01-31T12:00:00Z"})"
                : payload);
    }
    const SessionPtr session = load(lines);
    QVERIFY(session);
    QCOMPARE(session->format, "claude-sdk-stream");
    QCOMPARE(diagnosticsOf(*session), "");
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(endOf(session), "u[This session is being continued from a previous conversation*] m[done]");
    QCOMPARE(endOf(session, 1), "u[look] m[found]");
    const Thread &main = session->threads.front();
    QCOMPARE(main.calls.size(), 2U);
    QCOMPARE(main.calls[0].usage->prompt(), 7U);
    QCOMPARE(main.compactions.size(), 1U);
    QCOMPARE(picture(session, main.compactions.front().before), "m[one, Task()] u[=found]");
    QCOMPARE(main.compactions.front().beforeTokens, std::optional<uint64_t>(99));
    QCOMPARE(main.compactions.front().trigger, "manual");
    QCOMPARE(session->string(session->block(session->threads[1].parentCall).callId), "t1");
    QCOMPARE(session->harness, "Claude Code 2.0.64");
    QCOMPARE(session->workingFolder, "/w");
}

void ClaudeCodeTest::theStreamOfPartsOfAResponse()
{
    const SessionPtr session = load(Lines { R"({"type":"system","subtype":"init","session_id":"s","tools":[]})",
        R"({"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"A","input":{}}]},"session_id":"s"})",
        R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"}]},"session_id":"s"})",
        R"({"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"B","input":{}}]},"session_id":"s"})",
        R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"2"}]},"session_id":"s"})" });
    QCOMPARE(endOf(session), "m[A(), B()] u[=1, =2]");
}

void ClaudeCodeTest::metadata()
{
    Lines lines { R"({"type":"summary","summary":"A title","leafUuid":"x"})" };
    for (std::string line : plainRun()) {
        if (lines.size() > 3)
            line.replace(line.find("2.1.14"), 6, "2.1.42");
        line.insert(
            line.size() - 1, R"(,"timestamp":"2026-01-31T12:00:0)" + std::to_string(lines.size()) + R"(.250Z")");
        lines.push_back(line);
    }
    const SessionPtr session = load(lines);
    QCOMPARE(session->harness, "Claude Code 2.1.42"); // the one that wrote last
    QCOMPARE(session->model, "claude-opus-4-5");
    QCOMPARE(session->windowTokens, std::optional<uint64_t>(200'000));
    QCOMPARE(session->workingFolder, "/home/p");
    QCOMPARE(session->title, "go");
    QCOMPARE(session->recordCount, 5U);
    QVERIFY(session->isComplete);
    QVERIFY(session->traits->mergesUsers());
    QCOMPARE(session->messages.front().time, std::optional<Timestamp>(1'769'860'801'250));
}

void ClaudeCodeTest::recognised_data()
{
    QTest::addColumn<QByteArray>("document");
    const std::string run = joined(plainRun());
    const auto row = [](const char *name, const std::string &document) {
        QTest::newRow(name) << QByteArray::fromStdString(document);
    };
    row("by its envelope", run);
    row("one record, no line end", plainRun().front());
    row("behind metadata",
        R"({"type":"file-history-snapshot","messageId":"x","snapshot":{},"isSnapshotUpdate":false})"
        "\n" + run);
    row("behind a cut record", plainRun()[1].substr(0, 150) + "\n" + run);
    row("behind text that is no JSON", "npm warn\n" + run);
    row("behind NULs", std::string(300, '\0') + run);
    {
        std::string many;
        for (int i = 0; i < 50; ++i)
            many += R"({"type":"queue-operation","operation":"enqueue","content":"x","sessionId":"s"})"
                    "\n";
        row("behind many queue operations", many + run);
    }
    {
        const std::string huge = R"({"type":"summary","summary":")" + std::string(100'000, 'x')
            + R"(","leafUuid":"x"})"
              "\n";
        row("behind a first record larger than what is looked at", huge + run);
    }
    row("metadata alone",
        R"({"type":"summary","summary":"x","leafUuid":"y"})"
        "\n"
        R"({"type":"summary","summary":"z","leafUuid":"y"})"
        "\n");
    row("written with blanks",
        R"({"parentUuid": null, "isSidechain": false, "type": "user", "uuid": "u1", "message": {"role": "user", "content": "go"}})");
    row("metadata written with blanks",
        R"({"type": "summary", "summary": "x", "leafUuid": "y"})"
        "\n");
}

void ClaudeCodeTest::recognised()
{
    QFETCH(QByteArray, document);
    const auto session = tryLoad(document.toStdString());
    QVERIFY2(session, session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->format, "claude-code");
}

void ClaudeCodeTest::notRecognised_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<int>("kind");
    QTest::newRow("no bytes") << QByteArray() << int(ErrorKind::Empty);
    QTest::newRow("blanks") << QByteArray("  \n\n") << int(ErrorKind::UnknownFormat);
    QTest::newRow("words") << QByteArray("hello\n") << int(ErrorKind::UnknownFormat);
    QTest::newRow("other JSON lines") << QByteArray("{\"a\":1}\n{\"b\":2}\n") << int(ErrorKind::UnknownFormat);
    QTest::newRow("empty objects") << QByteArray("{}\n{}\n") << int(ErrorKind::UnknownFormat);
    QTest::newRow("the envelope inside a string of something else")
        << QByteArray(R"({"log":"{\"parentUuid\":null,\"isSidechain\":false}"})") << int(ErrorKind::UnknownFormat);
}

void ClaudeCodeTest::notRecognised()
{
    QFETCH(QByteArray, document);
    QFETCH(int, kind);
    const auto session = tryLoad(document.toStdString());
    QVERIFY(!session);
    QCOMPARE(int(session.error().kind), kind);
    QVERIFY(session.error().message.ends_with('.'));
    QCOMPARE(session.error().where, "test.jsonl");
}

void ClaudeCodeTest::loadingCanBeCancelled()
{
    Progress progress;
    progress.cancel();
    const auto session = tryLoad(joined(plainRun()), &progress);
    QVERIFY(!session);
    QCOMPARE(int(session.error().kind), int(ErrorKind::Cancelled));
}

PALIMPSEST_TEST(ClaudeCodeTest)
#include "tst_claude_code.moc"
