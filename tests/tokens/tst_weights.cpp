// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/model_family.h"
#include "core/tokens/weights.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace core;

Q_DECLARE_METATYPE(core::TokenizerFamily)
Q_DECLARE_METATYPE(core::TokenFigure)

namespace {

/// A table that says 1 token a character.
BlockTokens oneTokenACharacter(const Session &session)
{
    BlockTokens table;
    for (const Block &block : session.blocks)
        table.tokens.push_back(static_cast<float>(block.lengths.codePoints));
    return table;
}

/// A session as readers build it, with a thread to be filled by hand. Each block is a message of its own.
struct Recording {
    SessionBuilder builder;
    ThreadIndex thread = builder.addThread(ThreadKind::Main);

    BlockRange add(Role role, size_t characters)
    {
        MessageDraft draft;
        draft.role = role;
        draft.blocks = { builder.makeBlock(BlockKind::Text, builder.ownedBody(std::string(characters, 'x'), "test")) };
        return builder.rangeOf(builder.addMessage(thread, draft));
    }
    CallIndex call(const std::vector<BlockRange> &input, uint64_t prompt)
    {
        Call call;
        call.input = BlockRanges::of(input);
        if (prompt > 0)
            call.usage = Usage { 1, prompt - 1, 0, 7 };
        std::vector<Call> &calls = builder.thread(thread).calls;
        calls.push_back(call);
        return CallIndex(calls.size() - 1);
    }
    void compaction(CompactionKind kind, CallIndex call)
    {
        RecordedCompaction compaction;
        compaction.kind = kind;
        compaction.call = call;
        builder.thread(thread).compactions.push_back(compaction);
    }
};

} // namespace

/// Weights of blocks and slots, how they are written, and what usage proves beyond them.
class WeightsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sessionsInOneLineHoldWhatTheLineSays();
    void resultsAreTiedToCalls();
    void aBadLineIsRefused();
    void aFigureShowsItsBasis_data();
    void aFigureShowsItsBasis();
    void modelsHaveTheirTokenizer_data();
    void modelsHaveTheirTokenizer();
    void roughTokensComeFromLengths();
    void whatIsNoTextIsAssumed();
    void weightsAddUp();
    void charactersAndBytesAreExact();
    void preludeIsWhatTheFirstCallHadBeyondItsArray();
    void aRecordedPreludeIsNotCountedTwice();
    void aCompactionPutsSomethingBack();
    void thePreludeShrinksBehindACompaction();
    void unloggedIsNeverNegative();
    void withoutUsageNothingIsUnlogged();
};

void WeightsTest::sessionsInOneLineHoldWhatTheLineSays()
{
    const char *line = "s:30 u:10 k:40+a:200 t:5000* a:70 u:5+i:900 a:0";
    const SessionPtr made = session(line);
    const Transcript array(made, made->threads.front().end);
    const std::vector<uint64_t> sizes { 30, 10, 240, 5000, 70, 5, 0 };
    const std::vector<Role> roles { Role::System, Role::User, Role::Assistant, Role::Tool, Role::Assistant, Role::User,
        Role::Assistant };
    QCOMPARE(array.slotCount(), sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i) {
        QCOMPARE(array.lengthsOf(array.slots()[i]).codePoints, sizes[i]);
        QCOMPARE(array.slots()[i].role, roles[i]);
    }
    QCOMPARE(markedSlots(line), std::vector { SlotIndex(3) });
    QCOMPARE(array.lengthsOf(array.slots()[5]).bytes, 905U);
    QCOMPARE(made->threads.front().calls.size(), 3U);
    QCOMPARE(made->threads.front().calls[1].input.blockCount(), 6U);

    const SessionPtr again = session(line);
    for (size_t i = 0; i < made->blocks.size(); ++i)
        QCOMPARE(again->text(again->blocks[i].body), made->text(made->blocks[i].body));
    const SessionPtr twins = session("u:500=1 a:500 u:500=1");
    QCOMPARE(twins->text(twins->blocks[0].body), twins->text(twins->blocks[2].body));
    QVERIFY(twins->text(twins->blocks[0].body) != twins->text(twins->blocks[1].body));
}

void WeightsTest::resultsAreTiedToCalls()
{
    std::mt19937_64 random = seededRandom();
    std::string line = "u:5 a:200 t:50 a:9+c:30+c:400 t:7 t:8 a:3 t:1 t:1";
    for (int i = 0; i < 20; ++i) {
        const SessionPtr made = session(line);
        std::vector<StringId> open;
        size_t results = 0;
        for (const Block &block : made->blocks) {
            if (block.kind == BlockKind::ToolCall)
                open.push_back(block.callId);
            if (block.kind != BlockKind::ToolResult)
                continue;
            QVERIFY2(std::erase(open, block.callId) == 1, line.c_str());
            ++results;
        }
        QVERIFY2(open.empty(), line.c_str());
        QCOMPARE(results, size_t(std::ranges::count(line, 't')));
        line = randomLine(random, 1 + i * 3);
    }
}

void WeightsTest::aBadLineIsRefused()
{
    for (const char *line : { "x:3", "u3", "u:", "u:x", "u:3!", "t:5", "a:3++a:4" })
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)session(line));
}

void WeightsTest::aFigureShowsItsBasis_data()
{
    QTest::addColumn<TokenFigure>("figure");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *name, TokenFigure figure, const char *text) {
        QTest::newRow(name) << figure << QByteArray(text);
    };
    row("exact in full", { 117980, Basis::Exact, 0 }, "117,980");
    row("exact, seven digits", { 1234567, Basis::Exact, 0 }, "1,234,567");
    row("estimated, three digits", { 117980, Basis::Estimated, 0 }, "~118k");
    row("estimated, small", { 840.4, Basis::Estimated, 0 }, "~840");
    row("estimated, thousands", { 3748, Basis::Estimated, 0 }, "~3.7k");
    row("estimated, tens of thousands", { 12621, Basis::Estimated, 0 }, "~12.6k");
    row("estimated, millions", { 1314000, Basis::Estimated, 0 }, "~1.31M");
    row("nothing is exactly nothing", { 0, Basis::Estimated, 0 }, "0");
    row("less than half a token is nothing", { 0.3, Basis::Estimated, 0 }, "0");
    row("calibrated with its error", { 118040, Basis::Calibrated, 0.018 }, "118.0k ±2 %");
    row("calibrated, error unknown", { 118040, Basis::Calibrated, 0 }, "118.0k");
    row("calibrated, few", { 917.6, Basis::Calibrated, 0.05 }, "~918");
    row("calibrated, just too little for a band", { 29999.4, Basis::Calibrated, 0.02 }, "~30.0k");
    row("calibrated, enough for one", { 30000, Basis::Calibrated, 0.02 }, "30.00k ±2 %");
    row("calibrated, rounds up to a million", { 999960, Basis::Calibrated, 0 }, "1.000M");
    row("calibrated, millions", { 1234567, Basis::Calibrated, 0 }, "1.235M");
}

void WeightsTest::aFigureShowsItsBasis()
{
    QFETCH(TokenFigure, figure);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(shown(figure)), text);
}

void WeightsTest::modelsHaveTheirTokenizer_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<TokenizerFamily>("family");
    const auto row
        = [](const char *model, TokenizerFamily family) { QTest::newRow(model) << QByteArray(model) << family; };
    for (const char *model : { "claude-opus-4-5-20251101", "claude-opus-4-6", "claude-opus-4-6[1m]",
             "claude-opus-4-20250514", "claude-opus-4@20250514", "claude-opus-4-1-20250805", "claude-sonnet-4-6",
             "claude-sonnet-4-5-20250929", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic/claude-opus-4.6",
             "claude-haiku-4-5-20251001", "claude-3-5-sonnet-20241022", "claude-3-opus-20240229", "claude-3.7-sonnet",
             "claude-3-haiku", "claude-2.1", "claude-instant-1.2", "opus", "sonnet" })
        row(model, TokenizerFamily::ClaudeOld);
    for (const char *model : { "claude-opus-4-7", "claude-opus-4-7-20260416", "anthropic/claude-opus-4.7",
             "claude-opus-5", "claude-opus-5-5", "claude-opus-4-10", "claude-sonnet-5", "claude-sonnet-5-5",
             "claude-haiku-5-5", "claude-fable-5", "claude-fable-5.1", "claude-mythos-preview", "Claude Opus 4.8" })
        row(model, TokenizerFamily::ClaudeNew);
    for (const char *model : { "gpt-5-codex", "gpt-4o", "gpt-5.6-sol", "openai/gpt-4.1-mini", "o3", "azure/o4-mini",
             "chatgpt-4o-latest", "codex-mini-latest", "gpt-oss-120b" })
        row(model, TokenizerFamily::OpenAi);
    for (const char *model :
        { "", "gemini-2.5-pro", "deepseek-chat", "qwen3-coder", "opencode/grok-code", "<synthetic>" })
        QTest::addRow("other: %s", model) << QByteArray(model) << TokenizerFamily::Other;
}

void WeightsTest::modelsHaveTheirTokenizer()
{
    QFETCH(QByteArray, model);
    QFETCH(TokenizerFamily, family);
    QCOMPARE(tokenizerFamily(std::string_view(model)), family);
    QVERIFY(tokenFactor(TokenizerFamily::ClaudeNew) > tokenFactor(TokenizerFamily::ClaudeOld));
    QVERIFY(tokenFactor(TokenizerFamily::ClaudeOld) > tokenFactor(TokenizerFamily::OpenAi));
    QCOMPARE(tokenFactor(TokenizerFamily::Other), 1.0);
}

void WeightsTest::roughTokensComeFromLengths()
{
    const SessionPtr plain = session("u:345 a:6900");
    const BlockTokensPtr rough = roughTokens(*plain);
    QVERIFY(!rough->isCounted);
    QCOMPARE(rough->basis, Basis::Estimated);
    QCOMPARE(rough->of(BlockId(0)), 100.0);
    QCOMPARE(rough->of(BlockId(1)), 2000.0);
    QCOMPARE(rough->of(BlockId(2)), 0.0);

    SessionBuilder builder;
    builder.session().model = "claude-opus-4-7";
    const ThreadIndex thread = builder.addThread(ThreadKind::Main);
    MessageDraft draft;
    draft.blocks = { builder.makeBlock(BlockKind::Text, builder.ownedBody(std::string(3450, 'x'), "test")) };
    builder.addMessage(thread, draft);
    const SessionPtr claude = builder.finish();
    QCOMPARE(roughTokens(*claude)->of(BlockId(0)), 1530.0);
}

void WeightsTest::whatIsNoTextIsAssumed()
{
    Block block;
    block.body.coding = Coding::Base64;
    block.body.size = 1'000'000;
    block.kind = BlockKind::Image;
    QCOMPARE(assumedTokens(block, 1.53), std::optional(1500.0));
    block.kind = BlockKind::Document;
    QCOMPARE(assumedTokens(block, 1.53), std::optional(45'000.0));
    block.kind = BlockKind::Thinking;
    block.set(BlockFlag::Encrypted);
    QCOMPARE(assumedTokens(block, 1.0), std::optional(156'250.0));
    QCOMPARE(assumedTokens(block, 2.0), std::optional(312'500.0));

    Block text;
    text.kind = BlockKind::Document;
    text.body.coding = Coding::JsonString;
    text.body.size = 10;
    QCOMPARE(assumedTokens(text, 1.0), std::nullopt);
}

void WeightsTest::weightsAddUp()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        const std::string line = randomLine(random, 1 + i % 40);
        const SessionPtr made = session(line);
        const Transcript array(made, made->threads.front().end);
        for (const WeightUnit unit : { WeightUnit::Tokens, WeightUnit::Characters, WeightUnit::Bytes }) {
            const Weights weights(roughTokens(*made), unit);
            double slots = 0;
            for (const Slot &slot : array.slots())
                slots += weights.of(array, slot);
            double blocks = 0;
            for (size_t k = 0; k < made->blocks.size(); ++k)
                blocks += weights.of(*made, BlockId(k));
            QVERIFY2(std::abs(slots - blocks) <= 1e-9 * blocks, line.c_str());
            QVERIFY(blocks > 0 || made->blocks.size() < 3);
        }
    }
}

void WeightsTest::charactersAndBytesAreExact()
{
    SessionBuilder builder;
    const ThreadIndex thread = builder.addThread(ThreadKind::Main);
    MessageDraft draft;
    draft.blocks = { builder.makeBlock(BlockKind::Text, builder.ownedBody("a😀é", "test")),
        builder.makeBlock(BlockKind::ToolCall, {}, builder.intern("read")) };
    builder.addMessage(thread, draft);
    const SessionPtr made = builder.finish();

    const Weights characters(roughTokens(*made), WeightUnit::Characters);
    QCOMPARE(characters.of(*made, BlockId(0)), 3.0);
    QCOMPARE(characters.of(*made, BlockId(1)), 4.0);
    QCOMPARE(characters.basis(), Basis::Exact);
    QCOMPARE(characters.shown(14521), std::string("14,521"));
    QCOMPARE(characters.unitName(), std::string_view("characters"));
    const Weights bytes(roughTokens(*made), WeightUnit::Bytes);
    QCOMPARE(bytes.of(*made, BlockId(0)), 7.0);
    QCOMPARE(bytes.unitName(), std::string_view("bytes"));
    const Weights tokens(roughTokens(*made), WeightUnit::Tokens);
    QCOMPARE(tokens.basis(), Basis::Estimated);
    QCOMPARE(tokens.shown(14521), std::string("~14.5k"));
    QCOMPARE(tokens.unitName(), std::string_view("tokens"));
    QCOMPARE(Weights().of(*made, BlockId(0)), 0.0);
}

void WeightsTest::preludeIsWhatTheFirstCallHadBeyondItsArray()
{
    Recording recording;
    const BlockRange user = recording.add(Role::User, 100);
    const BlockRange model = recording.add(Role::Assistant, 50);
    recording.call({ user }, 0); // failed: no usage
    recording.call({ user }, 18'100);
    recording.call({ user, model }, 18'170);
    const SessionPtr made = recording.builder.finish();
    const BlockTokens tokens = oneTokenACharacter(*made);
    for (const uint32_t call : { 0U, 1U, 2U }) {
        const Unlogged unlogged = unloggedAt(*made, { ThreadIndex(0), CallIndex(call) }, tokens);
        QCOMPARE(unlogged.prelude, 18'000.0);
        QCOMPARE(unlogged.remainder, 0.0);
        QCOMPARE(unlogged.recorded, call == 0 ? 0.0 : call == 1 ? 18'100.0 : 18'170.0);
    }
    const Unlogged end = unloggedAt(*made, {}, tokens);
    QCOMPARE(end.prelude, 18'000.0);
    QCOMPARE(end.recorded, 0.0);
}

void WeightsTest::aRecordedPreludeIsNotCountedTwice()
{
    Recording recording;
    const BlockRange system = recording.add(Role::System, 4000);
    const BlockRange user = recording.add(Role::User, 100);
    const BlockRange summary = recording.add(Role::User, 300);
    const CallIndex first = recording.call({ user }, 4500);
    recording.call({ summary }, 9300);
    for (Call &call : recording.builder.thread(recording.thread).calls)
        call.prelude = system;
    recording.compaction(CompactionKind::Summary, first);
    const SessionPtr made = recording.builder.finish();
    const BlockTokens tokens = oneTokenACharacter(*made);
    const Unlogged before = unloggedAt(*made, { ThreadIndex(0), CallIndex(0) }, tokens);
    QCOMPARE(before.prelude, 0.0);
    QCOMPARE(before.remainder, 0.0);
    const Unlogged after = unloggedAt(*made, { ThreadIndex(0), CallIndex(1) }, tokens);
    QCOMPARE(after.prelude, 0.0);
    QCOMPARE(after.remainder, 5000.0);
}

void WeightsTest::aCompactionPutsSomethingBack()
{
    Recording recording;
    const BlockRange user = recording.add(Role::User, 1000);
    const BlockRange model = recording.add(Role::Assistant, 2000);
    const BlockRange summary = recording.add(Role::User, 500);
    const BlockRange more = recording.add(Role::User, 40);
    recording.call({ user }, 11'000);                                    // 0: prelude 10,000
    const CallIndex last = recording.call({ user, model }, 13'000);      // 1
    recording.call({ summary }, 0);                                      // 2: no usage
    recording.call({ summary, more }, 31'540);                           // 3: 21,000 beyond prelude and array
    const CallIndex cleared = recording.call({ summary, more }, 90'000); // 4: something else grew: not looked at
    recording.call({ more }, 50'040);                                    // 5: after a clearing: nothing new
    const CallIndex final = recording.call({ more }, 50'040);            // 6
    recording.call({ summary }, 12'500);                                 // 7: 2,000 beyond
    recording.compaction(CompactionKind::Summary, last);
    recording.compaction(CompactionKind::Clearing, cleared);
    recording.compaction(CompactionKind::Rollback, cleared);
    recording.compaction(CompactionKind::Replacement, final);
    const SessionPtr made = recording.builder.finish();
    const BlockTokens tokens = oneTokenACharacter(*made);
    const std::vector<double> expected { 0, 0, 21'000, 21'000, 21'000, 21'000, 21'000, 2000 };
    for (size_t i = 0; i < expected.size(); ++i) {
        const Unlogged unlogged = unloggedAt(*made, { ThreadIndex(0), CallIndex(i) }, tokens);
        QCOMPARE(unlogged.prelude, 10'000.0);
        QCOMPARE(unlogged.remainder, expected[i]);
    }
    QCOMPARE(unloggedAt(*made, {}, tokens).remainder, 2000.0);
}

/// Of a session that was resumed the first call had more beside its array than prompt and tools.
void WeightsTest::thePreludeShrinksBehindACompaction()
{
    Recording recording;
    const BlockRange user = recording.add(Role::User, 1000);
    const BlockRange summary = recording.add(Role::User, 500);
    const BlockRange other = recording.add(Role::User, 600);
    const CallIndex first = recording.call({ user }, 91'000);
    const CallIndex second = recording.call({ summary }, 30'500);
    recording.call({ other }, 40'600);
    recording.compaction(CompactionKind::Summary, first);
    recording.compaction(CompactionKind::Summary, second);
    const SessionPtr made = recording.builder.finish();
    const BlockTokens tokens = oneTokenACharacter(*made);
    const std::vector<double> expected { 90'000, 30'000, 40'000 };
    for (size_t i = 0; i < expected.size(); ++i) {
        const Unlogged unlogged = unloggedAt(*made, { ThreadIndex(0), CallIndex(i) }, tokens);
        QCOMPARE(unlogged.prelude, expected[i]);
        QCOMPARE(unlogged.remainder, 0.0);
    }
}

void WeightsTest::unloggedIsNeverNegative()
{
    Recording recording;
    const BlockRange user = recording.add(Role::User, 1000);
    const BlockRange summary = recording.add(Role::User, 500);
    const CallIndex first = recording.call({ user }, 700);
    recording.call({ summary }, 200);
    recording.compaction(CompactionKind::Summary, first);
    const SessionPtr made = recording.builder.finish();
    const BlockTokens tokens = oneTokenACharacter(*made);
    const Unlogged unlogged = unloggedAt(*made, { ThreadIndex(0), CallIndex(1) }, tokens);
    QCOMPARE(unlogged.prelude, 0.0);
    QCOMPARE(unlogged.remainder, 0.0);
    QCOMPARE(unlogged.recorded, 200.0);
}

void WeightsTest::withoutUsageNothingIsUnlogged()
{
    const SessionPtr made = session("u:10 a:200 t:5000 a:70");
    const Unlogged unlogged = unloggedAt(*made, { ThreadIndex(0), CallIndex(1) }, oneTokenACharacter(*made));
    QCOMPARE(unlogged.prelude, 0.0);
    QCOMPARE(unlogged.remainder, 0.0);
    QCOMPARE(unlogged.recorded, 0.0);
}

PALIMPSEST_TEST(WeightsTest)
#include "tst_weights.moc"
