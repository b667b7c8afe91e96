// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/compaction_loss.h"

#include "core/report/loss_report.h"
#include "core/tokens/counted_tokens.h"
#include "tests/claude_log.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>

using namespace core;
using testing::ClaudeLog;

namespace {

std::string longFile(int lines)
{
    std::string text;
    for (int i = 0; i < lines; ++i)
        text += "the line with the number " + std::to_string(i * 7919) + " is unlike all others\n";
    return text;
}

std::vector<CompactionLoss> lossesOf(const SessionPtr &session)
{
    return *recordedLosses(session, ThreadIndex(0U), countedTokens(*session, 1, nullptr), Prices::bundled());
}

const CheckedFact *factOf(const std::vector<CheckedFact> &facts, std::string_view text)
{
    const auto found = std::ranges::find(facts, text, [](const CheckedFact &each) { return each.fact.text; });
    return found == facts.end() ? nullptr : &*found;
}

std::vector<std::string> textsOf(const std::vector<Fact> &facts)
{
    std::vector<std::string> texts;
    for (const Fact &fact : facts)
        texts.push_back(fact.text);
    return texts;
}

/// Two compactions: the second loses a path, invents one and keeps a number. A file and a command are read and run
/// again behind the first.
SessionPtr planted()
{
    ClaudeLog log;
    log.setUsage(0, 0, 1000);
    log.typed("Please never rename the table users_old because other teams read it every night.");
    log.typed("Stop using tabs in the generated migration scripts because the parser rejects them completely.");
    log.typed("This request about colours disappears.");
    log.read("/work/big_module.cpp", longFile(60));
    log.call("Bash", { { "command", "make check" } });
    log.result("error: the tool_chain is missing\nall else is well\n", true);
    log.call("Bash", { { "command", "wc -l" } });
    log.result("4711");
    log.compact("The user said: Please never rename the table users_old because other teams read it every night. "
                "He wants: stop using tabs in the generated migration scripts.\n"
                "We read alpha_store.cpp, which has 155,023 rows.\n"
                "Pending Tasks:\n- Run the whole suite\n- ✅ Read the module\n");
    log.call("Bash", { { "command", "cat beta_index.cpp" } });
    log.result("nothing");
    log.read("/work/big_module.cpp", longFile(60));
    log.call("Bash", { { "command", "echo done" } });
    log.result("done");
    log.compact("There are 155023 rows; gamma_invented.cpp has them.");
    log.call("Bash", { { "command", "grep -c x alpha_store.cpp" } });
    log.result("3");
    log.call("Bash", { { "command", "echo end" } });
    log.result("end");
    return log.load();
}

} // namespace

class TestCompactionLoss : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSummaryKeepsLosesAndAddsFacts();
    void typedMessagesAreWholePartialOrGone();
    void theRecordSaysTheSizeWhereNoPromptDoes();
    void messagesThatTheOldSummaryQuotes();
    void whatIsReadAgainIsCounted();
    void aFileThatWasEditedBeforeIsReadAgain();
    void clearingsAreApart();
    void aPolicyLosesInTheSameWay();
    void linesAreErrorsConstraintsAndTasks();
    void sentencesAreConstraints_data();
    void sentencesAreConstraints();
    void versionsAreNumbers();
    void theReportSaysTheSame();
};

void TestCompactionLoss::aSummaryKeepsLosesAndAddsFacts()
{
    const std::vector<CompactionLoss> losses = lossesOf(planted());
    QCOMPARE(losses.size(), 2);
    const CompactionLoss &second = losses[1];
    QCOMPARE(second.oldSummaries.size(), 1);
    QCOMPARE(second.newSummaries.size(), 1);
    const CheckedFact *path = factOf(second.carried, "alpha_store.cpp");
    QVERIFY(path != nullptr);
    QVERIFY(!path->isHeld);
    QVERIFY(path->namedAgain.isValid());
    const CheckedFact *number = factOf(second.carried, "155023");
    QVERIFY(number != nullptr);
    QVERIFY(number->isHeld);
    const CheckedFact *task = factOf(second.carried, "Run the whole suite");
    QVERIFY(task != nullptr);
    QVERIFY(!task->isHeld);
    QCOMPARE(factOf(second.carried, "Read the module"), nullptr);
    const CheckedFact *invented = factOf(second.added, "gamma_invented.cpp");
    QVERIFY(invented != nullptr);
    QVERIFY(!invented->isHeld);
    QVERIFY(factOf(second.added, "155023")->isHeld); // the summary before has it
    // The first summary names a file that no logged text before it names.
    QVERIFY(!factOf(losses[0].added, "alpha_store.cpp")->isHeld);
    QVERIFY(factOf(losses[0].added, "users_old")->isHeld);
    const CheckedFact *error = factOf(losses[0].replaced, "error: the tool_chain is missing");
    QVERIFY(error != nullptr);
    QVERIFY(!error->isHeld);
    QCOMPARE(losses[0].slots[static_cast<size_t>(Fate::Kept)], 0);
}

/// Before a compaction the user may have stopped the call: then it has no usage.
void TestCompactionLoss::theRecordSaysTheSizeWhereNoPromptDoes()
{
    const SessionPtr session = planted();
    CompactionLoss loss = lossesOf(session)[0];
    loss.promptBefore.reset();
    loss.beforeTokens.reset();
    loss.promptAfter = 4'900;
    const auto detail = [&] { return lossLists(*session, loss)[0].detail; };
    QVERIFY2(!detail().contains("→"), detail().c_str());
    loss.beforeTokens = 131'012;
    QVERIFY2(detail().ends_with(" · 131,012 → 4,900"), detail().c_str());
    loss.promptBefore = 131'500; // of the last call, if it has one
    QVERIFY2(detail().ends_with(" · 131,500 → 4,900"), detail().c_str());
}

void TestCompactionLoss::typedMessagesAreWholePartialOrGone()
{
    const SessionPtr session = planted();
    const std::vector<CompactionLoss> losses = lossesOf(session);
    QCOMPARE(losses[0].typed.size(), 3);
    QCOMPARE(losses[0].typed[0].state, TraceState::Verbatim);
    QCOMPARE(losses[0].typed[1].state, TraceState::Partial);
    QVERIFY(losses[0].typed[1].keptWords > 0);
    QVERIFY(losses[0].typed[1].keptWords < losses[0].typed[1].words);
    const auto noteOf = [&](const CompactionLoss &loss) { return lossLists(*session, loss)[1].rows[1].note; };
    QVERIFY2(noteOf(losses[0]).ends_with(" words"), noteOf(losses[0]).c_str());
    CompactionLoss inOtherOrder = losses[0];
    inOtherOrder.typed[1].keptWords = inOtherOrder.typed[1].words;
    QCOMPARE(noteOf(inOtherOrder), "all of its words, but not the exact text");
    QCOMPARE(losses[0].typed[2].state, TraceState::Gone);
    // The third was gone before the second compaction, which says nothing more of it.
    QCOMPARE(losses[1].typed.size(), 2);
    QCOMPARE(losses[1].typedCount(TraceState::Gone), 2);
}

/// A clearing and a summary between the same two calls: what each of them did to a message that only the old summary
/// still quotes.
void TestCompactionLoss::messagesThatTheOldSummaryQuotes()
{
    ClaudeLog log;
    log.typed("Please never rename the table users_old because other teams read it every night.");
    log.read("/work/one_file.cpp", longFile(40));
    log.compact("The user said: Please never rename the table users_old because other teams read it every night.");
    log.typed("Go on with the second part of the migration, and tell me what it touches.");
    log.read("/work/two_file.cpp", longFile(40));
    const std::string call = log.lastCall();
    log.call("Bash", { { "command", "echo done" } });
    log.result("done");
    log.clear({ call });
    log.compact("We began a migration.");
    log.call("Bash", { { "command", "echo end" } });
    log.result("end");
    const std::vector<CompactionLoss> losses = lossesOf(log.load());
    QCOMPARE(losses.size(), 3);
    QCOMPARE(losses[1].call, losses[2].call);
    QCOMPARE(losses[1].typed.size(), 2);
    QCOMPARE(losses[1].typedCount(TraceState::Verbatim), 2);
    QCOMPARE(losses[2].typed.size(), 2);
    QVERIFY(losses[2].typed[0].text.starts_with("Please never rename"));
    QCOMPARE(losses[2].typedCount(TraceState::Gone), 2);
}

void TestCompactionLoss::aFileThatWasEditedBeforeIsReadAgain()
{
    ClaudeLog log;
    log.typed("Look at it.");
    log.read("/work/one_file.cpp", longFile(40));
    log.call("Edit", { { "file_path", "/work/one_file.cpp" }, { "old_string", "a" }, { "new_string", "b" } });
    log.result("The file /work/one_file.cpp has been updated.");
    log.compact("We looked at it.");
    log.call("Bash", { { "command", "echo next" } });
    log.result("next");
    log.read("/work/one_file.cpp", longFile(40));
    log.call("Bash", { { "command", "echo end" } });
    log.result("end");
    const std::vector<CompactionLoss> losses = lossesOf(log.load());
    QCOMPARE(losses.size(), 1);
    QCOMPARE(losses[0].needed.size(), 1);
    QCOMPARE(losses[0].needed.front().how, NeededAgain::How::Read);
}

void TestCompactionLoss::whatIsReadAgainIsCounted()
{
    const SessionPtr session = planted();
    const BlockTokensPtr tokens = countedTokens(*session, 1, nullptr);
    const std::vector<CompactionLoss> losses = lossesOf(session);
    QCOMPARE(losses[0].needed.size(), 1);
    const NeededAgain &read = losses[0].needed.front();
    QCOMPARE(read.how, NeededAgain::How::Read);
    QCOMPARE(read.later, 2);
    QVERIFY(read.isSure);
    QCOMPARE(session->string(session->block(read.lost).subject), "/work/big_module.cpp");
    QVERIFY(session->block(read.by).kind == BlockKind::ToolResult);
    QVERIFY(read.by != read.lost);
    QCOMPARE(read.tokens, tokens->of(read.by));
    QCOMPARE(losses[0].fetchedTokens, read.tokens);
    QCOMPARE(losses[0].fetchingCalls, 1);
    QVERIFY(losses[0].fetchedMoney.value_or(0) > 0);
    QVERIFY(losses[1].needed.empty());
    QCOMPARE(losses[1].fetchingCalls, 0);
}

void TestCompactionLoss::clearingsAreApart()
{
    ClaudeLog log;
    log.typed("Look at it.");
    log.read("/work/one_file.cpp", longFile(40));
    const std::string call = log.lastCall();
    log.call("Bash", { { "command", "echo first" } });
    log.result("first");
    log.clear({ call });
    log.call("Bash", { { "command", "echo second" } });
    log.result("second");
    log.read("/work/one_file.cpp", longFile(40));
    log.call("Bash", { { "command", "echo third" } });
    log.result("third");
    const SessionPtr session = log.load();
    const std::vector<CompactionLoss> losses = lossesOf(session);
    QCOMPARE(losses.size(), 1);
    QVERIFY(isClearing(losses[0]));
    QCOMPARE(losses[0].slots[static_cast<size_t>(Fate::Cleared)], 1);
    QVERIFY(losses[0].added.empty());
    QVERIFY(losses[0].carried.empty());
    QCOMPARE(losses[0].needed.size(), 1);
    QVERIFY(drawLosses(*session, losses).starts_with("Clearing 1"));
}

void TestCompactionLoss::aPolicyLosesInTheSameWay()
{
    const SessionPtr session = planted();
    const ThreadIndex thread(0U);
    const BlockTokensPtr tokens = countedTokens(*session, 1, nullptr);
    const ArraySumsPtr sums = arraySums(*session, thread, *tokens);
    const ContextSpans spans = recordedSpans(session, thread);
    const Uses uses = *findUses(*session, thread);
    const std::vector<Trace> messages = *tracedUserMessages(spans);
    const LossGround ground { session, thread, uses, spans, messages, *tokens, *sums };
    CompactOptions options;
    options.position = { thread, CallIndex(2U) };
    auto policy = withSetting(*preset("langchain-summarization"), "trigger", "10tok");
    QVERIFY(policy.has_value());
    policy = withSetting(*policy, "keep", "1msg");
    QVERIFY(policy.has_value());
    const Compaction made = compact(Transcript(session, rangesAt(*session, options.position)),
        std::make_shared<const Policy>(*policy), *tokens, options);
    QVERIFY(made.hasFired);
    const CompactionLoss loss = simulatedLoss(ground, made, options.position.call);
    QVERIFY(loss.isSimulated());
    QVERIFY(loss.added.empty());
    QCOMPARE(loss.typed.size(), 3);
    QVERIFY(loss.isAssumed);
    // The text of an assumed summary is not known, so no message is said to be gone for it.
    for (const TypedFate &typed : loss.typed)
        QVERIFY(typed.state != TraceState::Gone);
}

void TestCompactionLoss::linesAreErrorsConstraintsAndTasks()
{
    const std::string output
        = "ok\nerror: no such file\n--- FAIL: TestParse (0.1s)\nValueError: bad input\n"
          "src/a.c:3:1: error: expected a name\nisError: true,\nerror: resolve(1),\nno error here\n"
          "error: no such file\n";
    QCOMPARE(textsOf(errorsOf(output)),
        (std::vector<std::string> { "error: no such file", "--- FAIL: TestParse (0.1s)", "ValueError: bad input",
            "src/a.c:3:1: error: expected a name" }));
    QCOMPARE(textsOf(constraintsOf("Do it. Never push to main! Why must it be so?\n- Don't touch v1.2 files.\nThe api "
                                   "must not change")),
        (std::vector<std::string> { "Never push to main", "- Don't touch v1.2 files", "The api must not change" }));
    QCOMPARE(textsOf(tasksOf("7. Pending Tasks:\n   - Run the tests\n     - with care\n   - ✅ Read it\n   - None\n"
                             "8. Current Work:\n   - Nothing else\n\n- [ ] open the door\n- [x] close it\n"
                             "## Next Steps\n1. Ship it now\nA paragraph\n- no task")),
        (std::vector<std::string> { "Run the tests", "open the door", "Ship it now" }));
}

void TestCompactionLoss::sentencesAreConstraints_data()
{
    QTest::addColumn<QByteArray>("sentence");
    QTest::addColumn<bool>("isConstraint");
    const auto add = [](const char *name, const char *sentence, bool isConstraint) {
        QTest::newRow(name) << QByteArray(sentence) << isConstraint;
    };
    add("an order", "Never push to main", true);
    add("behind a number and emphasis", "2. **Always** run the suite first", true);
    add("in a later clause", "make it smaller, don't touch the palette, then look at it", true);
    add("behind and", "mend what you find and don't leave small ones", true);
    add("behind but", "ok, look at it but do not change it", true);
    add("in brackets", "the log is long (don't read all of it)", true);
    add("a typographic apostrophe", "please don’t rename it", true);
    add("a duty", "both tables must stay equal", true);
    add("a duty with emphasis", "you **must** ask first", true);
    add("a refusal", "this should not be changed", true);
    add("a limit", "the client may only send names", true);
    add("what is not wanted", "no new columns", true);
    add("what is not wanted, later", "use names everywhere, no numbers", true);
    add("stop", "stop committing everything", true);
    add("a doubt", "i don't think that it reads this", false);
    add("what is not needed", "we don't need both of them", false);
    add("not needed, as an order", "don't need it now", false);
    add("what is not known", "don't know why", false);
    add("what is missing", "no model is defined", false);
    add("an error", "open failed, no such file", false);
    add("no as an answer", "no, the other one", false);
    add("a guess", "it must have been the cache", false);
    add("a hope", "but there must be another way", false);
    add("behind a dash", "the output has the path - always take it from there", true);
    add("never mind", "actually, never mind", false);
    add("an answer", "no problem", false);
    add("a question", "why must it be so?", false);
    add("a line of code", "// never called twice", false);
    add("a statement of code", "throw Error(\"it must be an array\");", false);
    add("a numbered line of code", "12 | # do not reset it here", false);
    add("a past event", "the timer was never started", false);
    add("a stop", "the red button is the emergency stop", false);
}

void TestCompactionLoss::sentencesAreConstraints()
{
    QFETCH(const QByteArray, sentence);
    QTEST(!constraintsOf(sentence.toStdString()).empty(), "isConstraint");
}

void TestCompactionLoss::versionsAreNumbers()
{
    const std::vector<Fact> facts = factsOf("from v2.1.7 to V10.0 and v1.2, x2.1.7");
    QCOMPARE(textsOf(facts), (std::vector<std::string> { "v2.1.7", "V10.0" }));
    QVERIFY(facts.front().kind == FactKind::Number);
    FactFinder finder;
    finder.read("it is 2.1.7 now");
    QVERIFY(finder.holds(facts.front()));
    QVERIFY(!finder.holds(facts.back()));
}

void TestCompactionLoss::theReportSaysTheSame()
{
    const SessionPtr session = planted();
    const std::vector<CompactionLoss> losses = lossesOf(session);
    const std::string text = drawLosses(*session, losses);
    for (const char *words :
        { "Compaction 1 · after call 2", "Messages you typed · 3 before the compaction · 1 word for word after it",
            "big_module.cpp · read again at #", "2 calls later", "Fetching texts again cost", "? gamma_invented.cpp",
            "✗ alpha_store.cpp · named again in #" })
        QVERIFY2(text.contains(words), words);
    const auto json = lossesJson(*session, losses, ThreadIndex(0U));
    QCOMPARE(json["schema"], "palimpsest.losses/1");
    QCOMPARE(json["compactions"].size(), 2);
    QCOMPARE(json["compactions"][0]["typed"][1]["state"], "partial");
    QCOMPARE(json["compactions"][0]["fetched"]["calls"], 1);
    QCOMPARE(json["compactions"][0]["needed"][0]["how"], "read again");
}

PALIMPSEST_TEST(TestCompactionLoss)
#include "tst_compaction_loss.moc"
