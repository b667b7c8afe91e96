// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/forecast.h"
#include "core/tokens/weights.h"
#include "tests/policy_with.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

using namespace core;

namespace {

/// Of eight calls, each of which gets a result of 1,000 tokens.
std::optional<Forecast> forecastUnder(const char *trigger, const char *keep)
{
    std::string line = "u:40";
    for (int i = 0; i < 8; ++i)
        line += " a:40 t:4000";
    const SessionPtr session = core::session(line);
    const PolicyPtr policy
        = testing::policyWith("langchain-clear-tool-uses", { { "trigger", trigger }, { "keep", keep } });
    const ReplayPtr replayed = replay(replayGround(session, ThreadIndex(0U), roughTokens(*session)), policy);
    return policyForecast(*replayed);
}

} // namespace

/// When a policy would act next.
class ForecastTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPolicyThatActsNext();
    void aTriggerBeforeItIsReached();
    void aReachedTriggerThatFindsNothing();
};

void ForecastTest::aPolicyThatActsNext()
{
    const auto soon = forecastUnder("7500tok", "3results");
    QVERIFY(soon.has_value());
    QCOMPARE(soon->words(), "would compact at the next call");
    QCOMPARE(soon->limit, Forecast::Limit::Policy);
}

void ForecastTest::aTriggerBeforeItIsReached()
{
    const auto soon = forecastUnder("20000tok", "3results");
    QVERIFY(soon.has_value());
    QVERIFY2(soon->calls >= 10 && soon->calls <= 13, soon->words().c_str());
}

void ForecastTest::aReachedTriggerThatFindsNothing()
{
    QVERIFY(!forecastUnder("5000tok", "20results").has_value());
    QVERIFY(!forecastUnder("7500tok", "20results").has_value());
}

PALIMPSEST_TEST(ForecastTest)
#include "tst_forecast.moc"
