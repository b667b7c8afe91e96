// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/model_family.h"
#include "core/tokens/weights.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <numeric>

using namespace core;

Q_DECLARE_METATYPE(core::TokenizerFamily)
Q_DECLARE_METATYPE(core::TokenFigure)

/// Weights of blocks and slots, how they are written, and what usage proves beyond them.
class WeightsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sessionsInOneLineHoldWhatTheLineSays();
    void resultsAreTiedToCalls();
    void aBadLineIsRefused();
    void aFigureShowsItsBasis_data();
    void aFigureShowsItsBasis();
    void aShortFigureHasItsSignFirst();
    void nothingOfWhatCannotBeCountedIsNoCount();
    void modelsHaveTheirTokenizer_data();
    void modelsHaveTheirTokenizer();
    void roughTokensComeFromLengths();
    void whatIsNoTextIsAssumed();
    void weightsAddUp();
    void charactersAndBytesAreExact();
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
    row("estimated, negative: the sign first, and a space", { -389, Basis::Estimated, 0 }, "\u2212\u00a0~389");
    row("exact, negative", { -1389, Basis::Exact, 0 }, "\u22121,389");
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

void WeightsTest::aShortFigureHasItsSignFirst()
{
    QCOMPARE(shownShort({ -176'233, Basis::Estimated, 0 }), std::string("\u2212\u00a0~176k"));
    QCOMPARE(shownShort({ -176'233, Basis::Exact, 0 }), std::string("\u2212176k"));
}

void WeightsTest::nothingOfWhatCannotBeCountedIsNoCount()
{
    auto table = std::make_shared<BlockTokens>();
    table->tokens = { 0, 0 };
    table->isExact = { false, true };
    const Weights weights(table, WeightUnit::Tokens);
    const std::array hidden { BlockId(0U) };
    const std::array counted { BlockId(1U) };
    QCOMPARE(weights.shown(0, hidden), std::string("~0"));
    QCOMPARE(weights.shown(0, counted), std::string("0"));
    QCOMPARE(weights.shown(0), std::string("0")); // a sum of nothing
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

PALIMPSEST_TEST(WeightsTest)
#include "tst_weights.moc"
