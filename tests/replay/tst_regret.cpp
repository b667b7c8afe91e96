// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/trace_verdict.h"
#include "core/json/json.h"
#include "core/replay/regret.h"
#include "core/report/replay_report.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

const ThreadIndex kMain(0U);

Json toolUse(const std::string &id, const std::string &name, Json input)
{
    return { { "role", "assistant" },
        { "content",
            Json::array(
                { { { "type", "tool_use" }, { "id", id }, { "name", name }, { "input", std::move(input) } } }) } };
}

Json toolResult(const std::string &id, const std::string &text)
{
    return { { "role", "user" },
        { "content", Json::array({ { { "type", "tool_result" }, { "tool_use_id", id }, { "content", text } } }) } };
}

std::string lines(const std::string &word, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "a line of the file about " + word + " number " + std::to_string(i) + "\n";
    return text;
}

const std::string kQuoted = "a line of the file about apples number 40\na line of the file about apples number 41\n";

/// A file is read, then others, then the first one is edited, quoting two lines from its middle.
SessionPtr editingSession()
{
    Json messages = Json::array({ { { "role", "user" }, { "content", "the task" } } });
    const auto read = [&](const std::string &id, const std::string &file, const std::string &text) {
        messages.push_back(toolUse(id, "Read", { { "file_path", file } }));
        messages.push_back(toolResult(id, text));
    };
    read("t1", "apples.txt", lines("apples", 80));
    for (int i = 2; i < 8; ++i)
        read("t" + std::to_string(i), "other" + std::to_string(i), lines("pears " + std::to_string(i), 80));
    messages.push_back(toolUse(
        "e1", "Edit", { { "file_path", "apples.txt" }, { "old_string", kQuoted }, { "new_string", "nothing" } }));
    messages.push_back(toolResult("e1", "done"));
    messages.push_back({ { "role", "user" }, { "content", "thank you" } });
    messages.push_back({ { "role", "assistant" }, { "content", "at your service" } });
    return *testing::load(jsonText(messages));
}

Regret regretUnder(const SessionPtr &session, const PolicyPtr &policy)
{
    const BlockTokensPtr tokens = roughTokens(*session);
    const ReplayPtr replayed = replay(replayGround(session, kMain, tokens), policy);
    return regretOf(*session, *findUses(*session, kMain), replayed->spans, *tokens, *replayed->ground->sums,
        RegretWorld::Simulated);
}

PolicyPtr policy(std::string_view id, std::initializer_list<std::pair<std::string_view, std::string_view>> settings)
{
    Policy changed = *preset(id);
    for (const auto &[key, value] : settings)
        changed = withSetting(changed, key, value).value();
    return std::make_shared<const Policy>(std::move(changed));
}

} // namespace

class RegretTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsClearedAndQuotedLaterIsLost();
    void whatIsLeftOfATextCoversIt();
    void aTextThatIsShownAgainIsNotLost();
    void messagesOfThePersonAreCountedAtTheEnd();
    void whatWasTypedBeforeACompactionCountsUnderPoliciesToo();
    void costsAddUpAndTheMovingWindowBreaksTheCache();
    void theDocumentSaysWhatTheTerminalSays();
};

void RegretTest::whatIsClearedAndQuotedLaterIsLost()
{
    const SessionPtr session = editingSession();
    const Regret none = regretUnder(session, preset("none"));
    QCOMPARE(none.of().all(), size_t(1));
    QCOMPARE(none.of()[UseFate::Kept], size_t(1));
    QCOMPARE(none.fetchTokens(), 0.0);
    const Regret cleared
        = regretUnder(session, policy("langchain-clear-tool-uses", { { "trigger", "1tok" }, { "keep", "3results" } }));
    QCOMPARE(cleared.of()[UseFate::Lost], size_t(1));
    const Uses uses = *findUses(*session, kMain);
    QCOMPARE(cleared.fetchTokens(), double(roughTokens(*session)->of(uses.carrier(uses.uses.front()))));
    QCOMPARE(cleared.fetches.size(), size_t(1));
    // As many as stand between: it is still there.
    const Regret kept
        = regretUnder(session, policy("langchain-clear-tool-uses", { { "trigger", "1tok" }, { "keep", "7results" } }));
    QCOMPARE(kept.of()[UseFate::Lost], size_t(0));
}

void RegretTest::whatIsLeftOfATextCoversIt()
{
    const SessionPtr session = editingSession();
    const auto clipped = [&](std::string_view preview) {
        return regretUnder(session,
            policy("genkit-recipe-figure",
                { { "keep", "2msg" }, { "clip-results.cap", "1500" }, { "clip-results.preview", preview } }));
    };
    QCOMPARE(clipped("3000").of()[UseFate::Covered], size_t(1));
    QCOMPARE(clipped("500").of()[UseFate::Lost], size_t(1));
}

void RegretTest::aTextThatIsShownAgainIsNotLost()
{
    Json messages = Json::array({ { { "role", "user" }, { "content", "the task" } } });
    for (int i = 0; i < 6; ++i) {
        const std::string id = "t" + std::to_string(i);
        const bool isSame = i == 0 || i == 5;
        messages.push_back(toolUse(id, "Read", { { "file_path", isSame ? "a.txt" : "b" + id } }));
        messages.push_back(toolResult(id, lines(isSame ? "apples" : "pears " + id, 40)));
    }
    const SessionPtr session = *testing::load(jsonText(messages));
    const Regret regret
        = regretUnder(session, policy("langchain-clear-tool-uses", { { "trigger", "1tok" }, { "keep", "2results" } }));
    QCOMPARE(regret.byKind[static_cast<size_t>(UseKind::Repeat)][UseFate::Fetched], size_t(1));
    QCOMPARE(regret.of()[UseFate::Lost], size_t(0));
    QCOMPARE(regret.fetchTokens(), 0.0);
}

void RegretTest::messagesOfThePersonAreCountedAtTheEnd()
{
    const SessionPtr session = editingSession();
    const Regret regret
        = regretUnder(session, policy("langchain-summarization", { { "trigger", "2000tok" }, { "keep", "3msg" } }));
    QCOMPARE(regret.typedMessages, size_t(2));
    QCOMPARE(regret.lostMessages.size(), size_t(1));
    QCOMPARE(session->text(session->block(regret.lostMessages.front()).body), std::string("the task"));
    QCOMPARE(regretUnder(session, preset("none")).lostMessages.size(), size_t(0));
}

void RegretTest::whatWasTypedBeforeACompactionCountsUnderPoliciesToo()
{
    RecordedSession recorded;
    recorded.typed("the task, which is long");
    recorded.reply("done");
    recorded.typed("and mind the tests");
    recorded.summarise(100);
    recorded.reply("yes");
    const SessionPtr session = recorded.finish();
    const ContextSpans spans = recordedSpans(session, kMain);
    const std::vector<Trace> traces = *tracedUserMessages(spans);
    QCOMPARE(traces.size(), size_t(2));
    QCOMPARE(inContextAt(traces, spans.callCount).all, size_t(2));
    QCOMPARE(inContextAt(traces, spans.callCount).standing, size_t(0));
    QVERIFY(traceVerdict(spans, traces[1], {}, *roughTokens(*session)).starts_with("No call sent it."));
    const Regret none = regretUnder(session, preset("none"));
    QCOMPARE(none.typedMessages, size_t(2));
    QCOMPARE(none.lostMessages.size(), size_t(0));
}

namespace {

/// Thirty calls of a model with a price, a second apart.
SessionPtr pricedSession()
{
    RecordedSession recorded;
    recorded.typed("the task");
    for (size_t i = 0; i < 30; ++i) {
        recorded.use("Read", "file " + std::to_string(i), 20, 8000 + i * 1200);
        recorded.result(4000);
    }
    recorded.reply("done", 8000 + 30 * 1200);
    auto session = std::make_shared<Session>(*recorded.finish());
    session->model = "claude-sonnet-4-5-20250929";
    return session;
}

} // namespace

void RegretTest::costsAddUpAndTheMovingWindowBreaksTheCache()
{
    const SessionPtr session = pricedSession();
    const BlockTokensPtr tokens = roughTokens(*session);
    const Prices prices = Prices::bundled();
    const auto report = replayReport("test", session, kMain, tokens,
        { preset("none"), preset("genkit-recipe-figure"),
            policy("langchain-summarization", { { "trigger", "20000tok" }, { "keep", "5msg" } }) },
        prices);
    QVERIFY(report.has_value());
    for (const PolicyFiguresPtr &each : report->policies) {
        double sum = 0;
        for (const ReplayCallCost &call : each->cost.calls)
            sum += call.cost.value();
        QVERIFY(std::abs(sum - each->cost.parts.total()) < 1e-9);
        QCOMPARE(each->cost.calls.size(), size_t(31));
    }
    const auto &none = *report->policies[0];
    const auto &figure = *report->policies[1];
    const auto &summaries = *report->policies[2];
    size_t broken = 0;
    for (size_t i = 1; i < 31; ++i) {
        QCOMPARE(none.cost.calls[i].cache.cause, CacheCause::None);
        broken += figure.cost.calls[i].cache.cause == CacheCause::Clearing ? 1 : 0;
    }
    QVERIFY(broken >= 26);
    QVERIFY(figure.cost.parts.compactionRewrites > 0);
    QCOMPARE(none.cost.parts.compactionRewrites, 0.0);
    QVERIFY(figure.cost.hitShare() < none.cost.hitShare());
    QVERIFY(summaries.cost.parts.summaries > 0);
    QVERIFY(summaries.payBack.has_value());
    QVERIFY(!none.payBack.has_value());
    // A difference has the parts of both.
    QVERIFY(std::abs(summaries.difference->total()
                - (summaries.cost.parts.total() - report->recorded->computed.parts.total()))
        < 1e-9);
}

void RegretTest::theDocumentSaysWhatTheTerminalSays()
{
    const SessionPtr session = pricedSession();
    const auto report = replayReport("a file", session, kMain, roughTokens(*session),
        { policy("langchain-summarization", { { "trigger", "20000tok" }, { "keep", "5msg" } }) }, Prices::bundled());
    const Json document = replayJson(*report);
    QCOMPARE(document["schema"].get<std::string>(), std::string("palimpsest.replay/1"));
    QCOMPARE(document["policies"].size(), size_t(2));
    const Json &run = document["policies"][1];
    QCOMPARE(run["calls"].size(), size_t(31));
    size_t fired = 0;
    for (const Json &call : run["calls"])
        fired += call["fired"].get<bool>() ? 1 : 0;
    QCOMPARE(run["totals"]["compactions"].get<size_t>(), fired);
    QVERIFY(fired > 0);
    for (const char *member : { "tokens", "peak", "compactions", "cost", "cache_hit_share", "lost_uses", "uses",
             "refetch_tokens", "lost_user_messages" })
        QVERIFY2(run["totals"].contains(member), member);
    QCOMPARE(run["calls"][0]["recorded_tokens"].get<int>(), 8000);
    QCOMPARE(run["calls"][0]["tokens"]["value"].get<int>(), 8000);
    const QString text = QString::fromStdString(drawReplay(*report));
    QVERIFY(text.contains(u"langchain-summarization"_s) && text.contains(u"acts before call"_s));
    QVERIFY(text.contains(u"assumed to have ~1,000 tokens (a fixed value, because no summary is recorded)"_s));
    const QString csv = QString::fromStdString(replayCsv(*report));
    QCOMPARE(csv.count(u'\n'), qsizetype(32));
    QVERIFY(csv.startsWith(u"call,recorded_tokens,computed_tokens,counterfactual,langchain-summarization tokens,"_s));
}

PALIMPSEST_TEST(RegretTest)
#include "tst_regret.moc"
