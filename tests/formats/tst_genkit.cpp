// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/recovery.h"
#include "core/formats/reading/formats.h"
#include "core/index/session_entry.h"
#include "core/report/list_report.h"
#include "core/session/spilled_output.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace core;
using namespace testing;

namespace {

using Text = std::string;

std::string error(const Result<SessionPtr> &session) { return session ? std::string() : session.error().sentence(); }

Text message(const char *role, const Text &parts)
{
    return Text(R"({"role":")") + role + R"(","content":[)" + parts + "]}";
}

/// JSON as it stands between the quotes of a JSON string.
Text quoted(const Text &json)
{
    Text text;
    for (const char c : json)
        text += c == '"' ? "\\\"" : c == '\\' ? "\\\\" : Text(1, c);
    return text;
}

Text span(const char *id, int start, const Text &input, const Text &output, const char *parent = "",
    const char *subtype = "model")
{
    return Text("\"") + id + R"(":{"spanId":")" + id + R"(","parentSpanId":")" + parent + R"(","startTime":)"
        + std::to_string(start) + R"(,"attributes":{"genkit:type":"action","genkit:metadata:subtype":")" + subtype
        + R"(","genkit:name":"googleai/gemini-x","genkit:input":")" + quoted(input) + R"(","genkit:output":")"
        + quoted(output) + "\"}}";
}

const Text kCall = message("model", R"({"toolRequest":{"ref":"r1","name":"ls","input":{"path":"/x"}}})");
const Text kResponse = message("tool", R"({"toolResponse":{"ref":"r1","name":"ls","output":"a"}})");

} // namespace

class TestGenkit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parts_data();
    void parts();
    void whoWroteIt_data();
    void whoWroteIt();
    void callsAndResults_data();
    void callsAndResults();
    void sample();
    void request();
    void artifactsOfASnapshot();
    void snapshot();
    void snapshotsOfOneSession();
    void chat();
    void trace();
    void traceOfOldVersions();
    void traceThatIsDamaged();
    void recognises_data();
    void recognises();
    void damage_data();
    void damage();
    void corpusFiles_data();
    void corpusFiles();
    void claimsNoOtherFormat();
};

void TestGenkit::parts_data()
{
    QTest::addColumn<Text>("part");
    QTest::addColumn<Text>("words");
    const auto row = [](const char *name, const char *part, const char *words) {
        QTest::newRow(name) << Text(part) << Text(words);
    };
    row("a text", R"({"text":"caf\u00e9"})", "text \"caf\xC3\xA9\"");
    row("a text with its metadata first", R"({"metadata":{"text":"no"},"text":"yes"})", R"(text "yes")");
    row("reasoning", R"({"reasoning":"Hm.","metadata":{"thoughtSignature":"x"}})", R"(thinking "Hm.")");
    row("an image in a data URL is what stands behind the comma",
        R"({"media":{"contentType":"image/png","url":"data:image/png;base64,iVBO"}})", R"(image image/png "iVBO")");
    row("a data URL tells its type", R"({"media":{"url":"data:image/webp;base64,UklG"}})",
        R"(image image/webp "UklG")");
    row("an image elsewhere is its address", R"({"media":{"contentType":"image/png","url":"gs://bucket/a.png"}})",
        R"(image image/png "gs://bucket/a.png")");
    row("other media are documents",
        R"({"media":{"contentType":"application/pdf","url":"data:application/pdf;base64,JVBE"}})",
        R"(document application/pdf "JVBE")");
    row("arguments that are a string are that string", R"({"toolRequest":{"name":"say","ref":"r","input":"Hi\n"}})",
        "call say#r \"Hi\n\"");
    row("a call without arguments", R"({"toolRequest":{"name":"now","ref":"r"}})", R"(call now#r "")");
    row("data", R"({"data":{"a":[1,2]}})", R"(opaque data "{"a": [1, 2]}")");
    row("custom", R"({"custom":{"x":true}})", R"(opaque custom "{"x": true}")");
    row("a resource", R"({"resource":{"uri":"file:///a"}})", R"(document resource "file:///a")");
    row("what is not known is kept as it is", R"({"hologram":1})", R"(opaque "{"hologram": 1}")");
}

void TestGenkit::parts()
{
    QFETCH(Text, part);
    QFETCH(Text, words);
    // A tool request makes sure that it is recognised, whatever the part.
    const auto session = load("[" + message("model", part) + "," + kCall + "]");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "genkit");
    QCOMPARE(describe(**session), "assistant{" + words + R"(} assistant{call ls#r1 "{"path": "/x"}"})");
    QCOMPARE(brokenRule(**session), "");
    QCOMPARE(diagnosticsOf(**session), "");
}

void TestGenkit::whoWroteIt_data()
{
    QTest::addColumn<Text>("text");
    QTest::addColumn<Text>("flags");
    const auto row = [](const char *text, const char *flags) { QTest::newRow(text) << Text(text) << Text(flags); };
    row("Fix it.", "+typed");
    row("<system-reminder>Note", "+injected");
    row("<read_file path=\\\"a\\\" totalLines=\\\"2\\\">x", "");
    row("Tool \\\"ls\\\" failed: no such file", "");
    row("Tool \\\"ls\\\" is what I want", "+typed");
}

void TestGenkit::whoWroteIt()
{
    QFETCH(Text, text);
    QFETCH(Text, flags);
    const auto session = load("[" + message("user", R"({"text":")" + text + "\"}") + "," + kCall + "]");
    QVERIFY2(session, error(session).c_str());
    const Text found = describe(**session);
    QVERIFY2(found.starts_with("user{text" + flags + " \""), found.c_str());
}

void TestGenkit::callsAndResults_data()
{
    QTest::addColumn<Text>("messages");
    QTest::addColumn<Text>("words");
    QTest::addColumn<Text>("diagnostics");
    const auto row = [](const char *name, const Text &messages, const char *words, const char *diagnostics = "") {
        QTest::newRow(name) << messages << Text(words) << Text(diagnostics);
    };
    row("a result names its call", kCall + "," + kResponse,
        R"(assistant{call ls#r1 "{"path": "/x"}"} tool{result ls#r1 "a"})");
    row("an output that is no string is JSON",
        kCall + "," + message("tool", R"({"toolResponse":{"name":"ls","ref":"r1","output":{"files":["a"]}}})"),
        R"(assistant{call ls#r1 "{"path": "/x"}"} tool{result ls#r1 "{"files": ["a"]}"})");
    row("media that a tool sends follow its output",
        kCall + ","
            + message("tool",
                R"({"toolResponse":{"name":"ls","ref":"r1","output":"see","content":[{"media":{"contentType":"image/png","url":"data:image/png;base64,iVBO"}},{"text":"more"}]}})"),
        R"(assistant{call ls#r1 "{"path": "/x"}"} tool{result ls#r1 "see", image image/png#r1 "iVBO", text#r1 "more"})");
    row("without refs name and order tell",
        message("model",
            R"({"toolRequest":{"name":"a","input":1}},{"toolRequest":{"name":"b","input":2}},{"toolRequest":{"name":"a","input":3}})")
            + ","
            + message("tool",
                R"({"toolResponse":{"name":"b","output":"2"}},{"toolResponse":{"name":"a","output":"1"}},{"toolResponse":{"name":"a","output":"3"}})"),
        "assistant{call a#call without ref 1 \"1\", call b#call without ref 2 \"2\", call a#call without ref 3 \"3\"} "
        "tool{result b#call without ref 2 \"2\", result a#call without ref 1 \"1\", result a#call without ref 3 "
        "\"3\"}");
    row("a result without a call", kResponse, R"(tool{result ls#r1 "a"})",
        "1: A tool response answers no recorded call: r1.\n");
    row("a failure that is told in the next message",
        kCall + ","
            + message("tool",
                R"({"toolResponse":{"ref":"r1","name":"ls","output":"Tool call failed; see user message below for details."}})"),
        R"(assistant{call ls#r1 "{"path": "/x"}"} tool{result+error ls#r1 "Tool call failed; see user message below for details."})");
}

void TestGenkit::callsAndResults()
{
    QFETCH(Text, messages);
    QFETCH(Text, words);
    QFETCH(Text, diagnostics);
    const auto session = load("[" + messages + "]");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session), words);
    QCOMPARE(diagnosticsOf(**session), diagnostics);
    for (const Block &block : (*session)->blocks) {
        if (block.kind == BlockKind::ToolResult && (*session)->string(block.name) == "ls" && diagnostics.empty())
            QCOMPARE((*session)->string(block.subject), "/x");
    }
}

/// The array of the figure: semantics.md, section B.
void TestGenkit::sample()
{
    const auto session
        = loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples/messages-21.genkit.json");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "genkit");
    const std::vector<uint64_t> expected { 81, 59, 78, 14521, 49, 79, 6891, 63, 3434, 2553, 25, 14990, 49, 63, 311, 92,
        60, 49, 79, 6891, 70 };
    const Transcript transcript(*session, (*session)->threads[0].end);
    std::vector<uint64_t> found;
    uint64_t sum = 0;
    for (const Slot &slot : transcript.slots()) {
        found.push_back(transcript.lengthsOf(slot).codePoints);
        sum += found.back();
    }
    QCOMPARE(found, expected);
    QCOMPARE(sum, uint64_t(50'487));
    QCOMPARE((*session)->threads[0].calls.size(), size_t(9));
    QCOMPARE(brokenRule(**session), "");
    QCOMPARE(diagnosticsOf(**session), "");
    QCOMPARE(
        (*session)->title, "Payees that hold an escaped quote are read wrong. Find the reason, and repair i\u2026");
}

void TestGenkit::request()
{
    const Text text = "{\"tools\":[{\"name\":\"ls\",\"inputSchema\":{}}],\n\"messages\":[\n"
        + message("system", R"({"text":"Be brief."})") + ",\n" + message("user", R"({"text":"Hi"})") + ",\n"
        + message("model", R"({"text":"Yes?"})")
        + "],\n\"config\":{\"temperature\":1},\"docs\":[{\"content\":[{\"text\":\"D\"}]}],\"model\":\"googleai/"
          "gemini-x\"}";
    const auto session = load(text);
    QVERIFY2(session, error(session).c_str());
    const Session &found = **session;
    QCOMPARE(describe(found), R"(system{text "Be brief."} user{text+typed "Hi"} assistant{text "Yes?"})");
    QCOMPARE(found.model, "googleai/gemini-x");
    QCOMPARE(found.title, "Hi");
    const Thread &thread = found.threads[0];
    QVERIFY(thread.prelude);
    QCOMPARE(thread.prelude->size(), 2U);
    const Block &tool = found.blocks[thread.prelude->begin];
    QVERIFY(tool.is(BlockFlag::Tools));
    QCOMPARE(found.string(tool.name), "ls");
    QCOMPARE(tool.recordLine, uint64_t(1));
    QCOMPARE(found.blocks[thread.prelude->begin + 1].kind, BlockKind::Document);
    QCOMPARE(found.blocks[thread.prelude->begin + 1].recordLine, uint64_t(6));
    QCOMPARE(thread.calls.size(), size_t(1));
    QVERIFY(thread.calls[0].isDerived);
    QVERIFY(thread.calls[0].prelude == thread.prelude);
    QCOMPARE(Transcript(*session, thread.calls[0].input).slotCount(), size_t(2));
    QCOMPARE(found.messages[1].line, uint64_t(4));
    QCOMPARE(Text(found.record(found.blocks[1])), message("user", R"({"text":"Hi"})"));
    QCOMPARE(brokenRule(found), "");
}

/// Recorded with genkit 1.42.0, @genkit-ai/middleware 0.7.0 and a session store: artifacts stand before the messages.
void TestGenkit::artifactsOfASnapshot()
{
    const std::string whole = R"(one\ntwo\nthree)";
    const auto session = testing::load(R"({"snapshotId":"s1","sessionId":"x","state":{"artifacts":[)"
                                       R"({"name":"tool-output/execute/c1.txt","parts":[{"text":")"
        + whole
        + R"("}],"metadata":{"tool":"execute","ref":"c1"}},{"name":"plan.md","parts":[{"text":"a"},{"text":"b"}]},)"
          R"({"name":"","parts":[]},{"name":"picture","parts":[{"media":{"url":"data:,x"}}]}],"messages":[)"
          R"({"role":"user","content":[{"text":"go"}]},)"
          R"({"role":"model","content":[{"toolRequest":{"name":"execute","ref":"c1","input":{"command":"make"}}}]},)"
          R"({"role":"tool","content":[{"toolResponse":{"name":"execute","ref":"c1","output":"[output offloaded] full text in artifact `tool-output/execute/c1.txt`.\n\none"}}]},)"
          R"({"role":"model","content":[{"toolRequest":{"name":"read_artifact","ref":"c2","input":{"name":"tool-output/execute/c1.txt"}}},)"
          R"({"toolRequest":{"name":"read_artifact","ref":"c3","input":{"name":"no"}}}]},)"
          R"({"role":"tool","content":[{"toolResponse":{"name":"read_artifact","ref":"c2","output":{"name":"tool-output/execute/c1.txt","content":")"
        + whole
        + R"(","found":true}}},)"
          R"({"toolResponse":{"name":"read_artifact","ref":"c3","output":{"name":"no","content":"Artifact \"no\" not found.","found":false}}}]}]}})");
    QVERIFY2(session.has_value(), session ? "" : session.error().sentence().c_str());
    QCOMPARE((*session)->savedTexts.size(), size_t(2));
    QCOMPARE((*session)->text((*session)->savedTexts[1].body), std::string("ab"));
    std::vector<BlockId> results;
    for (size_t i = 0; i < (*session)->blocks.size(); ++i) {
        if ((*session)->blocks[i].kind == BlockKind::ToolResult)
            results.push_back(BlockId(i));
    }
    QCOMPARE(results.size(), size_t(3));
    const auto output = spilledOutput(**session, results[0]);
    QVERIFY(output && output->isThere());
    QCOMPARE(output->path, std::string("tool-output/execute/c1.txt"));
    QVERIFY(textOf(**session, *output) == std::string("one\ntwo\nthree"));
    QVERIFY(textOf(**session, *output, 3) == std::string("one"));
    QVERIFY(!spilledOutput(**session, results[1]) && !(*session)->block(results[1]).is(BlockFlag::Error));
    QVERIFY((*session)->block(results[2]).is(BlockFlag::Error));
    // What a compaction removes of a read artifact is still in the file.
    const Policy cleared
        = *withSetting(*withSetting(*preset("claw-before-last-user"), "selector", "older-than-results"), "n", "0");
    const Compaction made = compact(Transcript(*session, (*session)->threads.front().end),
        std::make_shared<const Policy>(cleared), *roughTokens(**session));
    const Recoveries recoveries = recoveriesOf(made, {});
    for (size_t i = 0; i < made.rewrites.size(); ++i) {
        if (made.rewrites[i].block == results[1])
            QVERIFY(std::ranges::contains(recoveries.rewrites[i].from, "artifact"));
        if (made.rewrites[i].block == results[2])
            QVERIFY(recoveries.rewrites[i].from.empty());
    }
    QVERIFY(std::ranges::contains(made.rewrites, results[1], &Rewrite::block));
}

void TestGenkit::snapshot()
{
    const Text artifacts = R"([{"name":"plan","parts":[{"text":"P"}]}])";
    const auto session = load(
        R"({"snapshotId":"s2","parentId":"s1","createdAt":"2026-08-01T00:00:00Z","status":"failed","error":{"message":"Timed out"},)"
        R"("state":{"sessionId":"abc","messages":[)"
        + message("user", R"({"text":"Hi"})") + "," + kCall + R"(],"custom":{"n":1},"artifacts":)" + artifacts + "}}");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session), R"(user{text+typed "Hi"} assistant{call ls#r1 "{"path": "/x"}"})");
    QCOMPARE((*session)->threads[0].id, "abc");
    QCOMPARE((*session)->sideBytes, artifacts.size() + 7);
    QCOMPARE(diagnosticsOf(**session), "1: The snapshot records a failure: Timed out\n");
}

/// Each snapshot of a session is a file that names the one before. A list shows them as forks.
void TestGenkit::snapshotsOfOneSession()
{
    const QTemporaryDir folder;
    const std::filesystem::path store(folder.path().toStdString());
    const auto write = [&](const char *id, const std::string &parent, const std::string &more) {
        std::ofstream(store / (std::string(id) + ".json"))
            << R"({"snapshotId":")" << id << R"(",)" << parent << R"("state":{"sessionId":"x","messages":[)"
            << message("user", R"({"text":"Hi"})") << "," << kCall << more << "]}}";
    };
    write("s1", "", "");
    write("s2", R"("parentId":"s1",)", "," + message("user", R"({"text":"Go on"})"));
    write("s3", R"("parentId":"s1",)", "," + message("user", R"({"text":"Stop"})"));
    std::vector<SessionEntry> entries;
    for (const char *name : { "s1.json", "s2.json", "s3.json" }) {
        const auto session = loadSession((store / name).string());
        QVERIFY(session.has_value());
        std::ranges::move(entriesOf(*session, (store / name).string(), Prices()), std::back_inserter(entries));
    }
    const std::vector<ListedSession> listed = listedSessions(entries);
    QCOMPARE(listed.size(), size_t(3));
    for (const ListedSession &each : listed) {
        const bool isFirst = each.entry->file.ends_with("s1.json");
        QCOMPARE(each.forks.size(), size_t(isFirst ? 2 : 0));
        QCOMPARE(each.origin == nullptr, isFirst);
    }
}

void TestGenkit::chat()
{
    const auto session = load(R"({"id":"c1","state":{"name":"x"},"threads":{"lawyer":[)"
        + message("user", R"({"text":"Is it legal?"})") + R"(],"main":[)" + message("user", R"({"text":"Hi"})") + ","
        + message("model", R"({"text":"Yes?"})") + R"(],"empty":[]}})");
    QVERIFY2(session, error(session).c_str());
    const Session &found = **session;
    QCOMPARE(found.threads.size(), size_t(2));
    QCOMPARE(found.threads[0].id, "main");
    QCOMPARE(found.threads[0].kind, ThreadKind::Main);
    QCOMPARE(describe(found, 0), R"(user{text+typed "Hi"} assistant{text "Yes?"})");
    QCOMPARE(found.threads[1].id, "lawyer");
    QCOMPARE(found.threads[1].kind, ThreadKind::Run);
    QCOMPARE(found.threads[1].title, "Is it legal?");
    QCOMPARE(found.title, "Hi");
    QCOMPARE(found.sideBytes, uint64_t(12));
    QCOMPARE(brokenRule(found), "");
}

void TestGenkit::trace()
{
    const Text hi = message("user", R"({"text":"Say \"hi\""})");
    const Text tools = R"("tools":[{"name":"ls","description":"Lists."}])";
    const Text second = R"({"messages":[)" + hi + "," + kCall + "," + kResponse + "]," + tools + "}";
    const Text text = R"({"traceId":"t","displayName":"f","spans":{)"
        + span("c", 300, second,
            R"({"message":)" + message("model", R"({"text":"A file."})")
                + R"(,"usage":{"inputTokens":120,"outputTokens":7,"thoughtsTokens":3,"cachedContentTokens":100}})")
        + ","
        + span("a", 100, R"({"messages":[)" + hi + "]," + tools + "}",
            R"({"message":)" + kCall + R"(,"usage":{"inputTokens":20,"outputTokens":5}})")
        + "," + span("b", 100, R"({"messages":[)" + hi + "]}", "{}", "a") // the model inside of a wrapped model
        + "," + span("f", 50, "{}", "{}", "", "flow") + "}}";
    const auto session = load(text);
    QVERIFY2(session, error(session).c_str());
    const Session &found = **session;
    QCOMPARE(found.threads.size(), size_t(1));
    const std::vector<Call> &calls = found.threads[0].calls;
    QCOMPARE(calls.size(), size_t(2));
    QCOMPARE(describe(found),
        R"(user{text+typed "Say "hi""} assistant{call ls#r1 "{"path": "/x"}"} tool{result ls#r1 "a"} assistant{text "A file."})");
    QCOMPARE(calls[0].usage.value(), (Usage { 20, 0, 0, 5 }));
    QCOMPARE(calls[1].usage.value(), (Usage { 20, 100, 0, 10 }));
    QCOMPARE(calls[1].time.value_or(0), Timestamp(300));
    QVERIFY(!calls[1].isDerived);
    QCOMPARE(calls[0].output.size(), 1U);
    QCOMPARE(calls[1].input.rangeCount(), size_t(1));
    QCOMPARE(calls[0].prelude.value(), calls[1].prelude.value());
    QCOMPARE(found.model, "googleai/gemini-x");
    QCOMPARE(found.threads[0].id, "t");
    QCOMPARE(found.recordCount, uint64_t(4));
    QCOMPARE(brokenRule(found), "");
    QCOMPARE(diagnosticsOf(found), "");
}

void TestGenkit::traceOfOldVersions()
{
    const auto session = load(R"({"traceId":"t","spans":{)"
        + span("a", 1, R"({"messages":[)" + message("user", R"({"text":"Hi"})") + "]}",
            R"({"candidates":[{"index":0,"message":)" + message("model", R"({"text":"Yes?"})") + "}]}")
        + "}}");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session), R"(user{text+typed "Hi"} assistant{text "Yes?"})");
}

void TestGenkit::traceThatIsDamaged()
{
    const Text hi = message("user", R"({"text":"Hi"})");
    // An attribute that the exporter cut, and a span without an input.
    const auto session = load(R"({"traceId":"t","spans":{)"
        + span("a", 1, R"({"messages":[)" + hi + R"(,{"role":"mod)", "{}") + "," + span("b", 2, "", "{}") + "}}");
    QVERIFY2(session, error(session).c_str());
    const Text found = diagnosticsOf(**session);
    QVERIFY2(found.contains("cut off or not valid JSON"), found.c_str());
    QVERIFY2(found.contains("the call was left out"), found.c_str());
    QVERIFY(describe(**session).starts_with(R"(user{text+typed "Hi"})"));
    QCOMPARE(brokenRule(**session), "");
    const auto nothing = load(R"({"traceId":"t","spans":{)" + span("b", 2, "", "{}") + "}}");
    QVERIFY(!nothing);
    QCOMPARE(nothing.error().kind, ErrorKind::Malformed);
}

void TestGenkit::recognises_data()
{
    QTest::addColumn<Text>("text");
    QTest::addColumn<bool>("isOurs");
    const auto row = [](const char *name, const Text &text, bool isOurs) { QTest::newRow(name) << text << isOurs; };
    row("a bare array", "[" + message("user", R"({"text":"Hi"})") + "]", true);
    row("a long first message",
        "[" + message("user", R"({"text":")" + Text(200'000, 'x') + R"("})") + "," + kCall + "]", true);
    row("a request", R"({"messages":[)" + kCall + "]}", true);
    row("a snapshot", R"({"snapshotId":"s","state":{"messages":[)" + kCall + "]}}", true);
    row("a chat", R"({"id":"s","threads":{"main":[)" + kCall + "]}}", true);
    row("a trace", R"({"traceId":"t","spans":{"a":{"attributes":{"genkit:type":"action"}}}})", true);
    row("a trace of something else", R"({"traceId":"t","spans":{"a":{"attributes":{"http.url":"x"}}}})", false);
    row("Gemini: parts", R"([{"role":"model","parts":[{"text":"Hi"}]}])", false);
    row("Goose: parts with a type", R"([{"role":"user","content":[{"type":"toolRequest","id":"x","toolCall":{}}]}])",
        false);
    row("Bedrock: an assistant",
        R"([{"role":"user","content":[{"text":"Hi"}]},{"role":"assistant","content":[{"text":"Yes?"}]}])", false);
    row("Anthropic",
        R"({"system":"S","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})", false);
    row("threads of something else", R"({"id":"s","threads":{"main":[{"cpu":1}]}})", false);
}

void TestGenkit::recognises()
{
    QFETCH(Text, text);
    QFETCH(bool, isOurs);
    QCOMPARE(formatOf(text) == "genkit", isOurs);
}

void TestGenkit::damage_data()
{
    QTest::addColumn<Text>("text");
    QTest::addColumn<Text>("words");
    QTest::addColumn<Text>("diagnostic");
    const auto row = [](const char *name, const Text &text, const char *words, const char *diagnostic) {
        QTest::newRow(name) << text << Text(words) << Text(diagnostic);
    };
    const Text whole = R"({"messages":[)" + kCall + "," + kResponse + "]}";
    row("a document that is cut off", whole.substr(0, whole.size() - 30),
        R"(assistant{call ls#r1 "{"path": "/x"}"} tool{result ls#r1 ""})", "The file ends in the middle of a value");
    row("a role that is not known",
        R"({"traceId":"t","spans":{)" + span("a", 1, R"({"messages":[{"role":"robot","content":[{"text":"x"}]}]})", "")
            + "}}",
        R"(user{text+typed "x"})", "1: The role \"robot\" is not known");
    row("an element that is no message", "[" + kCall + ",7]", R"(assistant{call ls#r1 "{"path": "/x"}"})",
        "1: An element of the messages is not a message");
    row("a message without parts is a slot", "[" + kCall + R"(,{"role":"tool","content":[]}])",
        R"(assistant{call ls#r1 "{"path": "/x"}"} tool{opaque ""})", "");
    row("bytes that are not UTF-8", "[" + kCall + "," + message("user", "{\"text\":\"a\xFF\"}") + "]",
        "assistant{call ls#r1 \"{\"path\": \"/x\"}\"} user{text+typed \"a\xEF\xBF\xBD\"}", "not UTF-8");
}

void TestGenkit::damage()
{
    QFETCH(Text, text);
    QFETCH(Text, words);
    QFETCH(Text, diagnostic);
    const auto session = load(text);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session), words);
    const Text found = diagnosticsOf(**session);
    QVERIFY2(found.contains(diagnostic), found.c_str());
    QCOMPARE(found.empty(), diagnostic.empty());
    QCOMPARE(brokenRule(**session), "");
}

void TestGenkit::corpusFiles_data()
{
    QTest::addColumn<Text>("file");
    for (const std::string &file : testing::corpusFiles({ "genkit" }))
        QTest::newRow(file.c_str()) << file;
    if (corpus().empty())
        QTest::newRow("no corpus") << Text();
}

void TestGenkit::corpusFiles()
{
    QFETCH(Text, file);
    if (file.empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto session = loadSession(corpus() / file);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "genkit");
    QCOMPARE(brokenRule(**session), "");
    QCOMPARE(diagnosticsOf(**session), "");
    const std::vector<Expected> expected = expectedOf(file);
    QCOMPARE(expected.size(), size_t(1));
    auto numbers = expected[0].numbers;
    QCOMPARE(slotsAtEnd(*session), numbers["slots_end"]);
    QCOMPARE(slotsInLife(*session), numbers["slots_life"]);
    QCOMPARE((*session)->threads[0].calls.size(), numbers["calls"]);
    QCOMPARE((*session)->threads[0].compactions.size(), numbers["compactions"]);
}

void TestGenkit::claimsNoOtherFormat()
{
    if (corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    std::string wrong;
    for (const std::string &file : testing::corpusFiles()) {
        const auto source = Source::open(corpus() / file);
        QVERIFY2(source, file.c_str());
        const bool isClaimed = kGenkit.sniff(sampleOf((*source)->bytes())) != Likeness::No;
        if (isClaimed != file.starts_with("genkit/"))
            wrong += file + "\n";
    }
    QCOMPARE(wrong, "");
}

PALIMPSEST_TEST(TestGenkit)
#include "tst_genkit.moc"
