// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/pieces.h"
#include "core/tokens/unicode_table.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace core;

namespace {

std::string fixture(const std::string &name)
{
    std::ifstream file(std::string(PALIMPSEST_SOURCE_DIR) + "/tests/pieces/" + name, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

std::vector<size_t> sizesOfPieces(std::string_view text)
{
    std::vector<size_t> sizes;
    forEachPiece(text, [&](std::string_view piece) { sizes.push_back(piece.size()); });
    return sizes;
}

uint64_t fnv(const std::vector<size_t> &sizes)
{
    uint64_t value = 0xcbf29ce484222325U;
    for (const size_t size : sizes)
        value = (value ^ size) * 0x100000001b3U;
    return value;
}

/// A text of characters that the pattern tells apart, and of bytes that are no characters.
std::string randomText(std::mt19937_64 &random, bool isWellFormed)
{
    static const std::vector<std::string> kCharacters { "a", "b", "B", "C", "ǅ", "ʰ", "中", "\u0301", "1", "2", " ",
        " ", "\t", "\n", "\r", "'", "s", "re", "/", "!", "\u00a0", "é", "É", "😀", "ſ", "word ", "Two Words", "12345",
        "\xED\xA0\x80", "\xC3", "\x80", "\xFF", "\xF0\x9F", "\xE4\xB8", "\xC0\xAF", "\xF4\x90\x80\x80" };
    const size_t choices = kCharacters.size() - (isWellFormed ? 8 : 0);
    std::string text;
    for (size_t i = random() % 60; i > 0; --i)
        text += kCharacters[random() % choices];
    return text;
}

std::string repeated(std::string_view part, size_t bytes)
{
    std::string text;
    text.reserve(bytes + part.size());
    while (text.size() < bytes)
        text += part;
    return text;
}

} // namespace

/// The pieces of the scanner against those of a regular expression engine (see tests/pieces/make_pieces.py).
class PiecesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortTextsAreCutAsByTheOracle();
    void wholeTextsAreCutAsByTheOracle_data();
    void wholeTextsAreCutAsByTheOracle();
    void piecesOfCl100k_data();
    void piecesOfCl100k();
    void charactersHaveTheirClass_data();
    void charactersHaveTheirClass();
    void piecesCoverAnyBytes();
    void malformedBytesAreSymbols();
    void aSafeCutChangesNoPiece();
    void aSafeCutIsFoundWhereThereIsOne();
    void longTextsAreCounted_data();
    void longTextsAreCounted();
};

void PiecesTest::shortTextsAreCutAsByTheOracle()
{
    std::istringstream cases(fixture("cases.jsonl"));
    std::string line;
    size_t count = 0;
    while (std::getline(cases, line)) {
        const auto item = nlohmann::json::parse(line);
        const auto text = item["text"].get<std::string>();
        QVERIFY2(sizesOfPieces(text) == item["pieces"].get<std::vector<size_t>>(), line.c_str());
        QCOMPARE(countPieces(text), item["pieces"].size());
        ++count;
    }
    QVERIFY(count > 6000);
}

void PiecesTest::wholeTextsAreCutAsByTheOracle_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<size_t>("count");
    QTest::addColumn<quint64>("hash");
    std::istringstream lines(fixture("expected.tsv"));
    std::string line;
    std::getline(lines, line); // the head
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::string name;
        size_t count = 0;
        quint64 hash = 0;
        fields >> name >> count >> std::hex >> hash;
        QTest::newRow(name.c_str()) << QByteArray::fromStdString(name) << count << hash;
    }
}

void PiecesTest::wholeTextsAreCutAsByTheOracle()
{
    QFETCH(QByteArray, name);
    QFETCH(size_t, count);
    QFETCH(quint64, hash);
    const std::string text = fixture("texts/" + name.toStdString());
    QVERIFY(text.size() > 1000);
    const std::vector<size_t> sizes = sizesOfPieces(text);
    QCOMPARE(sizes.size(), count);
    QCOMPARE(countPieces(text), count);
    QCOMPARE(quint64(fnv(sizes)), hash);
}

void PiecesTest::piecesOfCl100k_data()
{
    // Written by hand from the pattern; tst_exact_counter holds the counts of many texts against those of tiktoken.
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<int>>("sizes");
    const auto row = [](const char *name, const char *text, QList<int> sizes) {
        // Once near the end of the text, once far from it.
        QTest::newRow(name) << QByteArray(text) << sizes;
        sizes << 3 << 77;
        QTest::newRow((std::string(name) + ", far from the end").c_str())
            << QByteArray(text) + "123" + QByteArray(77, 'z') << sizes;
    };
    row("a suffix is a piece of its own", "don't", { 3, 2 });
    row("a suffix ends where it ends", "we'REx", { 2, 3, 1 });
    row("the long s folds to s", "x'\u017fy", { 1, 3, 1 });
    row("an apostrophe before another word", "x'y", { 1, 2 });
    row("capitals change nothing", "fooBarHTTP", { 10 });
    row("a mark is a symbol", "e\u0301e", { 1, 3 });
    row("marks and symbols", " \u0301!", { 4 });
    row("a symbol before a word", "a!b", { 1, 2 });
    row("line breaks behind symbols, but no slashes", "a;\n\n/b", { 1, 3, 2 });
    row("digits by three", "12345!", { 3, 2, 1 });
    row("blanks before a word", "a   b", { 1, 2, 2 });
    row("blanks with a line break", "a \n \n  b", { 1, 4, 1, 2 });
}

void PiecesTest::piecesOfCl100k()
{
    QFETCH(QByteArray, text);
    QFETCH(QList<int>, sizes);
    QList<int> found;
    forEachPiece(
        text.toStdString(), [&](std::string_view piece) { found << static_cast<int>(piece.size()); },
        PiecePattern::Cl100k);
    QCOMPARE(found, sizes);
}

void PiecesTest::charactersHaveTheirClass_data()
{
    QTest::addColumn<uint>("codePoint");
    QTest::addColumn<int>("expected");
    const auto row = [](const char *name, uint codePoint, CharacterClass expected) {
        QTest::newRow(name) << codePoint << int(expected);
    };
    row("capital", 'A', CharacterClass::Upper);
    row("title case", 0x01C5, CharacterClass::Upper);
    row("small", 'z', CharacterClass::Lower);
    row("long s", 0x017F, CharacterClass::Lower);
    row("modifier letter", 0x02B0, CharacterClass::Letter);
    row("first ideograph", 0x4E00, CharacterClass::Letter);
    row("last ideograph of extension A", 0x4DBF, CharacterClass::Letter);
    row("ideograph beyond the first plane", 0x20000, CharacterClass::Letter);
    row("mark", 0x0301, CharacterClass::Mark);
    row("enclosing mark", 0x20DD, CharacterClass::Mark);
    row("variation selector of the last planes", 0xE0100, CharacterClass::Mark);
    row("digit", '7', CharacterClass::Number);
    row("fraction", 0x00BD, CharacterClass::Number);
    row("roman numeral", 0x2167, CharacterClass::Number);
    row("line feed", '\n', CharacterClass::Break);
    row("carriage return", '\r', CharacterClass::Break);
    row("tabulator", '\t', CharacterClass::Space);
    row("next line", 0x0085, CharacterClass::Space);
    row("line separator", 0x2028, CharacterClass::Space);
    row("ideographic space", 0x3000, CharacterClass::Space);
    row("information separator is no white space", 0x1C, CharacterClass::Other);
    row("zero width space is no white space", 0x200B, CharacterClass::Other);
    row("byte order mark", 0xFEFF, CharacterClass::Other);
    row("emoji", 0x1F600, CharacterClass::Other);
    row("surrogate", 0xD800, CharacterClass::Other);
    row("private use", 0xE000, CharacterClass::Other);
    row("unassigned", 0x0378, CharacterClass::Other);
    row("last code point", 0x10FFFF, CharacterClass::Other);
}

void PiecesTest::charactersHaveTheirClass()
{
    QFETCH(uint, codePoint);
    QFETCH(int, expected);
    QCOMPARE(int(characterClass(codePoint)), expected);
}

void PiecesTest::piecesCoverAnyBytes()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(2000); ++i) {
        const std::string text = randomText(random, false);
        size_t sum = 0;
        size_t count = 0;
        forEachPiece(text, [&](std::string_view piece) {
            QVERIFY(!piece.empty());
            QVERIFY(piece.data() == text.data() + sum);
            sum += piece.size();
            ++count;
        });
        QCOMPARE(sum, text.size());
        QCOMPARE(countPieces(text), count);
    }
}

void PiecesTest::malformedBytesAreSymbols()
{
    QCOMPARE(sizesOfPieces("a\xFF\xFE z"), (std::vector<size_t> { 1, 2, 2 }));
    QCOMPARE(sizesOfPieces("\xFFz"), (std::vector<size_t> { 2 }));                             // a symbol before a word
    QCOMPARE(sizesOfPieces("a\xED\xA0\xBD\xED\xB8\x80 z"), (std::vector<size_t> { 1, 6, 2 })); // two lone surrogates
    QCOMPARE(sizesOfPieces("a\xE4\xB8"), (std::vector<size_t> { 1, 2 }));     // cut in the middle of an ideograph
    QCOMPARE(sizesOfPieces("\xC1\xA1"), (std::vector<size_t> { 2 }));         // an overlong a is no letter
    QCOMPARE(sizesOfPieces("\xF4\x90\x80\x80"), (std::vector<size_t> { 4 })); // beyond the last code point
}

void PiecesTest::aSafeCutChangesNoPiece()
{
    std::mt19937_64 random = seededRandom();
    size_t cuts = 0;
    for (int i = 0; i < caseCount(2000); ++i) {
        const std::string text = randomText(random, i % 2 == 0);
        const std::vector<size_t> whole = sizesOfPieces(text);
        for (size_t prefix = 0; prefix <= text.size(); ++prefix) {
            const size_t cut = lastSafeCut(std::string_view(text).substr(0, prefix));
            if (cut == 0)
                continue;
            ++cuts;
            QVERIFY(cut < prefix);
            std::vector<size_t> parts = sizesOfPieces(std::string_view(text).substr(0, cut));
            const std::vector<size_t> rest = sizesOfPieces(std::string_view(text).substr(cut));
            parts.insert(parts.end(), rest.begin(), rest.end());
            QVERIFY2(parts == whole, text.c_str());
        }
    }
    QVERIFY(cuts > 1000);
}

void PiecesTest::aSafeCutIsFoundWhereThereIsOne()
{
    QCOMPARE(lastSafeCut("one two three"), size_t(7));
    QCOMPARE(lastSafeCut("one\n\n"), size_t(3));
    QCOMPARE(lastSafeCut("abc12 "), size_t(5));
    QCOMPARE(lastSafeCut("abc12"), size_t(3));
    QCOMPARE(lastSafeCut("don't"), size_t(0));
    QCOMPARE(lastSafeCut("12345"), size_t(0));
    QCOMPARE(lastSafeCut("aaaa"), size_t(0));
    QCOMPARE(lastSafeCut("a  "), size_t(1));
    QCOMPARE(lastSafeCut(""), size_t(0));
}

void PiecesTest::longTextsAreCounted_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<QByteArray>("behind");
    const auto row = [](const char *name, const char *part, const char *behind = "", const char *before = "") {
        QTest::newRow(name) << QByteArray(before) << QByteArray(part) << QByteArray(behind);
    };
    row("one letter", "a");
    row("one capital", "A");
    row("an ideograph and capitals that are given back", "A", "!", "中");
    row("a mark and capitals", "\u0301AAAA");
    row("marks", "\u0301");
    row("blanks", " ");
    row("blanks before a word", " ", "x");
    row("line breaks", "\n");
    row("a line break and blanks", "\n          ");
    row("symbols", "!");
    row("slashes and line breaks", "/\n");
    row("apostrophes", "'");
    row("base64", "TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24/+");
    row("emoji", "😀");
    row("bytes that are no characters", "\xFF\xC3");
}

void PiecesTest::longTextsAreCounted()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, part);
    QFETCH(QByteArray, behind);
    // In quadratic time it would take an hour.
    const auto megabytes = static_cast<size_t>(std::min(10, caseCount(1)));
    const std::string text
        = (before + QByteArray::fromStdString(repeated(std::string_view(part), megabytes * 1'000'000)) + behind)
              .toStdString();
    QVERIFY(countPieces(text) > 0);
}

PALIMPSEST_TEST(PiecesTest)
#include "tst_pieces.moc"
