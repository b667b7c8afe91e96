// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/compaction/keep_window.h"
#include "core/formats/reading/format.h"
#include "core/report/show.h"
#include "core/search/search.h"
#include "core/session/user_message.h"
#include "core/weight/hot_zones.h"
#include "tests/claude_log.h"
#include "tests/script.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <random>
#include <set>

using namespace core;

namespace {

SearchGround groundOf(const SessionPtr &session)
{
    return { session, roughTokens(*session), blockLives(session, nullptr, 2, nullptr), {} };
}

/// Whether a block contains the text, found by Qt in the decoded text.
bool contains(const Session &session, const Block &block, const std::string &text)
{
    const auto has = [&](std::string_view where) {
        return QString::fromUtf8(where).contains(QString::fromStdString(text), Qt::CaseInsensitive);
    };
    const bool isTool = block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult;
    return (isSearchable(block) && has(session.text(block.body)))
        || (isTool && (has(session.string(block.name)) || has(session.string(block.subject))));
}

/// The arrays of the block's thread that contain it, by number; the last is the end.
std::set<uint32_t> arraysWith(const Session &session, BlockId id)
{
    std::set<uint32_t> arrays;
    const Block &block = session.block(id);
    const Thread &thread
        = session.thread(block.message.isValid() ? session.message(block.message).thread : ThreadIndex(0U));
    for (uint32_t i = 0; i <= thread.calls.size(); ++i) {
        const bool isEnd = i == thread.calls.size();
        const auto &prelude = isEnd ? thread.prelude : thread.calls[i].prelude;
        bool has = prelude && id.value() >= prelude->begin && id.value() < prelude->end;
        (isEnd ? thread.end : thread.calls[i].input).forEach([&](BlockId each) { has = has || each == id; });
        if (has)
            arrays.insert(i);
    }
    return arrays;
}

/// What one term finds, judged apart from the search.
bool matches(const SearchGround &ground, BlockId id, const std::string &term)
{
    const Session &session = *ground.session;
    const Block &block = session.block(id);
    const auto calls = static_cast<uint32_t>(
        session.thread(block.message.isValid() ? session.message(block.message).thread : ThreadIndex(0U)).calls.size());
    if (term == "error")
        return block.is(BlockFlag::Error);
    if (term == "typed")
        return isUserMessage(block);
    if (term == "lost")
        return !arraysWith(session, id).contains(calls);
    if (term == "role:tool")
        return block.kind == BlockKind::ToolResult;
    if (term == "kind:call")
        return block.kind == BlockKind::ToolCall;
    if (term == "tool:bash")
        return session.string(block.name) == "Bash";
    if (term == "tokens>20")
        return ground.tokens->of(id) > 20;
    if (term == "call<=3") {
        const auto arrays = arraysWith(session, id);
        return !arrays.empty() && *arrays.begin() <= 3;
    }
    return contains(session, block, term);
}

/// Words with everything that JSON escapes, and letters beyond ASCII.
const std::vector<std::string> kPieces { "alpha", "Beta", "GAMMA", "a/b/c.cpp", "\"quoted\"", "back\\slash",
    "tab\there", "line\nend", "Ärger", "ÜBER", "Ωmega", "Привет", "emoji 😀", "{\"key\": 1}", "x", "\\u0041", "\x01",
    "ab", "aab" };

SessionPtr drawnSession(uint64_t seed)
{
    std::mt19937_64 random(seed);
    const auto draw = [&](size_t count) { return static_cast<size_t>(random() % count); };
    const auto text = [&] {
        std::string result;
        for (size_t i = 0, count = 1 + draw(30); i < count; ++i)
            result += kPieces[draw(kPieces.size())] + (draw(3) == 0 ? "" : " ");
        return result;
    };
    testing::ClaudeLog log;
    log.typed(text());
    for (size_t i = 0, count = 4 + draw(20); i < count; ++i) {
        log.call(
            draw(2) == 0 ? "Bash" : "Read", { { "command", text() }, { "count", draw(9) }, { "list", { 1, text() } } });
        log.result(text(), draw(4) == 0);
        if (draw(5) == 0)
            log.typed(text());
        if (draw(9) == 0)
            log.compact(text());
    }
    return *testing::load(log.text());
}

} // namespace

class SearchTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hotIsWhatIsHotInTheArray();
    void theTermsOfABlockFindIt();
    void aTermIsAddedOnce_data();
    void aTermIsAddedOnce();
    void textsBecomeAPhrase();
    void theLineIsParsed();
    void everyMistakeHasItsSentence_data();
    void everyMistakeHasItsSentence();
    void needlesFindWhatQtFinds();
    void searchesFindWhatAPlainLoopFinds_data();
    void searchesFindWhatAPlainLoopFinds();
    void theCorpusIsFoundAlike_data();
    void theCorpusIsFoundAlike();
    void livesNameTheCalls();
    void snippetsMarkTheMatch();
    void cheapTermsReadLittle();
    void hitsComeOnceAndInOrder();
};

void SearchTest::hotIsWhatIsHotInTheArray()
{
    testing::ClaudeLog log;
    log.typed("go on");
    for (size_t i = 0; i < 40; ++i) {
        log.call("Read", { { "file_path", "/work/a.cpp" } });
        log.result(std::string(i % 7 == 0 ? 40'000 : 900, 'x'));
    }
    const SessionPtr session = log.load();
    SearchGround ground = groundOf(session);
    for (const Position position : { Position(), Position { ThreadIndex(0U), CallIndex(25U) } }) {
        const Shown shown
            = shownAt(session, position, Weights(ground.tokens, WeightUnit::Tokens), openingKeep(*session));
        ground.hot = hotBlocksAt(session, position, ground.tokens);
        QCOMPARE(ground.hot, blocksOf(shown.hot));
        QVERIFY(!ground.hot.empty());
        std::vector<BlockId> found;
        for (const SearchHit &hit : searchAll(ground, parseQuery("hot").value(), 2))
            found.push_back(hit.block);
        QCOMPARE(found, ground.hot);
        QCOMPARE(found.size() + searchAll(ground, parseQuery("-hot").value(), 2).size(), session->blocks.size());
    }
    QCOMPARE(parseQuery("hot:yes").error().message, std::string("hot takes no value. (position 1)"));
}

void SearchTest::theTermsOfABlockFindIt()
{
    std::set<std::string> keys;
    for (uint64_t seed = 0; seed < 8; ++seed) {
        const SessionPtr session = drawnSession(seed);
        const SearchGround ground = groundOf(session);
        for (size_t i = 0; i < session->blocks.size(); ++i) {
            for (const std::string &term : filterTermsOf(*session, session->blocks[i])) {
                const auto query = parseQuery(term);
                QVERIFY2(query.has_value(), term.c_str());
                QVERIFY2(
                    std::ranges::contains(searchAll(ground, *query, 1), BlockId(i), &SearchHit::block), term.c_str());
                keys.insert(term.substr(0, term.find(':')));
            }
        }
    }
    QCOMPARE(keys, (std::set<std::string> { "file", "kind", "role", "tool" }));
}

void SearchTest::aTermIsAddedOnce_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("with");
    QTest::addColumn<QString>("without");
    QTest::newRow("to nothing") << QString() << QStringLiteral("tool:Bash") << QStringLiteral("-tool:Bash");
    QTest::newRow("to others") << QStringLiteral("text:\"a b\"  lost") << QStringLiteral("text:\"a b\" lost tool:Bash")
                               << QStringLiteral("text:\"a b\" lost -tool:Bash");
    QTest::newRow("where it is") << QStringLiteral("tool:Bash lost") << QStringLiteral("lost tool:Bash")
                                 << QStringLiteral("lost -tool:Bash");
    QTest::newRow("where it is turned around")
        << QStringLiteral("-tool:Bash x") << QStringLiteral("x tool:Bash") << QStringLiteral("x -tool:Bash");
    QTest::newRow("to a mistake") << QStringLiteral("x \"open") << QStringLiteral("x \"open tool:Bash")
                                  << QStringLiteral("x \"open -tool:Bash");
}

void SearchTest::aTermIsAddedOnce()
{
    QFETCH(const QString, line);
    QTEST(QString::fromStdString(withTerm(line.toStdString(), "tool:Bash", false)), "with");
    QTEST(QString::fromStdString(withTerm(line.toStdString(), "tool:Bash", true)), "without");
}

void SearchTest::textsBecomeAPhrase()
{
    QCOMPARE(withPhrase("stable link"), std::string("\"stable link\""));
    QCOMPARE(withPhrase("error stable  tool:Bash -x link"), std::string("error \"stable link\" tool:Bash -x"));
    QCOMPARE(withPhrase("text:stable \"a link\""), std::string("\"stable a link\""));
    for (const char *line : { "", "stable", "typed", "stable a\"b", "stable \"open" })
        QCOMPARE(withPhrase(line), std::string(line));
}

void SearchTest::theLineIsParsed()
{
    const auto query = parseQuery(
        "  role:tool -tool:Bash tokens>=1.5k call<100 \"two words\" text:\"a b\" -x #12 lost  std::sort -5 ");
    QVERIFY2(query.has_value(), query ? "" : query.error().message.c_str());
    using Key = QueryTerm::Key;
    const std::vector<Key> keys { Key::Role, Key::Tool, Key::Tokens, Key::Call, Key::Text, Key::Text, Key::Text,
        Key::Number, Key::Lost, Key::Text, Key::Text };
    QCOMPARE(query->terms.size(), keys.size());
    for (size_t i = 0; i < keys.size(); ++i)
        QCOMPARE(query->terms[i].key, keys[i]);
    QVERIFY(query->terms[1].isNegated && query->terms[6].isNegated && !query->terms[0].isNegated);
    QCOMPARE(query->terms[2].number, 1500.0);
    QCOMPARE(query->terms[2].compare, QueryTerm::Compare::GreaterOrEqual);
    QCOMPARE(query->terms[3].compare, QueryTerm::Compare::Less);
    QCOMPARE(query->terms[4].value, std::string("two words"));
    QCOMPARE(query->terms[9].value, std::string("std::sort"));
    QCOMPARE(query->firstText()->text(), std::string("two words"));
    QVERIFY(parseQuery(" \t ")->isEmpty());
    for (const char *text : { "https://example.org", "TypeError:", "a=b", "x>y", "-", "--json", "C:\\x" })
        QCOMPARE(parseQuery(text)->terms.front().key, Key::Text);
}

void SearchTest::everyMistakeHasItsSentence_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("a role that is none")
        << "x role:boss" << "There is no role \"boss\"; write system, user, assistant or tool. (position 8)";
    QTest::newRow("a key that is none")
        << "rolle:tool" << "There is no key \"rolle:\"; to find the text, quote it: \"rolle:tool\". (position 1)";
    QTest::newRow("no value") << "ä tool: x" << "\"tool:\" needs a value. (position 8)";
    QTest::newRow("a quotation without end") << "text:\"a b" << "The closing quotation mark is missing. (position 6)";
    QTest::newRow("an empty quotation") << "\"\"" << "The quotation is empty. (position 1)";
    QTest::newRow("no number") << "tokens>many" << "\"many\" is no number; write 2000 or 2k. (position 8)";
    QTest::newRow("a colon before a number") << "call:5" << "Compare call with a number: call>5. (position 5)";
    QTest::newRow("a comparison of a name") << "tool>Bash" << "Write a colon after tool: tool:Bash. (position 5)";
    QTest::newRow("a value of a property") << "lost:5" << "lost takes no value. (position 1)";
}

void SearchTest::everyMistakeHasItsSentence()
{
    QFETCH(QString, line);
    QFETCH(QString, sentence);
    const auto query = parseQuery(line.toStdString());
    QVERIFY(!query);
    QCOMPARE(query.error().kind, ErrorKind::Usage);
    QCOMPARE(QString::fromStdString(query.error().message), sentence);
}

void SearchTest::needlesFindWhatQtFinds()
{
    std::mt19937_64 random = seededRandom();
    static constexpr std::array<const char *, 12> kLetters { "a", "A", "b", "B", "ä", "Ä", "Σ", "σ", "я", "Я", "ž",
        "Ž" };
    for (int round = 0; round < 20'000; ++round) {
        const size_t count = round % 2 == 0 ? 4 : kLetters.size();
        const auto draw = [&](size_t length) {
            std::string text;
            for (size_t i = 0; i < length; ++i)
                text += kLetters[random() % count];
            return text;
        };
        const std::string wanted = draw(1 + random() % 4);
        const std::string text = draw(random() % 24);
        const auto place = Needle(wanted).find(text);
        const qsizetype at
            = QString::fromStdString(text).indexOf(QString::fromStdString(wanted), 0, Qt::CaseInsensitive);
        const auto expected = at < 0
            ? std::nullopt
            : std::optional(static_cast<size_t>(QString::fromStdString(text).left(at).toUtf8().size()));
        QCOMPARE(place ? std::optional(place->begin) : std::nullopt, expected);
    }
}

void SearchTest::searchesFindWhatAPlainLoopFinds_data()
{
    QTest::addColumn<quint64>("seed");
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(8); ++i) {
        const quint64 seed = random();
        QTest::addRow("seed %llu", seed) << seed;
    }
}

void SearchTest::searchesFindWhatAPlainLoopFinds()
{
    QFETCH(quint64, seed);
    const SessionPtr session = drawnSession(seed);
    const SearchGround ground = groundOf(session);
    std::vector<std::string> terms { "error", "typed", "lost", "role:tool", "kind:call", "tool:bash", "tokens>20",
        "call<=3", "alpha", "BETA x", "c.cpp", "k\\s", "b\th", "E\ne", "rger ü", "ΩM", "привет", "😀", "\": 1",
        "\", \"", "1, \"", "\\u004", "A", "bash" };
    std::mt19937_64 random(seed);
    for (size_t round = 0; round < 150; ++round) {
        std::string line;
        std::vector<std::pair<std::string, bool>> drawn;
        for (size_t i = 0; i < 1 + round % 3; ++i) {
            const std::string &term = round < terms.size() && i == 0 ? terms[round] : terms[random() % terms.size()];
            if (!drawn.empty() && term.contains('"'))
                continue;
            drawn.emplace_back(term, random() % 3 == 0);
            const bool isText = &term - terms.data() >= 8;
            if (!term.contains('"'))
                line += std::string(drawn.back().second ? "-" : "") + (isText ? "text:\"" + term + "\"" : term) + " ";
        }
        Query query = *parseQuery(line);
        if (drawn.front().first.contains('"')) { // a line cannot quote a quotation mark
            QueryTerm term;
            term.isNegated = drawn.front().second;
            term.needle = std::make_shared<const Needle>(drawn.front().first);
            query.terms.push_back(term);
        }
        std::vector<uint32_t> expected;
        for (uint32_t i = 0; i < session->blocks.size(); ++i) {
            if (std::ranges::all_of(
                    drawn, [&](const auto &each) { return matches(ground, BlockId(i), each.first) != each.second; }))
                expected.push_back(i);
        }
        std::vector<uint32_t> blocks;
        for (const SearchHit &hit : searchAll(ground, query, 2))
            blocks.push_back(hit.block.value());
        QVERIFY2(blocks == expected, line.c_str());
    }
}

void SearchTest::theCorpusIsFoundAlike_data() { testing::addCorpusRows(12); }

void SearchTest::theCorpusIsFoundAlike()
{
    QFETCH(QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus here; PALIMPSEST_CORPUS names another place.");
    const auto session = loadSession(testing::corpus() / file.toStdString());
    if (!session)
        QSKIP("The file is no session.");
    const SearchGround ground = groundOf(*session);
    for (const std::string term : { "error:", "the file", "\n", "é", "\": ", "Read" }) {
        Query query;
        query.terms.emplace_back().needle = std::make_shared<const Needle>(term);
        const std::vector<SearchHit> hits = searchAll(ground, query, 2);
        size_t next = 0;
        for (uint32_t i = 0; i < (*session)->blocks.size(); ++i) {
            const Block &block = (*session)->blocks[i];
            const bool isHit = next < hits.size() && hits[next].block == BlockId(i);
            QCOMPARE(isHit, contains(**session, block, term));
            if (isHit && hits[next].match != TextPlace())
                QCOMPARE(hits[next].match.begin, Needle(term).find((*session)->text(block.body))->begin);
            next += isHit ? 1 : 0;
        }
    }
}

void SearchTest::livesNameTheCalls()
{
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        const SessionPtr session = drawnSession(seed);
        const auto lives = blockLives(session, nullptr, 2, nullptr);
        for (uint32_t i = 0; i < session->blocks.size(); ++i) {
            const auto arrays = arraysWith(*session, BlockId(i));
            const auto calls = static_cast<uint32_t>(session->threads.front().calls.size());
            const BlockLife &life = lives->of(BlockId(i));
            QCOMPARE(life.isAtEnd, arrays.contains(calls));
            QCOMPARE(life.first == BlockLife::kNever, arrays.empty());
            if (!arrays.empty())
                QCOMPARE(life.first, *arrays.begin());
            std::set<uint32_t> sent = arrays;
            sent.erase(calls);
            QCOMPARE(life.wasSent, !sent.empty());
            if (!sent.empty())
                QCOMPARE(life.last, *sent.rbegin());
        }
    }
    testing::ClaudeLog log;
    log.typed("first words");
    log.call("Bash", { { "command", "ls" } });
    log.result("files");
    log.call("Bash", { { "command", "pwd" } });
    log.compact("a summary");
    log.typed("more words");
    log.call("Bash", { { "command", "date" } });
    const SessionPtr session = *testing::load(log.text());
    const SearchGround ground = groundOf(session);
    const auto wordsOf = [&](std::string_view line) {
        const auto hits = searchAll(ground, *parseQuery(line), 1);
        const BlockLife &life = ground.lives->of(hits.at(0).block);
        return callsText(life) + "; " + stateText(session->block(hits.at(0).block), life);
    };
    QCOMPARE(wordsOf("\"first words\""),
        std::string("calls 0 to 1; typed, the message itself was last sent at call 1, then a summary replaced it"));
    QCOMPARE(wordsOf("files"), std::string("call 1; last sent at call 1, then a summary replaced it"));
    QCOMPARE(wordsOf("\"more words\""), std::string("call 2 to the end; typed, in context at the end"));
    QCOMPARE(wordsOf("date"), std::string("the end; in context at the end"));
    QCOMPARE(wordsOf("pwd"), std::string("no call; never sent"));
}

void SearchTest::snippetsMarkTheMatch()
{
    const std::string text = std::string(100, 'x') + " one\n\n\t two \x1b[0m needle behind " + std::string(400, 'y');
    const HitSnippet snippet = snippetAround(text, *Needle("NEEDLE").find(text));
    QCOMPARE(snippet.text.substr(snippet.match.begin, snippet.match.end - snippet.match.begin), std::string("needle"));
    QVERIFY(snippet.text.starts_with("…x") && snippet.text.ends_with("y…"));
    QVERIFY(snippet.text.contains(" one two ␛[0m needle behind yyy"));
    const HitSnippet cut = snippetAround("äöü" + std::string(46, 'a') + "needle", { 52, 58 });
    QVERIFY(QString::fromStdString(cut.text).indexOf(QChar::ReplacementCharacter) < 0);
    QCOMPARE(snippetAround("", {}).text, std::string());
}

void SearchTest::cheapTermsReadLittle()
{
    Script script;
    for (int i = 0; i < 400; ++i) {
        script.text(Role::User, "word " + std::string(5000, 'u'));
        script.call(i % 100 == 0 ? "Bash" : "Read", "x", "{}");
        script.result("word " + std::string(10'000, 'r'));
    }
    const SessionPtr session = script.finish();
    const SearchGround ground = groundOf(session);
    const auto bytesFor
        = [&](std::string_view line) { return search(ground, *parseQuery(line), 2, nullptr, [](const auto &) { }); };
    uint64_t all = 0;
    for (const Block &block : session->blocks)
        all += block.body.size;
    QCOMPARE(bytesFor("nowhere"), all);
    QVERIFY(bytesFor("role:user nowhere") < all / 2);
    QVERIFY(bytesFor("nowhere tool:bash") < all / 100);
    QVERIFY(bytesFor("call>100000 nowhere") == 0);
    QVERIFY(bytesFor("lost tokens>1k") == 0);
    // A word that all bodies begin with: each body once, and little of it decoded.
    QVERIFY(bytesFor("word") < all * 11 / 10);
}

void SearchTest::hitsComeOnceAndInOrder()
{
    Script script;
    for (int i = 0; i < 3000; ++i)
        script.text(i % 2 == 0 ? Role::User : Role::Assistant, "word " + std::to_string(i) + std::string(2000, 'x'));
    const SearchGround ground = groundOf(script.finish());
    std::vector<size_t> batches;
    std::vector<BlockId> blocks;
    search(ground, *parseQuery("word"), 2, nullptr, [&](const std::vector<SearchHit> &hits) {
        batches.push_back(hits.size());
        for (const SearchHit &hit : hits)
            blocks.push_back(hit.block);
    });
    QCOMPARE(blocks.size(), size_t(3000));
    QVERIFY(std::ranges::is_sorted(blocks) && std::ranges::adjacent_find(blocks) == blocks.end());
    QVERIFY(batches.size() > 4);
    QVERIFY(batches.front() < 200);
    Progress progress;
    size_t count = 0;
    search(ground, *parseQuery("word"), 2, &progress, [&](const std::vector<SearchHit> &hits) {
        count += hits.size();
        progress.cancel();
    });
    QVERIFY(count > 0 && count < 3000);
    QVERIFY(blockLives(ground.session, nullptr, 1, &progress) == nullptr);
}

PALIMPSEST_TEST(SearchTest)
#include "tst_search.moc"
