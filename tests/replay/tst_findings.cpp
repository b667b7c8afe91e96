// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/facts.h"
#include "core/findings/findings.h"
#include "core/findings/kinds.h"
#include "core/report/findings_report.h"
#include "core/report/head_line.h"
#include "core/tokens/array_sums.h"
#include "core/tokens/counted_tokens.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QTest>

#include <functional>

using namespace core;
using testing::ClaudeLog;

namespace {

constexpr int kManyCalls = 40;

/// A text of many different lines.
std::string longText(int lines, const std::string &word)
{
    std::string text;
    for (int i = 0; i < lines; ++i)
        text += "the " + word + " of line " + std::to_string(i * 7919) + " is nothing like any other one\n";
    return text;
}

/// Calls whose results say nothing.
void idle(ClaudeLog &log, int calls)
{
    for (int i = 0; i < calls; ++i) {
        log.call("Bash", { { "command", "date +%N # " + std::to_string(i) } });
        log.result(std::to_string(i * 31));
    }
}

Findings findingsOf(const SessionPtr &session)
{
    return *findFindings(session, countedTokens(*session, 1, nullptr), Prices::bundled());
}

std::vector<Finding> ofKind(const Findings &findings, std::string_view kind)
{
    std::vector<Finding> found;
    for (const Finding &finding : findings.findings) {
        if (finding.kind == kind)
            found.push_back(finding);
    }
    return found;
}

/// A session with one planted fault, and the same session without it.
struct Planted {
    const char *kind;
    std::function<void(ClaudeLog &log, bool isFaulty)> write;
    size_t count;
    const char *what; ///< of the finding
};

const std::vector<Planted> &plantedFaults()
{
    static const std::vector<Planted> faults {
        { "lost-messages",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Please never rename the table users_old, other teams read it.");
                idle(log, 2);
                log.compact(isFaulty ? "The user works on tables."
                                     : "The user said: Please never rename the table users_old, other teams read it.");
                idle(log, 2);
            },
            1, "The message that you typed is no longer in context" },
        { "lost-facts",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                idle(log, 2);
                log.compact("We changed src/alpha_store.cpp; 155,023 rows; Go on.");
                idle(log, 2);
                log.compact(std::string("alpha_store.cpp is done. Go on.") + (isFaulty ? "" : " 155023 rows."));
                idle(log, 2);
            },
            1, "Compaction 2 lost 1 of 2 facts of the old summary" },
        { "near-window",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.setUsage(0, 0, isFaulty ? 190'000 : 150'000);
                idle(log, 3);
            },
            3, "3 prompts used more than 90 % of the window" },
        { "edits-on-lost-text",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.read("/work/a.cpp", longText(30, "first") + "int chosen = 4711;\n");
                idle(log, 1);
                if (isFaulty) {
                    log.compact("Go on. We read a file.");
                    log.typed("Now change it.");
                }
                log.call("Edit",
                    { { "file_path", "/work/a.cpp" }, { "old_string", "int chosen = 4711;" },
                        { "new_string", "int chosen = 12;" } });
                log.result("<tool_use_error>File has not been read yet.</tool_use_error>", true);
                idle(log, 1);
            },
            1, "1 edit relied on text that was no longer in the logged context, and failed" },
        { "unused-resends",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.read("/work/b.cpp", longText(200, "second"));
                idle(log, isFaulty ? kManyCalls : 1);
            },
            1, "b.cpp was sent again 39 times, and nothing later quotes or repeats it" },
        { "repeated-texts",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.read("/work/c.cpp", longText(200, "third"));
                log.read("/work/c.cpp", longText(200, isFaulty ? "third" : "fourth"));
                idle(log, kManyCalls);
            },
            1, "40 calls contained the same text from c.cpp more than once" },
        { "preset-cuts",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed(longText(8'000, "bulk")); // above the trigger, which counts characters
                log.setUsage(0, 0, 110'000);
                log.read("/work/i.cpp", longText(200, "tenth"));
                idle(log, isFaulty ? kManyCalls : 2); // all but the last three results are cut
                log.setUsage(0, 0, 120'000);
                idle(log, 1);
            },
            1,
            "LangChain ClearToolUsesEdit would have cut 1 large result before the largest prompt. The recorded calls "
            "still sent it 38 times. No later step used it" },
        { "preset-cuts",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed(longText(8'000, "bulk")); // above the trigger, which counts characters
                log.setUsage(0, 0, 110'000);
                log.read("/work/j.cpp", longText(200, "eleventh"));
                idle(log, isFaulty ? kManyCalls : 2);
                log.setUsage(0, 0, 120'000);
                log.edit("/work/j.cpp", "the eleventh of line 0 ", "the twelfth of line 0 ");
                idle(log, 1);
            },
            1,
            "LangChain ClearToolUsesEdit would have cut 1 large result before the largest prompt. The recorded calls "
            "still sent it 38 times. 1 later step used it. Under the preset, this step lacks the text: nothing in "
            "context shows it" },
        { "cache-breaks",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.setUsage(0, 50'000, 10);
                idle(log, 1);
                if (isFaulty)
                    log.wait(20);
                log.setUsage(isFaulty ? 0 : 50'000, isFaulty ? 50'100 : 100, 10);
                idle(log, 1);
            },
            1, "The cache broke once after a pause that was longer than the lifetime of its entries" },
        { "cache-breaks",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed(longText(1'500, "bulk"));
                log.setUsage(0, 50'000, 10);
                idle(log, 1);
                if (isFaulty)
                    log.injected("Base directory for this skill: /work/.claude/skills/plan\n\nPlan first.");
                log.setUsage(isFaulty ? 15'000 : 50'000, isFaulty ? 35'200 : 200, 10);
                idle(log, 1);
            },
            1, "The cache broke once because a skill began or ended: Claude Code turns thinking off while one runs" },
        { "silent-clearing",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.setUsage(0, 0, 20'000);
                idle(log, 1);
                log.read("/work/d.cpp", longText(2'000, "fifth"));
                log.setUsage(0, 0, 60'000);
                idle(log, 2);
                log.setUsage(0, 0, isFaulty ? 21'000 : 60'100);
                idle(log, 2);
            },
            1, "" },
        { "unlogged",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed(longText(600, "sixth"));
                log.setUsage(0, 0, isFaulty ? 40'000 : 12'100);
                idle(log, 3);
            },
            1, "At call 0, 71 % of the prompt is not in the log" },
        { "repeated-reads",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.read("/work/e.cpp", longText(200, "seventh"));
                idle(log, 2);
                if (!isFaulty)
                    log.edit("/work/e.cpp", "the seventh of line 0 ", "the eighth of line 0 ");
                log.read("/work/e.cpp", longText(200, "seventh"));
                idle(log, 1);
            },
            1, "e.cpp was read 2 times, 1 time although the log shows no change of the file since an earlier read" },
        { "repeated-reads",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.call("Bash", { { "command", "cat /work/h.cpp" } });
                log.result(longText(200, "ninth"));
                idle(log, 2);
                if (!isFaulty)
                    log.edit("/work/h.cpp", "the ninth of line 0 ", "the tenth of line 0 ");
                log.call("Bash", { { "command", "sed -n 1,200p /work/h.cpp" } });
                log.result(longText(200, "ninth"));
                idle(log, 1);
            },
            1, "h.cpp was read 2 times, 1 time although the log shows no change of the file since an earlier read" },
        { "failed-edits",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.read("/work/f.cpp", "int a = 1;\n");
                log.call("Edit",
                    { { "file_path", "/work/f.cpp" }, { "old_string", isFaulty ? "int b = 1;" : "int a = 1;" },
                        { "new_string", "int a = 2;" } });
                if (isFaulty)
                    log.result("<tool_use_error>String to replace not found in file.</tool_use_error>", true);
                else
                    log.result("The file /work/f.cpp has been updated successfully.");
                idle(log, 1);
            },
            1, "1 edit failed" },
        { "stopped-edits",
            [](ClaudeLog &log, bool isFaulty) {
                log.typed("Go on.");
                log.call("Write", { { "file_path", "/work/g.cpp" }, { "content", "int g;\n" } });
                log.result(isFaulty ? "The user doesn't want to proceed with this tool use."
                                    : "File created successfully at: /work/g.cpp",
                    isFaulty);
                idle(log, 1);
            },
            1, "1 edit was refused, stopped, or left without a result" },
    };
    return faults;
}

} // namespace

class FindingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindIsPlanted();
    void plantedFaultsAreFound_data();
    void plantedFaultsAreFound();
    void factsAreTaken_data();
    void factsAreTaken();
    void factsAreFoundAgain();
    void oneLostMessageIsQuotedAlone();
    void lostMessagesAreKeptByTheOwnHarness();
    void theCompactionThatLostAMessageIsNamed();
    void moneyOfOverlappingFindingsCountsOnce();
    void findingsLeftOutAreCounted();
    void aCancelledCountFindsNothing();
    void corpusFindingsHold_data() { testing::addCorpusRows(6); }
    void corpusFindingsHold();
};

void FindingsTest::everyKindIsPlanted()
{
    for (const FindingKind *kind : findingKinds()) {
        QVERIFY2(std::ranges::any_of(plantedFaults(), [&](const Planted &each) { return each.kind == kind->id; }),
            std::string(kind->id).c_str());
    }
}

void FindingsTest::plantedFaultsAreFound_data()
{
    QTest::addColumn<size_t>("number");
    for (size_t i = 0; i < plantedFaults().size(); ++i)
        QTest::addRow("%s %zu", plantedFaults()[i].kind, i) << i;
}

void FindingsTest::plantedFaultsAreFound()
{
    QFETCH(size_t, number);
    const Planted &fault = plantedFaults()[number];
    ClaudeLog faulty;
    faulty.setUsage(0, 0, 0); // not recorded
    fault.write(faulty, true);
    const Findings findings = findingsOf(faulty.load());
    const std::vector<Finding> found = ofKind(findings, fault.kind);
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found.front().count, fault.count);
    if (*fault.what != '\0')
        QCOMPARE(found.front().what, std::string(fault.what));
    QVERIFY(!found.front().links.empty());

    ClaudeLog clean;
    clean.setUsage(0, 0, 0);
    fault.write(clean, false);
    const Findings none = findingsOf(clean.load());
    QVERIFY2(ofKind(none, fault.kind).empty(), drawFindings({ "", none }).c_str());
}

void FindingsTest::factsAreTaken_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("facts");
    QTest::newRow("paths") << "See src/a/b.cpp:12, `main.cpp` and https://a.org/x."
                           << "src/a/b.cpp main.cpp https://a.org/x";
    QTest::newRow("members and calls are no paths")
        << "rest.split, entry.payee = self.line; console.log and text.md()" << "";
    QTest::newRow("files and hosts") << "notes.md, core.2.cpp, scan-118.pdf, api.example.com, src/x.foo"
                                     << "notes.md core.2.cpp scan-118.pdf api.example.com src/x.foo";
    QTest::newRow("a path twice") << "core/x.h and x.h" << "core/x.h";
    QTest::newRow("names") << "findUses() sets max_tokens; Claude does not" << "findUses max_tokens";
    QTest::newRow("numbers") << "155,023 of 200 in 3.5 s at v1.2" << "155023 200";
    QTest::newRow("sentences") << "Read and/or write it, e.g. now. 1. First 2) second" << "";
}

void FindingsTest::factsAreTaken()
{
    QFETCH(QString, text);
    QFETCH(QString, facts);
    std::string taken;
    for (const Fact &fact : factsOf(text.toStdString()))
        taken += (taken.empty() ? "" : " ") + fact.text;
    QCOMPARE(QString::fromStdString(taken), facts);
}

void FindingsTest::factsAreFoundAgain()
{
    FactFinder finder;
    finder.read("We keep B.cpp and 155023 rows; maxTokens2 differs.");
    QVERIFY(finder.holds({ FactKind::Path, "src/b.cpp" }));
    QVERIFY(finder.holds({ FactKind::Number, "155023" }));
    QVERIFY(!finder.holds({ FactKind::Number, "15502" }));
    QVERIFY(!finder.holds({ FactKind::Name, "maxTokens" }));
}

/// Of several lost messages the last is quoted, and said to be the last.
void FindingsTest::oneLostMessageIsQuotedAlone()
{
    const auto whereOf = [](std::initializer_list<const char *> messages) {
        ClaudeLog log;
        for (const char *message : messages) {
            log.typed(message);
            idle(log, 1);
        }
        log.compact("We go on.");
        idle(log, 1);
        const auto found = ofKind(findingsOf(log.load()), "lost-messages");
        return found.empty() ? std::string() : found.front().where;
    };
    QCOMPARE(whereOf({ "Never rename users_old." }), "“Never rename users_old.”");
    QCOMPARE(whereOf({ "Never rename users_old.", "Count the rows." }), "the last: “Count the rows.”");
}

/// What would have kept them is tried with the session's own harness, not with another one.
void FindingsTest::lostMessagesAreKeptByTheOwnHarness()
{
    ClaudeLog log;
    log.typed("Never rename users_old.");
    idle(log, 1);
    log.compact("We go on.");
    idle(log, 1);
    const SessionPtr session = log.load();
    const Finding found = ofKind(findingsOf(session), "lost-messages").front();
    QCOMPARE(found.help, std::string("keep user messages"));
    QCOMPARE(std::string(found.policy), ownPresets(*session).front()->id);
    const PolicyPtr helping = helpingPolicy(found);
    QVERIFY(helping);
    const auto summary = std::ranges::find(helping->stages, "summarise", &StageSpec::stage);
    QVERIFY(summary != helping->stages.end() && summary->values.contains("user-messages"));
    // Settings that the person has changed stay.
    const auto edited = std::make_shared<const Policy>(*withSetting(*preset(found.policy), "trigger", "90000tok"));
    const PolicyPtr both = helpingPolicy(found, edited);
    QVERIFY(both->trigger.measures == edited->trigger.measures);
    const auto stage = std::ranges::find(both->stages, "summarise", &StageSpec::stage);
    QCOMPARE(stage->values.at("user-messages"), summary->values.at("user-messages"));
    QCOMPARE(helpingPolicy(found, preset("codex"))->id, helping->id);
    // An array without a harness has no such preset.
    Session bare = *session;
    bare.traits = Session().traits;
    const Finding other = ofKind(findingsOf(std::make_shared<const Session>(std::move(bare))), "lost-messages").front();
    QCOMPARE(other.help, std::string("keep user messages, as the policy Codex does"));
    QCOMPARE(helpingPolicy(other), preset("codex"));
}

/// Compactions and clearings have one numbering. If no call came between two of them, the one that removed the message
/// is named, and the head line says which numbers are whose.
void FindingsTest::theCompactionThatLostAMessageIsNamed()
{
    ClaudeLog log;
    log.typed("Never rename users_old.");
    log.read("/work/a.cpp", longText(30, "first"));
    const std::string cleared = log.lastCall();
    idle(log, 2);
    log.clear({ cleared });
    log.compact("We go on.");
    idle(log, 2);
    const SessionPtr session = log.load();
    const auto found = ofKind(findingsOf(session), "lost-messages");
    QCOMPARE(found.size(), size_t(1));
    QVERIFY(!found.front().links.empty());
    QCOMPARE(found.front().links.front(), (FindingLink { FindingLink::Target::Compaction, 2 }));
    const ThreadIndex thread(0U);
    const BlockTokensPtr tokens = countedTokens(*session, 1, nullptr);
    const std::string facts = headLine(*session, { thread, {} }, *tokens, *arraySums(*session, thread, *tokens)).facts;
    QVERIFY2(facts.contains("1 compaction (no. 2 at 2) · 1 clearing (no. 1 at 2)"), facts.c_str());
}

void FindingsTest::moneyOfOverlappingFindingsCountsOnce()
{
    // The second copy of a text that nobody uses is resent unused and repeated.
    ClaudeLog log;
    log.typed("Go on.");
    log.setUsage(30'000, 10, 10);
    log.read("/work/c.cpp", longText(200, "third"));
    log.setUsage(30'000, 4'000, 10);
    log.read("/work/c.cpp", longText(200, "third"));
    log.setUsage(38'000, 10, 10);
    idle(log, kManyCalls);
    const Findings findings = findingsOf(log.load());
    double sum = 0;
    for (const Finding &finding : findings.findings)
        sum += finding.money.value_or(0);
    QCOMPARE(ofKind(findings, "repeated-texts").size(), size_t(1));
    QVERIFY(!ofKind(findings, "unused-resends").empty());
    QVERIFY(findings.money.value() > 0);
    QVERIFY(findings.money.value() < sum * 0.99);
}

void FindingsTest::findingsLeftOutAreCounted()
{
    ClaudeLog log;
    log.setUsage(0, 0, 0);
    log.typed("Go on.");
    for (const char *word : { "one", "two", "three", "four", "five", "six", "seven" })
        log.read("/work/" + std::string(word) + ".cpp", longText(200, word));
    idle(log, kManyCalls);
    const Findings findings = findingsOf(log.load());
    QVERIFY2(ofKind(findings, "unused-resends").size() == 5, drawFindings({ "", findings }).c_str());
    const auto out = std::ranges::find(
        findings.leftOut, "unused-resends", [](const FindingsLeftOut &each) { return each.kind->id; });
    QVERIFY(out != findings.leftOut.end());
    QCOMPARE(out->findings, size_t(2));
    QVERIFY(out->tokens > 0 && out->tokens < 2 * ofKind(findings, "unused-resends").back().tokens->value * 1.01);
    QVERIFY(drawFindings({ "", findings })
            .contains("Smaller ones are not listed: texts that were sent again after their last use (2, "));
}

/// Each finding leads to places of its session, and all together cost no more than the session did.
void FindingsTest::aCancelledCountFindsNothing()
{
    ClaudeLog log;
    log.typed("Count this.");
    idle(log, 2);
    const SessionPtr session = log.load();
    Progress progress;
    progress.cancel();
    const BlockTokensPtr tokens = countedTokens(*session, 1, &progress);
    QVERIFY(!tokens);
    QVERIFY(!findFindings(session, tokens, Prices::bundled(), nullptr, &progress));
}

void FindingsTest::corpusFindingsHold()
{
    QFETCH(QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus.");
    const auto session = loadSession(testing::corpus() / file.toStdString());
    if (!session)
        QSKIP("This file has no session.");
    const Findings findings = findingsOf(*session);
    for (const Finding &finding : findings.findings) {
        const Thread &thread = (*session)->thread(finding.thread);
        QVERIFY(findingKind(finding.kind) != nullptr);
        QVERIFY(!finding.what.empty() && !finding.what.ends_with('.'));
        QVERIFY(finding.links.size() <= Finding::kMostLinks);
        for (const FindingLink &link : finding.links) {
            const size_t end = link.target == FindingLink::Target::Call ? thread.calls.size()
                : link.target == FindingLink::Target::Block             ? (*session)->blocks.size()
                : link.target == FindingLink::Target::Compaction        ? thread.compactions.size() + 1
                                                                        : std::numeric_limits<size_t>::max();
            QVERIFY2(link.number < end, finding.what.c_str());
        }
        for (const ContextSpan &span : finding.spans) {
            QVERIFY(span.from < span.to && span.to <= thread.calls.size());
            for (uint32_t call = span.from; call < span.to; call += span.to - span.from) {
                bool isSent = false;
                thread.calls[call].input.forEachRange([&](BlockRange range) {
                    isSent = isSent || (range.begin <= span.block.value() && span.block.value() < range.end);
                });
                QVERIFY2(isSent, finding.what.c_str());
            }
        }
    }
    if (findings.money && findings.recorded)
        QVERIFY2(*findings.money <= *findings.recorded * 1.001, drawFindings({ "", findings }).c_str());
}

PALIMPSEST_TEST(FindingsTest)

#include "tst_findings.moc"
