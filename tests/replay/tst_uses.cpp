// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/keep_window.h"
#include "core/evidence/import_lines.h"
#include "core/evidence/phrase_finder.h"
#include "core/evidence/shown_text.h"
#include "core/evidence/uses.h"
#include "core/formats/reading/format.h"
#include "core/session/tool_deed.h"
#include "core/weight/hot_zones.h"
#include "core/weight/resent_unused.h"
#include "tests/evidence.h"
#include "tests/recorded_session.h"
#include "tests/script.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

const ThreadIndex kMain(0U);

/// Uses in words, one a line: `quote 3<-1 2<-…`: kind, block by, carriers.
std::string inWords(const Uses &uses, UseKinds kinds = 0xff)
{
    static constexpr std::array<const char *, 4> kNames { "quote", "repeat", "same", "name" };
    std::string words;
    for (const Use &use : uses.uses) {
        if ((kinds & only(use.kind)) == 0)
            continue;
        words += std::string(words.empty() ? "" : "; ") + kNames[static_cast<size_t>(use.kind)] + " "
            + std::to_string(use.by.value()) + (use.isTogether ? " together" : "");
        for (const BlockId carrier : uses.carriersOf(use))
            words += " " + std::to_string(carrier.value());
    }
    return words;
}

std::string lines(char c, int count, int from = 0)
{
    std::string text;
    for (int i = from; i < from + count; ++i)
        text += std::string(16, c) + " line " + std::to_string(i) + "\n";
    return text;
}

// --- the corpus
// -------------------------------------------------------------------------------------------------------

/// The trimmed lines of at least 12 characters that a block shows, each once.
std::set<std::string> linesOf(const Session &session, BlockId id)
{
    std::set<std::string> found;
    const ShownText shown = shownText(session, session.block(id));
    forEachTrimmedLine(shown.bare(), [&](std::string_view line) {
        if (line.size() >= 12)
            found.emplace(line);
    });
    return found;
}

/// What the recordings say, added up over sessions.
struct Evidence {
    size_t calls = 0;
    size_t compactions = 0;
    size_t edits = 0; ///< old texts of edits that did not fail
    // D1, each against the last reading of the same path
    size_t reads = 0;
    size_t samePath = 0;
    size_t sameText = 0;
    size_t sharedHalf = 0;
    size_t afterEdit = 0;
    // D2, D3: before and after recorded summaries
    std::array<size_t, 2> readsAround {};
    std::array<size_t, 2> readAgainAround {};
    std::array<double, 2> resultTokensAround {};
    std::array<double, 2> shownAgainAround {};
    // D4
    std::map<std::string, size_t> sources;
    size_t onlyOwn = 0;
    // D5 to D7: tokens back
    std::vector<double> quotes;
    std::vector<double> namesNewest;
    std::vector<double> namesFirst;
    // D8
    size_t longResults = 0;
    size_t neededResults = 0;
    size_t neededRareResults = 0;
    size_t repeats = 0;
    size_t sameCalls = 0;
    // D15
    std::vector<size_t> blocksOf80;
    std::vector<size_t> groupsOf80;

    void add(const SessionPtr &session, const CommonNames &common);

private:
    void addReads(const Session &session, const Uses &uses);
    void addCompactions(const Session &session, const Uses &uses);
    void addQuotes(const Session &session, const Uses &uses);
    void addNames(const Session &session, const Uses &all, const Uses &rare);
    void addWeights(const SessionPtr &session, const Uses &uses);
};

struct ToolFacts {
    ToolDeed deed = ToolDeed::Other;
    std::string_view subject;
    bool hasFailed = false;
};

std::map<StringId, ToolFacts> toolsOf(const Session &session, const Uses &uses)
{
    std::map<StringId, ToolFacts> tools;
    for (const BlockId id : uses.log) {
        const Block &block = session.block(id);
        if (block.kind == BlockKind::ToolCall)
            tools[block.callId] = { toolDeed(session, block), session.string(block.subject), false };
        else if (block.kind == BlockKind::ToolResult && block.is(BlockFlag::Error))
            tools[block.callId].hasFailed = true;
    }
    return tools;
}

void Evidence::add(const SessionPtr &session, const CommonNames &common)
{
    const auto uses = findUses(*session, kMain);
    const auto all = findUses(*session, kMain, { .withNames = true });
    const auto rare = findUses(*session, kMain, { .withNames = true, .commonNames = &common });
    calls += session->threads.front().calls.size();
    for (const RecordedCompaction &each : session->threads.front().compactions)
        compactions += each.kind == CompactionKind::Summary ? 1 : 0;
    addReads(*session, *uses);
    addCompactions(*session, *uses);
    addQuotes(*session, *uses);
    addNames(*session, *all, *rare);
    addWeights(session, *uses);
}

void Evidence::addReads(const Session &session, const Uses &uses)
{
    const auto tools = toolsOf(session, uses);
    struct Reading {
        BlockId result;
        bool isEdited = false;
    };
    std::map<std::string_view, std::vector<Reading>> readings;
    std::set<std::string_view> known;
    for (const BlockId id : uses.log) {
        const Block &block = session.block(id);
        if (!block.callId.isValid() || (block.kind != BlockKind::ToolCall && block.kind != BlockKind::ToolResult))
            continue;
        const ToolFacts tool = tools.at(block.callId);
        std::vector<Reading> &earlier = readings[tool.subject];
        if (block.kind == BlockKind::ToolCall) {
            if ((tool.deed == ToolDeed::Edit || tool.deed == ToolDeed::Write) && !tool.hasFailed) {
                for (Reading &each : earlier)
                    each.isEdited = true;
            }
            if (tool.deed != ToolDeed::Read)
                continue;
            ++reads;
            samePath += known.insert(tool.subject).second ? 0 : 1;
            continue;
        }
        if (tool.deed != ToolDeed::Read)
            continue;
        if (!earlier.empty()) {
            const auto isSame = [&](const Reading &each) {
                return session.text(session.block(each.result).body) == session.text(block.body);
            };
            const std::set<std::string> lines = linesOf(session, id);
            const auto isHalf = [&](const Reading &each) {
                size_t shared = 0;
                for (const std::string &line : linesOf(session, each.result))
                    shared += lines.contains(line) ? 1 : 0;
                return shared * 2 > lines.size();
            };
            sameText += isSame(earlier.back()) ? 1 : 0;
            sharedHalf += isHalf(earlier.back()) ? 1 : 0;
            afterEdit += earlier.back().isEdited ? 1 : 0;
        }
        earlier.push_back({ id, false });
    }
}

void Evidence::addCompactions(const Session &session, const Uses &uses)
{
    constexpr size_t kCalls = 20;
    const Thread &thread = session.threads.front();
    const auto tools = toolsOf(session, uses);
    // Per call: what its tool calls read, and what their results show again.
    struct Step {
        size_t reads = 0;
        size_t readAgain = 0;
        double tokens = 0;
        double shownAgain = 0;
    };
    std::vector<Step> steps(thread.calls.size() + 1);
    std::map<BlockId, size_t> callOf;
    for (size_t i = 0; i < thread.calls.size(); ++i) {
        for (uint32_t id = thread.calls[i].output.begin; id < thread.calls[i].output.end; ++id)
            callOf[BlockId(id)] = i;
    }
    std::map<StringId, size_t> stepOf;
    std::set<std::string_view> paths;
    std::set<std::string> shown;
    for (const BlockId id : uses.log) {
        const Block &block = session.block(id);
        if (block.kind == BlockKind::ToolCall && callOf.contains(id)) {
            const size_t step = stepOf[block.callId] = callOf[id];
            const ToolFacts tool = tools.at(block.callId);
            if (tool.deed == ToolDeed::Read) {
                ++steps[step].reads;
                steps[step].readAgain += paths.insert(tool.subject).second ? 0 : 1;
            }
        } else if (block.kind == BlockKind::ToolResult && stepOf.contains(block.callId)) {
            Step &step = steps[stepOf[block.callId]];
            step.tokens += static_cast<double>(block.lengths.codePoints) / 3.3;
            const std::set<std::string> lines = linesOf(session, id);
            for (const std::string &line : lines) {
                if (shown.contains(line))
                    step.shownAgain += static_cast<double>(textLengths(line).codePoints) / 3.3;
            }
            shown.insert(lines.begin(), lines.end());
        }
    }
    for (const RecordedCompaction &each : thread.compactions) {
        if (each.kind != CompactionKind::Summary || !each.call.isValid())
            continue;
        const size_t middle = each.call.index() + 1;
        for (size_t i = middle < kCalls ? 0 : middle - kCalls; i < std::min(middle + kCalls, thread.calls.size());
            ++i) {
            const size_t side = i < middle ? 0 : 1;
            readsAround[side] += steps[i].reads;
            readAgainAround[side] += steps[i].readAgain;
            resultTokensAround[side] += steps[i].tokens;
            shownAgainAround[side] += steps[i].shownAgain;
        }
    }
}

void Evidence::addQuotes(const Session &session, const Uses &uses)
{
    const auto tools = toolsOf(session, uses);
    const auto sourceOf = [&](BlockId id) -> std::string {
        const Block &block = session.block(id);
        if (block.kind == BlockKind::ToolCall)
            return "own arguments";
        if (block.kind == BlockKind::ToolResult) {
            const ToolDeed deed = tools.at(block.callId).deed;
            return deed == ToolDeed::Read                           ? "read"
                : deed == ToolDeed::Edit || deed == ToolDeed::Write ? "result of an edit"
                : deed == ToolDeed::Run || deed == ToolDeed::Search ? "grep or shell"
                                                                    : "another result";
        }
        return session.message(block.message).role == Role::User ? "user"
            : block.kind == BlockKind::Thinking                  ? "thinking"
                                                                 : "reply";
    };
    const std::vector<double> distances = useDistances(session, uses, *charactersBy33(session));
    for (size_t i = 0; i < uses.uses.size(); ++i) {
        const Use &use = uses.uses[i];
        repeats += use.kind == UseKind::Repeat ? 1 : 0;
        sameCalls += use.kind == UseKind::SameCall ? 1 : 0;
        if (use.kind != UseKind::Quote)
            continue;
        ++edits;
        quotes.push_back(distances[i]);
        const std::string source = use.isTogether ? "together" : sourceOf(uses.carrier(use));
        ++sources[source];
        onlyOwn += source == "own arguments"
                && std::ranges::all_of(uses.carriersOf(use), [&](BlockId id) { return sourceOf(id) == source; })
            ? 1
            : 0;
    }
    edits += uses.unshown.size();
    sources["nowhere"] += uses.unshown.size();
}

void Evidence::addNames(const Session &session, const Uses &all, const Uses &rare)
{
    const BlockTokensPtr tokens = charactersBy33(session);
    const std::vector<double> newest = useDistances(session, rare, *tokens);
    const std::vector<double> first = useDistances(session, rare, *tokens, UseBinding::First);
    const auto carriersOf = [](const Uses &uses) {
        std::set<BlockId> carriers;
        for (const Use &use : uses.uses) {
            if (use.kind == UseKind::Name)
                carriers.insert(uses.carrier(use));
        }
        return carriers;
    };
    for (size_t i = 0; i < rare.uses.size(); ++i) {
        if (rare.uses[i].kind != UseKind::Name)
            continue;
        namesNewest.push_back(newest[i]);
        namesFirst.push_back(first[i]);
    }
    const std::set<BlockId> needed = carriersOf(all);
    const std::set<BlockId> neededRare = carriersOf(rare);
    for (const BlockId id : rare.log) {
        const Block &block = session.block(id);
        if (block.kind != BlockKind::ToolResult || block.lengths.codePoints < 2000)
            continue;
        ++longResults;
        neededResults += needed.contains(id) ? 1 : 0;
        neededRareResults += neededRare.contains(id) ? 1 : 0;
    }
}

/// The fewest of some weights that hold 80 % of their sum.
size_t fewestOf80(std::vector<double> weights)
{
    std::ranges::sort(weights, std::ranges::greater());
    double all = 0;
    for (const double weight : weights)
        all += weight;
    size_t count = 0;
    for (double sum = 0; count < weights.size() && sum < 0.8 * all; ++count)
        sum += weights[count];
    return count;
}

void Evidence::addWeights(const SessionPtr &session, const Uses &uses)
{
    const BlockTokensPtr tokens = charactersBy33(*session);
    BlockRanges log;
    for (const BlockId id : uses.log)
        log.append({ id.value(), id.value() + 1 });
    const Transcript array(session, log);
    const size_t cutoff = keepCutoff(array, *parseMeasure("20000tok"), *tokens);
    for (const GroupBy by : { GroupBy::Block, GroupBy::File }) {
        const ResentUnused resent = resentUnused(array, {}, cutoff, by, tokens, uses, ArraySums(), 0);
        std::vector<double> weights;
        for (const UnusedGroup &group : resent.groups)
            weights.push_back(group.weight);
        (by == GroupBy::Block ? blocksOf80 : groupsOf80).push_back(fewestOf80(weights));
    }
}

/// Per mille of distances within 5k, 10k, 20k, 40k and 80k tokens.
std::string curve(const std::vector<double> &distances)
{
    std::string text;
    for (const double reach : { 5e3, 10e3, 20e3, 40e3, 80e3 }) {
        const auto within = std::ranges::count_if(distances, [&](double each) { return each <= reach; });
        text += (text.empty() ? "" : "/")
            + std::to_string(static_cast<size_t>(within) * 1000 / std::max<size_t>(distances.size(), 1));
    }
    return text;
}

} // namespace

/// Which later blocks needed which earlier ones, and what was resent unused since.
class UsesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBlockShowsItsTextWithoutNumbers_data();
    void aBlockShowsItsTextWithoutNumbers();
    void phrasesAreFoundAsByPlainSearch();
    void findingCostsNoMoreThanTheText();
    void aQuoteBindsToTheNewestBlockThatShowsIt();
    void whatIsNoQuote();
    void severalBlocksShowAQuoteTogether();
    void aRepeatHoldsHalfOfTheLines();
    void whatIsNoRepeat();
    void remindersAreNoLinesOfAFile();
    void importsOfOtherFilesAreNoUses();
    void whatIsAnImport_data();
    void whatIsAnImport();
    void theSameCallBindsToItsResult();
    void whatIsAcknowledgedIsNotReadAgain();
    void aNameBindsToTheNewestCarrier();
    void aChangedFileIsKnown();
    void usesEqualThoseOfAPlainReference();
    void theLogHoldsEveryBlockOnce();
    void usesCostNoMoreThanTheTexts_data();
    void usesCostNoMoreThanTheTexts();
    void findingStopsWhenCancelled();
    void unusedCallsEqualCounting();
    void resentUnusedRanksGroups();
    void hotZonesRankByResentUnused();
    void theEvidenceIsReproduced();
};

void UsesTest::aBlockShowsItsTextWithoutNumbers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("bare");
    QTest::newRow("arrows") << QByteArray("     1\u2192one\n    12\u2192 two\n") << QByteArray("one\n two\n");
    QTest::newRow("tabs") << QByteArray("1\tone\n2\ttwo") << QByteArray("one\ntwo");
    QTest::newRow("grep in one file") << QByteArray("7:one\n8-two\n") << QByteArray("one\ntwo\n");
    QTest::newRow("grep in several files")
        << QByteArray("a/b-1.py:7:x = 1\na/b-1.py-8-y\n--\n") << QByteArray("x = 1\ny\n--\n");
    QTest::newRow("a note behind a body") << QByteArray("1\tone\n\nread") << QByteArray("one\n\nread");
    QTest::newRow("mostly other lines") << QByteArray("1\tone\nand\nothers") << QByteArray("1\tone\nand\nothers");
    QTest::newRow("a time") << QByteArray("12: noon is\nnot\nhere") << QByteArray("12: noon is\nnot\nhere");
    QTest::newRow("plain") << QByteArray("one\ntwo") << QByteArray("one\ntwo");
}

void UsesTest::aBlockShowsItsTextWithoutNumbers()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, bare);
    Script script;
    script.read("a.py");
    script.result(text.toStdString());
    const SessionPtr made = script.finish();
    const ShownText shown = shownText(*made, made->blocks[1]);
    QCOMPARE(QByteArray::fromStdString(std::string(shown.bare())), bare);
    QVERIFY(shown.text.starts_with(text.toStdString()));
    QCOMPARE(shownText(*made, made->blocks[0]).text, std::string("a.py"));
}

void UsesTest::phrasesAreFoundAsByPlainSearch()
{
    std::mt19937_64 random = seededRandom();
    const auto word = [&](size_t longest, char letters) {
        std::string text(1 + random() % longest, 'a');
        for (char &c : text)
            c = static_cast<char>('a' + random() % static_cast<size_t>(letters));
        return text;
    };
    size_t foundCount = 0;
    for (int round = 0; round < caseCount(60); ++round) {
        const char letters = static_cast<char>(1 + round % 4);
        PhraseFinder finder;
        for (int i = 0; i < 40; ++i)
            finder.add(word(i % 2 == 0 ? 12 : 60, letters));
        finder.prepare();
        for (int i = 0; i < 6; ++i) {
            std::string text = word(300, letters);
            if (random() % 2 == 0)
                text += finder.phrase(static_cast<uint32_t>(random() % finder.size())) + word(9, letters);
            std::set<uint32_t> expected;
            for (uint32_t phrase = 0; phrase < finder.size(); ++phrase) {
                if (text.find(finder.phrase(phrase)) != std::string::npos)
                    expected.insert(phrase);
            }
            const std::vector<uint32_t> found = finder.find(text);
            QCOMPARE(std::set<uint32_t>(found.begin(), found.end()), expected);
            QCOMPARE(found.size(), expected.size());
            foundCount += found.size();
        }
    }
    QVERIFY(foundCount > 0);
}

void UsesTest::findingCostsNoMoreThanTheText()
{
    // Every other place of the text looks like the phrase for thousands of bytes.
    const auto pairs = [](size_t count) {
        std::string text;
        for (size_t i = 0; i < count; ++i)
            text += "ab";
        return text;
    };
    const std::string phrase = pairs(4000);
    std::string text;
    while (text.size() < 200'000)
        text += pairs(3900) + "c";
    PhraseFinder finder;
    finder.add(phrase);
    finder.add("not here, not there");
    finder.prepare();
    QVERIFY(finder.find(text).empty());
    QVERIFY2(finder.effort() < 4 * text.size(), std::to_string(finder.effort()).c_str());
    QCOMPARE(finder.find(text + phrase).size(), size_t(1));
}

void UsesTest::aQuoteBindsToTheNewestBlockThatShowsIt()
{
    const std::string shown = "def one():\n    return 1\n";
    const std::string other = "class Two:\n\tpass";
    Script script;
    script.text(Role::User, "please look at def one():\n    return 1\n");               // 0
    script.read("a.py");                                                                // 1
    script.result("     1\u2192def one():\n     2\u2192    return 1\n     3\u2192x\n"); // 2
    script.edit("a.py", shown, other); // 3: newest the reading, then the person's
    script.result("ok");               // 4
    script.edit("a.py", other, shown); // 5: own arguments
    script.result("ok");               // 6
    script.call("MultiEdit", "a.py",
        R"({"edits": [{"old_string": "return 1", "new_string": ""}, {"old_string": "class Two:\n\tpass", "new_string": "q"}]})"); // 7
    script.result("ok");                                                                                    // 8
    script.call("Bash", "grep -n q a.py", R"({"command": "grep -n \"q\\t\" a.py"})");                       // 9
    script.result("4:q\t\n5:return q");                                                                     // 10
    script.call("edit", "a.py", R"({"path": "a.py", "oldText": "q\t\nreturn q", "newText": ""})");          // 11
    script.call("str_replace_editor", "a.py", R"({"command": "str_replace", "old_str": "q\t\nreturn q"})"); // 12
    const SessionPtr made = script.finish();
    const auto uses = findUses(*made, kMain);
    QCOMPARE(inWords(*uses, only(UseKind::Quote)),
        std::string("quote 3 2 0; quote 5 3; quote 7 5 3 2 0; quote 7 5 3; quote 11 10; quote 12 11 10"));
    QVERIFY(uses->unshown.empty());
    QCOMPARE(uses->uses[0].call, CallIndex(1U)); // the second message of the model
    const std::vector<double> distances = useDistances(*made, *uses, *oneTokenACharacter(*made));
    const auto tokens = oneTokenACharacter(*made);
    QCOMPARE(distances[0], tokens->of(BlockId(2)));
    QCOMPARE(distances[2], tokens->of(BlockId(5)) + 2); // and the result between
}

void UsesTest::whatIsNoQuote()
{
    Script script;
    script.text(Role::User, "summary: alpha beta gamma", BlockFlag::Summary);       // 0
    script.edit("a.py", "alpha beta gamma", "alpha beta");                          // 1: only a summary shows it
    script.result("ok");                                                            // 2
    script.read("a.py");                                                            // 3
    script.result("alpha beta delta");                                              // 4
    script.edit("a.py", "beta delta", "beta epsilon");                              // 5: failed
    script.result("no such text", true);                                            // 6
    script.edit("a.py", "Beta delta", "x");                                         // 7: another letter
    script.result("ok");                                                            // 8
    script.call("Write", "b.py", R"({"old_string": "alpha beta", "content": ""})"); // 9: no edit
    script.edit("b.py", "", "new");                                                 // 10: nothing quoted
    script.edit("b.py", "zeta eta", "y");                                           // 11: shown only later
    script.text(Role::Assistant, "zeta eta");                                       // 12
    script.call("Write", "b.py", R"({"a": "left part ", "b": "right part"})");      // 13
    script.edit("b.py", "left part right part", "y");                               // 14: two texts
    const SessionPtr made = script.finish();
    const auto uses = findUses(*made, kMain);
    QCOMPARE(inWords(*uses), std::string());
    QCOMPARE(uses->unshown, (std::vector<BlockId> { BlockId(1), BlockId(7), BlockId(11), BlockId(14) }));
}

void UsesTest::severalBlocksShowAQuoteTogether()
{
    Script script;
    script.read("a.py");                                         // 0
    script.result("first line\nsecond line\n");                  // 1
    script.read("a.py");                                         // 2
    script.result("third line\nfourth line\n");                  // 3
    script.edit("a.py", "  second line\n\n  third line\n", "x"); // 4
    script.edit("a.py", "fourth line\nfifth line", "y");         // 5: a line that nobody shows
    const SessionPtr made = script.finish();
    const auto uses = findUses(*made, kMain);
    QCOMPARE(inWords(*uses, kHeadlineUses), std::string("quote 4 together 3 1"));
    QCOMPARE(uses->unshown, std::vector<BlockId> { BlockId(5) });
    const std::vector<LastUse> last = lastUses(*made, *uses);
    QCOMPARE(last[1].by, BlockId(4));
    QCOMPARE(last[3].by, BlockId(4));
}

void UsesTest::aRepeatHoldsHalfOfTheLines()
{
    Script script;
    script.read("a.py");                                                   // 0
    script.result(lines('a', 20));                                         // 1
    script.read("b.py");                                                   // 2
    script.result(lines('a', 10) + lines('b', 30) + lines('b', 30));       // 3: half of 1
    script.call("Bash", "cat", R"({"command": "cat c"})");                 // 4
    script.result(lines('a', 9) + lines('b', 19));                         // 5: 28 of the 40 of 3, 9 of the 20 of 1
    script.call("Bash", "cat", R"({"command": "cat d"})");                 // 6
    script.result("   1\t  " + lines('a', 1) + "2\t" + lines('a', 11, 1)); // 7: not half of them numbered
    const SessionPtr made = script.finish();
    QCOMPARE(inWords(*findUses(*made, kMain)), std::string("repeat 3 1; repeat 5 3; repeat 7 1"));
}

void UsesTest::whatIsNoRepeat()
{
    Script script;
    script.read("a.py");                                                 // 0
    script.result(lines('a', 20));                                       // 1
    script.edit("a.py", "zzzz", "yyyy");                                 // 2
    script.result("no", true);                                           // 3: failed, so nothing changed
    script.read("a.py");                                                 // 4
    script.result(lines('a', 20));                                       // 5: a repeat
    script.edit("./a.py", "aaaa", "bbbb");                               // 6
    script.result(lines('a', 20));                                       // 7: the answer to a write
    script.call("Read", "a.py", R"({"file_path": "a.py", "limit": 4})"); // 8
    script.result(lines('a', 20));                                       // 9: 7 shows it, as it is now
    script.call("Bash", "x", R"({"command": "x"})");                     // 10
    script.result("Tool ran without output");                            // 11
    script.call("Bash", "y", R"({"command": "y"})");                     // 12
    script.result("Tool ran without output");                            // 13: too short
    script.call("Bash", "z", R"({"command": "z"})");                     // 14
    script.result(std::string(300, 'x') + "\n" + lines('a', 9));         // 15: 9 of 20
    script.call("Bash", "w", R"({"command": "w"})");                     // 16
    std::string small;
    for (int i = 0; i < 60; ++i)
        small += "  short " + std::to_string(i % 7) + "\n";
    script.result(small);                                // 17
    script.call("Bash", "v", R"({"command": "v"})");     // 18
    script.result(small);                                // 19: no line is long enough
    script.call("TodoWrite", "", R"({"todos": "one"})"); // 20
    script.result(lines('t', 20));                       // 21
    script.call("TodoWrite", "", R"({"todos": "two"})"); // 22
    script.result(lines('t', 20));                       // 23: what a write answers, though it names no file
    const SessionPtr made = script.finish();
    QCOMPARE(inWords(*findUses(*made, kMain), only(UseKind::Repeat)), std::string("repeat 5 1; repeat 9 7"));
}

/// Claude Code puts the same reminder behind every file that is read.
void UsesTest::remindersAreNoLinesOfAFile()
{
    const std::string reminder = "\n\n<system-reminder>\n" + std::string(300, 'r') + "\n</system-reminder>\n";
    Script script;
    script.read(".gitignore");                                // 0
    script.result("settings.local.json" + reminder);          // 1
    script.read("a.py");                                      // 2
    script.result(lines('a', 20) + reminder);                 // 3: no line of 1
    script.call("Bash", "ls", R"({"command": "ls"})");        // 4
    script.result("settings.local.json\n" + lines('b', 20));  // 5: 1 is too short
    script.call("Bash", "cat", R"({"command": "cat a.py"})"); // 6
    script.result(lines('a', 20));                            // 7: all of 3
    const SessionPtr made = script.finish();
    QCOMPARE(inWords(*findUses(*made, kMain)), std::string("repeat 7 3"));
    QCOMPARE(
        withoutReminders("a\n\n<system-reminder>b</system-reminder>\n\n<system-reminder>c</system-reminder>\n"), "a");
    QCOMPARE(withoutReminders("a\n\n<system-reminder>b"), "a\n\n<system-reminder>b");
}

/// Files of one project share them.
void UsesTest::importsOfOtherFilesAreNoUses()
{
    std::string imports;
    for (int i = 0; i < 20; ++i)
        imports += "import parts.number" + std::to_string(i) + "\n";
    const std::string first = "import parts.number0\nimport parts.number1";
    Script script;
    script.read("a.py");                                        // 0
    script.result(imports + lines('a', 5));                     // 1
    script.read("b.py");                                        // 2
    script.result(imports + lines('b', 5));                     // 3: only imports of 1
    script.edit("b.py", first, "");                             // 4: of 3
    script.result("ok");                                        // 5
    script.read("a.py");                                        // 6
    script.result(imports + lines('c', 5));                     // 7: of 1, the same file
    script.call("Bash", "head", R"({"command": "head c.py"})"); // 8
    script.result(imports + lines('d', 5));                     // 9: of no known file
    script.edit("a.py", first, "");                             // 10: 9, which may be any file, then 7 and 1
    script.result("ok");                                        // 11
    script.edit("e.py", "import parts.number7", "");            // 12: of no file that is not another, but for 9
    script.result("ok");                                        // 13
    const SessionPtr made = script.finish();
    QCOMPARE(inWords(*findUses(*made, kMain)), std::string("quote 4 3; repeat 7 1; quote 10 9 7 1; quote 12 9"));
    Script other;
    other.read("a.py");            // 0
    other.result(imports);         // 1
    other.edit("b.py", first, ""); // 2
    other.result("ok");            // 3
    const SessionPtr unshown = other.finish();
    const auto uses = findUses(*unshown, kMain);
    QCOMPARE(inWords(*uses), std::string());
    QCOMPARE(uses->unshown, std::vector<BlockId> { BlockId(2U) });
}

void UsesTest::whatIsAnImport_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("isImport");
    for (const char *line :
        { "import os", "from os import path", "import { a } from './a'", "} from './a'", "const fs = require('fs')",
            "#include <vector>", "#include \"a.h\"", "use std::fs;", "using System.Text;", "package main",
            "require 'json'", "\"os/exec\"", "git \"example.com/git\"", "_ \"embed\"", "import static a.B.c;" })
        QTest::newRow(line) << QByteArray(line) << true;
    for (const char *line : { "", "important()", "use of words", "from here to there", "\"a\": \"b\"", "\"two words\"",
             "\"in a list\",", "x = \"os/exec\"", "return \"\"", "# include", "packages: 4", "\"(unknown)\"",
             "export * from './a'", "call(\"os/exec\"" })
        QTest::newRow(line) << QByteArray(line) << false;
}

void UsesTest::whatIsAnImport()
{
    QFETCH(QByteArray, line);
    QFETCH(bool, isImport);
    QCOMPARE(isImportLine(line.toStdString()), isImport);
    QCOMPARE(areImportLines("\n" + line.toStdString() + "\n"), isImport);
}

void UsesTest::theSameCallBindsToItsResult()
{
    Script script;
    script.call("Bash", "ls", R"({"command": "ls"})");  // 0
    script.result("a");                                 // 1
    script.call("Bash", "ls", R"({"command": "ls"})");  // 2: the same
    script.result("a");                                 // 3
    script.call("exec", "ls", R"({"command": "ls"})");  // 4: another tool
    script.result("a");                                 // 5
    script.call("Bash", "ls", R"({"command": "ls "})"); // 6: other arguments
    script.edit("a.py", "1", "2");                      // 7
    script.result("no", true);                          // 8
    script.call("Bash", "ls", R"({"command": "ls"})");  // 9: a failed write is none
    script.result("a");                                 // 10
    script.edit("a.py", "1", "2");                      // 11: a write, though one like it failed
    script.result("ok");                                // 12
    script.call("Bash", "ls", R"({"command": "ls"})");  // 13: written between
    script.call("Bash", "ls", R"({"command": "ls"})");  // 14: the one before has no answer
    const SessionPtr made = script.finish();
    const auto uses = findUses(*made, kMain);
    QCOMPARE(inWords(*uses, only(UseKind::SameCall)), std::string("same 2 1; same 9 3"));
}

/// The second and third answers say that the file is as it was.
void UsesTest::whatIsAcknowledgedIsNotReadAgain()
{
    Script script;
    const std::string same = "File unchanged since last read. Refer to the earlier result.";
    script.read("a.py");           // 0
    script.result(lines('a', 40)); // 1
    script.read("a.py");           // 2
    script.result(same);           // 3
    script.read("a.py");           // 4
    script.result(same);           // 5
    script.edit("a.py", "1", "2"); // 6
    script.result("ok");           // 7
    script.read("a.py");           // 8
    script.result(same);           // 9
    script.read("a.py");           // 10: of nothing that was shown
    const SessionPtr made = script.finish();
    QCOMPARE(inWords(*findUses(*made, kMain), only(UseKind::SameCall)), std::string("same 2 1; same 4 1"));
}

void UsesTest::aNameBindsToTheNewestCarrier()
{
    Script script;
    script.text(Role::User, "Change given_name and documentation");                                       // 0
    script.call("Bash", "x", R"({"command": "x"})");                                                      // 1
    script.result("given_name deep_name deep_name short_n documentation FOO_BARS camelCase common_name"); // 2
    script.call("Bash", "x", R"({"command": "deep_name"})");                                              // 3
    script.text(
        Role::Assistant, "given_name deep_name deep_name documentation short_n FOO_BARS camelCase common_name"); // 4
    const SessionPtr made = script.finish();
    Script second;
    second.text(Role::Assistant, "common_name");
    const std::array<SessionPtr, 2> sessions { made, second.finish() };
    const CommonNames common = commonNames(sessions, 1);
    QCOMPARE(common.size(), size_t(1));
    QCOMPARE(commonNames(sessions, 2).size(), size_t(0));
    const auto uses = findUses(*made, kMain, { .withNames = true, .commonNames = &common });
    QCOMPARE(inWords(*uses), std::string("name 3 2; name 4 3 2; name 4 2"));
    QCOMPARE(inWords(*findUses(*made, kMain)), std::string());
    QVERIFY(std::ranges::none_of(lastUses(*made, *uses), &LastUse::isUsed)); // names are no headline
}

void UsesTest::aChangedFileIsKnown()
{
    Script script;
    script.read("a.py");                // 0
    script.result("x");                 // 1
    script.read("b.py");                // 2
    script.result("y");                 // 3
    script.edit("a.py", "q", "w");      // 4
    script.result("no", true);          // 5
    script.call("Write", "a.py", "{}"); // 6
    script.result("ok");                // 7
    script.edit("a.py", "q", "w");      // 8
    script.result("ok");                // 9
    const SessionPtr made = script.finish();
    const auto uses = findUses(*made, kMain);
    std::string changed;
    for (const BlockId id : uses->changedBy)
        changed += id.isValid() ? std::to_string(id.value()) + " " : "- ";
    QCOMPARE(changed, std::string("- 6 - - - - 8 - - - "));
}

namespace {

/// A run that reads, edits, searches and repeats itself; lines and files are few, so that much comes again.
SessionPtr randomRun(std::mt19937_64 &random, int steps)
{
    Script script;
    const auto line = [&] {
        const auto n = random() % 60;
        return std::string(n % 5, '\t') + (n % 7 == 0 ? "end" : "statement number ") + std::to_string(n);
    };
    const auto text = [&](size_t most) {
        std::string made;
        for (size_t i = 0, count = 1 + random() % most; i < count; ++i)
            made += (random() % 3 == 0 ? std::to_string(i) + ":" : "") + line() + "\n";
        return made;
    };
    static constexpr std::array<const char *, 3> kFiles { "a.py", "src/b.py", "./a.py" };
    for (int i = 0; i < steps; ++i) {
        const char *const file = kFiles[random() % kFiles.size()];
        switch (random() % 5) {
        case 0:
            script.read(file);
            script.result(text(30), random() % 9 == 0);
            break;
        case 1:
            script.edit(file, random() % 2 == 0 ? line() : line() + "\n" + line(), text(4));
            script.result(random() % 3 == 0 ? text(20) : "ok", random() % 5 == 0);
            break;
        case 2:
            script.call("Bash", "run", R"({"command": "run )" + std::to_string(random() % 4) + "\"}");
            script.result(text(40));
            break;
        case 3:
            script.text(Role::User, text(3), random() % 4 == 0 ? BlockFlag::Summary : BlockFlag::Typed);
            break;
        default:
            script.call("Write", file, R"({"content": )" + quoteJson(text(6)) + "}");
            if (random() % 2 == 0)
                script.result("ok");
        }
    }
    return script.finish();
}

/// The definitions once more, each use found by looking at everything before it. Calls in pairs with their results.
class Reference final {
public:
    explicit Reference(const Session &session)
        : m_session(session)
    {
        for (uint32_t i = 0; i < session.blocks.size(); ++i) {
            m_shown.push_back(shownText(session, session.blocks[i]));
            m_lines.push_back(linesOf(session, BlockId(i)));
        }
    }

    std::string uses()
    {
        std::string words;
        for (uint32_t i = 0; i < m_session.blocks.size(); ++i) {
            const Block &block = m_session.blocks[i];
            if (block.kind == BlockKind::ToolCall && isEdit(i) && !hasFailed(i)) {
                for (const std::string &old : oldTexts(m_session, block))
                    words += quote(i, old);
            }
            if (block.kind == BlockKind::ToolCall)
                words += sameCall(i);
            if (block.kind == BlockKind::ToolResult)
                words += repeat(i);
        }
        return words.empty() ? words : words.substr(2);
    }

private:
    [[nodiscard]] const Block &at(uint32_t i) const { return m_session.blocks[i]; }
    [[nodiscard]] std::string nameOf(uint32_t i) const { return std::string(m_session.string(at(i).name)); }
    [[nodiscard]] bool isEdit(uint32_t i) const { return nameOf(i) == "Edit"; }
    [[nodiscard]] std::optional<uint32_t> resultOf(uint32_t call) const
    {
        for (uint32_t i = call + 1; i < m_session.blocks.size(); ++i) {
            if (at(i).kind == BlockKind::ToolResult && at(i).callId == at(call).callId)
                return i;
        }
        return std::nullopt;
    }
    [[nodiscard]] uint32_t callOf(uint32_t result) const
    {
        uint32_t i = result;
        while (at(i).kind != BlockKind::ToolCall || at(i).callId != at(result).callId)
            --i;
        return i;
    }
    [[nodiscard]] bool hasFailed(uint32_t call) const
    {
        const auto result = resultOf(call);
        return result && at(*result).is(BlockFlag::Error);
    }
    [[nodiscard]] bool writes(uint32_t i) const
    {
        return at(i).kind == BlockKind::ToolCall && (isEdit(i) || nameOf(i) == "Write") && !hasFailed(i);
    }
    [[nodiscard]] std::string fileOf(uint32_t i) const
    {
        if (nameOf(i) == "Bash")
            return {};
        const std::string path(m_session.string(at(i).subject));
        return path.starts_with("./") ? path.substr(2) : path;
    }
    [[nodiscard]] bool isWritten(const std::string &file, uint32_t from, uint32_t to) const
    {
        for (uint32_t i = from + 1; i < to && !file.empty(); ++i) {
            if (writes(i) && fileOf(i) == file)
                return true;
        }
        return false;
    }
    static std::string said(const std::string &kind, uint32_t by, const std::vector<uint32_t> &carriers)
    {
        std::string words = "; " + kind + " " + std::to_string(by);
        for (const uint32_t each : carriers)
            words += " " + std::to_string(each);
        return carriers.empty() ? std::string() : words;
    }

    std::string quote(uint32_t by, const std::string &old) const
    {
        std::vector<uint32_t> carriers;
        for (uint32_t i = by; i-- > 0 && carriers.size() < Uses::kMostCarriers;) {
            if (!at(i).is(BlockFlag::Summary) && m_shown[i].text.find(old) != std::string::npos)
                carriers.push_back(i);
        }
        if (!carriers.empty())
            return said("quote", by, carriers);
        std::set<uint32_t, std::greater<>> parts;
        bool isShown = true;
        forEachTrimmedLine(old, [&](std::string_view line) {
            uint32_t i = by;
            while (!line.empty() && i-- > 0) {
                if (!at(i).is(BlockFlag::Summary) && m_shown[i].text.find(line) != std::string::npos) {
                    parts.insert(i);
                    return;
                }
            }
            isShown = isShown && line.empty();
        });
        return isShown
            ? said("quote", by, {}) + said("quote " + std::to_string(by) + " together", 0, {}) + together(by, parts)
            : std::string();
    }
    static std::string together(uint32_t by, const std::set<uint32_t, std::greater<>> &parts)
    {
        std::string words = "; quote " + std::to_string(by) + " together";
        for (const uint32_t each : parts)
            words += " " + std::to_string(each);
        return words;
    }

    std::string repeat(uint32_t by) const
    {
        if (at(by).lengths.codePoints < 200 || writes(callOf(by)))
            return {};
        const auto isResult
            = [&](uint32_t i) { return at(i).kind == BlockKind::ToolResult && at(i).lengths.codePoints >= 200; };
        std::map<uint32_t, size_t> shared;
        for (const std::string &line : m_lines[by]) {
            int holders = 0;
            for (uint32_t i = by; i-- > 0 && holders < 8;) {
                if (isResult(i) && m_lines[i].contains(line)) {
                    ++holders;
                    ++shared[i];
                }
            }
        }
        std::vector<uint32_t> carriers;
        for (uint32_t i = by; i-- > 0 && carriers.size() < Uses::kMostCarriers;) {
            if (shared.contains(i) && shared[i] * 2 >= m_lines[i].size() && !isWritten(fileOf(callOf(i)), i, by)
                && !isWritten(fileOf(callOf(by)), i, by))
                carriers.push_back(i);
        }
        return said("repeat", by, carriers);
    }

    std::string sameCall(uint32_t by) const
    {
        for (uint32_t i = by; i-- > 0 && !writes(by);) {
            if (writes(i))
                return {};
            if (at(i).kind == BlockKind::ToolCall && at(i).name == at(by).name
                && m_session.text(at(i).body) == m_session.text(at(by).body)) {
                const auto result = resultOf(i);
                if (result && nameOf(i) == "Read" && at(*result).lengths.codePoints < 200)
                    continue;
                return result && *result < by ? said("same", by, { *result }) : std::string();
            }
        }
        return {};
    }

    const Session &m_session;
    std::vector<ShownText> m_shown;
    std::vector<std::set<std::string>> m_lines;
};

} // namespace

void UsesTest::usesEqualThoseOfAPlainReference()
{
    std::mt19937_64 random = seededRandom();
    std::array<size_t, 4> counts {};
    size_t together = 0;
    for (int round = 0; round < caseCount(160); ++round) {
        const SessionPtr run = randomRun(random, 10 + round / 4);
        const auto uses = findUses(*run, kMain);
        QCOMPARE(inWords(*uses), Reference(*run).uses());
        for (const Use &use : uses->uses) {
            ++counts[static_cast<size_t>(use.kind)];
            together += use.isTogether ? 1 : 0;
        }
    }
    QVERIFY(counts[0] > 0 && counts[1] > 0 && counts[2] > 0 && together > 0);
}

void UsesTest::theLogHoldsEveryBlockOnce()
{
    RecordedSession recorded;
    recorded.typed("hello");
    recorded.use("Read", "a.py");
    recorded.result(300);
    recorded.reply("done");
    recorded.summarise(50);
    recorded.use("Read", "b.py");
    recorded.result(300);
    recorded.reply("sent once before it is cleared");
    recorded.clear();
    recorded.reply("end");
    const SessionPtr made = recorded.finish();
    const auto uses = findUses(*made, kMain);
    std::vector<BlockId> sorted = uses->log;
    std::ranges::sort(sorted);
    QCOMPARE(sorted.size(), made->blocks.size());
    QVERIFY(std::ranges::adjacent_find(sorted) == sorted.end());
    QVERIFY(findUses(*session(""), kMain)->log.empty());
}

void UsesTest::usesCostNoMoreThanTheTexts_data()
{
    QTest::addColumn<int>("shape");
    QTest::newRow("one file read again and again") << 0;
    QTest::newRow("results that have one line in common") << 1;
    QTest::newRow("edits that quote one body") << 2;
    QTest::newRow("edits whose lines stand apart") << 3;
}

void UsesTest::usesCostNoMoreThanTheTexts()
{
    QFETCH(int, shape);
    const auto effort = [&](int count) {
        Script script;
        for (int i = 0; i < count; ++i) {
            script.read("a.py");
            script.result(shape == 0 ? lines('a', 30)
                    : shape == 1     ? "the line in common\n" + lines('b', 30, i * 30)
                                     : lines('c', 30));
            if (shape == 2)
                script.edit("b.py", lines('c', 10) + std::to_string(i), "x" + std::to_string(i));
            if (shape == 3)
                script.edit("b.py", lines('c', 1, i % 30) + lines('c', 1, (i + 7) % 30) + std::to_string(i), "x");
        }
        const SessionPtr made = script.finish();
        const auto uses = findUses(*made, kMain, { .withNames = true });
        return std::pair(uses->visits, uses->bytesRead);
    };
    const auto [visits, bytes] = effort(100);
    const auto [moreVisits, moreBytes] = effort(400);
    const auto said = std::to_string(visits) + " " + std::to_string(moreVisits) + ", " + std::to_string(bytes) + " "
        + std::to_string(moreBytes);
    QVERIFY2(moreVisits < 5 * visits && moreBytes < 5 * bytes, said.c_str());
}

void UsesTest::findingStopsWhenCancelled()
{
    std::mt19937_64 random = seededRandom();
    const SessionPtr run = randomRun(random, 30);
    Progress progress;
    QVERIFY(findUses(*run, kMain, {}, &progress).has_value());
    progress.cancel();
    QVERIFY(!findUses(*run, kMain, {}, &progress).has_value());
}

void UsesTest::unusedCallsEqualCounting()
{
    std::mt19937_64 random = seededRandom();
    for (int round = 0; round < caseCount(20); ++round) {
        RecordedSession recorded;
        recorded.typed("hello");
        for (int i = 0; i < 25; ++i) {
            recorded.use("Read", "a" + std::to_string(random() % 3) + ".py");
            recorded.result(100 + random() % 400);
            if (random() % 9 == 0)
                recorded.summarise(50);
            if (random() % 9 == 0)
                recorded.clear();
        }
        const SessionPtr made = recorded.finish();
        const auto &calls = made->threads.front().calls;
        std::vector<LastUse> last(made->blocks.size());
        for (LastUse &each : last) {
            if (random() % 2 == 0)
                each = { UseKind::Quote, CallIndex(random() % calls.size()), BlockId(0) };
        }
        for (const Position position : { Position {}, Position { kMain, CallIndex(random() % calls.size()) } }) {
            const std::vector<uint32_t> unused = unusedCallsPerBlock(*made, position, last, ArraySums());
            std::vector<uint32_t> expected(made->blocks.size());
            const size_t end = position.isEnd() ? calls.size() : position.call.index();
            for (size_t call = 0; call < end; ++call) {
                calls[call].input.forEach([&](BlockId id) {
                    const LastUse &use = last[id.index()];
                    expected[id.index()] += !use.isUsed() || use.call.index() < call ? 1 : 0;
                });
            }
            QCOMPARE(unused, expected);
        }
    }
}

void UsesTest::resentUnusedRanksGroups()
{
    Script script;
    script.text(Role::User, "go"); // 0
    script.read("a.py");           // 1
    script.result(lines('a', 40)); // 2: stale, though its quote was needed once
    script.call("Bash", "npm test -- x", R"({"command": "npm test -- x"})"); // 3
    script.result(lines('b', 200));                                          // 4: heavy, never used
    script.edit("a.py", "a line 3\n", "a line 4\n");                         // 5
    script.result("ok");                                                     // 6
    script.call("Bash", "npm test -- y", R"({"command": "npm test -- y"})"); // 7
    script.result(lines('c', 20));                                           // 8
    script.text(Role::Assistant, "done");                                    // 9
    const SessionPtr made = script.finish();
    const BlockTokensPtr tokens = oneTokenACharacter(*made);
    const Transcript array(made, made->threads.front().end);
    const auto uses = findUses(*made, kMain);
    QCOMPARE(inWords(*uses, kHeadlineUses), std::string("quote 5 2"));

    const ResentUnused files = resentUnused(array, {}, array.slotCount(), GroupBy::File, tokens, *uses, ArraySums());
    QCOMPARE(files.groups[0].name, std::string("a.py"));
    QCOMPARE(files.groups[0].staleCount, 1U);
    QCOMPARE(files.groups[0].last.by, BlockId(5));
    QCOMPARE(files.groups[0].last.call, CallIndex(2U));
    QCOMPARE(files.groups[0].usedCount, 1U);
    QCOMPARE(files.groups[1].name, std::string("npm test …"));
    QVERIFY(!files.groups[1].last.isUsed());
    QVERIFY(files.groups[1].resent > files.groups[0].resent);
    QCOMPARE(files.blocksOf(files.groups[1]).front(), BlockId(4));
    // Five calls: 3 and 4 were sent with the last three, 7 and 8 with the last one.
    const auto weight = [&](uint32_t id) { return tokens->of(BlockId(id)); };
    QCOMPARE(files.groups[1].resent, 3 * (weight(3) + weight(4)) + weight(7) + weight(8));
    // The result was resent unused after the call that quoted it; its tool call at every call.
    QCOMPARE(files.groups[0].staleResent, 2 * weight(2));

    double sum = 0;
    for (const UnusedGroup &each : files.groups)
        sum += each.resent;
    QCOMPARE(files.resent, sum);
    const ResentUnused blocks = resentUnused(array, {}, array.slotCount(), GroupBy::Block, tokens, *uses, ArraySums());
    QCOMPARE(blocks.resent, files.resent);
    QCOMPARE(blocks.blocksOf(blocks.groups[0]).front(), BlockId(2)); // stale first
    QCOMPARE(blocks.blocksOf(blocks.groups[1]).front(), BlockId(4));

    // What the window keeps is in no group; before the change nothing is stale.
    const ResentUnused before = resentUnused(array, {}, 3, GroupBy::File, tokens, *uses, ArraySums());
    for (const UnusedGroup &each : before.groups)
        QVERIFY(!each.name.starts_with("npm test"));
    const Position early { kMain, CallIndex(2U) };
    const Transcript earlier(made, rangesAt(*made, early));
    const ResentUnused then = resentUnused(earlier, early, 99, GroupBy::File, tokens, *uses, ArraySums());
    for (const UnusedGroup &each : then.groups)
        QVERIFY(!each.isStale());
    // At the third call the reading is about to be quoted: only its tool call was resent unused.
    const auto file = std::ranges::find(then.groups, "a.py", &UnusedGroup::name);
    QVERIFY(file != then.groups.end());
    QCOMPARE(file->resent, weight(1));
    QVERIFY(resentUnused(Transcript(), {}, 0, GroupBy::File, tokens, *uses, ArraySums()).groups.empty());
}

void UsesTest::hotZonesRankByResentUnused()
{
    Script script;
    script.read("a.py");                             // 0
    script.result(std::string(3000, 'a'));           // 1: quoted at the end, never resent unused
    script.read("b.py");                             // 2
    script.result(std::string(1000, 'b'));           // 3: stale
    script.read("c.py");                             // 4
    script.result(std::string(2000, 'c'));           // 5: resent unused
    script.call("Write", "b.py", R"({"text":"b"})"); // 6
    script.result("ok");
    script.edit("a.py", std::string(3000, 'a'), "x");
    const SessionPtr made = script.finish();
    const auto tokens = oneTokenACharacter(*made);
    const Transcript array(made, made->threads.front().end);
    const auto uses = findUses(*made, kMain);
    HotZones zones = hotZones(array, {}, 6, Weights(tokens, WeightUnit::Characters), ArraySums());
    rankHotZones(zones, unusedRanks(*made, resentUnused(array, {}, 6, GroupBy::Block, tokens, *uses, ArraySums())));
    std::vector<uint32_t> order;
    for (const HotBlock &each : zones.blocks) {
        order.push_back(each.block.value());
        QCOMPARE(zones.of(each.slot)->block, each.block);
    }
    QCOMPARE(order, (std::vector<uint32_t> { 3, 5, 1 }));
}

void UsesTest::theEvidenceIsReproduced()
{
    if (testing::corpus().empty())
        QSKIP("There is no corpus: PALIMPSEST_CORPUS names no folder.");
    const auto loaded = evidenceSessions();
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().sentence().c_str());
    const std::vector<SessionPtr> &sessions = *loaded;
    const CommonNames common = commonNames(sessions);
    Evidence found;
    Evidence claude; // of the first 21
    for (size_t i = 0; i < sessions.size(); ++i) {
        found.add(sessions[i], common);
        if (i + 1 == kEvidenceOfClaude)
            claude = found;
    }
    QCOMPARE(found.calls, size_t(4376));
    QCOMPARE(found.compactions, size_t(20));
    QCOMPARE(found.repeats, size_t(487)); // 495 with the reminders behind each read
    QCOMPARE(found.sameCalls, size_t(77));

    // The evidence has 4,391 calls and 19 summaries: it counts pi's responses that were given up before anything came
    // back, and does not read the summary that is glued to another record in one file of pi.

    // D1: of 886 reads (884 there) 593 read a path again: 67 %, as there. Against the last reading of the path: the
    // same text 8 (1 %; 8), more than half of the distinct lines of 12 characters 157 (26 %; 159, 27 %), after an edit
    // of the file 257 (43 %; 263, 44 %).
    QCOMPARE(found.reads, size_t(886));
    QCOMPARE(found.samePath, size_t(593));
    QCOMPARE(found.sameText, size_t(8));
    QCOMPARE(found.sharedHalf, size_t(157));
    QCOMPARE(found.afterEdit, size_t(257));

    // D2: path re-reading falls after a recorded summary: 74 of 89 (83 %) in the 20 calls after, 70 of 81 (86 %) in the
    // 20 before. The evidence has 69 of 88 (78 %) and 65 of 76 (86 %).
    QCOMPARE(found.readAgainAround, (std::array<size_t, 2> { 70, 74 }));
    QCOMPARE(found.readsAround, (std::array<size_t, 2> { 81, 89 }));

    // D3: text that results show again, in distinct lines of 12 characters without the blanks around them, per summary:
    // 5.0k tokens after, 2.2k before (5.4k and 2.0k there). As shares of all result text they do not differ (32 % and
    // 34 %; 37 % and 21 % there): the denominators are of few calls.
    const auto rounded = [](const std::array<double, 2> &tokens) {
        return std::array<size_t, 2> { static_cast<size_t>(std::lround(tokens[0])),
            static_cast<size_t>(std::lround(tokens[1])) };
    };
    QCOMPARE(rounded(found.shownAgainAround), (std::array<size_t, 2> { 44'040, 99'934 }));
    QCOMPARE(rounded(found.resultTokensAround)[0], 128'025U);
    QCOMPARE(rounded(found.resultTokensAround)[1], 314'515U);

    // D4: where old texts come from. Of Claude Code alone 446 edits (447 in the second measurement), read 74 % and own
    // arguments 15 % as there. The results of edits, which show a part of the file, stood under no name in the first.
    QCOMPARE(claude.edits, size_t(446));
    QCOMPARE(claude.sources,
        (std::map<std::string, size_t> { { "grep or shell", 6 }, { "nowhere", 0 }, { "own arguments", 67 },
            { "read", 333 }, { "reply", 2 }, { "result of an edit", 31 }, { "thinking", 2 }, { "together", 5 } }));
    QCOMPARE(claude.onlyOwn, size_t(58));
    QCOMPARE(found.edits, size_t(819));
    QCOMPARE(found.sources["read"], size_t(549));
    QCOMPARE(found.sources["own arguments"], size_t(181));

    // D5: how far back edits reach, per mille within 5k, 10k, 20k, 40k, 80k tokens (characters / 3.3) of the log
    // from the beginning of the newest block that shows the text on: 67/78/88/95/99 % there. Its second measurement, of
    // Claude Code alone and from the end of that block on, has 73/83/91/97/98 %; so measured it is 70/82/89/99/100 %
    // here.
    QCOMPARE(curve(claude.quotes), std::string("632/780/876/979/1000"));
    QCOMPARE(curve(found.quotes), std::string("665/777/874/947/990"));
    // D6: the same of rare code-shaped names: 67/77/87/94/98 % there. D7: bound to the first carrier: 13/18/29/42/64 %.
    QCOMPARE(found.namesNewest.size(), size_t(7997));
    QCOMPARE(curve(found.namesNewest), std::string("677/790/878/959/989"));
    QCOMPARE(curve(found.namesFirst), std::string("130/202/291/421/610"));

    // D8: of 806 results of 2,000 characters 555 (69 %) are the newest carrier of a code-shaped name written later, 292
    // (36 %) of one that stands in at most 2 sessions. The evidence has 46 % of names of any shape, 22 % of rare
    // code-shaped ones; it does not say what they were bound to.
    QCOMPARE(found.longResults, size_t(806));
    QCOMPARE(found.neededResults, size_t(555));
    QCOMPARE(found.neededRareResults, size_t(292));

    // D15: the fewest blocks of the log before the last 20k tokens that hold 80 % of it, and the fewest files, families
    // of commands and kinds: 3 to 259 and 2 to 15 (2 to 170 and 4 to 29 there), in the order of the files. The log is
    // longer than any array that was sent, so more blocks share it; kinds gather all text of the model in one.
    QCOMPARE(found.blocksOf80,
        (std::vector<size_t> { 23, 40, 13, 71, 51, 28, 36, 48, 54, 77, 3, 102, 132, 43, 94, 55, 155, 49, 0, 0, 0, 208,
            7, 165, 259, 190 }));
    QCOMPARE(found.groupsOf80,
        (std::vector<size_t> {
            9, 9, 7, 4, 12, 6, 9, 10, 13, 11, 3, 5, 10, 11, 15, 12, 9, 12, 0, 0, 0, 15, 2, 9, 13, 14 }));
}

PALIMPSEST_TEST(UsesTest)
#include "tst_uses.moc"
