// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/keep_window.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>

using namespace core;

Q_DECLARE_METATYPE(core::Measure)

namespace {

using Unit = Measure::Unit;

/// A table of one token a character.
BlockTokens oneTokenACharacter(const Session &session)
{
    BlockTokens table;
    for (const Block &block : session.blocks)
        table.tokens.push_back(static_cast<float>(block.lengths.codePoints));
    return table;
}

Transcript arrayOf(const SessionPtr &session) { return { session, session->threads.front().end }; }

/// The same session, of a model with a window.
SessionPtr withWindow(const SessionPtr &session, uint64_t tokens)
{
    auto copy = std::make_shared<Session>(*session);
    copy->windowTokens = tokens;
    return copy;
}

double weightOf(const Transcript &array, size_t from, const BlockTokens &tokens)
{
    double sum = 0;
    for (const Slot &slot : array.slots().subspan(from)) {
        for (const BlockId id : array.blocksOf(slot))
            sum += tokens.of(id);
    }
    return sum;
}

} // namespace

/// Where the keep window begins, and the measures that say so.
class KeepWindowTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMeasureIsRead_data();
    void aMeasureIsRead();
    void aMeasureIsSaidInWords_data();
    void aMeasureIsSaidInWords();
    void whatIsNoMeasureIsRefused_data();
    void whatIsNoMeasureIsRefused();
    void everyMeasureIsReadAsItIsWritten();
    void theCutoffStandsWhereItShould_data();
    void theCutoffStandsWhereItShould();
    void anEmptyArrayHasNoWindow();
    void theWindowIsTheLongestThatFits();
};

void KeepWindowTest::aMeasureIsRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Measure>("measure");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](const char *text, Measure measure, const char *written) {
        QTest::newRow(text) << QByteArray(text) << measure << QByteArray(written);
    };
    row("0.1w", { 0.1, Unit::WindowFraction }, "0.1w");
    row("0w", { 0, Unit::WindowFraction }, "0w");
    row("1 window", { 1, Unit::WindowFraction }, "1w");
    row("30%", { 0.3, Unit::WindowFraction }, "0.3w");
    row("33.3%", { 0.333, Unit::WindowFraction }, "0.333w");
    row("100 %", { 1, Unit::WindowFraction }, "1w");
    row("7.27 % of window", { 0.0727, Unit::WindowFraction }, "0.0727w");
    row("10% of the window", { 0.1, Unit::WindowFraction }, "0.1w");
    row("0.00001w", { 0.00001, Unit::WindowFraction }, "0.00001w");
    row("20000tok", { 20'000, Unit::Tokens }, "20000tok");
    row("20k tok", { 20'000, Unit::Tokens }, "20000tok");
    row("0.3ktok", { 300, Unit::Tokens }, "300tok");
    row("1.5M tokens", { 1'500'000, Unit::Tokens }, "1500000tok");
    row(" 1 token ", { 1, Unit::Tokens }, "1tok");
    row("16,384 tok", { 16'384, Unit::Tokens }, "16384tok");
    row("1,234,567 tokens", { 1'234'567, Unit::Tokens }, "1234567tok");
    row("100 % - 16,384 tok", { 1, Unit::WindowFraction, 16'384 }, "1w-16384tok");
    row("6msg", { 6, Unit::Messages }, "6msg");
    row("6 Messages", { 6, Unit::Messages }, "6msg");
    row("2M messages", { 2'000'000, Unit::Messages }, "2000000msg");
    row("0msg", { 0, Unit::Messages }, "0msg");
}

void KeepWindowTest::aMeasureIsRead()
{
    QFETCH(QByteArray, text);
    QFETCH(Measure, measure);
    QFETCH(QByteArray, written);
    const Result<Measure> read = parseMeasure(std::string_view(text));
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QCOMPARE(read->unit, measure.unit);
    QCOMPARE(read->value, measure.value);
    QCOMPARE(QByteArray::fromStdString(read->text()), written);
}

void KeepWindowTest::aMeasureIsSaidInWords_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QByteArray>("inField");
    const auto row = [](const char *text, const char *words, const char *inField) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(words) << QByteArray(inField);
    };
    row("0.1w", "10 % of window", "10 %");
    row("0.07w", "7 % of window", "7 %");
    row("0.91808w", "91.808 % of window", "91.808 %");
    row("1w", "100 % of window", "100 %");
    row("1w-16384tok", "window less 16,384 tokens", "100 % - 16,384 tok");
    row("0.9w-500tok", "90 % of window less 500 tokens", "90 % - 500 tok");
    row("20000tok", "20,000 tokens", "20,000 tok");
    row("1msg", "1 message", "1 msg");
    row("6msg", "6 messages", "6 msg");
    row("3results", "3 results", "3 results");
    row("2turns", "2 turns", "2 turns");
}

void KeepWindowTest::aMeasureIsSaidInWords()
{
    QFETCH(QByteArray, text);
    const Measure measure = parseMeasure(std::string_view(text)).value();
    QTEST(QByteArray::fromStdString(measure.words()), "words");
    QTEST(QByteArray::fromStdString(measure.fieldText()), "inField");
    QCOMPARE(parseMeasure(measure.fieldText()).value(), measure);
}

void KeepWindowTest::whatIsNoMeasureIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("reason");
    const auto row
        = [](const char *text, const char *reason) { QTest::newRow(text) << QByteArray(text) << QByteArray(reason); };
    row("", "is not a measure");
    row("w", "is not a measure");
    row("nan tok", "is not a measure");
    row("inf w", "is not a measure");
    row("6", "has no unit");
    row("20k", "has no unit");
    row("6rows", "an unknown unit");
    row("6msgx", "an unknown unit");
    row("6kk tok", "an unknown unit");
    row("-1msg", "out of range");
    row("-5", "out of range");
    row("-0.1w", "out of range");
    row("2000000000M tok", "out of range");
    row("1.1w", "more than the whole window");
    row("101%", "more than the whole window");
    row("%", "is not a measure");
    row("1w-2msg", "not a share of the window minus some tokens");
    row("900tok-20tok", "not a share of the window minus some tokens");
    row("2.5msg", "not a whole number");
    row("0.5tok", "not a whole number");
    row("1,20 tok", "an unknown unit");
    row("1,2000 tok", "an unknown unit");
    row(",200 tok", "is not a measure");
}

void KeepWindowTest::whatIsNoMeasureIsRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, reason);
    const Result<Measure> read = parseMeasure(std::string_view(text));
    QVERIFY(!read);
    QCOMPARE(read.error().kind, ErrorKind::Usage);
    const auto message = QByteArray::fromStdString(read.error().message);
    QVERIFY2(message.contains(reason) && message.contains("such as 10% (of the window), 20000tok or 6msg")
            && message.contains(text),
        message);
}

void KeepWindowTest::everyMeasureIsReadAsItIsWritten()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(1000); ++i) {
        Measure measure;
        measure.unit = static_cast<Unit>(random() % 3);
        measure.value = measure.unit == Unit::WindowFraction
            ? std::generate_canonical<double, 53>(random) * std::pow(10.0, -double(random() % 6))
            : double(random() >> (15 + random() % 49));
        const Result<Measure> read = parseMeasure(measure.text());
        QVERIFY2(read && *read == measure, measure.text().c_str());
    }
}

void KeepWindowTest::theCutoffStandsWhereItShould_data()
{
    QTest::addColumn<Measure>("keep");
    QTest::addColumn<uint>("window");
    QTest::addColumn<uint>("cutoff");
    const auto row = [](const char *name, Measure keep, uint window, uint cutoff) {
        QTest::newRow(name) << keep << window << cutoff;
    };
    // Slots of 10, 200, 5000, 70, 30 and 100 characters: 5410 in all.
    row("the last two messages", { 2, Unit::Messages }, 0, 4);
    row("no message", { 0, Unit::Messages }, 0, 6);
    row("as many messages as there are", { 6, Unit::Messages }, 0, 0);
    row("more messages than there are", { 1e9, Unit::Messages }, 0, 0);
    row("tokens that end between slots", { 130, Unit::Tokens }, 0, 4);
    row("tokens that end inside a slot keep it out", { 199, Unit::Tokens }, 0, 4);
    row("tokens that just hold a slot keep it", { 200, Unit::Tokens }, 0, 3);
    row("fewer tokens than the last slot keep it all the same", { 99, Unit::Tokens }, 0, 5);
    row("no tokens keep the last slot", { 0, Unit::Tokens }, 0, 5);
    row("all tokens", { 5410, Unit::Tokens }, 0, 0);
    row("all tokens but one", { 5409, Unit::Tokens }, 0, 1);
    row("a fraction of a known window", { 0.1, Unit::WindowFraction }, 2000, 3);
    row("a fraction of a known window, a little less", { 0.1, Unit::WindowFraction }, 1999, 4);
    row("a fraction of the array", { 0.04, Unit::WindowFraction }, 0, 3);
    row("the whole array", { 1, Unit::WindowFraction }, 0, 0);
    row("a window larger than the array", { 0.1, Unit::WindowFraction }, 200'000, 0);
}

void KeepWindowTest::theCutoffStandsWhereItShould()
{
    QFETCH(Measure, keep);
    QFETCH(uint, window);
    QFETCH(uint, cutoff);
    SessionPtr made = session("u:10 a:200 t:5000 a:70 u:30 a:100");
    if (window > 0)
        made = withWindow(made, window);
    QCOMPARE(keepCutoff(arrayOf(made), keep, oneTokenACharacter(*made)), size_t(cutoff));
}

void KeepWindowTest::anEmptyArrayHasNoWindow()
{
    const SessionPtr made = session("");
    for (const Unit unit : { Unit::Messages, Unit::Tokens, Unit::WindowFraction })
        QCOMPARE(keepCutoff(arrayOf(made), { 1, unit }, oneTokenACharacter(*made)), size_t(0));
}

void KeepWindowTest::theWindowIsTheLongestThatFits()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(50); ++i) {
        const std::string line = randomLine(random, 1 + random() % 60);
        const SessionPtr made = session(line);
        const Transcript array = arrayOf(made);
        const BlockTokens tokens = oneTokenACharacter(*made);
        const double total = weightOf(array, 0, tokens);
        size_t previous = array.slotCount();
        for (const double share : { 0.0, 0.01, 0.1, 0.3, 0.7, 1.0, 1.2 }) {
            const double keep = std::floor(total * share);
            const size_t cutoff = keepCutoff(array, { keep, Unit::Tokens }, tokens);
            QVERIFY2(cutoff < array.slotCount() && cutoff <= previous, line.c_str()); // more is never less
            previous = cutoff;
            const bool isLastOnly = cutoff + 1 == array.slotCount();
            QVERIFY2(isLastOnly || weightOf(array, cutoff, tokens) <= keep, line.c_str());
            QVERIFY2(cutoff == 0 || weightOf(array, cutoff - 1, tokens) > keep, line.c_str());
        }
    }
}

PALIMPSEST_TEST(KeepWindowTest)
#include "tst_keep_window.moc"
