// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/context_curve.h"
#include "core/formats/reading/format.h"
#include "core/replay/replay.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <format>

using namespace core;

namespace {

const ThreadIndex kMain(0U);

/// A compaction between two calls of a recording or a replay.
struct Event {
    size_t call = 0;   ///< the first call behind it
    double before = 0; ///< prompt of the call before it
    double after = 0;  ///< of the call behind it; 0 if none followed
};

/// The preset of the harness, or the one that is nearest: an agent that summarises by itself and keeps a tail.
const char *presetOf(const Session &session) { return session.format == "pi" ? "pi" : "deep-agents"; }

std::vector<Event> recordedEvents(const Session &session, const ContextCurve &curve)
{
    std::vector<Event> events;
    for (const RecordedCompaction &each : session.thread(kMain).compactions) {
        if (each.kind != CompactionKind::Summary && each.kind != CompactionKind::Replacement)
            continue;
        const size_t call = each.call.isValid() ? each.call.index() + 1 : 0;
        const double before = call > 0 ? curve.calls[call - 1].tokens : 0;
        events.push_back({ call, before, call < curve.calls.size() ? curve.calls[call].tokens : 0 });
    }
    return events;
}

std::vector<Event> simulatedEvents(const Replay &replay)
{
    std::vector<Event> events;
    for (size_t i = 1; i < replay.steps.size(); ++i) {
        if (replay.steps[i].writtenSummary > 0)
            events.push_back({ i, replay.steps[i - 1].tokens, replay.steps[i].tokens });
    }
    return events;
}

/// One session: what happened, and what its preset would have done. Behind the first recorded compaction the replay is
/// of another world, so that only the first ones can be compared.
struct Row {
    std::string file;
    std::string preset;
    double window = 0;
    std::vector<Event> recorded;
    std::vector<Event> simulated;
    double peak = 0; ///< of the recorded prompts

    [[nodiscard]] bool bothActed() const { return !recorded.empty() && !simulated.empty(); }
    /// How many calls later the preset acts first; negative if earlier.
    [[nodiscard]] long distance() const
    {
        return static_cast<long>(simulated.front().call) - static_cast<long>(recorded.front().call);
    }
    [[nodiscard]] std::string line() const
    {
        const auto sizes = [](const std::vector<Event> &events) {
            return events.empty() ? std::string("—")
                                  : std::format("call {}, {:.0f} to {:.0f}", events.front().call, events.front().before,
                                        events.front().after);
        };
        return std::format("{}: {} recorded (first: {}), {} by {} (first: {}), {} calls apart, peak {:.0f} of {:.0f}",
            file, recorded.size(), sizes(recorded), simulated.size(), preset, sizes(simulated),
            bothActed() ? std::to_string(distance()) : "—", peak, window);
    }
};

Row rowOf(const std::string &file, const SessionPtr &session)
{
    const BlockTokensPtr tokens = roughTokens(*session);
    const ContextCurve curve = contextCurve(*arraySums(*session, kMain, *tokens), *tokens);
    Row row;
    row.file = file.substr(file.find_last_of('/') + 1);
    row.preset = presetOf(*session);
    const PolicyPtr policy = preset(row.preset);
    row.window = policy->windowOf(*session);
    row.recorded = recordedEvents(*session, curve);
    ReplayOptions options;
    options.keepsSpans = false;
    const ReplayPtr made = replay(replayGround(session, kMain, tokens), policy, options);
    row.simulated = simulatedEvents(*made);
    for (const ContextPoint &each : curve.calls)
        row.peak = std::max(row.peak, each.tokens);
    return row;
}

std::vector<Row> rowsOf(const std::string &folder)
{
    std::vector<Row> rows;
    for (const std::string &file : testing::corpusFiles({ folder })) {
        const auto session = loadSession(testing::corpus() / file);
        if (!session || (*session)->thread(kMain).calls.size() < 2)
            continue;
        rows.push_back(rowOf(file, *session));
        if (!rows.back().recorded.empty() || !rows.back().simulated.empty())
            qInfo("%s", rows.back().line().c_str());
    }
    return rows;
}

const Row *rowNamed(const std::vector<Row> &rows, std::string_view file)
{
    const auto found = std::ranges::find(rows, file, &Row::file);
    return found == rows.end() ? nullptr : &*found;
}

/// The call at which the preset with its clearing, which is off since version 2.1.21, would first clear results, before
/// any recorded summary.
std::optional<size_t> clearingCall(const SessionPtr &session, const ReplayGroundPtr &ground)
{
    PolicyPtr policy = ownPresets(*session).front();
    for (const auto &[stage, setting] : { std::pair("clear-tool-uses", "on"), std::pair("summarise", "off") })
        policy = std::make_shared<const Policy>(*withSetting(*policy, stage, setting));
    const ReplayPtr made = replay(ground, policy, {});
    for (size_t call = 0; call < made->steps.size(); ++call) {
        if (made->steps[call].hasFired)
            return call;
        if (made->steps[call].isCounterfactual)
            break; // the first such array is the recorded one, before its compaction
    }
    return std::nullopt;
}

} // namespace

/// What presets would have done beside what harnesses did, session by session.
class ReplayRecordedTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void piActsWherePiActed();
    void claudeCodeActsBeforeDeepAgentsWould();
    void claudeCodeClearsWhereItsPresetDoes();
    void othersHaveNothingToCompare();
};

void ReplayRecordedTest::initTestCase()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
}

/// The preset of the harness itself. The versions of December 2025 acted some thousand tokens earlier or when told to,
/// which the files do not say; the replay sees answers before the log has them, and acts within five calls.
void ReplayRecordedTest::piActsWherePiActed()
{
    const std::vector<Row> rows = rowsOf("pi");
    for (const char *file : { "before-compaction.jsonl", "compact.v1.jsonl" }) {
        const Row *row = rowNamed(rows, file);
        QVERIFY(row != nullptr && row->bothActed());
        QCOMPARE(row->recorded.size(), size_t(2));
        QVERIFY(std::abs(row->distance()) <= 5);
        const Event recorded = row->recorded.front();
        const Event simulated = row->simulated.front();
        // Within a tenth of the window before; after, the same 20,000 tokens are kept behind summaries and prompts.
        QVERIFY(std::abs(simulated.before - recorded.before) < 0.14 * row->window);
        QVERIFY(simulated.after > recorded.after && simulated.after < recorded.after + 15'000);
    }
    // The third is at the end, where two compactions of the file lie behind: of the log without them.
    QCOMPARE(rowNamed(rows, "before-compaction.jsonl")->simulated.size(), size_t(3));
    // The second one of this file was asked for by an extension, at 131,140 tokens: nothing else acts there.
    QCOMPARE(rowNamed(rows, "compact.v1.jsonl")->simulated.size(), size_t(1));
    // A session of 441 calls that never comes near the threshold.
    const Row *quiet = rowNamed(rows, "large-session.jsonl");
    QVERIFY(quiet != nullptr && quiet->recorded.empty() && quiet->simulated.empty());
    QVERIFY(quiet->peak < 0.918 * quiet->window);
    // A made fixture that was compacted by hand at 12 tokens, of a model whose window nobody knows.
    QCOMPARE(rowNamed(rows, "small.jsonl")->simulated.size(), size_t(0));
}

/// Claude Code acts between 75 and 83 % of the window, Deep Agents from 85 %: always later, and with a tail that Claude
/// Code does not keep.
void ReplayRecordedTest::claudeCodeActsBeforeDeepAgentsWould()
{
    size_t compared = 0;
    for (const Row &row : rowsOf("claude-code")) {
        for (const Event &each : row.recorded)
            QVERIFY2(each.before < 0.85 * row.window, row.line().c_str());
        QVERIFY2(row.recorded.empty() || row.recorded.front().before >= 0.75 * row.window, row.line().c_str());
        for (const Event &each : row.simulated)
            QVERIFY2(each.before > 0.8 * row.window, row.line().c_str());
        if (!row.bothActed())
            continue;
        ++compared;
        QVERIFY2(row.distance() >= 1 && row.distance() <= 24, row.line().c_str());
        const Event simulated = row.simulated.front();
        const bool isMostlyUnlogged = simulated.after > 0.8 * simulated.before; // nothing of it is in the array
        QVERIFY2(isMostlyUnlogged == (row.file == "b0-2936744f3b-0.full.jsonl"), row.line().c_str());
    }
    QCOMPARE(compared, size_t(9));
}

void ReplayRecordedTest::claudeCodeClearsWhereItsPresetDoes()
{
    size_t same = 0;
    std::vector<std::string> without; // cleared nothing where the preset clears
    for (const std::string &file : testing::corpusFiles({ "claude-code" })) {
        const auto session = loadSession(testing::corpus() / file);
        if (!session || (*session)->thread(kMain).calls.size() < 2)
            continue;
        const ReplayGroundPtr ground = replayGround(*session, kMain, roughTokens(**session));
        const auto predicted = clearingCall(*session, ground);
        if (!predicted)
            continue;
        const bool isRecorded
            = std::ranges::any_of((*session)->thread(kMain).compactions,
                  [&](const RecordedCompaction &each) {
                      return each.kind == CompactionKind::Clearing && each.call.index() + 1 == *predicted;
                  })
            || std::ranges::contains(ground->clearings, *predicted, &SilentClearing::from);
        if (isRecorded)
            ++same;
        else
            without.push_back(std::format("{} {}", (*session)->harness, file.substr(file.find_last_of('/') + 1, 2)));
    }
    std::ranges::sort(without);
    std::string names;
    for (const std::string &each : without)
        names += (names.empty() ? "" : ", ") + each;
    qInfo("%zu at the call of the preset; nothing there: %s", same, names.c_str());
    QCOMPARE(same, size_t(3));
    // Versions from 2.1.29 on cleared nothing.
    QCOMPARE(names, std::string("Claude Code 2.1.29 38, Claude Code 2.1.32 90, Claude Code 2.1.7 cd"));
}

/// Codex acts on its own at other sizes, or when told to; LangChain's sessions are far below every trigger.
void ReplayRecordedTest::othersHaveNothingToCompare()
{
    size_t acted = 0;
    for (const char *folder : { "codex", "langchain" }) {
        for (const Row &row : rowsOf(folder)) {
            QVERIFY2(!row.bothActed(), row.line().c_str());
            acted += row.simulated.empty() ? 0 : 1;
        }
    }
    QCOMPARE(acted, size_t(1)); // of 270,992 tokens in a window of 272,000: Codex's own limit lies higher
}

PALIMPSEST_TEST(ReplayRecordedTest)
#include "tst_replay_recorded.moc"
