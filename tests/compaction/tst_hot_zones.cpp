// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/keep_window.h"
#include "core/formats/reading/format.h"
#include "core/session/tool_deed.h"
#include "core/weight/block_reasons.h"
#include "core/weight/hot_zones.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <set>

using namespace core;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(core::ToolDeed)
Q_DECLARE_METATYPE(core::WeightUnit)

namespace {

const Position kEnd;

Transcript arrayOf(const SessionPtr &session) { return { session, session->threads.front().end }; }

/// A session block by block: each call of `add` is a message.
class Script final {
public:
    Block &text(Role role, std::string text) { return add(role, BlockKind::Text, std::move(text)); }
    Block &call(std::string_view tool, std::string_view subject, const std::string &arguments)
    {
        Block &block = add(Role::Assistant, BlockKind::ToolCall, arguments, tool);
        block.subject = m_builder.intern(subject);
        block.callId = m_builder.intern("call-" + std::to_string(++m_calls));
        m_lastCall = block;
        return block;
    }
    /// Answers the last call. Where `isLinked` is false the result does not know the tool and the subject by itself.
    Block &result(std::string text, bool isLinked = true)
    {
        const Block call = m_lastCall;
        Block &block = add(Role::Tool, BlockKind::ToolResult, std::move(text));
        block.callId = call.callId;
        if (isLinked) {
            block.name = call.name;
            block.subject = call.subject;
        }
        return block;
    }
    Block &add(Role role, BlockKind kind, std::string text, std::string_view name = {})
    {
        MessageDraft draft;
        draft.role = role;
        draft.blocks
            = { m_builder.makeBlock(kind, m_builder.ownedBody(std::move(text), "test"), m_builder.intern(name)) };
        m_messages.push_back(m_builder.addMessage(m_thread, draft));
        return m_builder.session().blocks.back();
    }
    /// A text escaped as JSON escapes it, so that equal texts differ as bytes.
    Block &escapedText(Role role, std::string_view raw)
    {
        Block &block = add(role, BlockKind::Text, std::string(raw));
        block.body = m_builder.jsonStringBody(block.body.source, m_builder.sourceBytes(block.body.source));
        block.lengths = block.body.lengths;
        return block;
    }
    SessionPtr finish()
    {
        m_builder.deriveCalls(m_thread, m_messages);
        return m_builder.finish();
    }

private:
    SessionBuilder m_builder;
    ThreadIndex m_thread = m_builder.addThread(ThreadKind::Main);
    std::vector<MessageId> m_messages;
    Block m_lastCall;
    int m_calls = 0;
};

std::string reasonOf(const SessionPtr &session, uint32_t message)
{
    const std::array<BlockId, 1> blocks { session->messages[message].first };
    return blockReasons(arrayOf(session), ThreadIndex(0), blocks).front();
}

std::string body(char c) { return std::string(400, c); }

/// The bundled run of 21 messages.
SessionPtr bundledRun()
{
    const auto loaded = loadSession(std::string(PALIMPSEST_SOURCE_DIR) + "/resources/samples/messages-21.genkit.json");
    return loaded ? *loaded : nullptr;
}

std::vector<uint32_t> hotSlots(const HotZones &zones)
{
    std::set<uint32_t> slots;
    for (const HotBlock &block : zones.blocks)
        slots.insert(block.slot.value());
    return { slots.begin(), slots.end() };
}

} // namespace

/// Which blocks are hot, in which order, and why.
class HotZonesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBundledRunIsHotWhereTheFigureSaysSo_data();
    void theBundledRunIsHotWhereTheFigureSaysSo();
    void theBundledRunSaysWhy();
    void toolsAreJudgedByTheWordsOfTheirNames_data();
    void toolsAreJudgedByTheWordsOfTheirNames();
    void aToolOfManyDeedsIsJudgedByItsArguments();
    void aReasonSaysWhatABlockIs();
    void aReasonNamesTheNextReading();
    void aReasonNamesTheNextRun();
    void aReasonNamesTheNewestTwin();
    void reasonsCostNoMoreThanTheBlocks_data();
    void reasonsCostNoMoreThanTheBlocks();
    void theResultOfAnUnlinkedFormatFindsItsCall();
    void aTagThatIsNoneHasNoPath();
    void hotBlocksAreTheFewestThatHoldMost();
    void theKeepWindowIsNeverHot();
    void resentRanks();
    void callsPerBlockEqualsCounting();
    void callsPerBlockDoesNotDependOnTheSizeOfArrays();
};

void HotZonesTest::theBundledRunIsHotWhereTheFigureSaysSo_data()
{
    QTest::addColumn<WeightUnit>("unit");
    QTest::addColumn<bool>("isCounted");
    QTest::newRow("tokens, from lengths") << WeightUnit::Tokens << false;
    QTest::newRow("tokens, from texts") << WeightUnit::Tokens << true;
    QTest::newRow("characters") << WeightUnit::Characters << true;
    QTest::newRow("bytes") << WeightUnit::Bytes << true;
}

void HotZonesTest::theBundledRunIsHotWhereTheFigureSaysSo()
{
    QFETCH(WeightUnit, unit);
    QFETCH(bool, isCounted);
    const SessionPtr run = bundledRun();
    QVERIFY(run);
    const BlockTokensPtr tokens = isCounted ? estimateTokens(*run, 2, nullptr) : roughTokens(*run);
    const Transcript array = arrayOf(run);
    QCOMPARE(array.slotCount(), size_t(21));
    const size_t cutoff = keepCutoff(array, *parseMeasure("6msg"), *tokens);
    QCOMPARE(cutoff, size_t(15));
    const HotZones zones = hotZones(array, kEnd, cutoff, Weights(tokens, unit), ArraySums());
    QCOMPARE(hotSlots(zones), (std::vector<uint32_t> { 3, 6, 8, 9, 11 }));
    QCOMPARE(zones.blocks.size(), size_t(5));
    if (unit == WeightUnit::Characters) {
        QCOMPARE(zones.removable, 50'487.0 - 7241.0);
        QCOMPARE(zones.of(SlotIndex(3))->weight, 14'521.0);
        QCOMPARE(zones.of(SlotIndex(11))->share, 14'990.0 / 43'246.0);
    }
    QVERIFY(zones.of(SlotIndex(4)) == nullptr);
}

void HotZonesTest::theBundledRunSaysWhy()
{
    const SessionPtr run = bundledRun();
    const HotZones zones
        = hotZones(arrayOf(run), kEnd, 15, Weights(roughTokens(*run), WeightUnit::Characters), ArraySums());
    const auto reason = [&](uint32_t slot) { return zones.of(SlotIndex(slot))->reason; };
    QCOMPARE(reason(3), std::string("body of parse.py"));
    QCOMPARE(reason(6), std::string("body of test_tallybook.py, read again as #19 with the same text"));
    QCOMPARE(reason(8), std::string("output of python3 -m pytest tests/test_tallybook.…, run again as #14"));
    QCOMPARE(reason(9), std::string("arguments of an edit of parse.py"));
    QCOMPARE(reason(11), std::string("arguments of a write to lexer.py"));
}

void HotZonesTest::toolsAreJudgedByTheWordsOfTheirNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<ToolDeed>("deed");
    const auto rows = [](ToolDeed deed, std::initializer_list<const char *> names) {
        for (const char *name : names)
            QTest::newRow(name) << QByteArray(name) << deed;
    };
    rows(ToolDeed::Read,
        { "Read", "read_file", "readFile", "view", "view_file", "cat", "open_file", "NotebookRead",
            "mcp__filesystem__read_text_file", "ReadManyFiles", "fs-read", "READ" });
    rows(ToolDeed::Write, { "Write", "write_file", "write_to_file", "create_file", "WriteFile", "fs_write" });
    rows(ToolDeed::Edit,
        { "Edit", "MultiEdit", "edit_file", "str_replace_editor", "str_replace_based_edit_tool", "apply_patch",
            "replace_in_file", "NotebookEdit", "search_replace", "insert" });
    rows(ToolDeed::Run, { "Bash", "shell", "local_shell", "exec_command", "execute", "run_in_terminal", "RunCommand" });
    rows(ToolDeed::Search, { "Grep", "Glob", "search_files", "list_dir", "ls", "find", "codebase_search" });
    rows(ToolDeed::Other,
        { "Task", "WebFetch", "update_plan", "locate", "communicate", "spreadsheet", "reopened", "thread" });
    QTest::newRow("no name") << QByteArray() << ToolDeed::Other;
}

void HotZonesTest::toolsAreJudgedByTheWordsOfTheirNames()
{
    QFETCH(QByteArray, name);
    QFETCH(ToolDeed, deed);
    QCOMPARE(toolDeed(std::string_view(name)), deed);
}

void HotZonesTest::aToolOfManyDeedsIsJudgedByItsArguments()
{
    Script script;
    script.call("str_replace_editor", "a.py", R"({"command": "view", "path": "a.py"})");
    script.call("str_replace_editor", "a.py", R"({"command": "create", "path": "a.py", "file_text": "x"})");
    script.call("str_replace_editor", "a.py", R"({"command": "str_replace", "path": "a.py", "old_str": "view"})");
    const SessionPtr made = script.finish();
    QCOMPARE(toolDeed(*made, made->blocks[0]), ToolDeed::Read);
    QCOMPARE(toolDeed(*made, made->blocks[1]), ToolDeed::Write);
    QCOMPARE(toolDeed(*made, made->blocks[2]), ToolDeed::Edit);
}

void HotZonesTest::aReasonSaysWhatABlockIs()
{
    Script script;
    std::vector<std::string> expected;
    const auto expect = [&](Block &block, const char *reason) -> Block & {
        expected.emplace_back(reason);
        return block;
    };
    const std::string arguments = R"({"x": 1})";
    expect(script.text(Role::System, body('a')), "system text");
    expect(script.text(Role::User, body('b')), "text that the user typed").set(BlockFlag::Typed);
    expect(script.text(Role::User, body('c')), "text added by the harness").set(BlockFlag::Injected);
    expect(script.text(Role::User, body('d')), "summary of earlier messages").set(BlockFlag::Summary);
    expect(script.text(Role::Assistant, body('e')), "large text");
    expect(script.text(Role::User, "<read_file path=\"src/a b.py\" lines=\"1-9\">\n" + body('f')), "body of a b.py");
    expect(script.text(Role::User, " <file_content path=\"x.md\">" + body('g')), "body of x.md");
    expect(script.add(Role::Assistant, BlockKind::Thinking, body('h')), "thinking");
    expect(script.add(Role::Assistant, BlockKind::Thinking, body('i')), "encrypted thinking").set(BlockFlag::Encrypted);
    expect(script.add(Role::User, BlockKind::Image, "iVBORw0KGgo", "image/png"), "image");
    expect(script.add(Role::User, BlockKind::Document, "JVBERi0", "application/pdf"), "document");
    expect(script.add(Role::User, BlockKind::Opaque, body('j'), "web_search"), "content of type web_search");
    expect(script.add(Role::User, BlockKind::Opaque, body('k')), "content of unknown type");
    expect(script.call("Write", "/work/a/lexer.py", arguments), "arguments of a write to lexer.py");
    expect(script.result(body('l')), "result of a write to lexer.py");
    expect(script.call("Edit", "C:\\work\\parse.py", arguments), "arguments of an edit of parse.py");
    expect(script.result(body('m')), "result of an edit of parse.py");
    expect(script.call("TodoWrite", "", arguments), "arguments of TodoWrite");
    expect(script.call("Bash", "cat > x.py <<'EOF'\nimport os", arguments), "text of the command cat > x.py <<'EOF'");
    expect(script.call("Bash", "pytest -q tests/one.py tests/two.py --long", arguments),
        "text of the command pytest -q tests/one.py tests/two.py --long");
    expect(script.result(body('n')), "output of pytest -q tests/one.py tests/two.py --l…");
    expect(script.call("Read", "/work/a/core", arguments), "arguments of Read /work/a/core");
    expect(script.result(body('o')), "body of core");
    expect(script.call("Grep", "TODO", arguments), "arguments of Grep TODO");
    expect(script.result(body('p')), "output of Grep TODO");
    expect(script.call("get_contents", "docs/plan.md", arguments), "arguments of get_contents docs/plan.md");
    expect(script.result(body('q')), "body of plan.md");
    expect(script.call("WebFetch", "https://example.org/a.html", arguments),
        "arguments of WebFetch https://example.org/a.html");
    expect(script.result(body('r')), "output of WebFetch https://example.org/a.html");
    expect(script.call("", "", arguments), "arguments of a tool");
    expect(script.result(body('s')), "output of a tool");
    expected[19] = "text of the command pytest -q tests/one.py tests/two.py --l…";
    const SessionPtr made = script.finish();
    for (uint32_t i = 0; i < expected.size(); ++i)
        QCOMPARE(reasonOf(made, i), expected[i]);
}

void HotZonesTest::aReasonNamesTheNextReading()
{
    const std::string arguments = R"({"file_path": "a.py"})";
    Script script;
    script.call("Read", "a.py", arguments);                           // 0
    script.result(body('a'));                                         // 1
    script.call("Edit", "a.py", arguments);                           // 2
    script.result(body('b'));                                         // 3
    script.call("Read", "b.py", arguments);                           // 4
    script.result(body('c'));                                         // 5
    script.call("Read", "a.py", arguments);                           // 6
    script.result("File a.py read successfully.");                    // 7
    script.text(Role::User, "<read_file path=\"a.py\">" + body('d')); // 8
    script.call("Read", "a.py", arguments);                           // 9
    script.result(body('a'));                                         // 10
    script.call("view", "c.py", arguments);                           // 11
    script.result(body('e'));                                         // 12
    script.call("view", "c.py", arguments);                           // 13
    const SessionPtr made = script.finish();
    QCOMPARE(reasonOf(made, 1), std::string("body of a.py, read again as #8, same text as #10"));
    QCOMPARE(reasonOf(made, 3), std::string("result of an edit of a.py"));
    QCOMPARE(reasonOf(made, 5), std::string("body of b.py"));
    QCOMPARE(reasonOf(made, 8), std::string("body of a.py, read again as #10"));
    QCOMPARE(reasonOf(made, 10), std::string("body of a.py, same text as #1"));
    QCOMPARE(reasonOf(made, 12), std::string("body of c.py, read again as #13"));
}

void HotZonesTest::aReasonNamesTheNextRun()
{
    Script script;
    script.call("Bash", "pytest", R"({"command": "pytest"})");    // 0
    script.result(body('a'));                                     // 1
    script.call("Bash", "pytesu", R"({"command": "pytesu"})");    // 2: as long, but another
    script.result(body('b'));                                     // 3
    script.call("execute", "pytest", R"({"command": "pytest"})"); // 4: another tool
    script.result(body('c'));                                     // 5
    script.call("Bash", "pytest", R"({"command": "pytest"})");    // 6
    script.result(body('d'));                                     // 7
    script.call("Bash", "pytest", R"({"command": "pytest"})");    // 8
    script.result(body('d'));                                     // 9
    script.call("Bash", "ls", R"({"command": "ls"})");            // 10
    script.result(body('e'));                                     // 11
    script.call("Bash", "ls", R"({"command": "ls"})");            // 12: no answer
    const SessionPtr made = script.finish();
    QCOMPARE(reasonOf(made, 1), std::string("output of pytest, run again as #7"));
    QCOMPARE(reasonOf(made, 3), std::string("output of pytesu"));
    QCOMPARE(reasonOf(made, 5), std::string("output of pytest"));
    QCOMPARE(reasonOf(made, 7), std::string("output of pytest, run again as #9 with the same output"));
    QCOMPARE(reasonOf(made, 9), std::string("output of pytest, same text as #7"));
    QCOMPARE(reasonOf(made, 11), std::string("output of ls, run again as #12"));
}

void HotZonesTest::aReasonNamesTheNewestTwin()
{
    const std::string tail(300, 'x');
    Script script;
    script.text(Role::Assistant, "one\n" + tail);             // 0
    script.escapedText(Role::Assistant, "one\\n" + tail);     // 1: the same text, other bytes
    script.escapedText(Role::Assistant, "one\\u000a" + tail); // 2: again
    script.escapedText(Role::Assistant, "one\\t" + tail);     // 3: as long, but another
    script.text(Role::Assistant, std::string(199, 'y'));      // 4: too short to be called equal
    script.text(Role::Assistant, std::string(199, 'y'));      // 5
    script.text(Role::Assistant, std::string(200, 'z'));      // 6
    script.text(Role::Assistant, std::string(200, 'z'));      // 7
    const SessionPtr made = script.finish();
    QCOMPARE(reasonOf(made, 0), std::string("large text, same text as #2"));
    QCOMPARE(reasonOf(made, 1), std::string("large text, same text as #2"));
    QCOMPARE(reasonOf(made, 2), std::string("large text, same text as #1"));
    QCOMPARE(reasonOf(made, 3), std::string("large text"));
    QCOMPARE(reasonOf(made, 4), std::string("large text"));
    QCOMPARE(reasonOf(made, 6), std::string("large text, same text as #7"));
}

void HotZonesTest::reasonsCostNoMoreThanTheBlocks_data()
{
    // Each makes a session of about `n` blocks.
    QTest::addColumn<std::function<void(Script &, size_t)>>("write");
    const auto row
        = [](const char *name, const std::function<void(Script &, size_t)> &write) { QTest::newRow(name) << write; };
    const auto numbered = [](size_t i) { return std::to_string(1'000'000 + i); };
    row("texts as long as each other, all different", [=](Script &script, size_t n) {
        for (size_t i = 0; i < n; ++i)
            script.text(Role::Assistant, numbered(i) + body('a'));
    });
    row("texts that begin alike, all different", [=](Script &script, size_t n) {
        for (size_t i = 0; i < n; ++i)
            script.text(Role::Assistant, body('a') + body('b') + numbered(i));
    });
    row("texts that are all equal", [=](Script &script, size_t n) {
        for (size_t i = 0; i < n; ++i)
            script.text(Role::Assistant, body('a'));
    });
    row("one command, again and again", [=](Script &script, size_t n) {
        for (size_t i = 0; i < n; i += 2) {
            script.call("Bash", "pytest", R"({"command": "pytest"})");
            script.result(body('a') + numbered(i));
        }
    });
    row("commands as long as each other", [=](Script &script, size_t n) {
        for (size_t i = 0; i < n; i += 2) {
            script.call("Bash", "run", R"({"command": "run )" + numbered(i) + "\"}");
            script.result(body('a'));
        }
    });
    row("one file, read again and again", [=](Script &script, size_t n) {
        for (size_t i = 0; i < n; i += 2) {
            script.call("Read", "a.py", R"({"file_path": "a.py"})");
            script.result(body('a') + numbered(i));
        }
    });
    row("one file, read again and again, showing nothing", [=](Script &script, size_t n) {
        for (size_t i = 0; i < n; i += 2) {
            script.call("Read", "a.py", R"({"file_path": "a.py"})");
            script.result("Read.");
        }
    });
}

void HotZonesTest::reasonsCostNoMoreThanTheBlocks()
{
    using Write = std::function<void(Script &, size_t)>;
    QFETCH(Write, write);
    const auto effortOf = [&](size_t blocks) {
        Script script;
        write(script, blocks);
        const SessionPtr made = script.finish();
        std::vector<BlockId> ids;
        for (size_t i = 0; i < made->blocks.size(); ++i)
            ids.emplace_back(i);
        uint64_t effort = 0;
        const auto reasons = blockReasons(arrayOf(made), ThreadIndex(0), ids, &effort);
        Q_ASSERT(reasons.size() == ids.size());
        return effort;
    };
    const uint64_t few = effortOf(600);
    const uint64_t many = effortOf(6000);
    QVERIFY(few > 600);
    QVERIFY2(many < few * 12, qPrintable(u"%1 for 600 blocks, %2 for 6,000"_s.arg(few).arg(many)));
}

void HotZonesTest::theResultOfAnUnlinkedFormatFindsItsCall()
{
    Script script;
    script.call("str_replace_editor", "src/a.py", R"({"command": "view", "path": "src/a.py"})");
    script.result(body('a'), false);
    script.call("Bash", "make", R"({"command": "make"})");
    script.result(body('b'), false);
    const SessionPtr made = script.finish();
    QCOMPARE(reasonOf(made, 1), std::string("body of a.py"));
    QCOMPARE(reasonOf(made, 3), std::string("output of make"));
}

void HotZonesTest::aTagThatIsNoneHasNoPath()
{
    Script script;
    script.text(Role::User, "a <read_file path=\"a.py\">" + body('a'));
    script.text(Role::User, "<read_file path=\"a.py" + body('b'));
    script.text(Role::User, "<p>path=\"a.py\"</p>" + body('c'));
    script.text(Role::User, "<read_file path=\"a.py\">short");
    script.text(Role::User, "<read_file mypath=\"a.py\">" + body('d'));
    script.text(Role::User, "\n<doc id=\"1\" path=\"a.py\">" + body('e'));
    const SessionPtr made = script.finish();
    for (size_t i = 0; i < 5; ++i)
        QCOMPARE(pathOfTaggedBody(*made, made->blocks[i]), std::string());
    QCOMPARE(pathOfTaggedBody(*made, made->blocks[5]), std::string("a.py"));
}

void HotZonesTest::hotBlocksAreTheFewestThatHoldMost()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(40); ++i) {
        const std::string line = randomLine(random, 1 + random() % 60);
        const SessionPtr made = session(line);
        const Transcript array = arrayOf(made);
        const size_t cutoff = random() % (array.slotCount() + 1);
        const Weights weights(roughTokens(*made), static_cast<WeightUnit>(random() % 3));
        const HotZones zones = hotZones(array, kEnd, cutoff, weights, ArraySums());

        double removable = 0;
        std::set<BlockId> hot;
        for (const HotBlock &block : zones.blocks)
            hot.insert(block.block);
        QCOMPARE(hot.size(), zones.blocks.size());
        double hotWeight = 0;
        double lightestNeeded = 0;
        double heaviestLeft = 0;
        for (size_t slot = 0; slot < cutoff; ++slot) {
            for (const BlockId id : array.blocksOf(array.slots()[slot]))
                removable += weights.of(*made, id);
        }
        QVERIFY2(std::abs(zones.removable - removable) <= 1e-9 * removable, line.c_str());
        for (size_t slot = 0; slot < array.slotCount(); ++slot) {
            for (const BlockId id : array.blocksOf(array.slots()[slot])) {
                const double weight = weights.of(*made, id);
                if (!hot.contains(id)) {
                    heaviestLeft = slot < cutoff ? std::max(heaviestLeft, weight) : heaviestLeft;
                    continue;
                }
                QVERIFY2(slot < cutoff, line.c_str());
                hotWeight += weight;
                if (weight < 0.05 * removable)
                    lightestNeeded = lightestNeeded == 0 ? weight : std::min(lightestNeeded, weight);
            }
        }
        const double slack = 1e-9 * removable;
        QVERIFY2(hotWeight >= 0.8 * removable - slack, line.c_str());
        QVERIFY2(heaviestLeft <= 0.05 * removable + slack, line.c_str());
        QVERIFY2(lightestNeeded == 0 || hotWeight - lightestNeeded < 0.8 * removable + slack, line.c_str());
        QVERIFY2(lightestNeeded == 0 || lightestNeeded >= heaviestLeft, line.c_str());
        for (const HotBlock &block : zones.blocks)
            QVERIFY2(!block.reason.empty() && block.reason.back() != '.', line.c_str());
    }
}

void HotZonesTest::theKeepWindowIsNeverHot()
{
    const SessionPtr made = session("u:10 a:9000 u:20 a:8000");
    const Transcript array = arrayOf(made);
    const Weights weights(roughTokens(*made), WeightUnit::Characters);
    QCOMPARE(hotSlots(hotZones(array, kEnd, 2, weights, ArraySums())), std::vector<uint32_t> { 1 });
    QVERIFY(hotZones(array, kEnd, 0, weights, ArraySums()).blocks.empty());
    QCOMPARE(hotSlots(hotZones(array, kEnd, 99, weights, ArraySums())), (std::vector<uint32_t> { 1, 3 }));
    QVERIFY(hotZones(Transcript(), kEnd, 3, weights, ArraySums()).blocks.empty());
    const SessionPtr blank = session("u:0 a:0 u:0");
    QVERIFY(hotZones(arrayOf(blank), kEnd, 3, Weights(roughTokens(*blank), WeightUnit::Tokens), ArraySums())
            .blocks.empty());
}

void HotZonesTest::resentRanks()
{
    // #1 is sent with calls 1, 2 and 3, #2 with 2 and 3, #4 with call 3 only.
    const SessionPtr made = session("u:10 a:3000 a:4000 u:10 a:9000 a:50 u:10");
    QCOMPARE(made->threads.front().calls.size(), size_t(4));
    const Weights weights(roughTokens(*made), WeightUnit::Characters);
    const Transcript array = arrayOf(made);
    const auto order = [&](Position position) {
        std::vector<std::pair<uint32_t, size_t>> result;
        for (const HotBlock &block : hotZones(array, position, 6, weights, ArraySums()).blocks)
            result.emplace_back(block.slot.value(), block.laterCalls);
        return result;
    };
    using Order = std::vector<std::pair<uint32_t, size_t>>;
    QCOMPARE(order(kEnd), (Order { { 4, 0 }, { 2, 0 }, { 1, 0 } }));
    QCOMPARE(order({ ThreadIndex(0), CallIndex(0) }), (Order { { 1, 3 }, { 4, 1 }, { 2, 2 } }));
    QCOMPARE(order({ ThreadIndex(0), CallIndex(1) }), (Order { { 4, 1 }, { 2, 2 }, { 1, 2 } }));
    QCOMPARE(order({ ThreadIndex(0), CallIndex(3) }), (Order { { 4, 0 }, { 2, 0 }, { 1, 0 } }));
    const HotZones zones = hotZones(array, { ThreadIndex(0), CallIndex(0) }, 6, weights, ArraySums());
    const double tokens = weights.tokens()->of(zones.blocks[0].block);
    QCOMPARE(zones.blocks[0].resentLater, 3 * tokens);
}

void HotZonesTest::callsPerBlockEqualsCounting()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        auto made = std::make_shared<Session>(*session(randomLine(random, 40)));
        const auto blocks = static_cast<uint32_t>(made->blocks.size());
        std::vector<Call> &calls = made->threads.front().calls;
        calls.clear();
        for (size_t k = 0; k < 1 + random() % 30; ++k) {
            std::vector<BlockRange> ranges;
            uint32_t at = 0;
            while (at < blocks) {
                const auto begin = static_cast<uint32_t>(at + random() % 4);
                const auto end = static_cast<uint32_t>(begin + random() % 9);
                if (end > blocks)
                    break;
                ranges.push_back({ begin, end });
                at = end + 1;
            }
            std::ranges::shuffle(ranges, random); // a rewritten history is not in pool order
            calls.emplace_back();
            calls.back().input = BlockRanges::of(ranges);
        }
        for (const size_t first : { size_t(0), calls.size() / 2, calls.size() }) {
            std::vector<uint32_t> expected(blocks, 0);
            for (size_t k = first; k < calls.size(); ++k)
                calls[k].input.forEach([&](BlockId id) { ++expected[id.index()]; });
            QCOMPARE(callsPerBlock(*made, ThreadIndex(0), CallIndex(first)), expected);
        }
    }
}

void HotZonesTest::callsPerBlockDoesNotDependOnTheSizeOfArrays()
{
    // Counting block by block would take 20 billion steps.
    constexpr uint32_t kCalls = 100'000;
    Session made;
    made.blocks.resize(4 * kCalls);
    made.threads.resize(1);
    for (uint32_t i = 0; i < kCalls; ++i) {
        Call call;
        call.input.append({ 0, 4 * i + 1 });
        made.threads[0].calls.push_back(std::move(call));
    }
    const std::vector<uint32_t> counts = callsPerBlock(made, ThreadIndex(0));
    QCOMPARE(counts.size(), size_t(4 * kCalls));
    QCOMPARE(counts[0], kCalls);
    QCOMPARE(counts[4 * kCalls / 2], kCalls / 2);
    QCOMPARE(counts.back(), 0U);
}

PALIMPSEST_TEST(HotZonesTest)
#include "tst_hot_zones.moc"
