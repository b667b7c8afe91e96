// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/observe.h"
#include "tests/recorded_session.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"

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

std::vector<std::string> filesWithCompactions()
{
    return testing::corpusFiles({ "claude-code", "codex", "openai-responses", "anthropic-messages", "pi" });
}

} // namespace

/// Compactions that are not ours: recorded ones, and what lies between two files.
class ObserveTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedCompactionsAreObserved();
    void typedMessagesInSummaries();
    void aLostConstraint();
    void clearingsAreSeen();
    void twoFiles();
    void ofEqualTextsTheNeighboursTellWhichIsWhich();
    void aNewSummaryIsNotTheOldOneChanged();
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
        const SessionPtr session = *loaded;
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
                const Unlogged unlogged = unloggedAt(*session, position, *tokens);
                double array = 0;
                for (const BlockId id : compaction.after.blocks())
                    array += tokens->of(id);
                if (unlogged.recorded <= 0 || unlogged.remainder <= 0)
                    continue;
                ++measured;
                const double sum = array + unlogged.prelude + unlogged.remainder;
                QVERIFY2(std::abs(sum - unlogged.recorded) < 0.001 * unlogged.recorded + 2,
                    (file + ": " + std::to_string(sum) + " of " + std::to_string(unlogged.recorded)).c_str());
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
        const SessionPtr session = *loaded;
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
    QCOMPARE(survival[1].all, size_t(158));
    QCOMPARE(survival[1].kept, size_t(132));
    QCOMPARE(survival[2].all, size_t(52));
    QCOMPARE(survival[2].kept, size_t(2));
}

/// The constraint that the user typed at call 22 outlives the first summary and not the second.
void ObserveTest::aLostConstraint()
{
    const auto loaded = loadSession(testing::corpus() / "claude-code/entireio+cli/cd-95adddad32-0.full.jsonl");
    if (!loaded)
        QSKIP("There is no corpus beside the repository.");
    const SessionPtr session = *loaded;
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

void ObserveTest::clearingsAreSeen()
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
            if (thread.compactions[i].kind != CompactionKind::Clearing)
                continue;
            const Compaction compaction = observeRecorded(*loaded, ThreadIndex(0U), i, roughTokens(**loaded));
            for (const Rewrite &rewrite : compaction.rewrites)
                cleared += rewrite.fate == Fate::Cleared ? 1 : 0;
        }
    }
    qInfo("%zu results were cleared by microcompaction", cleared);
    QVERIFY(cleared > 0);
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

QTEST_APPLESS_MAIN(ObserveTest)
#include "tst_observe.moc"
