// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/transcript.h"
#include "tests/joined.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using testing::describe;
using testing::joined;

namespace {

std::string messageJson(const std::string &role, const std::string &text)
{
    const std::string part = role == "assistant" ? "output_text" : "input_text";
    return R"({"type":"message","role":")" + role + R"(","content":[{"type":")" + part + R"(","text":")" + text
        + R"("}]})";
}
std::string user(const std::string &text) { return messageJson("user", text); }
std::string assistant(const std::string &text) { return messageJson("assistant", text); }
std::string thinking(const std::string &ciphertext)
{
    return R"({"type":"reasoning","summary":[],"encrypted_content":")" + ciphertext + R"("})";
}
std::string call(const std::string &id)
{
    return R"({"type":"function_call","name":"exec","arguments":"{\"cmd\":\"ls\"}","call_id":")" + id + R"("})";
}
std::string output(const std::string &id, const std::string &text = "a.txt")
{
    return R"({"type":"function_call_output","call_id":")" + id + R"(","output":")" + text + R"("})";
}

/// A request body on one line.
std::string request(const std::vector<std::string> &items, const std::string &more = "")
{
    return R"({"type":"response.create","model":"gpt-5.5","instructions":"You are Codex.")" + more
        + R"(,"tools":[{"type":"function","name":"exec"}],"input":[)" + joined(items, ",") + "]}\n";
}
std::string chained(const std::string &previous, const std::vector<std::string> &items, const std::string &more = "")
{
    return request(items, R"(,"previous_response_id":")" + previous + "\"" + more);
}
std::string response(const std::string &id, const std::vector<std::string> &items, int input = 100)
{
    return R"({"id":")" + id + R"(","object":"response","created_at":1777689292,"model":"gpt-5.5","output":[)"
        + joined(items, ",") + R"(],"usage":{"input_tokens":)" + std::to_string(input)
        + R"(,"input_tokens_details":{"cached_tokens":64},"output_tokens":5,"total_tokens":105}})" + "\n";
}

/// The array of one call, or of the end: the texts of its slots.
std::string array(const SessionPtr &session, const BlockRanges &ranges)
{
    std::string text;
    MessageId previous;
    ranges.forEach([&](BlockId id) {
        const Block &block = session->block(id);
        text += block.message != previous ? " | " : "+";
        previous = block.message;
        text += session->text(block.body);
    });
    return text.empty() ? text : text.substr(3);
}

std::string outputOf(const SessionPtr &session, const Call &call)
{
    BlockRanges ranges;
    ranges.append(call.output);
    return array(session, ranges);
}

/// Every call as `input → output`, one a line.
std::string calls(const SessionPtr &session, size_t thread = 0)
{
    std::string text;
    for (const Call &each : session->threads.at(thread).calls) {
        text += (text.empty() ? "" : "\n") + array(session, each.input) + " → " + outputOf(session, each);
        if (each.usage)
            text += " (" + std::to_string(each.usage->prompt()) + ")";
    }
    return text;
}

std::string notes(const SessionPtr &session)
{
    std::string text;
    for (const Diagnostic &each : session->diagnostics)
        text += (text.empty() ? "" : " ") + std::to_string(each.line) + " " + each.reason.substr(0, 12);
    return text;
}

SessionPtr loaded(const std::string &text)
{
    const auto session = testing::load(text);
    if (!session) {
        qWarning("%s", session.error().sentence().c_str());
        return nullptr;
    }
    const std::string broken = testing::brokenRule(**session);
    if (!broken.empty())
        qWarning("%s", broken.c_str());
    return broken.empty() ? *session : nullptr;
}

QByteArray bytes(const std::string &text) { return QByteArray::fromStdString(text); }

} // namespace

#define LOAD(session, text)                                                                                            \
    const SessionPtr session = loaded(text);                                                                           \
    QVERIFY(session);                                                                                                  \
    QCOMPARE((session)->format, "openai-responses")

class TestOpenAiResponses final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsOneRequest();
    void readsAStringAsInput();
    void readsInstructionsInAList();
    void readsAResponse();
    void readsARequestWithItsResponse();
    void ordersLists_data();
    void ordersLists();
    void readsArraysOfItems();
    void makesBlocksOfHostedTools_data();
    void makesBlocksOfHostedTools();
    void followsARecording();
    void keepsSideRequestsApart();
    void recordsCompactions();
    void chainsRequestsByResponse();
    void chainsRequestsWithoutResponses();
    void findsAnswersInLaterRequests();
    void sendsNothingToWarmTheCache();
    void resolvesReferences();
    void readsProxyRecords_data();
    void readsProxyRecords();
    void readsStreams();
    void readsDamagedFiles_data();
    void readsDamagedFiles();
    void recognisesTheApi_data();
    void recognisesTheApi();
    void claimsNoOtherFormat();
    void readsTheCorpus_data();
    void readsTheCorpus();
};

void TestOpenAiResponses::readsOneRequest()
{
    LOAD(session,
        request({ messageJson("developer", "<permissions instructions>p"), user("<environment_context>e"), user("Hi"),
            thinking("gAAA"), call("c1"), output("c1"), assistant("Done.") }));
    QCOMPARE(describe(*session),
        "system{text+injected \"<permissions instructions>p\"} user{text+injected \"<environment_context>e\"} "
        "user{text+typed \"Hi\"} assistant{thinking+encrypted \"gAAA\"} assistant{call exec#c1 \"{\"cmd\":\"ls\"}\"} "
        "tool{result exec#c1 \"a.txt\"} assistant{text \"Done.\"}");
    QCOMPARE(session->model, "gpt-5.5");
    QCOMPARE(session->title, "Hi");
    QCOMPARE(session->windowTokens.value_or(0), 272000U);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.calls.size(), 2U);
    for (const Call &each : thread.calls) {
        QVERIFY(each.isDerived);
        QVERIFY(each.prelude);
        QCOMPARE(each.prelude->size(), 2U);
        QCOMPARE(session->text(session->blocks[each.prelude->begin].body), "You are Codex.");
        QVERIFY(session->blocks[each.prelude->begin + 1].is(BlockFlag::Tools));
    }
    QCOMPARE(array(session, thread.calls[1].input),
        "<permissions instructions>p | <environment_context>e | Hi | gAAA | {\"cmd\":\"ls\"} | a.txt");
    QVERIFY(session->diagnostics.empty());
    // An item's record is its own JSON.
    QCOMPARE(std::string(session->record(session->blocks.back())), assistant("Done."));
}

void TestOpenAiResponses::readsAStringAsInput()
{
    LOAD(session, R"({"model":"gpt-5.5","instructions":"Be brief.","input":"What is \"2+2\"?"})");
    QCOMPARE(describe(*session), "user{text+typed \"What is \"2+2\"?\"}");
    QCOMPARE(std::string(session->record(session->blocks.back())), R"("What is \"2+2\"?")");
    QCOMPARE(session->harness, "OpenAI Responses API");
}

void TestOpenAiResponses::readsInstructionsInAList()
{
    LOAD(session,
        R"({"model":"gpt-5.5","instructions":["Be brief.","",{"type":"input_text","text":"Be kind."}],"input":"Hi"})");
    const BlockRange prelude = session->threads.front().prelude.value();
    QCOMPARE(prelude.size(), 2U);
    QCOMPARE(std::string(session->record(session->blocks[prelude.begin])), R"("Be brief.")");
    QCOMPARE(
        std::string(session->record(session->blocks[prelude.begin + 1])), R"({"type":"input_text","text":"Be kind."})");
    QCOMPARE(testing::brokenRule(*session), "");
}

void TestOpenAiResponses::readsAResponse()
{
    LOAD(session, response("resp_1", { thinking("gAAA"), assistant("Four.") }));
    QCOMPARE(describe(*session), "assistant{thinking+encrypted \"gAAA\"} assistant{text \"Four.\"}");
    const auto &made = session->threads.front().calls;
    QCOMPARE(made.size(), 1U);
    QVERIFY(!made[0].isDerived);
    QCOMPARE(made[0].usage.value(), (Usage { 36, 64, 0, 5 }));
    QVERIFY(made[0].input.isEmpty());
    QCOMPARE(made[0].output.size(), 2U);
}

void TestOpenAiResponses::readsARequestWithItsResponse()
{
    const std::string body = request({ user("a"), assistant("b"), user("c") });
    LOAD(session, body + response("resp_1", { assistant("d") }));
    QCOMPARE(calls(session), "a → b\na | b | c → d (100)");
    QVERIFY(session->threads.front().calls[0].isDerived);
    QVERIFY(!session->threads.front().calls[1].isDerived);
    QCOMPARE(array(session, session->threads.front().end), "a | b | c | d");
}

void TestOpenAiResponses::ordersLists_data()
{
    QTest::addColumn<QByteArray>("items");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const std::vector<std::string> &items, const char *expected) {
        QTest::newRow(name) << bytes(joined(items, ",")) << QByteArray(expected);
    };
    row("oldest first", { user("a"), call("1"), output("1"), assistant("b") }, "a | {\"cmd\":\"ls\"} | a.txt | b");
    row("newest first", { assistant("b"), output("1"), call("1"), user("a") }, "a | {\"cmd\":\"ls\"} | a.txt | b");
    row("newest first, without calls", { assistant("b"), user("a") }, "a | b");
    row("newest first, the question last", { user("c"), output("1"), call("1") }, "{\"cmd\":\"ls\"} | a.txt | c");
    row("one item", { assistant("b") }, "b");
}

void TestOpenAiResponses::ordersLists()
{
    QFETCH(QByteArray, items);
    QFETCH(QByteArray, expected);
    LOAD(session, R"({"object":"list","data":[)" + items.toStdString() + R"(],"first_id":"x","has_more":false})");
    QCOMPARE(bytes(array(session, session->threads.front().end)), expected);
    for (const Block &block : session->blocks) {
        if (block.kind == BlockKind::ToolResult)
            QCOMPARE(session->string(block.name), std::string_view("exec"));
    }
}

void TestOpenAiResponses::readsArraysOfItems()
{
    LOAD(session, "[\n" + user("a") + ",\n" + call("1") + ",\n7,\n" + output("1") + "\n]");
    QCOMPARE(array(session, session->threads.front().end), "a | {\"cmd\":\"ls\"} | a.txt");
    QCOMPARE(session->blocks[2].recordLine, 5U);
    QCOMPARE(session->diagnostics.size(), 1U);
    LOAD(lines, user("a") + "\n" + call("1") + "\n" + output("1") + "\n");
    QCOMPARE(array(lines, lines->threads.front().end), "a | {\"cmd\":\"ls\"} | a.txt");
    QCOMPARE(lines->blocks[2].recordLine, 3U);
}

void TestOpenAiResponses::makesBlocksOfHostedTools_data()
{
    QTest::addColumn<QByteArray>("item");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *item, const char *expected) {
        QTest::newRow(name) << QByteArray(item) << QByteArray(expected);
    };
    row("a call of a server holds its result",
        R"({"type":"mcp_call","id":"m","server_label":"s","name":"find","arguments":"{\"q\":1}","output":"found","error":null})",
        "assistant{call find \"{\"q\":1}\", result find \"found\"}");
    row("or its error", R"({"type":"mcp_call","id":"m","name":"find","arguments":"{}","output":null,"error":"gone"})",
        "assistant{call find \"{}\", result+error find \"gone\"}");
    row("code is run",
        R"({"type":"code_interpreter_call","id":"c","code":"1+1","outputs":[{"type":"logs","logs":"2"}]})",
        "assistant{call code_interpreter \"1+1\", result code_interpreter \"[{\"type\": \"logs\", \"logs\": "
        "\"2\"}]\"}");
    row("files are searched", R"({"type":"file_search_call","id":"f","queries":["x"],"results":null})",
        "assistant{call file_search \"[\"x\"]\"}");
    row("tools of a server are definitions",
        R"({"type":"mcp_list_tools","server_label":"s","tools":[{"name":"find"}]})",
        "assistant{opaque+tools s \"[{\"name\": \"find\"}]\"}");
    row("a computer is shown",
        R"({"type":"computer_call_output","call_id":"c9","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,iVBORw0K"}})",
        "tool{result#c9 \"\", image image/png#c9 \"iVBORw0K\"}");
    row("a computer is used", R"({"type":"computer_call","call_id":"c1","action":{"type":"click","x":1}})",
        "assistant{call computer#c1 \"{\"type\": \"click\", \"x\": 1}\"}");
    row("a shell says several things",
        R"({"type":"shell_call_output","call_id":"c9","output":[{"stdout":"a","stderr":""}]})",
        "tool{result#c9 \"[{\"stdout\": \"a\", \"stderr\": \"\"}]\"}");
    row("a tool says several things",
        R"({"type":"custom_tool_call_output","call_id":"c9","output":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]})",
        "tool{result#c9 \"a\nb\"}");
    row("a patch may fail", R"({"type":"apply_patch_call_output","call_id":"c9","status":"failed","output":"no"})",
        "tool{result+error#c9 \"no\"}");
    row("speech is data",
        R"({"type":"message","role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg","format":"wav"}}]})",
        "user{document audio/wav \"UklGRg\"}");
    row("a file may be elsewhere",
        R"({"type":"message","role":"user","content":[{"type":"input_file","file_id":"file-1"}]})",
        "user{document \"file-1\"}");
}

void TestOpenAiResponses::makesBlocksOfHostedTools()
{
    QFETCH(QByteArray, item);
    QFETCH(QByteArray, expected);
    LOAD(session, request({ item.toStdString() }));
    QCOMPARE(bytes(describe(*session)), expected);
}

void TestOpenAiResponses::followsARecording()
{
    LOAD(session,
        "{}\n" + request({ user("a") }) + request({ user("a"), thinking("x"), call("1"), output("1") }) + "{}\n"
            + request({ user("a"), thinking("x"), call("1"), output("1"), assistant("b"), user("c") }));
    QCOMPARE(calls(session),
        "a → x | {\"cmd\":\"ls\"}\n"
        "a | x | {\"cmd\":\"ls\"} | a.txt → b\n"
        "a | x | {\"cmd\":\"ls\"} | a.txt | b | c → ");
    QCOMPARE(session->threads.size(), 1U);
    QVERIFY(session->threads.front().compactions.empty());
    QCOMPARE(session->recordCount, 5U);
    QCOMPARE(session->harness, "Codex (requests to the OpenAI Responses API)");
    for (const Call &each : session->threads.front().calls) {
        QVERIFY(!each.isDerived);
        QVERIFY(each.prelude && each.prelude == session->threads.front().calls.front().prelude);
    }
    for (const Block &block : session->blocks) {
        if (block.kind == BlockKind::ToolResult)
            QCOMPARE(session->string(block.subject), std::string_view("ls"));
    }
}

void TestOpenAiResponses::keepsSideRequestsApart()
{
    LOAD(session,
        request({ user("a") }) + R"({"model":"gpt-5.4-mini","instructions":"Name it.","input":[)" + user("Title for: a")
            + "]}\n" + request({ user("a"), assistant("b"), user("c") }));
    QCOMPARE(session->threads.size(), 2U);
    QCOMPARE(calls(session, 0), "a → b\na | b | c → ");
    QCOMPARE(calls(session, 1), "Title for: a → ");
    QCOMPARE(session->string(session->threads[1].calls[0].model), std::string_view("gpt-5.4-mini"));
}

void TestOpenAiResponses::recordsCompactions()
{
    const std::string summary = R"({"type":"compaction","encrypted_content":"gS"})";
    LOAD(session,
        request({ user("a") }) + request({ user("a"), call("1"), output("1"), R"({"type":"compaction_trigger"})" })
            + request({ user("a"), summary }));
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.compactions.size(), 1U);
    QCOMPARE(thread.compactions[0].kind, CompactionKind::Summary);
    QCOMPARE(thread.compactions[0].call, CallIndex(1));
    QCOMPARE(array(session, thread.compactions[0].before),
        "a | {\"cmd\":\"ls\"} | a.txt | {\"type\": \"compaction_trigger\"}");
    QCOMPARE(array(session, thread.compactions[0].after), "a | gS");
    QVERIFY(thread.calls[2].input == thread.compactions[0].after);
}

void TestOpenAiResponses::chainsRequestsByResponse()
{
    LOAD(session,
        request({ user("a") }) + response("resp_1", { call("1") }) + chained("resp_1", { output("1") })
            + response("resp_2", { assistant("b") }) + chained("resp_2", { user("c") })
            + response("resp_3", { assistant("d") })
            // Another branch goes on from an earlier response.
            + chained("resp_1", { output("1", "other") }) + response("resp_4", { assistant("e") }));
    QCOMPARE(calls(session, 0),
        "a → {\"cmd\":\"ls\"} (100)\n"
        "a | {\"cmd\":\"ls\"} | a.txt → b (100)\n"
        "a | {\"cmd\":\"ls\"} | a.txt | b | c → d (100)\n"
        "a | {\"cmd\":\"ls\"} | other → e (100)");
    QCOMPARE(session->string(session->threads.front().calls[1].responseId), std::string_view("resp_2"));
    QVERIFY(session->diagnostics.empty());
}

void TestOpenAiResponses::chainsRequestsWithoutResponses()
{
    LOAD(session, request({ user("a") }) + chained("resp_1", { user("b") }) + chained("resp_2", { user("c") }));
    QCOMPARE(calls(session), "a → \na | b → \na | b | c → ");
    QCOMPARE(notes(session), "0 Requests tha");

    LOAD(lone, chained("resp_0", { user("b") }));
    QCOMPARE(array(lone, lone->threads.front().end), "b");
    QCOMPARE(notes(lone), "1 The request ");
}

void TestOpenAiResponses::findsAnswersInLaterRequests()
{
    LOAD(session,
        request({ user("a") }) + chained("resp_1", { output("1") }) + chained("resp_2", { user("c") })
            + request({ user("a"), thinking("x"), call("1"), output("1"), assistant("b"), user("c"), assistant("d"),
                user("e") }));
    QCOMPARE(calls(session),
        "a → x | {\"cmd\":\"ls\"}\n"
        "a | x | {\"cmd\":\"ls\"} | a.txt → b\n"
        "a | x | {\"cmd\":\"ls\"} | a.txt | b | c → d\n"
        "a | x | {\"cmd\":\"ls\"} | a.txt | b | c | d | e → ");
    QVERIFY(session->diagnostics.empty());
    QVERIFY(session->threads.front().compactions.empty());
}

void TestOpenAiResponses::sendsNothingToWarmTheCache()
{
    LOAD(session,
        request({ messageJson("developer", "p") }, R"(,"generate":false)") + chained("resp_0", { user("a") })
            + request({ messageJson("developer", "p"), user("a"), assistant("b"), user("c") }));
    QCOMPARE(calls(session), "p | a → b\np | a | b | c → ");
    QVERIFY(session->diagnostics.empty());
}

void TestOpenAiResponses::resolvesReferences()
{
    const std::string named
        = R"({"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"b"}]})";
    LOAD(session,
        request({ user("a") }) + response("resp_1", { named })
            + request({ user("a"), R"({"type":"item_reference","id":"msg_1"})", user("c"),
                R"({"type":"item_reference","id":"msg_9"})" }));
    QCOMPARE(calls(session), "a → b (100)\na | b | c | {\"type\": \"item_reference\", \"id\": \"msg_9\"} → ");
    QCOMPARE(notes(session), "3 The item msg");
}

void TestOpenAiResponses::readsProxyRecords_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto record = [](const std::string &requestSide, const std::string &responseSide) {
        return R"({"timestamp":"2026-05-02T02:34:55Z","request_id":"r","turn":1,"request":{"method":"POST","headers":{"authorization":"secret"},)"
            + requestSide + R"(},"response":{"status":200,)" + responseSide + "}}\n";
    };
    const auto trimmed = [](std::string text) {
        text.pop_back();
        return text;
    };
    const std::string first = trimmed(request({ user("a") }));
    const std::string second = trimmed(request({ user("a"), assistant("b"), user("c") }));
    QTest::newRow("bodies") << bytes(
        record("\"body\":" + first, "\"body\":" + trimmed(response("resp_1", { assistant("b") })))
        + record("\"body\":" + second, "\"body\":" + trimmed(response("resp_2", { assistant("d") }))))
                            << QByteArray("a → b (100)\na | b | c → d (100)");
    const std::string created = R"({"type":"response.created","response":{"id":"resp_1","object":"response"}})";
    const auto done
        = [](const std::string &item) { return R"({"type":"response.output_item.done","item":)" + item + "}"; };
    const auto completed = [&](const std::string &id, const std::vector<std::string> &items) {
        return R"({"type":"response.completed","response":)" + trimmed(response(id, items)) + "}";
    };
    QTest::newRow("the events of a socket with several responses") << bytes(
        record("\"body\":" + trimmed(chained("resp_2", { user("c") })) + ",\"ws_events\":["
                + joined({ trimmed(request({}, R"(,"generate":false)")), trimmed(chained("resp_1", { user("a") })),
                             trimmed(chained("resp_2", { user("c") })) },
                    ",")
                + "]",
            "\"body\":" + trimmed(response("resp_3", { assistant("d") })) + ",\"ws_events\":["
                + joined({ created, completed("resp_1", {}), created, done(assistant("b")), completed("resp_2", {}),
                             created, done(assistant("d")), completed("resp_3", {}) },
                    ",")
                + "]")) << QByteArray("a → b (100)\na | b | c → d (100)");
    std::string framed = completed("resp_1", { assistant("b") });
    std::string escaped;
    for (const char c : framed)
        escaped += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    QTest::newRow("events in strings") << bytes(
        record("\"body\":" + first,
            R"("body":null,"sse_events":[{"event":"response.created","data":"{}"},{"event":"response.completed","data":")"
                + escaped + "\"}]")
        + record("\"body\":" + second, "\"body\":null"))
                                       << QByteArray("a → b (100)\na | b | c → ");
}

void TestOpenAiResponses::readsProxyRecords()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    LOAD(session, text.toStdString());
    QCOMPARE(bytes(calls(session)), expected);
    QVERIFY(session->threads.front().calls.front().time);
    QCOMPARE(bytes(notes(session)), QByteArray());
    for (const Block &block : session->blocks)
        QVERIFY(session->text(block.body).find("secret") == std::string::npos);
}

void TestOpenAiResponses::readsStreams()
{
    LOAD(session,
        request({ user("a") })
            + R"({"type":"response.created","response":{"id":"resp_1"}})"
              "\n"
              R"({"type":"response.output_text.delta","delta":"b"})"
              "\n"
              R"({"type":"response.output_item.done","item":)"
            + assistant("b")
            + "}\n"
              R"({"type":"response.completed","response":{"id":"resp_1","output":[],"usage":{"input_tokens":9,"output_tokens":1}}})"
              "\n"
            + chained("resp_1", { user("c") }));
    QCOMPARE(calls(session), "a → b (9)\na | b | c → ");
    QVERIFY(session->diagnostics.empty());
}

void TestOpenAiResponses::readsDamagedFiles_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<QByteArray>("diagnostics");
    const std::string body = request({ user("a"), assistant("b"), user("c") });
    QTest::newRow("a document that is cut off, with the message that was begun")
        << bytes(body.substr(0, body.size() - 20)) << QByteArray("a | b | ") << QByteArray("1 The file end");
    QTest::newRow("bytes that are not UTF-8")
        << bytes(request({ user("\xFF") })) << QByteArray("\xEF\xBF\xBD") << QByteArray("0 The file hel");
    QTest::newRow("a record that is cut off")
        << bytes(body + body + body.substr(0, 200)) << QByteArray("a | b | c") << QByteArray("3 The last rec");
    QTest::newRow("a result without its call")
        << bytes(request({ output("c7") })) << QByteArray("a.txt") << QByteArray("1 The result o");
    QTest::newRow("an item that is not an object")
        << bytes(request({ user("a"), "null" })) << QByteArray("a") << QByteArray("0 Elements tha");
}

void TestOpenAiResponses::readsDamagedFiles()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, end);
    QFETCH(QByteArray, diagnostics);
    LOAD(session, text.toStdString());
    QCOMPARE(bytes(array(session, session->threads.front().end)), end);
    QCOMPARE(bytes(notes(session)), diagnostics);
}

void TestOpenAiResponses::recognisesTheApi_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isOwn");
    const auto row
        = [](const char *name, const std::string &text, bool isOwn) { QTest::newRow(name) << bytes(text) << isOwn; };
    row("a request", request({ user("a") }), true);
    row("a request with simple messages",
        R"({"model":"gpt-5.5","input":[{"role":"user","content":"Hi"}],"instructions":"x"})", true);
    row("a request of text", R"({"model":"gpt-5.5","input":"Hi","max_output_tokens":5})", true);
    row("a request whose array begins behind the head",
        "{\"model\":\"m\",\"instructions\":\"" + std::string(70'000, 'x') + "\",\"input\":[" + user("a") + "]}", true);
    row("two long requests", request({ user(std::string(40'000, 'a')) }) + request({ user(std::string(40'000, 'a')) }),
        true);
    row("a response", response("r", {}), true);
    row("a list of items", R"({"object":"list","data":[)" + user("a") + "]}", true);
    row("a list of reasoning", R"({"object":"list","data":[)" + thinking("a") + "]}", true);
    row("items", "[" + user("a") + "]", true);
    row("embeddings", R"({"model":"text-embedding-3-small","input":"Hi","encoding_format":"float"})", false);
    row("bare embeddings", R"({"model":"text-embedding-3-small","input":"Hi"})", false);
    row("a chat", R"({"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}]})", false);
    row("chat messages", R"([{"role":"system","content":"x"},{"role":"user","content":"Hi"}])", false);
    row("Anthropic messages",
        R"([{"role":"user","content":[{"type":"text","text":"Hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]}])",
        false);
    row("a list of models", R"({"object":"list","data":[{"id":"gpt-5","object":"model"}]})", false);
    row("a list of chats", R"({"object":"list","data":[{"id":"c","object":"chat.completion","choices":[]}]})", false);
    row("pi's records",
        R"({"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":"x"}})"
        "\n"
        R"({"type":"message","id":"b","parentId":"a","timestamp":"t","message":{"role":"user","content":"x"}})",
        false);
    row("a tool's input", R"({"type":"tool","name":"x","input":{"a":1}})", false);
    row("a proxy's record of another API",
        R"({"request":{"body":{"model":"claude","max_tokens":1,"messages":[]}},"response":{"body":{}}})", false);
}

void TestOpenAiResponses::recognisesTheApi()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isOwn);
    QCOMPARE(testing::formatOf(text.toStdString()) == "openai-responses", isOwn);
}

void TestOpenAiResponses::claimsNoOtherFormat()
{
    if (testing::corpus().empty())
        QSKIP("The corpus of real files is not here; PALIMPSEST_CORPUS names it.");
    for (const std::string &file : testing::corpusFiles()) {
        const auto source = Source::open(testing::corpus() / file);
        QVERIFY(source);
        const auto format = recognise((*source)->bytes(), file);
        const std::string id = format ? std::string((*format)->id) : std::string();
        const bool isCodex
            = file.starts_with("codex/") || file == "malformed-derived/Monotoba+OpenPrintKit/codex.cut-midline.jsonl";
        QVERIFY2((id == "codex") == isCodex, file.c_str());
        QVERIFY2((id == "openai-responses") == file.starts_with("openai-responses/"), file.c_str());
    }
}

void TestOpenAiResponses::readsTheCorpus_data()
{
    QTest::addColumn<QString>("file");
    for (const std::string &file : testing::corpusFiles({ "openai-responses" }))
        QTest::newRow(file.c_str()) << QString::fromStdString(file);
}

void TestOpenAiResponses::readsTheCorpus()
{
    if (testing::corpus().empty())
        QSKIP("The corpus of real files is not here; PALIMPSEST_CORPUS names it.");
    QFETCH(QString, file);
    const auto session = loadSession(testing::corpus() / file.toStdString());
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE((*session)->format, "openai-responses");
    QCOMPARE(testing::brokenRule(**session), "");
    const auto expected = testing::expectedOf(file.toStdString());
    QCOMPARE(expected.size(), 1U);
    auto numbers = expected.front().numbers;
    if (file.endsWith(u"trace_compact_codex.all-request-bodies.jsonl"))
        numbers["slots_life"] = 17; // each of the three requests to compact was a slot of its own
    if (file.endsWith(u"trace_image_codex.largest-request-body.json"))
        numbers["calls"] = 4; // the note that Codex puts before a generated image does not end the response
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(testing::slotsAtEnd(*session), numbers["slots_end"]);
    QCOMPARE(testing::slotsInLife(*session), numbers["slots_life"]);
    QCOMPARE(thread.calls.size(), numbers["calls"]);
    QCOMPARE(thread.compactions.size(), numbers["compactions"]);
    QCOMPARE((*session)->threads.size() - 1, numbers["threads"]);
    for (const RecordedCompaction &each : thread.compactions)
        QCOMPARE(each.kind, CompactionKind::Summary);
}

PALIMPSEST_TEST(TestOpenAiResponses)
#include "tst_openai_responses.moc"
