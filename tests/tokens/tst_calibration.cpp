// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/calibration_report.h"
#include "core/tokens/calibration_trial.h"
#include "core/tokens/counted_tokens.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace core;

namespace {

constexpr double kPrelude = 20'000;
constexpr std::string_view kOld = "claude-opus-4-5";
constexpr std::string_view kNew = "claude-opus-4-7";

const RanksPtr &o200k()
{
    static const RanksPtr ranks = ranksOf(Encoding::O200kBase);
    return ranks;
}

KindValues ratesOf(double text, double call, double result, double user, double framing)
{
    KindValues rates;
    rates.fill(1.2);
    valueOf(rates, TokenKind::Text) = text;
    valueOf(rates, TokenKind::ToolCall) = call;
    valueOf(rates, TokenKind::ToolResult) = result;
    valueOf(rates, TokenKind::UserText) = user;
    valueOf(rates, TokenKind::CallFraming) = framing;
    valueOf(rates, TokenKind::TurnFraming) = 10;
    return rates;
}

/// Words of plain text, so that there is a token every few bytes.
std::string words(std::mt19937_64 &random, size_t count)
{
    static constexpr std::array<std::string_view, 8> kWords { "the ", "array ", "holds ", "several ", "slots ",
        "compacted ", "before ", "reading " };
    std::string text;
    for (size_t i = 0; i < count; ++i)
        text += kWords[random() % kWords.size()];
    return text;
}

/// Turns of a person, a model that calls tools, and results of all sizes, without usage. Ends with a question.
void addTurns(RecordedSession &recording, std::mt19937_64 &random, size_t turns)
{
    for (size_t turn = 0; turn < turns; ++turn) {
        recording.typed(words(random, 5 + random() % 100));
        for (size_t i = 0; i < random() % 4; ++i) {
            recording.use("run", "", 20 + random() % 3000);
            recording.result(random() % 5000);
        }
        recording.reply(words(random, 10 + random() % 400));
    }
    recording.typed("and now?");
}

/// A recording in which usage is written afterwards, by rates that are known.
class Recorded final {
public:
    explicit Recorded(RecordedSession &recording)
        : m_session(std::make_shared<Session>(*recording.finish()))
    {
    }

    Session &session() { return *m_session; }
    std::vector<Call> &calls() { return m_session->threads.front().calls; }

    /// Gives the calls from `begin` up to `end` a model and the prompt that its rates make of their array.
    Recorded &price(size_t begin, size_t end, StringId model, const KindValues &rates, double prelude = kPrelude)
    {
        const TokenAmounts amounts(*m_session, *counts());
        for (size_t i = begin; i < std::min(end, calls().size()); ++i) {
            Call &call = calls()[i];
            const double prompt = prelude + tokensOf(amounts.of(call.input), rates);
            call.model = model;
            call.usage = Usage { 1, static_cast<uint64_t>(std::llround(prompt)) - 1, 0, 10 };
        }
        return *this;
    }
    /// All recorded prompts from a call on are off by as much.
    Recorded &shift(size_t from, int64_t tokens)
    {
        for (size_t i = from; i < calls().size(); ++i)
            calls()[i].usage->cacheRead
                = static_cast<uint64_t>(static_cast<int64_t>(calls()[i].usage->cacheRead) + tokens);
        return *this;
    }

    /// Made once: texts never change.
    [[nodiscard]] ExactTokensPtr counts() const
    {
        if (!m_counts)
            m_counts = exactTokens(*m_session, o200k(), 1);
        return m_counts;
    }
    [[nodiscard]] std::optional<Calibration> calibrated() const { return calibrate(*m_session, *counts()); }

private:
    std::shared_ptr<Session> m_session;
    mutable ExactTokensPtr m_counts;
};

struct Models {
    explicit Models(RecordedSession &recording)
        : old(recording.builder().intern(kOld))
        , recent(recording.builder().intern(kNew))
    {
    }
    StringId old;
    StringId recent;
};

Recorded priced(std::mt19937_64 &random, size_t turns, const KindValues &rates)
{
    RecordedSession recording;
    const Models models(recording);
    addTurns(recording, random, turns);
    Recorded made(recording);
    made.price(0, SIZE_MAX, models.old, rates);
    return made;
}

bool isClose(double value, double expected, double share) { return std::abs(value - expected) <= share * expected; }

double sumOf(const BlockRanges &array, const BlockTokens &tokens)
{
    double sum = 0;
    array.forEach([&](BlockId id) { sum += tokens.of(id); });
    return sum;
}

} // namespace

/// What tokens cost, fitted to recorded usage.
class CalibrationTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knownRatesAreFound();
    void theTableAddsUpToThePrompts();
    void noRateIsNegative();
    void littleUsageStaysNearThePrior();
    void aStretchBehindACompactionIsFittedAgain();
    void anotherModelIsFittedApart();
    void thinkingThatIsDroppedComesToNothing();
    void whatUsageDoesNotExplainIsLeftOut();
    void quantilesOfErrors();
    void theBandIsTheErrorOfTheFirstHalf();
    void laterPromptsArePredictedFromTheFirstHalf();
    void departuresAreNamed();
    void theBestTableIsChosen();
    void whatIsNoTextIsNotExact();
    void numberedResultsHaveTheirOwnRate();
    void recordedSessionsArePredicted();
};

void CalibrationTest::knownRatesAreFound()
{
    auto random = seededRandom();
    const KindValues rates = ratesOf(1.3, 1.05, 1.4, 1.1, 80);
    Recorded made = priced(random, 80, rates);
    const auto calibration = made.calibrated();
    QVERIFY(calibration);
    QCOMPARE(calibration->stretches.size(), size_t(1));
    const KindValues &found = calibration->stretches.front().fitted.rates;
    for (const TokenKind kind : { TokenKind::Text, TokenKind::ToolCall, TokenKind::ToolResult, TokenKind::UserText })
        QVERIFY2(isClose(valueOf(found, kind), valueOf(rates, kind), 0.1), nameOf(kind).data());
    QVERIFY(calibration->error < 0.005);

    // Of framing the prior is sure: calls are taken to scatter by more than it costs. One that is not gives it up.
    QVERIFY(valueOf(found, TokenKind::CallFraming) > 65);
    QVERIFY(valueOf(found, TokenKind::CallFraming) < 82);
    const auto unsure = calibrate(made.session(), *made.counts(), [](std::string_view model) {
        RatePrior prior = RatePrior::ofModel(model);
        valueOf(prior.spread, TokenKind::CallFraming) = 200;
        return prior;
    });
    QVERIFY(isClose(valueOf(unsure->stretches.front().fitted.rates, TokenKind::CallFraming), 80, 0.05));
}

void CalibrationTest::theTableAddsUpToThePrompts()
{
    auto random = seededRandom();
    Recorded made = priced(random, 60, ratesOf(1.3, 1.05, 1.4, 1.1, 80));
    const auto calibration = made.calibrated();
    QVERIFY(calibration);
    QCOMPARE(calibration->tokens->basis, Basis::Calibrated);
    QCOMPARE(calibration->tokens->error, calibration->error);
    const Call &last = made.calls().back();
    const double expected = static_cast<double>(last.usage->prompt()) - kPrelude;
    QVERIFY(isClose(sumOf(last.input, *calibration->tokens), expected, 0.005));
}

void CalibrationTest::noRateIsNegative()
{
    auto random = seededRandom();
    for (int i = 0; i < caseCount(20); ++i) {
        RateFit fit(RatePrior::ofModel(kOld));
        for (int k = 0; k < 30; ++k) {
            KindValues growth {};
            for (double &amount : growth)
                amount = static_cast<double>(random() % 1000);
            fit.add(growth, static_cast<double>(random() % 2000) - 1000);
        }
        QVERIFY(std::ranges::all_of(fit.rates(), [](double rate) { return rate >= 0 && std::isfinite(rate); }));
    }
    // One kind would have to be negative: it is nothing, and the other bears what is left.
    RateFit fit(RatePrior::ofModel(kOld));
    for (int k = 0; k < 200; ++k) {
        KindValues growth {};
        valueOf(growth, TokenKind::Text) = 1000;
        valueOf(growth, TokenKind::Summary) = k % 2 == 0 ? 1000 : 0;
        fit.add(growth, k % 2 == 0 ? 500 : 1000);
    }
    QCOMPARE(valueOf(fit.rates(), TokenKind::Summary), 0.0);
    QVERIFY(isClose(valueOf(fit.rates(), TokenKind::Text), 0.8, 0.1));
}

void CalibrationTest::littleUsageStaysNearThePrior()
{
    RateFit fit(RatePrior::ofModel(kNew));
    QCOMPARE(fit.rates(), RatePrior::ofModel(kNew).rates);
    QCOMPARE(valueOf(fit.rates(), TokenKind::Text), 1.53);
    KindValues growth {};
    valueOf(growth, TokenKind::Text) = 20;
    fit.add(growth, 200);
    QVERIFY(isClose(valueOf(fit.rates(), TokenKind::Text), 1.53, 0.05));
    auto random = seededRandom();
    QVERIFY(!priced(random, 2, ratesOf(1.3, 1.05, 1.4, 1.1, 80)).calibrated());
}

void CalibrationTest::aStretchBehindACompactionIsFittedAgain()
{
    auto random = seededRandom();
    RecordedSession recording;
    const Models models(recording);
    addTurns(recording, random, 120);
    const size_t calls = recording.builder().thread(ThreadIndex(0U)).calls.size();
    recording.summarise(4000);
    addTurns(recording, random, 120);
    Recorded made(recording);
    made.price(0, calls, models.old, ratesOf(1.2, 1.2, 1.1, 1.2, 65));
    // What the harness put back makes no growth.
    made.price(calls, SIZE_MAX, models.old, ratesOf(1.2, 1.2, 1.3, 1.2, 65), 3 * kPrelude);
    const auto calibration = made.calibrated();
    QVERIFY(calibration);
    QCOMPARE(calibration->stretches.size(), size_t(2));
    QCOMPARE(calibration->stretches[1].first.index(), calls);
    QVERIFY(isClose(valueOf(calibration->stretches[0].fitted.rates, TokenKind::ToolResult), 1.1, 0.02));
    QVERIFY(isClose(valueOf(calibration->stretches[1].fitted.rates, TokenKind::ToolResult), 1.3, 0.02));
}

void CalibrationTest::anotherModelIsFittedApart()
{
    auto random = seededRandom();
    RecordedSession recording;
    const Models models(recording);
    addTurns(recording, random, 80);
    Recorded made(recording);
    const size_t half = made.calls().size() / 2;
    const KindValues oldRates = ratesOf(1.1, 1.1, 1.1, 1.1, 65);
    const KindValues newRates = ratesOf(1.5, 1.5, 1.5, 1.5, 65);
    made.price(0, half, models.old, oldRates).price(half, SIZE_MAX, models.recent, newRates);
    const auto calibration = made.calibrated();
    QVERIFY(calibration);
    QCOMPARE(calibration->stretches.size(), size_t(2));
    QCOMPARE(calibration->stretches[1].model, models.recent);
    QVERIFY(isClose(valueOf(calibration->stretches[0].fitted.rates, TokenKind::ToolResult), 1.1, 0.02));
    QVERIFY(isClose(valueOf(calibration->stretches[1].fitted.rates, TokenKind::ToolResult), 1.5, 0.02));
    // A block keeps the weight that it entered with.
    const BlockId first(made.calls()[1].output.begin);
    const TokenAmounts amounts(made.session(), *made.counts());
    QVERIFY(
        isClose(calibration->tokens->of(first), tokensOf(amounts.of(first, TokenAmounts::Turn::Past), oldRates), 0.05));
}

void CalibrationTest::thinkingThatIsDroppedComesToNothing()
{
    auto random = seededRandom();
    RecordedSession recording;
    const Models models(recording);
    std::vector<size_t> thoughts;
    for (int turn = 0; turn < 60; ++turn) {
        recording.typed(words(random, 5 + random() % 40));
        for (size_t i = 0; i < 1 + random() % 3; ++i) {
            thoughts.push_back(recording.builder().session().blocks.size());
            recording.reply(words(random, 20 + random() % 400));
            recording.injected("go on");
        }
    }
    Recorded made(recording);
    for (const size_t i : thoughts)
        made.session().blocks[i].kind = BlockKind::Thinking;
    KindValues rates = ratesOf(1.2, 1.2, 1.2, 1.2, 65);
    valueOf(rates, TokenKind::PastThinking) = 0;
    made.price(0, SIZE_MAX, models.old, rates);
    const auto calibration = made.calibrated();
    QVERIFY(calibration);
    const KindValues &found = calibration->stretches.front().fitted.rates;
    QVERIFY(isClose(valueOf(found, TokenKind::Thinking), 1.2, 0.03));
    QVERIFY(valueOf(found, TokenKind::PastThinking) < 0.03);
    QVERIFY(calibration->tokens->of(BlockId(thoughts.front())) < 10);
    QVERIFY(calibration->tokens->of(BlockId(thoughts.back())) > 20);
}

void CalibrationTest::whatUsageDoesNotExplainIsLeftOut()
{
    auto random = seededRandom();
    const KindValues rates = ratesOf(1.3, 1.05, 1.4, 1.1, 80);
    Recorded made = priced(random, 160, rates);
    made.shift(made.calls().size() / 4, -15'000).shift(made.calls().size() / 3, 9000);
    const auto calibration = made.calibrated();
    QVERIFY(calibration);
    const FittedRates &fitted = calibration->stretches.front().fitted;
    QCOMPARE(fitted.departures, size_t(2));
    QVERIFY(isClose(valueOf(fitted.rates, TokenKind::ToolResult), 1.4, 0.02));
    QVERIFY(calibration->error < 0.002);
}

void CalibrationTest::quantilesOfErrors()
{
    std::vector<PredictedCall> calls;
    for (int i = 20; i >= 1; --i)
        calls.push_back({ CallIndex(i), i % 2 == 0 ? 100.0 + i : 100.0 - i, 100 });
    QCOMPARE(errorQuantile(calls, 0.5), 0.11);
    QCOMPARE(errorQuantile(calls, 0.9), 0.19);
    QCOMPARE(errorQuantile(calls, 1), 0.20);
    QCOMPARE(errorQuantile({}, 0.5), 0.0);
}

void CalibrationTest::theBandIsTheErrorOfTheFirstHalf()
{
    auto random = seededRandom();
    Recorded made = priced(random, 120, ratesOf(1.3, 1.05, 1.4, 1.1, 80));
    QVERIFY(made.calibrated()->error < 0.002);
    // Every prompt of the first half is off by up to half a percent.
    for (size_t i = 0; i < made.calls().size() / 2; ++i) {
        Usage &usage = *made.calls()[i].usage;
        usage.cacheRead += usage.cacheRead * (random() % 1000) / 200'000;
    }
    const double noisy = made.calibrated()->error;
    QVERIFY2(noisy > 0.002 && noisy < 0.03, qPrintable(QString::number(noisy)));
    QCOMPARE(tryCalibration(made.session(), *made.counts())->band, noisy);
}

void CalibrationTest::laterPromptsArePredictedFromTheFirstHalf()
{
    auto random = seededRandom();
    RecordedSession recording;
    const Models models(recording);
    addTurns(recording, random, 60);
    const size_t compacted = recording.builder().thread(ThreadIndex(0U)).calls.size();
    recording.summarise(4000);
    addTurns(recording, random, 5);
    Recorded made(recording);
    const KindValues rates = ratesOf(1.3, 1.05, 1.4, 1.1, 80);
    made.price(0, compacted, models.old, rates).price(compacted, SIZE_MAX, models.old, rates, 2 * kPrelude);
    const auto trial = tryCalibration(made.session(), *made.counts());
    QVERIFY(trial);
    const size_t calls = made.calls().size();
    QCOMPARE(trial->calls, calls);
    // The first call behind the compaction is where the prediction is taken up again.
    QCOMPARE(trial->later.size(), calls - calls / 2 - 1);
    QCOMPARE(trial->later.front().call.index(), calls / 2);
    QVERIFY(
        std::ranges::none_of(trial->later, [&](const PredictedCall &call) { return call.call.index() == compacted; }));
    QVERIFY(trial->p90 < 0.005);
    QVERIFY(explanationsOf(*trial).empty());

    // The later half costs more, which nothing in the recording tells: errors add up and are admitted.
    made.price(calls / 2, compacted, models.old, ratesOf(1.9, 1.9, 1.9, 1.9, 80));
    const auto off = tryCalibration(made.session(), *made.counts());
    QVERIFY(off->median > 0.05);
    QVERIFY(!explanationsOf(*off).empty());
}

void CalibrationTest::departuresAreNamed()
{
    auto random = seededRandom();
    RecordedSession recording;
    const Models models(recording);
    addTurns(recording, random, 60);
    recording.injected("<command-name>/exit</command-name>");
    recording.typed("again");
    const size_t resumed = recording.builder().thread(ThreadIndex(0U)).calls.size();
    addTurns(recording, random, 8);
    const size_t rewritten = recording.builder().thread(ThreadIndex(0U)).calls.size();
    addTurns(recording, random, 20);
    Recorded made(recording);
    made.price(0, SIZE_MAX, models.old, ratesOf(1.3, 1.05, 1.4, 1.1, 80));
    made.shift(resumed, -9000).shift(rewritten, -12'000);
    Usage &usage = *made.calls()[rewritten].usage;
    usage = { usage.prompt() - 5000, 5000, 0, 10 };
    const auto trial = tryCalibration(made.session(), *made.counts());
    QVERIFY(trial);
    QCOMPARE(trial->departures.size(), size_t(2));
    QCOMPARE(trial->departures[0].call.index(), resumed);
    QCOMPARE(trial->departures[0].sign, Departure::Sign::Resumed);
    QVERIFY(isClose(-trial->departures[0].excess, 9000, 0.02));
    QCOMPARE(trial->departures[1].sign, Departure::Sign::Rewritten);
    QCOMPARE(trial->departures[1].cacheRead, uint64_t(5000));
    QVERIFY(trial->p90 > 0.05);
    QVERIFY(trial->p90Between < 0.005);
    const auto sentences = explanationsOf(*trial);
    QCOMPARE(sentences.size(), size_t(3));
    QVERIFY(sentences[0].find("the cache was read only up to token 5,000") != std::string::npos);
    QVERIFY(sentences[1].find("resumed") != std::string::npos);
}

void CalibrationTest::theBestTableIsChosen()
{
    auto random = seededRandom();
    const KindValues rates = ratesOf(1.3, 1.05, 1.4, 1.1, 80);
    Recorded made = priced(random, 60, rates);
    QCOMPARE(countedTokens(made.session(), 2, nullptr)->basis, Basis::Calibrated);

    // With a model whose encoding is published text is counted, whatever was recorded.
    Recorded exact = priced(random, 60, rates);
    exact.session().model = "gpt-5-codex";
    for (Call &call : exact.calls())
        call.model = StringId();
    const BlockTokensPtr counted = countedTokens(exact.session(), 2, nullptr);
    QCOMPARE(counted->basis, Basis::Exact);
    QCOMPARE(counted->of(BlockId(0)), static_cast<double>(exact.counts()->of(BlockId(0)).tokens));
    // Unless a part of it went to another one.
    exact.calls().back().model = made.calls().back().model;
    QVERIFY(countedTokens(exact.session(), 2, nullptr)->basis != Basis::Exact);

    const SessionPtr plain = session("u:100 a:200 t:3000 a:10");
    QCOMPARE(countedTokens(*plain, 2, nullptr)->basis, Basis::Estimated);
    Recorded few = priced(random, 2, rates);
    QCOMPARE(countedTokens(few.session(), 2, nullptr)->basis, Basis::Estimated);

    Progress progress;
    progress.cancel();
    QVERIFY(countedTokens(made.session(), 2, &progress) == nullptr);
    QVERIFY(countedTokens(*plain, 2, &progress) == nullptr);
}

void CalibrationTest::whatIsNoTextIsNotExact()
{
    auto made = std::make_shared<Session>(*session("u:100 i:5000 a:200"));
    made->model = "gpt-5";
    const BlockTokensPtr table = countedTokens(*made, 1, nullptr);
    std::vector<BlockId> all;
    for (size_t i = 0; i < made->blocks.size(); ++i) {
        all.emplace_back(i);
        const bool isImage = made->blocks[i].kind == BlockKind::Image;
        QCOMPARE(table->basisOf(BlockId(i)), isImage ? Basis::Estimated : Basis::Exact);
        QCOMPARE(table->of(BlockId(i)) > 0, true);
    }
    QCOMPARE(table->basis, Basis::Estimated); // a sum may hold the image
    QCOMPARE(table->basisOf(all), Basis::Estimated);
    QCOMPARE(table->basisOf(std::span(all).first(1)), Basis::Exact);
    const Weights weights(table, WeightUnit::Tokens);
    QCOMPARE(weights.shown(101, std::span(all).first(1)), "101");
    QCOMPARE(weights.shown(101, all), "~101");
    QCOMPARE(weights.shown(101), "~101");
    QCOMPARE(Weights(table, WeightUnit::Bytes).shown(101, all), "101");
}

void CalibrationTest::numberedResultsHaveTheirOwnRate()
{
    RecordedSession recording;
    const auto answer = [&](const std::string &text) {
        recording.use("read", "");
        Block block = recording.builder().makeBlock(
            BlockKind::ToolResult, recording.builder().ownedBody(text, "test"), StringId());
        MessageDraft draft;
        draft.role = Role::User;
        draft.blocks = { block };
        return recording.builder().rangeOf(recording.builder().addMessage(ThreadIndex(0U), draft)).begin;
    };
    const std::vector<std::pair<std::string, bool>> texts { { "     1→int main()\n     2→{", true },
        { "12\tint main()", true }, { "1→x", true }, { "     1 int main()", false }, { "→ one", false }, { "", false },
        { "12", false } };
    std::vector<uint32_t> blocks;
    for (const auto &[text, isNumbered] : texts)
        blocks.push_back(answer(text));
    const SessionPtr made = recording.finish();
    const TokenAmounts amounts(*made, *exactTokens(*made, o200k(), 1));
    for (size_t i = 0; i < texts.size(); ++i) {
        const KindValues values = amounts.of(BlockId(blocks[i]), TokenAmounts::Turn::Open);
        QVERIFY2((valueOf(values, TokenKind::NumberedResult) > 0) == texts[i].second, texts[i].first.c_str());
        const bool isEmpty = texts[i].first.empty();
        QCOMPARE(valueOf(values, TokenKind::ToolResult) > 0, !texts[i].second && !isEmpty);
    }
}

/// The measure of the calibration on real files, with the figures that it has to reach and a margin.
void CalibrationTest::recordedSessionsArePredicted()
{
    const auto files = testing::corpusFiles({ "claude-code", "claude-sdk-stream", "codex", "langchain" });
    if (files.empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    std::vector<CalibrationReport> reports;
    for (const std::string &file : files) {
        const auto session = loadSession(testing::corpus() / file);
        if (!session)
            continue;
        const CalibrationReport &report = reports.emplace_back(calibrationReport(file, **session, o200k(), 2));
        if (!report.trial || !report.trial->hasEnoughCalls())
            continue;
        const auto sentences = explanationsOf(*report.trial);
        QCOMPARE(sentences.empty(), report.trial->p90 <= 0.05);
        QVERIFY2(report.trial->p90Between < 0.07, file.c_str());
        for (const std::string &sentence : sentences)
            QVERIFY2(sentence.find("the recording does not show why") == std::string::npos, file.c_str());
    }
    const auto document = calibrationJson(reports);
    QVERIFY(document["sessions_counted"] >= 20);
    QVERIFY2(document["median_of_medians"] < 0.013, document["median_of_medians"].dump().c_str());
    QVERIFY2(document["median_of_p90s"] < 0.026, document["median_of_p90s"].dump().c_str());
    QVERIFY(document["median_of_medians_between_departures"] < 0.01);
    QVERIFY(document["median_of_p90s_between_departures"] < 0.018);
}

PALIMPSEST_TEST(CalibrationTest)

#include "tst_calibration.moc"
