// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/chat_messages.h"
#include "core/session/transcript.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace core;
using namespace testing;

namespace {

using Text = std::string;

std::string error(const Result<SessionPtr> &session) { return session ? std::string() : session.error().sentence(); }

} // namespace

class TestOpenAiChat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messages_data();
    void messages();
    void membersInAnyOrder();
    void images_data();
    void images();
    void usage_data();
    void usage();
    void containers_data();
    void containers();
    void requestHasPrelude();
    void logOfOneCall();
    void rowsAreRuns();
    void rowsThatExtendEachOtherAreARecording();
    void tauBench();
    void storedCompletionsAreOrdered();
    void repeatedIdsBelongToTheNearestCall();
    void recognises_data();
    void recognises();
    void damage_data();
    void damage();
    void cutAnywhere();
    void malformedSamples();
    void corpusFiles_data();
    void corpusFiles();
    void claimsNoOtherFormat();
};

void TestOpenAiChat::messages_data()
{
    QTest::addColumn<Text>("array");
    QTest::addColumn<Text>("words");
    const auto row = [](const char *name, const char *array, const char *words) {
        QTest::newRow(name) << Text(array) << Text(words);
    };
    row("a system message inside the array is a slot of it",
        R"([{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}])",
        R"(system{text "Be brief."} user{text+typed "Hi"})");
    row("a developer message is a system message",
        R"([{"role":"developer","content":"d"},{"role":"user","content":"u"}])",
        R"(system{text "d"} user{text+typed "u"})");
    row("arguments stay the string that they are, JSON or not",
        R"([{"role":"user","content":"l"},{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"ls","arguments":"{\"path\": \"/ho"}}]}])",
        R"(user{text+typed "l"} assistant{call ls#t1 "{"path": "/ho"})");
    row("arguments written as an object are its JSON",
        R"([{"role":"assistant","content":"","tool_calls":[{"id":"t1","function":{"name":"ls","arguments":{"a":1,"b":[2]}}}]}])",
        R"(assistant{call ls#t1 "{"a": 1, "b": [2]}"})");
    row("a message without content keeps its slot",
        R"([{"role":"user","content":"q"},{"role":"assistant","content":""},{"role":"assistant","content":null},{"role":"tool","tool_call_id":"x","content":""}])",
        R"(user{text+typed "q"} assistant{text ""} assistant{text ""} tool{result#x ""})");
    row("results get the name of their call",
        R"([{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"cat","arguments":"{}"}}]},{"role":"tool","tool_call_id":"b","content":"B"},{"role":"tool","tool_call_id":"a","name":"wrong","content":"A"}])",
        R"(assistant{text "I look.", call ls#a "{}", call cat#b "{}"} tool{result cat#b "B"} tool{result ls#a "A"})");
    row("the older function_call and its result are tied by an id of ours",
        R"([{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}},{"role":"function","name":"ls","content":"a.txt"}])",
        R"(assistant{call ls#call without id 1 "{}"} tool{result ls#call without id 1 "a.txt"})");
    row("a custom tool is called with a text",
        R"([{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"custom","custom":{"name":"patch","input":"*** Begin"}}]}])",
        R"(assistant{call patch#c "*** Begin"})");
    row("a null function_call is none",
        R"([{"role":"assistant","content":"x","function_call":null,"tool_calls":null}])", R"(assistant{text "x"})");
    row("reasoning stands before the answer",
        R"([{"role":"assistant","content":"42","reasoning_content":"6 times 7"}])",
        R"(assistant{thinking "6 times 7", text "42"})");
    row("reasoning told twice counts once",
        R"([{"role":"assistant","content":"42","reasoning_content":"6 times 7","thinking_blocks":[{"type":"thinking","thinking":"6 times 7","signature":"s"},{"type":"redacted_thinking","data":"zzz"}]}])",
        R"(assistant{thinking "6 times 7", thinking+encrypted "zzz", text "42"})");
    row("reasoning told only in details is read from them",
        R"([{"role":"assistant","content":"42","reasoning":null,"reasoning_details":[{"type":"reasoning.text","text":"a"},{"type":"reasoning.summary","summary":"b"},{"type":"reasoning.encrypted","data":"zz"}]}])",
        R"(assistant{thinking "a", thinking "b", thinking+encrypted "zz", text "42"})");
    row("what an assistant said aloud is a document",
        R"([{"role":"assistant","content":null,"audio":{"id":"a-1","data":"QUJD","transcript":"Hi"}}])",
        R"(assistant{document "QUJD"})");
    row("a refusal is text", R"([{"role":"assistant","content":null,"refusal":"No."}])", R"(assistant{text "No."})");
    row("parts are blocks in their order",
        R"([{"role":"user","content":[{"type":"text","text":"What is"},{"type":"image_url","image_url":{"url":"https://a.b/c.png"}},{"type":"text","text":"this?"}]}])",
        R"(user{text+typed "What is", image "https://a.b/c.png", text+typed "this?"})");
    row("a result of one part is its text",
        R"([{"role":"assistant","tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t","content":[{"type":"text","text":"one"}]}])",
        R"(assistant{call f#t "{}"} tool{result f#t "one"})");
    row("a result of several texts is one block",
        R"([{"role":"assistant","tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t","content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]}])",
        "assistant{call f#t \"{}\"} tool{result f#t \"1\n2\"}");
    row("images of a result follow it",
        R"([{"role":"assistant","tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}]}])",
        R"(assistant{call f#t "{}"} tool{result f#t "", image image/png#t "QUJD"})");
    row("what a harness wrote is not typed",
        R"([{"role":"user","content":"<environment_context>x</environment_context>"},{"role":"user","content":"Hi"}])",
        R"(user{text+injected "<environment_context>x</environment_context>"} user{text+typed "Hi"})");
    row("what a submitting command printed is not typed",
        R"([{"role":"user","content":"Fix it"},{"role":"assistant","content":"Done.\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff\n```"},{"role":"user","content":"diff --git a/a b/a"}])",
        "user{text+typed \"Fix it\"} assistant{text \"Done.\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && "
        "git "
        "diff\n```\"} user{text+injected \"diff --git a/a b/a\"}");
    row("cache marks are kept as such",
        R"([{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b","cache_control":null}]}])",
        R"(user{text+typed+mark "a", text+typed "b"})");
    row("files and sound are documents",
        R"([{"role":"user","content":[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,QUJD"}},{"type":"input_audio","input_audio":{"data":"REVG","format":"wav"}},{"type":"file","file":{"file_id":"file-1"}}]}])",
        R"(user{document application/pdf "QUJD", document wav "REVG", document "file-1"})");
    row("a call in a result is the text of the result",
        R"([{"role":"assistant","content":"","tool_calls":[{"id":"t1","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t1","content":[{"type":"tool_use","id":"t2","name":"inner","input":{"a":1}}]}])",
        R"(assistant{call ls#t1 "{}"} tool{result ls#t1 "{"a": 1}"})");
    row("an unknown part stays as its JSON",
        R"([{"role":"user","content":[{"type":"hologram","beam":[1]}]},{"role":"assistant","content":"?"}])",
        R"(user{opaque hologram "{"type": "hologram", "beam": [1]}"} assistant{text "?"})");
    row("escapes and lone surrogates decode to what they stand for",
        R"([{"role":"user","content":"a\n\u00e9\ud83d\ude00\ud800"}])",
        "user{text+typed \"a\n\u00e9\U0001F600\xED\xA0\x80\"}");
}

void TestOpenAiChat::messages()
{
    QFETCH(Text, array);
    QFETCH(Text, words);
    const auto session = load(array);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "openai-chat");
    QCOMPARE(describe(**session), words);
    QCOMPARE(brokenRule(**session), "");
}

/// JSON objects have no order: whatever way the members of every object are shuffled, the session says the same.
void TestOpenAiChat::membersInAnyOrder()
{
    const auto session = [](const auto &shuffle) {
        const auto object = [&](std::vector<std::string> members) {
            shuffle(members);
            std::string text = "{";
            for (const std::string &member : members)
                text += (text.size() > 1 ? "," : "") + member;
            return text + "}";
        };
        const std::string call = object({ R"("id":"t1")", R"("type":"function")",
            R"("function":)" + object({ R"("name":"cat")", R"("arguments":"{\"path\": \"a.c\"}")" }) });
        const std::string image = object({ R"("type":"image_url")",
            R"("image_url":)" + object({ R"("url":"data:image/png;base64,QUJD")", R"("detail":"low")" }) });
        const std::string messages = "[" + object({ R"("role":"system")", R"("content":"s")" }) + ","
            + object({ R"("role":"user")",
                R"("content":[)" + object({ R"("type":"text")", R"("text":"u")" }) + "," + image + "]" })
            + ","
            + object({ R"("role":"assistant")", R"("content":"a")", R"("reasoning_content":"r")",
                R"("tool_calls":[)" + call + "]" })
            + "," + object({ R"("role":"tool")", R"("tool_call_id":"t1")", R"("content":"result")" }) + "]";
        const std::string tool
            = object({ R"("type":"function")", R"("function":)" + object({ R"("name":"cat")", R"("strict":true)" }) });
        return load(
            object({ R"("model":"gpt-4o")", R"("messages":)" + messages, R"("tools":[)" + tool + "]", R"("seed":7)" }));
    };
    const auto original = session([](auto &) { });
    QVERIFY2(original, error(original).c_str());
    const std::string words = describe(**original);
    QCOMPARE(words,
        R"(system{text "s"} user{text+typed "u", image image/png "QUJD"} )"
        R"(assistant{thinking "r", text "a", call cat#t1 "{"path": "a.c"}"} tool{result cat#t1 "result"})");
    const char *seed = std::getenv("PALIMPSEST_SEED");
    std::mt19937 random(seed != nullptr ? static_cast<unsigned>(std::strtoul(seed, nullptr, 10)) : 1U);
    for (int i = 0; i < 50; ++i) {
        const auto shuffled = session([&](auto &members) { std::ranges::shuffle(members, random); });
        QVERIFY2(shuffled, error(shuffled).c_str());
        QCOMPARE(describe(**shuffled), words);
        QVERIFY((*shuffled)->threads[0].prelude.has_value());
        QCOMPARE(brokenRule(**shuffled), "");
    }
}

void TestOpenAiChat::images_data()
{
    QTest::addColumn<Text>("part");
    QTest::addColumn<Text>("name");
    QTest::addColumn<int>("coding");
    QTest::addColumn<Text>("raw");
    const auto row = [](const char *name, const char *part, const char *type, Coding coding, const char *raw) {
        QTest::newRow(name) << Text(part) << Text(type) << static_cast<int>(coding) << Text(raw);
    };
    row("a data URL begins behind its comma",
        R"({"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0="}})", "image/png", Coding::Base64,
        "iVBORw0=");
    row("a data URL with escaped slashes is decoded first",
        R"({"type":"image_url","image_url":{"url":"data:image\/png;base64,a\/b\/c="}})", "image/png", Coding::Base64,
        "a/b/c=");
    row("escaped slashes in the data alone are decoded, too",
        R"({"type":"image_url","image_url":{"url":"data:image/gif;base64,a\/b="}})", "image/gif", Coding::Base64,
        "a/b=");
    row("a data URL that is not base64 is text",
        R"({"type":"image_url","image_url":{"url":"data:image/svg+xml,<svg/>"}})", "", Coding::JsonString,
        "data:image/svg+xml,<svg/>");
    row("an address is text and is not fetched", R"({"type":"image_url","image_url":{"url":"http:\/\/a.b\/c"}})", "",
        Coding::JsonString, R"(http:\/\/a.b\/c)");
    row("the URL may stand alone", R"({"type":"image_url","image_url":"data:image/webp;base64,QQ=="})", "image/webp",
        Coding::Base64, "QQ==");
    row("Anthropic's source is base64",
        R"({"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"QUI="}})", "image/jpeg",
        Coding::Base64, "QUI=");
    row("LangChain's base64 has a mime_type", R"({"type":"image","base64":"QUI=","mime_type":"image/jpeg"})",
        "image/jpeg", Coding::Base64, "QUI=");
    row("an image of no known shape stays as its JSON", R"({"type":"image","image":{"bytes":3}})", "",
        Coding::JsonValue, R"({"type":"image","image":{"bytes":3}})");
}

void TestOpenAiChat::images()
{
    QFETCH(Text, part);
    QFETCH(Text, name);
    QFETCH(int, coding);
    QFETCH(Text, raw);
    const auto session = load(R"([{"role":"system","content":"s"},{"role":"user","content":[)" + part
        + R"(]},{"role":"tool","tool_call_id":"x","content":"makes it Chat"}])");
    QVERIFY2(session, error(session).c_str());
    const Block &image = (*session)->blocks.at(1);
    QCOMPARE(image.kind, BlockKind::Image);
    QCOMPARE(std::string((*session)->string(image.name)), name);
    QCOMPARE(static_cast<int>(image.body.coding), coding);
    QCOMPARE(std::string((*session)->rawBody(image.body)), raw);
    QCOMPARE(brokenRule(**session), "");
}

void TestOpenAiChat::usage_data()
{
    QTest::addColumn<Text>("json");
    QTest::addColumn<quint64>("input");
    QTest::addColumn<quint64>("read");
    QTest::addColumn<quint64>("written");
    QTest::addColumn<quint64>("output");
    const auto row = [](const char *name, const char *json, quint64 input, quint64 read, quint64 written,
                         quint64 output) { QTest::newRow(name) << Text(json) << input << read << written << output; };
    row("prompt_tokens include the cached ones",
        R"({"prompt_tokens":1000,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":600}})", 400, 600, 0,
        5);
    row("null details are none",
        R"({"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":null,"completion_tokens_details":null})",
        10, 0, 0, 5);
    row("LiteLLM repeats Anthropic's figures beside the total",
        R"({"prompt_tokens":1000,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":600},"cache_creation_input_tokens":300,"cache_read_input_tokens":600})",
        100, 600, 300, 5);
    row("an older total without the cache is taken as it stands",
        R"({"prompt_tokens":10,"completion_tokens":5,"cache_creation_input_tokens":300,"cache_read_input_tokens":600})",
        10, 600, 300, 5);
    row("DeepSeek counts hits and misses",
        R"({"prompt_tokens":100,"completion_tokens":5,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36})", 36,
        64, 0, 5);
    row("LangChain's input_tokens include the cached ones",
        R"({"input_tokens":1000,"output_tokens":5,"input_token_details":{"cache_read":600,"cache_creation":300}})", 100,
        600, 300, 5);
    row("LangChain's two lifetimes stand for a creation of 0",
        R"({"input_tokens":1000,"output_tokens":5,"input_token_details":{"cache_read":0,"cache_creation":0,"ephemeral_5m_input_tokens":200,"ephemeral_1h_input_tokens":50}})",
        750, 0, 250, 5);
    row("Anthropic's own input_tokens do not include them",
        R"({"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":4,"cache_creation_input_tokens":3})", 10, 4,
        3, 5);
}

void TestOpenAiChat::usage()
{
    QFETCH(Text, json);
    QFETCH(quint64, input);
    QFETCH(quint64, read);
    QFETCH(quint64, written);
    QFETCH(quint64, output);
    const auto usage = chatUsage(json);
    QVERIFY(usage.has_value());
    QCOMPARE(usage->input, input);
    QCOMPARE(usage->cacheRead, read);
    QCOMPARE(usage->cacheWrite, written);
    QCOMPARE(usage->output, output);
    QVERIFY(!chatUsage("{}").has_value());
    QVERIFY(!chatUsage("null").has_value());
}

void TestOpenAiChat::containers_data()
{
    QTest::addColumn<Text>("document");
    QTest::addColumn<int>("threads");
    QTest::addColumn<Text>("words");
    const auto row = [](const char *name, const char *document, int threads, const char *words) {
        QTest::newRow(name) << Text(document) << threads << Text(words);
    };
    row("a bare array", R"([{"role":"system","content":"s"},{"role":"user","content":"u"}])", 1,
        R"(system{text "s"} user{text+typed "u"})");
    row("a request body", R"({"model":"gpt-4o","messages":[{"role":"user","content":"u"}],"temperature":0})", 1,
        R"(user{text+typed "u"})");
    row("a completion alone is its answer",
        R"({"id":"c","object":"chat.completion","choices":[{"message":{"role":"assistant","content":"a"}}]})", 1,
        R"(assistant{text "a"})");
    row("a stored completion is its messages and its first choice",
        R"({"object":"traffic.completion","messages":[{"role":"user","content":"u"}],"choices":[{"message":{"role":"assistant","content":"a"}},{"message":{"role":"assistant","content":"b"}}]})",
        1, R"(user{text+typed "u"} assistant{text "a"})");
    row("the messages of a stored completion",
        R"({"object":"list","data":[{"id":"m-0","role":"system","content":"s"},{"id":"m-1","role":"user","content":"u"}],"has_more":false})",
        1, R"(system{text "s"} user{text+typed "u"})");
    row("a list of completions is a run each",
        R"({"object":"list","data":[{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"a"}}]},{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"b"}}]}]})",
        2, R"(assistant{text "a"})");
    row("a byte order mark and blanks around do no harm",
        "\xEF\xBB\xBF  \r\n[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"u\"}]\r\n\r\n", 1,
        R"(system{text "s"} user{text+typed "u"})");
    row("rows with CRLF and an empty object",
        "{\"model\":\"gpt-4o\",\"messages\":[{\"role\":\"user\",\"content\":\"u\"}]}\r\n{}\r\n{\"model\":\"gpt-4o\","
        "\"messages\":[{\"role\":\"user\",\"content\":\"v\"}]}\r\n",
        2, R"(user{text+typed "u"})");
}

void TestOpenAiChat::containers()
{
    QFETCH(Text, document);
    QFETCH(int, threads);
    QFETCH(Text, words);
    const auto session = load(document);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "openai-chat");
    QCOMPARE(describe(**session), words);
    QCOMPARE(static_cast<int>((*session)->threads.size()), threads);
    QCOMPARE((*session)->threads[0].kind, threads > 1 ? ThreadKind::Run : ThreadKind::Main);
    QVERIFY(!(*session)->traits->mergesUsers());
    QCOMPARE(brokenRule(**session), "");
}

void TestOpenAiChat::requestHasPrelude()
{
    const auto result = load(
        R"({"model":"gpt-4.1-mini","messages":[{"role":"user","content":"Find the bug in parse.c"},{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}],
"tools":[{"type":"function","function":{"name":"ls","parameters":{}}},{"type":"custom","custom":{"name":"patch"}}],
"functions":[{"name":"old"}]})");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    const Thread &thread = session.threads[0];
    QVERIFY(thread.prelude.has_value());
    QCOMPARE(thread.prelude->size(), 3U);
    std::string names;
    for (uint32_t i = thread.prelude->begin; i < thread.prelude->end; ++i) {
        const Block &block = session.blocks[i];
        QVERIFY(block.is(BlockFlag::Tools));
        QCOMPARE(block.kind, BlockKind::Opaque);
        QCOMPARE(session.message(block.message).role, Role::System);
        names += std::string(session.string(block.name)) + " ";
    }
    QCOMPARE(names, "ls patch old ");
    QCOMPARE(session.blocks[thread.prelude->begin].recordLine, 2U);
    QCOMPARE(
        describe(session), R"(user{text+typed "Find the bug in parse.c"} assistant{text "a"} assistant{text "b"})");
    QCOMPARE(thread.calls.size(), 2U);
    QVERIFY(std::ranges::all_of(thread.calls, &Call::isDerived));
    QVERIFY(thread.calls[1].prelude == thread.prelude);
    QCOMPARE(thread.calls[1].input.blockCount(), 2U);
    QCOMPARE(session.model, "gpt-4.1-mini");
    QCOMPARE(session.windowTokens.value_or(0), 1'047'576U);
    QCOMPARE(session.title, "Find the bug in parse.c");
    QCOMPARE(brokenRule(session), "");
}

void TestOpenAiChat::logOfOneCall()
{
    const auto result = load(
        R"({"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"},{"role":"user","content":"v"}],"tools":[],
"kwargs":{"extra_body":{"metadata":{"tags":["model:x","openhands_version:1.2.3"]}},"tools":[1]},"context_window":64000,
"response":{"id":"chatcmpl-1","created":1757015046,"model":"proxy/m-1","object":"chat.completion",
"choices":[{"message":{"role":"assistant","content":"b","tool_calls":[{"id":"t","type":"function","function":{"name":"ls","arguments":"{}"}}]}},{"message":{"role":"assistant","content":"other"}}],
"usage":{"prompt_tokens":100,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":30}}},"cost":0.1,"timestamp":1757015046.5,"latency_sec":2})");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    QCOMPARE(describe(session),
        R"(user{text+typed "u"} assistant{text "a"} user{text+typed "v"} assistant{text "b", call ls#t "{}"})");
    QCOMPARE(session.harness, "OpenHands 1.2.3");
    QCOMPARE(session.model, "proxy/m-1");
    QCOMPARE(session.windowTokens.value_or(0), 64'000U);
    const std::vector<Call> &calls = session.threads[0].calls;
    QCOMPARE(calls.size(), 2U);
    QVERIFY(calls[0].isDerived);
    QVERIFY(!calls[0].usage.has_value());
    QVERIFY(!calls[1].isDerived);
    QCOMPARE(calls[1].usage->prompt(), 100U);
    QCOMPARE(calls[1].usage->cacheRead, 30U);
    QCOMPARE(calls[1].output.size(), 2U);
    QCOMPARE(calls[1].time.value_or(0), 1'757'015'046'500);
    QCOMPARE(std::string(session.string(calls[1].responseId)), "chatcmpl-1");
    QVERIFY(session.sideBytes > 0); // what was sent beside the array, and the choice that was not taken
    QCOMPARE(brokenRule(session), "");
}

void TestOpenAiChat::rowsAreRuns()
{
    const auto result = load(
        R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"one"},{"role":"assistant","content":"1"}],"tools":[{"type":"function","function":{"name":"f"}}]}
{"messages":[{"role":"system","content":"s"},{"role":"user","content":"two"},{"role":"assistant","content":"2"}]}
{"messages":[{"role":"system","content":"s"},{"role":"user","content":"three"},{"role":"assistant","content":"3"}]}
)");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    QCOMPARE(session.threads.size(), 3U);
    for (const Thread &thread : session.threads) {
        QCOMPARE(thread.kind, ThreadKind::Run);
        QCOMPARE(thread.calls.size(), 1U);
        QVERIFY(thread.compactions.empty());
    }
    QCOMPARE(session.threads[2].title, "three");
    QCOMPARE(describe(session, 1), R"(system{text "s"} user{text+typed "two"} assistant{text "2"})");
    QCOMPARE(session.message(session.block(BlockId(session.blocks.size() - 1)).message).line, 3U);
    QCOMPARE(brokenRule(session), "");
}

void TestOpenAiChat::rowsThatExtendEachOtherAreARecording()
{
    const auto result = load(
        R"({"model":"gpt-4o","messages":[{"role":"system","content":"s"},{"role":"user","content":"one"}],"choices":[{"message":{"role":"assistant","content":"1"}}],"usage":{"prompt_tokens":7,"completion_tokens":1}}
{"model":"gpt-4o","messages":[{"role":"system","content":"s"},{"role":"user","content":"one"},{"role":"assistant","content":"1"},{"role":"user","content":"t\u0077o"}],"choices":[{"message":{"role":"assistant","content":"2"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}
{"model":"gpt-4o","messages":[{"role":"system","content":"s"},{"role":"user","content":"one"},{"role":"assistant","content":"1"},{"role":"user","content":"two"},{"role":"assistant","content":"2"},{"role":"user","content":"three"}]}
)");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    QCOMPARE(session.threads.size(), 1U);
    QCOMPARE(session.threads[0].kind, ThreadKind::Main);
    QCOMPARE(session.blocks.size(), 6U); // each text once, however it is escaped
    const std::vector<Call> &calls = session.threads[0].calls;
    QCOMPARE(calls.size(), 3U);
    QVERIFY(!calls[0].isDerived);
    QCOMPARE(calls[1].usage->prompt(), 9U);
    QCOMPARE(calls[1].input.blockCount(), 4U);
    QCOMPARE(calls[2].input.blockCount(), 6U);
    QCOMPARE(brokenRule(session), "");
}

void TestOpenAiChat::tauBench()
{
    const auto result = load(R"([
  {
    "task_id": 7, "reward": 1.0, "info": {"task": {"actions": []}},
    "traj": [{"role":"system","content":"s"},{"role":"user","content":"Book a flight"},{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t","name":"f","content":"ok"}],
    "trial": 2
  },
  {"task_id": "airline-8", "reward": 0.0, "info": {}, "traj": [{"role":"system","content":"s"},{"role":"user","content":"Cancel it"}]},
  {"task_id": 9, "reward": 0.0, "error": "timeout"}
])");
    QVERIFY2(result, error(result).c_str());
    const Session &session = **result;
    QCOMPARE(session.harness, "tau-bench");
    QCOMPARE(session.threads.size(), 2U);
    QCOMPARE(session.threads[0].title, "Task 7, trial 2");
    QCOMPARE(session.threads[0].id, "7/2");
    QCOMPARE(session.threads[1].title, "Task airline-8");
    QCOMPARE(session.threads[1].kind, ThreadKind::Run);
    QCOMPARE(session.sideBytes, std::string_view(R"({"task": {"actions": []}}{})").size());
    QCOMPARE(session.message(session.blocks[0].message).line, 4U);
    QCOMPARE(diagnosticsOf(session), "8: A result without a trajectory was skipped.\n");
    QCOMPARE(brokenRule(session), "");
}

void TestOpenAiChat::storedCompletionsAreOrdered()
{
    const auto result = load(
        R"({"object":"list","data":[{"object":"chat.completion","id":"new","created":1700000002,"choices":[{"message":{"role":"assistant","content":"b"}}]},{"object":"chat.completion","id":"old","created":1700000001,"choices":[{"message":{"role":"assistant","content":"a"}}]}]})");
    QVERIFY2(result, error(result).c_str());
    QCOMPARE(describe(**result, 0), R"(assistant{text "a"})");
    QCOMPARE(describe(**result, 1), R"(assistant{text "b"})");
    QCOMPARE((*result)->threads[0].calls[0].time.value_or(0), 1'700'000'001'000);
}

/// Harnesses that replay cached responses repeat ids; tau-bench's published runs do so in 49 of 200.
void TestOpenAiChat::repeatedIdsBelongToTheNearestCall()
{
    const auto result = load(
        R"([{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"user","arguments":"{\"path\":\"a\"}"}}]},{"role":"tool","tool_call_id":"t","content":"1"},
{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"sum","arguments":"{\"path\":\"b\"}"}}]},{"role":"tool","tool_call_id":"t","content":"2"}])");
    QVERIFY2(result, error(result).c_str());
    QCOMPARE(describe(**result),
        R"(assistant{call user#t "{"path":"a"}"} tool{result user#t "1"} assistant{call sum#t "{"path":"b"}"} tool{result sum#t "2"})");
    QCOMPARE(std::string((*result)->string((*result)->blocks[1].subject)), "a");
    QCOMPARE(std::string((*result)->string((*result)->blocks[3].subject)), "b");
    const Transcript array(*result, (*result)->threads[0].end);
    using Group = std::vector<BlockId>;
    const Group first { BlockId(0U), BlockId(1U) };
    const Group second { BlockId(2U), BlockId(3U) };
    for (const uint32_t id : { 0U, 1U })
        QCOMPARE(callAndAnswers(array, BlockId(id)), first);
    for (const uint32_t id : { 2U, 3U })
        QCOMPARE(callAndAnswers(array, BlockId(id)), second);
    const Transcript before(*result, rangesAt(**result, { ThreadIndex(0U), CallIndex(1U) }));
    QCOMPARE(callAndAnswers(before, BlockId(3U)), Group());
}

void TestOpenAiChat::recognises_data()
{
    QTest::addColumn<Text>("document");
    QTest::addColumn<bool>("isOurs");
    const auto ours = [](const char *name, const Text &document) { QTest::newRow(name) << document << true; };
    const auto theirs = [](const char *name, const Text &document) { QTest::newRow(name) << document << false; };
    ours("a system message", R"([{"role":"system","content":"s"},{"role":"user","content":"u"}])");
    ours("users and assistants alone", R"([{"role":"user","content":"u"},{"role":"assistant","content":"a"}])");
    ours("max_tokens with OpenAI's model",
        R"({"model":"openai/gpt-4o","max_tokens":9,"messages":[{"role":"user","content":"u"}]})");
    ours("max_tokens with OpenAI's tools",
        R"({"model":"m","max_tokens":9,"tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"u"}]})");
    ours("tool messages beside Anthropic's blocks",
        R"([{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"thinking","thinking":"t"}],"tool_calls":[{"id":"t","function":{"name":"f","arguments":""}}]}])");
    ours("a request whose tools are longer than the head",
        R"({"tools":[{"type":"function","function":{"name":")" + Text(100'000, 'x')
            + R"("}}],"messages":[{"role":"user","content":"u"}]})");
    ours("rows that are longer than the head",
        R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":")" + Text(100'000, 'x')
            + "\"}]}\n{\"messages\":[{\"role\":\"system\",\"content\":\"s\"}]}\n");
    ours("a pretty array that is cut off",
        "[\n  {\n    \"role\": \"system\",\n    \"content\": \"s\"\n  },\n  {\n    \"role\": \"us");
    ours("max_tokens alone says nothing", R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"u"}]})");
    theirs("no messages at all", "[]");
    theirs("an Anthropic request",
        R"({"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"u"}]})");
    theirs("an Anthropic request of nothing but messages",
        R"({"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"u"}]})");
    theirs("Anthropic's tools",
        R"({"model":"m","tools":[{"name":"f","input_schema":{}}],"messages":[{"role":"user","content":"u"}]})");
    theirs("Anthropic's blocks",
        R"([{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}])");
    theirs("a reminder in the middle of Anthropic's array",
        R"({"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"u"},{"role":"system","content":"r"}]})");
    theirs("Gemini contents", R"([{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"text":"m"}]}])");
    theirs(
        "Genkit messages", R"([{"role":"user","content":[{"text":"u"}]},{"role":"model","content":[{"text":"m"}]}])");
    theirs("a Genkit system message",
        R"([{"role":"system","content":[{"text":"s"}]},{"role":"tool","content":[{"toolResponse":{}}]}])");
    theirs("Cline and Roo",
        R"([{"role":"user","content":[{"type":"text","text":"u"}],"ts":1},{"role":"assistant","content":"a","ts":2}])");
    theirs("mini-SWE-agent",
        R"({"info":{},"messages":[{"role":"system","content":"s"}],"trajectory_format":"mini-swe-agent-1"})");
    theirs("mini-SWE-agent's messages",
        R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"u","extra":{}}]})");
    theirs("SWE-agent", R"([{"role":"system","content":"s","agent":"main","message_type":"system_prompt"}])");
    theirs("Inspect",
        R"([{"role":"user","content":"u"},{"role":"assistant","content":"","tool_calls":[{"id":"t","function":"bash","arguments":{}}]}])");
    theirs("pi", R"([{"role":"user","content":"u"},{"role":"toolResult","toolCallId":"t","content":[]}])");
    theirs("Goose", R"([{"role":"user","created":1,"content":[{"type":"text","text":"u"}]}])");
    theirs("LangChain", R"([{"type":"human","content":"u","additional_kwargs":{}}])");
    theirs("Responses", R"([{"role":"user","content":[{"type":"input_text","text":"u"}]}])");
    theirs("a Responses item list",
        R"({"object":"list","data":[{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]}]})");
    theirs("Cursor's rows",
        "{\"role\":\"user\",\"message\":{\"content\":[]}}\n{\"role\":\"assistant\",\"message\":{\"content\":[]}}\n");
    theirs("Gemini chats", R"({"sessionId":"s","projectHash":"h","messages":[{"type":"user","content":"u"}]})");
    theirs("rows of which one is another's",
        "{\"messages\":[{\"role\":\"system\",\"content\":\"s\"}]}\n{\"type\":\"user\",\"uuid\":\"1\"}\n");
    theirs("a table of roles", R"([{"role":"admin","name":"Ann"},{"role":"user","name":"Bob"}])");
}

void TestOpenAiChat::recognises()
{
    QFETCH(Text, document);
    QFETCH(bool, isOurs);
    const std::string format = formatOf(document);
    if (isOurs)
        QCOMPARE(format, "openai-chat");
    else
        QVERIFY2(format != "openai-chat", "claimed");
}

void TestOpenAiChat::damage_data()
{
    QTest::addColumn<Text>("document");
    QTest::addColumn<Text>("words");
    QTest::addColumn<Text>("diagnostics");
    const auto row = [](const char *name, const char *document, const char *words, const char *diagnostics) {
        QTest::newRow(name) << Text(document) << Text(words) << Text(diagnostics);
    };
    row("an array that is cut off keeps its whole messages",
        "[{\"role\":\"system\",\"content\":\"s\"},\n{\"role\":\"user\",\"content\":\"u\"},\n{\"content\":\"lo",
        R"(system{text "s"} user{text+typed "u"})",
        "3: The file ends in the middle of a value: everything up to line 2 was read, the last 16 bytes were not.\n");
    row("a cut message that tells its role keeps what is whole of it",
        "[{\"role\":\"system\",\"content\":\"s\"},\n{\"role\":\"assistant\",\"content\":\"a\",\"tool_calls\":[{\"id\":"
        "\"t\",\"functi",
        R"(system{text "s"} assistant{text "a"})",
        "2: The file ends in the middle of a value: everything up to line 2 was read, the last 8 bytes were not.\n");
    row("a cut message that does not is skipped with a word",
        "[{\"role\":\"system\",\"content\":\"s\"},\n{\"content\":\"lost\",\"na", R"(system{text "s"})",
        "2: The file ends in the middle of a value: everything up to line 2 was read, the last 4 bytes were not.\n"
        "2: A message has no role and was skipped (18 bytes).\n");
    row("an element that is not an object is skipped",
        "[{\"role\":\"system\",\"content\":\"s\"},\n{\"role\":\"user\",\"content\":\"u\"},\n3,\n\"text\"]",
        R"(system{text "s"} user{text+typed "u"})",
        "3: An element of the messages is not an object and was skipped.\n4: An element of the messages is not an "
        "object and was skipped.\n");
    row("an unknown role is shown as a user's",
        "{\"messages\":[{\"role\":\"system\",\"content\":\"s\"}],\"choices\":[{\"message\":{\"role\":\"critic\","
        "\"content\":\"c\"}}]}",
        R"(system{text "s"} user{text+typed "c"})",
        "1: A message of the unknown role \"critic\" is shown as a user's.\n");
    row("a result without its call is kept and named",
        "[{\"role\":\"system\",\"content\":\"s\"},\n{\"role\":\"tool\",\"tool_call_id\":\"gone\",\"content\":\"r\"}]",
        R"(system{text "s"} tool{result#gone "r"})",
        "2: A tool result answers the call gone, which is not before it.\n");
    row("a row that is cut off loses only itself",
        "{\"model\":\"gpt-4o\",\"messages\":[{\"role\":\"user\",\"content\":\"u\"}]}\n{\"model\":\"gpt-4o\",\"mess",
        R"(user{text+typed "u"})",
        "2: The last record is cut off (a session that is still being written, or a crash): 23 bytes were skipped.\n");
    row("what follows the value is not read in silence", "[{\"role\":\"system\",\"content\":\"s\"}]\nnoise",
        R"(system{text "s"})", "2: The JSON value ends before the file does; the last 5 bytes were not read.\n");
    row("a result before its call in one message",
        R"([{"role":"user","content":"go"},{"role":"assistant","content":{"type":"tool_result","tool_call_id":"t1","content":"x"},"tool_calls":[{"id":"t1","function":{"name":"ls","arguments":"{}"}}]}])",
        R"(user{text+typed "go"} assistant{result ls#t1 "x", call ls#t1 "{}"})",
        "1: A tool result answers the call t1, which is not before it.\n");
    row("raw control characters are repaired", "[{\"role\":\"system\",\"content\":\"a\tb\"}]", "system{text \"a\tb\"}",
        "0: The file held control characters, or bytes that are not UTF-8; Palimpsest repaired them.\n");
}

void TestOpenAiChat::damage()
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

/// However early a document ends, what can be read is read, and the session keeps all rules.
void TestOpenAiChat::cutAnywhere()
{
    const std::string whole
        = R"({"model":"gpt-4o","tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"system","content":"s\u00e9"},{"role":"user","content":[{"type":"text","text":"u"},{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}]},{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{\"a\": \"\\\"\"}"}}]},{"role":"tool","tool_call_id":"t","content":"r"}],"choices":[{"message":{"role":"assistant","content":"done"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}})";
    size_t read = 0;
    size_t slotCount = 0;
    for (size_t size = 0; size <= whole.size(); ++size) {
        const auto session = load(whole.substr(0, size));
        if (!session)
            continue;
        ++read;
        QCOMPARE(brokenRule(**session), "");
        QVERIFY2(slotsAtEnd(*session) >= slotCount, "A longer piece holds fewer messages.");
        slotCount = slotsAtEnd(*session);
    }
    QCOMPARE(slotCount, 5U);
    QVERIFY(read > whole.size() / 2);
}

void TestOpenAiChat::malformedSamples()
{
    const auto path
        = std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed/openai-chat-bad-arguments.json";
    const auto session = loadSession(path);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE(describe(**session),
        R"(user{text+typed "List the files."} assistant{call ls#t1 "{"path": "/ho"} tool{result ls#t1 "invalid arguments"})");
    QCOMPARE(diagnosticsOf(**session), "");
}

void TestOpenAiChat::corpusFiles_data()
{
    QTest::addColumn<Text>("file");
    for (const std::string &file : testing::corpusFiles({ "openai-chat" }))
        QTest::newRow(file.c_str()) << file;
    if (corpus().empty())
        QTest::newRow("no corpus") << Text();
}

void TestOpenAiChat::corpusFiles()
{
    QFETCH(Text, file);
    if (file.empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto session = loadSession(corpus() / file);
    QVERIFY2(session, error(session).c_str());
    QCOMPARE((*session)->format, "openai-chat");
    QCOMPARE(brokenRule(**session), "");
    QCOMPARE(diagnosticsOf(**session), "");
    const std::vector<Expected> expected = expectedOf(file);
    QCOMPARE(expected.size(), (*session)->threads.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        auto numbers = expected[i].numbers;
        const Thread &thread = (*session)->threads[i];
        QCOMPARE(slotsAtEnd(*session, i), numbers["slots_end"]);
        QCOMPARE(slotsInLife(*session, i), numbers["slots_life"]);
        QCOMPARE(thread.calls.size(), numbers["calls"]);
        QCOMPARE(thread.compactions.size(), numbers["compactions"]);
    }
}

/// The oldest files of mini-SWE-agent are bare arrays of Chat messages, with nothing that names it.
void TestOpenAiChat::claimsNoOtherFormat()
{
    if (corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    std::string claimed;
    for (const std::string &file : testing::corpusFiles()) {
        const auto source = Source::open(corpus() / file);
        QVERIFY2(source, file.c_str());
        const auto format = recognise((*source)->bytes(), file);
        const bool isOurs = format && (*format)->id == "openai-chat";
        const bool shouldBe = file.starts_with("openai-chat/") || file.ends_with("github_issue.traj.json");
        if (isOurs != shouldBe)
            claimed += file + "\n";
    }
    QCOMPARE(claimed, "");
}

PALIMPSEST_TEST(TestOpenAiChat)
#include "tst_openai_chat.moc"
