// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/export.h"
#include "core/json/text_parts.h"
#include "core/originals/restore.h"
#include "core/writing/messages_writer.h"
#include "core/writing/splice.h"
#include "tests/file_bytes.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// What JSON can hold of a text.
std::string asJsonHolds(const std::string &text)
{
    const auto json = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return isValidUtf8(text) ? text : nlohmann::json::parse(json).get<std::string>();
}

/// Arguments as a value: what is not an object is the member `input` of one, nothing is an empty one.
std::string argumentsIn(const std::string &text)
{
    if (text.empty())
        return "{}";
    const auto value = nlohmann::ordered_json::parse(text, nullptr, false);
    const nlohmann::ordered_json object = value.is_object() ? value : nlohmann::ordered_json { { "input", text } };
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The texts of a result that has several: a result with further texts of its call is read as one such result. Empty
/// for everything else.
std::vector<std::string> textParts(const Session &session, const Body &body)
{
    std::vector<std::string> parts;
    if (body.coding != Coding::TextParts)
        return parts;
    for (JsonTextParts texts(session.rawBody(body)); const auto text = texts.next();)
        parts.push_back(decodeJsonString(*text));
    return parts;
}

/// Whether the shape goes to the provider that the session is of, which alone can read what it encrypted.
bool goesToItsProvider(std::string_view format, MessagesShape shape)
{
    const bool isOfAnthropic
        = format == "claude-code" || format == "claude-sdk-stream" || format == "anthropic-messages";
    switch (shape) {
    case MessagesShape::Anthropic:
        return isOfAnthropic;
    case MessagesShape::OpenAi:
        return format == "openai-chat";
    case MessagesShape::LangChain:
        return isOfAnthropic || format == "langchain";
    case MessagesShape::Genkit:
        return format == "genkit";
    }
    return false;
}

/// In the text of a JSON value, members `encrypted_…` of objects that have a `type` say kSealed where they are texts.
void sealMembers(const nlohmann::json &value, std::string &text)
{
    if (!value.is_structured())
        return;
    for (const auto &[key, member] : value.items()) {
        sealMembers(member, text);
        const bool isSealed = value.is_object() && value.contains("type") && key.starts_with("encrypted_")
            && member.is_string() && member != "";
        if (!isSealed)
            continue;
        const std::string head = "\"" + key + "\": ";
        const std::string written = head + member.dump();
        for (size_t at = text.find(written); at != std::string::npos; at = text.find(written, at + 1))
            text.replace(at, written.size(), head + "\"" + std::string(kSealed) + "\"");
    }
}

/// What another provider than its own gets of a block's text: of what is encrypted no text and no thinking (nothing
/// then), of a result that there was one, of JSON all else.
std::optional<std::string> openText(const Session &session, const Block &block)
{
    std::string text = asJsonHolds(session.text(block.body));
    if (block.is(BlockFlag::Encrypted))
        return block.kind == BlockKind::ToolResult ? std::optional(std::string(kSealed)) : std::nullopt;
    if (block.body.coding == Coding::JsonValue && block.kind != BlockKind::ToolCall)
        sealMembers(nlohmann::json::parse(text, nullptr, false), text);
    return text;
}

/// The blocks of an array by kind, in order: role, tool, call id and text of each. What the shapes say in another way
/// is said alike: system messages and the prelude are one list, files and parts that a shape holds as texts are texts.
class Inventory final {
public:
    explicit Inventory(MessagesShape shape)
        : m_shape(shape)
    {
    }

    void addPrelude(const Session &session, const std::optional<BlockRange> &prelude)
    {
        for (uint32_t i = prelude ? prelude->begin : 0; prelude && i < prelude->end; ++i) {
            const Block &block = session.blocks[i];
            if (!block.is(BlockFlag::Tools) && block.kind == BlockKind::Text)
                texts["system"].push_back(asJsonHolds(session.text(block.body)));
        }
    }

    void add(const Transcript &array)
    {
        bool isHead = true;
        for (const Slot &slot : array.slots()) {
            isHead = isHead && slot.role == Role::System;
            for (const BlockId id : array.blocksOf(slot))
                add(*array.session(), array.block(id), slot.role, isHead);
        }
    }

    [[nodiscard]] std::string firstDifference(const Inventory &other) const
    {
        for (const auto &[kind, list] : texts) {
            const auto found = other.texts.find(kind);
            const std::vector<std::string> empty;
            const std::vector<std::string> &theirs = found == other.texts.end() ? empty : found->second;
            for (size_t i = 0; i < std::max(list.size(), theirs.size()); ++i) {
                const std::string a = i < list.size() ? list[i] : "(nothing)";
                const std::string b = i < theirs.size() ? theirs[i] : "(nothing)";
                if (a != b)
                    return kind + " " + std::to_string(i) + ": " + a.substr(0, 200) + " | " + b.substr(0, 200);
            }
        }
        for (const auto &[kind, list] : other.texts) {
            if (!texts.contains(kind) && !list.empty())
                return kind + " 0: (nothing) | " + list.front().substr(0, 200);
        }
        return {};
    }

    std::map<std::string, std::vector<std::string>> texts;

private:
    void add(const Session &session, const Block &block, Role role, bool isHead)
    {
        const std::optional<std::string> told = goesToItsProvider(session.format, m_shape)
            ? asJsonHolds(session.text(block.body))
            : openText(session, block);
        if (!told)
            return;
        const std::string &text = *told;
        std::string call(session.string(block.callId));
        if (call.starts_with("call without ")) // what a reader calls one that has no id
            call.clear();
        const bool isBytes = block.body.coding == Coding::Base64;
        // Every API takes one result for a call: what comes behind the first text of one are further texts.
        const bool isSecond = block.kind == BlockKind::ToolResult && !call.empty() && call == m_lastResult;
        if (block.callId.isValid() || block.kind == BlockKind::ToolResult)
            m_lastResult = block.kind == BlockKind::ToolCall ? std::string() : call;
        else
            m_lastResult.clear();
        const bool isAnswer = role == Role::Assistant && !(block.kind != BlockKind::ToolCall && !call.empty());
        const std::string who = isAnswer ? "assistant" : "user";
        switch (block.kind) {
        case BlockKind::Thinking:
            if (!text.empty())
                texts["thinking"].push_back((block.is(BlockFlag::Encrypted) ? "encrypted " : "") + text);
            return;
        case BlockKind::ToolCall:
            texts["call"].push_back(std::string(session.string(block.name)) + "#" + call + " " + argumentsIn(text));
            return;
        case BlockKind::ToolResult:
            if (isSecond)
                break;
            // The name is the call's, and so is it where the result's own is not told.
            // Genkit has one value for a result: the texts joined.
            if (const auto parts = textParts(session, block.body); m_shape != MessagesShape::Genkit && !parts.empty()) {
                texts["result"].push_back("#" + call + " " + parts.front());
                texts["user's text"].insert(texts["user's text"].end(), parts.begin() + 1, parts.end());
                return;
            }
            texts["result"].push_back("#" + call + " " + text);
            return;
        case BlockKind::Image:
        case BlockKind::Document:
            if (isBytes) {
                texts["media"].push_back(text);
                return;
            }
            break;
        case BlockKind::Text:
        case BlockKind::Opaque:
            break;
        }
        if (text.empty())
            return;
        // At the head the system's are the prompt; behind it Anthropic has none.
        const bool isSystem = role == Role::System && (isHead || m_shape != MessagesShape::Anthropic);
        texts[isSystem ? "system" : who + "'s text"].push_back(text);
    }

    MessagesShape m_shape;
    std::string m_lastResult; ///< the call of the result that the last block was of
};

} // namespace

/// Arrays leave in the shape of other APIs and read the same there.
class MessagesWriterTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shapes_data();
    void shapes();
    void namesAreShapes();
    void corpus_data();
    void corpus();
    void noteIsSaid_data();
    void noteIsSaid();
    void sealedTextsAreLeftOut_data();
    void sealedTextsAreLeftOut();
    void signaturesStay();
    void signaturesOfPiGoToTheirProvider();
    void aCallHasOneResult();
    void thinkingAloneHasAContent();
    void anAddressKeepsItsType();
    void exportComesBack();

private:
    void check(const SessionPtr &session, Position position, MessagesShape shape);
};

void MessagesWriterTest::check(const SessionPtr &session, Position position, MessagesShape shape)
{
    const Transcript array(session, rangesAt(*session, position));
    const auto prelude = preludeAt(*session, position);
    Inventory wanted(shape);
    wanted.addPrelude(*session, prelude);
    wanted.add(array);
    const WrittenMessages written = writeMessages(array, shape, prelude);
    QVERIFY(nlohmann::json::accept(written.json));
    if (array.isEmpty())
        return;
    const auto again = testing::load(written.json);
    QVERIFY2(again.has_value(), again ? "" : (again.error().message + written.json.substr(0, 300)).c_str());
    QCOMPARE((*again)->format, std::string(formatOf(shape)));
    Inventory found(shape);
    found.addPrelude(**again, (*again)->threads.front().prelude);
    found.add(Transcript(*again, (*again)->threads.front().end));
    const std::string difference = wanted.firstDifference(found);
    QVERIFY2(difference.empty(), difference.c_str());
}

void MessagesWriterTest::shapes_data()
{
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("expected");
    QTest::newRow("Anthropic groups results and what is said behind them")
        << u"anthropic"_s
        << uR"({"max_tokens":4096,"system":[{"type":"text","text":"Be brief."}],"messages":[{"role":"user","content":[{"type":"text","text":"List."}]},{"role":"assistant","content":[{"type":"text","text":"Two."},{"type":"tool_use","id":"a","name":"ls","input":{"path": 1.50}},{"type":"tool_use","id":"b","name":"run","input":{"input":"free"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"},{"type":"tool_result","tool_use_id":"b","content":"y"},{"type":"text","text":"Go on."}]}]})"_s;
    QTest::newRow("Chat has a message for each result, arguments as text")
        << u"openai"_s
        << uR"({"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"List."},{"role":"assistant","content":"Two.","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"path\": 1.50}"}},{"id":"b","type":"function","function":{"name":"run","arguments":"free"}}]},{"role":"tool","tool_call_id":"a","content":"x"},{"role":"tool","tool_call_id":"b","content":"y"},{"role":"user","content":"Go on."}]})"_s;
    QTest::newRow("LangChain")
        << u"langchain"_s
        << uR"([{"type":"system","content":"Be brief.","additional_kwargs":{},"response_metadata":{}},{"type":"human","content":"List.","additional_kwargs":{},"response_metadata":{}},{"type":"ai","content":"Two.","additional_kwargs":{},"response_metadata":{},"tool_calls":[{"name":"ls","args":{"path": 1.50},"id":"a","type":"tool_call"},{"name":"run","args":{"input":"free"},"id":"b","type":"tool_call"}]},{"type":"tool","content":"x","additional_kwargs":{},"response_metadata":{},"name":"ls","tool_call_id":"a","status":"success"},{"type":"tool","content":"y","additional_kwargs":{},"response_metadata":{},"name":"run","tool_call_id":"b","status":"success"},{"type":"human","content":"Go on.","additional_kwargs":{},"response_metadata":{}}])"_s;
    QTest::newRow("Genkit has one message for results that follow each other")
        << u"genkit"_s
        << uR"({"messages":[{"role":"system","content":[{"text":"Be brief."}]},{"role":"user","content":[{"text":"List."}]},{"role":"model","content":[{"text":"Two."},{"toolRequest":{"name":"ls","ref":"a","input":{"path": 1.50}}},{"toolRequest":{"name":"run","ref":"b","input":"free"}}]},{"role":"tool","content":[{"toolResponse":{"name":"ls","ref":"a","output":"x"}},{"toolResponse":{"name":"run","ref":"b","output":"y"}}]},{"role":"user","content":[{"text":"Go on."}]}]})"_s;
}

void MessagesWriterTest::shapes()
{
    QFETCH(const QString, shape);
    QFETCH(const QString, expected);
    const auto session = testing::load(R"({"messages":[{"role":"system","content":"Be brief."},
        {"role":"user","content":"List."},
        {"role":"assistant","content":"Two.","tool_calls":[
            {"id":"a","type":"function","function":{"name":"ls","arguments":"{\"path\": 1.50}"}},
            {"id":"b","type":"function","function":{"name":"run","arguments":"free"}}]},
        {"role":"tool","tool_call_id":"a","content":"x"},{"role":"tool","tool_call_id":"b","content":"y"},
        {"role":"user","content":"Go on."}]})");
    QVERIFY(session.has_value());
    const Transcript array(*session, (*session)->threads.front().end);
    const auto written = writeMessages(array, *messagesShapeOf(shape.toStdString()));
    // The text itself: numbers stay as they were written.
    QCOMPARE(QString::fromStdString(written.json).trimmed(), expected);
    check(*session, {}, *messagesShapeOf(shape.toStdString()));
}

void MessagesWriterTest::namesAreShapes()
{
    for (const MessagesShape shape : kMessagesShapes)
        QVERIFY(messagesShapeOf(nameOf(shape)) == shape);
    QVERIFY(!messagesShapeOf("gemini"));
}

void MessagesWriterTest::corpus_data() { testing::addCorpusRows(4); }

/// The end and a drawn call of a drawn thread, in every shape.
void MessagesWriterTest::corpus()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    const auto session = loadSession(testing::corpus() / file.toStdString());
    if (!session)
        QSKIP("The file is of no format that is read.");
    std::mt19937_64 random = seededRandom();
    const ThreadIndex thread(random() % (*session)->threads.size());
    Position drawn { thread, {} };
    if (const size_t calls = (*session)->thread(thread).calls.size(); calls > 0)
        drawn.call = CallIndex(random() % calls);
    for (const MessagesShape shape : kMessagesShapes) {
        for (const Position position : { Position {}, drawn }) {
            check(*session, position, shape);
            if (QTest::currentTestFailed()) {
                qWarning("as %s, thread %u, call %d", std::string(nameOf(shape)).c_str(), position.thread.value(),
                    position.isEnd() ? -1 : static_cast<int>(position.call.value()));
                return;
            }
        }
    }
}

void MessagesWriterTest::noteIsSaid_data()
{
    QTest::addColumn<QString>("messages");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("note");
    QTest::newRow("free arguments")
        << uR"([{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"run","arguments":"free"}}]}])"_s
        << u"anthropic"_s
        << u"1 call has text as arguments, but this API needs an object; the text is in the member \"input\"."_s;
    QTest::newRow("instructions in the middle")
        << uR"([{"role":"user","content":"a"},{"role":"system","content":"b"},{"role":"tool","tool_call_id":"x","content":"c"}])"_s
        << u"anthropic"_s << u"1 system message after the beginning became a user message."_s;
    QTest::newRow("a thinking of nobody")
        << uR"([{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"},{"role":"tool","tool_call_id":"x","content":"c"}])"_s
        << u"anthropic"_s
        << u"1 thinking block has no signature; the provider will not accept the thinking as its own."_s;
    QTest::newRow("an image in a result")
        << uR"([{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"run","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]}])"_s
        << u"openai"_s
        << u"1 image or file of a tool result was moved to a user message after the result: this API takes only text in results."_s;
}

void MessagesWriterTest::noteIsSaid()
{
    QFETCH(const QString, messages);
    QFETCH(const QString, shape);
    QFETCH(const QString, note);
    const auto session = testing::load(R"({"model":"gpt-5","messages":)" + messages.toStdString() + "}");
    QVERIFY(session.has_value());
    const auto written
        = writeMessages(Transcript(*session, (*session)->threads.front().end), *messagesShapeOf(shape.toStdString()));
    QVERIFY2(std::ranges::contains(written.notes, note.toStdString()),
        written.notes.empty() ? "no note" : written.notes.front().c_str());
    check(*session, {}, *messagesShapeOf(shape.toStdString()));
}

void MessagesWriterTest::sealedTextsAreLeftOut_data()
{
    QTest::addColumn<QString>("items");
    QTest::addColumn<QString>("stays");
    QTest::addColumn<int>("noteCount");
    QTest::addColumn<QString>("note");
    QTest::newRow("a compaction between two messages")
        << uR"({"role":"user","content":"a"},{"type":"compaction","encrypted_content":"Y2lwaGVy"},{"role":"user","content":"said"})"_s
        << u"said"_s << 1
        << u"The encrypted summary at [1] was left out: only the provider that wrote it can read it."_s;
    QTest::newRow("two of them, one beside an answer")
        << uR"({"type":"compaction","encrypted_content":"Y2lwaGVy"},{"role":"user","content":"a"},{"type":"context_compaction","encrypted_content":"Y2lwaGVy"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"said"}]})"_s
        << u"said"_s << 1
        << u"2 encrypted summaries, at [0], [2], were left out: only the provider that wrote them can read them."_s;
    const QString call
        = uR"({"type":"function_call","call_id":"%1","name":"ask","arguments":"{}"},{"type":"function_call_output","call_id":"%1","output":[%2]},)"_s;
    const QString last = uR"({"role":"user","content":"b"})"_s;
    const QString sealed = uR"({"type":"encrypted_content","encrypted_content":"Y2lwaGVy"})"_s;
    const QString said = uR"({"type":"input_text","text":"said"})"_s;
    const QString compaction = uR"({"type":"compaction","encrypted_content":"Y2lwaGVy"},)"_s;
    const QString reasoning = uR"({"type":"reasoning","summary":[],"encrypted_content":"Y2lwaGVy"},)"_s;
    QTest::newRow("a result, which its call needs")
        << call.arg(u"c"_s, sealed) + last << u"[encrypted]"_s << 1
        << u"The encrypted tool result at [1] was left out: only the provider that wrote it can read it. “[encrypted]” replaces it."_s;
    QTest::newRow("a result that is a text, too")
        << call.arg(u"c"_s, said + u","_s + sealed) + last << u"said"_s << 1
        << u"The encrypted tool result at [1] was left out: only the provider that wrote it can read it. “[encrypted]” replaces it."_s;
    QTest::newRow("two results")
        << call.arg(u"c"_s, sealed) + call.arg(u"d"_s, said + u","_s + sealed) + last << u"said"_s << 1
        << u"2 encrypted tool results, at [1], [3], were left out: only the provider that wrote them can read them. “[encrypted]” replaces them."_s;
    QTest::newRow("a summary and a result")
        << compaction + call.arg(u"c"_s, said + u","_s + sealed) + last << u"said"_s << 1
        << u"2 encrypted blocks, at [0], [2], were left out: only the provider that wrote them can read them. “[encrypted]” replaces 1 of them."_s;
    QTest::newRow("a member of an item that no shape has")
        << uR"({"type":"message","role":"user","content":"a"},{"type":"memory","words":"said","encrypted_content":"Y2lwaGVy"},)"_s
            + last
        << u"said"_s << 2 // the other says that JSON stands as a text
        << u"The encrypted block at [1] was left out: only the provider that wrote it can read it. “[encrypted]” replaces it."_s;
    QTest::newRow("thinking, beside a call and alone, and a summary")
        << reasoning + call.arg(u"c"_s, said) + last + u","_s + reasoning + compaction
            + uR"({"role":"user","content":"c"})"_s
        << u"said"_s << 1
        << u"3 encrypted blocks, at [0], [4], [5], were left out: only the provider that wrote them can read them."_s;
}

/// A compaction that only its provider can read is no text of the model; its own format keeps it.
void MessagesWriterTest::sealedTextsAreLeftOut()
{
    QFETCH(const QString, items);
    QFETCH(const QString, stays);
    QFETCH(const int, noteCount);
    QFETCH(const QString, note);
    const auto session = testing::load(R"({"model":"gpt-5","input":[)" + items.toStdString() + "]}");
    QVERIFY(session.has_value());
    const Transcript array(*session, (*session)->threads.front().end);
    for (const MessagesShape shape : kMessagesShapes) {
        const WrittenMessages written = writeMessages(array, shape);
        QVERIFY2(!written.json.contains("Y2lwaGVy"), written.json.c_str());
        QVERIFY2(written.json.contains(stays.toStdString()), written.json.c_str());
        QCOMPARE(static_cast<int>(written.notes.size()), noteCount);
        QCOMPARE(QString::fromStdString(written.notes.front()), note);
        check(*session, {}, shape);
    }
    SpliceEdits edits;
    edits.replacements.push_back({ array.blocks().back(), "c" });
    const auto own = spliceSession(**session, edits);
    QVERIFY(own.has_value());
    QVERIFY(own->bytes.contains(R"("encrypted_content":"Y2lwaGVy")"));
}

/// A provider knows its own thinking again.
void MessagesWriterTest::signaturesStay()
{
    const auto session = testing::load(
        R"({"max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[)"
        R"({"type":"thinking","thinking":"b","signature":"c2ln"},{"type":"thinking","thinking":"","signature":"aGlk"},)"
        R"({"type":"redacted_thinking","data":"cmVk"},{"type":"text","text":"d"}]}]})");
    QVERIFY(session.has_value());
    const auto written = writeMessages(Transcript(*session, (*session)->threads.front().end), MessagesShape::Anthropic);
    QCOMPARE(written.notes.size(), size_t(0));
    QCOMPARE(nlohmann::ordered_json::parse(written.json)["messages"][1]["content"].dump(),
        R"([{"type":"thinking","thinking":"b","signature":"c2ln"},{"type":"thinking","thinking":"","signature":"aGlk"},)"
        R"({"type":"redacted_thinking","data":"cmVk"},{"type":"text","text":"d"}])");
    // LangChain hands the same parts on.
    const auto parts = writeMessages(Transcript(*session, (*session)->threads.front().end), MessagesShape::LangChain);
    QCOMPARE(nlohmann::ordered_json::parse(parts.json)[1]["content"].dump(),
        nlohmann::ordered_json::parse(written.json)["messages"][1]["content"].dump());
}

/// pi keeps them under a name of its own, whatever provider they are of.
void MessagesWriterTest::signaturesOfPiGoToTheirProvider()
{
    const auto written = [](const std::string &api, bool isRedacted = false) {
        const auto session = testing::load(
            R"({"type":"session","version":3,"id":"s","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"})"
            "\n"
            R"({"type":"message","id":"1","parentId":null,"timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"user","content":"a"}})"
            "\n"
            R"({"type":"message","id":"2","parentId":"1","timestamp":"2026-01-02T10:00:02.000Z","message":{"role":"assistant","api":")"
            + api + R"(","content":[{"type":"thinking","thinking":"b","thinkingSignature":"c2ln")"
            + (isRedacted ? R"(,"redacted":true)" : "") + R"(},{"type":"text","text":"d"}]}})" + "\n");
        return writeMessages(Transcript(*session, (*session)->threads.front().end), MessagesShape::Anthropic);
    };
    const WrittenMessages own = written("anthropic-messages");
    QVERIFY2(own.json.contains(R"({"type":"thinking","thinking":"b","signature":"c2ln"})"), own.json.c_str());
    // What stands there of redacted thinking is no signature, and sealed.
    const WrittenMessages redacted = written("anthropic-messages", true);
    QVERIFY2(!redacted.json.contains("c2ln"), redacted.json.c_str());
    const WrittenMessages other = written("google-generative-ai");
    QVERIFY2(other.json.contains(R"({"type":"thinking","thinking":"b","signature":""})"), other.json.c_str());
    const auto saysSo = [](const std::string &note) { return note.contains("thinking block has no signature"); };
    QVERIFY(std::ranges::any_of(other.notes, saysSo));
    QVERIFY(std::ranges::none_of(own.notes, saysSo));
}

/// What a tool gave back in several texts is one result: an API refuses a second one for the same call.
void MessagesWriterTest::aCallHasOneResult()
{
    const auto session = testing::load(R"({"model":"gpt-5","input":[{"role":"user","content":"a"},)"
                                       R"({"type":"function_call","call_id":"c","name":"look","arguments":"{}"},)"
                                       R"({"type":"function_call_output","call_id":"c","output":[)"
                                       R"({"type":"input_text","text":"one"},)"
                                       R"({"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="},)"
                                       R"({"type":"input_text","text":"two"}]}]})");
    QVERIFY(session.has_value());
    const Transcript array(*session, (*session)->threads.front().end);
    constexpr std::array<std::string_view, 4> kResult { "\"tool_result\"", "\"tool_call_id\"", "\"tool_call_id\"",
        "\"toolResponse\"" };
    for (size_t i = 0; i < kMessagesShapes.size(); ++i) {
        const WrittenMessages written = writeMessages(array, kMessagesShapes[i]);
        const size_t first = written.json.find(kResult[i]);
        QVERIFY(first != std::string::npos);
        QVERIFY2(written.json.find(kResult[i], first + 1) == std::string::npos, written.json.c_str());
        QVERIFY(written.json.contains("\"two\""));
        check(*session, {}, kMessagesShapes[i]);
    }
}

/// Chat refuses a message of the model that has neither a content nor calls.
void MessagesWriterTest::thinkingAloneHasAContent()
{
    const auto session
        = testing::load(R"({"max_tokens":9,"messages":[{"role":"user","content":"a"},)"
                        R"({"role":"assistant","content":[{"type":"thinking","thinking":"b","signature":"c2ln"}]}]})");
    QVERIFY(session.has_value());
    const auto written = writeMessages(Transcript(*session, (*session)->threads.front().end), MessagesShape::OpenAi);
    QVERIFY2(
        written.json.contains(R"({"role":"assistant","content":"","reasoning_content":"b"})"), written.json.c_str());
}

void MessagesWriterTest::anAddressKeepsItsType()
{
    const std::string known = R"({"media":{"url":"https://example.org/a.png","contentType":"image/png"}})";
    const std::string unknown = R"({"media":{"url":"https://example.org/b","contentType":"image/*"}})";
    const auto session = testing::load(R"({"messages":[{"role":"user","content":[)" + known + "," + unknown
        + R"(]},{"role":"model","content":[{"text":"Two."}]}]})");
    QVERIFY(session.has_value());
    const auto written
        = writeMessages(Transcript(*session, (*session)->threads.front().end), MessagesShape::Genkit).json;
    QVERIFY2(written.contains(known), written.c_str());
    QVERIFY2(written.contains(unknown), written.c_str());
}

/// The compacted array leaves, the session comes back out of the store.
void MessagesWriterTest::exportComesBack()
{
    const auto session
        = loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples/messages-21.genkit.json");
    QVERIFY(session.has_value());
    const QTemporaryDir folder;
    for (const MessagesShape shape : kMessagesShapes) {
        const Compaction compaction = compact(Transcript(*session, (*session)->threads.front().end),
            preset("genkit-recipe-figure"), *roughTokens(**session));
        ExportOptions target;
        target.file = folder.path().toStdString() + "/" + std::string(nameOf(shape));
        target.shape = shape;
        const auto exported = exportCompaction(compaction, target);
        QVERIFY2(exported.has_value(), exported ? "" : exported.error().message.c_str());
        const auto again = loadSession(target.file);
        QVERIFY(again.has_value());
        QCOMPARE((*again)->format, exported->file->format);
        Inventory wanted(shape);
        wanted.add(compaction.after);
        Inventory found(shape);
        found.addPrelude(**again, (*again)->threads.front().prelude);
        found.add(Transcript(*again, (*again)->threads.front().end));
        QCOMPARE(wanted.firstDifference(found), "");
        const auto store = Store::open(exported->store);
        QVERIFY(store.has_value());
        const auto back = restoreSession(*store, exported->commit, testing::bytesOf(target.file), target.file);
        QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
        QVERIFY(std::string_view(*back) == (*session)->sources.front()->bytes());
    }
}

PALIMPSEST_TEST(MessagesWriterTest)
#include "tst_messages_writer.moc"
