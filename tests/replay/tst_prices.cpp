// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/money/prices.h"
#include "tests/test_program.h"

#include <QTest>

#include <filesystem>
#include <set>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

constexpr Timestamp kDay = Timestamp(24) * 3600 * 1000;
constexpr Timestamp kOctober7 = 1'791'331'200'000; ///< 2026-10-07, midnight UTC

const Prices &bundled()
{
    static const Prices prices = Prices::bundled();
    return prices;
}

std::optional<Price> priceOf(std::string_view model, Timestamp time = kOctober7 + kDay, double prompt = 1000)
{
    return bundled().priceAt(model, time, prompt);
}

QString idOf(std::string_view name)
{
    const PricedModel *model = bundled().find(name);
    return model == nullptr ? u"none"_s : QString::fromStdString(model->id);
}

/// A document with one model of these prices.
std::string documentOf(std::string_view prices, std::string_view names = R"(["m"])")
{
    return R"({"schema": "palimpsest.prices/1", "models": [{"id": "m", "names": )" + std::string(names)
        + R"(, "prices": )" + std::string(prices) + "}]}";
}

Prices parsed(const std::string &json)
{
    Result<Prices> prices = Prices::parse(json, "test");
    if (!prices)
        qFatal("%s", prices.error().sentence().c_str());
    return *prices;
}

} // namespace

/// Prices of models: which model a name means, which row and tier hold, and the user's own laid over them.
class PricesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNameMeansOneModelOrNone_data();
    void aNameMeansOneModelOrNone();
    void everyBundledModelIsFoundByItsNames();
    void pricesFollowTheirDates();
    void aLongPromptChangesTheWholeRequest();
    void hoursOfTheDayChangePrices();
    void aCostIsTheSumOfItsParts();
    void whatHasNoPriceIsBilledAsInput();
    void theUsersPricesAreLaidOver();
    void malformedDocumentsNameTheMember_data();
    void malformedDocumentsNameTheMember();
    void theBundledFileIsSmallAndDated();
};

void PricesTest::aNameMeansOneModelOrNone_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("id");
    const auto row
        = [](const char *title, const QString &name, const QString &id) { QTest::newRow(title) << name << id; };
    row("a name with its date", u"claude-opus-4-5-20251101"_s, u"claude-opus-4-5"_s);
    row("a name in capitals", u"Claude-Opus-4-5"_s, u"claude-opus-4-5"_s);
    row("a name behind its provider", u"anthropic/claude-opus-4.7"_s, u"claude-opus-4-7"_s);
    row("a name behind another provider", u"azure/claude-opus-4.7"_s, u"none"_s);
    row("a date behind an at sign", u"claude-sonnet-4-5@20250929"_s, u"claude-sonnet-4-5"_s);
    row("a date with hyphens", u"gpt-4o-2024-08-06"_s, u"gpt-4o"_s);
    row("a dated name of its own", u"gpt-4o-2024-05-13"_s, u"gpt-4o-2024-05-13"_s);
    row("the latest", u"claude-haiku-4-5-latest"_s, u"claude-haiku-4-5"_s);
    row("the long window of Claude Code", u"claude-sonnet-4-5-20250929[1m]"_s, u"claude-sonnet-4-5"_s);
    row("Sonnet 5.5 is not Sonnet 5", u"claude-sonnet-5-5"_s, u"claude-sonnet-5-5"_s);
    row("Sonnet 5", u"claude-sonnet-5"_s, u"claude-sonnet-5"_s);
    row("a version that nobody knows is not the one before", u"claude-sonnet-5-7"_s, u"none"_s);
    row("a name that goes on is another", u"gpt-5-codex-turbo"_s, u"none"_s);
    row("eight characters that are no date", u"claude-opus-4-5-2025abcd"_s, u"none"_s);
    row("a month that is none", u"gpt-4o-2024-13-06"_s, u"none"_s);
    row("Codex", u"gpt-5-codex"_s, u"gpt-5"_s);
    row("GPT-6.1 Sol", u"gpt-6.1-sol"_s, u"gpt-6.1-sol"_s);
    row("nothing", u""_s, u"none"_s);
    row("what Claude Code writes where it asked no model", u"<synthetic>"_s, u"none"_s);
}

void PricesTest::aNameMeansOneModelOrNone()
{
    QFETCH(QString, name);
    QFETCH(QString, id);
    QCOMPARE(idOf(name.toStdString()), id);
}

void PricesTest::everyBundledModelIsFoundByItsNames()
{
    QVERIFY(bundled().models().size() > 150);
    std::set<std::string> seen;
    for (const PricedModel &model : bundled().models()) {
        for (const std::string &name : model.names) {
            QVERIFY2(seen.insert(name).second, name.c_str()); // belongs to one model
            QCOMPARE(bundled().find(name), &model);
        }
        const auto price = bundled().priceAt(model.id, kOctober7 + 60 * kDay, 1000);
        if (!model.names.empty() && bundled().find(model.id) == &model)
            QVERIFY2(price && price->output >= price->cacheRead, model.id.c_str());
    }
}

void PricesTest::pricesFollowTheirDates()
{
    QCOMPARE(priceOf("claude-sonnet-5-5", kOctober7 - 1)->cacheRead, 0.2);
    QCOMPARE(priceOf("claude-sonnet-5-5", kOctober7)->cacheRead, 0.1);
    QCOMPARE(priceOf("claude-haiku-5-5", kOctober7)->input, 0.1);
    QVERIFY(!priceOf("claude-haiku-5-5", kOctober7 - 1));        // not sold before
    QCOMPARE(priceOf("claude-sonnet-5", kOctober7)->input, 2.0); // the rise of 2026-09-01 was cancelled
    QCOMPARE(*priceOf("claude-opus-4-5"), (Price { 5, 25, 0.5, 6.25, 10 }));
    QCOMPARE(*priceOf("claude-opus-5-5"), (Price { 4, 20, 0.2, 5, 8 }));
    QCOMPARE(*priceOf("claude-fable-5-1"), (Price { 10, 50, 0.25, 12.5, 20 }));
}

void PricesTest::aLongPromptChangesTheWholeRequest()
{
    const auto costAt = [](std::string_view model, double prompt) {
        return costOf({ prompt, 0, 0, 0, 0 }, *priceOf(model, kOctober7, prompt));
    };
    QCOMPARE(costAt("claude-haiku-5-5", 100'000), 0.01);
    QCOMPARE(costAt("claude-haiku-5-5", 100'001), 0.0500005); // five times as much for one token more
    QCOMPARE(*priceOf("gpt-6.1-sol", kOctober7, 272'000), (Price { 2, 10, 0.1, 2.5, 2.5 }));
    QCOMPARE(*priceOf("gpt-6.1-sol", kOctober7, 272'001), (Price { 4, 15, 0.2, 5, 5 }));
}

void PricesTest::hoursOfTheDayChangePrices()
{
    const Prices prices = parsed(documentOf(R"([{"tiers": [{"input": 1, "output": 1}]},
        {"hours": ["22:30", "01:00"], "tiers": [{"input": 2, "output": 2}]}])"));
    const auto inputAt = [&](Timestamp minute) { return prices.priceAt("m", minute * 60'000, 1)->input; };
    QCOMPARE(inputAt(22 * 60 + 29), 1.0);
    QCOMPARE(inputAt(22 * 60 + 30), 2.0);
    QCOMPARE(inputAt(0), 2.0);
    QCOMPARE(inputAt(60), 1.0);
    QCOMPARE(inputAt(-1), 2.0); // before 1970 a day has hours, too
}

void PricesTest::aCostIsTheSumOfItsParts()
{
    const Price price { 5, 25, 0.5, 6.25, 10 };
    QCOMPARE(costOf({ 1e6, 0, 0, 0, 0 }, price), 5.0);
    QCOMPARE(costOf({ 0, 1e6, 0, 0, 0 }, price), 0.5);
    QCOMPARE(costOf({ 0, 0, 1e6, 0, 0 }, price), 6.25);
    QCOMPARE(costOf({ 0, 0, 0, 1e6, 0 }, price), 10.0);
    QCOMPARE(costOf({ 0, 0, 0, 0, 1e6 }, price), 25.0);
    QCOMPARE(costOf({ 10, 10'947, 0, 29'664, 3 }, price), (50 + 5473.5 + 296'640 + 75) / 1e6);
    QCOMPARE((BilledTokens { 1, 2, 3, 4, 5 }.prompt()), 10.0);
}

void PricesTest::whatHasNoPriceIsBilledAsInput()
{
    const Prices prices = parsed(documentOf(R"([{"tiers": [{"input": 3, "output": 9}]}])"));
    QCOMPARE(*prices.priceAt("m", 0, 1), (Price { 3, 9, 3, 3, 3 }));
}

void PricesTest::theUsersPricesAreLaidOver()
{
    const Prices own = parsed(R"({"schema": "palimpsest.prices/1", "models": [
        {"id": "claude-opus-4-5", "names": ["claude-opus-4-5"], "prices": [{"tiers": [{"input": 1, "output": 2}]}]},
        {"id": "mine", "names": ["my-model", "gpt-5-codex"], "prices": [{"tiers": [{"input": 7, "output": 8}]}]}]})");
    const Prices merged = bundled().overlaidBy(own);
    QCOMPARE(merged.priceAt("claude-opus-4-5-20251101", kOctober7, 1)->input, 1.0);
    QCOMPARE(merged.priceAt("my-model", kOctober7, 1)->input, 7.0);
    QCOMPARE(merged.find("gpt-5-codex")->id, std::string("mine"));
    QCOMPARE(merged.find("gpt-5")->id, std::string("gpt-5"));
    QCOMPARE(merged.models().size(), bundled().models().size() + 1);
}

void PricesTest::malformedDocumentsNameTheMember_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *title, const std::string &json, const QString &sentence) {
        QTest::newRow(title) << QString::fromStdString(json) << sentence;
    };
    row("no JSON", "{",
        u"The prices are not valid JSON: syntax error while parsing object key - unexpected end of input; expected "
        "string literal."_s);
    row("a list", "[]", u"A prices file must contain a JSON object."_s);
    row("no schema", R"({"models": []})", u"schema is not a text."_s);
    row("another schema", R"({"schema": "palimpsest.policy/1", "models": []})",
        u"schema is not `palimpsest.prices/1`."_s);
    row("a newer schema", R"({"schema": "palimpsest.prices/2", "models": []})",
        u"These prices have a newer schema (palimpsest.prices/2) than this program reads."_s);
    row("no models", R"({"schema": "palimpsest.prices/1"})", u"models is not a list of at least one entry."_s);
    row("a model that is none", R"({"schema": "palimpsest.prices/1", "models": [3]})",
        u"models[0] is not an object."_s);
    row("a name that is none", documentOf(R"([{"tiers": [{"input": 1, "output": 1}]}])", "[1]"),
        u"models[0].names[0] is not a name."_s);
    row("no rows", documentOf("[]"), u"models[0].prices is not a list of at least one entry."_s);
    row("a price that is a text", documentOf(R"([{"tiers": [{"input": "1", "output": 1}]}])"),
        u"models[0].prices[0].tiers[0].input is not a number, 0 or more."_s);
    row("a price below nothing", documentOf(R"([{"tiers": [{"input": 1, "output": -1}]}])"),
        u"models[0].prices[0].tiers[0].output is not a number, 0 or more."_s);
    row("no price of the output", documentOf(R"([{"tiers": [{"input": 1}]}])"),
        u"models[0].prices[0].tiers[0].output is not a number, 0 or more."_s);
    row("a day that is none", documentOf(R"([{"from": "2026-02-30", "tiers": [{"input": 1, "output": 1}]}])"),
        u"models[0].prices[0].from is not a day (`2026-10-07`)."_s);
    row("one time of day", documentOf(R"([{"hours": ["01:00"], "tiers": [{"input": 1, "output": 1}]}])"),
        u"models[0].prices[0].hours is not two times of day (`[\"00:30\", \"16:30\"]`)."_s);
    row("tiers that do not rise",
        documentOf(R"([{"tiers": [{"input": 1, "output": 1}, {"above": 0, "input": 1, "output": 1}]}])"),
        u"models[0].prices[0].tiers[1].above is not valid: it must be 0 in the first tier and grow from tier to tier."_s);
}

void PricesTest::malformedDocumentsNameTheMember()
{
    QFETCH(QString, json);
    QFETCH(QString, sentence);
    const auto prices = Prices::parse(json.toStdString(), "mine.json");
    QVERIFY(!prices.has_value());
    QCOMPARE(QString::fromStdString(prices.error().message), sentence);
    const bool hasLine = json == u"{"_s;
    QCOMPARE(prices.error().where, std::string(hasLine ? "mine.json:1" : "mine.json"));
}

void PricesTest::theBundledFileIsSmallAndDated()
{
    const std::filesystem::path file = std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/prices/prices.json";
    QVERIFY(std::filesystem::file_size(file) < 60'000);
    QCOMPARE(bundled().date().size(), size_t(10));
    QVERIFY(bundled().find("claude-sonnet-5-5")->source.contains("2026-10-07"));
}

PALIMPSEST_TEST(PricesTest)
#include "tst_prices.moc"
