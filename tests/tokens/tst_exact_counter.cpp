// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/exact_counter.h"
#include "core/tokens/exact_tokens.h"
#include "core/tokens/rank_data.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QCryptographicHash>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace core;

namespace {

// --- texts, as in tests/tokens/make_counts.mjs --------------------------------------------------------------------

class Draw final {
public:
    explicit Draw(uint32_t seed)
        : m_state(seed)
    {
    }
    uint32_t below(uint32_t count)
    {
        m_state = m_state * 1664525U + 1013904223U;
        return static_cast<uint32_t>(static_cast<uint64_t>(m_state) * count >> 32U);
    }

private:
    uint32_t m_state;
};

const std::vector<std::string> kContexts { "*'s ", "a*A", "1* ", "!*x\n", " *\n\n", "*'S*b" };
const std::vector<std::string> kRuns { "a", "A", "1", " ", "\n", "=", "-", "/", "'", "中", "\u0301", "😀", "─",
    "\u00a0", "ab", "'s", " \n", "\\", "#", "é" };
const std::vector<size_t> kSizes { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 130,
    200, 255, 256, 257, 500, 1000 };
const std::string kAscii = "aAbBsStTmMdDlLrReEvV'' \n\r\t/.!-_=(){}[]\";,0123456789";
const std::vector<std::string> kWords { "it's", "I'LL", "fooBar", "HTTPServer", "  ", "\r\n", "😀", "naïve", "中文",
    "한국어", "हिन्दी", "ſ", "'ſ", "K'S", "12345", "e\u0301", "<|endoftext|>", "<|im_start|>", "\u200d", "\ufeff",
    "\u0085", "\u2028", "ǅ", "ʰ", "ـ", "٣", "Ⅷ", "½", std::string(1, '\0'), "~~~~" };
const std::vector<QByteArray> kBytes { "ff", "61ff62", "c3", "e282", "e28261", "f09f98", "f09f9841", "eda080",
    "61edbfbf62", "eda0bdedb880", "c0af", "f4908080", "fffefdfcfb", "e0809f", "ed9fbf", "f0808080", "20ff27732020ff",
    "e4b8ade4b8", "80808080", "f8888080" };
const std::string kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string codePoint(uint32_t code)
{
    std::string text;
    if (code < 0xD800 || code >= 0xE000)
        appendUtf8(text, code);
    return text;
}

template <typename Make>
std::string repeated(size_t count, const Make &make)
{
    std::string text;
    for (size_t i = 0; i < count; ++i)
        text += make(static_cast<uint32_t>(i));
    return text;
}

std::string repeated(size_t count, const std::string &part)
{
    return repeated(count, [&](uint32_t) { return part; });
}

template <typename Make>
std::vector<std::string> drawn(size_t count, const Make &make)
{
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i)
        texts.push_back(make());
    return texts;
}

std::string fixture(const std::string &path)
{
    std::ifstream file(std::string(PALIMPSEST_SOURCE_DIR) + "/tests/" + path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

std::vector<std::string> pageOf(const std::string &context, uint32_t page)
{
    const auto row = [&](uint32_t number) {
        return repeated(64, [&](uint32_t i) {
            std::string text;
            for (const char c : context)
                text += c == '*' ? codePoint(page * 4096 + number * 64 + i) : std::string(1, c);
            return text;
        });
    };
    std::vector<std::string> rows;
    for (uint32_t number = 0; number < 64; ++number)
        rows.push_back(row(number));
    return rows;
}

std::vector<std::string> casesFrom(size_t first)
{
    std::istringstream lines(fixture("pieces/cases.jsonl"));
    std::vector<std::string> texts;
    std::string line;
    for (size_t i = 0; i < first + 100 && std::getline(lines, line); ++i) {
        if (i >= first)
            texts.push_back(nlohmann::json::parse(line)["text"].get<std::string>());
    }
    return texts;
}

/// The texts of a row of counts.tsv that are drawn with a seed.
std::vector<std::string> drawnTexts(const std::string &kind, uint32_t seed)
{
    Draw draw(seed);
    const auto texts = [&](size_t count, uint32_t longest, const auto &part) {
        return drawn(count, [&] {
            const size_t parts = 1 + draw.below(longest);
            return repeated(parts, [&](uint32_t) { return part(); });
        });
    };
    if (kind == "random")
        return texts(20, 200, [&] { return codePoint(draw.below(0x110000)); });
    if (kind == "basic")
        return texts(20, 200, [&] { return codePoint(draw.below(0x3000)); });
    if (kind == "ascii") {
        return texts(20, 300, [&] { return std::string(1, kAscii[draw.below(static_cast<uint32_t>(kAscii.size()))]); });
    }
    if (kind == "words")
        return texts(20, 40, [&] { return kWords[draw.below(static_cast<uint32_t>(kWords.size()))]; });
    if (kind == "letters")
        return texts(4, 1500, [&] { return codePoint(97 + draw.below(1 + seed % 26)); });
    if (kind == "han")
        return texts(4, 400, [&] { return codePoint(0x4E00 + draw.below(seed * 500)); });
    return {};
}

std::string letterAt(uint32_t index) { return std::string(1, static_cast<char>('a' + index)); }

/// The texts of a row of counts.tsv by its name; none if there is no such row.
std::vector<std::string> textsOf(const std::string &name)
{
    std::istringstream words(name);
    std::string kind;
    words >> kind;
    if (name == "bytes") {
        std::vector<std::string> texts;
        for (const QByteArray &hex : kBytes)
            texts.push_back(QByteArray::fromHex(hex).toStdString());
        return texts;
    }
    if (name == "base64") {
        Draw draw(7);
        std::string text;
        while (text.size() < 10'000'000)
            text += kBase64[draw.below(64)];
        return { text };
    }
    if (name == "one letter") {
        std::string text;
        text.resize(10'000'000, 'a');
        return { text };
    }
    if (name == "random letters") {
        Draw draw(11);
        std::string text;
        while (text.size() < 1'000'000)
            text += static_cast<char>('a' + draw.below(26));
        return { text };
    }
    if (kind == "file") {
        std::string file;
        words >> file;
        return { fixture("pieces/texts/" + file) };
    }
    uint32_t number = 0;
    words >> number;
    if (kind == "cases")
        return casesFrom(number);
    if (kind == "page") {
        uint32_t page = 0;
        words >> page;
        return pageOf(kContexts[number], page);
    }
    if (kind == "run") {
        std::vector<std::string> texts;
        for (const size_t size : kSizes) {
            texts.push_back(repeated(size, kRuns[number]));
            texts.push_back("x" + texts.back() + "y");
        }
        return texts;
    }
    return drawnTexts(kind, number);
}

// --- counts -------------------------------------------------------------------------------------------------------

/// A sum of counts and a hash of them, as counts.tsv writes it.
QString summed(const std::vector<uint64_t> &counts)
{
    uint64_t sum = 0;
    uint64_t hash = 0xcbf29ce484222325U;
    for (const uint64_t count : counts) {
        sum += count;
        hash = (hash ^ count) * 0x100000001b3U;
    }
    return QStringLiteral("%1 %2").arg(sum).arg(hash, 16, 16, QLatin1Char('0'));
}

const RanksPtr &ranks(Encoding encoding)
{
    static const std::array<RanksPtr, 3> kRanks { ranksOf(kEncodings[0]), ranksOf(kEncodings[1]),
        ranksOf(kEncodings[2]) };
    return kRanks[static_cast<size_t>(encoding)];
}

/// How joining is defined, as plain as can be. Adds the ranks of what is joined, in order, to `joins`.
std::vector<std::string_view> joinedByDefinition(
    const Ranks &ranks, std::string_view bytes, std::vector<uint32_t> *joins = nullptr)
{
    std::vector<std::string_view> parts;
    for (size_t i = 0; i < bytes.size(); ++i)
        parts.push_back(bytes.substr(i, 1));
    const auto both
        = [&](size_t i) { return std::string_view(parts[i].data(), parts[i].size() + parts[i + 1].size()); };
    while (true) {
        uint32_t lowest = Ranks::kNone;
        size_t at = 0;
        for (size_t i = 0; i + 1 < parts.size(); ++i) {
            if (const uint32_t rank = ranks.of(both(i)); rank < lowest) {
                lowest = rank;
                at = i;
            }
        }
        if (lowest == Ranks::kNone)
            return parts;
        if (joins != nullptr)
            joins->push_back(lowest);
        parts[at] = both(at);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
}

/// A piece that is a token is that one, whether or not joining leads there.
size_t tokensByDefinition(const Ranks &ranks, std::string_view piece)
{
    return ranks.of(piece) != Ranks::kNone ? 1 : joinedByDefinition(ranks, piece).size();
}

uint64_t countByDefinition(const Ranks &ranks, std::string_view text)
{
    uint64_t count = 0;
    forEachPiece(text, [&](std::string_view piece) { count += tokensByDefinition(ranks, piece); }, ranks.pattern());
    return count;
}

/// A well-formed text of random characters, of those that matter to pieces and of words.
std::string randomText(std::mt19937_64 &random)
{
    std::string text;
    const auto kind = random() % 4;
    for (size_t i = random() % 120; i > 0; --i) {
        if (kind == 0)
            text += codePoint(static_cast<uint32_t>(random() % 0x110000));
        else if (kind == 1)
            text += kAscii[random() % kAscii.size()];
        else if (kind == 2)
            text += kWords[random() % kWords.size()];
        else
            text += codePoint(static_cast<uint32_t>(random() % (random() % 2 == 0 ? 0x80 : 0x2000)));
    }
    return text;
}

/// A piece that is looked for, not joined: only letters, some longer than the longest token.
std::string randomLongPiece(std::mt19937_64 &random)
{
    const auto kind = random() % 4;
    const auto letters = static_cast<uint32_t>(1 + random() % 26);
    std::string text;
    const size_t size = 129 + random() % 400;
    while (text.size() < size) {
        if (kind == 0)
            text += letterAt(static_cast<uint32_t>(random() % letters));
        else if (kind == 1)
            text += codePoint(static_cast<uint32_t>(0x4E00 + random() % (1 + letters * 300)));
        else if (kind == 2)
            text += std::string(1 + random() % 70, random() % 2 == 0 ? '=' : '-');
        else
            text += codePoint(static_cast<uint32_t>(0x3041 + random() % 80));
    }
    return text;
}

} // namespace

/// Counts against those of tiktoken (tests/tokens/make_counts.mjs), against joining by definition, and the work they
/// take.
class ExactCounterTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksAreTheOnesThatWerePinned();
    void everyTokenHasItsRank();
    void tokensAreJoinedInTheOrderOfTheirRanks();
    void modelsHaveTheirEncoding_data();
    void modelsHaveTheirEncoding();
    void countsAreThoseOfTiktoken_data();
    void countsAreThoseOfTiktoken();
    void harmonyCountsTextAsO200k();
    void randomTextsAreCountedAsDefined();
    void randomLongPiecesAreCountedAsDefined();
    void neighboursAreThoseOfJoining();
    void whatIsRememberedIsComparedByItsBytes();
    void workGrowsWithTheText_data();
    void workGrowsWithTheText();
    void partsAddUp();
    void equalTextsAreCountedOnce();
    void countingCanBeCancelled();
    void blocksOfASession();
    void bodiesAreCountedOnce();
};

void ExactCounterTest::ranksAreTheOnesThatWerePinned()
{
    const auto sha256 = [](std::string_view bytes) {
        return QCryptographicHash::hash(
            QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())), QCryptographicHash::Sha256)
            .toHex();
    };
    QCOMPARE(sha256(packedO200k()), QByteArray("bac143fe7fe950090c6e4ed9a2f80de5412a92495758b52becbbe5a7eea25ecb"));
    QCOMPARE(sha256(packedCl100k()), QByteArray("6bfd43f7b31b50b645b3228413547e662af1ae4801e9b192b9791680a71d650c"));
}

void ExactCounterTest::everyTokenHasItsRank()
{
    for (const Encoding encoding : kEncodings) {
        const Ranks &all = *ranks(encoding);
        QCOMPARE(all.count(), encoding == Encoding::Cl100kBase ? size_t(100'256) : size_t(199'998));
        QCOMPARE(all.longest(), size_t(128));
        for (uint32_t rank = 0; rank < all.count(); ++rank) {
            const std::string_view token = all.token(rank);
            QVERIFY(all.of(token) == rank);
            QVERIFY(token.size() != 2 || all.ofPair(token[0], token[1]) == rank);
            QVERIFY(all.longestAt(token) == token.size());
        }
        QCOMPARE(all.of("no token of any encoding"), Ranks::kNone);
    }
}

void ExactCounterTest::tokensAreJoinedInTheOrderOfTheirRanks()
{
    for (const Encoding encoding : { Encoding::O200kBase, Encoding::Cl100kBase }) {
        const Ranks &all = *ranks(encoding);
        for (uint32_t rank = 0; rank < all.count(); ++rank) {
            std::vector<uint32_t> joins;
            joinedByDefinition(all, all.token(rank), &joins);
            QVERIFY(std::ranges::is_sorted(joins));
            QVERIFY(joins.size() + 1 == all.token(rank).size() && (joins.empty() || joins.back() == rank));
        }
    }
}

void ExactCounterTest::modelsHaveTheirEncoding_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QByteArray>("encoding");
    const auto row = [](const char *model, const char *encoding) {
        QTest::newRow(model) << QByteArray(model) << QByteArray(encoding);
    };
    row("gpt-4o-2024-11-20", "o200k_base");
    row("gpt-4.1-mini", "o200k_base");
    row("gpt-5.1-codex", "o200k_base");
    row("openai/GPT-5", "o200k_base");
    row("azure/o3-mini", "o200k_base");
    row("ft:gpt-4o-mini-2024-07-18:someone", "o200k_base");
    row("gpt-oss-120b", "o200k_harmony");
    row("openai/gpt-oss-20b", "o200k_harmony");
    row("gpt-4", "cl100k_base");
    row("gpt-4-turbo-2024-04-09", "cl100k_base");
    row("gpt-3.5-turbo", "cl100k_base");
    row("gpt-35-turbo", "cl100k_base");
    row("claude-opus-4-5-20251101", "");
    row("gemini-2.5-pro", "");
    row("text-davinci-003", "");
    row("opus", "");
    row("", "");
}

void ExactCounterTest::modelsHaveTheirEncoding()
{
    QFETCH(QByteArray, model);
    QFETCH(QByteArray, encoding);
    const auto found = encodingOf(model.toStdString());
    QCOMPARE(found ? QByteArray::fromStdString(std::string(nameOf(*found))) : QByteArray(), encoding);
    if (found)
        QCOMPARE(encodingNamed(nameOf(*found)), found);
}

void ExactCounterTest::countsAreThoseOfTiktoken_data()
{
    // Rows of a kind together: there are five hundred.
    QTest::addColumn<QStringList>("rows");
    std::istringstream lines(fixture("tokens/counts.tsv"));
    std::map<std::string, QStringList> kinds;
    std::string line;
    std::getline(lines, line); // the head
    while (std::getline(lines, line)) {
        const std::string kind
            = line.starts_with("page") ? line.substr(0, 6) : line.substr(0, line.find_first_of(" \t"));
        kinds[kind] << QString::fromStdString(line);
    }
    QCOMPARE(kinds.size(), size_t(18));
    for (const auto &[kind, rows] : kinds)
        QTest::newRow(kind.c_str()) << rows;
}

void ExactCounterTest::countsAreThoseOfTiktoken()
{
    QFETCH(QStringList, rows);
    ExactCounter o200k(ranks(Encoding::O200kBase));
    ExactCounter cl100k(ranks(Encoding::Cl100kBase));
    for (const QString &row : rows) {
        const QStringList fields = row.split(QLatin1Char('\t'));
        QCOMPARE(fields.size(), 3);
        const std::vector<std::string> texts = textsOf(fields[0].toStdString());
        QVERIFY2(!texts.empty(), qPrintable(fields[0]));
        for (const auto &[counter, expected] : { std::pair(&o200k, fields[1]), std::pair(&cl100k, fields[2]) }) {
            std::vector<uint64_t> counts;
            for (const std::string &text : texts)
                counts.push_back(counter->count(text));
            QVERIFY2(summed(counts) == expected,
                qPrintable(QStringLiteral("%1: %2, not %3").arg(fields[0], summed(counts), expected)));
        }
    }
}

void ExactCounterTest::harmonyCountsTextAsO200k()
{
    ExactCounter base(ranks(Encoding::O200kBase));
    ExactCounter harmony(ranks(Encoding::O200kHarmony));
    for (const char *name : { "file code.txt", "file random.txt", "words 1" }) {
        for (const std::string &text : textsOf(name))
            QCOMPARE(harmony.count(text), base.count(text));
    }
    QCOMPARE(harmony.count("<|start|>assistant<|channel|>"), base.count("<|start|>assistant<|channel|>"));
    QVERIFY(harmony.count("<|start|>") > 1); // ordinary text, not a special token
}

void ExactCounterTest::randomTextsAreCountedAsDefined()
{
    std::mt19937_64 random = seededRandom();
    for (const Encoding encoding : { Encoding::O200kBase, Encoding::Cl100kBase }) {
        ExactCounter counter(ranks(encoding));
        for (int i = 0; i < caseCount(1500); ++i) {
            const std::string text = randomText(random);
            QVERIFY2(counter.count(text) == countByDefinition(*ranks(encoding), text), text.c_str());
            // Once more, from what is remembered.
            QVERIFY2(counter.count(text) == countByDefinition(*ranks(encoding), text), text.c_str());
        }
    }
}

void ExactCounterTest::randomLongPiecesAreCountedAsDefined()
{
    std::mt19937_64 random = seededRandom();
    for (const Encoding encoding : { Encoding::O200kBase, Encoding::Cl100kBase }) {
        BytePairs pairs(*ranks(encoding));
        for (int i = 0; i < caseCount(60); ++i) {
            const std::string piece = randomLongPiece(random);
            QVERIFY2(pairs.tokensOf(piece) == tokensByDefinition(*ranks(encoding), piece), piece.c_str());
        }
    }
}

void ExactCounterTest::neighboursAreThoseOfJoining()
{
    std::mt19937_64 random = seededRandom();
    for (const Encoding encoding : { Encoding::O200kBase, Encoding::Cl100kBase }) {
        const Ranks &all = *ranks(encoding);
        BytePairs pairs(all);
        const auto check = [&](uint32_t first, uint32_t second) {
            const std::string both = std::string(all.token(first)) + std::string(all.token(second));
            const std::vector<std::string_view> parts = joinedByDefinition(all, both);
            const bool isExpected = parts.size() == 2 && parts[0] == all.token(first) && parts[1] == all.token(second);
            QVERIFY2(pairs.areNeighbours(first, second) == isExpected, both.c_str());
        };
        const auto any = [&] { return static_cast<uint32_t>(random() % all.count()); };
        const std::vector<uint32_t> runs = [&] {
            std::vector<uint32_t> found;
            for (uint32_t rank = 0; rank < all.count(); ++rank) {
                if (const std::string_view token = all.token(rank);
                    token.find_first_not_of("-=") == std::string_view::npos
                    || token.find_first_not_of("aeinot") == std::string_view::npos)
                    found.push_back(rank);
            }
            return found;
        }();
        QVERIFY(runs.size() > 100);
        for (int i = 0; i < caseCount(2000); ++i) {
            check(any(), any());
            check(runs[random() % runs.size()], runs[random() % runs.size()]);
        }
    }
}

void ExactCounterTest::whatIsRememberedIsComparedByItsBytes()
{
    // Short words, then words of sixteen bytes and more, that share their places: each count is wanted twice.
    for (const size_t size : { size_t(5), size_t(20) }) {
        Draw draw(3);
        std::map<uint64_t, std::vector<std::string>> places;
        for (int i = 0; i < 20'000; ++i) {
            const std::string word = repeated(size, [&](uint32_t) { return letterAt(draw.below(26)); });
            places[quickHash(word) >> 51U].push_back(word);
        }
        ExactCounter counter(ranks(Encoding::O200kBase));
        int different = 0;
        for (const auto &[place, words] : places) {
            uint64_t last = 0;
            for (int round = 0; round < 2; ++round) {
                for (const std::string &word : words) {
                    const uint64_t count = counter.count(word);
                    different += count != last ? 1 : 0;
                    last = count;
                    QVERIFY2(count == countByDefinition(*ranks(Encoding::O200kBase), word), word.c_str());
                }
            }
        }
        QVERIFY(different > 1000);
    }
}

void ExactCounterTest::workGrowsWithTheText_data()
{
    QTest::addColumn<QByteArray>("part");
    const auto row
        = [](const char *name, const std::string &part) { QTest::newRow(name) << QByteArray::fromStdString(part); };
    row("one letter", "a");
    row("one capital", "A");
    row("two letters", "ab");
    row("a blank", " ");
    row("equals signs", "=");
    row("an ideograph", "中");
    row("marks", "\u0301");
    row("emoji", "😀");
    row("line breaks and blanks", "\n ");
    Draw draw(5);
    row("random letters", repeated(20'000, [&](uint32_t) { return letterAt(draw.below(26)); }));
    row("random small alphabet", repeated(20'000, [&](uint32_t) { return letterAt(draw.below(3)); }));
    row("random ideographs", repeated(10'000, [&](uint32_t) { return codePoint(0x4E00 + draw.below(20'000)); }));
    row("random symbols",
        repeated(20'000, [&](uint32_t) { return std::string(1, "!#$%&*+-<=>?@^_|~"[draw.below(17)]); }));
}

void ExactCounterTest::workGrowsWithTheText()
{
    QFETCH(QByteArray, part);
    for (const Encoding encoding : { Encoding::O200kBase, Encoding::Cl100kBase }) {
        const size_t parts = 50'000 / static_cast<size_t>(part.size());
        const auto stepsOf = [&](size_t count) {
            ExactCounter counter(ranks(encoding));
            [[maybe_unused]] const uint64_t tokens = counter.count(repeated(count, part.toStdString()));
            return counter.steps();
        };
        const uint64_t once = stepsOf(parts);
        const uint64_t fourTimes = stepsOf(parts * 4);
        QVERIFY2(fourTimes <= once * 4 + 10'000, qPrintable(QStringLiteral("%1 → %2").arg(once).arg(fourTimes)));
        // A place in a piece is tried once, with tokens of up to 128 bytes.
        QVERIFY(fourTimes <= 200'000 * 30);
    }
}

void ExactCounterTest::partsAddUp()
{
    std::string text = fixture("pieces/texts/code.txt") + fixture("pieces/texts/blanks.txt") + std::string(700'000, 'x')
        + fixture("pieces/texts/marks.txt") + fixture("pieces/texts/random.txt");
    text += text;
    for (const Encoding encoding : { Encoding::O200kBase, Encoding::Cl100kBase }) {
        ExactCounter counter(ranks(encoding));
        const uint64_t whole = counter.count(text);
        for (const unsigned threads : { 1U, 2U, 5U })
            QCOMPARE(countText(text, ranks(encoding), threads), std::optional(whole));
    }
    QCOMPARE(countText("", ranks(Encoding::O200kBase), 2), std::optional(uint64_t(0)));
}

void ExactCounterTest::equalTextsAreCountedOnce()
{
    const std::string letters = repeated(5000, [](uint32_t i) { return letterAt(i * 7 % 26); });
    const std::vector<std::string_view> texts { "one", letters, "two", letters, "one", "" };
    ExactCounter counter(ranks(Encoding::O200kBase));
    std::vector<uint64_t> expected;
    for (const std::string_view text : texts)
        expected.push_back(counter.count(text));
    for (const unsigned threads : { 1U, 3U })
        QCOMPARE(countTexts(texts, ranks(Encoding::O200kBase), threads), std::optional(expected));
    QCOMPARE(countTexts({}, ranks(Encoding::O200kBase), 2), std::optional(std::vector<uint64_t>()));
}

void ExactCounterTest::countingCanBeCancelled()
{
    Progress progress;
    progress.cancel();
    // In the middle of one piece, which is looked for, and between pieces.
    const std::string text(1'000'000, 'a');
    BytePairs pairs(*ranks(Encoding::O200kBase));
    [[maybe_unused]] const uint64_t tokens = pairs.tokensOf(text, &progress);
    QVERIFY(pairs.steps() > 0 && pairs.steps() < 20'000);
    ExactCounter counter(ranks(Encoding::O200kBase));
    [[maybe_unused]] const uint64_t count = counter.count(fixture("pieces/texts/code.txt"), &progress);
    QCOMPARE(counter.steps(), uint64_t(0));
    QVERIFY(!countText(text, ranks(Encoding::O200kBase), 2, &progress).has_value());
    const SessionPtr small = session("u:10 a:200");
    QVERIFY(exactTokens(*small, ranks(Encoding::O200kBase), 2, &progress) == nullptr);
}

void ExactCounterTest::blocksOfASession()
{
    const SessionPtr all = session("u:10 k:70+c:200 t:5000 a:300 i:4000 u:0 s:20");
    ExactCounter counter(ranks(Encoding::Cl100kBase));
    for (const unsigned threads : { 1U, 4U }) {
        Progress progress;
        const ExactTokensPtr tokens = exactTokens(*all, ranks(Encoding::Cl100kBase), threads, &progress);
        QVERIFY(tokens != nullptr);
        QCOMPARE(tokens->encoding(), Encoding::Cl100kBase);
        bool hasCall = false;
        for (size_t i = 0; i < all->blocks.size(); ++i) {
            const Block &block = all->blocks[i];
            ExactCount expected { 0, false };
            if (block.kind != BlockKind::Image)
                expected = { counter.count(all->text(block.body)), true };
            if (block.kind == BlockKind::ToolCall) {
                expected.tokens += counter.count(all->string(block.name));
                hasCall = true;
            }
            QCOMPARE(tokens->of(BlockId(i)).tokens, expected.tokens);
            QCOMPARE(tokens->of(BlockId(i)).isWhole, expected.isWhole);
        }
        QVERIFY(hasCall);
    }
}

void ExactCounterTest::bodiesAreCountedOnce()
{
    const SessionPtr all = session("u:10 c:200 t:5000=1 a:300 c:200 t:5000=1 a:400 c:100 t:5000=1");
    const ExactTokensPtr tokens = exactTokens(*all, ranks(Encoding::O200kBase), 2);
    QCOMPARE(tokens->countedBodies(), all->blocks.size() - 2);
    QCOMPARE(exactTokens(*all, ranks(Encoding::O200kBase), 2, nullptr, tokens.get())->countedBodies(), size_t(0));

    const SessionPtr longer = session("u:10 c:200 t:5000=1 a:300 c:200 t:5000=1 a:400 c:100 t:5000=1 a:700");
    const ExactTokensPtr again = exactTokens(*longer, ranks(Encoding::O200kBase), 2, nullptr, tokens.get());
    const ExactTokensPtr anew = exactTokens(*longer, ranks(Encoding::O200kBase), 2);
    QVERIFY(again->countedBodies() < anew->countedBodies());
    for (size_t i = 0; i < longer->blocks.size(); ++i)
        QCOMPARE(again->of(BlockId(i)).tokens, anew->of(BlockId(i)).tokens);

    // What was counted in another encoding is not known.
    const ExactTokensPtr other = exactTokens(*all, ranks(Encoding::Cl100kBase), 2, nullptr, tokens.get());
    QCOMPARE(other->countedBodies(), tokens->countedBodies());
    ExactCounter counter(ranks(Encoding::Cl100kBase));
    QCOMPARE(other->of(BlockId(0U)).tokens, counter.count(all->text(all->blocks.front().body)));
}

PALIMPSEST_TEST(ExactCounterTest)
#include "tst_exact_counter.moc"
