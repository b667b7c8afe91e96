// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/base64.h"
#include "core/base/decimal_text.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/text_lengths.h"
#include "core/base/visible.h"
#include "core/compaction/measure.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QCryptographicHash>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <clocale>
#include <cstdio>

using namespace core;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(std::string)

namespace {

/// One character of a made text: how it stands in a JSON string, and the code point it stands for. Malformed escapes
/// stand for several characters each.
struct Piece {
    std::string raw;
    std::vector<uint32_t> codePoints;
};

std::string escapeOf(uint32_t unit, bool upper)
{
    std::array<char, 8> buffer {};
    std::snprintf(buffer.data(), buffer.size(), upper ? "\\u%04X" : "\\u%04x", unit);
    return buffer.data();
}

/// UTF-8 written by the book, surrogates as three bytes: not the code that is tested.
std::string utf8Of(const std::vector<uint32_t> &codePoints)
{
    std::string out;
    const auto put = [&](uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    for (const uint32_t c : codePoints) {
        if (c < 0x80) {
            put(c);
        } else if (c < 0x800) {
            put(0xC0 + c / 64);
            put(0x80 + c % 64);
        } else if (c < 0x10000) {
            put(0xE0 + c / 4096);
            put(0x80 + c / 64 % 64);
            put(0x80 + c % 64);
        } else {
            put(0xF0 + c / 262144);
            put(0x80 + c / 4096 % 64);
            put(0x80 + c / 64 % 64);
            put(0x80 + c % 64);
        }
    }
    return out;
}

TextLengths lengthsOf(const std::vector<uint32_t> &codePoints)
{
    TextLengths lengths;
    for (const uint32_t c : codePoints) {
        lengths.codePoints += 1;
        lengths.utf16Units += c >= 0x10000 ? 2 : 1;
        lengths.bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }
    return lengths;
}

class Texts final {
public:
    explicit Texts(std::mt19937_64 &random)
        : m_random(random)
    {
    }

    size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(m_random); }

    /// A character that is no half of a pair: two lone halves next to each other would be one character.
    Piece piece(bool withMalformed)
    {
        static const std::array<std::pair<const char *, uint32_t>, 8> kSimple { { { "\\n", '\n' }, { "\\t", '\t' },
            { "\\r", '\r' }, { "\\b", '\b' }, { "\\f", '\f' }, { "\\\"", '"' }, { "\\\\", '\\' }, { "\\/", '/' } } };
        switch (below(withMalformed ? 14 : 12)) {
        case 0:
        case 1:
        case 2:
        case 3:
            return run(1 + below(40));
        case 4:
            return plain(0x80 + static_cast<uint32_t>(below(0x780)));
        case 5:
            return plain(0x3040 + static_cast<uint32_t>(below(0x1000)));
        case 6:
            return plain(0x1F300 + static_cast<uint32_t>(below(0x300)));
        case 7:
        case 8: {
            const auto &[raw, codePoint] = kSimple.at(below(kSimple.size()));
            return { raw, { codePoint } };
        }
        case 9: {
            const auto codePoint = static_cast<uint32_t>(below(0xD800));
            return { escapeOf(codePoint, below(2) == 0), { codePoint } };
        }
        case 10: {
            const auto codePoint = 0x10000 + static_cast<uint32_t>(below(0x100000));
            const uint32_t offset = codePoint - 0x10000;
            return { escapeOf(0xD800 + offset / 1024, true) + escapeOf(0xDC00 + offset % 1024, false), { codePoint } };
        }
        case 11: {
            // A lone half, kept apart from the next piece by an `x`.
            const auto half = 0xD800 + static_cast<uint32_t>(below(0x800));
            return { escapeOf(half, false) + "x", { half, 'x' } };
        }
        case 12:
            return { "\\x", { '\\', 'x' } }; // no escape of JSON: kept as it stands
        default:
            return { "\\u12Z", { '\\', 'u', '1', '2', 'Z' } };
        }
    }

    Piece text(size_t pieces, bool withMalformed)
    {
        Piece text;
        for (size_t i = 0; i < pieces; ++i) {
            const Piece next = piece(withMalformed);
            text.raw += next.raw;
            text.codePoints.insert(text.codePoints.end(), next.codePoints.begin(), next.codePoints.end());
        }
        return text;
    }

    std::string blanks() { return std::string(below(3), " \t\n\r"[below(4)]); }

    /// A JSON value as somebody may write it, and as `canonicalJson` must.
    std::pair<std::string, std::string> value(int depth)
    {
        const size_t kind = below(depth > 0 ? 6 : 4);
        if (kind == 0)
            return { "-12.50e+3", "-12.50e+3" };
        if (kind == 1)
            return { "true", "true" };
        if (kind <= 3)
            return string();
        const bool isObject = kind == 4;
        std::string raw(1, isObject ? '{' : '[');
        std::string canonical = raw;
        const size_t count = below(4);
        for (size_t i = 0; i < count; ++i) {
            raw += (i > 0 ? "," : "") + blanks();
            canonical += i > 0 ? ", " : "";
            if (isObject) {
                const auto [rawKey, key] = string();
                raw += rawKey + blanks() + ":" + blanks();
                canonical += key + ": ";
            }
            const auto [rawInner, inner] = value(depth - 1);
            raw += rawInner + blanks();
            canonical += inner;
        }
        raw += isObject ? '}' : ']';
        canonical += isObject ? '}' : ']';
        return { raw, canonical };
    }

private:
    std::pair<std::string, std::string> string()
    {
        const Piece inner = text(below(4), false);
        std::string canonical = "\"";
        for (const uint32_t c : inner.codePoints) {
            static const std::string kShort = "\"\\\n\r\t\b\f";
            static const std::string kLetters = "\"\\nrtbf";
            const size_t at = c < 0x80 ? kShort.find(static_cast<char>(c)) : std::string::npos;
            if (at != std::string::npos)
                canonical += std::string("\\") + kLetters[at];
            else
                canonical += c < 0x20 ? escapeOf(c, false) : utf8Of({ c });
        }
        return { "\"" + inner.raw + "\"", canonical + "\"" };
    }

    Piece run(size_t length)
    {
        Piece piece;
        for (size_t i = 0; i < length; ++i) {
            const auto c = static_cast<uint32_t>('a' + below(26));
            piece.raw += static_cast<char>(c);
            piece.codePoints.push_back(c);
        }
        return piece;
    }

    static Piece plain(uint32_t codePoint) { return { utf8Of({ codePoint }), { codePoint } }; }

    std::mt19937_64 &m_random;
};

QByteArray shown(const std::string &text) { return QByteArray::fromStdString(text).toPercentEncoding(" \"\\{}[]:,…"); }

} // namespace

namespace QTest {
template <>
char *toString(const TextLengths &t)
{
    return qstrdup(
        qPrintable(u"%1 code points, %2 units, %3 bytes"_s.arg(t.codePoints).arg(t.utf16Units).arg(t.bytes)));
}
} // namespace QTest

/// Lengths and cuts of texts, plain and inside JSON, and what is shown of them.
class TextTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void hashesOfNames_data();
    void hashesOfNames();
    void base64IsDecoded_data();
    void base64IsDecoded();
    void lengthsAreThoseOfTheDecodedText();
    void everyAlignmentAndStrideEdgeCountsTheSame();
    void lengthsOfMalformedEscapes_data();
    void lengthsOfMalformedEscapes();
    void jsonValuesAreWrittenAndCountedAlike();
    void everyProcessorCountsTheSame();
    void pairsAreFoundWhereTheyStand();
    void validUtf8_data();
    void validUtf8();
    void damagedRecordsAreRepaired_data();
    void damagedRecordsAreRepaired();
    void firstCodePointsSplitNothing();
    void snippets_data();
    void snippets();
    void numbers_data();
    void numbers();
    void numbersHaveAPointInEveryLocale();
    void linesAreCountedFromOne();
    void nothingActsOnTheScreen_data();
    void nothingActsOnTheScreen();
    void marksAreNoCharactersThatAct();
    void columns_data();
    void columns();
    void cuttingKeepsTheWidth();

private:
    void linesAreFound(const std::string &text);

    std::mt19937_64 m_random = seededRandom();
};

void TextTest::initTestCase()
{
    qInfo() << "PALIMPSEST_SEED" << qEnvironmentVariable("PALIMPSEST_SEED", u"(the fixed one)"_s);
}

void TextTest::lengthsAreThoseOfTheDecodedText()
{
    Texts texts(m_random);
    for (int i = 0; i < caseCount(3000); ++i) {
        const Piece text = texts.text(texts.below(30), true);
        const std::string decoded = utf8Of(text.codePoints);
        const TextLengths expected = lengthsOf(text.codePoints);
        QVERIFY2(decodeJsonString(text.raw) == decoded, shown(text.raw).constData());
        QVERIFY2(jsonStringLengths(text.raw) == expected, shown(text.raw).constData());
        QVERIFY2(textLengths(decoded) == expected, shown(decoded).constData());
    }
}

void TextTest::everyAlignmentAndStrideEdgeCountsTheSame()
{
    // Every kind of character at every place of a 64-byte stride, alone and twice, in texts that end before, at and
    // behind the next edge; and the bytes around the text must not count.
    Texts texts(m_random);
    for (int i = 0; i < caseCount(40); ++i) {
        const Piece first = texts.piece(true);
        const Piece second = texts.piece(true);
        for (size_t before = 0; before <= 130; ++before) {
            for (const size_t after : { size_t(0), size_t(1), size_t(63), size_t(64), size_t(65) }) {
                const std::string raw = std::string(before, 'a') + first.raw + second.raw + std::string(after, 'b');
                TextLengths expected = lengthsOf(first.codePoints) + lengthsOf(second.codePoints);
                expected += { before + after, before + after, before + after };
                const size_t shift = (before * 7 + after) % 64;
                const std::string buffer = std::string(shift, '\\') + raw + "\\u00e9\xF0\x9F";
                const std::string_view view = std::string_view(buffer).substr(shift, raw.size());
                if (jsonStringLengths(view) != expected) {
                    QFAIL(qPrintable(QString::fromUtf8(shown(first.raw + " and " + second.raw))
                        + u" behind %1 bytes, before %2"_s.arg(before).arg(after)));
                }
                const std::string decoded = decodeJsonString(view);
                QVERIFY(textLengths(decoded) == expected);
            }
        }
    }
}

void TextTest::lengthsOfMalformedEscapes_data()
{
    QTest::addColumn<QByteArray>("raw");
    QTest::newRow("a backslash at the end") << QByteArray("abc\\");
    QTest::newRow("a letter that is no escape") << QByteArray("a\\qb");
    QTest::newRow("a letter that is no escape, in a full stride") << QByteArray(70, 'a') + "\\q" + QByteArray(70, 'b');
    QTest::newRow("four digits wanted, two there") << QByteArray("\\u00");
    QTest::newRow("a high half, then the beginning of another escape") << QByteArray("\\ud83d\\u");
    QTest::newRow("a high half, then a line end") << QByteArray("\\ud83d\\n");
    QTest::newRow("a high half twice, then a low one") << QByteArray("\\ud83d\\ud83d\\ude00");
    QTest::newRow("a low half before a high one") << QByteArray("\\ude00\\ud83d");
    QTest::newRow("digits that are no hexadecimal") << QByteArray("\\u00g0");
}

void TextTest::lengthsOfMalformedEscapes()
{
    QFETCH(QByteArray, raw);
    const std::string_view text(raw.constData(), static_cast<size_t>(raw.size()));
    QCOMPARE(jsonStringLengths(text), textLengths(decodeJsonString(text)));
}

void TextTest::jsonValuesAreWrittenAndCountedAlike()
{
    Texts texts(m_random);
    for (int i = 0; i < caseCount(2000); ++i) {
        const auto [raw, canonical] = texts.value(4);
        QVERIFY2(canonicalJson(raw) == canonical, shown(raw).constData());
        QVERIFY2(jsonValueLengths(raw) == textLengths(canonical), shown(raw).constData());
    }
    QCOMPARE(canonicalJson(R"({"a":[1,2],"b":"\u00e9\u0001"})"), "{\"a\": [1, 2], \"b\": \"é\\u0001\"}");
    QCOMPARE(canonicalJson("[ ]"), "[]");
    const std::string_view parts = R"([ {"text":"\u00e9\u0001","type":"text"},{"type":"image"},"", "b" , {"text":7}])";
    QCOMPARE(joinedTextParts(parts), "é\x01\n\nb");
    QVERIFY(textPartsLengths(parts) == textLengths(joinedTextParts(parts)));
    QCOMPARE(joinedTextParts("[]"), "");
}

/// Line by line, as memchr and findPair see it.
void TextTest::hashesOfNames_data()
{
    QTest::addColumn<QByteArray>("bytes");
    for (const int size : { 0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000, 100'000 }) {
        QByteArray bytes;
        for (int i = 0; i < size; ++i)
            bytes.append(static_cast<char>(i * 7 + i / 256));
        QTest::newRow(qPrintable(QString::number(size))) << bytes;
    }
}

void TextTest::hashesOfNames()
{
    QFETCH(QByteArray, bytes);
    const QByteArray expected = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
    QCOMPARE(QByteArray::fromStdString(sha256Hex(bytes.toStdString())), expected);
}

void TextTest::base64IsDecoded_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isValid");
    QTest::newRow("nothing") << QByteArray() << true;
    QTest::newRow("no padding needed") << QByteArray("AP8Q") << true;
    QTest::newRow("one") << QByteArray("AP8=") << true;
    QTest::newRow("two") << QByteArray("AA==") << true;
    QTest::newRow("left out") << QByteArray("AA") << true;
    QTest::newRow("lines") << QByteArray("AP8Q\r\n+/+/\n") << true;
    QTest::newRow("another character") << QByteArray("AP*Q") << false;
    QTest::newRow("of the other alphabet") << QByteArray("AP_Q") << false;
    QTest::newRow("a digit too many") << QByteArray("AP8QA") << false;
}

void TextTest::base64IsDecoded()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isValid);
    const auto bytes = decodeBase64(text.toStdString());
    QCOMPARE(bytes.has_value(), isValid);
    if (bytes)
        QCOMPARE(QByteArray::fromStdString(*bytes), QByteArray::fromBase64(text));
}

void TextTest::linesAreFound(const std::string &text)
{
    for (const TextCounters &counters : textCounters()) {
        for (size_t begin = 0; begin < text.size();) {
            const LineLook look = counters.line(text, begin);
            QCOMPARE(look.end, std::min(text.find('\n', begin), text.size()));
            if (text.substr(begin, look.end - begin).contains("}{"))
                QVERIFY(look.hasBraces);
            begin = look.end + 1;
        }
        std::string bracesBehind(380, 'a');
        bracesBehind[300] = '\n';
        bracesBehind[371] = '}';
        bracesBehind[372] = '{';
        QVERIFY(!counters.line(bracesBehind, 0).hasBraces);
    }
}

void TextTest::everyProcessorCountsTheSame()
{
    // Also what is no JSON: any bytes, most of them such as matter.
    constexpr std::string_view kLetters = "\\\\\\\\\"\"//nu00d8d83dc,: \t\n{}a\xC3\xA9\xF0\x9F\x98\x80";
    Texts texts(m_random);
    for (int i = 0; i < caseCount(3000); ++i) {
        std::string raw = texts.text(texts.below(20), true).raw + texts.value(3).first;
        for (size_t k = texts.below(i % 2 == 0 ? 1200 : 150); k > 0; --k)
            raw += kLetters[texts.below(kLetters.size())];
        for (const TextCounters &counters : textCounters()) {
            QVERIFY2(counters.text(raw) == textLengths(raw), counters.name);
            QVERIFY2(counters.jsonString(raw) == jsonStringLengths(raw), counters.name);
            QVERIFY2(counters.jsonValue(raw) == jsonValueLengths(raw), counters.name);
        }
        linesAreFound(raw);
        if (isValidUtf8(decodeJsonString(raw)))
            QVERIFY2(jsonStringLengths(raw) == textLengths(decodeJsonString(raw)), shown(raw).constData());
    }
}

void TextTest::pairsAreFoundWhereTheyStand()
{
    for (const TextCounters &counters : textCounters()) {
        for (size_t size = 0; size <= 100; ++size) {
            QCOMPARE(counters.pair(std::string(size, '}'), '}', '{'), std::string::npos);
            for (size_t at = 0; at + 2 <= size; ++at) {
                std::string text(size, 'a');
                text[at] = '}';
                text[at + 1] = '{';
                QCOMPARE(counters.pair(text, '}', '{'), at);
                QCOMPARE(counters.pair(std::string_view(text).substr(0, at + 1), '}', '{'), std::string::npos);
                QVERIFY(counters.line(text, 0).hasBraces);
                QCOMPARE(counters.line(text, 0).end, size);
            }
        }
    }
}

void TextTest::validUtf8_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isValid");
    QTest::newRow("nothing") << QByteArray() << true;
    QTest::newRow("every length") << QByteArray("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") << true;
    QTest::newRow("the last code point") << QByteArray("\xF4\x8F\xBF\xBF") << true;
    QTest::newRow("one beyond the last") << QByteArray("\xF4\x90\x80\x80") << false;
    QTest::newRow("an overlong slash") << QByteArray("\xC0\xAF") << false;
    QTest::newRow("an overlong slash of three bytes") << QByteArray("\xE0\x80\xAF") << false;
    QTest::newRow("an overlong one of four bytes") << QByteArray("\xF0\x80\x80\xAF") << false;
    QTest::newRow("a surrogate") << QByteArray("\xED\xA0\x80") << false;
    QTest::newRow("the last before the surrogates") << QByteArray("\xED\x9F\xBF") << true;
    QTest::newRow("a lone continuation byte") << QByteArray("\x80") << false;
    QTest::newRow("cut after two of three bytes") << QByteArray("\xE2\x82") << false;
    QTest::newRow("cut after three of four bytes") << QByteArray("\xF0\x9F\x98") << false;
    QTest::newRow("a byte that never stands in UTF-8") << QByteArray("\xFF") << false;
}

void TextTest::validUtf8()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isValid);
    QCOMPARE(isValidUtf8({ bytes.constData(), static_cast<size_t>(bytes.size()) }), isValid);
}

void TextTest::damagedRecordsAreRepaired_data()
{
    QTest::addColumn<QByteArray>("damaged");
    QTest::addColumn<QByteArray>("repaired");
    QTest::newRow("nothing to repair") << QByteArray(R"({"a":"b\n\"c"})") << QByteArray(R"({"a":"b\n\"c"})");
    QTest::newRow("NULs anywhere") << QByteArray("\0{\"a\":\"b\0c\"}\0", 13) << QByteArray(R"({"a":"bc"})");
    QTest::newRow("a raw tab inside a string") << QByteArray("{\"a\":\"\t\"}") << QByteArray(R"({"a":"\t"})");
    QTest::newRow("a raw tab between values") << QByteArray("{\t\"a\":1}") << QByteArray("{\t\"a\":1}");
    QTest::newRow("a raw control character behind an escaped quote")
        << QByteArray("[\"\\\"\x01\"]") << QByteArray("[\"\\\"\\u0001\"]");
    QTest::newRow("a byte of no text") << QByteArray("[\"\xFF\"]") << QByteArray("[\"\xEF\xBF\xBD\"]");
    QTest::newRow("a backslash before a byte of no text")
        << QByteArray("[\"\\\\\xFF\"]") << QByteArray("[\"\\\\\xEF\xBF\xBD\"]");
}

void TextTest::damagedRecordsAreRepaired()
{
    QFETCH(QByteArray, damaged);
    QFETCH(QByteArray, repaired);
    QCOMPARE(QByteArray::fromStdString(repairJsonText({ damaged.constData(), static_cast<size_t>(damaged.size()) })),
        repaired);
}

void TextTest::firstCodePointsSplitNothing()
{
    const std::string text = "aé€😀b";
    const std::array<std::string_view, 7> expected { "", "a", "aé", "aé€", "aé€😀", "aé€😀b", "aé€😀b" };
    for (size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(firstCodePoints(text, i), expected.at(i));
}

void TextTest::snippets_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qulonglong>("characters");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("short enough") << QByteArray("a word") << 6ULL << QByteArray("a word");
    QTest::newRow("one too many") << QByteArray("a word!") << 6ULL << QByteArray("a wor…");
    QTest::newRow("the ellipsis alone") << QByteArray("a word") << 1ULL << QByteArray("…");
    QTest::newRow("no room at all") << QByteArray("a word") << 0ULL << QByteArray("");
    QTest::newRow("no blank before the ellipsis") << QByteArray("a word") << 3ULL << QByteArray("a…");
    QTest::newRow("blanks are one") << QByteArray("  a \t\r b  ") << 9ULL << QByteArray("a b");
    QTest::newRow("the first line that says something") << QByteArray("\n\n one\ntwo") << 9ULL << QByteArray("one");
    QTest::newRow("characters, not bytes") << QByteArray("ééé") << 3ULL << QByteArray("ééé");
    QTest::newRow("a control character is seen") << QByteArray("a\x1B[31m") << 9ULL << QByteArray("a␛[31m");
    QTest::newRow("a direction is seen") << QByteArray("a\u202Eb") << 9ULL << QByteArray("a⟨RLO⟩b");
    QTest::newRow("a mark is not cut") << QByteArray("a\u202Eb") << 5ULL << QByteArray("a…");
    QTest::newRow("a mark gives way to the ellipsis") << QByteArray("a\u202Eb") << 6ULL << QByteArray("a…");
    QTest::newRow("half a pair is one mark") << QByteArray("a\xED\xA0\xBDz") << 9ULL << QByteArray("a\xEF\xBF\xBDz");
    QTest::newRow("bytes of no text") << QByteArray("a\xFF\xFEz") << 9ULL << QByteArray("a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

void TextTest::snippets()
{
    QFETCH(QByteArray, text);
    QFETCH(qulonglong, characters);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(snippet(text.toStdString(), characters)), expected);
}

void TextTest::numbers_data()
{
    QTest::addColumn<qulonglong>("value");
    QTest::addColumn<QByteArray>("grouped");
    QTest::addColumn<QByteArray>("brief");
    QTest::newRow("nothing") << 0ULL << QByteArray("0") << QByteArray("0");
    QTest::newRow("below a thousand") << 999ULL << QByteArray("999") << QByteArray("999");
    QTest::newRow("a thousand") << 1000ULL << QByteArray("1,000") << QByteArray("1.0k");
    QTest::newRow("ten thousand, rounded up to") << 9'996ULL << QByteArray("9,996") << QByteArray("10.0k");
    QTest::newRow("three digits") << 14'521ULL << QByteArray("14,521") << QByteArray("14.5k");
    QTest::newRow("a hundred thousand, rounded up to") << 99'960ULL << QByteArray("99,960") << QByteArray("100k");
    QTest::newRow("below a million") << 999'499ULL << QByteArray("999,499") << QByteArray("999k");
    QTest::newRow("a million, rounded up to") << 999'500ULL << QByteArray("999,500") << QByteArray("1.00M");
    QTest::newRow("millions") << 1'312'345ULL << QByteArray("1,312,345") << QByteArray("1.31M");
    QTest::newRow("many millions") << 312'345'678ULL << QByteArray("312,345,678") << QByteArray("312M");
}

void TextTest::numbers()
{
    QFETCH(qulonglong, value);
    QFETCH(QByteArray, grouped);
    QFETCH(QByteArray, brief);
    QCOMPARE(QByteArray::fromStdString(groupedNumber(value)), grouped);
    QCOMPARE(QByteArray::fromStdString(shortNumber(static_cast<double>(value))), brief);
}

/// LC_NUMERIC is one with a comma, as under de_DE: that of the C library for C.utf8, with another character in it.
void TextTest::numbersHaveAPointInEveryLocale()
{
    QFile numeric(u"/usr/lib/locale/C.utf8/LC_NUMERIC"_s);
    if (!numeric.open(QIODevice::ReadOnly))
        QSKIP("There is no file of the locale C.utf8 here.");
    constexpr qsizetype kHead = 32; // offsets
    QByteArray bytes = numeric.readAll();
    bytes = bytes.first(kHead) + bytes.sliced(kHead).replace('.', ',');
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"comma"_s));
    QFile comma(folder.filePath(u"comma/LC_NUMERIC"_s));
    QVERIFY(comma.open(QIODevice::WriteOnly) && comma.write(bytes) == bytes.size());
    comma.close();
    qputenv("LOCPATH", folder.path().toUtf8());
    const bool isSet = std::setlocale(LC_NUMERIC, "comma") != nullptr;
    std::array<char, 8> digits {};
    std::snprintf(digits.data(), digits.size(), "%.1f", 0.5);
    const std::string brief = shortNumber(1234) + " " + shortNumber(1'312'345);
    const std::string rounded = decimalText(2.345, 2) + " " + decimalText(1e30) + " " + decimalText(0.1);
    const std::string measure = parseMeasure("0.85w")->text();
    const auto read = parseDecimal("0.5");
    std::setlocale(LC_NUMERIC, "C");
    qunsetenv("LOCPATH");
    QVERIFY(isSet);
    QCOMPARE(digits.data(), "0,5"); // the locale is in force
    QCOMPARE(brief, "1.2k 1.31M");
    QCOMPARE(rounded, "2.35 1000000000000000019884624838656 0.1");
    QCOMPARE(measure, "0.85w");
    QCOMPARE(read, std::optional(0.5));
}

void TextTest::linesAreCountedFromOne()
{
    const std::string text = "ab\n\r\nc\n";
    const std::array<uint64_t, 8> expected { 1, 1, 1, 2, 2, 3, 3, 4 };
    for (size_t offset = 0; offset < expected.size(); ++offset)
        QCOMPARE(lineOfOffset(text, offset), expected.at(offset));
    QCOMPARE(lineOfOffset(text, 1000), 4U);
}

void TextTest::nothingActsOnTheScreen_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("plain text stays") << QByteArray("a é € 😀") << QByteArray("a é € 😀");
    QTest::newRow("escape sequences") << QByteArray("\x1B]0;title\x07") << QByteArray("␛]0;title␇");
    QTest::newRow("line ends and tabs") << QByteArray("a\r\n\tb") << QByteArray("a␍␊␉b");
    QTest::newRow("NUL and DEL") << QByteArray("a\0b\x7F", 4) << QByteArray("a␀b␡");
    QTest::newRow("the second control range") << QByteArray("\u009B31m") << QByteArray("⟨U+009B⟩31m");
    QTest::newRow("overrides and isolates")
        << QByteArray("\u202Ea\u202C\u2066b\u2069") << QByteArray("⟨RLO⟩a⟨PDF⟩⟨LRI⟩b⟨PDI⟩");
    QTest::newRow("direction marks") << QByteArray("\u200E\u200F\u061C") << QByteArray("⟨LRM⟩⟨RLM⟩⟨ALM⟩");
    QTest::newRow("what cannot be seen") << QByteArray("a\u200Bb\uFEFF\u00AD")
                                         << QByteArray("a⟨U+200B⟩b⟨U+FEFF⟩⟨U+00AD⟩");
    QTest::newRow("letters in tags") << QByteArray("\U000E0041") << QByteArray("⟨U+E0041⟩");
    QTest::newRow("line separators") << QByteArray("a\u2028b\u2029") << QByteArray("a⟨U+2028⟩b⟨U+2029⟩");
    QTest::newRow("joined emoji stay joined") << QByteArray("👩\u200D💻\uFE0F") << QByteArray("👩\u200D💻\uFE0F");
    QTest::newRow("bytes of no text") << QByteArray("\xFFz\xC3") << QByteArray("\xEF\xBF\xBDz\xEF\xBF\xBD");
    QTest::newRow("half a pair") << QByteArray("\xED\xA0\xBD") << QByteArray("\xEF\xBF\xBD");
}

void TextTest::nothingActsOnTheScreen()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(visibleText({ text.constData(), static_cast<size_t>(text.size()) })), expected);
}

void TextTest::marksAreNoCharactersThatAct()
{
    for (uint32_t c = 0; c < 0x110000; ++c) {
        const std::string mark = visibleMark(c);
        QVERIFY2(visibleText(mark) == mark, qPrintable(QString::number(c, 16)));
        // Qt's tables say what may stay: nothing of the categories Cc, Zl, Zp, and of Cf only what scripts draw with.
        const auto category = QChar::category(c);
        const bool mustGo = category == QChar::Other_Control || category == QChar::Separator_Line
            || category == QChar::Separator_Paragraph || category == QChar::Other_Surrogate;
        QVERIFY2(!mustGo || !mark.empty(), qPrintable(QString::number(c, 16)));
        const auto direction = QChar::direction(c);
        const bool turns = direction == QChar::DirLRE || direction == QChar::DirLRO || direction == QChar::DirRLE
            || direction == QChar::DirRLO || direction == QChar::DirPDF || direction == QChar::DirLRI
            || direction == QChar::DirRLI || direction == QChar::DirFSI || direction == QChar::DirPDI;
        QVERIFY2(!turns || !mark.empty(), qPrintable(QString::number(c, 16)));
    }
}

void TextTest::columns_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qulonglong>("expected");
    QTest::newRow("letters") << QByteArray("abc") << 3ULL;
    QTest::newRow("bars") << QByteArray("█▉░▌") << 4ULL;
    QTest::newRow("Chinese, Japanese, Korean") << QByteArray("中あ한") << 6ULL;
    QTest::newRow("emoji") << QByteArray("😀🚀") << 4ULL;
    QTest::newRow("a letter and its accent apart") << QByteArray("e\u0301") << 1ULL;
    QTest::newRow("marks of controls") << QByteArray("␛") << 1ULL;
}

void TextTest::columns()
{
    QFETCH(QByteArray, text);
    QFETCH(qulonglong, expected);
    QCOMPARE(columnsOf(text.toStdString()), expected);
}

void TextTest::cuttingKeepsTheWidth()
{
    const std::string text = "ab中c😀e\u0301f";
    const std::array<std::string_view, 12> expected { "", "…", "a…", "ab…", "ab…", "ab中…", "ab中c…", "ab中c…",
        "ab中c😀…", text, text, text };
    for (size_t columns = 0; columns < expected.size(); ++columns) {
        QCOMPARE(fitted(text, columns), expected.at(columns));
        QVERIFY(columnsOf(fitted(text, columns)) <= columns);
    }
}

PALIMPSEST_TEST(TextTest)
#include "tst_text.moc"
