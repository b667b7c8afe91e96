// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy.h"
#include "core/formats/reading/format.h"
#include "core/replay/replay_figures.h"
#include "core/tokens/counted_tokens.h"
#include "core/tokens/weights.h"
#include "tests/claude_log.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <format>
#include <random>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

const ThreadIndex kMain(0U);

struct Setting {
    std::string_view key;
    std::string_view value;
};

PolicyPtr policy(std::string_view id, std::initializer_list<Setting> settings = {})
{
    Policy changed = *preset(id);
    for (const Setting &each : settings) {
        const auto made = withSetting(changed, each.key, each.value);
        if (!made)
            qFatal("%s", made.error().message.c_str());
        changed = *made;
    }
    return std::make_shared<const Policy>(std::move(changed));
}

/// A preset with limits drawn at random, from far below what sessions hold to about that.
std::pair<std::string, PolicyPtr> drawnPolicy(std::mt19937_64 &random)
{
    const auto &all = presets();
    Policy drawn = *all[random() % all.size()];
    std::string name = drawn.id;
    const auto set = [&](std::string_view key, const std::string &value) {
        if (auto made = withSetting(drawn, key, value)) {
            drawn = std::move(*made);
            name += std::format(" {}={}", key, value);
        }
    };
    const auto tokens = [&](double least, double most) {
        const double share = static_cast<double>(random() % 1000) / 1000;
        return std::format("{:.0f}tok", least * std::pow(most / least, share));
    };
    set("persistence", random() % 2 == 0 ? "view" : "persistent");
    set("trigger", tokens(500, 100'000));
    if (drawn.keep.measure.unit == Measure::Unit::Results)
        set("keep", std::format("{}results", random() % 12));
    else
        set("keep", random() % 3 == 0 ? std::format("{}msg", random() % 12) : tokens(200, 30'000));
    const std::string cap = std::to_string(100 + random() % 5000);
    set("offload-results.cap", cap);
    set("truncate-results.cap", cap);
    set("user-messages", std::to_string(random() % 3 * 400));
    set("user-messages-first", random() % 2 == 0 ? "newest" : "constraints");
    set("at-least", std::to_string(random() % 2 * 3000));
    set("inputs", random() % 2 == 0 ? "on" : "off");
    set("log.n", std::to_string(1 + random() % 5));
    set("counts", random() % 2 == 0 ? "turns" : "calls");
    set("writer", random() % 2 == 0 ? "harness" : "model");
    return { name, std::make_shared<const Policy>(std::move(drawn)) };
}

/// Every preset as it is, and with limits so low that it acts in small sessions, kept and shown.
std::vector<std::pair<std::string, PolicyPtr>> policies()
{
    std::vector<std::pair<std::string, PolicyPtr>> all;
    for (const PolicyPtr &each : presets()) {
        all.emplace_back(each->id, each);
        for (const std::string_view persistence : { "view", "persistent" }) {
            Policy changed = *withSetting(*each, "persistence", persistence);
            changed = *withSetting(changed, "trigger", "4000tok");
            if (each->keep.measure.unit != Measure::Unit::Results)
                changed = *withSetting(changed, "keep", "1500tok");
            for (const auto &[key, value] : { Setting { "offload-results.cap", "300" },
                     Setting { "truncate-results.cap", "300" }, Setting { "user-messages", "500" } }) {
                if (auto made = withSetting(changed, key, value))
                    changed = std::move(*made);
            }
            all.emplace_back(each->id + " low " + std::string(persistence), std::make_shared<const Policy>(changed));
        }
    }
    return all;
}

std::string words(const ReplayStep &step)
{
    return std::format("prompt {:.3f} array {:.3f} unchanged {:.3f} summary {:.3f} messages {} blocks {} fresh {:.3f} "
                       "lost {} changed {} {}{}{} {}",
        step.tokens, step.arrayTokens, step.unchangedTokens, step.writtenSummary, step.messageCount, step.blockCount,
        step.freshTokens, step.lostBytes, step.changedBlocks, step.isTorn ? "torn " : "", step.hasFired ? "fired" : "",
        step.isCounterfactual ? " counterfactual" : "", step.decision.sentence());
}

/// The first step in which two replays differ, in words; empty if there is none.
std::string difference(const Replay &one, const Replay &other)
{
    for (size_t i = 0; i < one.steps.size(); ++i) {
        if (words(one.steps[i]) != words(other.steps[i]))
            return std::format(
                "step {} of {}: {} | {}", i, one.steps.size(), words(one.steps[i]), words(other.steps[i]));
    }
    return {};
}

/// Where recorded blocks stood: what was made of them is numbered otherwise.
std::vector<ContextSpan> recordedPart(const Replay &replay)
{
    std::vector<ContextSpan> recorded;
    const size_t count = replay.ground->session().blocks.size();
    std::ranges::copy_if(replay.spans.spans, std::back_inserter(recorded),
        [&](const ContextSpan &span) { return span.block.index() < count; });
    return recorded;
}

} // namespace

class ReplayTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void logUndoesCompactions();
    void logHoldsWhatNoCallWasSentBeforeACompaction();
    void logTakesBackWhatThePersonTookBack();
    void withoutStagesThePromptIsTheRecordedOne();
    void whatAPolicyDidIsTold_data();
    void whatAPolicyDidIsTold();
    void thePreludeStandsAtTheEnd();
    void aViewSummarisesAnewAtEveryCall();
    void theMovingKeepWindowOfTheRecipeChangesTheBeginning();
    void anAssumedSummaryIsTheMedianOfTheRecordedOnes();
    void aCompactionThatTheAgentAsksForIsOneOfTheReplay();
    void whatIsClippedOfASummaryIsNotLost();
    void theWholePromptIsCounted();
    void theArrayOfTheOwnRunIsThatOfTheReplay();
    void overridesHold();
    void aProviderRefusesPromptsAboveTheWindow();
    void textsByHandHold();
    void corpusEqualsScratch_data();
    void corpusEqualsScratch();
};

void ReplayTest::aProviderRefusesPromptsAboveTheWindow()
{
    // A recorded summary keeps the prompts below the window; without it some are above.
    std::string body;
    for (int i = 0; i < 25'000; ++i)
        body += std::to_string(i * 7919) + (i % 10 == 9 ? "\n" : " ");
    testing::ClaudeLog log;
    log.setUsage(0, 0, 1'000);
    log.typed("the task");
    log.read("/work/a.txt", body);
    log.setUsage(0, 0, 150'000);
    log.read("/work/b.txt", body + "end");
    log.compact("all is well");
    log.setUsage(0, 0, 2'000);
    for (int i = 0; i < 3; ++i)
        log.read("/work/c.txt", "short");
    const SessionPtr session = log.load();
    QVERIFY(session->windowTokens == 200'000U);
    const auto ground = replayGround(session, ThreadIndex(0U), countedTokens(*session, 1, nullptr));
    const RefusedCalls refused = refusedCalls(*replay(ground, preset("none")));
    std::vector<uint32_t> expected;
    const ReplayPtr made = replay(ground, preset("none"));
    for (uint32_t i = 0; i < made->callCount(); ++i) {
        if (made->steps[i].isCounterfactual && made->steps[i].tokens > 200'000)
            expected.push_back(i);
    }
    QVERIFY(!expected.empty());
    QCOMPARE(refused.aboveWindow, expected);
    QVERIFY(
        refusalSentence(refused).starts_with("a provider would refuse " + std::to_string(expected.size()) + " call"));
}

void ReplayTest::logUndoesCompactions()
{
    RecordedSession recorded;
    const MessageId task = recorded.typed("the task");
    recorded.use("Read", "a.py");
    const MessageId body = recorded.result(500);
    recorded.reply("done");
    recorded.clear();
    recorded.reply("cleared");
    recorded.summarise(100);
    recorded.injected("the harness puts a file back");
    const MessageId next = recorded.typed("go on");
    recorded.reply("yes");
    const SessionPtr session = recorded.finish();
    const AppendLog log = appendLog(session, kMain);
    QCOMPARE(log.callCount(), size_t(4));
    QCOMPARE(log.firstCounterfactual, 2U);
    const auto blocksOf = [&](MessageId id) { return session->message(id).first; };
    QCOMPARE(
        log.arrayAt(1), (std::vector<BlockId> { blocksOf(task), BlockId(blocksOf(task).value() + 1), blocksOf(body) }));
    const std::vector<BlockId> last = log.arrayAt(4);
    QVERIFY(std::ranges::find(last, blocksOf(body)) != last.end());
    QVERIFY(std::ranges::find(last, blocksOf(next)) != last.end());
    for (const BlockId id : last) {
        const Block &block = session->block(id);
        QVERIFY(!block.is(BlockFlag::Summary) && !block.is(BlockFlag::Stub) && !block.is(BlockFlag::Injected));
    }
    QVERIFY(std::ranges::is_sorted(last));
}

void ReplayTest::logHoldsWhatNoCallWasSentBeforeACompaction()
{
    RecordedSession recorded;
    recorded.typed("the task");
    recorded.use("Read", "a.py");
    const BlockId result = recorded.builder().session().message(recorded.result(500)).first;
    const BlockId typed = recorded.builder().session().message(recorded.typed("and mind the tests")).first;
    recorded.summarise(100);
    recorded.reply("yes");
    const SessionPtr session = recorded.finish();
    const std::vector<BlockId> last = appendLog(session, kMain).arrayAt(1);
    QCOMPARE(last.size(), size_t(4)); // the task, the call, its result, what was typed
    QCOMPARE(last[2], result);
    QCOMPARE(last[3], typed);
}

void ReplayTest::logTakesBackWhatThePersonTookBack()
{
    RecordedSession recorded;
    recorded.typed("one");
    recorded.reply("first");
    const MessageId wrong = recorded.typed("wrong");
    recorded.reply("second");
    recorded.rollBack(2);
    recorded.typed("right");
    recorded.reply("third");
    const SessionPtr session = recorded.finish();
    const AppendLog log = appendLog(session, kMain);
    QCOMPARE(log.steps[1].kept, 1U);
    QCOMPARE(log.steps[2].kept, 2U);
    const std::vector<BlockId> last = log.arrayAt(3);
    QVERIFY(std::ranges::find(last, session->message(wrong).first) == last.end());
    QCOMPARE(last.size(), size_t(4));
}

namespace {

ReplayPtr replayed(const SessionPtr &session, const PolicyPtr &policy)
{
    return replay(replayGround(session, kMain, roughTokens(*session)), policy);
}

} // namespace

void ReplayTest::withoutStagesThePromptIsTheRecordedOne()
{
    const SessionPtr session = heavySession(5);
    const ReplayPtr none = replayed(session, preset("none"));
    QCOMPARE(none->callCount(), size_t(6));
    for (size_t i = 0; i < none->callCount(); ++i)
        QCOMPARE(none->steps[i].tokens, none->ground->recorded[i]);
    // An array that only grows stays the same to its end.
    for (size_t i = 1; i < none->callCount(); ++i)
        QCOMPARE(none->steps[i].unchangedTokens, none->steps[i - 1].arrayTokens);
    QCOMPARE(none->recordedWorld.calls, size_t(6));
    QCOMPARE(none->counterfactual.calls, size_t(0));
}

void ReplayTest::whatAPolicyDidIsTold_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("decision"); // before call 3
    QTest::addColumn<int>("compactions");
    const auto row = [](const char *name, const char *id, const char *key, const char *value, const char *sentence,
                         const char *decision, int compactions) {
        QTest::newRow(name) << QString::fromUtf8(id) << QString::fromUtf8(key) << QString::fromUtf8(value)
                            << QString::fromUtf8(sentence) << QString::fromUtf8(decision) << compactions;
    };
    row("no stage", "none", "", "", "changes nothing: no stage is on", "changes nothing: no stage is on", 0);
    row("no trigger, nothing to change", "genkit-recipe-figure", "keep", "1000msg",
        "acts without a trigger: found nothing to change", "no trigger, and nothing new to change", 0);
    row("no trigger, two blocks", "genkit-recipe-figure", "keep", "2msg",
        "acts without a trigger: changed 2 blocks over 2 calls, first at call 2",
        "acted without a trigger: changed 1 block", 2);
    row("a trigger that never fired", "langchain-clear-tool-uses", "trigger", "900000tok",
        "never acts: 3,087 of 900,000 tokens at the last call", "waits: ", 0);
    row("a window that the policy does not have", "deep-agents", "window", "none",
        "never acts: the trigger is a share of the context window, but the policy has no window",
        "waits: the trigger is a share of the context window, but the policy has no window", 0);
}

/// Two results of 6,000 characters and two short turns: nothing is clipped that the last messages are.
void ReplayTest::whatAPolicyDidIsTold()
{
    QFETCH(const QString, id);
    QFETCH(const QString, key);
    QFETCH(const QString, value);
    QFETCH(const QString, sentence);
    QFETCH(const QString, decision);
    QFETCH(const int, compactions);
    RecordedSession recorded;
    recorded.typed("the task");
    for (const char *file : { "a.py", "b.py" }) {
        recorded.use("Read", file);
        recorded.result(6000);
    }
    recorded.reply("done");
    recorded.typed("go on");
    recorded.reply("so be it");
    const std::string name = key.toStdString();
    const std::string set = value.toStdString();
    const PolicyPtr made = key.isEmpty() ? preset(id.toStdString()) : policy(id.toStdString(), { { name, set } });
    const ReplayPtr live = replayed(recorded.finish(), made);
    const QString told = QString::fromStdString(firingSentence(*live));
    QVERIFY2(told.startsWith(sentence), qPrintable(told));
    const QString decided = QString::fromStdString(decisionSentence(*live, 3));
    QVERIFY2(decided.startsWith(decision), qPrintable(decided));
    QCOMPARE(live->compactions(), size_t(compactions));
    size_t counted = 0;
    for (size_t i = 0; i < live->callCount(); ++i)
        counted += live->compactsAt(i) ? 1 : 0;
    QCOMPARE(counted, live->compactions());
}

/// Where nothing was recorded, the recorded prelude is what is sent beside the array: with each call and behind the
/// last.
void ReplayTest::thePreludeStandsAtTheEnd()
{
    const std::string body = R"({"model":"claude-opus-4-5","system":"be brief and say what you did","messages":[)"
                             R"({"role":"user","content":"go"},{"role":"assistant","content":"done"}]})";
    const auto session = loadSession(Source::own(body, "body.json"));
    QVERIFY(session.has_value());
    QVERIFY((*session)->threads.front().prelude.has_value());
    const ReplayPtr none = replayed(*session, preset("none"));
    QVERIFY(none->ground->besides.back() > 0);
    QCOMPARE(none->ground->besides.back(), none->ground->besides[none->callCount() - 1]);
}

// semantics.md X, item 3: above its trigger the recipe as a view summarises (and archives) the same beginning at both
// calls, as a persistent policy at the first one only.
void ReplayTest::aViewSummarisesAnewAtEveryCall()
{
    RecordedSession recorded;
    recorded.typed(std::string(9000, 't')); // 2,250 tokens by the recipe's count
    recorded.reply(std::string(2000, 'a'));
    recorded.typed("use two tools");
    recorded.use("Read", "a.py");
    recorded.result(100);
    recorded.use("Read", "b.py");
    recorded.result(100);
    recorded.reply("done");
    const SessionPtr session = recorded.finish();
    const auto summaries = [&](std::string_view persistence) {
        const ReplayPtr replay = replayed(session,
            policy("genkit-recipe",
                { { "window", "3000tok" }, { "trigger", "1000tok" }, { "keep", "200tok" }, { "clip-texts", "off" },
                    { "summary.text", "a note" }, { "persistence", persistence } }));
        std::vector<bool> written;
        for (size_t i = 0; i < replay->callCount(); ++i)
            written.push_back(replay->steps[i].writtenSummary > 0);
        return written;
    };
    // Nothing is before the keep window at the first call; the second user message and each tool round see it anew.
    QCOMPARE(summaries("view"), (std::vector<bool> { false, true, true, true }));
    QCOMPARE(summaries("persistent"), (std::vector<bool> { false, true, false, false }));
}

// semantics.md A.9: clipping moves on by a message or two a turn, and nothing behind it is what it was.
void ReplayTest::theMovingKeepWindowOfTheRecipeChangesTheBeginning()
{
    const SessionPtr session = heavySession(12);
    const ReplayPtr none = replayed(session, preset("none"));
    const ReplayPtr recipe = replayed(session, preset("genkit-recipe-figure"));
    size_t broken = 0;
    for (size_t i = 1; i < recipe->callCount(); ++i)
        broken += recipe->steps[i].unchangedTokens < recipe->steps[i - 1].arrayTokens ? 1 : 0;
    QVERIFY(broken >= recipe->callCount() - 4);
    for (size_t i = 1; i < none->callCount(); ++i)
        QCOMPARE(none->steps[i].unchangedTokens, none->steps[i - 1].arrayTokens);
}

void ReplayTest::anAssumedSummaryIsTheMedianOfTheRecordedOnes()
{
    RecordedSession recorded;
    recorded.typed("the task");
    for (const size_t size : { 400, 4000, 40000 }) {
        recorded.reply("done");
        recorded.summarise(size);
    }
    recorded.reply("end");
    const SessionPtr session = recorded.finish();
    const BlockTokensPtr tokens = roughTokens(*session);
    const ReplayGroundPtr ground = replayGround(session, kMain, tokens);
    QVERIFY(ground->summary.isMedian);
    QVERIFY(std::abs(ground->summary.tokens - 4000 / 3.45) < 1);
    const ReplayGroundPtr other = replayGround(heavySession(3), kMain, roughTokens(*heavySession(3)));
    QVERIFY(!other->summary.isMedian);
    QCOMPARE(other->summary.tokens, kAssumedSummaryTokens);
    const ReplayPtr replay = replayed(
        heavySession(20), policy("langchain-summarization", { { "trigger", "9000tok" }, { "keep", "3msg" } }));
    QVERIFY(replay->isSummaryAssumed);
    for (const ReplayStep &step : replay->steps)
        QVERIFY(step.writtenSummary == 0 || step.writtenSummary == kAssumedSummaryTokens);
    QVERIFY(replay->compactions() >= 2);
}

/// Deep Agents' `compact_conversation`: what the agent asked for is done at the call behind its answer, if half of the
/// trigger is reached, and only there.
void ReplayTest::aCompactionThatTheAgentAsksForIsOneOfTheReplay()
{
    RecordedSession recorded;
    recorded.typed("the task");
    for (size_t i = 0; i < 12; ++i) {
        const bool isAsked = i == 2 || i == 9;
        recorded.use(isAsked ? "compact_conversation" : "Read", "file " + std::to_string(i), 20, 2000 + i * 1100);
        recorded.result(isAsked ? 20 : 4000);
    }
    recorded.reply("done", 2000 + 12 * 1100);
    const SessionPtr session = recorded.finish();
    const ReplayGroundPtr ground = replayGround(session, kMain, roughTokens(*session));
    const PolicyPtr asked = policy("deep-agents-no-profile", { { "trigger", "20000tok" }, { "keep", "3msg" } });
    const ReplayPtr live = replay(ground, asked);
    for (size_t i = 0; i < live->steps.size(); ++i)
        QCOMPARE(live->steps[i].writtenSummary > 0, i == 10); // behind the answer; at call 3 it was refused
    QCOMPARE(live->compactions(), size_t(1));
    QVERIFY(live->steps[10].tokens < live->steps[9].tokens / 2);
    QVERIFY(difference(*live, *replayFromScratch(ground, asked)).empty());
    const PolicyPtr off = policy(
        "deep-agents-no-profile", { { "trigger", "20000tok" }, { "keep", "3msg" }, { "summarise-when-asked", "off" } });
    const ReplayPtr without = replay(ground, off);
    QVERIFY(std::ranges::all_of(without->steps, [](const ReplayStep &step) { return step.writtenSummary == 0; }));
}

/// The recipe clips its own handoff once that is old. What the handoff stands for is in the archive.
void ReplayTest::whatIsClippedOfASummaryIsNotLost()
{
    RecordedSession recorded;
    for (size_t i = 0; i < 12; ++i) {
        recorded.typed(std::string(400, 't'));
        recorded.reply(std::string(800, 'a'));
    }
    const SessionPtr session = recorded.finish();
    const ReplayGroundPtr ground = replayGround(session, kMain, roughTokens(*session));
    const std::string handoff(3000, 's');
    const PolicyPtr recipe = policy("genkit-recipe",
        { { "persistence", "persistent" }, { "trigger", "1500tok" }, { "keep", "200tok" },
            { "summary.text", handoff } });
    const ReplayPtr live = replay(ground, recipe);
    QVERIFY(live->compactions() >= 1);
    QCOMPARE(difference(*live, *replayFromScratch(ground, recipe)), std::string());
}

/// Anthropic's triggers compare the input tokens of the request, with system prompt and tools.
void ReplayTest::theWholePromptIsCounted()
{
    const SessionPtr session = heavySession(12);
    const ReplayGroundPtr ground = replayGround(session, kMain, roughTokens(*session));
    const ReplayPtr none = replay(ground, preset("none"));
    const PolicyPtr editing = policy("anthropic-context-editing", { { "trigger", "9000tok" } });
    const ReplayPtr live = replay(ground, editing);
    size_t between = 0; // steps at which only the whole prompt is above the trigger
    for (size_t i = 0; i < live->steps.size(); ++i) {
        const double prompt = none->steps[i].tokens;
        QVERIFY(std::abs(live->steps[i].decision.readings.front().value - prompt) < 0.01);
        QCOMPARE(live->steps[i].decision.isReached, prompt > 9000);
        between += prompt > 9000 && none->steps[i].arrayTokens <= 9000 ? 1 : 0;
        const Position position { kMain, i < live->callCount() ? CallIndex(i) : CallIndex() };
        CompactOptions options;
        options.position = position;
        options.sums = ground->sums;
        const Transcript array(session, rangesAt(*session, position));
        QCOMPARE(compact(array, editing, *ground->tokens, options).isTriggerReached, prompt > 9000);
    }
    QVERIFY(between > 0);
    const auto unlike = parsePolicy(
        R"({"schema": "palimpsest.policy/1", "id": "x", "counter": {"kind": "langchain", "prelude": true}, "stages": []})");
    QVERIFY(!unlike && unlike.error().message.contains("counter.prelude"));
}

void ReplayTest::theArrayOfTheOwnRunIsThatOfTheReplay()
{
    std::mt19937_64 random = seededRandom();
    const SessionPtr session = heavySession(20);
    const ReplayGroundPtr ground = replayGround(session, kMain, roughTokens(*session));
    size_t differing = 0;
    for (int round = 0; round < 30; ++round) {
        const auto [name, drawn] = drawnPolicy(random);
        const ReplayPtr live = replay(ground, drawn);
        const size_t step = random() % live->steps.size();
        const Position position { kMain, step < live->callCount() ? CallIndex(step) : CallIndex() };
        const CompactionPtr own = ownArrayAt(ground, drawn, position);
        double tokens = 0;
        for (const BlockId id : own->after.blocks())
            tokens += own->afterTokens->of(id);
        const std::string where = std::format("{} at step {}: {} and {}", name, step, tokens, words(live->steps[step]));
        QVERIFY2(std::abs(tokens - live->steps[step].arrayTokens) < 0.01, where.c_str());
        QVERIFY2(own->after.blocks().size() == live->steps[step].blockCount, where.c_str());
        QCOMPARE(own->before.blocks().size(), Transcript(session, rangesAt(*session, position)).blocks().size());
        differing += own->changesNothing() ? 0 : 1;
    }
    QVERIFY(differing > 5);
}

void ReplayTest::overridesHold()
{
    const SessionPtr session = heavySession(8);
    const ReplayGroundPtr ground = replayGround(session, kMain, roughTokens(*session));
    std::vector<BlockId> results;
    for (uint32_t i = 0; i < session->blocks.size(); ++i) {
        if (session->blocks[i].kind == BlockKind::ToolResult)
            results.emplace_back(i);
    }
    ReplayOptions options;
    options.overrides.keep = { results[0] };
    options.overrides.drop = { results[1] };
    const PolicyPtr clearing = policy("langchain-clear-tool-uses", { { "trigger", "1tok" }, { "keep", "1results" } });
    const ReplayPtr plain = replay(ground, clearing);
    const ReplayPtr held = replay(ground, clearing, options);
    QVERIFY(difference(*held, *replayFromScratch(ground, clearing, options)).empty());
    const double weight = ground->tokens->of(results[0]);
    const double stub = weight - (held->steps.back().arrayTokens - plain->steps.back().arrayTokens);
    QVERIFY(stub > 0 && stub < 20); // one result more, one stub less twice
}

/// An edited text and an inserted one weigh from the first call that holds their block on; the cache reads what stands
/// before them.
void ReplayTest::textsByHandHold()
{
    const SessionPtr session = heavySession(8);
    const ReplayGroundPtr ground = replayGround(session, kMain, roughTokens(*session));
    std::vector<BlockId> results;
    for (uint32_t i = 0; i < session->blocks.size(); ++i) {
        if (session->blocks[i].kind == BlockKind::ToolResult)
            results.emplace_back(i);
    }
    ReplayOptions options;
    options.overrides.replace = { { results[2], "gone" } };
    options.overrides.insert = { { results[4], Role::User, std::string(4000, 'n') } };
    const PolicyPtr none = policy("none", {});
    const ReplayPtr plain = replay(ground, none);
    const ReplayPtr written = replay(ground, none, options);
    QCOMPARE(written->ground, ground);
    const auto stepOf = [&](BlockId id) {
        size_t step = 0;
        while (!std::ranges::contains(ground->log.addedAt(step), id))
            ++step;
        return step;
    };
    const double less = ground->tokens->of(results[2]);
    for (size_t i = 0; i < plain->steps.size(); ++i) {
        const double change = written->steps[i].arrayTokens - plain->steps[i].arrayTokens;
        if (i < stepOf(results[2]))
            QCOMPARE(change, 0.0);
        else if (i < stepOf(results[4]))
            QVERIFY(change < 0 && change > -less);
        else
            QVERIFY(change > -less + 100); // the new text
        QCOMPARE(written->steps[i].blockCount, plain->steps[i].blockCount + (i < stepOf(results[4]) ? 0 : 1));
        QVERIFY(written->steps[i].tokens - written->steps[i].arrayTokens
            == plain->steps[i].tokens - plain->steps[i].arrayTokens);
    }
    for (const PolicyPtr &each : presets())
        QCOMPARE(difference(*replay(ground, each, options), *replayFromScratch(ground, each, options)), std::string());
}

void ReplayTest::corpusEqualsScratch_data() { testing::addCorpusRows(8); }

void ReplayTest::corpusEqualsScratch()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    const auto loaded = loadSession(testing::corpus() / file.toStdString());
    if (!loaded)
        QSKIP("This file cannot be read.");
    const SessionPtr &session = *loaded;
    const BlockTokensPtr tokens = roughTokens(*session);
    const auto memo = std::make_shared<ChangeMemo>(session);
    ReplayOptions options;
    options.memo = memo;
    std::mt19937_64 random = seededRandom();
    for (size_t thread = 0; thread < std::min<size_t>(session->threads.size(), 3); ++thread) {
        const ReplayGroundPtr ground = replayGround(session, ThreadIndex(thread), tokens);
        std::vector<std::pair<std::string, PolicyPtr>> drawn = policies();
        if (!qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES")) {
            std::ranges::shuffle(drawn, random);
            drawn.resize(6);
        }
        for (int i = caseCount(3); i > 0; --i)
            drawn.push_back(drawnPolicy(random));
        for (const auto &[name, policy] : drawn) {
            const ReplayPtr live = replay(ground, policy, options);
            const ReplayPtr scratch = replayFromScratch(ground, policy, options);
            QVERIFY2(difference(*live, *scratch).empty(), (name + ": " + difference(*live, *scratch)).c_str());
            QVERIFY2(recordedPart(*live) == recordedPart(*scratch), name.c_str());
        }
    }
}

PALIMPSEST_TEST(ReplayTest)
#include "tst_replay.moc"
