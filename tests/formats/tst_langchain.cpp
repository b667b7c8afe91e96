// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
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

/// A message as `model_dump` writes it; `more` follows with its comma.
Text flat(const Text &type, const Text &content, const Text &more = {})
{
    return R"({"content":)" + content + R"(,"additional_kwargs":{},"response_metadata":{},"type":")" + type + "\""
        + more + "}";
}

Text human(const Text &text) { return flat("human", "\"" + text + "\""); }

/// A span of Monocle that holds a model call.
Text span(
    const Text &start, const std::vector<Text> &input, const Text &output, const Text &type = "inference.framework")
{
    Text strings;
    for (const Text &each : input)
        strings += (strings.empty() ? "" : ",") + quoteJson(each);
    return R"({"name":"ainvoke","context":{"trace_id":"0x1","span_id":"s)" + start
        + R"("},"parent_id":"p","start_time":"2026-07-09T21:04:0)" + start + R"(.000000Z","attributes":{"span.type":")"
        + type
        + R"(","workflow.name":"open-swe","entity.2.name":"gpt-5.5","entity.2.type":"model.llm.gpt-5.5"},"events":[{"name":"data.input","attributes":{"input":[)"
        + strings + R"(]}},{"name":"data.output","attributes":{"response":)" + quoteJson(output)
        + R"(}},{"name":"metadata","attributes":{"completion_tokens":5,"prompt_tokens":10)" + start
        + R"(,"total_tokens":0}}]})";
}

} // namespace

class TestLangChain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messages_data();
    void messages();
    void formsSayTheSame();
    void containers_data();
    void containers();
    void callsAreRecorded();
    void repeatedCallsWeighOnce();
    void artifactIsNoContext();
    void stateKeepsItsFilesOutOfContext();
    void summaryIsACompaction();
    void traceOfLangSmith();
    void traceWithoutModelCalls();
    void traceOfMonocle();
    void spansOfTheClientLibrary();
    void recognises_data();
    void recognises();
    void damage_data();
    void damage();
    void cutAnywhere_data();
    void cutAnywhere();
    void truncatedStateLosesNothingBeforeTheCut();
    void malformedSamples_data();
    void malformedSamples();
    void corpusFiles_data();
    void corpusFiles();
    void monocleTracesAreRecordings();
    void claimsNoOtherFormat();
};

void TestLangChain::messages_data()
{
    QTest::addColumn<Text>("array");
    QTest::addColumn<Text>("words");
    const auto row = [](const char *name, const Text &array, const char *words) {
        QTest::newRow(name) << "[" + array + "]" << Text(words);
    };
    row("a leading system message is a slot", flat("system", "\"s\"") + "," + human("u"),
        R"(system{text "s"} user{text+typed "u"})");
    row("calls repeated as Anthropic's blocks stand once, where the block stands",
        human("u") + ","
            + flat("ai",
                R"([{"type":"text","text":"a"},{"id":"t","input":{"p":1},"name":"ls","type":"tool_use"},{"type":"text","text":"b"}])",
                R"(,"tool_calls":[{"name":"ls","args":{"p":1},"id":"t","type":"tool_call"}])"),
        R"(user{text+typed "u"} assistant{text "a", call ls#t "{"p": 1}", text "b"})");
    row("the arguments are those of tool_calls where the block is a stump of streaming",
        flat("ai", R"([{"id":"t","input":{},"name":"ls","type":"tool_use","index":1,"partial_json":"{\"p\": 1}"}])",
            R"(,"tool_calls":[{"name":"ls","args":{"p":1},"id":"t"}])"),
        R"(assistant{call ls#t "{"p": 1}"})");
    row("without tool_calls the block counts, with what was streamed",
        flat("ai", R"([{"id":"t","input":{},"name":"ls","type":"tool_use","partial_json":"{\"p\": 1}"}])"),
        R"(assistant{call ls#t "{"p": 1}"})");
    row("calls of other ids are other calls",
        flat("ai", R"([{"id":"a","input":{"p":1},"name":"ls","type":"tool_use"}])",
            R"(,"tool_calls":[{"name":"cat","args":{},"id":"b"}])"),
        R"(assistant{call ls#a "{"p": 1}", call cat#b "{}"})");
    row("Responses' function_call repeats a call by its call_id",
        flat("ai",
            R"([{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"why"}],"encrypted_content":"zz"},{"type":"function_call","id":"fc","call_id":"t","name":"ls","arguments":"{}"}])",
            R"(,"tool_calls":[{"name":"ls","args":{},"id":"t"}])"),
        R"(assistant{thinking "why", thinking+encrypted "zz", call ls#t "{}"})");
    row("invalid calls are calls with the text of their arguments",
        flat("ai", "\"\"",
            R"(,"tool_calls":[],"invalid_tool_calls":[{"name":"ls","args":"{\"p\": ","id":"t","error":"e"}])"),
        R"(assistant{call ls#t "{"p": "})");
    row("calls that only OpenAI's part holds are read from it",
        R"({"type":"ai","content":"","additional_kwargs":{"tool_calls":[{"id":"t","type":"function","function":{"name":"ls","arguments":"{}"}}]}})",
        R"(assistant{call ls#t "{}"})");
    row("Anthropic's thinking",
        flat("ai",
            R"([{"type":"thinking","thinking":"why","signature":"s"},{"type":"redacted_thinking","data":"zz"},{"type":"text","text":"a"}])"),
        R"(assistant{thinking "why", thinking+encrypted "zz", text "a"})");
    row("Anthropic's thinking that only a signature holds",
        flat("ai", R"([{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"text","text":"a"}])"),
        R"(assistant{thinking+encrypted "c2ln", text "a"})");
    row("reasoning beside the content",
        R"({"type":"ai","content":"a","additional_kwargs":{"reasoning_content":"why"}})",
        R"(assistant{thinking "why", text "a"})");
    row("a failed tool",
        flat("ai", "\"\"", R"(,"tool_calls":[{"name":"ls","args":{},"id":"t"}])") + ","
            + flat("tool", "\"no such file\"", R"(,"tool_call_id":"t","status":"error")"),
        R"(assistant{call ls#t "{}"} tool{result+error ls#t "no such file"})");
    row("chunks are the messages that they became",
        R"({"type":"HumanMessageChunk","content":"u"},{"type":"AIMessageChunk","content":[{"text":"a","type":"text","index":0}]})",
        R"(user{text+typed "u"} assistant{text "a"})");
    row("a ChatMessage has a role",
        human("u") + R"(,{"type":"chat","role":"assistant","content":"a","additional_kwargs":{}})",
        R"(user{text+typed "u"} assistant{text "a"})");
    row("bare strings among the content are text", flat("human", R"(["one",{"type":"text","text":"two"}])"),
        R"(user{text+typed "one", text+typed "two"})");
    row("images in LangChain's form",
        flat("human",
            R"([{"type":"image","source_type":"base64","mime_type":"image/png","data":"QUJD"},{"type":"image_url","image_url":{"url":"https://a.b/c"}}])"),
        R"(user{image image/png "QUJD", image "https://a.b/c"})");
    row("cache points mark what stands before them",
        flat("human", R"([{"text":"a"},{"cachePoint":{"type":"default"}}])"), R"(user{text+typed+mark "a"})");
}

void TestLangChain::messages()
{
    QFETCH(Text, array);
    QFETCH(Text, words);
    const auto session = load(array);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "langchain");
    QCOMPARE(describe(**session), words);
    QCOMPARE(diagnosticsOf(**session), "");
    QCOMPARE(brokenRule(**session), "");
}

/// The same four messages as `model_dump`, `messages_to_dict` and `dumpd` write them, and as rows of a chat history.
void TestLangChain::formsSayTheSame()
{
    const std::vector<std::array<Text, 3>> messages { { "system", "SystemMessage", R"("content":"s")" },
        { "human", "HumanMessage", R"("content":"List the files.")" },
        { "ai", "AIMessage",
            R"("content":"","tool_calls":[{"name":"ls","args":{"path":"/"},"id":"t","type":"tool_call"}])" },
        { "tool", "ToolMessage", R"("content":"a.txt","tool_call_id":"t","status":"success")" } };
    Text dumped;
    Text dicts;
    Text constructors;
    Text rows;
    const auto join = [](Text &to, std::initializer_list<std::string_view> pieces) {
        for (const std::string_view piece : pieces)
            to += piece;
    };
    for (const auto &[type, className, fields] : messages) {
        const std::string_view comma = dumped.empty() ? "" : ",";
        join(dumped, { comma, R"({"type":")", type, R"(","additional_kwargs":{},)", fields, "}" });
        Text dict;
        join(dict, { R"({"type":")", type, R"(","data":{)", fields, R"(,"type":")", type, R"("}})" });
        join(dicts, { comma, dict });
        join(rows, { dict, "\n" });
        join(constructors,
            { comma, R"({"lc":1,"type":"constructor","id":["langchain","schema","messages",")", className,
                R"("],"kwargs":{)", fields, "}}" });
    }
    const Text words
        = R"(system{text "s"} user{text+typed "List the files."} assistant{call ls#t "{"path": "/"}"} tool{result ls#t "a.txt"})";
    for (const Text &document : { "[" + dumped + "]", "[" + dicts + "]", "[" + constructors + "]", rows }) {
        const auto session = load(document);
        QVERIFY2(session, (error(session) + document).c_str());
        QCOMPARE((*session)->format, "langchain");
        QCOMPARE(describe(**session), words);
        QCOMPARE((*session)->threads.size(), 1U);
        QCOMPARE(brokenRule(**session), "");
    }
}

void TestLangChain::containers_data()
{
    QTest::addColumn<Text>("document");
    const auto row = [](const char *name, const char *before, const char *behind) {
        QTest::newRow(name) << before + ("[" + human("u") + "," + flat("ai", "\"a\"") + "]") + behind;
    };
    row("a bare array", "", "");
    row("a Deep Agents state", R"({"messages":)", R"(,"todos":[],"files":{}})");
    row("a state with its values", R"({"values":{"messages":)", R"(},"next":[],"metadata":{}})");
    row("a checkpoint", R"({"v":1,"channel_values":{"messages":)", R"(},"versions_seen":{}})");
    row("a checkpoint with its configuration", R"({"config":{},"checkpoint":{"channel_values":{"messages":)", R"(}}})");
    row("a serialised prompt value",
        R"({"lc":1,"type":"constructor","id":["langchain","prompts","ChatPromptValue"],"kwargs":{"messages":)",
        R"(}})");
    row("an object that tells other things first", R"({"a":{"b":[1,{"c":"}"}]},"messages":)", R"(,"z":null})");
}

void TestLangChain::containers()
{
    QFETCH(Text, document);
    const auto session = load(document);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "langchain");
    QCOMPARE(describe(**session), R"(user{text+typed "u"} assistant{text "a"})");
    QCOMPARE((*session)->threads[0].kind, ThreadKind::Main);
    QCOMPARE(brokenRule(**session), "");
}

void TestLangChain::callsAreRecorded()
{
    const auto result = load("[" + human("u") + ","
        + R"({"type":"ai","content":"a","id":"run-1","response_metadata":{"model_name":"claude-sonnet-4","usage":{"input_tokens":1}},"usage_metadata":{"input_tokens":1000,"output_tokens":7,"input_token_details":{"cache_read":600,"cache_creation":300}}},)"
        + human("v") + ","
        + R"({"type":"ai","content":"b","response_metadata":{"model":"claude-sonnet-4","token_usage":{"prompt_tokens":50,"completion_tokens":2}}},)"
        + R"({"type":"ai","content":"c","response_metadata":{}}])");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    const std::vector<Call> &calls = session.threads[0].calls;
    QCOMPARE(calls.size(), 3U);
    QVERIFY(calls[0].usage == Usage({ 100, 600, 300, 7 }));
    QVERIFY(!calls[0].isDerived);
    QCOMPARE(std::string(session.string(calls[0].responseId)), "run-1");
    QVERIFY(calls[1].usage == Usage({ 50, 0, 0, 2 }));
    QVERIFY(!calls[1].isDerived);
    QVERIFY(!calls[2].usage.has_value());
    QVERIFY(calls[2].isDerived);
    QCOMPARE(session.model, "claude-sonnet-4");
    QCOMPARE(brokenRule(session), "");
}

void TestLangChain::repeatedCallsWeighOnce()
{
    const Text echo = R"({"id":"t","input":{"p":1},"name":"ls","type":"tool_use"})";
    const Text copy = R"({"id":"t","type":"function","function":{"name":"ls","arguments":"{\"p\":1}"}})";
    const auto result = load(R"([{"type":"ai","content":[)" + echo + R"(],"additional_kwargs":{"tool_calls":[)" + copy
        + R"(]},"tool_calls":[{"name":"ls","args":{"p":1},"id":"t"}]}])");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    QCOMPARE(session.blocks.size(), 1U);
    QCOMPARE(session.blocks[0].lengths.codePoints, std::string_view(R"({"p": 1}ls)").size());
    QCOMPARE(session.blocks[0].sideBytes, echo.size() + copy.size());
    QCOMPARE(session.sideBytes, echo.size() + copy.size());
}

void TestLangChain::artifactIsNoContext()
{
    const Text artifact = R"({"rows":[1,2,3]})";
    const auto result = load("[" + flat("ai", "\"\"", R"(,"tool_calls":[{"name":"query","args":{},"id":"t"}])") + ","
        + flat("tool", "\"3 rows\"", R"(,"tool_call_id":"t","artifact":)" + artifact) + ","
        + flat("tool", "\"x\"", R"(,"tool_call_id":"t","artifact":null)") + "]");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    QCOMPARE(session.blocks[1].lengths.codePoints, 6U);
    QCOMPARE(session.blocks[1].sideBytes, artifact.size());
    QCOMPARE(session.blocks[2].sideBytes, 0U);
    QCOMPARE(session.sideBytes, artifact.size());
    QVERIFY(session.record(session.blocks[1]).find("artifact") != std::string_view::npos);
}

void TestLangChain::stateKeepsItsFilesOutOfContext()
{
    const Text files = R"({"/a.py":{"content":["x"]}})";
    const auto result = load(R"({"messages":[)" + human("u") + R"(],"todos":[1],"files":)" + files + "}");
    QVERIFY2(result, error(result).c_str());
    QCOMPARE((*result)->harness, "Deep Agents");
    QCOMPARE((*result)->sideBytes, files.size() + 3);
    QCOMPARE((*result)->blocks.size(), 1U);
}

void TestLangChain::summaryIsACompaction()
{
    const Text marked
        = R"({"type":"human","content":"Earlier, files were listed.","additional_kwargs":{"lc_source":"summarization"}})";
    const Text begins = human("Here is a summary of the conversation to date:\\n\\nFiles were listed.");
    for (const Text &summary : { marked, begins }) {
        const auto result = load("[" + flat("system", "\"s\"") + "," + summary + ","
            + flat("ai", "\"a\"", R"(,"usage_metadata":{"input_tokens":40,"output_tokens":1})") + "," + human("go on")
            + "," + flat("ai", "\"b\"") + "]");
        QVERIFY2(result, error(result).c_str());
        const Session &session = **result;
        QVERIFY(session.blocks[1].is(BlockFlag::Summary));
        QVERIFY(!session.blocks[1].is(BlockFlag::Typed));
        QVERIFY(session.blocks[3].is(BlockFlag::Typed));
        QCOMPARE(session.title, "go on");
        const Thread &thread = session.threads[0];
        QCOMPARE(thread.compactions.size(), 1U);
        QCOMPARE(thread.compactions[0].kind, CompactionKind::Summary);
        QVERIFY(!thread.compactions[0].call.isValid());
        QVERIFY(thread.compactions[0].before.isEmpty()); // the file does not hold it
        QCOMPARE(thread.compactions[0].after.blockCount(), 2U);
        QCOMPARE(thread.compactions[0].afterTokens.value_or(0), 40U);
        QCOMPARE(diagnosticsOf(session), "1: A summary replaces messages here that the file does not contain.\n");
        QCOMPARE(brokenRule(session), "");
    }
    const auto none = load("[" + human("Please write: Here is a summary of the conversation to date") + "]");
    QVERIFY((*none)->threads[0].compactions.empty());
    QVERIFY((*none)->blocks[0].is(BlockFlag::Typed));
}

void TestLangChain::traceOfLangSmith()
{
    const auto lc = [](const Text &name, const Text &fields) {
        return R"({"lc":1,"type":"constructor","id":["langchain","schema","messages",")" + name + R"("],"kwargs":{)"
            + fields + "}}";
    };
    const auto run = [](const Text &order, const Text &inputs, const Text &answer, int prompt) {
        return R"({"id":"r)" + order + R"(","trace_id":"t","run_type":"llm","dotted_order":"20260101T00000)" + order
            + R"(Z","start_time":"2026-01-01T00:00:0)" + order
            + R"(.5","extra":{"metadata":{"ls_model_name":"gpt-4o"},"invocation_params":{"tools":[{"type":"function","function":{"name":"ls"}}]}},"inputs":{"messages":[[)"
            + inputs + R"(]]},"outputs":{"generations":[[{"text":"","message":)" + answer
            + R"(}]],"llm_output":{"token_usage":{"prompt_tokens":)" + std::to_string(prompt)
            + R"(,"completion_tokens":1}}}})";
    };
    const Text user = lc("HumanMessage", R"("content":"u")");
    const Text call = lc("AIMessage", R"("content":"","tool_calls":[{"name":"ls","args":{},"id":"t"}])");
    const Text result = lc("ToolMessage", R"("content":"a.txt","tool_call_id":"t")");
    const Text answer = lc("AIMessage", R"("content":"done")");
    // Children of a chain, the second call first; the same runs as rows.
    const Text first = run("1", user, call, 10);
    const Text second = run("2", user + "," + call + "," + result, answer, 20);
    const Text nested
        = R"({"runs":[{"id":"root","trace_id":"t","run_type":"chain","dotted_order":"0","inputs":{},"child_runs":[)"
        + second + "," + first + "]}]}";
    const Text rows = second + "\n" + first + "\n";
    const Text array = "[" + first + "," + second + "]";
    for (const Text &document : { nested, rows, array }) {
        const auto session = load(document);
        QVERIFY2(session, error(session).c_str());
        QCOMPARE((*session)->format, "langchain");
        QCOMPARE(describe(**session),
            R"(user{text+typed "u"} assistant{call ls#t "{}"} tool{result ls#t "a.txt"} assistant{text "done"})");
        const Thread &thread = (*session)->threads[0];
        QCOMPARE((*session)->threads.size(), 1U);
        QCOMPARE(thread.calls.size(), 2U);
        QVERIFY(thread.compactions.empty());
        QCOMPARE(thread.calls[0].usage->prompt(), 10U);
        QCOMPARE(thread.calls[1].usage->prompt(), 20U);
        QVERIFY(thread.calls[0].time.value_or(0) < thread.calls[1].time.value_or(0));
        QVERIFY(thread.prelude.has_value());
        QCOMPARE(thread.prelude->size(), 1U);
        QCOMPARE((*session)->model, "gpt-4o");
        QCOMPARE(brokenRule(**session), "");
    }
    // OpenAI's dicts and answer.
    const auto dicts = load(
        R"({"id":"r","trace_id":"t","run_type":"llm","dotted_order":"1","prompt_tokens":33,"completion_tokens":2,"inputs":{"messages":[{"role":"user","content":"u"}]},"outputs":{"choices":[{"message":{"role":"assistant","content":"a"}}]}})");
    QVERIFY2(dicts, error(dicts).c_str());
    QCOMPARE(describe(**dicts), R"(user{text+typed "u"} assistant{text "a"})");
    QCOMPARE((*dicts)->threads[0].calls[0].usage->prompt(), 33U);
}

void TestLangChain::traceWithoutModelCalls()
{
    const auto session = load(R"({"id":"r","trace_id":"t","run_type":"chain","inputs":{"messages":[)" + human("u")
        + R"(]},"outputs":{"messages":[)" + human("u") + "," + flat("ai", "\"a\"") + "]}}");
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session), R"(user{text+typed "u"} assistant{text "a"})");
    QCOMPARE((*session)->threads[0].kind, ThreadKind::Main);
}

void TestLangChain::traceOfMonocle()
{
    const Text system = R"({"system": "s"})";
    const Text user = R"({"human": "say \"\u00e9\""})";
    const Text call
        = R"({"ai": [{"type": "reasoning", "summary": [{"text": "why", "type": "summary_text"}], "content": [], "encrypted_content": "zz"}, {"type": "function_call", "id": "fc", "call_id": "c1", "name": "ls", "arguments": "{\"path\":\"/\"}"}, {"type": "function_call", "id": "fd", "call_id": "c2", "name": "cat", "arguments": "{}"}]})";
    const Text one = R"({"tool": "a.txt"})";
    const Text two = R"({"tool": "text of a"})";
    const Text done = R"({"ai": [{"type": "text", "text": "done", "annotations": []}]})";
    const Text tool
        = R"({"name":"ls","context":{"trace_id":"0x1"},"start_time":"2026-07-09T21:04:01Z","attributes":{"span.type":"agentic.tool.invocation"},"events":[{"name":"data.input","attributes":{"input":"huge"}}]})";
    const auto result = load("[" + span("2", { system, user, call, one, two }, done) + "\n,\n" + tool + "\n,\n"
        + span("1", { system, user }, call) + "]\n");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    QCOMPARE(session.format, "langchain");
    QCOMPARE(session.harness, "open-swe");
    QCOMPARE(session.model, "gpt-5.5");
    QCOMPARE(describe(session),
        "system{text \"s\"} user{text+typed \"say \"\u00e9\"\"} assistant{thinking \"why\", thinking+encrypted \"zz\", "
        "call ls#c1 \"{\"path\":\"/\"}\", "
        "call cat#c2 \"{}\"} tool{result ls#c1 \"a.txt\"} tool{result cat#c2 \"text of a\"} assistant{text \"done\"}");
    QCOMPARE(session.threads.size(), 1U);
    QVERIFY(session.threads[0].compactions.empty());
    const std::vector<Call> &calls = session.threads[0].calls;
    QCOMPARE(calls.size(), 2U);
    QCOMPARE(calls[0].usage->prompt(), 101U);
    QCOMPARE(calls[1].usage->prompt(), 102U);
    QCOMPARE(calls[0].output.size(), 4U);
    QCOMPARE(calls[1].input.blockCount(), 8U);
    QCOMPARE(session.blocks[0].recordLine, 5U); // as it first entered: the span that stands last
    QCOMPARE(session.sideBytes, tool.size());
    QVERIFY(session.record(session.blocks[0]) == system);
    QCOMPARE(brokenRule(session), "");
}

void TestLangChain::spansOfTheClientLibrary()
{
    // Beside LangChain's span the client's own tells the same call; alone it is all there is.
    const Text own = span("1", { R"({"user": "u"})" }, R"({"assistant": "a"})", "inference");
    const Text framework = span("1", { R"({"human": "u"})" }, R"({"ai": "a"})");
    const Text alone = "[" + own + "]";
    const Text both = "[" + framework + "," + own + "]";
    for (const Text &document : { alone, both }) {
        const auto session = load(document);
        QVERIFY2(session, error(session).c_str());
        QCOMPARE(describe(**session), R"(user{text+typed "u"} assistant{text "a"})");
        QCOMPARE((*session)->threads[0].calls.size(), 1U);
        QCOMPARE((*session)->threads.size(), 1U);
    }
}

void TestLangChain::recognises_data()
{
    QTest::addColumn<Text>("document");
    QTest::addColumn<bool>("isOurs");
    const auto ours = [](const char *name, const Text &document) { QTest::newRow(name) << document << true; };
    const auto theirs = [](const char *name, const Text &document) { QTest::newRow(name) << document << false; };
    ours("a human alone", R"([{"type":"human","content":"u"}])");
    ours("a state of which the head holds only files",
        R"({"files":{"/a":")" + Text(100'000, 'x') + R"("},"messages":[)" + human("u") + "]}");
    ours("a pretty state that is cut off",
        "{\n  \"messages\": [\n    {\n      \"content\": \"" + Text(100'000, 'x')
            + "\",\n      \"type\": \"human\"\n    },\n    {\n      \"conte");
    ours("a pretty array",
        "[\n  {\n    \"type\": \"human\",\n    \"content\": \"" + Text(100'000, 'x') + "\"\n  }\n]\n");
    theirs("Grok's rows",
        "{\"type\":\"system\",\"content\":\"s\"}\n{\"type\":\"user\",\"content\":[]}\n{\"type\":\"assistant\","
        "\"content\":\"a\"}\n");
    theirs("tools and systems alone", R"([{"type":"system","content":"s"},{"type":"tool","content":"t"}])");
    theirs("Chat messages", R"([{"role":"system","content":"s"},{"role":"user","content":"u"}])");
    theirs("other things among them", R"([{"type":"human","content":"u"},{"type":"dog","content":"w"}])");
    theirs(
        "Gemini chats", R"({"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"u"}]})");
    theirs("spans of others",
        R"([{"name":"x","context":{"trace_id":"1"},"attributes":{"http.method":"GET"},"events":[]}])");
    theirs("serialised things that are no messages",
        R"([{"lc":1,"type":"constructor","id":["langchain","llms","OpenAI"],"kwargs":{}}])");
    theirs("jobs that have a run_type", R"({"run_type":"nightly","id":1})");
}

void TestLangChain::recognises()
{
    QFETCH(Text, document);
    QFETCH(bool, isOurs);
    const std::string format = formatOf(document);
    if (isOurs)
        QCOMPARE(format, "langchain");
    else
        QVERIFY2(format != "langchain", "claimed");
}

void TestLangChain::damage_data()
{
    QTest::addColumn<Text>("document");
    QTest::addColumn<Text>("words");
    QTest::addColumn<Text>("diagnostics");
    const auto row = [](const char *name, const Text &document, const char *words, const char *diagnostics) {
        QTest::newRow(name) << document << Text(words) << Text(diagnostics);
    };
    row("an order to remove a message is none",
        "[" + human("u") + ",\n" + R"({"type":"remove","content":"","id":"x"}])", R"(user{text+typed "u"})",
        "2: A RemoveMessage changes the state and is not a message; it was skipped.\n");
    row("what LangChain could not serialise is skipped",
        "[" + human("u") + ",\n"
            + R"({"lc":1,"type":"not_implemented","id":["a","MyMessage"],"kwargs":{},"repr":"<x>"}])",
        R"(user{text+typed "u"})",
        "2: An element of the messages was not serialised by LangChain (not_implemented) and was skipped.\n");
    row("a result whose call was trimmed is kept and named",
        "[" + flat("tool", "\"r\"", R"(,"tool_call_id":"gone")") + ",\n" + human("u") + "]",
        R"(tool{result#gone "r"} user{text+typed "u"})",
        "1: A tool result answers the call gone, which is not before it.\n");
    row("a row that is cut off loses only itself",
        R"({"type":"human","data":{"content":"u"}})"
        "\n"
        R"({"type":"ai","data":{"con)",
        R"(user{text+typed "u"})",
        "2: The last record is cut off (a session that is still being written, or a crash): 25 bytes were skipped.\n");
    row("bytes that are not UTF-8 are shown as such", "[" + human("a\xFF") + "]", "user{text+typed \"a\uFFFD\"}",
        "0: The file held control characters, or bytes that are not UTF-8; Palimpsest repaired them.\n");
    row("a missing comma does no harm inside a message",
        R"([{"type":"human","content":"u","additional_kwargs":{} "id":"x"}])", R"(user{text+typed "u"})",
        "1: A message is cut off or damaged; its readable part was kept.\n");
}

void TestLangChain::damage()
{
    QFETCH(Text, document);
    QFETCH(Text, words);
    QFETCH(Text, diagnostics);
    const auto session = load(document);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session), words);
    QCOMPARE(diagnosticsOf(**session), diagnostics);
    QCOMPARE(brokenRule(**session), "");
}

void TestLangChain::cutAnywhere_data()
{
    QTest::addColumn<Text>("document");
    QTest::newRow("a state") << R"({"todos":[],"messages":[)" + human("u") + ","
            + flat("ai",
                R"([{"type":"text","text":"a"},{"id":"t","input":{"p":"\u00e9"},"name":"ls","type":"tool_use"}])",
                R"(,"tool_calls":[{"name":"ls","args":{"p":"\u00e9"},"id":"t"}],"usage_metadata":{"input_tokens":9,"output_tokens":1})")
            + "," + flat("tool", "\"r\"", R"(,"tool_call_id":"t","artifact":[1])") + R"(],"files":{}})";
    QTest::newRow("a trace") << "["
            + span("1", { R"({"human": "u"})" },
                R"({"ai": [{"type": "function_call", "call_id": "t", "name": "ls", "arguments": "{}"}]})")
            + ","
            + span("2",
                { R"({"human": "u"})",
                    R"({"ai": [{"type": "function_call", "call_id": "t", "name": "ls", "arguments": "{}"}]})",
                    R"({"tool": "r"})" },
                R"({"ai": "done"})")
            + "]";
}

/// However early a document ends, what can be read is read, and the session keeps all rules.
void TestLangChain::cutAnywhere()
{
    QFETCH(Text, document);
    size_t slotCount = 0;
    for (size_t size = 0; size <= document.size(); ++size) {
        const auto session = load(document.substr(0, size));
        if (!session)
            continue;
        QCOMPARE(brokenRule(**session), "");
        QVERIFY2(slotsAtEnd(*session) >= slotCount, "A longer piece holds fewer messages.");
        slotCount = slotsAtEnd(*session);
    }
    QVERIFY(slotCount >= 3);
}

void TestLangChain::truncatedStateLosesNothingBeforeTheCut()
{
    if (corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto cut = loadSession(corpus() / "malformed-derived/langchain-ai+open-swe/langchain-state.truncated.json");
    const auto whole = loadSession(corpus() / "langchain/langchain-ai+open-swe/langgraph_pr_example_trace.json");
    QVERIFY2(cut, error(cut).c_str());
    QVERIFY2(whole, error(whole).c_str());
    const std::string kept = describe(**cut);
    QCOMPARE(kept.substr(0, kept.size() - 1), describe(**whole).substr(0, kept.size() - 1));
    QCOMPARE(slotsAtEnd(*cut), 70U);
    const Diagnostic &last = (*cut)->diagnostics.back();
    QCOMPARE(last.line, 2788U);
    QVERIFY(last.reason.find("ends in the middle of a value") != std::string::npos);
    QCOMPARE(brokenRule(**cut), "");
}

void TestLangChain::malformedSamples_data()
{
    QTest::addColumn<Text>("file");
    QTest::addColumn<int>("slotCount");
    QTest::addColumn<int>("damagedLine");
    QTest::newRow("messages_to_dict") << Text("langchain-dict.json") << 4 << 0;
    QTest::newRow("a Deep Agents state") << Text("langchain-flat.json") << 4 << 0;
    QTest::newRow("constructors") << Text("langchain-lc1.json") << 4 << 0;
    QTest::newRow("a document that ends too early") << Text("langchain-cut.json") << 3 << 43;
}

void TestLangChain::malformedSamples()
{
    QFETCH(Text, file);
    QFETCH(int, slotCount);
    QFETCH(int, damagedLine);
    const auto session = loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed" / file);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(static_cast<int>(slotsAtEnd(*session)), slotCount);
    QCOMPARE((*session)->diagnostics.size(), damagedLine != 0 ? 1U : 0U);
    if (damagedLine != 0)
        QCOMPARE(static_cast<int>((*session)->diagnostics[0].line), damagedLine);
    QVERIFY((*session)->sideBytes > 0); // the artifact
    QCOMPARE(brokenRule(**session), "");
}

void TestLangChain::corpusFiles_data()
{
    QTest::addColumn<Text>("file");
    for (const std::string &file : testing::corpusFiles({ "langchain" }))
        QTest::newRow(file.c_str()) << file;
    if (corpus().empty())
        QTest::newRow("no corpus") << Text();
}

void TestLangChain::corpusFiles()
{
    QFETCH(Text, file);
    if (file.empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto session = loadSession(corpus() / file);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "langchain");
    QCOMPARE(brokenRule(**session), "");
    QCOMPARE(diagnosticsOf(**session), "");
    QCOMPARE((*session)->threads.size(), 1U);
    const Thread &thread = (*session)->threads[0];
    QVERIFY(
        std::ranges::all_of(thread.calls, [](const Call &call) { return call.usage.has_value() && !call.isDerived; }));
    const std::vector<Expected> expected = expectedOf(file);
    const bool isTrace = file.find("monocle") != std::string::npos; // the counting script does not read traces
    QCOMPARE(expected.size(), isTrace ? 0U : 1U);
    if (isTrace)
        return;
    auto numbers = expected[0].numbers;
    QCOMPARE(slotsAtEnd(*session), numbers["slots_end"]);
    QCOMPARE(slotsInLife(*session), numbers["slots_life"]);
    QCOMPARE(thread.calls.size(), numbers["calls"]);
    QCOMPARE(thread.compactions.size(), numbers["compactions"]);
}

/// Each request of the two traces holds the one before it: one thread, every text once.
void TestLangChain::monocleTracesAreRecordings()
{
    if (corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto check = [](const char *file, size_t calls, size_t slotCount) {
        const auto result = loadSession(corpus() / "langchain/langchain-ai+open-swe" / file);
        QVERIFY2(result, error(result).c_str());
        const Session &session = **result;
        const Thread &thread = session.threads[0];
        QCOMPARE(session.harness, "open-swe");
        QCOMPARE(thread.calls.size(), calls);
        QVERIFY(thread.compactions.empty());
        QCOMPARE(slotsAtEnd(*result), slotCount);
        QCOMPARE(slotsInLife(*result), slotCount);
        QVERIFY(std::ranges::is_sorted(thread.calls, {}, [](const Call &call) { return call.time.value_or(0); }));
        for (const Block &block : session.blocks) {
            if (block.kind == BlockKind::ToolResult)
                QVERIFY2(block.callId.isValid() && block.name.isValid(), "A result without its call.");
        }
    };
    check("monocle_trace_0da2dead.json", 18, 38);
    check("monocle_trace_8ab31441.json", 6, 22);
}

void TestLangChain::claimsNoOtherFormat()
{
    if (corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    std::string claimed;
    for (const std::string &file : testing::corpusFiles()) {
        const auto source = Source::open(corpus() / file);
        QVERIFY2(source, file.c_str());
        const auto format = recognise((*source)->bytes(), file);
        const bool isOurs = format && (*format)->id == "langchain";
        if (isOurs != (file.starts_with("langchain/") || file.ends_with("langchain-state.truncated.json")))
            claimed += file + "\n";
    }
    QCOMPARE(claimed, "");
}

PALIMPSEST_TEST(TestLangChain)
#include "tst_langchain.moc"
