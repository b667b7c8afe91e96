// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/replay/cost_words.h"
#include "core/report/card.h"
#include "core/report/comparison.h"
#include "core/sweep/sweep_figures.h"
#include "core/tokens/counted_tokens.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <format>
#include <random>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

const ThreadIndex kMain(0U);

enum class Rewriting : uint8_t { None, Compactions };

/// Turns of a person with tool calls; some pauses outlast entries of the cache, some turns are taken back, some calls
/// have no usage. Prompts do not quite go with the array, as in recordings.
SessionPtr drawnSession(std::mt19937_64 &random, Rewriting rewriting)
{
    RecordedSession recorded;
    recorded.typed("the task");
    uint64_t prompt = 9000;
    for (size_t i = 0; i < 60; ++i) {
        if (random() % 9 == 0)
            recorded.typed(std::string(random() % 900, 'u'));
        recorded.use("Read", "file " + std::to_string(random() % 12), 20 + random() % 60,
            random() % 7 == 0 ? 0 : prompt + random() % 400);
        const size_t size = random() % 9000;
        recorded.result(size);
        prompt += size / 4 + 10;
        if (random() % 20 == 0)
            recorded.rollBack(1);
        if (rewriting == Rewriting::None || random() % 15 != 0)
            continue;
        prompt = 9000;
        if (random() % 2 == 0)
            recorded.summarise(4000);
        else
            recorded.clear();
    }
    recorded.reply("done", prompt);
    Timestamp time = 1'700'000'000'000;
    for (Call &call : recorded.builder().thread(kMain).calls) {
        time += random() % 8 == 0 ? 2 * kFiveMinutes : kMinute / 4;
        call.time = time;
        if (call.usage && random() % 5 == 0)
            call.usage = Usage { 1, 0, call.usage->prompt() - 1, 10 }; // the recorded cache was lost
    }
    recorded.builder().session().model = "claude-sonnet-4-5-20250929";
    return recorded.finish();
}

/// A call of 30,000 tokens and one of 31,000 that were billed as told.
SessionPtr twoCalls(const std::optional<Usage> &first, const std::optional<Usage> &second,
    const char *model = "claude-sonnet-4-5-20250929")
{
    RecordedSession recorded;
    recorded.builder().session().model = model;
    recorded.typed(std::string(20'000, 'u'));
    recorded.use("Read", "a file", 20, 30'000);
    recorded.result(400);
    recorded.reply("done", 31'000);
    std::vector<Call> &calls = recorded.builder().thread(kMain).calls;
    calls[0].usage = first;
    calls[1].usage = second;
    return recorded.finish();
}

ReplayReport reportOf(const SessionPtr &session, const BlockTokensPtr &tokens, const std::vector<PolicyPtr> &policies)
{
    return *replayReport("a file", session, kMain, tokens, policies, Prices::bundled());
}
ReplayReport reportOf(const SessionPtr &session, const std::vector<PolicyPtr> &policies = { preset("none") })
{
    return reportOf(session, roughTokens(*session), policies);
}

PolicyPtr policy(std::string_view id, std::string_view trigger, std::string_view keep)
{
    return std::make_shared<const Policy>(*withSetting(*withSetting(*preset(id), "trigger", trigger), "keep", keep));
}

bool isNear(double a, double b) { return std::abs(a - b) < 1e-9; }

bool isNothing(const CostParts &parts)
{
    return parts.resent == 0 && parts.compactionRewrites == 0 && parts.idleRewrites == 0 && parts.summaries == 0
        && parts.refetched == 0;
}

/// What must hold of every report; empty if it does.
std::string faultOf(const ReplayReport &report)
{
    const RecordedFigures &recorded = *report.recorded;
    double computed = 0;
    for (const ReplayCallCost &call : recorded.computed.calls)
        computed += call.cost.value_or(0);
    if (!isNear(computed, recorded.computed.parts.total()))
        return "the calls of the recorded run do not add up to what is computed of it";
    for (const PolicyFiguresPtr &each : report.policies) {
        if (each->cost.isPriced() != recorded.computed.isPriced())
            return "a policy has a price and the recorded run has none, or the other way round";
        if (each->difference.has_value() != (each->cost.isPriced() && recorded.bill.isKnown()))
            return "a difference without a bill, or a bill without a difference";
        if (each->difference
            && !isNear(each->difference->total(), each->cost.parts.total() - recorded.computed.parts.total()))
            return "the parts do not add up to the difference";
        const bool isAsRecorded = each->replay->policy->id == "none"
            && report.ground->log.firstCounterfactual == report.ground->callCount();
        if (isAsRecorded && each->difference && !isNothing(*each->difference))
            return "what was recorded costs something else than what was recorded";
        const double sent = promptSums(*each->replay).sum.value;
        if (isAsRecorded && std::abs(sent - recorded.prompts.computed.sum.value) > 1e-6)
            return "what was recorded has other prompts than what was recorded";
    }
    return {};
}

/// The dollars of a text, signs as they stand.
std::vector<double> amountsIn(const std::string &text)
{
    std::vector<double> amounts;
    const QString words = QString::fromStdString(text);
    static const QRegularExpression kAmount(u"([−+]?)\\$([0-9.]+)"_s);
    for (auto match = kAmount.globalMatch(words); match.hasNext();) {
        const auto found = match.next();
        amounts.push_back(found.captured(2).toDouble() * (found.captured(1) == u"−"_s ? -1 : 1));
    }
    return amounts;
}

} // namespace

/// What a replay is compared with: the recorded run by the same model, and beside it the recorded bill.
class ReplayMoneyTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void differencesAreOfOneModel();
    void whatTheModelMissesIsNoSaving();
    void aCacheThatCannotBeComputedIsNamed();
    void recordedCompactionsAreComputedToo();
    void requestsOfASkillAreCachedApart();
    void arraysAsRecordedNeedNoReplay();
    void aRecordingWithoutCacheGrantsNone();
    void tokensAreComparedOnOneBasis();
    void usageThatTellsHowAnAnswerBeganIsNamed();
    void bothSidesHaveTheSameCalls();
    void withoutUsageThereIsNothingToCompareWith();
    void theRecordedRunIsNoBestByItsBill();
    void callsOfADocumentAddUpToItsTotals();
    void shownPartsAddUpToTheShownSum_data();
    void shownPartsAddUpToTheShownSum();
    void corpusSessionsAddUp();
};

void ReplayMoneyTest::differencesAreOfOneModel()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(6); ++i) {
        for (const Rewriting rewriting : { Rewriting::None, Rewriting::Compactions }) {
            const ReplayReport report = reportOf(drawnSession(random, rewriting),
                { preset("none"), policy("langchain-summarization", "20000tok", "12msg"),
                    policy("langchain-clear-tool-uses", "15000tok", "3results"), preset("genkit-recipe-figure") });
            QCOMPARE(faultOf(report), std::string());
            QVERIFY(report.recorded->bill.isKnown());
        }
    }
}

void ReplayMoneyTest::whatTheModelMissesIsNoSaving()
{
    // By the rules the second call reads what the first wrote; the recorded one lost it.
    const ReplayReport report = reportOf(twoCalls(Usage { 0, 0, 30'000, 10 }, Usage { 0, 0, 31'000, 10 }));
    const RecordedBill &bill = report.recorded->bill;
    QVERIFY(isNear(bill.recorded, (61'000 * 3.75 + 20 * 15) / 1e6));
    QVERIFY(isNear(bill.computed, (30'000 * 0.3 + 31'000 * 3.75 + 20 * 15) / 1e6));
    QCOMPARE(bill.calls, size_t(2));
    QVERIFY(isNothing(*report.policies[0]->difference));
    QCOMPARE(bill.sentence(), std::string("$0.23 by usage for 2 of 2 calls; Palimpsest computes $0.13, 45.2 % less"));
    const QString text = QString::fromStdString(drawReplay(report));
    QVERIFY(text.contains(QString::fromStdString(bill.sentence())));
    QVERIFY(text.contains(u"computed in the same way, the policy costs as much as the recorded run"_s));
    QVERIFY(!text.contains(u"context resent"_s));
    const CostParagraphs words = costParagraphs(*report.policies[0], *report.recorded);
    QCOMPARE(words.answer.at(0),
        std::string(
            "The policy would cost $0.13. The recorded run costs $0.13. That is the same. Palimpsest computes both "
            "costs in the same way."));
    QCOMPARE(words.details.at(0),
        std::string(
            "By usage, the calls of the recorded run cost $0.23. Palimpsest computes $0.13 for the same calls. One "
            "reason: at 1 call, the provider read less from its cache than Palimpsest computes; that cost $0.10."));
    QVERIFY(isNear(report.recorded->misses.dollars, 30'000 * (3.75 - 0.3) / 1e6));
    QVERIFY(text.contains(QString::fromStdString(report.recorded->missSentence())));
    const Json document = replayJson(report);
    const Json &recorded = document["policies"][0];
    QVERIFY(isNear(recorded["totals"]["cost"].get<double>(), bill.recorded));
    QVERIFY(isNear(recorded["totals"]["computed_cost"].get<double>(), bill.computed));
    QVERIFY(isNear(recorded["totals"]["model_error"]["cost"].get<double>(), bill.computed - bill.recorded));
    QCOMPARE(recorded["totals"]["model_error"]["missed_reads"]["tokens"].get<double>(), 30'000.0);
    QVERIFY(isNear(recorded["calls"][1]["computed_cost"].get<double>(), *report.recorded->computed.calls[1].cost));
    QCOMPARE(document["policies"][1]["totals"]["cost_difference"]["total"].get<double>(), 0.0);
}

/// Gemini says what it read, and not what it will read.
void ReplayMoneyTest::aCacheThatCannotBeComputedIsNamed()
{
    const ReplayReport report
        = reportOf(twoCalls(Usage { 30'000, 0, 0, 10 }, Usage { 500, 30'500, 0, 10 }, "gemini-2.5-pro"));
    const std::string words = "the recorded run read 50.0 % of its prompts from a cache that Palimpsest cannot "
                              "compute; computed costs are without it";
    QCOMPARE(report.recorded->missSentence(), words);
    const QString text = QString::fromStdString(drawReplay(report));
    QVERIFY(text.contains(u"50.0 % read from the cache"_s)); // of the recorded run
    QVERIFY(text.contains(u"no model of this cache"_s));     // of the policy
    QVERIFY(text.contains(QString::fromStdString(words)));
    QVERIFY(reportOf(twoCalls(Usage { 30'000, 0, 0, 10 }, Usage { 31'000, 0, 0, 10 }, "gemini-2.5-pro"))
            .recorded->missSentence()
            .empty());
}

void ReplayMoneyTest::recordedCompactionsAreComputedToo()
{
    RecordedSession recorded;
    recorded.builder().session().model = "claude-sonnet-4-5-20250929";
    recorded.typed(std::string(20'000, 'u'));
    recorded.use("Read", "a file", 20, 30'000);
    recorded.result(4000);
    recorded.use("Read", "a file", 20, 31'000);
    recorded.summarise(2000);
    recorded.reply("done", 12'000);
    const SessionPtr session = recorded.finish();
    const ReplayReport report = reportOf(session, oneTokenACharacter(*session), { preset("none") });
    const ReplayCost &computed = report.recorded->computed;
    // Ten thousand tokens beside the array: they are read, the summary is new.
    QVERIFY(isNear(computed.parts.summaries, (31'000 * 0.3 + 2'000 * 15) / 1e6));
    QCOMPARE(computed.calls[2].cache.cause, CacheCause::Compaction);
    QVERIFY(isNear(computed.promptTokens, 30'000 + 31'000 + 12'000));
    // No usage tells of the request for the summary; policies are compared with it.
    QVERIFY(isNear(report.recorded->bill.computed, computed.parts.total() - computed.parts.summaries));
    QCOMPARE(recordedMoney(*report.recorded),
        std::format("{} by usage · computed {}, and {} with the requests for summaries",
            dollars(report.recorded->bill.recorded), dollars(report.recorded->bill.computed),
            dollars(computed.parts.total())));
    QVERIFY(drawReplay(report).contains("requests that wrote the summaries"));
    // Without the compaction nothing is written again, and no summary is asked for.
    const CostParts &difference = *report.policies[0]->difference;
    QVERIFY(computed.parts.compactionRewrites > 0);
    QVERIFY(isNear(difference.compactionRewrites, -computed.parts.compactionRewrites));
    QVERIFY(isNear(difference.summaries, -computed.parts.summaries));
    QCOMPARE(difference.idleRewrites, 0.0);
}

void ReplayMoneyTest::requestsOfASkillAreCachedApart()
{
    RecordedSession recorded;
    recorded.builder().session().model = "claude-sonnet-4-5-20250929";
    recorded.builder().session().traits = &kLikeClaudeCode;
    recorded.typed(std::string(20'000, 'u'));
    recorded.reply("one", 30'000);
    recorded.injected("Base directory for this skill: a folder");
    recorded.reply("two", 30'100);
    std::vector<Call> &calls = recorded.builder().thread(kMain).calls;
    calls[0].usage = Usage { 0, 0, 30'000, 10 };
    calls[1].usage = Usage { 0, 10'000, 20'100, 10 };
    const SessionPtr session = recorded.finish();
    const ReplayReport report = reportOf(session, oneTokenACharacter(*session), { preset("none") });
    // System prompt and tools are read, the messages are not: whatever policy had sent them.
    const CacheReading &reading = report.policies[0]->cost.calls[1].cache;
    QCOMPARE(reading.cause, CacheCause::Options);
    QVERIFY(reading.read > 9'900 && reading.read <= 10'000);
    QVERIFY(std::abs(*report.recorded->bill.errorShare()) < 0.01);
}

void ReplayMoneyTest::arraysAsRecordedNeedNoReplay()
{
    // Behind the first compaction the recorded arrays stand for themselves: grown, they cost what a replay's would.
    std::mt19937_64 random = seededRandom();
    const SessionPtr session = drawnSession(random, Rewriting::None);
    const BlockTokensPtr tokens = roughTokens(*session);
    auto ground = std::make_shared<ReplayGround>(*replayGround(session, kMain, tokens));
    const ReplayPtr none = replay(ground, preset("none"));
    const CostGroundPtr costs = costGround(*ground, recordedCache(*session, *tokens), Prices::bundled());
    const ReplayCost log = recordedArraysCost(*none, *costs);
    ground->log.firstCounterfactual = 1;
    const ReplayCost arrays = recordedArraysCost(*none, *costs);
    QCOMPARE(arrays.calls.size(), log.calls.size());
    for (size_t i = 0; i < log.calls.size(); ++i)
        QVERIFY2(std::abs(*arrays.calls[i].cost - *log.calls[i].cost) < 1e-7, std::to_string(i).c_str());
}

void ReplayMoneyTest::aRecordingWithoutCacheGrantsNone()
{
    const SessionPtr session = twoCalls(Usage { 30'000, 0, 0, 10 }, Usage { 31'000, 0, 0, 10 });
    QVERIFY(recordedCache(*session, *roughTokens(*session)).isWithoutCache);
    const ReplayReport report = reportOf(session);
    const ReplayCost &none = report.policies[0]->cost;
    QCOMPARE(none.calls[1].cache.read, 0.0);
    QVERIFY(isNear(none.parts.total(), (61'000 * 3 + 20 * 15) / 1e6));
    QVERIFY(isNear(report.recorded->bill.error(), 0));
    QVERIFY(isNothing(*report.policies[0]->difference));
    QVERIFY(drawReplay(report).contains("no cache: the recording used none"));
    QVERIFY(replayJson(report)["recorded_without_cache"].get<bool>());
    // Below the minimum, or without usage, it says nothing.
    const SessionPtr small = twoCalls(Usage { 800, 0, 0, 10 }, Usage { 900, 0, 0, 10 });
    QVERIFY(!recordedCache(*small, *roughTokens(*small)).isWithoutCache);
    const SessionPtr silent = twoCalls({}, {});
    QVERIFY(!recordedCache(*silent, *roughTokens(*silent)).isWithoutCache);
    QVERIFY(reportOf(silent).policies[0]->cost.calls[1].cache.read > 0);
}

void ReplayMoneyTest::tokensAreComparedOnOneBasis()
{
    // The log holds more than the second call was sent, and does not say what was left out.
    const SessionPtr session = twoCalls(Usage { 0, 0, 30'000, 10 }, Usage { 0, 0, 9'000, 10 });
    const ReplayReport report = reportOf(session, oneTokenACharacter(*session), { preset("none") });
    const RecordedPrompts &prompts = report.recorded->prompts;
    QCOMPARE(prompts.byUsage.sum.value, 39'000.0);
    QVERIFY(prompts.computed.sum.value > 39'000 + 5'000 && prompts.computed.sum.basis != Basis::Exact);
    QVERIFY(prompts.computed.peak.basis == Basis::Exact);
    const PromptSums none = promptSums(*report.policies[0]->replay);
    QCOMPARE(none.sum.value, prompts.computed.sum.value);
    QCOMPARE(none.peak.value, 30'000.0);
    const SweepFigures swept = recordedSweepFigures(*report.recorded);
    QCOMPARE(swept[SweepMetric::Tokens], prompts.computed.sum.value); // what cells are shares of
    QCOMPARE(swept[SweepMetric::Mean], prompts.computed.sum.value / 2);
    QCOMPARE(swept[SweepMetric::Peak], 30'000.0);
    const ComparisonTable table = comparisonTable(comparedRuns(report));
    QVERIFY(QString::fromStdString(table.rows[0].cells[0].shown).endsWith(u"(by usage 39,000)"_s));
    QCOMPARE(table.rows[0].cells[0].plainByUsage, std::string("39000"));
    QVERIFY(!table.rows[0].cells[0].isBest && !table.rows[1].cells[0].isBest); // nothing was changed
    QVERIFY(drawReplay(report).contains("39,000 tokens by usage for 2 of 2 calls; Palimpsest computes ~"));
    // On a card in two short lines: it has room for no more.
    const Card made = card(report);
    QCOMPARE(made.figures[0].recorded, std::string("recorded 39,000"));
    QVERIFY(made.figures[0].computed.starts_with("computed ~"));
    QCOMPARE(made.figures[1].recorded, "recorded " + dollars(report.recorded->bill.recorded));
    QCOMPARE(made.figures[1].computed, "computed " + dollars(report.recorded->computed.parts.total()));
    const Json document = replayJson(report);
    const Json &totals = document["policies"][0]["totals"];
    QCOMPARE(totals["tokens"]["value"], 39'000);
    QCOMPARE(totals["computed_tokens"], document["policies"][1]["totals"]["tokens"]);
    QCOMPARE(document["policies"][0]["calls"][1]["computed_tokens"], document["policies"][1]["calls"][1]["tokens"]);
}

void ReplayMoneyTest::usageThatTellsHowAnAnswerBeganIsNamed()
{
    const auto reportWith = [](uint64_t output) {
        RecordedSession recorded;
        recorded.builder().session().model = "claude-sonnet-4-5-20250929";
        recorded.typed("a task");
        recorded.reply(std::string(3'000, 'a'), 30'000);
        recorded.typed("more");
        recorded.reply("done", 33'100);
        std::vector<Call> &calls = recorded.builder().thread(kMain).calls;
        calls[0].usage = Usage { 30'000, 0, 0, output };
        calls[1].usage = Usage { 33'100, 0, 0, 4 };
        const SessionPtr session = recorded.finish();
        return reportOf(session, oneTokenACharacter(*session), { preset("none") });
    };
    const ReplayReport cut = reportWith(10);
    const PartialOutput &output = cut.recorded->partialOutput;
    QCOMPARE(output.calls, size_t(1));
    QCOMPARE(output.callCount, size_t(2));
    QVERIFY(isNear(*output.cost, 2'990 * 15 / 1e6));
    const QString text = QString::fromStdString(drawReplay(cut));
    QVERIFY2(text.contains(u"usage is too small for some answers. It counts 10 output tokens for 1 of 2 calls, but "_s),
        qPrintable(text));
    QVERIFY(text.contains(u"So about $0.04 is missing from the recorded cost and from the cost of every policy"_s));
    const std::string_view inPart = " by usage, which counts only a part of the output · computed ";
    QVERIFY(recordedMoney(*cut.recorded).contains(inPart));
    QVERIFY(replayJson(cut)["policies"][0]["totals"]["partial_output"]["missing_cost"].is_number());
    const ReplayReport whole = reportWith(2'900);
    QVERIFY(!whole.recorded->partialOutput.matters() && whole.recorded->partialOutput.sentence().empty());
    QVERIFY(recordedMoney(*whole.recorded).contains(" by usage · computed "));
    QVERIFY(replayJson(whole)["policies"][0]["totals"]["partial_output"].is_null());
}

void ReplayMoneyTest::bothSidesHaveTheSameCalls()
{
    const ReplayReport report = reportOf(twoCalls(Usage { 0, 0, 30'000, 10 }, {}));
    const RecordedBill &bill = report.recorded->bill;
    QCOMPARE(bill.calls, size_t(1));
    QCOMPARE(bill.callCount, size_t(2));
    QVERIFY(isNear(bill.recorded, bill.computed));
    QVERIFY(report.recorded->computed.parts.total() > bill.computed);
    QVERIFY(isNothing(*report.policies[0]->difference));
    const std::vector<ComparedRun> runs = comparedRuns(report);
    QVERIFY(isNear(*runs[0].cost, *runs[1].cost));
    const ComparisonTable table = comparisonTable(runs);
    QCOMPARE(recordedMoney(*report.recorded),
        std::format("$0.11 by usage for 1 of 2 calls · computed $0.11 for these calls, and {} for all calls",
            dollars(report.recorded->computed.parts.total())));
    QCOMPARE(table.rows[0].cells[0].plain, table.rows[1].cells[0].plain);
    QVERIFY(QString::fromStdString(table.rows[0].cells[0].shown).endsWith(u"(by usage 30,000 for 1 of 2 calls)"_s));
    QVERIFY(!table.rows[0].cells[0].isBest && !table.rows[1].cells[0].isBest);
    const QString text = QString::fromStdString(drawReplay(report));
    QVERIFY2(text.contains(u"$0.11 by usage for 1 of 2 calls; Palimpsest computes $0.11"_s), qPrintable(text));
    QVERIFY(text.contains(u"for all 2 calls Palimpsest computes $0."_s));
    QVERIFY(text.contains(u"sent  30,000 in 1 of 2 calls"_s));
    const RecordedPrompts &prompts = report.recorded->prompts;
    QCOMPARE(prompts.sentence(),
        "30,000 tokens by usage for 1 of 2 calls; Palimpsest computes " + shown(prompts.computed.sum) + " for all 2");
    QVERIFY(card(report).title.contains(" than the recorded run as Palimpsest computes it"));
}

void ReplayMoneyTest::withoutUsageThereIsNothingToCompareWith()
{
    const ReplayReport report = reportOf(twoCalls({}, {}));
    QVERIFY(!report.recorded->bill.isKnown());
    QVERIFY(!report.policies[0]->difference);
    QVERIFY(report.policies[0]->cost.isPriced());
    const std::vector<ComparedRun> runs = comparedRuns(report);
    QVERIFY(!runs[0].promptsByUsage && !runs[1].costDifference);
    QCOMPARE(runs[0].prompts.sum.value, runs[1].prompts.sum.value); // our own figures
    QVERIFY(runs[0].prompts.sum.basis == Basis::Estimated);
    QVERIFY(isNear(*runs[0].cost, *runs[1].cost)); // our own figures
    const Json totals = replayJson(report)["policies"][0]["totals"];
    QVERIFY(totals["tokens"].is_null() && totals["peak"].is_null() && totals["cost"].is_null());
    QVERIFY(totals["model_error"].is_null());
    QVERIFY(totals["computed_cost"].is_number());
    const QString text = QString::fromStdString(drawReplay(report));
    QVERIFY(text.contains(u"no usage is recorded"_s));
    QVERIFY(!text.contains(u"sent       0"_s) && !text.contains(u"computed in the same way, the policy costs"_s));
}

void ReplayMoneyTest::theRecordedRunIsNoBestByItsBill()
{
    // The bill is the smaller figure; by one model both cost the same.
    SessionPtr session = twoCalls(Usage { 0, 30'000, 0, 10 }, Usage { 0, 31'000, 0, 10 });
    const ReplayReport report = reportOf(session);
    const ComparisonTable table = comparisonTable(comparedRuns(report));
    const auto column = static_cast<size_t>(std::ranges::find(table.columns, "cost") - table.columns.begin());
    QVERIFY(!table.rows[0].cells[column].isBest && !table.rows[1].cells[column].isBest);
    QVERIFY(table.rows[0].cells[column].shown.contains("(by usage $0.02)"));
    const QStringList lines = QString::fromStdString(comparisonTsv(table)).split(u'\n');
    QVERIFY(lines[0].endsWith(u"\tcache hits by usage\tcost by usage"_s));
    QVERIFY2(lines[1].endsWith(u"\t1\t0.0186"_s), qPrintable(lines[1]));
    QVERIFY(lines[2].endsWith(u"\t\t"_s));
    const SweepFigures figures = recordedSweepFigures(*report.recorded);
    QVERIFY(isNear(figures[SweepMetric::Cost], report.recorded->computed.parts.total()));
    QVERIFY(isNear(figures[SweepMetric::HitShare], report.recorded->computed.hitShare()));
}

void ReplayMoneyTest::callsOfADocumentAddUpToItsTotals()
{
    std::mt19937_64 random = seededRandom();
    // Weights with fractions of tokens.
    const SessionPtr session = drawnSession(random, Rewriting::Compactions);
    auto tokens = std::make_shared<BlockTokens>(*roughTokens(*session));
    for (float &weight : tokens->tokens)
        weight += static_cast<float>(random() % 100) / 100;
    const ReplayReport report
        = reportOf(session, tokens, { preset("none"), policy("langchain-clear-tool-uses", "15000tok", "3results") });
    const Json document = replayJson(report);
    for (size_t i = 1; i < document["policies"].size(); ++i) {
        const Json &run = document["policies"][i];
        long long sum = 0;
        double cost = 0;
        for (size_t call = 0; call < run["calls"].size(); ++call) {
            const auto shown = run["calls"][call]["tokens"]["value"].get<long long>();
            QVERIFY(std::abs(static_cast<double>(shown) - report.policies[i - 1]->replay->steps[call].tokens) <= 1.5);
            sum += shown;
            cost += run["calls"][call]["cost"].get<double>();
        }
        const Json &totals = run["totals"];
        QCOMPARE(sum, totals["tokens"]["value"].get<long long>());
        QCOMPARE(totals["recorded_world"]["tokens"]["value"].get<long long>()
                + totals["counterfactual"]["tokens"]["value"].get<long long>(),
            sum);
        QVERIFY(isNear(cost, totals["cost"].get<double>()));
        // What a sweep says of the same.
        QCOMPARE(sum, std::llround(sweepFigures(*report.policies[i - 1], *report.recorded)[SweepMetric::Tokens]));
    }
}

void ReplayMoneyTest::shownPartsAddUpToTheShownSum_data()
{
    QTest::addColumn<std::vector<double>>("parts");
    QTest::newRow("rounding up all of them") << std::vector { 0.126, 0.126, 0.126, 0.126, 0.126 };
    QTest::newRow("rounding down all of them") << std::vector { -0.124, -0.124, -0.124, -0.124, -0.124 };
    QTest::newRow("both signs") << std::vector { -12.694, 0.0, 0.0175, 0.004, 0.0 };
    QTest::newRow("nothing but crumbs") << std::vector { 0.004, 0.004, 0.004, 0.0, 0.0 };
    QTest::newRow("one part") << std::vector { 2.5, 0.0, 0.0, 0.0, 0.0 };
}

void ReplayMoneyTest::shownPartsAddUpToTheShownSum()
{
    QFETCH(const std::vector<double>, parts);
    const CostParts difference { parts[0], parts[1], parts[2], parts[3], parts[4] };
    const std::string sentence = savingSentence(difference);
    const std::vector<double> amounts = amountsIn(sentence);
    double sum = 0;
    for (size_t i = 1; i < amounts.size(); ++i)
        sum += amounts[i];
    const double total = sentence.contains(" less ") ? -amounts[0] : amounts[0];
    QVERIFY2(std::abs(sum - total) < 1e-6, sentence.c_str());
    for (size_t i = 1; i < amounts.size(); ++i)
        QVERIFY(std::ranges::any_of(parts, [&](double part) { return std::abs(part - amounts[i]) < 0.01; }));
}

void ReplayMoneyTest::corpusSessionsAddUp()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    size_t asRecorded = 0;
    for (const char *file : { "pi/badlogic+pi-mono/large-session.jsonl", "codex/jazzyalex+agent-sessions/small.jsonl",
             "langchain/langchain-ai+open-swe/monocle_trace_0da2dead.json",
             "langchain/langchain-ai+open-swe/test-trace-complex.json",
             "claude-code/entireio+cli/04-6bdcb08e27-0.full.jsonl",
             "claude-code/entireio+cli/51-a265047d72-3.full.jsonl",
             "claude-code/entireio+cli/cd-95adddad32-0.full.jsonl" }) {
        const auto session = loadSession(testing::corpus() / file);
        QVERIFY2(session, file);
        const ReplayReport report = reportOf(*session, countedTokens(**session, 1, nullptr),
            { preset("none"), policy("langchain-summarization", "40000tok", "20msg"), preset("deep-agents") });
        const std::string fault = faultOf(report);
        QVERIFY2(fault.empty(), (std::string(file) + ": " + fault).c_str());
        asRecorded += report.ground->log.firstCounterfactual == report.ground->callCount() ? 1 : 0;
    }
    QVERIFY(asRecorded >= 4);
}

PALIMPSEST_TEST(ReplayMoneyTest)
#include "tst_replay_money.moc"
