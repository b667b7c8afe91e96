// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/reach.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/reach_report.h"
#include "tests/evidence.h"
#include "tests/recorded_session.h"
#include "tests/script.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

/// A file is read and edited `edits` times, with `between` characters of other text before each edit.
void writeEdits(Script &script, std::string_view path, int edits, size_t between)
{
    std::string body;
    for (int i = 0; i < edits; ++i)
        body += std::string(path) + " line " + std::to_string(i) + "\n";
    script.read(path);
    script.result(body);
    for (int i = 0; i < edits; ++i) {
        script.text(Role::Assistant, std::string(between, 'x'));
        script.edit(path, std::string(path) + " line " + std::to_string(i), "new " + std::to_string(i));
        script.result("ok");
    }
}

std::vector<double> distancesOf(const SessionPtr &session)
{
    ReachCollector collector;
    collector.add("", *session, *oneTokenACharacter(*session));
    return collector.summary().sessions.front().reach.distances();
}

/// Per mille within 5k, 10k, 20k, 40k and 80k tokens.
std::string curve(const Reach &reach)
{
    std::string text;
    for (const double tokens : { 5e3, 10e3, 20e3, 40e3, 80e3 })
        text
            += (text.empty() ? "" : "/") + std::to_string(static_cast<size_t>(reach.shareWithin(tokens) * 1000 + 1e-6));
    return text;
}

/// `count` uses from `first` tokens back on, each `step` further.
Reach straight(size_t count, double first, double step)
{
    std::vector<double> distances;
    for (size_t i = 0; i < count; ++i)
        distances.push_back(first + static_cast<double>(i) * step);
    return Reach(distances);
}

} // namespace

/// How far back uses reach.
class ReachTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsHoldTheFiguresThatAreTold();
    void sharesEqualCounting();
    void aKeepIsTheLeastThatReaches();
    void theSpreadIsOverSessionsThatHaveUses();
    void distancesAreThoseOfTheLog();
    void aBindingToTheFirstReachesFurther();
    void copiedRecordsCountOnce();
    void equalCallsOfOneSessionAllCount();
    void subagentsAreLeftOut();
    void addingStopsWhenCancelled();
    void documents();
    void theEvidenceIsReproduced();
};

void ReachTest::stepsHoldTheFiguresThatAreTold()
{
    const auto steps = reachSteps();
    QVERIFY(std::ranges::is_sorted(steps, std::ranges::less_equal()));
    for (const double told : { 625.0, 5e3, 10e3, 20e3, 40e3, 80e3, 320e3 })
        QVERIFY(std::ranges::contains(steps, told));
    for (size_t i = 1; i < steps.size(); ++i)
        QVERIFY(std::abs(steps[i] / steps[i - 1] - std::exp2(0.25)) < 0.001);
}

void ReachTest::sharesEqualCounting()
{
    std::mt19937_64 random = seededRandom();
    for (int round = 0; round < caseCount(100); ++round) {
        std::vector<double> distances(random() % 30);
        for (double &each : distances)
            each = static_cast<double>(random() % 20);
        const Reach reach(distances);
        QCOMPARE(reach.useCount(), distances.size());
        for (double tokens = -1; tokens <= 20; tokens += 0.5) {
            const auto within = std::ranges::count_if(distances, [&](double each) { return each <= tokens; });
            QCOMPARE(reach.shareWithin(tokens),
                distances.empty() ? 0.0 : static_cast<double>(within) / static_cast<double>(distances.size()));
        }
    }
}

void ReachTest::aKeepIsTheLeastThatReaches()
{
    const Reach reach({ 9, 1, 5, 5, 7, 3, 2, 8, 4, 6 });
    QCOMPARE(reach.keepFor(0.5), 5.0);
    QCOMPARE(reach.keepFor(0.95), 9.0);
    QCOMPARE(reach.keepFor(0.9), 8.0);
    QCOMPARE(reach.keepFor(0), 1.0);
    QCOMPARE(reach.keepFor(1), 9.0);
    for (const double share : { 0.1, 0.25, 0.5, 0.77, 0.95 }) {
        const double keep = reach.keepFor(share);
        QVERIFY(reach.shareWithin(keep) >= share);
        QVERIFY(reach.shareWithin(keep - 0.001) < share);
    }
    QCOMPARE(Reach().keepFor(0.95), 0.0);
    QCOMPARE(Reach().shareWithin(1e9), 0.0);
}

void ReachTest::theSpreadIsOverSessionsThatHaveUses()
{
    ReachSummary summary;
    for (int i = 0; i < 11; ++i) // session i reaches i tenths within 5,000 tokens
        summary.sessions.push_back({ "", straight(10, 5000.0 - 500.0 * i + 500, 500), 0 });
    summary.sessions.push_back({ "too few", Reach({ 1e6, 1e6, 1e6, 1e6 }), 0 });
    summary.sessions.push_back({ "none", Reach(), 0 });
    QCOMPARE(summary.sessionCount(), size_t(11));
    const auto steps = reachSteps();
    const auto at = static_cast<size_t>(std::ranges::find(steps, 5000.0) - steps.begin());
    const ReachSummary::Spread spread = summary.spread();
    QCOMPARE(spread.low[at], 0.1);
    QCOMPARE(spread.median[at], 0.5);
    QCOMPARE(spread.high[at], 0.9);
    QCOMPARE(summary.keepsFor(0.95).size(), size_t(11));
    QCOMPARE(summary.keepsFor(0.95).back(), 5500.0 + 9 * 500);
    QCOMPARE(summary.all().useCount(), size_t(114));
    QCOMPARE(ReachSummary().spread().median[at], 0.0);
    QCOMPARE(ReachSummary().all().useCount(), size_t(0));
}

void ReachTest::distancesAreThoseOfTheLog()
{
    Script script;
    writeEdits(script, "a.py", 2, 100);
    const SessionPtr made = script.finish();
    // Both need what was read: with 100 characters behind it, and with the first edit, its answer and 100 more.
    const auto tokens = oneTokenACharacter(*made);
    const double read = tokens->of(BlockId(1));
    QCOMPARE(distancesOf(made), (std::vector<double> { read + 100, read + 100 + tokens->of(BlockId(3)) + 2 + 100 }));
}

void ReachTest::aBindingToTheFirstReachesFurther()
{
    Script script;
    script.read("a.py");
    script.result("one line of it");
    script.text(Role::Assistant, std::string(500, 'x'));
    script.read("a.py");
    script.result("one line of it, again");
    script.edit("a.py", "one line of it", "another");
    const SessionPtr made = script.finish();
    const auto tokens = oneTokenACharacter(*made);
    ReachCollector first({ .binding = UseBinding::First });
    first.add("", *made, *tokens);
    QCOMPARE(distancesOf(made), std::vector<double> { 21 }); // what the second reading shows
    QVERIFY(first.summary().all().keepFor(1) > 500);
}

void ReachTest::copiedRecordsCountOnce()
{
    Script early;
    writeEdits(early, "a.py", 3, 10);
    Script resumed; // the same records, and more
    writeEdits(resumed, "a.py", 3, 10);
    writeEdits(resumed, "b.py", 2, 10);
    Script other; // the same ids with other texts
    writeEdits(other, "c.py", 4, 10);
    ReachCollector collector;
    for (Script *script : { &early, &resumed, &other }) {
        const SessionPtr made = script->finish();
        QVERIFY(collector.add("", *made, *oneTokenACharacter(*made)));
    }
    const ReachSummary &summary = collector.summary();
    QCOMPARE(summary.sessions[0].reach.useCount(), size_t(3));
    QCOMPARE(summary.sessions[0].copies, size_t(0));
    QCOMPARE(summary.sessions[1].reach.useCount(), size_t(2));
    QCOMPARE(summary.sessions[1].copies, size_t(3));
    QCOMPARE(summary.sessions[2].reach.useCount(), size_t(4));
    QCOMPARE(summary.sessions[2].copies, size_t(0));
}

void ReachTest::equalCallsOfOneSessionAllCount()
{
    Script script;
    script.read("a.py");
    script.result("same text");
    const std::string both = R"({"edits": [{"oldText": "same text"}, {"oldText": "same"}]})";
    script.call("edit", "a.py", both);
    script.result("ok");
    script.call("edit", "a.py", both);
    script.result("ok");
    QCOMPARE(distancesOf(script.finish()).size(), size_t(4));
}

void ReachTest::subagentsAreLeftOut()
{
    for (const ThreadKind kind : { ThreadKind::Run, ThreadKind::Subagent }) {
        Script script;
        writeEdits(script, "a.py", 2, 10);
        auto made = std::make_shared<Session>(*script.finish());
        made->threads.push_back(made->threads.front());
        made->threads.back().kind = kind;
        QCOMPARE(distancesOf(made).size(), kind == ThreadKind::Run ? size_t(4) : size_t(2));
    }
}

void ReachTest::addingStopsWhenCancelled()
{
    Script script;
    writeEdits(script, "a.py", 2, 10);
    const SessionPtr made = script.finish();
    ReachCollector collector;
    Progress progress;
    progress.cancel();
    QVERIFY(!collector.add("", *made, *oneTokenACharacter(*made), &progress));
    QVERIFY(collector.summary().sessions.empty());
    QVERIFY(collector.add("", *made, *oneTokenACharacter(*made)));
    QCOMPARE(collector.summary().sessions.front().copies, size_t(0));
}

void ReachTest::documents()
{
    ReachSummary summary;
    summary.sessions.push_back({ "a, \"b\".jsonl", straight(10, 1000, 1000), 2 });
    summary.sessions.push_back({ "none", Reach(), 0 });
    const Json document = parseJson(jsonText(reachJson(summary)));
    QCOMPARE(document["schema"], Json("palimpsest.reach/1"));
    QCOMPARE(document["kind"], Json("quote"));
    QCOMPARE(document["uses"], Json(10));
    QCOMPARE(document["sessions"].size(), size_t(2));
    const Json &session = document["sessions"][0];
    QCOMPARE(session["file"], Json("a, \"b\".jsonl"));
    QCOMPARE(session["uses"], Json(10));
    QCOMPARE(session["copied_uses"], Json(2));
    QCOMPARE(session["keep_95"]["value"], Json(10'000));
    QCOMPARE(session["curve"].size(), kReachSteps);
    QVERIFY(std::ranges::contains(session["curve"], Json::array({ 5000.0, 0.5 })));
    QVERIFY(std::ranges::contains(document["median"], Json::array({ 5000.0, 0.5 })));
    QVERIFY(std::ranges::contains(document["spread"], Json::array({ 5000.0, 0.5, 0.5 })));
    QVERIFY(document["sessions"][1]["keep_95"].is_null());
    QVERIFY(document["sessions"][1]["curve"].empty());

    const QStringList lines = QString::fromStdString(reachCsv(summary)).split(u'\n');
    QCOMPARE(lines.size(), 7); // the last line ends
    QVERIFY(lines[0].startsWith(u"file,uses,keep_95,625,"_s));
    QVERIFY(lines[1].startsWith(u"\"a, \"\"b\"\".jsonl\",10,10000,0.0000,"_s));
    QCOMPARE(lines[2], u"none,0"_s + QString(kReachSteps + 1, u',')); // what is not known is no zero
    QVERIFY(lines[4].startsWith(u"median,,10000,0.0000,"_s));
    for (qsizetype i : { 0, 3, 4, 5 })
        QCOMPARE(lines[i].count(u','), qsizetype(kReachSteps) + 2);

    const QString drawn = QString::fromStdString(drawReach(summary));
    QVERIFY(drawn.contains(
        u"2 sessions with 10 uses of kind quote. The medians count only sessions with 5 or more uses: 1 session."_s));
    QVERIFY(drawn.contains(u"within the last 5k 50 % · 10k 100 %"_s));
    QVERIFY(drawn.contains(u"needs a keep of ~10.0k tokens"_s));
    QVERIFY(!drawReach(ReachSummary()).contains("keep"));

    ReachSummary unknown;
    unknown.sessions.push_back({ "none", Reach(), 0 });
    const QStringList empty = QString::fromStdString(reachCsv(unknown)).split(u'\n');
    QCOMPARE(empty[3], u"median,"_s + QString(kReachSteps + 1, u','));
    for (const char *member : { "all", "median", "spread" })
        QVERIFY(parseJson(jsonText(reachJson(unknown)))[member].empty());
}

/// D5 to D7 and D9 over the sessions of the evidence and three small ones, in characters / 3.3; records that a resumed
/// file copied count once.
void ReachTest::theEvidenceIsReproduced()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto loaded = evidenceSessions();
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().sentence().c_str());
    const std::vector<SessionPtr> &sessions = *loaded;
    const CommonNames common = commonNames(sessions);
    ReachCollector quotes;
    ReachCollector names({ .kind = UseKind::Name, .commonNames = &common });
    ReachCollector first({ .kind = UseKind::Name, .binding = UseBinding::First, .commonNames = &common });
    for (size_t i = 0; i < sessions.size(); ++i) {
        const BlockTokensPtr tokens = charactersBy33(*sessions[i]);
        quotes.add(evidenceFiles()[i], *sessions[i], *tokens);
        names.add(evidenceFiles()[i], *sessions[i], *tokens);
        first.add(evidenceFiles()[i], *sessions[i], *tokens);
    }
    // D14: `6d` holds all that `04` does, `be` nothing that they do not.
    const auto session = [&](size_t i) { return quotes.summary().sessions[i]; };
    QCOMPARE(session(0).reach.useCount(), size_t(5)); // 04
    QCOMPARE(session(8).copies, size_t(5));           // 6d
    QCOMPARE(session(8).reach.useCount(), size_t(3));
    QCOMPARE(session(13).copies, size_t(7)); // be
    QCOMPARE(session(13).reach.useCount(), size_t(0));

    // D5: 67/78/88/95/99 % there, with those whose text a silent clearing may have removed.
    const Reach all = quotes.summary().all();
    const auto unsure = [](const ReachCollector &of) {
        size_t count = 0;
        for (const SessionReach &each : of.summary().sessions)
            count += each.unsure;
        return count;
    };
    QCOMPARE(all.useCount() + unsure(quotes), size_t(807));
    QCOMPARE(curve(all), std::string("669/773/871/946/989"));
    // D6, rare code-shaped names: 67/77/87/94/98 %. Those of the resumed sessions are in three files and not rare.
    QCOMPARE(names.summary().all().useCount() + unsure(names), size_t(7997));
    QCOMPARE(curve(names.summary().all()), std::string("686/800/889/963/990"));
    // D7, the same bound to the first carrier: 13/18/29/42/64 %.
    QCOMPARE(curve(first.summary().all()), std::string("132/205/295/427/615"));
    // D9: 4k to 83k, median 14k there. Its sessions with fewer than five edits, if any, are not told.
    const std::vector<double> keeps = quotes.summary().keepsFor(0.95);
    QCOMPARE(keeps.size(), size_t(19));
    QCOMPARE(std::lround(keeps.front()), 5074L);
    QCOMPARE(std::lround(quantile(keeps, 0.5)), 15303L);
    QCOMPARE(std::lround(keeps.back()), 84576L);
}

PALIMPSEST_TEST(ReachTest)
#include "tst_reach.moc"
