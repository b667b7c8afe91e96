// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/observe.h"
#include "core/json/json.h"
#include "core/report/compaction_report.h"
#include "core/tokens/array_weights.h"
#include "tests/claude_log.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace core;

namespace {

/// The text with every run of blanks as one: summaries quote messages on one line.
std::string onOneLine(std::string_view text)
{
    std::string result;
    for (const char c : stripped(text)) {
        const bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!isBlank)
            result += c;
        else if (!result.ends_with(' '))
            result += ' ';
    }
    return result;
}

struct Survival {
    size_t kept = 0;
    size_t all = 0;
};

/// Whether the text, or what tells it from others, stands in the summary: its first 40 characters.
bool isQuoted(const std::string &summary, const std::string &message)
{
    return summary.find(message.substr(0, 40)) != std::string::npos;
}

std::string summaryIn(const Transcript &transcript)
{
    std::string summary;
    for (const BlockId id : transcript.blocks()) {
        if (transcript.block(id).is(BlockFlag::Summary))
            summary += transcript.session()->text(transcript.block(id).body) + "\n";
    }
    return onOneLine(summary);
}

std::vector<std::string> resultsIn(const Transcript &transcript)
{
    std::vector<std::string> results;
    for (const BlockId id : transcript.blocks()) {
        if (transcript.block(id).kind == BlockKind::ToolResult)
            results.push_back(transcript.session()->text(transcript.block(id).body));
    }
    return results;
}

std::vector<std::string> filesWithCompactions()
{
    return testing::corpusFiles({ "claude-code", "codex", "openai-responses", "anthropic-messages", "pi" });
}

/// Two calls with usage, a summary between them.
void recordSummary(RecordedSession &recorded)
{
    recorded.typed(std::string(1000, 'a'));
    recorded.reply("done", 3000);
    recorded.summarise(400);
    recorded.reply("done again", 2900);
}

} // namespace

/// Compactions that are not ours: recorded ones, and what lies between two files.
class ObserveTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedCompactionsAreObserved();
    void typedMessagesInSummaries();
    void aLostConstraint();
    void clearingsAreSeen_data();
    void clearingsAreSeen();
    void clearingsOfTheCorpusAreSeen();
    void whatWasRecordedIsTold();
    void aTextThatGrewIsReplaced();
    void twoFiles();
    void ofEqualTextsTheNeighboursTellWhichIsWhich();
    void ofEqualIdsTheNeighboursTellWhichIsWhich();
    void aNewSummaryIsNotTheOldOneChanged();
    void whatIsWrittenLaterIsNew();
    void anEqualTextWrittenLaterIsNew();
    void anOpeningAloneIsNoChangedText();
    void aPointerStandsForTheLastThatIsMissing();
    void usageGoesWithItsMessage();
    void whatTwoPlansMakeIsToldApart();
    void theRowsAddUp();
};

/// Every recorded compaction of the corpus: nothing is left unsaid, and what is in the log with what is not adds up to
/// what the provider counted.
void ObserveTest::recordedCompactionsAreObserved()
{
    if (testing::corpusFiles().empty())
        QSKIP("There is no corpus beside the repository.");
    size_t observed = 0;
    size_t measured = 0;
    for (const std::string &file : filesWithCompactions()) {
        const auto loaded = loadSession(testing::corpus() / file);
        if (!loaded)
            continue;
        const SessionPtr &session = *loaded;
        const BlockTokensPtr tokens = roughTokens(*session);
        for (size_t t = 0; t < session->threads.size(); ++t) {
            const Thread &thread = session->threads[t];
            for (size_t i = 0; i < thread.compactions.size(); ++i) {
                const Compaction compaction = observeRecorded(session, ThreadIndex(t), i, tokens);
                ++observed;
                size_t gone = 0;
                for (const Rewrite &rewrite : compaction.rewrites) {
                    if (rewrite.fate == Fate::Dropped || rewrite.fate == Fate::Summarised)
                        ++gone;
                }
                const auto standing = static_cast<size_t>(
                    std::ranges::count_if(compaction.origins, [](BlockId id) { return id.isValid(); }));
                QCOMPARE(gone + standing, compaction.before.blocks().size());
                const auto added = static_cast<size_t>(std::ranges::count_if(
                    compaction.rewrites, [](const Rewrite &rewrite) { return rewrite.fate == Fate::Added; }));
                QCOMPARE(standing + added, compaction.after.blocks().size());
                if (thread.compactions[i].kind != CompactionKind::Summary || !thread.compactions[i].afterTokens)
                    continue;
                // The array, the prelude and the remainder are the prompt of the call behind it.
                const size_t next = thread.compactions[i].call.isValid() ? thread.compactions[i].call.index() + 1 : 0;
                const Position position { ThreadIndex(t), CallIndex(next) };
                const ArraySum sum = arraySums(*session, position.thread, *tokens)->at(position);
                if (!sum.isRecorded())
                    continue;
                ++measured;
                const BlockTokensPtr there = tokensAt(*session, thread.compactions[i].after, tokens);
                double array = 0;
                for (const BlockId id : compaction.after.blocks())
                    array += there->of(id);
                const double whole = array + sum.besides();
                QVERIFY2(std::abs(whole - sum.recorded) < 0.001 * sum.recorded + 2,
                    (file + ": " + std::to_string(whole) + " of " + std::to_string(sum.recorded)).c_str());
            }
        }
    }
    qInfo("%zu recorded compactions observed, %zu measured against usage", observed, measured);
    QVERIFY(observed >= 36); // eight of them of pi
    QVERIFY(measured >= 19);
}

/// Of the typed messages that meet their first recorded summary four in five are quoted there; of those that meet a
/// second one hardly any.
void ObserveTest::typedMessagesInSummaries()
{
    if (testing::corpusFiles().empty())
        QSKIP("There is no corpus beside the repository.");
    std::map<int, Survival> survival; // by how many summaries the message has met
    for (const std::string &file : testing::corpusFiles({ "claude-code" })) {
        const auto loaded = loadSession(testing::corpus() / file);
        if (!loaded)
            continue;
        const SessionPtr &session = *loaded;
        std::map<BlockId, int> met;
        std::map<BlockId, std::string> typed;
        for (const RecordedCompaction &compaction : session->threads.front().compactions) {
            if (compaction.kind != CompactionKind::Summary)
                continue;
            const Transcript before(session, compaction.before);
            for (const BlockId id : before.blocks()) {
                if (before.block(id).is(BlockFlag::Typed))
                    typed.try_emplace(id, onOneLine(session->text(before.block(id).body)));
            }
            const std::string summary = summaryIn(Transcript(session, compaction.after));
            for (const auto &[id, text] : typed) {
                Survival &each = survival[++met[id]];
                ++each.all;
                each.kept += isQuoted(summary, text) ? 1 : 0;
            }
        }
    }
    qInfo("first summary: %zu of %zu, second: %zu of %zu", survival[1].kept, survival[1].all, survival[2].kept,
        survival[2].all);
    QCOMPARE(survival[1].all, size_t(167));
    QCOMPARE(survival[1].kept, size_t(141));
    QCOMPARE(survival[2].all, size_t(52));
    QCOMPARE(survival[2].kept, size_t(2));
}

/// The constraint that the user typed at call 22 outlives the first summary and not the second.
void ObserveTest::aLostConstraint()
{
    const auto loaded = loadSession(testing::corpus() / "claude-code/entireio+cli/cd-95adddad32-0.full.jsonl");
    if (!loaded)
        QSKIP("There is no corpus beside the repository.");
    const SessionPtr &session = *loaded;
    const Thread &thread = session->threads.front();
    const std::string constraint = "no remove this again, the risk someone assumes it's a stable link is to big";
    const auto holds = [&](const BlockRanges &ranges) {
        bool found = false;
        ranges.forEach([&](BlockId id) {
            found = found || onOneLine(session->text(session->block(id).body)).find(constraint) != std::string::npos;
        });
        return found;
    };
    QCOMPARE(thread.compactions.size(), size_t(3));
    QVERIFY(holds(thread.compactions[0].before));
    QVERIFY(holds(thread.compactions[0].after));
    QVERIFY(!holds(thread.compactions[1].after));
    size_t first = thread.calls.size();
    size_t without = 0;
    for (size_t i = 0; i < thread.calls.size(); ++i) {
        if (holds(thread.calls[i].input))
            first = std::min(first, i);
        else if (i > first)
            ++without;
    }
    qInfo("in context from call %zu on, missing in %zu calls behind that", first, without);
    QCOMPARE(without, size_t(98));
}

void ObserveTest::clearingsAreSeen_data()
{
    QTest::addColumn<int>("next");
    QTest::newRow("a call was sent what stands after it") << 0;
    QTest::newRow("a summary came before the next call") << 1;
    QTest::newRow("nothing follows") << 2;
}

void ObserveTest::clearingsAreSeen()
{
    QFETCH(const int, next);
    testing::ClaudeLog log;
    log.typed("go");
    std::vector<std::string> calls;
    for (const char *text : { "the first result", "the second one", "3" }) {
        log.call("Read", { { "file_path", text } });
        calls.push_back(log.lastCall());
        log.result(text);
    }
    log.clear({ calls[0], calls[2], "gone" });
    if (next == 1)
        log.compact("so far");
    if (next < 2)
        log.call("Bash", { { "command", "make" } });
    const SessionPtr session = log.load();
    QVERIFY(session);
    const Thread &thread = session->threads.front();
    QCOMPARE(thread.compactions.size(), size_t(next == 1 ? 2 : 1));
    const RecordedCompaction &clearing = thread.compactions.front();
    QCOMPARE(clearing.call, CallIndex(2U));
    QCOMPARE(clearing.beforeTokens, std::optional<uint64_t>(10));
    QCOMPARE(clearing.afterTokens, next == 0 ? std::optional<uint64_t>(10) : std::nullopt);

    const Compaction seen = observeRecorded(session, ThreadIndex(0U), 0, roughTokens(*session));
    const std::vector<std::string> before { "the first result", "the second one", "3" };
    const std::string stub = "[Old tool result content cleared]";
    const std::vector<std::string> after { stub, "the second one", stub };
    QCOMPARE(resultsIn(seen.before), before);
    QCOMPARE(resultsIn(seen.after), after);
    QCOMPARE(seen.after.slotCount(), seen.before.slotCount());
    QCOMPARE(seen.rewrites.size(), size_t(2));
    for (size_t i = 0; i < 2; ++i) {
        const Rewrite &rewrite = seen.rewrites[i];
        QCOMPARE(seen.stageName(rewrite.stage), "observed");
        QCOMPARE(rewrite.fate, Fate::Cleared); // the stub is longer than the second
        QCOMPARE(session->string(session->block(rewrite.block).callId), calls[2 * i]);
    }
    QVERIFY(seen.validity.empty());
    // What is sent shows the stubs until a summary stands for it.
    const BlockRanges &later = next == 0 ? thread.calls.back().input
        : next == 1                      ? thread.compactions.back().before
                                         : thread.end;
    QCOMPARE(resultsIn(Transcript(session, later)), after);
    if (next == 1)
        QCOMPARE(Transcript(session, thread.compactions.back().after).slotCount(), size_t(1));
}

void ObserveTest::clearingsOfTheCorpusAreSeen()
{
    if (testing::corpusFiles().empty())
        QSKIP("There is no corpus beside the repository.");
    size_t cleared = 0;
    for (const std::string &file : testing::corpusFiles({ "claude-code" })) {
        const auto loaded = loadSession(testing::corpus() / file);
        if (!loaded)
            continue;
        const Thread &thread = (*loaded)->threads.front();
        for (size_t i = 0; i < thread.compactions.size(); ++i) {
            const RecordedCompaction &clearing = thread.compactions[i];
            if (clearing.kind != CompactionKind::Clearing)
                continue;
            const Compaction seen = observeRecorded(*loaded, ThreadIndex(0U), i, roughTokens(**loaded));
            const auto named = std::ranges::find(clearing.figures, "compactedToolIds", &RecordedFigure::name);
            QVERIFY(named != clearing.figures.end());
            QCOMPARE(seen.rewrites.size(), named->value);
            for (const Rewrite &rewrite : seen.rewrites)
                QCOMPARE(rewrite.fate, Fate::Cleared);
            QVERIFY(!clearing.afterTokens || *clearing.afterTokens < *clearing.beforeTokens);
            cleared += seen.rewrites.size();
        }
    }
    qInfo("%zu results were cleared by microcompaction", cleared);
    QCOMPARE(cleared, size_t(71));
}

/// The headline is of the two arrays; what the harness counted and what is not in the log stand beside it.
void ObserveTest::whatWasRecordedIsTold()
{
    RecordedSession recorded;
    recordSummary(recorded);
    RecordedCompaction &compaction = recorded.builder().session().threads.front().compactions.front();
    compaction.beforeTokens = 3010;
    compaction.trigger = "manual";
    compaction.figures = { { "preTokens", 3010 } };
    const SessionPtr session = recorded.finish();
    const BlockTokensPtr tokens = oneTokenACharacter(*session);
    const Compaction seen = observeRecorded(session, ThreadIndex(0U), 0, tokens);
    const RecordedSizes sizes
        = recordedSizes(*session, ThreadIndex(0U), 0, *arraySums(*session, ThreadIndex(0U), *tokens));

    const std::string text = drawCompaction(seen, *tokens, &sizes);
    QVERIFY(text.contains(
        "Recorded: summary (manual) after call 0: 3,000 tokens → 2,900 tokens; its record says "
        "preTokens 3,010\nNot in the log: prelude ~2.0k, unlogged 0 → prelude ~2.0k, unlogged ~500 tokens\n"));
    const auto json = compactionJson(seen, *tokens, nullptr, &sizes);
    QCOMPARE(json["recorded"].dump(),
        R"({"kind":"summary","trigger":"manual","call":0,"line":0,"prompt_before":{"value":3000,"basis":"exact"},"before_tokens":{"value":3010,"basis":"exact"},)"
        R"("after_tokens":{"value":2900,"basis":"exact"},"figures":{"preTokens":3010}})");
    QCOMPARE(json["unlogged"].dump(),
        R"({"before":{"value":2000,"basis":"estimated"},"after":{"value":2500,"basis":"estimated"}})");
    QVERIFY(!drawCompaction(seen, *tokens).contains("Recorded"));
    QVERIFY(!compactionJson(seen, *tokens).contains("recorded"));
}

/// The harness reads its last prompt beside the model's last message; a compaction that took that took it along.
void ObserveTest::usageGoesWithItsMessage()
{
    RecordedSession recorded;
    recordSummary(recorded);
    const SessionPtr session = recorded.finish();
    const auto policy
        = std::make_shared<const Policy>(*withSetting(*preset("langchain-summarization"), "trigger", "2500tok"));
    const auto isReachedAt = [&](CallIndex call) {
        CompactOptions options;
        options.position.call = call;
        const Transcript array(session, rangesAt(*session, options.position));
        return compact(array, policy, *roughTokens(*session), options).isTriggerReached;
    };
    QVERIFY(!isReachedAt(CallIndex(0U)));
    QVERIFY(!isReachedAt(CallIndex(1U))); // a summary alone, whatever the call before it was sent
    QVERIFY(isReachedAt({}));
}

/// Two plans of one session give the same ids to what each of them makes.
void ObserveTest::whatTwoPlansMakeIsToldApart()
{
    const SessionPtr session = core::session("u:90 a:400 c:900 t:6000 a:120 u:50 a:60");
    const BlockTokensPtr tokens = roughTokens(*session);
    const Transcript array(session, session->threads.front().end);
    const auto plan = [&](const char *summary) {
        Policy policy = *withSetting(*preset("langchain-summarization"), "summary.text", summary);
        policy = *withSetting(policy, "keep", "2msg");
        CompactOptions options;
        options.ignoresTriggers = true;
        return compact(array, std::make_shared<const Policy>(policy), *tokens, options);
    };
    const Compaction one = plan("One.");
    const Compaction other = plan("Quite another one.");
    QVERIFY(std::ranges::equal(one.after.blocks(), other.after.blocks()));
    const Compaction difference = observe(one.after, other.after, other.afterTokens);
    QCOMPARE(difference.rewrites.size(), size_t(1));
    QCOMPARE(difference.rewrites.front().before.codePoints + 14, difference.rewrites.front().after.codePoints);
    QVERIFY(observe(one.after, plan("One.").after, one.afterTokens).changesNothing());
    // Beside the recorded array, either way round.
    QCOMPARE(observe(array, other.after, other.afterTokens).rewrites.size(), other.rewrites.size());
    QVERIFY(!observe(other.after, array, tokens).changesNothing());
}

/// What the table says of every slot is what the heading says of all.
void ObserveTest::theRowsAddUp()
{
    const SessionPtr session
        = core::session("u:900 a:400 c:9000 t:60000 a:120 u:5000 c:90 t:3000 c:80 t:90 a:60 u:12 c:90 t:7000 a:9");
    const BlockTokensPtr tokens = roughTokens(*session);
    const Transcript array(session, session->threads.front().end);
    const auto sumOf = [](const std::string &text) {
        uint64_t sum = 0;
        for (const QByteArray &line : QByteArray::fromStdString(text).split('\n')) {
            const qsizetype arrow = line.indexOf("→");
            if (line.startsWith("  [") || line.startsWith("  after ["))
                sum += line.mid(arrow + 3).trimmed().split(' ').front().replace(",", "").toULongLong();
        }
        return sum;
    };
    Overrides overrides;
    overrides.drop.push_back(array.blocks()[4]);
    for (const PolicyPtr &policy : presets()) {
        for (const char *keep : { "1msg", "2msg", "6msg" }) {
            CompactOptions options;
            options.ignoresTriggers = true;
            options.overrides = overrides;
            const Compaction made
                = compact(array, std::make_shared<const Policy>(*withSetting(*policy, "keep", keep)), *tokens, options);
            const std::string text = drawCompaction(made, *tokens);
            QVERIFY2(sumOf(text) == lengthsOf(made.after).codePoints, text.c_str());
            QVERIFY2(text.contains("  overrides "), text.c_str());
            const Json json = compactionJson(made, *tokens);
            auto saved = json["overrides"]["saved_chars"].get<int64_t>();
            for (const Json &stage : json["stages"])
                saved += stage["saved_chars"].get<int64_t>();
            QCOMPARE(saved, int64_t(lengthsOf(array).codePoints) - int64_t(lengthsOf(made.after).codePoints));
            const Compaction seen = observe(array, made.after, made.afterTokens);
            QVERIFY2(sumOf(drawCompaction(seen, *tokens)) == lengthsOf(made.after).codePoints, policy->id.c_str());
        }
    }
}

/// Before and after, as a person dumps them around a middleware: here by the texts alone, no id tells.
void ObserveTest::ofEqualTextsTheNeighboursTellWhichIsWhich()
{
    const std::string body(3000, 'A');
    const auto dumped = [](std::initializer_list<std::string> texts) {
        std::string array;
        for (const std::string &text : texts)
            array += (array.empty() ? "[" : ",") + std::string(R"({"role":")")
                + (text.size() % 2 == 0 ? "user" : "model") + R"(","content":[{"text":")" + text + R"("}]})";
        return *testing::load(array + "]");
    };
    const auto fatesOf = [](const SessionPtr &a, const SessionPtr &b) {
        return observe(Transcript(a, a->threads.front().end), Transcript(b, b->threads.front().end), roughTokens(*b))
            .fates;
    };
    const SessionPtr before = dumped({ "task", body, "x", body, "end" });
    const std::string clipped = body.substr(0, 150);
    const std::vector<Fate> first { Fate::Kept, Fate::Shortened, Fate::Kept, Fate::Kept, Fate::Kept };
    QCOMPARE(fatesOf(before, dumped({ "task", clipped, "x", body, "end" })), first);
    const std::vector<Fate> second { Fate::Kept, Fate::Kept, Fate::Kept, Fate::Shortened, Fate::Kept };
    QCOMPARE(fatesOf(before, dumped({ "task", body, "x", clipped, "end" })), second);
    const std::vector<Fate> front { Fate::Dropped, Fate::Dropped, Fate::Dropped, Fate::Kept, Fate::Kept };
    QCOMPARE(fatesOf(before, dumped({ body, "end" })), front);
}

/// A program that gives several calls one id: the clipped result is the one between the same neighbours.
void ObserveTest::ofEqualIdsTheNeighboursTellWhichIsWhich()
{
    const auto dumped = [](int number, std::initializer_list<std::string> results) {
        std::string array = R"([{"role":"user","content":"task"})";
        for (const std::string &result : results) {
            array += R"(,{"role":"assistant","content":"step )" + std::to_string(number++)
                + R"(","tool_calls":[{"id":"c","type":"function","function":{"name":"run","arguments":"{}"}}]})";
            array += R"(,{"role":"tool","tool_call_id":"c","content":")" + result + R"("})";
        }
        return *testing::load(array + "]");
    };
    const SessionPtr before = dumped(1, { std::string(3000, 'A'), std::string(3000, 'B'), std::string(3000, 'C') });
    const SessionPtr after = dumped(2, { "[gone]", std::string(3000, 'C') });
    const Compaction seen = observe(Transcript(before, before->threads.front().end),
        Transcript(after, after->threads.front().end), roughTokens(*after));
    const auto changed = std::ranges::find(seen.rewrites, Fate::Cleared, &Rewrite::fate);
    QVERIFY(changed != seen.rewrites.end());
    QVERIFY(before->text(before->block(changed->block).body).starts_with('B'));
}

void ObserveTest::aNewSummaryIsNotTheOldOneChanged()
{
    const std::string opening
        = "This session is being continued from a previous conversation that ran out of context. ";
    RecordedSession recorded;
    recorded.typed("do it");
    recorded.reply("done", 1000);
    recorded.summarise(opening + std::string(2000, 'a'));
    recorded.typed("more");
    recorded.reply("done again", 2000);
    recorded.summarise(opening + std::string(3000, 'b'));
    recorded.typed("and more");
    recorded.reply("done", 3000);
    const SessionPtr session = recorded.finish();
    const Compaction seen = observeRecorded(session, ThreadIndex(0U), 1, roughTokens(*session));
    QVERIFY(std::ranges::all_of(seen.fates, [](Fate fate) { return fate == Fate::Summarised; }));
    QVERIFY(seen.validity.empty());
}

/// A caveat that the harness writes behind each command opens like one that the compaction removed.
void ObserveTest::whatIsWrittenLaterIsNew()
{
    const std::string opening = "<local-command-caveat>Caveat: The messages below were ";
    testing::ClaudeLog log;
    log.typed(opening + "many" + std::string(3000, '.'));
    log.call("Bash", { { "command", "ls" } });
    log.result("ok");
    log.compact("So far: one command.");
    log.typed(opening + "typed");
    log.call("Bash", { { "command", "ls" } });
    const SessionPtr session = log.load();
    QVERIFY(session);
    const Compaction seen = observeRecorded(session, ThreadIndex(0U), 0, roughTokens(*session));
    QCOMPARE(seen.rewrites.size(), size_t(5));
    for (size_t i = 0; i < 5; ++i)
        QCOMPARE(seen.rewrites[i].fate, i < 3 ? Fate::Summarised : Fate::Added);
    // Two arrays alone do not tell.
    const Compaction alike = observe(seen.before, seen.after, roughTokens(*session));
    QCOMPARE(alike.rewrites.front().fate, Fate::Shortened);
}

/// The same caveat is behind every command: the one behind the compaction is none of those in front of it.
void ObserveTest::anEqualTextWrittenLaterIsNew()
{
    const std::string caveat = "<local-command-caveat>" + std::string(200, 'c') + "</local-command-caveat>";
    testing::ClaudeLog log;
    log.typed(caveat);
    log.typed("<local-command-stdout>" + std::string(3000, 'o') + "</local-command-stdout>");
    log.call("Bash", { { "command", "ls" } });
    log.result("ok");
    log.compact("So far: one command.");
    log.typed(caveat);
    log.call("Bash", { { "command", "ls" } });
    const SessionPtr session = log.load();
    QVERIFY(session);
    const Compaction seen = observeRecorded(session, ThreadIndex(0U), 0, roughTokens(*session));
    QCOMPARE(seen.before.slotCount(), size_t(3));
    QVERIFY(std::ranges::all_of(seen.fates, [](Fate fate) { return fate == Fate::Summarised; }));
    const auto count = [&](Fate fate) { return std::ranges::count(seen.rewrites, fate, &Rewrite::fate); };
    QCOMPARE(count(Fate::Summarised), 4);
    QCOMPARE(count(Fate::Added), 2);
}

/// Two texts that share an opening are one that was changed only if enough of the words are left.
void ObserveTest::anOpeningAloneIsNoChangedText()
{
    const std::string opening = "Caveat: these messages were ";
    const auto array = [&](const std::string &rest) {
        return *testing::load(R"([{"role":"user","content":[{"text":"begin"}]},{"role":"user","content":[{"text":")"
            + opening + rest + R"("}]},{"role":"model","content":[{"text":"done with it"}]},
            {"role":"user","content":[{"text":"go on"}]}])");
    };
    const auto fateOfCaveat = [&](const std::string &rest) {
        const SessionPtr a = array("written by the build: alpha beta gamma delta epsilon zeta eta theta, and so on");
        const SessionPtr b = *testing::load(R"([{"role":"user","content":[{"text":"begin"}]},
            {"role":"user","content":[{"text":")"
            + opening + rest + R"("}]},{"role":"user","content":[{"text":"go on"}]}])");
        return observe(Transcript(a, a->threads.front().end), Transcript(b, b->threads.front().end), roughTokens(*b))
            .fates[1];
    };
    QCOMPARE(fateOfCaveat("written by the build: alpha beta gamma delta"), Fate::Shortened);
    QCOMPARE(fateOfCaveat("nothing that anybody has seen anywhere else in this whole array up to now"), Fate::Dropped);
}

/// A summary of what was evicted, and behind it a message that was offloaded: nothing of its text is left.
void ObserveTest::aPointerStandsForTheLastThatIsMissing()
{
    const SessionPtr before = *testing::load(R"([{"role":"user","content":[{"text":"begin with this"}]},
        {"role":"model","content":[{"text":"something was done"}]},{"role":"user","content":[{"text":"a long output"}]}])");
    const SessionPtr after
        = *testing::load(R"([{"role":"user","content":[{"text":"What came before: nothing of note."}]},
        {"role":"user","content":[{"text":"Message content too large and was saved to the filesystem at: /x/1.md"}]}])");
    const auto wholeOf = [](const SessionPtr &session) { return Transcript(session, session->threads.front().end); };
    const Compaction seen = observe(wholeOf(before), wholeOf(after), roughTokens(*after));
    std::vector<Fate> fates;
    for (const Rewrite &rewrite : seen.rewrites) {
        if (rewrite.block.isValid())
            fates.push_back(rewrite.fate);
    }
    QCOMPARE(seen.fates.back(), Fate::Offloaded);
    QCOMPARE(std::ranges::count(fates, Fate::Offloaded), 1);
    QCOMPARE(std::ranges::count(fates, Fate::Dropped), 2);
}

/// Only what is shorter is shortened; and no provider refuses what is longer.
void ObserveTest::aTextThatGrewIsReplaced()
{
    const auto array = [](const std::string &first, const std::string &second) {
        return *testing::load(R"([{"role":"user","content":[{"text":")" + first
            + R"("}]},{"role":"model","content":[{"text":")" + second + R"("}]},
            {"role":"user","content":[{"text":"and so on"}]}])");
    };
    const std::string body(60, 'x');
    const SessionPtr a = array(body, "short");
    const SessionPtr b = array(body + body, "another text, a longer one");
    const Compaction seen
        = observe(Transcript(a, a->threads.front().end), Transcript(b, b->threads.front().end), roughTokens(*b));
    const std::vector<Fate> fates { Fate::Replaced, Fate::Replaced, Fate::Kept };
    QCOMPARE(seen.fates, fates);
    QCOMPARE(seen.fatesAfter, fates);
    QVERIFY(seen.validity.empty());
    const Compaction back
        = observe(Transcript(b, b->threads.front().end), Transcript(a, a->threads.front().end), roughTokens(*a));
    QCOMPARE(back.fates.front(), Fate::Shortened);
    QCOMPARE(back.fatesAfter.front(), Fate::Shortened);
}

void ObserveTest::twoFiles()
{
    const std::string body(3000, 'x');
    const std::string before = R"([{"role":"user","content":[{"text":"task"}]},
        {"role":"model","content":[{"toolRequest":{"name":"write_file","ref":"1","input":{"file_path":"a","content":")"
        + body + R"("}}}]},
        {"role":"tool","content":[{"toolResponse":{"name":"write_file","ref":"1","output":")"
        + body + R"("}}]},
        {"role":"model","content":[{"text":"written"}]},
        {"role":"user","content":[{"text":"thanks"}]}])";
    const std::string after = R"([{"role":"user","content":[{"text":"task"}]},
        {"role":"model","content":[{"toolRequest":{"name":"write_file","ref":"1","input":{"file_path":"a","content":"xxx"}}}]},
        {"role":"tool","content":[{"toolResponse":{"name":"write_file","ref":"1","output":")"
        + body.substr(0, 120) + R"(…"}}]},
        {"role":"user","content":[{"text":"thanks"}]},
        {"role":"user","content":[{"text":"one more thing"}]}])";
    const SessionPtr a = *testing::load(before);
    const SessionPtr b = *testing::load(after);
    const Compaction seen
        = observe(Transcript(a, a->threads.front().end), Transcript(b, b->threads.front().end), roughTokens(*b));
    const std::vector<Fate> fates { Fate::Kept, Fate::Shortened, Fate::Shortened, Fate::Dropped, Fate::Kept };
    QCOMPARE(seen.fates, fates);
    QCOMPARE(seen.rewrites.size(), size_t(4));
    QCOMPARE(seen.rewrites.front().pointer, "/content");
    QCOMPARE(seen.rewrites.back().fate, Fate::Added);
    QCOMPARE(seen.fatesAfter[4], Fate::Added);
}

PALIMPSEST_TEST(ObserveTest)
#include "tst_observe.moc"
