// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/money/prices.h"

#include "core/base/format.h"
#include "core/base/source.h"
#include "core/base/text.h"
#include "core/json/json.h"
#include "core/json/json_error.h"
#include "core/money/price_document.h"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace core {

namespace {

constexpr std::string_view kSchema = "palimpsest.prices/";
constexpr int kVersion = 1;

/// Parses an integer; nullopt unless all of `text` is one.
std::optional<int> wholeNumber(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isDigits = !text.empty() && isDigit(text.front());
    return error == std::errc() && end == text.data() + text.size() && isDigits ? std::optional(value) : std::nullopt;
}

/// Minutes since midnight of `16:30`.
std::optional<int> minuteOf(std::string_view text)
{
    if (text.size() != 5 || text[2] != ':')
        return std::nullopt;
    const auto hour = wholeNumber(text.substr(0, 2));
    const auto minute = wholeNumber(text.substr(3, 2));
    return hour && minute && *hour < 24 && *minute < 60 ? std::optional(*hour * 60 + *minute) : std::nullopt;
}

/// Whether `rest` may follow a model name: `-20251101`, `@20251101`, `-2025-11-01`, `-latest`.
bool isDateOrLatest(std::string_view rest)
{
    if (rest == "-latest")
        return true;
    if (rest.size() == 9 && (rest[0] == '-' || rest[0] == '@'))
        return wholeNumber(rest.substr(1)).has_value() && rest.substr(1).find_first_not_of("0123456789") == rest.npos;
    return rest.size() == 11 && rest[0] == '-' && parseDay(rest.substr(1)).has_value();
}

/// Reads members of a document and remembers the first error.
class PriceReader final {
public:
    explicit PriceReader(std::string where)
        : m_where(std::move(where))
    {
    }

    Result<std::vector<PricedModel>> read(const Json &json, std::string &date)
    {
        if (!json.is_object())
            return failure(ErrorKind::Malformed, "A prices file must contain a JSON object.", m_where);
        checkSchema(json);
        date = textOf(json, "date", "", false);
        std::vector<PricedModel> models;
        for (const auto &[place, each] : listOf(json, "models", ""))
            models.push_back(modelOf(*each, place));
        if (m_error)
            return std::unexpected(*m_error);
        return models;
    }

private:
    using Places = std::vector<std::pair<std::string, const Json *>>;

    void wrong(const std::string &member, std::string_view wanted)
    {
        if (!m_error)
            m_error = Error { ErrorKind::Malformed, formatted("{} is not {}.", member, wanted), m_where };
    }

    void checkSchema(const Json &json)
    {
        const std::string schema = textOf(json, "schema", "", true);
        const auto version
            = schema.starts_with(kSchema) ? wholeNumber(std::string_view(schema).substr(kSchema.size())) : std::nullopt;
        if (!version || *version < 1)
            wrong("schema", "`palimpsest.prices/1`");
        else if (*version > kVersion)
            m_error = Error { ErrorKind::Malformed,
                formatted("These prices have a newer schema ({}) than this program reads.", schema), m_where };
    }

    static std::string under(const std::string &place, std::string_view member)
    {
        return place.empty() ? std::string(member) : place + "." + std::string(member);
    }

    Places listOf(const Json &json, std::string_view member, const std::string &place)
    {
        Places places;
        const std::string name = under(place, member);
        const auto found = json.find(member);
        if (found == json.end() || !found->is_array() || found->empty()) {
            wrong(name, "a list of at least one entry");
            return places;
        }
        for (const Json &each : *found) {
            places.emplace_back(formatted("{}[{}]", name, places.size()), &each);
            if (member != "names" && !each.is_object())
                wrong(places.back().first, "an object");
        }
        return m_error ? Places() : places;
    }

    std::string textOf(const Json &json, std::string_view member, const std::string &place, bool isNeeded)
    {
        const auto found = json.find(member);
        if (found != json.end() && found->is_string())
            return found->get<std::string>();
        if (isNeeded || found != json.end())
            wrong(under(place, member), "a text");
        return {};
    }

    PricedModel modelOf(const Json &json, const std::string &place)
    {
        PricedModel model;
        model.id = lowered(textOf(json, "id", place, true));
        model.provider = lowered(textOf(json, "provider", place, false));
        model.source = textOf(json, "source", place, false);
        for (const auto &[each, name] : listOf(json, "names", place)) {
            if (!name->is_string() || name->get_ref<const std::string &>().empty())
                wrong(each, "a name");
            else
                model.names.push_back(lowered(name->get_ref<const std::string &>()));
        }
        for (const auto &[each, row] : listOf(json, "prices", place))
            model.rows.push_back(rowOf(*row, each));
        return model;
    }

    PriceRow rowOf(const Json &json, const std::string &place)
    {
        PriceRow row;
        if (json.contains("from")) {
            row.from = parseDay(textOf(json, "from", place, true));
            if (!row.from)
                wrong(under(place, "from"), "a day (`2026-10-07`)");
        }
        if (json.contains("hours")) {
            const Json &hours = json["hours"];
            const auto at = [&](size_t i) {
                return hours.is_array() && hours.size() == 2 && hours[i].is_string()
                    ? minuteOf(hours[i].get_ref<const std::string &>())
                    : std::nullopt;
            };
            if (at(0) && at(1))
                row.dayMinutes = { *at(0), *at(1) };
            else
                wrong(under(place, "hours"), "two times of day (`[\"00:30\", \"16:30\"]`)");
        }
        for (const auto &[each, tier] : listOf(json, "tiers", place)) {
            row.tiers.push_back(tierOf(*tier, each));
            const double below = row.tiers.size() > 1 ? row.tiers[row.tiers.size() - 2].above : -1;
            if (row.tiers.size() == 1 ? row.tiers[0].above != 0 : row.tiers.back().above <= below)
                wrong(under(each, "above"), "valid: it must be 0 in the first tier and grow from tier to tier");
        }
        return row;
    }

    PriceTier tierOf(const Json &json, const std::string &place)
    {
        PriceTier tier;
        const auto amount = [&](std::string_view member, std::optional<double> otherwise) {
            const auto found = json.find(member);
            if (found == json.end() && otherwise)
                return *otherwise;
            if (found == json.end() || !found->is_number() || found->get<double>() < 0) {
                wrong(under(place, member), "a number, 0 or more");
                return 0.0;
            }
            return found->get<double>();
        };
        tier.above = amount("above", 0.0);
        tier.price.input = amount("input", std::nullopt);
        tier.price.output = amount("output", std::nullopt);
        tier.price.cacheRead = amount("cache_read", tier.price.input);
        tier.price.cacheWrite5m = amount("cache_write_5m", tier.price.input);
        tier.price.cacheWrite1h = amount("cache_write_1h", tier.price.cacheWrite5m);
        return tier;
    }

    std::string m_where;
    std::optional<Error> m_error;
};

} // namespace

double costOf(const BilledTokens &tokens, const Price &price)
{
    return (tokens.input * price.input + tokens.cacheRead * price.cacheRead + tokens.cacheWrite5m * price.cacheWrite5m
               + tokens.cacheWrite1h * price.cacheWrite1h + tokens.output * price.output)
        / kMillion;
}

bool PriceRow::holdsAt(Timestamp time) const
{
    if (from && time < *from)
        return false;
    if (!dayMinutes)
        return true;
    const auto minute = static_cast<int>(((time % kDayLength) + kDayLength) % kDayLength / 60'000);
    const auto [begin, end] = *dayMinutes;
    return begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

Prices Prices::bundled()
{
    Result<Prices> prices = parse(priceDocument(), "the prices that come with the program");
    assert(prices.has_value()); // tst_prices reads it
    return prices ? std::move(*prices) : Prices();
}

Result<Prices> Prices::parse(std::string_view json, const std::string &where)
{
    const Json document = parseJson(json);
    if (document.is_discarded()) {
        const JsonError error = jsonErrorOf(json).value_or(JsonError());
        return failure(ErrorKind::Malformed, "The prices are not valid JSON: " + error.reason + ".",
            where + ":" + std::to_string(error.line));
    }
    Prices prices;
    auto models = PriceReader(where).read(document, prices.m_date);
    if (!models)
        return std::unexpected(models.error());
    prices.m_models = std::move(*models);
    return prices;
}

Prices Prices::overlaidBy(const Prices &own) const
{
    Prices merged = *this;
    for (const PricedModel &model : own.m_models) {
        std::erase_if(merged.m_models, [&](const PricedModel &other) { return other.id == model.id; });
        for (PricedModel &other : merged.m_models)
            std::erase_if(
                other.names, [&](const std::string &name) { return std::ranges::contains(model.names, name); });
    }
    merged.m_models.insert(merged.m_models.end(), own.m_models.begin(), own.m_models.end());
    return merged;
}

const PricedModel *Prices::find(std::string_view name) const
{
    const std::string wanted = lowered(name);
    const PricedModel *dated = nullptr;
    for (const PricedModel &model : m_models) {
        std::string_view rest = wanted;
        if (rest.starts_with(model.provider) && rest.substr(model.provider.size()).starts_with('/'))
            rest.remove_prefix(model.provider.size() + 1);
        if (rest.ends_with("[1m]"))
            rest.remove_suffix(4);
        for (const std::string &each : model.names) {
            if (rest == each || wanted == each)
                return &model;
            if (rest.starts_with(each) && isDateOrLatest(rest.substr(each.size())))
                dated = &model;
        }
    }
    return dated;
}

const Price &PriceRow::of(double promptTokens) const
{
    const auto tier = std::ranges::find_last_if(
        tiers, [&](const PriceTier &each) { return each.above == 0 || promptTokens > each.above; });
    return tier.begin()->price;
}

const PriceRow *Prices::rowAt(std::string_view model, Timestamp time) const
{
    const PricedModel *found = find(model);
    if (found == nullptr)
        return nullptr;
    const auto row
        = std::ranges::find_last_if(found->rows, [&](const PriceRow &each) { return each.holdsAt(time); }).begin();
    return row != found->rows.end() ? &*row : nullptr;
}

std::optional<Price> Prices::priceAt(std::string_view model, Timestamp time, double promptTokens) const
{
    const PriceRow *row = rowAt(model, time);
    return row != nullptr ? std::optional(row->of(promptTokens)) : std::nullopt;
}

Result<Prices> pricesWith(const std::filesystem::path &own)
{
    std::error_code error;
    if (own.empty() || !std::filesystem::exists(own, error))
        return Prices::bundled();
    const auto source = Source::open(own);
    if (!source)
        return std::unexpected(source.error());
    const auto parsed = Prices::parse((*source)->bytes(), own.string());
    if (!parsed)
        return std::unexpected(parsed.error());
    return Prices::bundled().overlaidBy(*parsed);
}

} // namespace core
