// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/responses_items.h"
#include "core/formats/reading/unpack.h"
#include "core/session/slot_label.h"
#include "core/session/transcript.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <fstream>
#include <set>
#include <sstream>

using namespace core;
using testing::describe;

namespace {

/// A line of the wrapped era. Each is a second later than the one before.
std::string line(const std::string &type, const std::string &payload)
{
    static int second = 0;
    second = (second + 1) % 60;
    return "{\"timestamp\":\"2026-03-09T08:14:" + std::string(second < 10 ? "0" : "") + std::to_string(second)
        + ".000Z\",\"type\":\"" + type + "\",\"payload\":" + payload + "}\n";
}

std::string item(const std::string &payload) { return line("response_item", payload); }
std::string happened(const std::string &payload) { return line("event_msg", payload); }
std::string meta(const std::string &more = "", const std::string &id = "s1")
{
    return line("session_meta",
        R"({"id":")" + id + R"(","cwd":"/home/user/project","originator":"codex_cli_rs","cli_version":"0.79.0")" + more
            + "}");
}

std::string messageJson(const std::string &role, const std::string &text)
{
    const std::string part = role == "assistant" ? "output_text" : "input_text";
    return R"({"type":"message","role":")" + role + R"(","content":[{"type":")" + part + R"(","text":")" + text
        + R"("}]})";
}

std::string message(const std::string &role, const std::string &text) { return item(messageJson(role, text)); }
std::string user(const std::string &text) { return message("user", text); }
std::string assistant(const std::string &text) { return message("assistant", text); }
std::string environment()
{
    return user("<environment_context>\\n  <cwd>/home/user/project</cwd>\\n</environment_context>");
}
std::string thinking(const std::string &ciphertext)
{
    return item(R"({"type":"reasoning","summary":[],"content":null,"encrypted_content":")" + ciphertext + R"("})");
}
std::string call(const std::string &id, const std::string &command = "ls")
{
    const std::string arguments = R"({\"command\":[\"bash\",\"-lc\",\"COMMAND\"]})";
    const size_t place = arguments.find("COMMAND");
    return item(R"({"type":"function_call","name":"shell","arguments":")" + arguments.substr(0, place) + command
        + arguments.substr(place + 7) + R"(","call_id":")" + id + R"("})");
}
std::string output(const std::string &id, const std::string &text = "a.txt")
{
    return item(R"({"type":"function_call_output","call_id":")" + id + R"(","output":")" + text + R"("})");
}

std::string figures(uint64_t input, uint64_t cached, uint64_t outputTokens)
{
    return R"({"input_tokens":)" + std::to_string(input) + R"(,"cached_input_tokens":)" + std::to_string(cached)
        + R"(,"output_tokens":)" + std::to_string(outputTokens) + R"(,"reasoning_output_tokens":3,"total_tokens":)"
        + std::to_string(input + outputTokens) + "}";
}

/// A token count; `total` only has to differ from call to call.
std::string tokens(uint64_t total, uint64_t input, uint64_t cached = 0, uint64_t outputTokens = 7)
{
    return happened(R"({"type":"token_count","info":{"total_token_usage":)" + figures(total, 0, total)
        + R"(,"last_token_usage":)" + figures(input, cached, outputTokens)
        + R"(,"model_context_window":258400},"rate_limits":{"primary":{"used_percent":1.0}}})");
}

std::string compacted(const std::vector<std::string> &items, const std::string &text = "")
{
    std::string history;
    for (const std::string &each : items)
        history += (history.empty() ? "" : ",") + each;
    return line("compacted", R"({"message":")" + text + R"(","replacement_history":[)" + history + "]}");
}

std::string rolledBack(int turns)
{
    return happened(R"({"type":"thread_rolled_back","num_turns":)" + std::to_string(turns) + "}");
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

/// Every call as `input→output`, `d` in front of a derived one, `=` and its prompt and output tokens behind.
std::string calls(const SessionPtr &session)
{
    std::string text;
    for (const Call &each : session->threads.front().calls) {
        text += text.empty() ? "" : " ";
        text += each.isDerived ? "d" : "";
        text += std::to_string(Transcript(session, each.input).slotCount()) + "→";
        BlockRanges output;
        output.append(each.output);
        text += std::to_string(Transcript(session, output).slotCount());
        if (each.usage)
            text += "=" + std::to_string(each.usage->prompt()) + "+" + std::to_string(each.usage->output);
    }
    return text;
}

/// Slots that ever stood in an array, also in one that no call was sent because the next compaction replaced it.
size_t slotsEver(const SessionPtr &session)
{
    std::set<MessageId> messages;
    const auto add = [&](BlockId id) { messages.insert(session->block(id).message); };
    const Thread &thread = session->threads.front();
    for (const RecordedCompaction &each : thread.compactions) {
        each.before.forEach(add);
        each.after.forEach(add);
    }
    thread.end.forEach(add);
    return messages.size();
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
    QVERIFY(session)

class TestCodex final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOutputInAnObjectIsNamedByItsWords();
    void recordsOfBrokenJsonAreSkipped_data();
    void recordsOfBrokenJsonAreSkipped();
    void figuresBeyondAllBoundsAreNone();
    void readsEveryEra_data();
    void readsEveryEra();
    void readsCompressedFiles();
    void noticesThatACompressedFileIsCut();
    void aCompressedFileHasABound();
    void describesTheSession();
    void makesBlocksOfItems_data();
    void makesBlocksOfItems();
    void showsShellOutputAsItStands();
    void keepsRecordsOfBlocks();
    void findsFailedResults_data();
    void findsFailedResults();
    void findsSubjects_data();
    void findsSubjects();
    void tellsTypedTextFromInjected_data();
    void tellsTypedTextFromInjected();
    void groupsCalls_data();
    void groupsCalls();
    void readsUsage();
    void dropsRepeatedReports();
    void placesSystemPromptAndTools_data();
    void placesSystemPromptAndTools();
    void countsWhatWasNeverInContext();
    void replacesTheArray();
    void takesWhatACompactionHadDropped();
    void pairsTheLastOfEqualItems();
    void compactsTwiceInARow();
    void findsTheSummary_data();
    void findsTheSummary();
    void compactsWithoutReplacement();
    void keepsTwentyThousandTokensOfUserMessages();
    void rollsBack_data();
    void rollsBack();
    void countsCopiesOnce_data();
    void countsCopiesOnce();
    void readsDamagedFiles_data();
    void readsDamagedFiles();
    void recognisesRollouts_data();
    void recognisesRollouts();
    void readsMalformedSamples_data();
    void readsMalformedSamples();
    void publishesWhileLoading();
    void stopsWhenCancelled();
    void readsTheCorpus_data();
    void readsTheCorpus();
};

void TestCodex::anOutputInAnObjectIsNamedByItsWords()
{
    const SessionPtr session = loaded(meta() + user("go") + call("c1")
        + output("c1", R"({\"output\":\"Success. Updated:\\nM a.cpp \\\"b\\\"\",\"metadata\":{\"exit_code\":0}})"));
    QCOMPARE(labelOf(*session, session->blocks.back()).subject, "Success. Updated: M a.cpp \"b\"");
}

void TestCodex::recordsOfBrokenJsonAreSkipped_data()
{
    QTest::addColumn<QString>("broken");
    const auto row = [](const char *name, const char *broken) { QTest::newRow(name) << QString::fromUtf8(broken); };
    row("a string that ends too early",
        R"({"timestamp":"2026-03-09T08:"","x":14:00.000Z","type":"event_msg","payload":{"type":"user_message"}})");
    row("an array that ends as an object",
        R"({"payload":{"content":[{"text":"x","type":"in:112]"},"name":"Bash","type":"x"}],"role":"assistant"},"timestamp":1,"type":"response_item"})");
    row("a bracket too many",
        R"({"payload":{"role":"assistant","content":[]}}]},"timestamp":1.5,"type":"response_item"})");
    row("no comma", R"({"timestamp":"2026-03-09T08:14:00.000Z" "type":"event_msg","payload":{"type":"x"}})");
    row("no colon", R"({"timestamp""2026-03-09T08:14:00.000Z","type":"event_msg","payload":{"type":"x"}})");
    row("a key that is no string", R"({"payload":{"a":1},7:"x","type":"event_msg"})");
}

/// The record is skipped with its line, the others are read. In builds without simdjson's own checks these crashed.
void TestCodex::recordsOfBrokenJsonAreSkipped()
{
    QFETCH(QString, broken);
    const auto session = testing::load(meta() + broken.toStdString() + "\n" + user("hello") + assistant("hi"));
    QVERIFY(session);
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE((*session)->messages.size(), 2U);
    QVERIFY(!(*session)->diagnostics.empty());
    for (const Diagnostic &each : (*session)->diagnostics)
        QCOMPARE(each.line, 2U);
}

void TestCodex::figuresBeyondAllBoundsAreNone()
{
    const std::string count = tokens(10, 20);
    for (const char *figure : { "1e30", "18446744073709551616", "9223372036854775808", "-1", "1e999" }) {
        std::string huge = count;
        huge.replace(huge.find("258400"), 6, figure);
        std::string time = user("hello");
        time.replace(time.find("\"2026"), 26, figure);
        const auto session = testing::load(meta().append(time).append(assistant("hi")).append(huge));
        QVERIFY(session);
        QVERIFY2(!(*session)->windowTokens, figure);
        QVERIFY2(!(*session)->messages.front().time, figure);
    }
}

void TestCodex::readsEveryEra_data()
{
    QTest::addColumn<QByteArray>("text");
    const std::vector<std::string> items { messageJson(
                                               "user", "<environment_context>\\n<cwd>/w</cwd></environment_context>"),
        messageJson("user", "Hi"), R"({"type":"reasoning","summary":[],"encrypted_content":"gAAA"})",
        R"({"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"})",
        R"({"type":"function_call_output","call_id":"c1","output":"a"})", messageJson("assistant", "Done") };
    std::string list;
    std::string bare = R"({"id":"s1","timestamp":"2025-08-20T08:14:02Z","instructions":null,"git":{}})"
                       "\n";
    std::string wrapped = meta();
    for (const std::string &each : items) {
        list += (list.empty() ? "\n" : ",\n") + each;
        bare += each + "\n{\"record_type\":\"state\"}\n";
        wrapped += item(each);
    }
    const std::string session = R"("session":{"id":"s1","timestamp":"2025-05-20T08:14:02Z","instructions":""})";
    QTest::newRow("a single document") << bytes("{" + session + ",\"items\":[" + list + "]}");
    QTest::newRow("a single document, items first") << bytes("{\"items\":[" + list + "]," + session + "}");
    QTest::newRow("bare lines") << bytes(bare);
    QTest::newRow("wrapped lines") << bytes(wrapped);
}

void TestCodex::readsEveryEra()
{
    QFETCH(QByteArray, text);
    LOAD(session, text.toStdString());
    QCOMPARE(session->format, "codex");
    QCOMPARE(describe(*session),
        "user{text+injected \"<environment_context>\n<cwd>/w</cwd></environment_context>\"} user{text+typed \"Hi\"} "
        "assistant{thinking+encrypted \"gAAA\"} assistant{call shell#c1 \"{}\"} tool{result shell#c1 \"a\"} "
        "assistant{text \"Done\"}");
    QCOMPARE(session->title, "Hi");
    QVERIFY(session->workingFolder == "/w" || session->workingFolder == "/home/user/project");
    QCOMPARE(calls(session), "d2→2 d5→1");
    QCOMPARE(session->threads.front().id, "s1");
    QVERIFY(session->diagnostics.empty());
}

namespace {
/// Three lines (header, "List the files.", "There is one.") as the zstd tool packs them.
QByteArray packed()
{
    return QByteArray::fromBase64(
        "KLUv/WT/AN0GAIJNKRlgeQNzxxGOK85iRTX2YAi3VZRRMhGABVcCwDhGIxNtb+A1aK4v57v7lr5Xd5pEIxPeWa2Cvj54rw1PsF/6brMVmvy239"
        "7scixwW9S9Na2/Su32bt4cAowjS0ImBiF5MteeVLOfGrvcVnDtXdHavYpvEtigKouTKXqzkG4sMP3WJHureztP7i18FvhZDIQ45EyMuUiHkQMi"
        "B+WQB0/eNPreWn0WAxMgUKJRUD2v3nBJuStdUkNYCzARjltnOMDRAMjwBSKY8XgdKwuqtlz4GyrXtqocI9YeBWKdQdg=");
}
} // namespace

void TestCodex::readsCompressedFiles()
{
    LOAD(session, packed().toStdString());
    QCOMPARE(session->harness, "Codex CLI 0.140.0");
    QCOMPARE(describe(*session), "user{text+typed \"List the files.\"} assistant{text \"There is one.\"}");
    QVERIFY(session->diagnostics.empty());
}

void TestCodex::noticesThatACompressedFileIsCut()
{
    const auto session = testing::load(packed().chopped(4).toStdString());
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE((*session)->diagnostics.size(), 1U);
    QVERIFY(!(*session)->blocks.empty());
}

void TestCodex::aCompressedFileHasABound()
{
    const std::string file = packed().toStdString();
    const auto whole = unpackZstd(file, "s.zst");
    QVERIFY(whole && whole->damage.empty());
    QVERIFY(unpackZstd(file, "s.zst", whole->text.size()));
    const auto refused = unpackZstd(file, "s.zst", whole->text.size() - 1);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::NotReadable);
    QVERIFY2(refused.error().sentence().starts_with("s.zst: The compressed file contains more than "),
        refused.error().sentence().c_str());
}

void TestCodex::describesTheSession()
{
    LOAD(session,
        meta() + happened(R"({"type":"task_started","model_context_window":272000})")
            + line("turn_context", R"({"cwd":"/elsewhere","model":"gpt-5.1-codex"})") + environment()
            + user("Fix the parser, please.\\nIt fails.") + assistant("Yes.") + tokens(10, 10) + user("And?")
            + line("turn_context", R"({"cwd":"/elsewhere","model":"gpt-5.5"})") + assistant("Done.") + tokens(30, 20)
            + user("Why?") + assistant("Because.") + tokens(60, 30));
    QCOMPARE(session->harness, "Codex CLI 0.79.0");
    QCOMPARE(session->model, "gpt-5.5");
    QCOMPARE(session->title, "Fix the parser, please.");
    QCOMPARE(session->workingFolder, "/home/user/project");
    QCOMPARE(session->windowTokens.value_or(0), 258400U);
    QVERIFY(!session->traits->mergesUsers());
    QVERIFY(session->isComplete);
    const auto &first = session->threads.front().calls.front();
    QCOMPARE(session->string(first.model), std::string_view("gpt-5.1-codex"));
    QVERIFY(first.time && *first.time > 1'770'000'000'000);
}

void TestCodex::makesBlocksOfItems_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *payload, const char *expected) {
        QTest::newRow(name) << QByteArray(payload) << QByteArray(expected);
    };
    row("developer messages are the system's",
        R"({"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>x"},{"type":"input_text","text":"Be kind."}]})",
        "system{text+injected \"<permissions instructions>x\", text \"Be kind.\"}");
    row("a message without a type is one", R"({"content":"Hi","role":"user"})", "user{text+typed \"Hi\"}");
    row("a message without content is a slot", R"({"type":"message","role":"assistant","content":[]})",
        "assistant{text \"\"}");
    row("a refusal is text", R"({"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"No."}]})",
        "assistant{text \"No.\"}");
    row("a readable summary stands beside the ciphertext",
        R"({"type":"reasoning","summary":[{"type":"summary_text","text":"**Plan**"}],"content":[{"type":"reasoning_text","text":"raw"}],"encrypted_content":"gAAA"})",
        "assistant{thinking \"**Plan**\", thinking \"raw\", thinking+encrypted \"gAAA\"}");
    row("reasoning that was not recorded is a slot", R"({"type":"reasoning","summary":[]})",
        "assistant{thinking \"\"}");
    row("an image is what lies between the quotes",
        R"({"type":"message","role":"user","content":[{"type":"input_text","text":"See:"},{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,iVBORw0K","detail":"high"},{"type":"input_text","text":"</image>"}]})",
        "user{text+typed \"See:\", text \"<image name=[Image #1]>\", image image/png \"iVBORw0K\", text \"</image>\"}");
    row("an image may be elsewhere",
        R"({"type":"message","role":"user","content":[{"type":"input_image","image_url":"https://example.invalid/a.png"}]})",
        "user{image \"https://example.invalid/a.png\"}");
    row("an image may be missing",
        R"({"type":"message","role":"user","content":[{"type":"input_image","image_url":null}]})", "user{image \"\"}");
    row("a document keeps its data",
        R"({"type":"message","role":"user","content":[{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}]})",
        "user{document application/pdf \"JVBERi0=\"}");
    row("arguments are a string", R"({"type":"function_call","name":"shell","arguments":"{\"a\": 1}","call_id":"c1"})",
        "assistant{call shell#c1 \"{\"a\": 1}\"}");
    row("arguments may be missing", R"({"type":"function_call","name":"shell","arguments":null,"call_id":"c1"})",
        "assistant{call shell#c1 \"\"}");
    row("a custom tool has input",
        R"({"type":"custom_tool_call","status":"completed","call_id":"c1","name":"apply_patch","input":"*** Begin Patch\n"})",
        "assistant{call apply_patch#c1 \"*** Begin Patch\n\"}");
    row("a local shell call has an action",
        R"({"type":"local_shell_call","call_id":"c1","status":"completed","action":{"type":"exec","command":["ls"]}})",
        "assistant{call local_shell#c1 \"{\"type\": \"exec\", \"command\": [\"ls\"]}\"}");
    row("a web search is answered by nobody",
        R"({"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"x"}})",
        "assistant{call web_search \"{\"type\": \"search\", \"query\": \"x\"}\"}");
    row("a generated image stands in its call",
        R"({"type":"image_generation_call","id":"ig_1","revised_prompt":"A cat","result":"iVBORw0K"})",
        "assistant{call image_generation \"A cat\", image image/png \"iVBORw0K\"}");
    row("an output with one text is that text",
        R"({"type":"function_call_output","call_id":"c9","output":[{"type":"input_text","text":"one"}]})",
        "tool{result#c9 \"one\"}");
    row("an output with several texts is these texts",
        R"({"type":"custom_tool_call_output","call_id":"c9","output":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]})",
        "tool{result#c9 \"a\nb\"}");
    row("an output of an image belongs to a result",
        R"({"type":"function_call_output","call_id":"c9","output":[{"type":"input_image","image_url":"data:image/jpeg;base64,/9j/4AAQ"}]})",
        "tool{result#c9 \"\", image image/jpeg#c9 \"/9j/4AAQ\"}");
    row("images among texts are not counted twice",
        R"({"type":"function_call_output","call_id":"c9","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"data:image/png;base64,iVBORw0K"},{"type":"input_text","text":"b"}]})",
        "tool{result#c9 \"a\", image image/png#c9 \"iVBORw0K\", result#c9 \"b\"}");
    row("an output may be an object with its content",
        R"({"type":"function_call_output","call_id":"c9","output":{"content":"boom","success":false}})",
        "tool{result+error#c9 \"boom\"}");
    row("an output may be a part without its list",
        R"({"type":"function_call_output","call_id":"c9","output":{"type":"input_text","text":"a.txt\n","image_url":null}})",
        "tool{result#c9 \"a.txt\n\"}");
    row("found tools are a result",
        R"({"type":"tool_search_output","call_id":"c9","status":"completed","tools":[{"name":"x"}]})",
        "tool{result#c9 \"[{\"name\": \"x\"}]\"}");
    row("a compaction item is a summary that nobody can read", R"({"type":"compaction","encrypted_content":"gAAAAB"})",
        "assistant{text+summary+encrypted \"gAAAAB\"}");
    row("context_compaction is the same", R"({"type":"context_compaction","encrypted_content":null})",
        "assistant{text+summary+encrypted \"\"}");
    row("a message between agents is nobody's typing",
        R"({"type":"agent_message","author":"/root","recipient":"/root/a","content":[{"type":"input_text","text":"Go"},{"type":"encrypted_content","encrypted_content":"gAAA"}]})",
        "user{text+injected \"Go\", text+injected+encrypted \"gAAA\"}");
    row("a type that is not known yet is kept", R"({"type":"hologram","data":[1,2]})",
        "user{opaque hologram \"{\"type\": \"hologram\", \"data\": [1, 2]}\"}");
    row("so is a call of one", R"({"type":"robot_call","call_id":"c1","arm":3})",
        "assistant{call robot#c1 \"{\"type\": \"robot_call\", \"call_id\": \"c1\", \"arm\": 3}\"}");
    row("a part that is not known yet is kept",
        R"({"type":"message","role":"user","content":[{"type":"smell","of":"roses"}]})",
        "user{opaque smell \"{\"type\": \"smell\", \"of\": \"roses\"}\"}");
}

void TestCodex::makesBlocksOfItems()
{
    QFETCH(QByteArray, payload);
    QFETCH(QByteArray, expected);
    LOAD(session, meta() + item(payload.toStdString()));
    QCOMPARE(bytes(describe(*session)), expected);
}

void TestCodex::showsShellOutputAsItStands()
{
    LOAD(session, meta() + call("c1") + output("c1", R"({\"output\":\"é\\n\",\"metadata\":{\"exit_code\":0}})"));
    const Block &block = session->blocks.back();
    QCOMPARE(session->text(block.body), "{\"output\":\"é\\n\",\"metadata\":{\"exit_code\":0}}");
    QCOMPARE(block.lengths.codePoints, 43U);
    QCOMPARE(block.lengths.bytes, 44U);
    QVERIFY(!block.is(BlockFlag::Error));
    QCOMPARE(session->string(block.name), std::string_view("shell"));
    QCOMPARE(session->string(block.subject), std::string_view("ls"));
}

void TestCodex::keepsRecordsOfBlocks()
{
    const std::string second = user("Hi");
    LOAD(session, meta() + second + compacted({ messageJson("user", "Kept") }));
    QCOMPARE(session->blocks.size(), 2U);
    QCOMPARE(session->blocks[0].recordLine, 2U);
    QCOMPARE(std::string(session->record(session->blocks[0])) + "\n", second);
    // An item of a replacement is a value of its own.
    QCOMPARE(session->blocks[1].recordLine, 3U);
    QCOMPARE(std::string(session->record(session->blocks[1])), messageJson("user", "Kept"));
}

void TestCodex::findsFailedResults_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isFailure");
    QTest::newRow("exit code 0 in JSON") << QByteArray(
        R"({\"output\":\"x\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}})")
                                         << false;
    QTest::newRow("exit code 1 in JSON") << QByteArray(
        R"({\"output\":\"x\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.1}})")
                                         << true;
    QTest::newRow("a negative exit code")
        << QByteArray(R"({\"output\":\"x\",\"metadata\":{\"exit_code\":-1}})") << true;
    QTest::newRow("exit code 0 in the head")
        << QByteArray(R"(Exit code: 0\nWall time: 0.2 seconds\nOutput:\nExit code: 1)") << false;
    QTest::newRow("exit code 2 in the head")
        << QByteArray(R"(Exit code: 2\nWall time: 0.2 seconds\nOutput:\n)") << true;
    QTest::newRow("a process that ended well")
        << QByteArray(R"(Chunk ID: a\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\n)") << false;
    QTest::newRow("a process that failed")
        << QByteArray(R"(Chunk ID: a\nWall time: 0.0 seconds\nProcess exited with code 127\nOutput:\n)") << true;
    QTest::newRow("words of the output itself") << QByteArray(R"(Output:\nProcess exited with code 1\n)") << false;
    QTest::newRow("the sandbox") << QByteArray("failed in sandbox LinuxSeccomp with execution error") << true;
    QTest::newRow("an unknown tool") << QByteArray("unsupported call: frobnicate") << true;
    QTest::newRow("plain text") << QByteArray("all good") << false;
}

void TestCodex::findsFailedResults()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isFailure);
    LOAD(session, meta() + call("c1") + output("c1", text.toStdString()));
    QCOMPARE(session->blocks.back().is(BlockFlag::Error), isFailure);
}

void TestCodex::findsSubjects_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<QByteArray>("subject");
    const auto shell = [](const char *command) {
        return QByteArray(R"({"type":"function_call","name":"shell","call_id":"c1","arguments":")") + command + "\"}";
    };
    QTest::newRow("a command") << shell(R"({\"command\":[\"bash\",\"-lc\",\"rg -n x\"]})") << QByteArray("rg -n x");
    QTest::newRow("a command as a string")
        << shell(R"({\"cmd\":\"ls -la\",\"workdir\":\"/w\"})") << QByteArray("ls -la");
    QTest::newRow("a patch within a command") << shell(
        R"({\"command\":[\"bash\",\"-lc\",\"apply_patch << 'P'\\n*** Begin Patch\\n*** Update File: opk/a b.py\\n@@\\n*** Add File: c\\n\"]})")
                                              << QByteArray("opk/a b.py");
    QTest::newRow("a patch with an odd path")
        << shell(R"({\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Delete File: a\\\\\\\"q\\n\"]})")
        << QByteArray("a\\\"q");
    QTest::newRow("a patch of its own") << QByteArray(
        R"({"type":"custom_tool_call","name":"apply_patch","call_id":"c1","input":"*** Begin Patch\n*** Add File: docs/é.md\n+x\n*** Update File: b\n"})")
                                        << QByteArray("docs/é.md");
    QTest::newRow("words about a patch") << shell(R"({\"cmd\":\"grep '*** Update File: x' log\"})")
                                         << QByteArray("grep '*** Update File: x' log");
    QTest::newRow("a file") << QByteArray(
        R"({"type":"function_call","name":"view_image","call_id":"c1","arguments":"{\"path\":\"/w/a.png\"}"})")
                            << QByteArray("/w/a.png");
    QTest::newRow("a search of the provider's")
        << QByteArray(R"({"type":"web_search_call","action":{"type":"search","query":"qt 6.8"}})")
        << QByteArray("qt 6.8");
    QTest::newRow("an apply_patch call") << QByteArray(
        R"({"type":"apply_patch_call","call_id":"c1","operation":{"type":"update_file","path":"src/x.c","diff":"@@"}})")
                                         << QByteArray("src/x.c");
}

void TestCodex::findsSubjects()
{
    QFETCH(QByteArray, payload);
    QFETCH(QByteArray, subject);
    LOAD(session, meta() + item(payload.toStdString()));
    QCOMPARE(bytes(std::string(session->string(session->blocks.back().subject))), subject);
}

void TestCodex::tellsTypedTextFromInjected_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("flag");
    const int typed = static_cast<int>(BlockFlag::Typed);
    const int injected = static_cast<int>(BlockFlag::Injected);
    const int summary = static_cast<int>(BlockFlag::Summary);
    QTest::newRow("typed") << QByteArray("Do it") << typed;
    QTest::newRow("the environment") << QByteArray("<environment_context>x") << injected;
    QTest::newRow("escaped as some writers do") << QByteArray("\\u003cenvironment_context\\u003ex") << injected;
    QTest::newRow("behind blanks") << QByteArray("\\n <turn_aborted>") << injected;
    QTest::newRow("AGENTS.md") << QByteArray("# AGENTS.md instructions for /w\\n\\n<INSTRUCTIONS>") << injected;
    QTest::newRow("a skill") << QByteArray("<skill>\\n<name>x</name>") << injected;
    QTest::newRow("a subagent's end") << QByteArray("<subagent_notification>{}") << injected;
    QTest::newRow("a local summary") << QByteArray(
        "Another language model started to solve this problem and produced a summary of its thinking process.")
                                     << summary;
}

void TestCodex::tellsTypedTextFromInjected()
{
    QFETCH(QByteArray, text);
    QFETCH(int, flag);
    LOAD(session, meta() + user(text.toStdString()));
    QCOMPARE(static_cast<int>(session->blocks.back().flags), flag);
}

void TestCodex::groupsCalls_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const std::string &text, const char *expected) {
        QTest::newRow(name) << bytes(meta() + text) << QByteArray(expected);
    };
    row("usage before the items",
        user("a") + tokens(1, 10) + thinking("x") + call("1") + output("1") + tokens(2, 20) + assistant("b") + user("c")
            + tokens(3, 30) + assistant("d"),
        "1→2=10+7 4→1=20+7 6→1=30+7");
    row("usage before the items, calls in pairs with their outputs are one response",
        user("a") + tokens(1, 10) + call("1") + output("1") + call("2") + output("2") + tokens(2, 20) + assistant("b"),
        "1→1=10+7 5→1=20+7");
    row("usage between the items and the outputs",
        user("a") + thinking("x") + call("1") + call("2") + tokens(1, 10) + output("1") + output("2") + assistant("b")
            + tokens(2, 20),
        "1→3=10+7 6→1=20+7");
    row("usage behind the outputs",
        user("a") + thinking("x") + call("1") + output("1") + tokens(1, 10) + call("2") + output("2") + tokens(2, 20)
            + assistant("b") + tokens(3, 30),
        "1→2=10+7 4→1=20+7 6→1=30+7");
    row("two versions wrote the file",
        user("a") + tokens(1, 10) + assistant("b") + user("c") + call("1") + output("1") + tokens(2, 20)
            + assistant("d") + tokens(3, 30),
        "1→1=10+7 3→1=20+7 5→1=30+7");
    row("an aborted response has no usage",
        user("a") + call("1") + user("<turn_aborted>") + user("b") + assistant("c") + tokens(1, 10), "d1→1 4→1=10+7");
    row("a response without items is a call", user("a") + tokens(1, 10), "1→0=10+7");
    row("a note of the harness does not end a response",
        user("a") + thinking("x") + message("developer", "saved") + assistant("b") + tokens(1, 10), "1→3=10+7");
    row("a report within a response",
        user("a") + thinking("x") + tokens(1, 10) + call("1") + output("1") + assistant("b") + tokens(2, 20),
        "1→2=10+7 4→1=20+7");
    row("no usage at all",
        user("a") + thinking("x") + assistant("b") + call("1") + output("1") + thinking("y") + assistant("c"),
        "d1→3 d5→2");
    row("no usage, messages end responses", assistant("a") + assistant("b") + call("1") + assistant("c"),
        "d0→1 d1→2 d3→1");
    row("no usage, remarks on the way and the provider's own tools do not",
        user("a") + item(R"({"type":"message","role":"assistant","phase":"commentary","content":"b"})") + assistant("c")
            + user("d") + item(R"({"type":"web_search_call","action":{"query":"x"}})") + assistant("e"),
        "d1→2 d4→2");
    row("no answer yet", user("a"), "");
}

void TestCodex::groupsCalls()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    LOAD(session, text.toStdString());
    QCOMPARE(bytes(calls(session)), expected);
}

void TestCodex::readsUsage()
{
    LOAD(session,
        meta() + user("a") + assistant("b") + tokens(99'000, 1000, 640, 50) + user("c") + assistant("d")
            + happened(
                R"({"type":"token_count","info":{"total_token_usage":{"input_tokens":1},"last_token_usage":{"input_tokens":1000,"cached_input_tokens":600,"cache_write_input_tokens":300,"output_tokens":5}}})"));
    const auto &made = session->threads.front().calls;
    QCOMPARE(made.size(), 2U);
    QCOMPARE(made[0].usage.value(), (Usage { 360, 640, 0, 50, 3 }));
    QCOMPARE(made[1].usage.value(), (Usage { 100, 600, 300, 5 }));
}

void TestCodex::dropsRepeatedReports()
{
    const std::string report = tokens(1, 10);
    const std::string second = tokens(2, 10);
    LOAD(session,
        meta() + user("a") + assistant("b") + report + report
            + happened(R"({"type":"token_count","info":null,"rate_limits":{}})") + user("c") + report + assistant("d")
            + second
            + report
            // What Codex reports after a compaction: an estimate, no call.
            + happened(
                R"({"type":"token_count","info":{"total_token_usage":{"input_tokens":5},"last_token_usage":{"input_tokens":0,"output_tokens":0,"total_tokens":900}}})"));
    QCOMPARE(calls(session), "1→1=10+7 3→1=10+7");
}

void TestCodex::placesSystemPromptAndTools_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("prelude");
    const std::string talk = user("a") + assistant("b");
    QTest::newRow("base instructions are the system prompt")
        << bytes(meta(R"(,"base_instructions":{"text":"You are Codex."})") + talk) << QByteArray("You are Codex.");
    QTest::newRow("so are older instructions")
        << bytes(meta(R"(,"instructions":"You are Codex.")") + talk) << QByteArray("You are Codex.");
    QTest::newRow("unless they are what AGENTS.md says") << bytes(meta(R"(,"instructions":"Use tabs.\nAlways.")")
        + user("<user_instructions>\\n\\nUse tabs.\\nAlways.\\n</user_instructions>") + talk)
                                                         << QByteArray();
    QTest::newRow("tools that can be searched for only are not sent") << bytes(
        meta(
            R"(,"base_instructions":{"text":"P"},"dynamic_tools":[{"name":"one","inputSchema":{}},{"name":"two","deferLoading":true}])")
        + talk) << QByteArray("P, one:{\"name\": \"one\", \"inputSchema\": {}}");
    QTest::newRow("a turn may tell them")
        << bytes(meta() + line("turn_context", R"({"base_instructions":"You are."})") + talk) << QByteArray("You are.");
    QTest::newRow("nothing is recorded") << bytes(meta(R"(,"instructions":null)") + talk) << QByteArray();
}

void TestCodex::placesSystemPromptAndTools()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, prelude);
    LOAD(session, text.toStdString());
    const auto &made = session->threads.front().calls;
    QCOMPARE(made.size(), 1U);
    QCOMPARE(made.front().prelude, session->threads.front().prelude);
    std::string found;
    const BlockRange range = made.front().prelude.value_or(BlockRange {});
    for (uint32_t i = range.begin; i < range.end; ++i) {
        const Block &block = session->blocks[i];
        QCOMPARE(session->message(block.message).role, Role::System);
        found += (found.empty() ? "" : ", ")
            + (block.is(BlockFlag::Tools) ? std::string(session->string(block.name)) + ":" : "")
            + session->text(block.body);
    }
    QCOMPARE(bytes(found), prelude);
    // Never a slot.
    QVERIFY(array(session, session->threads.front().end).ends_with("a | b"));
    QVERIFY(array(session, session->threads.front().end).find("You are") == std::string::npos);
}

void TestCodex::countsWhatWasNeverInContext()
{
    const std::string end = happened(R"({"type":"exec_command_end","call_id":"c1","stdout":"a lot"})");
    const std::string snapshot = item(R"({"type":"ghost_snapshot","ghost_commit":{"id":"0d9e"}})");
    const std::string context = line("turn_context", R"({"user_instructions":"x"})");
    LOAD(session,
        meta() + context + happened(R"({"type":"user_message","message":"Hi"})") + user("Hi") + call("c1") + end
            + output("c1") + snapshot + line("world_state", "{}"));
    QCOMPARE(array(session, session->threads.front().end), R"(Hi | {"command":["bash","-lc","ls"]} | a.txt)");
    const auto side = end.size() - 1;
    QCOMPARE(session->blocks[1].sideBytes, side);
    QCOMPARE(session->blocks[2].sideBytes, 0U);
    QVERIFY(session->sideBytes > side + snapshot.size() + context.size());
    QCOMPARE(session->recordCount, 9U);
}

void TestCodex::replacesTheArray()
{
    const std::string summary = "Another language model started to solve this problem and produced a summary of its "
                                "thinking process.\\nDone: a.";
    LOAD(session,
        meta() + environment() + user("first") + assistant("answer") + tokens(1, 100, 0, 20) + user("second")
            + call("1") + output("1") + tokens(2, 300, 0, 20)
            + compacted(
                { messageJson("user", "first"), messageJson("user", "second"), messageJson("user", summary) }, summary)
            + environment() + assistant("more") + tokens(3, 50) + user("third"));
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.compactions.size(), 1U);
    const RecordedCompaction &compaction = thread.compactions.front();
    QCOMPARE(compaction.kind, CompactionKind::Summary);
    QCOMPARE(compaction.call, CallIndex(1));
    QCOMPARE(compaction.line, 10U);
    QCOMPARE(compaction.beforeTokens.value_or(0), 320U);
    QCOMPARE(compaction.afterTokens.value_or(0), 50U);
    QCOMPARE(Transcript(session, compaction.before).slotCount(), 6U);
    // Kept messages are the ones from before; the environment behind it is a new slot.
    QVERIFY(session->blocks[6].is(BlockFlag::Summary));
    QVERIFY(!session->blocks[6].is(BlockFlag::Typed));
    QVERIFY(compaction.after == BlockRanges::of({ { 1, 2 }, { 3, 4 }, { 6, 8 } }));
    QCOMPARE(thread.calls.size(), 3U);
    QVERIFY(thread.calls[2].input == compaction.after);
    QVERIFY(thread.end == BlockRanges::of({ { 1, 2 }, { 3, 4 }, { 6, 10 } }));
    QCOMPARE(session->blocks.size(), 10U);
}

void TestCodex::takesWhatACompactionHadDropped()
{
    LOAD(session,
        meta() + user("a") + assistant("b") + user("c") + compacted({ messageJson("user", "c") }) + assistant("d")
            + compacted({ messageJson("user", "a"), messageJson("user", "c"), messageJson("user", "new") })
            + assistant("e"));
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.compactions.size(), 2U);
    QCOMPARE(array(session, thread.compactions[1].before), "c | d");
    QCOMPARE(array(session, thread.end), "a | c | new | e");
    QCOMPARE(session->blocks.size(), 6U); // a b c d new e
    QCOMPARE(thread.compactions[0].kind, CompactionKind::Replacement);
    QCOMPARE(calls(session), "d1→1 d1→1 d3→1");
}

void TestCodex::pairsTheLastOfEqualItems()
{
    LOAD(session,
        meta() + user("go") + user("continue") + assistant("a") + user("continue") + assistant("b")
            + compacted({ messageJson("user", "continue"), messageJson("assistant", "b") }));
    QVERIFY(session->threads.front().end == BlockRanges::of({ { 3, 5 } }));
}

void TestCodex::compactsTwiceInARow()
{
    LOAD(session,
        meta() + user("a") + assistant("b") + compacted({ R"({"type":"compaction","encrypted_content":"X"})" })
            + compacted({ R"({"type":"compaction","encrypted_content":"Y"})", R"({"type":"ghost_snapshot"})" }));
    const auto &compactions = session->threads.front().compactions;
    QCOMPARE(compactions.size(), 2U);
    QCOMPARE(array(session, compactions[0].after), "X");
    QCOMPARE(array(session, compactions[1].before), "X");
    QCOMPARE(array(session, compactions[1].after), "Y");
    QCOMPARE(compactions[1].kind, CompactionKind::Summary);
    QCOMPARE(compactions[1].call, CallIndex(0));
}

void TestCodex::findsTheSummary_data()
{
    QTest::addColumn<QByteArray>("record");
    QTest::newRow("by the record's own message")
        << bytes(compacted({ messageJson("user", "So far:\\nx") }, "So far:\\nx"));
    QTest::newRow("by its opening") << bytes(compacted(
        { messageJson("user", "Another language model started to solve this problem and produced a summary of") }));
    QTest::newRow("by its type") << bytes(compacted({ R"({"type":"compaction","encrypted_content":"gAAA"})" }));
}

void TestCodex::findsTheSummary()
{
    QFETCH(QByteArray, record);
    LOAD(session, meta() + user("a") + assistant("b") + record.toStdString());
    QVERIFY(session->blocks.back().is(BlockFlag::Summary));
    QVERIFY(!session->blocks.back().is(BlockFlag::Typed));
    QCOMPARE(session->threads.front().compactions.front().kind, CompactionKind::Summary);
}

void TestCodex::compactsWithoutReplacement()
{
    const std::string talk = meta() + message("developer", "<permissions instructions>p") + environment()
        + user("first") + assistant("x") + user("<turn_aborted>t") + user("second") + call("1") + output("1");
    LOAD(session, talk + line("compacted", R"({"message":"So far."})") + assistant("y"));
    QCOMPARE(array(session, session->threads.front().end),
        "<permissions instructions>p | <environment_context>\n  <cwd>/home/user/project</cwd>\n</environment_context> "
        "| "
        "first | second | So far. | y");
    QVERIFY(session->blocks[8].is(BlockFlag::Summary));
    QCOMPARE(calls(session), "d3→1 d6→1 d5→1");

    LOAD(nameless, talk + line("compacted", R"({"message":""})"));
    QVERIFY(array(nameless, nameless->threads.front().end).ends_with("second | (no summary available)"));
}

void TestCodex::keepsTwentyThousandTokensOfUserMessages()
{
    const auto big = [](char c) { return user(std::string(39'996, c)); }; // 9,999 tokens by Codex's count
    LOAD(session, meta() + big('a') + big('b') + big('c') + assistant("x") + line("compacted", R"({"message":"S"})"));
    // b and c fill 19,998; the two tokens that are left would go to the end of a, which stays whole here.
    QCOMPARE(Transcript(session, session->threads.front().end).slotCount(), 4U);
    LOAD(full,
        meta() + big('a') + user(std::string(80'000, 'b')) + assistant("x") + line("compacted", R"({"message":"S"})"));
    QCOMPARE(Transcript(full, full->threads.front().end).slotCount(), 2U);
}

void TestCodex::rollsBack_data()
{
    QTest::addColumn<int>("turns");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("no turn") << 0
                             << QByteArray(
                                    "<environment_context>e | a | b | <permissions>u | <environment_context>f | c | d");
    // The context that was updated for the turn goes with it.
    QTest::newRow("the last turn") << 1 << QByteArray("<environment_context>e | a | b");
    QTest::newRow("both") << 2 << QByteArray("<environment_context>e");
    QTest::newRow("more than there are") << 9 << QByteArray("<environment_context>e");
}

void TestCodex::rollsBack()
{
    QFETCH(int, turns);
    QFETCH(QByteArray, expected);
    LOAD(session,
        meta() + user("<environment_context>e") + user("a") + assistant("b") + message("developer", "<permissions>u")
            + user("<environment_context>f") + user("c") + assistant("d") + rolledBack(turns) + user("g")
            + assistant("h"));
    const Thread &thread = session->threads.front();
    QCOMPARE(bytes(array(session, thread.end)), expected + " | g | h");
    QCOMPARE(thread.compactions.size(), turns == 0 ? 0U : 1U);
    if (turns > 0) {
        QCOMPARE(thread.compactions[0].kind, CompactionKind::Rollback);
        QCOMPARE(bytes(array(session, thread.compactions[0].after)), expected + " | g");
        QCOMPARE(thread.compactions[0].call, CallIndex(1));
    }
}

void TestCodex::countsCopiesOnce_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<QByteArray>("calls");
    const std::string talk = user("a") + assistant("b") + tokens(1, 10) + user("c") + assistant("d") + tokens(2, 20);
    const std::string again = user("a") + assistant("b") + tokens(1, 10) + user("c") + assistant("d") + tokens(2, 20);
    const auto row = [](const char *name, const std::string &text, const char *end, int blocks, const char *made) {
        QTest::newRow(name) << bytes(text) << QByteArray(end) << blocks << QByteArray(made);
    };
    row("a fork begins with its parent's lines", meta(R"(,"forked_from_id":"s1")", "s2") + meta() + talk + user("e"),
        "a | b | c | d | e", 5, "1→1=10+7 3→1=20+7");
    row("a resume copied everything", meta() + talk + meta() + again + user("e") + assistant("f") + tokens(3, 30),
        "a | b | c | d | e | f", 6, "1→1=10+7 3→1=20+7 5→1=30+7");
    row("copies that end early go on from there",
        meta() + talk + meta("", "s2") + user("a") + assistant("b") + tokens(1, 10) + user("e") + assistant("f")
            + tokens(3, 30),
        "a | b | e | f", 6, "1→1=10+7 3→1=20+7 3→1=30+7");
    row("the environment told again is no copy",
        meta() + user("<environment_context>e") + user("a") + assistant("b") + meta() + user("<environment_context>e")
            + user("a") + assistant("x"),
        "<environment_context>e | a | b | <environment_context>e | a | x", 6, "d2→1 d5→1");
    row("a header at the end is nothing", meta() + talk + meta(), "a | b | c | d", 4, "1→1=10+7 3→1=20+7");
    row("a compaction is copied, too",
        meta() + user("a") + assistant("b") + compacted({ messageJson("user", "S") }) + assistant("c") + meta()
            + user("a") + assistant("b") + compacted({ messageJson("user", "S") }) + assistant("c") + user("d"),
        "S | c | d", 5, "d1→1 d1→1");
}

void TestCodex::countsCopiesOnce()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, end);
    QFETCH(int, blocks);
    QFETCH(QByteArray, calls);
    LOAD(session, text.toStdString());
    QCOMPARE(bytes(array(session, session->threads.front().end)), end);
    QCOMPARE(static_cast<int>(session->blocks.size()), blocks);
    QCOMPARE(bytes(::calls(session)), calls);
}

void TestCodex::readsDamagedFiles_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<QByteArray>("diagnostics"); ///< line and the first word
    const std::string good = meta() + user("a") + assistant("b");
    const std::string cut = user("cut");
    const auto row = [](const char *name, const std::string &text, const char *end, const char *diagnostics) {
        QTest::newRow(name) << bytes(text) << QByteArray(end) << QByteArray(diagnostics);
    };
    row("the last record is cut", good + cut.substr(0, 80), "a | b", "4 The");
    row("a record lacks its last brace", good + cut.substr(0, cut.size() - 2) + "\n" + user("c"), "a | b | c",
        "4 This");
    row("a record is glued to the one before", good.substr(0, good.size() - 1) + user("c"), "a | b | c", "3 This");
    row("bytes are not UTF-8",
        good
            + user("\xFF"
                   "c"),
        "a | b | \xEF\xBF\xBD"
        "c",
        "4 The");
    row("NUL bytes", good + std::string(20, '\0') + "\n" + user("c"), "a | b | c", "");
    row("empty objects and lines", good + "{}\n\n" + user("c"), "a | b | c", "");
    row("a payload is not an object", good + line("response_item", "7") + line("event_msg", "null") + user("c"),
        "a | b | c", "");
    row("a record without a type", good + "{\"payload\":{\"x\":1}}\n" + user("c"), "a | b | c", "");
    row("types that are yet to come", good + line("telepathy", "{\"a\":1}") + user("c"), "a | b | c", "");
    row("keys in another order and times as numbers",
        good
            + R"({"payload":{"content":[{"text":"c","type":"input_text"}],"role":"user"},"timestamp":1772569904.604,"type":"response_item"})"
              "\n",
        "a | b | c", "");
    row("a result without its call", good + output("c7", "lost"), "a | b | lost", "4 The");
    row("a session that was never begun", meta(), "", "0 The");
    row("a lone surrogate", good + user("\\ud83d!"), "a | b | \xED\xA0\xBD!", "");
    row("CR LF", meta().substr(0, meta().size() - 1) + "\r\n" + user("c"), "c", "");
}

void TestCodex::readsDamagedFiles()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, end);
    QFETCH(QByteArray, diagnostics);
    LOAD(session, text.toStdString());
    QCOMPARE(bytes(array(session, session->threads.front().end)), end);
    std::string found;
    for (const Diagnostic &each : session->diagnostics) {
        found += (found.empty() ? "" : " ") + std::to_string(each.line) + " "
            + each.reason.substr(0, each.reason.find(' '));
    }
    QCOMPARE(bytes(found), diagnostics);
}

void TestCodex::recognisesRollouts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isCodex");
    QTest::newRow("a rollout") << bytes(meta()) << true;
    QTest::newRow("a rollout whose head is lost") << bytes(std::string("broken\n") + user("a")) << true;
    QTest::newRow("a long first line") << bytes(
        meta(",\"base_instructions\":{\"text\":\"" + std::string(90'000, 'x') + "\"}") + user("a"))
                                       << true;
    QTest::newRow("the bare era") << QByteArray(R"({"id":"s","timestamp":"t","instructions":null})"
                                                "\n"
                                                R"({"type":"message","role":"user","content":"x"})")
                                  << true;
    QTest::newRow("a state record") << QByteArray(
        "{\"record_type\":\"state\"}\n{\"type\":\"reasoning\",\"summary\":[]}")
                                    << true;
    QTest::newRow("another session with items") << QByteArray(R"({"session":{"name":"x"},"items":[]})") << false;
    QTest::newRow("a payload of something else")
        << QByteArray("{\"type\":\"click\",\"payload\":{}}\n{\"type\":\"click\",\"payload\":{}}") << false;
    QTest::newRow("pi") << QByteArray(
        R"({"type":"session","version":3,"id":"x","timestamp":"t","cwd":"/w"})"
        "\n"
        R"({"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":"x"}})")
                        << false;
    QTest::newRow("Gemini") << QByteArray(
        R"({"sessionId":"a","projectHash":"b","messages":[{"id":"1","timestamp":"t","type":"user","content":"x"}]})")
                            << false;
    QTest::newRow("Copilot") << QByteArray(
        R"({"type":"session.start","data":{},"id":"x","timestamp":"t","parentId":null})")
                             << false;
    QTest::newRow("ids and times") << QByteArray(
        "{\"id\":\"1\",\"timestamp\":\"t\"}\n{\"id\":\"2\",\"timestamp\":\"t\"}")
                                   << false;
}

void TestCodex::recognisesRollouts()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isCodex);
    QCOMPARE(testing::formatOf(text.toStdString()) == "codex", isCodex);
}

void TestCodex::readsMalformedSamples_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("slotCount");
    QTest::addColumn<QByteArray>("damaged");
    std::ifstream table(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed/EXPECTED.tsv");
    for (std::string row; std::getline(table, row);) {
        std::istringstream cells(row);
        std::string file;
        std::string format;
        std::string slotCount;
        std::string damaged;
        std::getline(cells, file, '\t');
        std::getline(cells, format, '\t');
        std::getline(cells, slotCount, '\t');
        std::getline(cells, damaged, '\t');
        if (format != "codex")
            continue;
        const int expected = std::stoi(slotCount);
        QTest::newRow(file.c_str()) << QString::fromStdString(file) << expected << bytes(damaged == "-" ? "" : damaged);
    }
}

void TestCodex::readsMalformedSamples()
{
    QFETCH(QString, file);
    QFETCH(int, slotCount);
    QFETCH(QByteArray, damaged);
    const auto session
        = loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed" / file.toStdString());
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE((*session)->format, "codex");
    QCOMPARE(testing::brokenRule(**session), "");
    QCOMPARE(static_cast<int>(testing::slotsAtEnd(*session)), slotCount);
    std::string warned;
    for (const Diagnostic &each : (*session)->diagnostics) {
        if (each.severity == Severity::Warning)
            warned += (warned.empty() ? "" : ",") + std::to_string(each.line);
    }
    QCOMPARE(bytes(warned), damaged);
}

void TestCodex::publishesWhileLoading()
{
    std::string text = meta() + tokens(1, 1);
    const std::string pair = user(std::string(900, 'u')) + assistant(std::string(900, 'a'));
    for (int i = 0; i < 12'000; ++i)
        text += pair;
    text += compacted({ messageJson("user", "S") }) + user("last");
    const auto source = Source::own(std::move(text), "big");
    std::vector<SessionPtr> published;
    Progress progress;
    const auto session = loadSession(source, &progress, [&](const SessionPtr &each) { published.push_back(each); });
    QVERIFY(session);
    QVERIFY((*session)->isComplete);
    QCOMPARE((*session)->messages.size(), 24'002U);
    for (const SessionPtr &each : published) {
        QVERIFY(!each->isComplete);
        QCOMPARE(testing::brokenRule(*each), "");
        QVERIFY(each->messages.size() <= (*session)->messages.size());
        QCOMPARE(each->format, "codex");
        QVERIFY(!each->threads.front().end.isEmpty());
    }
    QVERIFY(progress.fraction() > 0.9);
}

void TestCodex::stopsWhenCancelled()
{
    std::string text = meta();
    for (int i = 0; i < 2000; ++i)
        text += user(std::string(300, 'u'));
    Progress progress;
    progress.cancel();
    const auto session = loadSession(Source::own(std::move(text), "big"), &progress);
    QVERIFY(!session);
    QCOMPARE(session.error().kind, ErrorKind::Cancelled);
}

void TestCodex::readsTheCorpus_data()
{
    QTest::addColumn<QString>("file");
    for (const std::string &file : testing::corpusFiles({ "codex", "malformed-derived" })) {
        if (file.starts_with("codex") || file.find("codex") != std::string::npos)
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
}

void TestCodex::readsTheCorpus()
{
    if (testing::corpus().empty())
        QSKIP("The corpus of real files is not here; PALIMPSEST_CORPUS names it.");
    QFETCH(QString, file);
    const auto session = loadSession(testing::corpus() / file.toStdString());
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE((*session)->format, "codex");
    QCOMPARE(testing::brokenRule(**session), "");
    const auto expected = testing::expectedOf(file.toStdString());
    QCOMPARE(expected.size(), 1U);
    auto numbers = expected.front().numbers;
    if (file.endsWith(u"small.jsonl")) {
        // One redacted record of each kind: texts are equal throughout, ids are not part of a content, a report of
        // nothing is no call, and responses without a report are derived.
        numbers["slots_life"] = 109;
        numbers["calls"] = 8;
    }
    const Thread &thread = (*session)->threads.front();
    QCOMPARE(testing::slotsAtEnd(*session), numbers["slots_end"]);
    QCOMPARE(slotsEver(*session), numbers["slots_life"]);
    QCOMPARE(thread.calls.size(), numbers["calls"]);
    QCOMPARE(thread.compactions.size(), numbers["compactions"]);
    QCOMPARE((*session)->threads.size() - 1, numbers["threads"]);
    const auto damaged = std::ranges::count((*session)->diagnostics, Severity::Warning, &Diagnostic::severity);
    QCOMPARE(static_cast<size_t>(damaged), numbers["damaged"]);
    for (const Call &each : thread.calls)
        QVERIFY(each.isDerived || each.usage);
}

PALIMPSEST_TEST(TestCodex)
#include "tst_codex.moc"
