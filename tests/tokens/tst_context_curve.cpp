// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/context_curve.h"
#include "tests/recorded_session.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

namespace {

ContextCurve curveOf(const SessionPtr &made)
{
    const BlockTokensPtr tokens = oneTokenACharacter(*made);
    return contextCurve(*arraySums(*made, ThreadIndex(0), *tokens), *tokens);
}

std::vector<double> tokensOf(const ContextCurve &curve)
{
    std::vector<double> tokens;
    for (const ContextPoint &point : curve.calls)
        tokens.push_back(point.tokens);
    tokens.push_back(curve.end.tokens);
    return tokens;
}

} // namespace

/// The saw-tooth: recorded prompts as they are, estimates where there are none.
class ContextCurveTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedPromptsAreExact();
    void callsWithoutUsageAreEstimatedFromTheirArray();
    void aStretchBeginsAnewBehindASummary();
    void withoutAnyUsageTheArrayIsWeighed();
    void estimatesAreTheSumsOfTheirArrays();
};

void ContextCurveTest::recordedPromptsAreExact()
{
    RecordedSession recording;
    recording.typed(std::string(100, 'a'));
    recording.reply(std::string(50, 'b'), 5100);
    recording.typed(std::string(200, 'c'));
    recording.reply(std::string(10, 'd'), 5360);
    const ContextCurve curve = curveOf(recording.finish());
    // The end: the array of 360, and the 5,010 that the last call had beyond its array of 350.
    QCOMPARE(tokensOf(curve), (std::vector<double> { 5100, 5360, 5370 }));
    QCOMPARE(curve.calls[1].basis, Basis::Exact);
    QCOMPARE(curve.end.basis, Basis::Estimated);
    QCOMPARE(curve.recordedCount, size_t(2));
    QCOMPARE(curve.peak, 5370.0);
}

void ContextCurveTest::callsWithoutUsageAreEstimatedFromTheirArray()
{
    RecordedSession recording;
    recording.typed(std::string(100, 'a'));
    recording.reply(std::string(50, 'b')); // 0: the later call proves 5,000 beyond the array
    recording.typed(std::string(200, 'c'));
    recording.reply(std::string(10, 'd'), 5350); // 1
    recording.typed(std::string(40, 'e'));
    recording.reply(std::string(10, 'f')); // 2: 400 in the array
    const ContextCurve curve = curveOf(recording.finish());
    QCOMPARE(tokensOf(curve), (std::vector<double> { 5100, 5350, 5400, 5410 }));
    QCOMPARE(curve.calls[0].basis, Basis::Estimated);
    QCOMPARE(curve.calls[1].basis, Basis::Exact);
    QCOMPARE(curve.recordedCount, size_t(1));
}

void ContextCurveTest::aStretchBeginsAnewBehindASummary()
{
    RecordedSession recording;
    recording.typed(std::string(100, 'a'));
    recording.reply(std::string(50, 'b'), 5100);
    recording.summarise(30);
    recording.reply(std::string(10, 'c')); // no usage: the next call proves 8,000
    recording.typed(std::string(20, 'd'));
    recording.reply(std::string(5, 'e'), 8060);
    recording.rewrite(70);
    recording.reply(std::string(5, 'f')); // nothing recorded in this stretch: the thread's first call had 5,000
    QCOMPARE(tokensOf(curveOf(recording.finish())), (std::vector<double> { 5100, 8030, 8060, 5070, 5075 }));
}

void ContextCurveTest::withoutAnyUsageTheArrayIsWeighed()
{
    const ContextCurve curve = curveOf(session("u:30 a:200 u:10 a:5"));
    QCOMPARE(tokensOf(curve), (std::vector<double> { 30, 240, 245 }));
    QCOMPARE(curve.recordedCount, size_t(0));

    RecordedSession recording;
    const BlockRange system = recording.builder().rangeOf(recording.injected(std::string(400, 's')));
    recording.reply(std::string(10, 'a'));
    Thread &thread = recording.builder().thread(ThreadIndex(0));
    thread.calls[0].prelude = system;
    thread.prelude = system;
    QCOMPARE(tokensOf(curveOf(recording.finish())), (std::vector<double> { 800, 810 }));

    QCOMPARE(tokensOf(curveOf(session(""))), std::vector<double> { 0 });
}

void ContextCurveTest::estimatesAreTheSumsOfTheirArrays()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(10); ++i) {
        const SessionPtr made = session(randomLine(random, 60));
        const ContextCurve curve = curveOf(made);
        for (size_t call = 0; call < curve.calls.size(); ++call) {
            double sum = 0;
            made->threads[0].calls[call].input.forEach(
                [&](BlockId id) { sum += static_cast<double>(made->block(id).lengths.codePoints); });
            QCOMPARE(curve.calls[call].tokens, sum);
        }
    }
}

PALIMPSEST_TEST(ContextCurveTest)
#include "tst_context_curve.moc"
