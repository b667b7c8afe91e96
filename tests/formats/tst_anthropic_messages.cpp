// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/anthropic_stream.h"
#include "core/formats/reading/formats.h"
#include "core/session/transcript.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>

using namespace core;
using namespace testing;

namespace {

using Text = std::string;

std::string error(const Result<SessionPtr> &session) { return session ? std::string() : session.error().sentence(); }

/// A request body around a messages array.
Text body(const Text &messages, const Text &more = R"("system":"Be brief.","max_tokens":64)")
{
    return R"({"model":"claude-x","messages":[)" + messages + "]," + more + "}";
}

Text user(const Text &content) { return R"({"role":"user","content":)" + content + "}"; }
Text assistant(const Text &content) { return R"({"role":"assistant","content":)" + content + "}"; }

Text textOf(const Session &session, BlockRange range)
{
    Text text;
    for (uint32_t i = range.begin; i < range.end; ++i)
        text += (text.empty() ? "" : "|") + session.text(session.blocks[i].body);
    return text;
}

} // namespace

class TestAnthropicMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRepeatedMemberKeepsTheRecordsOfBoth();
    void content_data();
    void content();
    void toolResults_data();
    void toolResults();
    void whoWroteIt_data();
    void whoWroteIt();
    void preludeIsNoSlot();
    void recordsAreMessages();
    void singleBodyHasDerivedCalls();
    void recordingSharesBlocks();
    void countRequestsAreNoCalls();
    void bodiesWithoutLimitAreCalls();
    void pairsHaveResponses();
    void streamedResponses();
    void brokenStream();
    void failedRequest();
    void subagentsNameTheirCall();
    void recognises_data();
    void recognises();
    void damage_data();
    void damage();
    void malformedSample();
    void corpusFiles_data();
    void corpusFiles();
    void corpusFacts();
    void claimsNoOtherFormat();
};

void TestAnthropicMessages::aRepeatedMemberKeepsTheRecordsOfBoth()
{
    const auto session = testing::load(
        R"({"model":"m","max_tokens":1,"system":[{"type":"text","text":"a"}],"messages":[{"role":"user","content":"hi"}],)"
        R"("system":[{"type":"text","text":"b"}]})");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(testing::brokenRule(**session), std::string());
}

void TestAnthropicMessages::content_data()
{
    QTest::addColumn<Text>("messages");
    QTest::addColumn<Text>("words");
    const auto row = [](const char *name, const Text &messages, const char *words) {
        QTest::newRow(name) << messages << Text(words);
    };
    row("a string is a text", user(R"("Say \u00e9\n")"), "user{text+typed \"Say \xC3\xA9\n\"}");
    row("an empty string is a slot", user("\"\"") + "," + assistant("\"x\""),
        R"(user{text+typed ""} assistant{text "x"})");
    row("a message without content is a slot", user("[]") + "," + assistant("null"),
        R"(user{opaque ""} assistant{opaque ""})");
    row("user messages that follow each other are one",
        user("\"a\"") + "," + user(R"([{"type":"text","text":"b"}])") + "," + assistant("\"c\"") + ","
            + assistant("\"d\""),
        R"(user{text+typed "a", text+typed "b"} assistant{text "c"} assistant{text "d"})");
    row("a system message in the array is a slot", user("\"a\"") + R"(,{"role":"system","content":"Note."})",
        R"(user{text+typed "a"} system{text+injected "Note."})");
    row("cache marks stand on their block",
        user(R"([{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"text":"b","type":"text"}])"),
        R"(user{text+typed+mark "a", text+typed "b"})");
    row("members come in any order",
        R"({"content":[{"input":{"path":"/x"},"name":"ls","id":"t1","type":"tool_use"}],"role":"assistant"})",
        R"(assistant{call ls#t1 "{"path": "/x"}"})");
    row("thinking, encrypted thinking, and thinking that only a signature holds",
        assistant(
            R"([{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"redacted_thinking","data":"ZGF0YQ=="},)"
            R"({"type":"thinking","thinking":"","signature":"c2ln"}])"),
        R"(assistant{thinking "Hm.", thinking+encrypted "ZGF0YQ==", thinking+encrypted "c2ln"})");
    row("images and documents",
        user(R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},)"
             R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBE"}},)"
             R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"plain"}},)"
             R"({"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}])"),
        R"(user{image image/png "iVBO", document application/pdf "JVBE", document text/plain "plain", image "https://example.org/a.png"})");
    row("server tools are calls and results",
        assistant(
            R"([{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}},)"
            R"({"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"u"}]}])"),
        R"(assistant{call web_search#s1 "{"query": "q"}", result web_search#s1 "[{"type": "web_search_result", "url": "u"}]"})");
    row("what is not known is kept as it is", assistant(R"([{"type":"new_kind","x":1}])"),
        R"(assistant{opaque new_kind "{"type": "new_kind", "x": 1}"})");
    row("a compaction of the API is a summary", assistant(R"([{"type":"compaction","content":"So far."}])"),
        R"(assistant{opaque+summary compaction "{"type": "compaction", "content": "So far."}"})");
}

void TestAnthropicMessages::content()
{
    QFETCH(Text, messages);
    QFETCH(Text, words);
    const auto session = load(body(messages));
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session), words);
    QCOMPARE(brokenRule(**session), "");
    QCOMPARE(diagnosticsOf(**session), "");
}

void TestAnthropicMessages::toolResults_data()
{
    QTest::addColumn<Text>("result");
    QTest::addColumn<Text>("words");
    const auto row = [](const char *name, const char *result, const char *words) {
        QTest::newRow(name) << Text(result) << Text(words);
    };
    row("a string", R"("content":"a\tb")", "result ls#t1 \"a\tb\"");
    row("one text part", R"("content":[{"type":"text","text":"a"}])", R"(result ls#t1 "a")");
    row("several text parts are one result", R"("content":[{"type":"text","text":"a"},{"type":"text","text":"b"}])",
        "result ls#t1 \"a\nb\"");
    row("an image follows as a block",
        R"("content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}])",
        R"(result ls#t1 "", image image/png#t1 "iVBO")");
    row("texts beside an image are not counted twice",
        R"("content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},{"type":"text","text":"b"}])",
        "result ls#t1 \"a\nb\", image image/png#t1 \"iVBO\"");
    row("a part of another kind is JSON", R"("content":[{"type":"tool_reference","tool_name":"x"}])",
        R"(result ls#t1 "[{"type": "tool_reference", "tool_name": "x"}]")");
    row("none", R"("is_error":false)", R"(result ls#t1 "")");
    row("a failure", R"("content":"no","is_error":true)", R"(result+error ls#t1 "no")");
    row("a call that the person rejected with words",
        R"("content":"The user doesn't want to proceed with this tool use. So the user said: no","is_error":true)",
        R"(result+error+typed part ls#t1 "The user doesn't want to proceed with this tool use. So the user said: no")");
}

void TestAnthropicMessages::toolResults()
{
    QFETCH(Text, result);
    QFETCH(Text, words);
    const auto session = load(body(assistant(R"([{"type":"tool_use","id":"t1","name":"ls","input":{"path":"/a b"}}])")
        + "," + user(R"([{"type":"tool_result","tool_use_id":"t1",)" + result + "}]")));
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session), R"(assistant{call ls#t1 "{"path": "/a b"}"} user{)" + words + "}");
    QCOMPARE((*session)->string((*session)->blocks[1].subject), "/a b");
    QCOMPARE(brokenRule(**session), "");
}

void TestAnthropicMessages::whoWroteIt_data()
{
    QTest::addColumn<Text>("text");
    QTest::addColumn<Text>("flags");
    const auto row = [](const char *text, const char *flags) { QTest::newRow(text) << Text(text) << Text(flags); };
    row("Fix it.", "+typed");
    row("<system-reminder>\\nNote", "+injected");
    row("<system-reminder>\\nThe user sent a new message while you were working:\\ngo on\\n</system-reminder>",
        "+injected+typed part");
    row("<command-name>/x</command-name>\\n<command-args>now</command-args>", "+injected+typed part");
    row("<command-name>/x</command-name>\\n<command-args></command-args>", "+injected");
    row("[Request interrupted by user]\\nnot that file", "+injected+typed part");
    row("[Request interrupted by user]", "+injected");
    row("EXECUTION RESULT of [execute_bash]:\\nok", "+injected");
    row("<returncode>0</returncode>\\n<output>", "+injected");
    row("Base directory for this skill: /x", "+injected");
    row("CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.", "+injected");
    row("This session is being continued from a previous conversation that ran out of context.", "+summary");
}

void TestAnthropicMessages::whoWroteIt()
{
    QFETCH(Text, text);
    QFETCH(Text, flags);
    const auto session = load(body(user("\"" + text + "\"") + "," + assistant("\"" + text + "\"")));
    QVERIFY2(session, error(session).c_str());
    const Text found = describe(**session);
    QVERIFY2(found.starts_with("user{text" + flags + " "), found.c_str());
    QVERIFY2(found.contains("assistant{text \""), found.c_str());
}

void TestAnthropicMessages::preludeIsNoSlot()
{
    const auto session = load(body(user("\"Hi\""),
        R"("system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=2.1.156.053; cch=1;"},)"
        R"({"type":"text","text":"You are Claude.\nPrimary working directory: /home/x\n","cache_control":{"type":"ephemeral"}}],)"
        R"("tools":[{"name":"ls","input_schema":{}},{"type":"web_search_20250305","name":"web_search"}],"max_tokens":1)"));
    QVERIFY2(session, error(session).c_str());
    const Session &found = **session;
    QCOMPARE(slotsAtEnd(*session), size_t(1));
    QVERIFY(found.threads[0].prelude);
    QCOMPARE(found.threads[0].prelude->size(), 4U);
    const Block *prelude = &found.blocks[found.threads[0].prelude->begin];
    QVERIFY(prelude[0].is(BlockFlag::Injected));
    QVERIFY(prelude[1].is(BlockFlag::CacheMark));
    QVERIFY(prelude[2].is(BlockFlag::Tools));
    QCOMPARE(found.string(prelude[3].name), "web_search");
    QCOMPARE(found.text(prelude[2].body), R"({"name": "ls", "input_schema": {}})");
    QCOMPARE(found.message(prelude[0].message).role, Role::System);
    QCOMPARE(found.harness, "Claude Code 2.1.156");
    QCOMPARE(found.workingFolder, "/home/x");
    QCOMPARE(found.model, "claude-x");
    QCOMPARE(found.title, "Hi");
    QCOMPARE(found.windowTokens.value_or(0), uint64_t(200'000));
    QCOMPARE(brokenRule(found), "");
}

void TestAnthropicMessages::recordsAreMessages()
{
    const Text first = user("\"a\"");
    const Text second
        = assistant(R"([{"type":"text","text":"b"},{"type":"tool_use","id":"t1","name":"ls","input":{}}])");
    const Text text = "{\"system\":\"S\",\n\"max_tokens\":1,\"messages\":[\n" + first + ",\n\n" + second + "]}";
    const auto session = load(text);
    QVERIFY2(session, error(session).c_str());
    const std::vector<Block> &blocks = (*session)->blocks;
    QCOMPARE(Text((*session)->record(blocks[0])), first);
    QCOMPARE(blocks[0].recordLine, uint64_t(3));
    QCOMPARE(Text((*session)->record(blocks[2])), second);
    QCOMPARE(blocks[2].recordLine, uint64_t(5));
    QCOMPARE((*session)->messages[1].line, uint64_t(5));
    QCOMPARE(Text((*session)->record(blocks[3])), "\"S\"");
    QCOMPARE(blocks[3].recordLine, uint64_t(1));
}

void TestAnthropicMessages::singleBodyHasDerivedCalls()
{
    const auto session = load(body(user("\"a\"") + "," + assistant("\"b\"") + "," + user("\"c\"") + ","
        + assistant("\"d\"") + "," + user("\"e\"")));
    QVERIFY2(session, error(session).c_str());
    const std::vector<Call> &calls = (*session)->threads[0].calls;
    QCOMPARE(calls.size(), size_t(2));
    QVERIFY(calls[0].isDerived);
    QCOMPARE(Transcript(*session, calls[1].input).slotCount(), size_t(3));
    QCOMPARE(textOf(**session, calls[1].output), "d");
    QCOMPARE(slotsAtEnd(*session), size_t(5));
    QCOMPARE(textOf(**session, calls[1].prelude.value()), "Be brief.");
    QCOMPARE((*session)->string(calls[1].model), "claude-x");
    // A body that holds no answer yet has none.
    const auto alone = load(body(user("\"a\"")));
    QVERIFY2(alone, error(alone).c_str());
    QVERIFY((*alone)->threads[0].calls.empty());
    QCOMPARE(slotsAtEnd(*alone), size_t(1));
    QCOMPARE((*alone)->model, "claude-x");
}

void TestAnthropicMessages::recordingSharesBlocks()
{
    const Text one = user(R"([{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}])");
    const Text two = user("\"a\"") + "," + assistant("\"b\"") + ","
        + user(R"([{"type":"text","text":"c","cache_control":{"type":"ephemeral"}}])");
    const Text title
        = R"({"model":"claude-h","system":"Make a title.","max_tokens":9,"messages":[)" + user("\"a\"") + "]}";
    const auto session = load(body(one) + "\n" + title + "\n" + body(two) + "\n");
    QVERIFY2(session, error(session).c_str());
    const Session &found = **session;
    QCOMPARE(found.threads.size(), size_t(2));
    QCOMPARE(found.threads[0].calls.size(), size_t(2));
    QCOMPARE(found.threads[0].calls[1].line, uint64_t(3));
    QCOMPARE(textOf(found, found.threads[0].calls[0].output), "b");
    QVERIFY(!found.threads[0].calls[0].isDerived);
    QCOMPARE(describe(found), R"(user{text+typed+mark "a"} assistant{text "b"} user{text+typed+mark "c"})");
    QCOMPARE(describe(found, 1), R"(user{text "a"})"); // nobody typed it
    QCOMPARE(found.threads[1].kind, ThreadKind::Subagent);
    QCOMPARE(found.blocks.size(), size_t(3 + 1 + 1 + 1));
    QCOMPARE(found.recordCount, uint64_t(3));
    QCOMPARE(found.model, "claude-x");
    QCOMPARE(brokenRule(found), "");
}

void TestAnthropicMessages::countRequestsAreNoCalls()
{
    const Text count = R"({"model":"claude-x","tools":[],"messages":[{"role":"user","content":"how long?"}]})";
    const Text request = body(user("\"a\""));
    for (const Text &text :
        { count + "\n" + request + "\n" + count + "\n", request + "\n" + count + "\n" + count + "\n{}\n" }) {
        const auto session = load(text);
        QVERIFY2(session, error(session).c_str());
        QCOMPARE((*session)->threads.size(), size_t(1));
        QCOMPARE(describe(**session), R"(user{text+typed "a"})");
        QCOMPARE((*session)->sideBytes, 2 * count.size());
        QVERIFY(diagnosticsOf(**session).contains("2 records only ask for a token count"));
    }
    // A proxy says where it was sent.
    const Text pair = R"({"request":{"path":"/v1/messages/count_tokens?beta=true","body":)" + request + "}}";
    const auto session = load(R"({"request":{"path":"/v1/messages","body":)" + request + "}}\n" + pair + "\n");
    QVERIFY2(session, error(session).c_str());
    QVERIFY(diagnosticsOf(**session).starts_with("2: This record only asks for a token count"));
}

void TestAnthropicMessages::bodiesWithoutLimitAreCalls()
{
    const Text plain = R"("system":"S")";
    const auto session
        = load(body(user("\"a\""), plain) + "\n" + body(user("\"a\"") + "," + assistant("\"b\""), plain));
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->threads[0].calls.size(), size_t(2));
    QCOMPARE(diagnosticsOf(**session), "");
}

void TestAnthropicMessages::pairsHaveResponses()
{
    const Text first
        = R"({"timestamp":"2026-01-31T12:00:00Z","request":{"method":"POST","path":"/v1/messages?beta=true","headers":{"messages":"no"},"body":)"
        + body(user("\"a\""))
        + R"(},"response":{"status":200,"body":{"id":"msg_1","type":"message","role":"assistant","model":"claude-y","content":[{"type":"text","text":"b"}],)"
          R"("usage":{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":0,"output_tokens":2}}}})";
    const Text second = R"({"request":{"timestamp":1769860801.5,"url":"https://api.anthropic.com/v1/messages","body":)"
        + body(user("\"a\"") + "," + assistant(R"([{"text":"b","type":"text"}])") + "," + user("\"c\""))
        + R"(},"response":{"status_code":200,"body":{"id":"msg_2","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}],)"
          R"("usage":{"input_tokens":4,"cache_creation_input_tokens":0,"cache_read_input_tokens":13,"output_tokens":5}}},"logged_at":"x"})";
    const Text models = R"({"request":{"path":"/v1/models","body":null},"response":{"status":200,"body":{"data":[]}}})";
    const auto session = load(first + "\n" + models + "\n" + second + "\n");
    QVERIFY2(session, error(session).c_str());
    const Session &found = **session;
    const std::vector<Call> &calls = found.threads[0].calls;
    QCOMPARE(calls.size(), size_t(2));
    QCOMPARE(textOf(found, calls[0].output), "b");
    QCOMPARE(calls[0].usage.value(), (Usage { 3, 0, 10, 2 }));
    QCOMPARE(calls[1].usage.value(), (Usage { 4, 13, 0, 5 }));
    QCOMPARE(found.string(calls[0].model), "claude-y");
    QCOMPARE(found.string(calls[1].responseId), "msg_2");
    QCOMPARE(calls[0].time.value_or(0), Timestamp(1769860800000));
    QCOMPARE(calls[1].time.value_or(0), Timestamp(1769860801500));
    QCOMPARE(found.string(found.message(found.blocks[calls[1].output.begin].message).externalId), "msg_2");
    // The answer that is sent back is the answer.
    QCOMPARE(
        describe(found), R"(user{text+typed "a"} assistant{text "b"} user{text+typed "c"} assistant{call ls#t1 "{}"})");
    QCOMPARE(found.blocks.size(), size_t(4 + 1));
    QCOMPARE(found.sideBytes, models.size());
    QCOMPARE(diagnosticsOf(found), "2: This record contains no messages; it was left out.\n");
    QCOMPARE(brokenRule(found), "");
}

void TestAnthropicMessages::streamedResponses()
{
    const Text events
        = "event: message_start\n"
          R"(data: {"type":"message_start","message":{"id":"msg_9","role":"assistant","model":"claude-z","content":[],"usage":{"input_tokens":7,"output_tokens":1}}})"
          "\n\nevent: content_block_start\n"
          R"(data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}})"
          "\n\n"
          R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"H\u00e9"}})"
          "\n\n"
          R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}})"
          "\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n"
          R"(data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})"
          "\n\n"
          R"(data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Line \"one\"\n"}})"
          "\n\n"
          R"(data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"two"}})"
          "\n\n"
          R"(data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"ls","input":{}}})"
          "\n\n"
          R"(data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"path\": \"/"}})"
          "\n\n"
          R"(data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"x\"}"}})"
          "\n\n"
          R"(data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":42}})"
          "\n\ndata: {\"type\":\"message_stop\"}\n\n";
    const auto message = messageOfEventStream(events);
    QVERIFY(message);
    Text quoted;
    for (const char c : events)
        quoted += c == '"' ? "\\\"" : c == '\\' ? "\\\\" : c == '\n' ? "\\n" : Text(1, c);
    const auto session = load(R"({"request":{"url":"https://api.anthropic.com/v1/messages","body":)"
        + body(user("\"a\"")) + R"(},"response":{"status_code":200,"body_raw":")" + quoted + "\"}}\n");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session),
        "user{text+typed \"a\"} assistant{thinking \"H\xC3\xA9\", text \"Line \"one\"\ntwo\", call ls#t1 \"{\"path\": "
        "\"/x\"}\"}");
    const Call &call = (*session)->threads[0].calls.at(0);
    QCOMPARE(call.usage.value(), (Usage { 7, 0, 0, 42 }));
    QCOMPARE((*session)->string(call.model), "claude-z");
    QCOMPARE((*session)->string(call.responseId), "msg_9");
    QCOMPARE(call.output.size(), 3U);
    QCOMPARE(brokenRule(**session), "");
    QCOMPARE(diagnosticsOf(**session), "");
}

void TestAnthropicMessages::brokenStream()
{
    QVERIFY(!messageOfEventStream("event: error\ndata: {\"type\":\"error\"}\n"));
    QVERIFY(!messageOfEventStream("<html>502</html>"));
    // Broken off within the arguments: what came is kept, as a string.
    const auto message = messageOfEventStream(
        "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[]}}\n"
        "data: "
        "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":"
        "\"n\",\"input\":{}}}\n"
        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"partial_json\":\"{\\\"a\"}}\n"
        "data: {\"type\":\"content_bl");
    QVERIFY(message);
    QCOMPARE(*message, R"({"id":"m","content":[{"type":"tool_use","id":"t","name":"n","input":"{\"a"}],"usage":{}})");
    const auto session = load(R"({"request":{"url":"/v1/messages","body":)" + body(user("\"a\""))
        + R"(},"response":{"status_code":502,"body_raw":"<html>502</html>"}})" + "\n");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(diagnosticsOf(**session), "1: The response of this request could not be read.\n");
    QCOMPARE((*session)->threads[0].calls.size(), size_t(0)); // one body, no answer: nothing but the array is known
}

void TestAnthropicMessages::failedRequest()
{
    const Text pair = R"({"request":{"path":"/v1/messages","body":)" + body(user("\"a\""));
    const auto session = load(pair
        + R"(},"response":{"status":529,"body":{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}}})"
        + "\n" + pair
        + R"(},"response":{"status":200,"body":{"id":"m","role":"assistant","content":[{"type":"text","text":"b"}]}}})"
        + "\n");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(diagnosticsOf(**session), "1: This request failed (overloaded_error): it has no answer.\n");
    const Thread &thread = (*session)->threads[0];
    QCOMPARE(thread.calls.size(), size_t(2));
    QCOMPARE(thread.calls[0].output.size(), 0U);
    QCOMPARE(describe(**session), R"(user{text+typed "a"} assistant{text "b"})");
}

void TestAnthropicMessages::subagentsNameTheirCall()
{
    const Text task = R"("Look into the parser and report.")";
    const Text call = assistant(
        R"([{"type":"tool_use","id":"t1","name":"Task","input":{"description":"d","prompt":)" + task + "}}]");
    const Text side
        = R"({"model":"claude-x","system":"You are an agent.","max_tokens":9,"messages":[)" + user(task) + "]}";
    const auto session = load(body(user("\"Go on, please.\"")) + "\n" + side + "\n"
        + body(user("\"Go on, please.\"") + "," + call + ","
            + user(R"([{"type":"tool_result","tool_use_id":"t1","content":"done"}])"))
        + "\n");
    QVERIFY2(session, error(session).c_str());
    const Session &found = **session;
    QCOMPARE(found.threads.size(), size_t(2));
    QVERIFY(found.threads[1].parentCall.isValid());
    QCOMPARE(found.string(found.block(found.threads[1].parentCall).callId), "t1");
    QCOMPARE(found.threads[1].title, "Look into the parser and report.");
    QVERIFY(!found.threads[0].parentCall.isValid());
}

void TestAnthropicMessages::recognises_data()
{
    QTest::addColumn<Text>("text");
    QTest::addColumn<bool>("isOurs");
    const auto row = [](const char *name, const Text &text, bool isOurs) { QTest::newRow(name) << text << isOurs; };
    const Text hi = user("\"Hi\"");
    row("a system prompt and a limit", body(hi), true);
    row("a limit that stands behind a long array", body(user("\"" + Text(200'000, 'x') + "\"")), true);
    row("tools with an input schema", body(hi, R"("tools":[{"name":"ls","input_schema":{}}])"), true);
    row("thinking switched on", body(hi, R"("thinking":{"type":"enabled"})"), true);
    row("a bare array with tool results",
        "[" + hi + "," + user(R"([{"type":"tool_result","tool_use_id":"t","content":""}])") + "]", true);
    row("a list of bodies", "[" + body(hi) + "," + body(hi) + "]", true);
    row("a recording that begins with a stump", "{\"a\":\n" + body(hi) + "\n" + body(hi) + "\n", true);
    row("a recording of pairs", R"({"request":{"path":"/v1/messages","body":)" + body(hi) + "}}\n{}\n", true);
    row("an image with its source",
        R"({"max_tokens":9,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"aGkK"}}]}]})",
        true);
    row("Chat: a system message first",
        R"({"model":"gpt-4o","max_tokens":9,"messages":[{"role":"system","content":"S"},)" + hi + "]}", false);
    row("Chat: no more than texts", R"({"model":"gpt-4o","max_tokens":9,"messages":[)" + hi + "]}", false);
    row("Chat: a bare array", "[" + hi + "," + assistant("\"Hello\"") + "]", false);
    row("Chat: tool messages",
        body(hi + R"(,{"role":"tool","tool_call_id":"c","content":"x"})", R"("max_tokens":1,"thinking":{})"), false);
    row("Cline: times on the messages",
        R"([{"role":"user","ts":1,"content":[{"type":"tool_result","tool_use_id":"t","content":""}]}])", false);
    row("Cline: a session", body(hi, R"("system_prompt":"S","sessionId":"s","max_tokens":1,"system":"S")"), false);
    row("LangChain: types on the messages",
        R"({"messages":[{"type":"ai","content":[{"type":"tool_use","id":"t","name":"n","input":{}}],"additional_kwargs":{}}]})",
        false);
    row("Genkit: parts without a type",
        R"({"messages":[{"role":"user","content":[{"text":"Hi"}]}],"max_tokens":1,"system":"S"})", false);
    row("Responses: items",
        R"({"model":"claude-x","max_tokens":1,"system":"S","messages":[{"role":"user","content":[{"type":"input_text","text":"Hi"}]}]})",
        false);
    row("a log of LiteLLM", body(hi, R"("kwargs":{},"response":{},"system":"S","max_tokens":1)"), false);
    row("Claude Code",
        R"({"parentUuid":null,"isSidechain":false,"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"Hi"}})",
        false);
    row("a package file", R"({"name":"x","system":"y","version":"1"})", false);
}

void TestAnthropicMessages::recognises()
{
    QFETCH(Text, text);
    QFETCH(bool, isOurs);
    QCOMPARE(formatOf(text) == "anthropic-messages", isOurs);
}

void TestAnthropicMessages::damage_data()
{
    QTest::addColumn<Text>("text");
    QTest::addColumn<Text>("words");
    QTest::addColumn<Text>("diagnostic");
    const auto row = [](const char *name, const Text &text, const char *words, const char *diagnostic) {
        QTest::newRow(name) << text << Text(words) << Text(diagnostic);
    };
    const Text one = body(user("\"a\""));
    const Text two = body(user("\"a\"") + "," + assistant("\"b\""));
    const Text whole = R"({"system":"S","max_tokens":1,"messages":[)" + user("\"a\"") + "," + assistant("\"b\"") + "]}";
    row("a body that is cut off keeps its whole messages", whole.substr(0, whole.size() - 12),
        R"(user{text+typed "a"} assistant{opaque ""})", "The file ends in the middle of a value");
    row("a last line that is cut off", one + "\n" + two + "\n" + two.substr(0, 50),
        R"(user{text+typed "a"} assistant{text "b"})", "3: The last record is cut off");
    row("a line in the middle that is no JSON", one + "\nnot json\n" + two + "\n",
        R"(user{text+typed "a"} assistant{text "b"})", "2: This record was skipped");
    row("a result whose call is not there",
        body(user(R"([{"type":"tool_result","tool_use_id":"gone","content":"x"}])")), R"(user{result#gone "x"})",
        "1: The result of gone has no call before it.");
    row("bytes that are not UTF-8", body(user("\"a\xFF\"")), "user{text+typed \"a\xEF\xBF\xBD\"}", "not UTF-8");
    row("elements that are no messages", R"({"system":"S","max_tokens":1,"messages":[1,"x",)" + user("\"a\"") + "]}",
        R"(user{text+typed "a"})", "");
}

void TestAnthropicMessages::damage()
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

void TestAnthropicMessages::malformedSample()
{
    const auto path
        = std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed/anthropic-recording-gaps.jsonl";
    const auto session = loadSession(path);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->threads[0].calls.size(), size_t(2));
    QCOMPARE(slotsAtEnd(*session), size_t(3));
    QCOMPARE(slotsInLife(*session), size_t(3));
    QVERIFY(diagnosticsOf(**session).contains("5: The last record is cut off"));
}

void TestAnthropicMessages::corpusFiles_data()
{
    QTest::addColumn<Text>("file");
    for (const std::string &file : testing::corpusFiles({ "anthropic-api" }))
        QTest::newRow(file.c_str()) << file;
    if (corpus().empty())
        QTest::newRow("no corpus") << Text();
}

void TestAnthropicMessages::corpusFiles()
{
    QFETCH(Text, file);
    if (file.empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto session = loadSession(corpus() / file);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "anthropic-messages");
    QCOMPARE(brokenRule(**session), "");
    const std::vector<Expected> expected = expectedOf(file);
    QCOMPARE(expected.size(), size_t(1));
    auto numbers = expected[0].numbers;
    const Thread &main = (*session)->threads[0];
    QCOMPARE(slotsAtEnd(*session), numbers["slots_end"]);
    QCOMPARE(main.calls.size(), numbers["calls"]);
    QCOMPARE(main.compactions.size(), numbers["compactions"]);
    QCOMPARE((*session)->threads.size() - 1, numbers["threads"]);
    // The other reader takes a message that gained a block for another one; here it is the same. Three requests for a
    // summary put a text behind the last tool result.
    const size_t grown = file.contains("trace_compact") ? 3 : 0;
    QCOMPARE(slotsInLife(*session), numbers["slots_life"] - grown);
    // Whatever the array does: it is stored as few ranges.
    for (const Call &call : main.calls)
        QVERIFY(call.input.rangeCount() <= 2);
}

void TestAnthropicMessages::corpusFacts()
{
    if (corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto path = corpus() / "anthropic-api/liaohch3+claude-tap";
    const auto compacted = loadSession(path / "trace_compact_claude.all-request-bodies.jsonl");
    QVERIFY2(compacted, error(compacted).c_str());
    for (const RecordedCompaction &each : (*compacted)->threads[0].compactions) {
        QCOMPARE(each.kind, CompactionKind::Summary);
        const Transcript after(*compacted, each.after);
        QVERIFY(
            std::ranges::any_of(after.blocks(), [&](BlockId id) { return after.block(id).is(BlockFlag::Summary); }));
    }
    const auto image = loadSession(path / "trace_image_claude.all-request-bodies.jsonl");
    QVERIFY2(image, error(image).c_str());
    const auto isImage = [](const Block &block) { return block.kind == BlockKind::Image; };
    const auto found = std::ranges::find_if((*image)->blocks, isImage);
    QVERIFY(found != (*image)->blocks.end());
    QCOMPARE((*image)->string(found->name), "image/png");
    QVERIFY((*image)->text(found->body).starts_with("iVBORw0KGgo"));
    QCOMPARE((*image)->harness, "Claude Code 2.1.156");
    QCOMPARE((*image)->workingFolder, "/Users/user/Desktop/claude-ai");
}

void TestAnthropicMessages::claimsNoOtherFormat()
{
    if (corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    std::string wrong;
    for (const std::string &file : testing::corpusFiles()) {
        const auto source = Source::open(corpus() / file);
        QVERIFY2(source, file.c_str());
        const Sample sample = sampleOf((*source)->bytes());
        const bool isClaimed = kAnthropicMessages.sniff(sample) != Likeness::No;
        if (isClaimed != file.starts_with("anthropic-api/"))
            wrong += file + "\n";
    }
    QCOMPARE(wrong, "");
}

PALIMPSEST_TEST(TestAnthropicMessages)
#include "tst_anthropic_messages.moc"
