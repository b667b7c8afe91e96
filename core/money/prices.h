// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/session/session.h"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The number of tokens that prices refer to.
inline constexpr double kMillion = 1e6;

/// Prices of one request in dollars for a million tokens. Where a provider has no separate price (cache writes of most,
/// cache reads of some), the member holds the input price.
struct Price {
    double input = 0;
    double output = 0;
    double cacheRead = 0;
    double cacheWrite5m = 0; ///< the default lifetime: Anthropic five minutes, OpenAI half an hour
    double cacheWrite1h = 0;
    friend bool operator==(const Price &, const Price &) = default;
};

/// Tokens of one request by how they are billed. All but the output add up to the prompt.
struct BilledTokens {
    double input = 0; ///< neither read from a cache nor written to one
    double cacheRead = 0;
    double cacheWrite5m = 0;
    double cacheWrite1h = 0;
    double output = 0;

    [[nodiscard]] double prompt() const { return input + cacheRead + cacheWrite5m + cacheWrite1h; }
};

/// In dollars.
[[nodiscard]] double costOf(const BilledTokens &tokens, const Price &price);

/// Prices of a request with more than `above` prompt tokens. All tokens of the request have this price, not only those
/// above the limit.
struct PriceTier {
    double above = 0;
    Price price;
};

/// Prices of a model from a date on.
struct PriceRow {
    std::optional<Timestamp> from;                ///< midnight UTC of the first day; nullopt: always
    std::optional<std::array<int, 2>> dayMinutes; ///< restricts the row to these minutes of every day, UTC: from and
                                                  ///< until
    std::vector<PriceTier> tiers;                 ///< ascending; the first is above 0

    [[nodiscard]] bool holdsAt(Timestamp time) const;
    [[nodiscard]] const Price &of(double promptTokens) const;
};

struct PricedModel {
    std::string id;
    std::string provider;
    std::vector<std::string> names; ///< lower-case
    std::vector<PriceRow> rows;     ///< if several apply, the last counts
    std::string source;             ///< the source of a correction; empty for prices from the package
};

/// Model prices: the document `palimpsest.prices/1` (described in resources/prices/README.md), overlaid by the user's
/// own document of the same schema. A model matches by its whole name, never by a prefix; an unmatched model has no
/// price.
class Prices final {
public:
    /// The built-in prices; parses the document at every call.
    [[nodiscard]] static Prices bundled();

    /// Errors name the member: `models[3].prices[0].tiers[1].input`.
    [[nodiscard]] static Result<Prices> parse(std::string_view json, const std::string &where);

    /// Models of `own` replace those with the same id or are added. A name that `own` uses no longer matches any other
    /// model.
    [[nodiscard]] Prices overlaidBy(const Prices &own) const;

    /// The model with this recorded name, which may have a provider and `/` in front, or a date, `-latest` or `[1m]`
    /// behind. An exact match takes precedence. nullptr if there is none. O(names).
    [[nodiscard]] const PricedModel *find(std::string_view name) const;

    /// The price row of a model at a time; nullptr for an unknown model or before its first row. O(names).
    [[nodiscard]] const PriceRow *rowAt(std::string_view model, Timestamp time) const;
    /// nullopt for an unknown model or before its first row.
    [[nodiscard]] std::optional<Price> priceAt(std::string_view model, Timestamp time, double promptTokens) const;

    [[nodiscard]] const std::string &date() const { return m_date; } ///< date of the price snapshot: `2026-11-21`
    [[nodiscard]] const std::vector<PricedModel> &models() const { return m_models; }

private:
    std::string m_date;
    std::vector<PricedModel> m_models;
};

/// The built-in prices overlaid by the user's file, if it exists.
[[nodiscard]] Result<Prices> pricesWith(const std::filesystem::path &own);

} // namespace core
