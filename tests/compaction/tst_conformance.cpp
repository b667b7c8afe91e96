// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/compaction.h"
#include "core/compaction/stage.h"
#include "core/compaction/texts.h"
#include "core/tokens/estimate.h"
#include "tests/policy_with.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QDir>
#include <QTest>

#include <filesystem>
#include <numeric>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

using testing::policyWith;
using testing::Settings;

Compaction compacted(const SessionPtr &session, const PolicyPtr &policy, CompactOptions options = {})
{
    const Transcript end(session, session->threads.front().end);
    return compact(end, policy, *roughTokens(*session), options);
}

Compaction compacted(const SessionPtr &session, const char *id, const Settings &settings = {})
{
    CompactOptions options;
    options.sessionId = "sess-1";
    return compacted(session, policyWith(id, settings), options);
}

std::string repeated(std::string_view text, size_t count)
{
    std::string result;
    for (size_t i = 0; i < count; ++i)
        result += text;
    return result;
}

// --- Genkit messages ---

std::string said(std::string_view role, const std::string &text)
{
    return R"({"role":")" + std::string(role) + R"(","content":[{"text":)" + quoteJson(text) + "}]}";
}

std::string requested(std::string_view name, std::string_view ref, const std::string &input)
{
    return R"({"role":"model","content":[{"toolRequest":{"name":")" + std::string(name) + R"(","ref":")"
        + std::string(ref) + R"(","input":)" + input + "}}]}";
}

std::string answered(std::string_view name, std::string_view ref, const std::string &output)
{
    return R"({"role":"tool","content":[{"toolResponse":{"name":")" + std::string(name) + R"(","ref":")"
        + std::string(ref) + R"(","output":)" + quoteJson(output) + "}}]}";
}

SessionPtr genkit(const std::vector<std::string> &messages)
{
    std::string text = "[";
    for (const std::string &message : messages)
        text += (text.size() > 1 ? "," : "") + message;
    auto session = testing::load(text + "]");
    if (!session)
        qFatal("%s", session.error().sentence().c_str());
    if ((*session)->format != "genkit")
        qFatal("read as %s", (*session)->format.c_str());
    return *session;
}

std::string textAfter(const Compaction &compaction, size_t slot, size_t block = 0)
{
    const BlockId id = compaction.after.blocksOf(compaction.after.slots()[slot])[block];
    return compaction.after.session()->text(compaction.after.block(id).body);
}

size_t codePoints(const std::string &text) { return textLengths(text).codePoints; }

std::vector<uint64_t> sizesOf(const Transcript &transcript)
{
    std::vector<uint64_t> sizes;
    for (const Slot &slot : transcript.slots())
        sizes.push_back(transcript.lengthsOf(slot).codePoints);
    return sizes;
}

SessionPtr sample()
{
    const auto path = std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples/messages-21.genkit.json";
    auto session = loadSession(path);
    if (!session)
        qFatal("%s", session.error().sentence().c_str());
    return *session;
}

/// A LangChain dump of a history whose messages are as heavy as the list says, a letter for each role.
SessionPtr langChain(const std::vector<std::pair<char, std::string>> &messages)
{
    std::string text = "[";
    for (const auto &[role, body] : messages) {
        const char *type = role == 'h' ? "human" : role == 'a' ? "ai" : role == 's' ? "system" : "tool";
        text += (text.size() > 1 ? "," : "") + std::string(R"({"type":")") + type + R"(","data":)" + body + "}";
    }
    auto session = testing::load(text + "]");
    if (!session)
        qFatal("%s", session.error().sentence().c_str());
    return *session;
}

std::string content(const std::string &text) { return R"({"content":)" + quoteJson(text) + "}"; }
std::string callNamed(const std::string &name, const std::string &id, const std::string &args)
{
    return R"({"name":")" + name + R"(","args":)" + args + R"(,"id":")" + id + R"(","type":"tool_call"})";
}
std::string calling(const std::string &name, const std::string &id, const std::string &args)
{
    return R"({"content":"","tool_calls":[)" + callNamed(name, id, args) + "]}";
}
std::string answering(const std::string &name, const std::string &id, const std::string &text)
{
    return R"({"content":)" + quoteJson(text) + R"(,"tool_call_id":")" + id + R"(","name":")" + name + R"("})";
}

} // namespace

/// The presets do what the harnesses do, to the number and to the letter. Sources: semantics of each harness as its
/// provenance names it.
class ConformanceTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPresetIsWellFormed();

    void genkitClipsBulkArguments();
    void genkitKeepsByCount();
    void genkitSampleOfLines();
    void genkitOffloads();
    void genkitOffloadsNothingOfExcludedTools();
    void genkitOffloadThreshold_data();
    void genkitOffloadThreshold();
    void genkitSummarises();
    void genkitClipsItsOwnClipsAgain();
    void genkitIsIdempotent();
    void genkitFigure();
    void genkitCutoffs_data();
    void genkitCutoffs();
    void genkitSummaryWithoutAModel();

    void deepAgentsClipArguments();
    void deepAgentsKeep_data();
    void deepAgentsKeep();
    void deepAgentsFractions_data();
    void deepAgentsFractions();
    void deepAgentsOffload();
    void deepAgentsOffloadTail();
    void deepAgentsOffloadUserMessages_data();
    void deepAgentsOffloadUserMessages();
    void deepAgentsTriggerByRecordedUsage();
    void deepAgentsMedia();
    void deepAgentsCompactWhenAsked_data();
    void deepAgentsCompactWhenAsked();

    void piTriggersShortOfTheWindow();

    void langChainPullsBackToTheCall();
    void langChainKeepsWhatFits_data();
    void langChainKeepsWhatFits();
    void langChainCounts_data();
    void langChainCounts();
    void langChainCountsByTheModel_data();
    void langChainCountsByTheModel();
    void langChainCountsInJavaScript();
    void langChainClearsAbove100000();

    void iiiTruncates();
    void iiiThreshold_data();
    void iiiThreshold();
    void iiiKeepsWholeCharacters();
    void iiiTriggersWithoutCacheWrites();
    void iiiKeepsThreeMessages();
    void iiiAsCodedSummarisesNothing();

    void lengthUnits_data();
    void lengthUnits();
};

void ConformanceTest::everyPresetIsWellFormed()
{
    const QDir folder(QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + QStringLiteral("/resources/policies"));
    QCOMPARE(presets().size(), static_cast<size_t>(folder.entryList({ QStringLiteral("*.json") }).size()));
    QCOMPARE(presets().front()->id, "none");
    for (const PolicyPtr &policy : presets()) {
        QVERIFY2(!policy->name.empty() && !policy->description.empty(), policy->id.c_str());
        const std::string &evidence = policy->provenance.evidence;
        if (policy->id == "none") { // it has no harness to approximate
            QCOMPARE(evidence, "");
        } else {
            QVERIFY2(evidence == "source" || evidence == "documentation" || evidence == "interpretation",
                policy->id.c_str());
            QVERIFY2(policy->provenance.evidenceWords() != evidence, policy->id.c_str()); // people read words
        }
        for (const char *setting : { "window", "keep", "trigger" }) {
            const std::string value = setting == std::string_view("window") ? "100000tok" : "0.5w";
            QVERIFY2(withSetting(*policy, setting, value).has_value(), policy->id.c_str());
        }
        // Every parameter that a preset sets is one of the stage's.
        for (const StageSpec &spec : policy->stages) {
            for (const auto &[name, value] : spec.values)
                QVERIFY(stageKind(spec.stage)->parameter(name) != nullptr);
        }
        QCOMPARE(parsePolicy(policy->document)->document, policy->document);
    }
}

void ConformanceTest::genkitClipsBulkArguments()
{
    const SessionPtr session = genkit({ said("user", "task"),
        requested("write_file", "1", R"({"file_path":"a.py","content":")" + std::string(5000, 'x') + "\"}"),
        answered("write_file", "1", "ok"), said("user", "next") });
    const Compaction result
        = compacted(session, "genkit-recipe-figure", { { "keep", "1msg" }, { "clip-arguments.preview", "80" } });
    const std::string arguments = textAfter(result, 1);
    const std::string clip = std::string(80, 'x') + "…[truncated] (5,000 chars total)";
    QCOMPARE(codePoints(clip), size_t(112));
    QCOMPARE(arguments, "{\"file_path\": \"a.py\", \"content\": \"" + clip + "\"}");
    QCOMPARE(result.rewrites.size(), size_t(1));
    QCOMPARE(result.rewrites.front().pointer, "/content");
    QCOMPARE(result.rewrites.front().after.codePoints, 112U);
}

void ConformanceTest::genkitKeepsByCount()
{
    const SessionPtr session = genkit(
        { requested("write_file", "1", R"({"content":")" + std::string(5000, 'x') + "\"}"), said("user", "text") });
    QCOMPARE(compacted(session, "genkit-recipe-figure", { { "keep", "1msg" } }).rewrites.size(), size_t(1));
    // As many as are kept, or none kept at all: the recipe clips nothing.
    QVERIFY(compacted(session, "genkit-recipe-figure", { { "keep", "2msg" } }).changesNothing());
    QVERIFY(compacted(session, "genkit-recipe-figure", { { "keep", "0msg" } }).changesNothing());
}

void ConformanceTest::genkitSampleOfLines()
{
    std::string text;
    for (int i = 0; i < 20; ++i)
        text += (i > 0 ? "\n" : "") + std::string("line ") + std::to_string(i);
    SampleRule rule { 2, 2, 1000, "<<< {n} lines omitted >>>", false, LineRule::Python, LengthUnit::CodePoints };
    QCOMPARE(rule.of(text), "line 0\nline 1\n<<< 16 lines omitted >>>\nline 18\nline 19");
    rule.hasLineNumbers = true;
    rule.tailLines = 11;
    QCOMPARE(rule.of("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\n").substr(0, 9), "1  a\n2  b");
    QVERIFY(rule.of("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\n").ends_with("\n14  n"));
    QVERIFY(rule.of("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\n").find("\n 4  d\n") != std::string::npos);
}

void ConformanceTest::genkitOffloads()
{
    const SessionPtr session = genkit({ said("user", "task"), requested("execute", "abc", "{}"),
        answered("execute", "abc", repeated("line\n", 800)), said("model", "done") });
    const Settings settings { { "offload-results.cap", "200" }, { "head-lines", "2" }, { "tail-lines", "2" } };
    const Compaction result = compacted(session, "genkit-recipe", settings);
    QCOMPARE(result.artifacts.size(), size_t(1));
    QCOMPARE(result.artifacts.front().name, "tool-output/execute/abc.txt");
    QCOMPARE(result.textOf(result.artifacts.front()).size(), size_t(4000));
    QCOMPARE(textAfter(result, 2),
        "[output offloaded] inline cap exceeded; full text in artifact `tool-output/execute/abc.txt`.\n"
        "Load with read_artifact — read in slices if it is long.\n\n--- sample ---\nline\nline\n"
        "<<< 796 lines omitted >>>\nline\nline\n--- end sample ---");
    QCOMPARE(codePoints(textAfter(result, 2)), size_t(229));

    Settings without = settings;
    without.emplace_back("has-session", "off");
    const Compaction clipped = compacted(session, "genkit-recipe", without);
    QCOMPARE(textAfter(clipped, 2), repeated("line\n", 23) + "line…[truncated] (4,000 chars total)");
    QVERIFY(clipped.artifacts.empty());
}

void ConformanceTest::genkitOffloadsNothingOfExcludedTools()
{
    const SessionPtr session = genkit({ said("user", "task"), requested("read_file", "1", "{}"),
        answered("read_file", "1", std::string(5000, 'x')), said("model", "done") });
    QVERIFY(compacted(session, "genkit-recipe", { { "offload-results.cap", "10" } }).changesNothing());
}

void ConformanceTest::genkitOffloadThreshold_data()
{
    QTest::addColumn<size_t>("length");
    QTest::addColumn<size_t>("inlineLength");
    QTest::newRow("80,000 characters stay") << size_t(80000) << size_t(80000);
    QTest::newRow("80,001 are offloaded") << size_t(80001) << size_t(1184);
}

void ConformanceTest::genkitOffloadThreshold()
{
    QFETCH(const size_t, length);
    QFETCH(const size_t, inlineLength);
    const SessionPtr session = genkit({ said("user", "task"), requested("execute", "abc", "{}"),
        answered("execute", "abc", std::string(length, 'y')), said("model", "done") });
    QCOMPARE(codePoints(textAfter(compacted(session, "genkit-recipe"), 2)), inlineLength);
}

void ConformanceTest::genkitSummarises()
{
    const SessionPtr session = genkit(
        { said("user", std::string(1800, 'a')), said("model", std::string(2800, 'b')), said("user", "recent") });
    const Settings settings { { "window", "500tok" }, { "trigger", "0.3" }, { "keep", "0.2" },
        { "summary.text", "S" } };
    const Compaction result = compacted(session, "genkit-recipe", settings);
    QVERIFY(result.hasFired);
    QCOMPARE(result.stages.back().verdict, "739 of 150 tokens");
    QCOMPARE(result.after.slotCount(), size_t(3));
    QCOMPARE(textAfter(result, 0),
        "[context compressed]\nOlder turns were dropped from the active window to free tokens.\n"
        "Verbatim archive: artifact `conversation-history/sess-1.md` (read_artifact).\n\n"
        "--- handoff ---\nS\n--- end handoff ---");
    QCOMPARE(textAfter(result, 1), std::string(2800, 'b'));
    QCOMPARE(textAfter(result, 2), "recent");
    QCOMPARE(result.artifacts.size(), size_t(1));
    QCOMPARE(result.artifacts.front().name, "conversation-history/sess-1.md");
    const std::string log = result.textOf(result.artifacts.front());
    QVERIFY(log.starts_with("--- archived turns (1970-01-01T00:00:00"));
    // The archive holds what the clip had left: it is not verbatim.
    const size_t body = log.find(" ---\n\n") + 6;
    QCOMPARE(codePoints(log.substr(body)), size_t(161));
    QCOMPARE(result.fates.front(), Fate::Summarised);

    // The old summary goes when the next one comes, and is in no archive.
    SessionPtr again = result.after.session();
    const Compaction second = compacted(again, "genkit-recipe",
        { { "window", "500tok" }, { "trigger", "50tok" }, { "keep", "1tok" }, { "summary.text", "T" } });
    QCOMPARE(second.after.slotCount(), size_t(2));
    const std::string secondLog = second.textOf(second.artifacts.front());
    QVERIFY(secondLog.find("handoff") == std::string::npos);
    QVERIFY(secondLog.find("[model] bbb") != std::string::npos);
}

void ConformanceTest::genkitClipsItsOwnClipsAgain()
{
    SessionPtr session = genkit({ said("user", std::string(5000, 'q')), said("model", "x") });
    const Settings settings { { "keep", "1msg" }, { "clip-texts.cap", "100" } };
    const std::vector<std::pair<size_t, std::string>> expected { { 152, "(5,000 chars total)" },
        { 150, "(152 chars total)" }, { 150, "(150 chars total)" } };
    for (const auto &[length, tail] : expected) {
        const Compaction result = compacted(session, "genkit-recipe-figure", settings);
        QCOMPARE(codePoints(textAfter(result, 0)), length);
        QVERIFY(textAfter(result, 0).ends_with(tail));
        QVERIFY(std::ranges::any_of(
            result.validity, [](const Violation &violation) { return violation.rule == "reclips"; }));
        session = result.after.session();
    }
}

void ConformanceTest::genkitIsIdempotent()
{
    const Compaction once = compacted(sample(), "genkit-recipe-figure");
    const Compaction twice = compacted(once.after.session(), "genkit-recipe-figure");
    QVERIFY(twice.changesNothing());
    QCOMPARE(sizesOf(twice.after), sizesOf(once.after));
}

void ConformanceTest::genkitFigure()
{
    const Compaction result = compacted(sample(), "genkit-recipe-figure");
    const std::vector<uint64_t> before { 81, 59, 78, 14521, 49, 79, 6891, 63, 3434, 2553, 25, 14990, 49, 63, 311, 92,
        60, 49, 79, 6891, 70 };
    const std::vector<uint64_t> after { 81, 59, 78, 153, 49, 79, 152, 63, 152, 372, 25, 222, 49, 63, 311, 92, 60, 49,
        79, 6891, 70 };
    QCOMPARE(sizesOf(result.before), before);
    QCOMPARE(sizesOf(result.after), after);
    QCOMPARE(std::accumulate(before.begin(), before.end(), uint64_t(0)), 50487U);
    QCOMPARE(std::accumulate(after.begin(), after.end(), uint64_t(0)), 9149U);
    QCOMPARE(result.cutoff, SlotIndex(15U));
    QVERIFY(result.validity.empty());
    for (size_t i = 0; i < 21; ++i)
        QCOMPARE(result.fates[i], before[i] == after[i] ? Fate::Kept : Fate::Shortened);
}

void ConformanceTest::genkitCutoffs_data()
{
    QTest::addColumn<QString>("window");
    QTest::addColumn<size_t>("cutoff");
    for (const auto &[window, cutoff] :
        { std::pair("200000tok", 0), { "71670tok", 0 }, { "17800tok", 14 }, { "17790tok", 15 }, { "17570tok", 15 },
            { "17560tok", 16 }, { "872tok", 19 }, { "871tok", 19 }, { "170tok", 20 } })
        QTest::addRow("window %s", window) << QString::fromLatin1(window) << static_cast<size_t>(cutoff);
}

void ConformanceTest::genkitCutoffs()
{
    QFETCH(const QString, window);
    QFETCH(const size_t, cutoff);
    const Compaction result
        = compacted(sample(), "genkit-recipe", { { "window", window.toStdString() }, { "summarise", "off" } });
    QCOMPARE(result.cutoff, SlotIndex(cutoff));
    if (cutoff == 0)
        QVERIFY(result.changesNothing());
}

void ConformanceTest::genkitSummaryWithoutAModel()
{
    const SessionPtr session = genkit({ said("user", std::string(1200, 'a')), said("model", std::string(1400, 'a')),
        said("user", std::string(1400, 'a')), said("model", std::string(1300, 'a')), said("user", "x") });
    const Compaction result
        = compacted(session, "genkit-recipe", { { "window", "500tok" }, { "trigger", "0.3" }, { "keep", "1tok" } });
    const std::string text = textAfter(result, 0);
    QVERIFY(
        text.find("--- handoff ---\n### Goal\nunknown (no summary_model configured)\n\n### What happened\n[user] aaa")
        != std::string::npos);
    QVERIFY(text.find("…[truncated] (5,") != std::string::npos);
}

void ConformanceTest::deepAgentsClipArguments()
{
    const std::string bulk(200, 'x');
    const SessionPtr session
        = langChain({ { 'a', calling("write_file", "1", R"({"file_path":"a","content":")" + bulk + "\"}") },
            { 't', answering("write_file", "1", "ok") },
            { 'a', calling("edit_file", "2", R"({"old_string":")" + bulk + R"(","new_string":")" + bulk + "\"}") },
            { 't', answering("edit_file", "2", "ok") },
            { 'a', calling("search_web", "3", R"({"query":")" + bulk + "\"}") },
            { 't', answering("search_web", "3", "ok") }, { 'h', content("h") }, { 'a', content("a") } });
    const Compaction result = compacted(session, "deep-agents",
        { { "clip-arguments.cap", "100" }, { "clip-arguments.trigger", "5msg" }, { "clip-arguments.keep", "2msg" },
            { "summarise", "off" } });
    const std::string clip = "xxxxxxxxxxxxxxxxxxxx...(argument truncated)";
    QCOMPARE(result.rewrites.size(), size_t(3));
    QCOMPARE(textAfter(result, 0), "{\"file_path\": \"a\", \"content\": \"" + clip + "\"}");
    QCOMPARE(textAfter(result, 2), "{\"old_string\": \"" + clip + "\", \"new_string\": \"" + clip + "\"}");
    // Below the trigger nothing happens; and small arguments stay.
    QVERIFY(compacted(session, "deep-agents",
        { { "clip-arguments.cap", "100" }, { "clip-arguments.trigger", "9msg" }, { "summarise", "off" } })
            .changesNothing());
    QVERIFY(compacted(session, "deep-agents",
        { { "clip-arguments.cap", "200" }, { "clip-arguments.trigger", "5msg" }, { "clip-arguments.keep", "2msg" },
            { "summarise", "off" } })
            .changesNothing());
}

void ConformanceTest::deepAgentsKeep_data()
{
    QTest::addColumn<size_t>("messages");
    QTest::addColumn<size_t>("cutoff");
    QTest::newRow("8 messages, keep 2") << size_t(8) << size_t(6);
    QTest::newRow("14 messages, keep 2") << size_t(14) << size_t(12);
    QTest::newRow("20 messages, keep 2") << size_t(20) << size_t(18);
    QTest::newRow("4 messages are below the trigger") << size_t(4) << size_t(0);
}

void ConformanceTest::deepAgentsKeep()
{
    QFETCH(const size_t, messages);
    QFETCH(const size_t, cutoff);
    std::vector<std::pair<char, std::string>> list;
    for (size_t i = 0; i < messages; ++i)
        list.emplace_back(i % 2 == 0 ? 'h' : 'a', content("message " + std::to_string(i)));
    const Compaction result = compacted(
        langChain(list), "deep-agents", { { "trigger", "5msg" }, { "keep", "2msg" }, { "summary.text", "S" } });
    if (cutoff == 0) {
        QVERIFY(result.changesNothing());
        return;
    }
    QCOMPARE(result.stages.back().cutoff, cutoff);
    QCOMPARE(result.after.slotCount(), size_t(3));
    QCOMPARE(textAfter(result, 0),
        "You are in the middle of a conversation that has been summarized.\n\n"
        "The full conversation history has been saved to /conversation_history/sess-1.md should you need to refer back "
        "to it "
        "for details.\n\nA condensed summary follows:\n\n<summary>\nS\n</summary>");
    const std::string log = result.textOf(result.artifacts.front());
    QVERIFY(log.starts_with("## Summarized at 1970-01-01T00:00:00"));
    QVERIFY(log.find("<message type=\"human\">message 0</message>\n<message type=\"ai\">message 1</message>")
        != std::string::npos);
    QVERIFY(log.find("message " + std::to_string(cutoff)) == std::string::npos);
}

void ConformanceTest::deepAgentsFractions_data()
{
    QTest::addColumn<QString>("trigger");
    QTest::addColumn<QString>("keep");
    QTest::addColumn<size_t>("kept");
    QTest::newRow("0.81 is not reached by 800 of 1,000") << "0.81" << "0.5" << size_t(0);
    QTest::newRow("0.80 is; half is two messages") << "0.80" << "0.5" << size_t(2);
    QTest::newRow("0.6 is three") << "0.80" << "0.6" << size_t(3);
    QTest::newRow("0.8 is all: nothing is evicted") << "0.80" << "0.8" << size_t(0);
}

/// Four messages of 200 in a window of 1,000, counted by their characters.
void ConformanceTest::deepAgentsFractions()
{
    QFETCH(const QString, trigger);
    QFETCH(const QString, keep);
    QFETCH(const size_t, kept);
    const std::string body(200, 'x');
    const SessionPtr session
        = langChain({ { 'h', content(body) }, { 'a', content(body) }, { 'h', content(body) }, { 'a', content(body) } });
    const Compaction result = compacted(session, "deep-agents",
        { { "window", "1000tok" }, { "counter", "characters" }, { "trigger", trigger.toStdString() },
            { "keep", keep.toStdString() } });
    if (kept == 0)
        QVERIFY(result.changesNothing());
    else
        QCOMPARE(result.after.slotCount(), kept + 1);
}

void ConformanceTest::deepAgentsOffload()
{
    std::string lines;
    for (int i = 1; i <= 12; ++i)
        lines += "row " + std::to_string(i) + "\n";
    const SessionPtr session = langChain({ { 'h', content("task") }, { 'a', calling("execute", "call/123", "{}") },
        { 't', answering("execute", "call/123", lines) }, { 'a', content("done") } });
    const Compaction result = compacted(session, "deep-agents", { { "offload-results.cap", "50" } });
    QCOMPARE(result.artifacts.front().name, "/large_tool_results/call_123");
    QCOMPARE(textAfter(result, 2),
        "Tool result too large, the result of this tool call call/123 was saved in the filesystem at this path: "
        "/large_tool_results/call_123\n\n"
        "You can read the result from the filesystem by using the read_file tool, but make sure to only read part of "
        "the result "
        "at a time.\n\nYou can do this by specifying an offset and limit in the read_file tool call. For example, to "
        "read the "
        "first 100 lines, you can use the read_file tool with offset=0 and limit=100.\n\nHere is a preview showing the "
        "head and "
        "tail of the result (lines of the form `... [N lines truncated] ...` indicate omitted lines in the middle of "
        "the "
        "content):\n\n1  row 1\n2  row 2\n3  row 3\n4  row 4\n5  row 5\n... [2 lines truncated] ...\n 8  row 8\n 9  "
        "row 9\n"
        "10  row 10\n11  row 11\n12  row 12\n");
    QCOMPARE(compacted(session, "deep-agents-js", { { "offload-results.cap", "50" } }).artifacts.front().name,
        "/large_tool_results/call_123.txt");
    // 1,000 tokens are 4,000 characters; that many stay.
    const SessionPtr edge = langChain({ { 'h', content("task") }, { 'a', calling("execute", "1", "{}") },
        { 't', answering("execute", "1", std::string(4000, 'x')) }, { 'a', content("done") } });
    QVERIFY(compacted(edge, "deep-agents", { { "offload-results.cap", "4000" } }).changesNothing());
    QVERIFY(!compacted(edge, "deep-agents", { { "offload-results.cap", "3999" } }).changesNothing());
}

/// Deep Agents D.6: after a refusal for length, results at the end that reach the keep budget are cut or offloaded.
void ConformanceTest::deepAgentsOffloadTail()
{
    const std::string bulk(6000, 'x');
    const SessionPtr session = langChain({ { 'h', content("task") },
        { 'a', calling("read_file", "1", R"({"file_path":"/a.py"})") }, { 't', answering("read_file", "1", bulk) },
        { 'a', calling("execute", "2", "{}") }, { 't', answering("execute", "2", "short") },
        { 't', answering("read_file", "1", bulk) }, { 't', answering("execute", "3", bulk) } });
    const auto clipped = [&](const std::string &keep) {
        return compacted(session, "deep-agents-no-profile",
            { { "offload-tail", "on" }, { "keep", keep }, { "summarise", "off" }, { "clip-arguments", "off" } });
    };
    const Compaction result = clipped("2000tok");
    QCOMPARE(textAfter(result, 2), bulk); // not at the end
    QVERIFY(textAfter(result, 4).starts_with("Tool result too large, the result of this tool call 2 was saved"));
    QVERIFY(textAfter(result, 5).starts_with(std::string(4000, 'x') + "\n"));
    QVERIFY(textAfter(result, 5).size() < 4100);
    QVERIFY(textAfter(result, 6).starts_with("Tool result too large, the result of this tool call 3 was saved"));
    QCOMPARE(result.artifacts.size(), size_t(2));
    // 12,005 characters are some 3,000 tokens: below the budget nothing happens, nor by default.
    QVERIFY(clipped("4000tok").changesNothing());
    QVERIFY(clipped("6msg").changesNothing()); // then the budget is 5,000
    QVERIFY(compacted(session, "deep-agents-no-profile", { { "keep", "2000tok" }, { "summarise", "off" } })
            .changesNothing());
}

void ConformanceTest::deepAgentsOffloadUserMessages_data()
{
    QTest::addColumn<size_t>("length");
    QTest::addColumn<bool>("isOffloaded");
    QTest::newRow("400 characters stay") << size_t(400) << false;
    QTest::newRow("401 go") << size_t(401) << true;
}

void ConformanceTest::deepAgentsOffloadUserMessages()
{
    QFETCH(const size_t, length);
    QFETCH(const bool, isOffloaded);
    const SessionPtr session = langChain({ { 'h', content(std::string(1000, 'y')) }, { 'a', content("a") },
        { 'h', content(std::string(length, 'x')) } });
    const Compaction result = compacted(session, "deep-agents", { { "offload-user-messages.cap", "400" } });
    QCOMPARE(!result.changesNothing(), isOffloaded);
    QCOMPARE(textAfter(result, 0).size(), size_t(1000)); // only the last message
    if (isOffloaded)
        QVERIFY(textAfter(result, 2).starts_with(
            "Message content too large and was saved to the filesystem at: /conversation_history/"));
}

void ConformanceTest::deepAgentsTriggerByRecordedUsage()
{
    auto session = std::make_shared<Session>(*core::session("u:100 a:100 u:100 a:100 u:100"));
    session->threads.front().calls.back().usage = Usage { 9000, 0, 0, 1001 };
    const Compaction fires
        = compacted(session, "deep-agents-no-profile", { { "trigger", "10000tok" }, { "keep", "2msg" } });
    QVERIFY(fires.hasFired);
    session = std::make_shared<Session>(*session);
    session->threads.front().calls.back().usage = Usage { 9000, 0, 0, 999 };
    QVERIFY(!compacted(session, "deep-agents-no-profile", { { "trigger", "10000tok" }, { "keep", "2msg" } }).hasFired);
}

/// Deep Agents D.3, 5: images of the evicted part go to files of their own; the archive names them.
void ConformanceTest::deepAgentsMedia()
{
    const auto picture = [](const std::string &url) {
        return R"({"content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":")" + url
            + R"("}}]})";
    };
    const std::string data = "data:image/png;base64,";
    const SessionPtr session = langChain({ { 'h', picture(data + "iVBORw0KGgo=") }, { 'a', content("a") },
        { 'h', picture(data + "iVBORw0KGgo=") }, { 'a', content("a") }, { 'h', picture("https://a.b/c.png") },
        { 'h', picture(data + "iVBORw0KG*o=") }, { 'a', content("a") }, { 'h', picture(data + "AAAA") } });
    const Compaction result
        = compacted(session, "deep-agents", { { "trigger", "5msg" }, { "keep", "1msg" }, { "summary.text", "S" } });
    const std::string file = "/conversation_history/media/4c4b6a3be1314ab8.png";
    const std::string log = result.textOf(result.artifacts.front());
    QCOMPARE(log.find("iVBOR"), std::string::npos);
    const size_t first = log.find("see&lt;image url=\"" + file + "\" /&gt;</message>");
    QVERIFY2(first != std::string::npos, log.c_str());
    QVERIFY(log.find(file, first + 80) != std::string::npos);
    QVERIFY(log.find("https://a.b/c.png") != std::string::npos);
    QVERIFY(log.find("&lt;image error=\"failed_to_offload\" /&gt;") != std::string::npos);
    QCOMPARE(result.artifacts.size(), size_t(2)); // equal images are one file; what is kept stays in the array
    QCOMPARE(result.artifacts[1].name, file);
    QCOMPARE(result.artifacts[1].blocks.size(), size_t(2));
    QCOMPARE(result.textOf(result.artifacts[1]), std::string("\x89PNG\r\n\x1a\n"));
}

void ConformanceTest::deepAgentsCompactWhenAsked_data()
{
    QTest::addColumn<QByteArray>("trigger");
    QTest::addColumn<qulonglong>("reported");
    QTest::addColumn<size_t>("summarised"); ///< 0: refused
    QTest::newRow("half of the messages") << QByteArray("10msg") << 0ULL << size_t(3);
    QTest::newRow("half rounded down") << QByteArray("11msg") << 0ULL << size_t(3);
    QTest::newRow("fewer") << QByteArray("12msg") << 0ULL << size_t(0);
    QTest::newRow("half of the tokens") << QByteArray("10000tok") << 5000ULL << size_t(3);
    QTest::newRow("fewer tokens") << QByteArray("10000tok") << 4999ULL << size_t(0);
    QTest::newRow("tokens that nobody reported") << QByteArray("10tok") << 0ULL << size_t(0);
}

/// Deep Agents D.7: five messages, the last one asks; two stay, and the answer behind them.
void ConformanceTest::deepAgentsCompactWhenAsked()
{
    QFETCH(QByteArray, trigger);
    QFETCH(qulonglong, reported);
    QFETCH(size_t, summarised);
    auto session = std::make_shared<Session>(*langChain({ { 'h', content("h1") }, { 'a', content("a1") },
        { 'h', content("h2") }, { 'a', content("a2") }, { 'a', calling("compact_conversation", "1", "{}") },
        { 't', answering("compact_conversation", "1", "recorded") } }));
    if (reported > 0)
        session->threads.front().calls.back().usage = Usage { reported - 1000, 0, 0, 1000 };
    const auto policy = policyWith("deep-agents-no-profile",
        { { "trigger", trigger.toStdString() }, { "keep", "2msg" }, { "summary.text", "S" }, { "summarise", "on" } });
    const Transcript array(session, session->threads.front().end);
    CompactOptions options;
    const Compaction result = compact(array, policy, *roughTokens(*session), options);
    const SlotIndex last(result.after.slotCount() - 1);
    if (trigger == "10tok") {
        QVERIFY(result.stages.size() > 2);
        QCOMPARE(result.stages[2].rewrites, size_t(1)); // the answer; then the trigger itself summarises
        return;
    }
    QCOMPARE(result.hasFired, summarised > 0);
    if (summarised == 0) {
        QCOMPARE(result.after.slotCount(), size_t(6));
        QCOMPARE(textAfter(result, 5), "Nothing to compact yet \u2014 conversation is within the token budget.");
        return;
    }
    QCOMPARE(result.after.slotCount(), size_t(4));
    QVERIFY(textAfter(result, 0).find("<summary>\nS\n</summary>") != std::string::npos);
    QCOMPARE(textAfter(result, 1), "a2");
    QCOMPARE(textAfter(result, 3),
        "Conversation compacted. Summarized " + std::to_string(summarised) + " messages into a concise summary.");
    // Without the call, or before it is answered, nothing is done.
    const SessionPtr asked = langChain({ { 'h', content("h1") }, { 'a', content("a1") }, { 'h', content("h2") },
        { 'a', content("a2") }, { 'a', calling("compact_conversation", "1", "{}") } });
    QVERIFY(compacted(asked, policy).changesNothing());
}

/// pi: more than the window less 16,384 tokens, of recorded usage and what came after it (here 25); what is kept is the
/// first message that makes 20,000, and what follows.
void ConformanceTest::piTriggersShortOfTheWindow()
{
    for (const uint64_t reported : { 183'591U, 183'592U }) {
        auto session = std::make_shared<Session>(*core::session("u:100 a:100 u:60000 a:24000 u:48000 a:4000 u:100"));
        session->windowTokens = 200'000;
        session->threads.front().calls.back().usage = Usage { reported - 1000, 0, 0, 1000 };
        const Compaction result = compacted(session, "pi", { { "summary.text", "S" } });
        QCOMPARE(result.hasFired, reported + 25 > 183'616);
        if (!result.hasFired)
            continue;
        QCOMPARE(result.stages.front().cutoff, size_t(2)); // 25 + 1,000 + 12,000 + 6,000 are not 20,000 yet
        QVERIFY(textAfter(result, 0).ends_with("<summary>\nS\n</summary>"));
    }
    auto session = std::make_shared<Session>(*core::session("u:100 a:100 u:100000"));
    session->windowTokens = 1'000'000;
    session->threads.front().calls.back().usage = Usage { 958'591, 0, 0, 25 };
    QVERIFY(!compacted(session, "pi").hasFired);
    session = std::make_shared<Session>(*session);
    session->threads.front().calls.back().usage = Usage { 958'592, 0, 0, 25 };
    QVERIFY(compacted(session, "pi").hasFired);
}

void ConformanceTest::langChainPullsBackToTheCall()
{
    const SessionPtr session = core::session("u:300 a:180+c:20 t:50 u:180 u:160");
    const Compaction result = compacted(session, "langchain-summarization",
        { { "window", "1000tok" }, { "trigger", "1tok" }, { "keep", "0.5" }, { "counter", "characters" } });
    QCOMPARE(result.stages.front().cutoff, size_t(1));
    QCOMPARE(result.after.slotCount(), size_t(5));
    QVERIFY(result.validity.empty());
}

void ConformanceTest::langChainKeepsWhatFits_data()
{
    QTest::addColumn<QString>("keep");
    QTest::addColumn<size_t>("kept");
    QTest::newRow("400 tokens keep 2 of 200") << "400tok" << size_t(2);
    QTest::newRow("600 tokens keep 3") << "600tok" << size_t(3);
    QTest::newRow("800 tokens keep all") << "800tok" << size_t(4);
    QTest::newRow("1 token keeps the last all the same") << "1tok" << size_t(1);
    QTest::newRow("2 messages") << "2msg" << size_t(2);
}

void ConformanceTest::langChainKeepsWhatFits()
{
    QFETCH(const QString, keep);
    QFETCH(const size_t, kept);
    const Compaction result = compacted(core::session("u:200 a:200 u:200 a:200"), "langchain-summarization",
        { { "trigger", "1tok" }, { "keep", keep.toStdString() }, { "counter", "characters" } });
    QCOMPARE(result.after.slotCount(), kept == 4 ? size_t(4) : kept + 1);
    if (kept < 4)
        QVERIFY(textAfter(result, 0).starts_with("Here is a summary of the conversation to date:\n\n"));
}

void ConformanceTest::langChainCounts_data()
{
    QTest::addColumn<QStringList>("texts");
    QTest::addColumn<double>("tokens");
    QTest::newRow("an empty text") << QStringList { u""_s } << 4.0;
    QTest::newRow("three short ones") << QStringList { u"Hello"_s, u"Hi there"_s, u"How are you?"_s } << 21.0;
    QTest::newRow("10,000 characters") << QStringList { QString(10000, u'x') } << 2504.0;
}

void ConformanceTest::langChainCounts()
{
    QFETCH(const QStringList, texts);
    QFETCH(const double, tokens);
    std::vector<std::pair<char, std::string>> list;
    for (int i = 0; i < texts.size(); ++i)
        list.emplace_back(i % 2 == 0 ? 'h' : 'a', content(texts[i].toStdString()));
    const SessionPtr session = langChain(list);
    const Transcript end(session, session->threads.front().end);
    if (texts.front().isEmpty() && end.isEmpty())
        QSKIP("The reader leaves empty messages out.");
    const BlockTokensPtr rough = roughTokens(*session);
    const Draft draft(end, MessageShape::LangChain, *rough);
    QCOMPARE(DraftArray(draft, *preset("langchain-summarization")).totalTokens(), tokens);
}

/// LangChain and Deep Agents in Python: 3.3 characters a token for Claude, 4 for others. The edit that clears results
/// always takes 4, and so does all of JavaScript.
void ConformanceTest::langChainCountsByTheModel_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("model");
    QTest::addColumn<size_t>("cutoff");
    // A user's message is 104 tokens of four characters, one of the model 106; of 3.3 they are 126 and 127.
    QTest::newRow("Deep Agents, Claude") << "deep-agents" << "claude-opus-4-5-20251101" << size_t(33);
    QTest::newRow("Deep Agents, another") << "deep-agents" << "gpt-5.1" << size_t(31);
    QTest::newRow("Deep Agents without a profile, Claude")
        << "deep-agents-no-profile" << "claude-sonnet-4-5" << size_t(33);
    QTest::newRow("LangChain, Claude") << "langchain-summarization" << "claude-opus-4-5-20251101" << size_t(33);
    QTest::newRow("LangChain, a model that is not recorded") << "langchain-summarization" << "" << size_t(31);
    // 100 tokens a message.
    QTest::newRow("Deep Agents in JavaScript, Claude") << "deep-agents-js" << "claude-opus-4-5" << size_t(30);
}

void ConformanceTest::langChainCountsByTheModel()
{
    QFETCH(const QString, preset);
    QFETCH(const QString, model);
    QFETCH(const size_t, cutoff);
    std::string line;
    for (int i = 0; i < 20; ++i)
        line += " u:400 a:400";
    auto session = std::make_shared<Session>(*core::session(line));
    session->model = model.toStdString();
    const Compaction result
        = compacted(session, preset.toLatin1().constData(), { { "trigger", "1tok" }, { "keep", "1000tok" } });
    QCOMPARE(result.stages.back().cutoff, cutoff);
}

/// `countTokensApproximately` of langchain 1.5.14 (npm) says 53 tokens of these messages, and 4, 42, 5 and 3 of each.
void ConformanceTest::langChainCountsInJavaScript()
{
    const SessionPtr session = langChain({ { 'h', content("List the files.") },
        { 'a',
            R"({"content":"I look.","tool_calls":[)" + callNamed("ls", "call_1", "{\"path\":\"src/é\",\"all\":true}")
                + "," + callNamed("read_file", "call_2", "{\"path\":\"a.txt\"}") + "]}" },
        { 't', answering("ls", "call_1", "a.txt\nb.txt") }, { 't', answering("read_file", "call_2", "text") } });
    const Transcript end(session, session->threads.front().end);
    const BlockTokensPtr rough = roughTokens(*session);
    const Draft draft(end, MessageShape::LangChain, *rough);
    const DraftArray array(draft, *preset("deep-agents-js"));
    QCOMPARE(array.totalTokens(), 53.0);
    std::vector<double> each;
    for (size_t i = 0; i < array.messageCount(); ++i)
        each.push_back(array.factsOf(i).tokens);
    QCOMPARE(each, (std::vector<double> { 4, 42, 5, 3 }));
}

void ConformanceTest::langChainClearsAbove100000()
{
    std::string line = "u:10";
    for (int i = 0; i < 5; ++i)
        line += " a:20+c:30 t:19950";
    const SessionPtr session = core::session(line + " a:1");
    const auto run = [&](const char *trigger, const Settings &more = {}) {
        Settings settings { { "counter", "characters" }, { "trigger", trigger } };
        settings.insert(settings.end(), more.begin(), more.end());
        return compacted(session, "langchain-clear-tool-uses", settings);
    };
    // The array is 10 + 5 × 20,000 + 1 = 100,011.
    QVERIFY(run("100011tok").changesNothing());
    const Compaction result = run("100010tok");
    QCOMPARE(result.rewrites.size(), size_t(2));
    QCOMPARE(textAfter(result, 2), "[cleared]");
    QCOMPARE(textAfter(result, 4), "[cleared]");
    QCOMPARE(textAfter(result, 6).size(), size_t(19950));
    QVERIFY(result.validity.empty());
    QCOMPARE(run("1tok", { { "keep", "0results" } }).rewrites.size(), size_t(5));
    QCOMPARE(run("1tok", { { "at-least", "1" } }).rewrites.size(), size_t(1));
    QCOMPARE(run("1tok", { { "exclude", "run" } }).rewrites.size(), size_t(0));
    QCOMPARE(run("1tok", { { "inputs", "on" } }).rewrites.size(), size_t(4));
    // There is nothing to clear in a call without arguments.
    const Compaction bare = compacted(genkit({ said("user", "task"), requested("ls", "c1", "{}"),
                                          answered("ls", "c1", "a b c"), said("model", "done") }),
        policyWith("langchain-clear-tool-uses", { { "trigger", "1tok" }, { "keep", "0results" }, { "inputs", "on" } }));
    QCOMPARE(bare.rewrites.size(), size_t(1));
    QCOMPARE(textAfter(bare, 2), "[cleared]");
    // Cleared ones stay as they are.
    QVERIFY(compacted(result.after.session(), policyWith("langchain-clear-tool-uses", { { "trigger", "1tok" } }))
            .changesNothing());
}

void ConformanceTest::iiiTruncates()
{
    const std::string body = std::string(3000, 'H') + std::string(50000, 'M') + std::string(3000, 'T');
    const SessionPtr session = genkit({ said("user", "task"), requested("execute", "c1", "{}"),
        answered("execute", "c1", body), said("model", "done") });
    const Compaction result = compacted(session, "iii-pr140-intended");
    QCOMPARE(textAfter(result, 2),
        "[result truncated — 56000 bytes — call agent_call with function=\"result::fetch\", payload={\"call_id\": "
        "\"c1\"} to "
        "retrieve the full output]\n\n"
            + std::string(2048, 'H') + "\n\n[... 51904 bytes elided ...]\n\n" + std::string(2048, 'T'));
    QCOMPARE(result.artifacts.front().name, "session/sess-1/result/c1");
    QCOMPARE(result.textOf(result.artifacts.front()), body);
}

void ConformanceTest::iiiThreshold_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<size_t>("length");
    QTest::addColumn<bool>("isTruncated");
    QTest::newRow("8,192 bytes stay") << "iii-pr140-intended" << size_t(8192) << false;
    QTest::newRow("8,193 do not") << "iii-pr140-intended" << size_t(8193) << true;
    QTest::newRow("as coded the payload counts twice: 4,096 stay") << "iii-pr140-as-coded" << size_t(4096) << false;
    QTest::newRow("as coded 4,097 do not") << "iii-pr140-as-coded" << size_t(4097) << true;
}

void ConformanceTest::iiiThreshold()
{
    QFETCH(const QString, preset);
    QFETCH(const size_t, length);
    QFETCH(const bool, isTruncated);
    const SessionPtr session = genkit({ said("user", "task"), requested("execute", "c1", "{}"),
        answered("execute", "c1", std::string(length, 'x')), said("model", "done") });
    QCOMPARE(!compacted(session, preset.toLatin1().constData()).changesNothing(), isTruncated);
}

void ConformanceTest::iiiKeepsWholeCharacters()
{
    // Three bytes a character: 2,048 is inside the 683rd from either side.
    const SessionPtr session = genkit({ said("user", "task"), requested("execute", "c1", "{}"),
        answered("execute", "c1", repeated("€", 5000)), said("model", "done") });
    const std::string text = textAfter(compacted(session, "iii-pr140-intended"), 2);
    QVERIFY(isValidUtf8(text));
    QVERIFY(text.find("[... " + std::to_string(15000 - 2 * 2046) + " bytes elided ...]") != std::string::npos);
}

/// iii: usage is input, output and what was read from the cache; 100 + 50 + 800 are 950 beside 200 written.
void ConformanceTest::iiiTriggersWithoutCacheWrites()
{
    auto session = std::make_shared<Session>(*core::session("u:500 a:500 u:500 a:500 u:500"));
    session->threads.front().calls.back().usage = Usage { 100, 800, 200, 50 };
    for (const char *id : { "iii-pr140-as-coded", "iii-pr140-intended" }) {
        QVERIFY(compacted(session, id, { { "trigger", "950tok" } }).hasFired);
        const Compaction waits = compacted(session, id, { { "trigger", "951tok" } });
        QVERIFY(!waits.hasFired);
        QCOMPARE(QString::fromStdString(waits.verdict), u"950 of 951 tokens"_s);
    }
}

void ConformanceTest::iiiKeepsThreeMessages()
{
    const SessionPtr session = core::session("u:500 a:500 u:500 a:500 u:500 a:500 u:500 a:500 u:500 a:500");
    const Compaction result = compacted(session, "iii-pr140-intended", { { "trigger", "100tok" } });
    QCOMPARE(result.stages.back().cutoff, size_t(7));
    QCOMPARE(result.after.slotCount(), size_t(4));
    QVERIFY(compacted(core::session("u:500 a:500 u:500"), "iii-pr140-intended", { { "trigger", "100tok" } })
            .changesNothing());
}

void ConformanceTest::iiiAsCodedSummarisesNothing()
{
    const SessionPtr session = core::session("u:500 a:500 u:500 a:500 u:500 a:500");
    const Compaction result = compacted(session, "iii-pr140-as-coded", { { "trigger", "100tok" } });
    QVERIFY(result.hasFired);
    QVERIFY(result.changesNothing());
    QCOMPARE(result.artifacts.size(), size_t(1)); // stored, and never loaded
}

void ConformanceTest::lengthUnits_data()
{
    QTest::addColumn<QString>("unit");
    QTest::addColumn<bool>("isClipped");
    QTest::newRow("1,500 emoji are 1,500 code points") << "code_points" << false;
    QTest::newRow("and 3,000 UTF-16 units") << "utf16_units" << true;
    QTest::newRow("and 6,000 bytes") << "bytes" << true;
}

void ConformanceTest::lengthUnits()
{
    QFETCH(const QString, unit);
    QFETCH(const bool, isClipped);
    const SessionPtr session = genkit({ said("user", repeated("😀", 1500)), said("model", "x") });
    const Compaction result
        = compacted(session, "genkit-recipe-figure", { { "keep", "1msg" }, { "length_unit", unit.toStdString() } });
    QCOMPARE(!result.changesNothing(), isClipped);
    if (unit == "utf16_units"_L1)
        QVERIFY(textAfter(result, 0).starts_with(repeated("😀", 60) + "…[truncated] (3,000 chars total)"));
    if (unit == "bytes"_L1)
        QVERIFY(textAfter(result, 0).starts_with(repeated("😀", 30) + "…[truncated] (6,000 chars total)"));
}

PALIMPSEST_TEST(ConformanceTest)
#include "tst_conformance.moc"
