// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/compaction.h"
#include "core/replay/extra_calls.h"
#include "core/replay/replay_figures.h"
#include "core/tokens/weights.h"
#include "tests/claude_log.h"
#include "tests/policy_with.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <format>

using namespace core;

namespace {

constexpr double kEntry = 70;

PolicyPtr logPolicy(testing::Settings settings)
{
    settings.insert(settings.begin(), { { "trigger", "10tok" }, { "keep", "0msg" } });
    return testing::policyWith("claw-log", settings);
}

Compaction compacted(const SessionPtr &session, const PolicyPtr &policy)
{
    return compact(Transcript(session, session->threads.front().end), policy, *roughTokens(*session));
}

/// The texts that the policy put in, in order.
std::vector<std::string> addedTexts(const Compaction &compaction)
{
    std::vector<std::string> texts;
    const auto blocks = compaction.after.blocks();
    for (size_t i = 0; i < blocks.size(); ++i) {
        if (!compaction.origins[i].isValid())
            texts.push_back(compaction.after.session()->text(compaction.after.block(blocks[i]).body));
    }
    return texts;
}

testing::ClaudeLog threeTurns()
{
    testing::ClaudeLog log;
    log.typed("Mend the parser. Never touch vendor/.");
    log.read("/work/a.cpp", "int a;");
    log.edit("/work/a.cpp", "int a;", "int b;");
    log.answered("Done.");
    log.typed("Now run the tests.");
    log.call("Bash", { { "command", "make test" } });
    log.result("2 failed", true);
    log.answered("They fail.");
    log.typed("Why?");
    log.answered("A typo.");
    return log;
}

ReplayPtr replayed(const SessionPtr &session, const PolicyPtr &policy)
{
    return replay(replayGround(session, ThreadIndex(0U), roughTokens(*session)), policy);
}

bool isNear(double a, double b) { return std::abs(a - b) < 1e-9; }

/// Two calls of 10,000 and 11,000 tokens. Before the second a model wrote an entry.
ReplayCost costOfEntry(std::string_view model, double prompt)
{
    constexpr Price kPrice { 5, 25, 0.5, 6.25, 10 };
    CostGround ground;
    ground.rules = cacheRules(model);
    auto row = std::make_shared<PriceRow>();
    row->tiers.push_back({ 0, kPrice });
    for (int i = 0; i < 2; ++i)
        ground.calls.push_back({ .prices = row, .sent = {}, .responding = {} });
    RunCosting costing(ground);
    costing.add({ .tokens = prompt, .arrayTokens = prompt, .blocks = 3 });
    costing.add({ .tokens = prompt + 1000,
        .arrayTokens = prompt + 1000,
        .unchanged = prompt,
        .logEntry = 150,
        .logRequest = 100,
        .blocks = 5 });
    return costing.finish();
}

} // namespace

class LogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEntryListsMessagesAndDeeds();
    void whatTheLogDoesNotCoverStays();
    void anEntryHasALimit();
    void tasksStandBesideTheLog();
    void aLogGrowsFromCompactionToCompaction();
    void anEntryKeepsResultsWithTheirCalls();
    void aModelIsPaidForItsEntries_data();
    void aModelIsPaidForItsEntries();
    void entriesArePaidOnceAndTheLogIsNot();
    void theUserWaitsForSummariesOnly();
    void anAnswerEndsWithItsLastRecord();
    void withoutTimesNothingIsSaidOfWaiting();
};

void LogTest::anEntryListsMessagesAndDeeds()
{
    const Compaction compaction = compacted(threeTurns().load(), logPolicy({ { "counts", "turns" }, { "n", "1" } }));
    QCOMPARE(addedTexts(compaction),
        std::vector<std::string> { "[Log of the harness. It replaces the messages before this one]\n\n"
                                   "- user: Mend the parser. Never touch vendor/.\n- read /work/a.cpp\n- edited "
                                   "/work/a.cpp\n\n- user: Now run the tests.\n- ran make test: failed\n" });
    QVERIFY(compaction.validity.empty());
    const Compaction other
        = compacted(threeTurns().load(), logPolicy({ { "counts", "turns" }, { "n", "1" }, { "typed", "off" } }));
    QVERIFY(!addedTexts(other).front().contains("user:"));
}

void LogTest::whatTheLogDoesNotCoverStays()
{
    const SessionPtr made = threeTurns().load();
    // Two turns and the beginning of a third: with n = 2 the log covers two, with n = 3 none.
    const Compaction two = compacted(made, logPolicy({ { "counts", "turns" }, { "n", "2" } }));
    QCOMPARE(two.after.blocks().size(), size_t(3)); // the log, the question, the answer
    const Compaction three = compacted(made, logPolicy({ { "counts", "turns" }, { "n", "3" } }));
    QVERIFY(three.changesNothing() && !three.hasFired && three.isTriggerReached);
    // Six calls: with an entry every two, the last entry ends before the fifth.
    const Compaction calls = compacted(made, logPolicy({ { "counts", "calls" }, { "n", "2" } }));
    QCOMPARE(calls.after.blocks().size(), size_t(4)); // the log, an answer, the question, an answer
}

void LogTest::anEntryHasALimit()
{
    testing::ClaudeLog log;
    log.typed("Read.");
    for (int i = 0; i < 20; ++i)
        log.read(std::format("/work/{}.cpp", i), "int a;");
    log.answered("Read.");
    log.typed("Go on.");
    log.answered("Done.");
    const Compaction compaction
        = compacted(log.load(), logPolicy({ { "counts", "turns" }, { "n", "1" }, { "log.entry", "50" } }));
    QCOMPARE(addedTexts(compaction).front().substr(62 + 2),
        std::string("- user: Read.\n- read /work/0.cpp\n- and 19 more deeds\n"));
}

void LogTest::tasksStandBesideTheLog()
{
    testing::ClaudeLog log;
    log.typed("Plan.");
    const auto todos = [](const char *first) {
        return testing::ClaudeLog::Json { { "todos",
            { { { "content", "read" }, { "status", first } }, { { "content", "mend" }, { "status", "pending" } } } } };
    };
    log.call("TodoWrite", todos("pending"));
    log.result("ok");
    log.call("TodoWrite", todos("completed"));
    log.result("ok");
    log.answered("Planned.");
    log.typed("Go on.");
    log.answered("Done.");
    const testing::Settings settings { { "counts", "turns" }, { "n", "1" } };
    const auto texts = addedTexts(compacted(log.load(), logPolicy(settings)));
    QCOMPARE(texts.size(), size_t(2));
    QCOMPARE(texts.back(), std::string("[Open tasks, from the harness]\n- mend"));
    testing::Settings without = settings;
    without.emplace_back("tasks", "off");
    QCOMPARE(addedTexts(compacted(log.load(), logPolicy(without))).size(), size_t(1));
}

void LogTest::aLogGrowsFromCompactionToCompaction()
{
    testing::ClaudeLog log;
    log.typed("Plan.");
    log.call("TodoWrite", { { "todos", { { { "content", "mend" }, { "status", "pending" } } } } });
    log.result("ok");
    log.answered("Planned.");
    for (int i = 1; i <= 4; ++i) {
        log.typed(std::format("Task {}.", i));
        log.read(std::format("/work/{}.cpp", i), "int a;");
        log.answered("Read.");
    }
    const ReplayPtr run = replayed(log.load(), logPolicy({ { "counts", "turns" }, { "n", "1" } }));
    std::string text;
    std::string tasks;
    run->spans.end.forEach([&](BlockId id) {
        const Block &block = run->spans.session->block(id);
        if (block.is(BlockFlag::Summary))
            text += run->spans.session->text(block.body);
        if (block.is(BlockFlag::Injected))
            tasks += run->spans.session->text(block.body);
    });
    QCOMPARE(text,
        std::string("[Log of the harness. It replaces the messages before this one]\n\n- user: Plan.\n- called "
                    "TodoWrite\n\n- user: Task 1.\n- read /work/1.cpp\n\n- user: Task 2.\n- read /work/2.cpp\n\n- "
                    "user: Task 3.\n- read /work/3.cpp\n"));
    QCOMPARE(tasks, std::string("[Open tasks, from the harness]\n- mend"));
}

void LogTest::anEntryKeepsResultsWithTheirCalls()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr drawn = session(randomLine(random, 60));
        const char *const counts = random() % 2 == 0 ? "turns" : "calls";
        const ReplayPtr run
            = replayed(drawn, logPolicy({ { "counts", counts }, { "n", std::to_string(1 + random() % 4) } }));
        const ReplayPtr none = replayed(drawn, preset("none"));
        QVERIFY(run->torn() <= none->torn());
    }
}

void LogTest::aModelIsPaidForItsEntries_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<double>("prompt");
    QTest::addColumn<double>("read");
    QTest::newRow("the prompt is in the cache") << QStringLiteral("claude-opus-4-5") << 10'000.0 << 10'000.0;
    QTest::newRow("too short for the cache") << QStringLiteral("claude-opus-4-5") << 3'000.0 << 0.0;
    QTest::newRow("whole steps of 128 tokens") << QStringLiteral("gpt-5") << 10'000.0 << 9'984.0;
    QTest::newRow("no model of the cache") << QStringLiteral("gemini-3") << 10'000.0 << 0.0;
}

void LogTest::aModelIsPaidForItsEntries()
{
    QFETCH(const QString, model);
    QFETCH(const double, prompt);
    QFETCH(const double, read);
    const ReplayCost cost = costOfEntry(model.toStdString(), prompt);
    const ExtraCalls entries = extraCalls(cost, ExtraCall::LogEntry);
    QCOMPARE(entries.count, size_t(1));
    QCOMPARE(extraCalls(cost, ExtraCall::Summary).count, size_t(0));
    QCOMPARE(entries.tokens.cacheRead, read);
    QCOMPARE(entries.tokens.input, prompt - read + 100);
    QCOMPARE(entries.tokens.output, 150.0);
    const double dollars = (read * 0.5 + (prompt - read + 100) * 5 + 150 * 25) / 1e6;
    QVERIFY(isNear(entries.cost.value_or(0), dollars));
    QVERIFY(isNear(cost.parts.summaries, dollars));
}

void LogTest::entriesArePaidOnceAndTheLogIsNot()
{
    std::mt19937_64 random = seededRandom();
    size_t swaps = 0;
    for (int i = 0; i < caseCount(20); ++i) {
        const SessionPtr drawn = session(randomLine(random, 60));
        const auto ground = replayGround(drawn, ThreadIndex(0U), roughTokens(*drawn));
        const auto recorded = recordedFigures(ground, Prices::bundled());
        testing::Settings settings { { "counts", random() % 2 == 0 ? "turns" : "calls" },
            { "n", std::to_string(1 + random() % 3) }, { "entry-tokens", std::to_string(static_cast<int>(kEntry)) },
            { "persistence", random() % 2 == 0 ? "view" : "persistent" } };
        const auto own = policyFigures(replay(ground, logPolicy(settings)), *recorded, nullptr);
        settings.emplace_back("writer", "model");
        const auto asked = policyFigures(replay(ground, logPolicy(settings)), *recorded, nullptr);
        QCOMPARE(extraCalls(own->cost, ExtraCall::LogEntry).count, size_t(0));
        QCOMPARE(extraCalls(own->cost, ExtraCall::Summary).count, size_t(0));
        QCOMPARE(extraCalls(asked->cost, ExtraCall::Summary).count, size_t(0));
        double written = 0;
        size_t count = 0;
        for (size_t k = 0; k < asked->replay->callCount(); ++k) {
            const ReplayStep &step = asked->replay->steps[k];
            written += step.logEntry;
            count += step.logEntry > 0 ? 1 : 0;
            // A log of whole entries, each of which was written before.
            if (step.writtenSummary > 0) {
                ++swaps;
                QVERIFY(step.isLog);
                QVERIFY(isNear(std::remainder(step.writtenSummary, kEntry), 0));
            }
        }
        QCOMPARE(extraCalls(asked->cost, ExtraCall::LogEntry).count, count);
        QVERIFY(isNear(extraCalls(asked->cost, ExtraCall::LogEntry).tokens.output, written));
    }
    QVERIFY(swaps > 0);
}

void LogTest::theUserWaitsForSummariesOnly()
{
    testing::ClaudeLog log;
    for (const auto &[tokens, minutes] : { std::pair { 100U, 0 }, { 600U, 1 }, { 300U, 0 }, { 50U, 0 } }) {
        log.typed(std::string(4000, 'x'));
        log.wait(minutes);
        log.setUsage(0, 0, 1000, tokens);
        log.answered("Done.");
    }
    log.typed("Go on.");
    const auto ground = replayGround(log.load(), ThreadIndex(0U), roughTokens(*log.load()));
    const auto recorded = recordedFigures(ground, Prices::bundled());
    // 100 tokens in a second, 600 in a minute, 300 in a second; 50 are too few.
    QCOMPARE(recorded->speed.calls, size_t(3));
    QVERIFY(isNear(recorded->speed.tokensPerSecond, 100));
    const testing::Settings limits { { "trigger", "1000tok" }, { "keep", "1msg" } };
    const auto summary = policyFigures(
        replay(ground, testing::policyWith("claw-summary", { limits[0], limits[1], { "summary.tokens", "500" } })),
        *recorded, nullptr);
    const ExtraCalls extra = extraCalls(summary->cost, ExtraCall::Summary);
    QCOMPARE(extra.tokens.output, 500.0 * static_cast<double>(extra.count));
    QVERIFY(extra.count > 1);
    const auto sentences = extraCallSentences(*summary, recorded->speed);
    QCOMPARE(sentences.size(), size_t(1));
    QVERIFY2(sentences.front().ends_with(std::format("The user waits ~{} s in all, ~5.0 s for each: 100.0 tokens a "
                                                     "second, the median of 3 recorded calls",
                 extra.count * 5)),
        sentences.front().c_str());
    const auto entries = extraCallSentences(
        *policyFigures(
            replay(
                ground, testing::policyWith("claw-log", { limits[0], limits[1], { "n", "1" }, { "writer", "model" } })),
            *recorded, nullptr),
        recorded->speed);
    QCOMPARE(entries.size(), size_t(1));
    QVERIFY(entries.front().ends_with("Nobody waits for them: they run beside the session"));
}

void LogTest::anAnswerEndsWithItsLastRecord()
{
    const SessionPtr session = testing::sound(
        R"({"type":"user","uuid":"1","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}})"
        "\n"
        R"({"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","timestamp":"2026-01-01T00:00:04Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Reading."}],"usage":{"input_tokens":9,"output_tokens":200}}})"
        "\n"
        R"({"type":"assistant","uuid":"3","parentUuid":"2","sessionId":"s","timestamp":"2026-01-01T00:00:10Z","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Read","input":{}}],"usage":{"input_tokens":9,"output_tokens":200}}})"
        "\n");
    const auto ground = replayGround(session, ThreadIndex(0U), roughTokens(*session));
    QCOMPARE(outputSpeed(*ground).calls, size_t(1));
    QCOMPARE(outputSpeed(*ground).tokensPerSecond, 20.0);
}

void LogTest::withoutTimesNothingIsSaidOfWaiting()
{
    const OutputSpeed none;
    QVERIFY(!none.secondsFor(1000));
    testing::ClaudeLog log;
    for (int i = 0; i < 5; ++i) {
        log.typed(std::string(4000, 'x'));
        log.answered("Done.");
    }
    const auto ground = replayGround(log.load(), ThreadIndex(0U), roughTokens(*log.load()));
    const auto recorded = recordedFigures(ground, Prices::bundled());
    QCOMPARE(recorded->speed.calls, size_t(0)); // answers of 5 tokens
    const auto summary = policyFigures(
        replay(ground, testing::policyWith("claw-summary", { { "trigger", "1000tok" }, { "keep", "1msg" } })),
        *recorded, nullptr);
    QVERIFY(extraCallSentences(*summary, recorded->speed)
            .front()
            .ends_with("How long the user waits is not known: the session records no time for an answer of 100 tokens "
                       "or more"));
}

PALIMPSEST_TEST(LogTest)
#include "tst_log.moc"
