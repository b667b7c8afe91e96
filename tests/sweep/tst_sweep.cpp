// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/change_memo.h"
#include "core/cuts/cut_track.h"
#include "core/formats/reading/format.h"
#include "core/sweep/sweep.h"
#include "core/tokens/counted_tokens.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/sweep_cells.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <filesystem>
#include <format>
#include <random>
#include <set>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

const ThreadIndex kMain(0U);

Policy changed(Policy policy, std::initializer_list<std::pair<std::string_view, std::string>> settings)
{
    for (const auto &[key, value] : settings) {
        if (auto made = withSetting(policy, key, value))
            policy = std::move(*made);
    }
    return policy;
}

/// Every preset, as it is and as the other persistence would have it, with a cap that changes much.
std::vector<PolicyPtr> policies()
{
    std::vector<PolicyPtr> all;
    for (const PolicyPtr &each : presets()) {
        for (const std::string persistence : { "view", "persistent" })
            all.push_back(std::make_shared<const Policy>(changed(*each,
                { { "persistence", persistence }, { "offload-results.cap", "300" },
                    { "truncate-results.cap", "300" } })));
        all.push_back(each);
    }
    return all;
}

/// Another trigger and keep window, from far below what sessions hold to about that.
Policy drawn(const Policy &policy, std::mt19937_64 &random)
{
    const auto tokens = [&](double least, double most) {
        const double share = static_cast<double>(random() % 1000) / 1000;
        return std::format("{:.0f}tok", least * std::pow(most / least, share));
    };
    const std::string keep = policy.keep.measure.unit == Measure::Unit::Results
        ? std::format("{}results", random() % 12)
        : random() % 3 == 0 ? std::format("{}msg", random() % 12)
                            : tokens(200, 30'000);
    return changed(policy, { { "trigger", tokens(500, 60'000) }, { "keep", keep } });
}

std::string words(double tokens, double array, double unchanged, double summary, uint64_t lost, uint32_t blocks,
    bool isTorn, bool hasFired)
{
    return std::format("prompt {:.2f} array {:.2f} unchanged {:.2f} summary {:.2f} lost {} blocks {}{}{}", tokens,
        array, std::abs(unchanged), summary, lost, blocks, isTorn ? " torn" : "", hasFired ? " fired" : "");
}

/// The first call that cuts and replay tell otherwise; empty if there is none.
std::string difference(const CutReplay &cuts, const Replay &replay)
{
    for (size_t i = 0; i < replay.steps.size(); ++i) {
        const CutCall one = cuts.callAt(i);
        const ReplayStep &other = replay.steps[i];
        const std::string cut = words(one.tokens, one.arrayTokens, one.unchangedTokens, one.writtenSummary,
            one.lostBytes, one.blockCount, one.isTorn, one.hasFired);
        const std::string whole = words(other.tokens, other.arrayTokens, other.unchangedTokens, other.writtenSummary,
            other.lostBytes, other.blockCount, other.isTorn, other.hasFired);
        if (cut != whole)
            return std::format("call {} of {}: {} | {}", i, replay.steps.size(), cut, whole);
    }
    return {};
}

} // namespace

class SweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void axesAreRead_data();
    void axesAreRead();
    void aDifferenceIsSaid();
    void settingsHaveWords();
    void valuesAreRound();
    void axesThatAreNone_data();
    void axesThatAreNone();
    void thePresetsValueStaysInTheRange();
    void settingAnAxisIsSettingThePolicy();
    void valuesAreReadInTheUnitOfTheAxis();
    void cutsTellWhatReplayTells_data();
    void cutsTellWhatReplayTells();
    void messagesLiveOnInWhatNoCallWasSent();
    void cellsAreSingleReplays_data();
    void cellsAreSingleReplays();
    void coarseCellsComeFirst();
    void aCancelledSweepIsNone();
};

void SweepTest::axesAreRead_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("last");
    QTest::addColumn<int>("values");
    QTest::newRow("shares of the window") << "deep-agents" << "trigger" << 5 << "0.1w" << "0.95w" << 5;
    QTest::newRow("a range of shares") << "deep-agents" << "keep=0.05w..0.25w" << 5 << "0.05w" << "0.25w" << 5;
    QTest::newRow("bare shares") << "deep-agents" << "keep=0.05..0.25" << 3 << "0.05w" << "0.25w" << 3;
    QTest::newRow("another unit") << "deep-agents" << "keep=2000tok..6000tok" << 3 << "2000tok" << "6000tok" << 3;
    QTest::newRow("bare ends have the last one's unit")
        << "deep-agents" << "trigger=10000..90000tok" << 9 << "10000tok" << "90000tok" << 9;
    QTest::newRow("whole numbers, each once")
        << "langchain-clear-tool-uses" << "keep=1..4results" << 64 << "1results" << "4results" << 4;
    QTest::newRow("a parameter") << "genkit-recipe" << "clip-results.cap=100..1500" << 8 << "100" << "1500" << 8;
    QTest::newRow("one value") << "genkit-recipe" << "clip-results.cap=100..1500" << 1 << "100" << "100" << 1;
}

void SweepTest::axesAreRead()
{
    QFETCH(const QString, policy);
    QFETCH(const QString, text);
    QFETCH(const int, count);
    QFETCH(const QString, first);
    QFETCH(const QString, last);
    QFETCH(const int, values);
    const SessionPtr session = heavySession(3);
    const auto axis
        = parseAxis(*preset(policy.toStdString()), *session, text.toStdString(), static_cast<size_t>(count));
    QVERIFY2(axis.has_value(), axis ? "" : axis.error().message.c_str());
    QCOMPARE(axis->values.size(), size_t(values));
    QCOMPARE(axis->textOf(axis->values.front()), first.toStdString());
    QCOMPARE(axis->textOf(axis->values.back()), last.toStdString());
    QVERIFY(std::ranges::is_sorted(axis->values));
    QCOMPARE(axis->nearest(axis->values.back() * 2), axis->values.size() - 1);
}

/// Beside its two ends, an axis has numbers that people would write.
void SweepTest::aDifferenceIsSaid()
{
    SweepFigures run;
    run.values.fill(kUnknownFigure);
    SweepFigures other = run;
    QCOMPARE(differenceWords(run, other), "");
    run[SweepMetric::Tokens] = 120'000;
    other[SweepMetric::Tokens] = 100'000;
    QCOMPARE(differenceWords(run, other), "20.0k more tokens sent");
    run[SweepMetric::Cost] = 1.5;
    other[SweepMetric::Cost] = 4;
    QCOMPARE(differenceWords(run, other), "$2.50 less");
    run[SweepMetric::LostUses] = 1;
    other[SweepMetric::LostUses] = 5;
    run[SweepMetric::LostMessages] = 3;
    other[SweepMetric::LostMessages] = 2;
    QCOMPARE(differenceWords(run, other), "$2.50 less, 4 fewer lost uses, 1 more lost user message");
    QCOMPARE(differenceWords(run, run), "the same cost, as many lost uses, as many lost user messages");
}

void SweepTest::settingsHaveWords()
{
    QCOMPARE(settingWords("keep"), "keep");
    QCOMPARE(settingWords("clear-tool-uses.at-least"), "clear old tool uses: at least");
    for (const PolicyPtr &policy : presets()) {
        std::set<std::string> known;
        for (const std::string &setting : sweepSettings(*policy)) {
            const std::string words = settingWords(setting);
            QVERIFY2(words.contains(": ") == setting.contains('.') && known.insert(words).second, words.c_str());
        }
    }
}

void SweepTest::valuesAreRound()
{
    const SessionPtr session = heavySession(3);
    const auto textsOf = [&](const char *text, size_t count) {
        const auto axis = parseAxis(*preset("deep-agents"), *session, text, count);
        QStringList texts;
        for (const double value : axis->values)
            texts << QString::fromStdString(axis->textOf(value));
        return texts.join(u' ');
    };
    QCOMPARE(textsOf("keep=4096tok..24000tok", 5), u"4096tok 9000tok 14000tok 19000tok 24000tok"_s);
    QCOMPARE(textsOf("keep=0.0212w..0.6w", 5), u"0.0212w 0.17w 0.31w 0.46w 0.6w"_s);
    QCOMPARE(textsOf("keep=10000tok..10050tok", 6), u"10000tok 10010tok 10020tok 10030tok 10040tok 10050tok"_s);
    QCOMPARE(textsOf("keep=10000tok..10010tok", 6), u"10000tok 10002tok 10004tok 10006tok 10008tok 10010tok"_s);
}

void SweepTest::axesThatAreNone_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("no such setting") << "colour";
    QTest::newRow("no range") << "keep=0.1w";
    QTest::newRow("backwards") << "keep=0.5w..0.1w";
    QTest::newRow("no unit") << "keep=1..4";
    QTest::newRow("two units") << "keep=0.1w..5000tok";
    QTest::newRow("more than the window") << "keep=0.5w..1.5w";
    QTest::newRow("no numbers") << "clip-arguments.cap=a..b";
    QTest::newRow("no number") << "template=1..2";
    QTest::newRow("a parameter of several stages") << "cap=100..1500";
}

void SweepTest::axesThatAreNone()
{
    QFETCH(const QString, text);
    const auto axis = parseAxis(*preset("deep-agents"), *heavySession(3), text.toStdString(), 4);
    QVERIFY(!axis);
    QCOMPARE(int(axis.error().kind), int(ErrorKind::Usage));
    QVERIFY(axis.error().message.ends_with('.'));
}

/// An answer about the harness's own settings does not depend on what is tried meanwhile.
void SweepTest::thePresetsValueStaysInTheRange()
{
    const Policy tried = *withSetting(*preset("claude-code-2.1.20"), "keep", "9msg");
    const auto axis = parseAxis(tried, *heavySession(3), "keep", 16);
    QVERIFY(axis.has_value());
    QCOMPARE(axis->values.front(), 0.0);
}

void SweepTest::settingAnAxisIsSettingThePolicy()
{
    const SessionPtr session = heavySession(3);
    for (const PolicyPtr &policy : presets()) {
        std::vector<std::string> settings { "trigger=1000tok..90000tok", "keep=1000tok..9000tok", "keep=2msg..9msg" };
        for (const StageSpec &stage : policy->stages) {
            for (const ParameterSpec &spec : stageKind(stage.stage)->parameters) {
                if (spec.type == ParameterSpec::Type::Count || spec.type == ParameterSpec::Type::Number)
                    settings.push_back(std::format("{}.{}", stage.stage, spec.name));
            }
        }
        for (const std::string &setting : settings) {
            const auto axis = parseAxis(*policy, *session, setting, 3);
            QVERIFY2(axis.has_value(), (policy->id + " " + setting).c_str());
            for (const double value : axis->values) {
                Policy one = *policy;
                set(one, *axis, value);
                const auto other = withSetting(*policy, axis->setting, axis->textOf(value));
                QVERIFY2(other.has_value(), setting.c_str());
                QCOMPARE(one.trigger.text(), other->trigger.text());
                QCOMPARE(one.keep.measure, other->keep.measure);
                QCOMPARE(one.stages.size(), other->stages.size());
                for (size_t i = 0; i < one.stages.size(); ++i)
                    QVERIFY2(one.stages[i].values == other->stages[i].values, (policy->id + " " + setting).c_str());
                QCOMPARE(valueIn(*other, *axis), std::optional(value));
            }
        }
    }
}

void SweepTest::valuesAreReadInTheUnitOfTheAxis()
{
    constexpr double kWindow = 200'000;
    Policy policy = *preset("claude-code");
    policy.trigger.measures.assign(1, { 1, Measure::Unit::WindowFraction, 33'000 });
    policy.keep.measure = { 20'000, Measure::Unit::Tokens };
    const auto in = [&](const char *setting, Measure::Unit unit, double window) {
        return valueIn(policy, { setting, unit, { 0, 1 } }, window);
    };
    QCOMPARE(in("trigger", Measure::Unit::WindowFraction, kWindow), std::optional(0.835));
    QCOMPARE(in("trigger", Measure::Unit::Tokens, kWindow), std::optional(167'000.0));
    QCOMPARE(in("trigger", Measure::Unit::WindowFraction, 0), std::nullopt); // the window is not known
    QCOMPARE(in("keep", Measure::Unit::WindowFraction, kWindow), std::optional(0.1));
    QCOMPARE(in("keep", Measure::Unit::Tokens, 0), std::optional(20'000.0));
    QCOMPARE(in("keep", Measure::Unit::Messages, kWindow), std::nullopt);
}

void SweepTest::cutsTellWhatReplayTells_data() { testing::addCorpusRows(12); }

void SweepTest::cutsTellWhatReplayTells()
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
    std::mt19937_64 random = seededRandom();
    ReplayOptions options;
    options.memo = memo;
    size_t told = 0;
    size_t untold = 0;
    size_t tableless = 0;
    for (size_t thread = 0; thread < std::min<size_t>(session->threads.size(), 3); ++thread) {
        const ReplayGroundPtr ground = replayGround(session, ThreadIndex(thread), tokens);
        const auto uses = findUses(*session, ThreadIndex(thread));
        std::vector<PolicyPtr> all = policies();
        if (!qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES")) {
            std::ranges::shuffle(all, random);
            all.resize(8);
        }
        for (const PolicyPtr &policy : all) {
            const CutTablesPtr tables = cutTables(ground, policy, &*uses, memo);
            tableless += tables ? 0 : 1;
            if (!tables)
                continue;
            CutReplay cuts(tables);
            for (int i = caseCount(4); i > 0; --i) {
                const auto varied = std::make_shared<const Policy>(drawn(*policy, random));
                if (!cuts.run(*varied)) {
                    ++untold;
                    continue;
                }
                ++told;
                const ReplayPtr replayed = replay(ground, varied, options);
                const std::string found = difference(cuts, *replayed);
                const std::string name = std::format("{} {} keep {} trigger {}: ", policy->id,
                    policy->persistence == Persistence::View ? "view" : "persistent", varied->keep.measure.text(),
                    varied->trigger.text());
                QVERIFY2(found.empty(), (name + found).c_str());
                const Regret regret
                    = regretOf(*session, *uses, replayed->spans, *tokens, *ground->sums, RegretWorld::Simulated);
                const CutReplay::Losses &losses = cuts.findLosses();
                QVERIFY2(losses.lost == regret.of()[UseFate::Lost],
                    std::format("{}loses {} | {}", name, losses.lost, regret.of()[UseFate::Lost]).c_str());
                QCOMPARE(losses.fetched, regret.of()[UseFate::Fetched]);
                QVERIFY(std::abs(losses.fetchTokens - regret.fetchTokens()) < 0.01);
                QCOMPARE(losses.lostMessages, regret.lostMessages.size());
            }
        }
    }
    qInfo("%zu replays by cuts, %zu could not be told, %zu policies without tables", told, untold, tableless);
}

/// What was typed right before a recorded compaction stands in a policy's arrays, and carries what it repeats.
void SweepTest::messagesLiveOnInWhatNoCallWasSent()
{
    constexpr auto kOrder = "never touch the files below the vendor folder";
    RecordedSession recording;
    recording.typed(kOrder);
    for (int i = 0; i < 8; ++i) {
        recording.use("Read", std::format("{}.cpp", i), 40, 2'000);
        recording.result(4'000);
    }
    recording.typed(kOrder);
    recording.summarise(400);
    for (int i = 0; i < 4; ++i) {
        recording.use("Read", std::format("{}.cpp", i), 40, 2'000);
        recording.result(400);
    }
    const SessionPtr session = recording.finish();
    const SweepGroundPtr ground = sweepGround(session, kMain, roughTokens(*session), Prices::bundled());
    const PolicyPtr policy = preset("langchain-summarization");
    const auto keep = parseAxis(*policy, *session, "keep=1msg..24msg", 24);
    const auto trigger = parseAxis(*policy, *session, "trigger=1000tok..4000tok", 3);
    const SweepPtr made = sweep(ground, policy, *keep, *trigger, {});
    bool isCarried = false;
    for (size_t row = 0; row < trigger->values.size(); ++row) {
        for (size_t column = 0; column < keep->values.size(); ++column) {
            const auto single = std::make_shared<const Policy>(policyAt(*made, column, row).value());
            QCOMPARE(testing::difference(*made->at(column, row), *sweepCell(*ground, single)), std::string());
            const ReplayPtr replayed = replay(ground->recorded->ground, single);
            const bool isFirstGone = std::ranges::none_of(replayed->spans.spans, [&](const ContextSpan &span) {
                return span.block == BlockId(0) && span.to > replayed->spans.callCount;
            });
            isCarried = isCarried || (isFirstGone && (*made->at(column, row))[SweepMetric::LostMessages] == 0);
        }
    }
    QVERIFY(isCarried);
}

void SweepTest::cellsAreSingleReplays_data()
{
    testing::addCorpusRows(6);
    // Its thinking and its clearing keep the sum of the parts below the prompt for many calls.
    constexpr auto kHidden = "claude-code/entireio+cli/cd-95adddad32-0.full.jsonl";
    if (std::filesystem::exists(testing::corpus() / kHidden))
        QTest::newRow("prompts beyond the array") << QString::fromUtf8(kHidden);
}

void SweepTest::cellsAreSingleReplays()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    const auto loaded = loadSession(testing::corpus() / file.toStdString());
    if (!loaded)
        QSKIP("This file cannot be read.");
    // As the program counts them: thinking weighs otherwise in its own turn, and clearings leave text out.
    const SweepGroundPtr ground = sweepGround(*loaded, kMain, countedTokens(**loaded, 2, nullptr), Prices::bundled());
    std::mt19937_64 random = seededRandom();
    const auto &all = presets();
    for (int i = caseCount(3); i > 0; --i) {
        const PolicyPtr &policy = all[1 + random() % (all.size() - 1)];
        const auto keep
            = parseAxis(*policy, **loaded, random() % 2 == 0 ? "keep=500tok..30000tok" : "keep=1msg..40msg", 5);
        const auto trigger = parseAxis(*policy, **loaded, "trigger=2000tok..190000tok", 4);
        SweepOptions options;
        options.threads = 2;
        const SweepPtr made = sweep(ground, policy, *keep, *trigger, options);
        for (int k = 0; k < 4; ++k) {
            const size_t column = random() % keep->values.size();
            const size_t row = random() % trigger->values.size();
            const auto single = policyAt(*made, column, row);
            QVERIFY(single.has_value());
            const auto cell = sweepCell(*ground, std::make_shared<const Policy>(*single));
            const std::string found = testing::difference(*made->at(column, row), *cell);
            QVERIFY2(found.empty(),
                std::format("{} keep={} trigger={}: {}", policy->id, keep->textOf(keep->values[column]),
                    trigger->textOf(trigger->values[row]), found)
                    .c_str());
        }
    }
}

void SweepTest::coarseCellsComeFirst()
{
    const SessionPtr session = heavySession(30);
    const SweepGroundPtr ground = sweepGround(session, kMain, roughTokens(*session), Prices::bundled());
    const PolicyPtr policy = preset("langchain-summarization");
    const auto keep = parseAxis(*policy, *session, "keep=1msg..16msg", 16);
    const auto trigger = parseAxis(*policy, *session, "trigger=1000tok..16000tok", 16);
    std::vector<SweepPtr> published;
    SweepOptions options;
    options.publish = [&](const SweepPtr &each) { published.push_back(each); };
    const SweepPtr whole = sweep(ground, policy, *keep, *trigger, options);
    QVERIFY(!published.empty());
    for (size_t row = 0; row < 16; ++row) {
        for (size_t column = 0; column < 16; ++column) {
            QVERIFY(whole->at(column, row).has_value());
            QCOMPARE(published.front()->at(column, row).has_value(), row % 4 == 0 && column % 4 == 0);
        }
    }
    // What was shown at first stays.
    QVERIFY(testing::difference(*published.front()->at(4, 8), *whole->at(4, 8)).empty());
    QVERIFY(!testing::difference(*whole->at(0, 0), *whole->at(15, 15)).empty());
}

void SweepTest::aCancelledSweepIsNone()
{
    const SessionPtr session = heavySession(10);
    const SweepGroundPtr ground = sweepGround(session, kMain, roughTokens(*session), Prices::bundled());
    const PolicyPtr policy = preset("langchain-summarization");
    Progress progress;
    progress.cancel();
    SweepOptions options;
    options.progress = &progress;
    QVERIFY(!sweep(ground, policy, *parseAxis(*policy, *session, "keep", 4),
        *parseAxis(*policy, *session, "trigger", 4), options));
}

PALIMPSEST_TEST(SweepTest)

#include "tst_sweep.moc"
