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

/// Prices are for so many tokens.
inline constexpr double kMillion = 1e6;

/// Prices of one request, in dollars for a million tokens. What a provider has no price of its own for (cache writes of
/// most, cache reads of some) is billed as input, and stands here so.
struct Price {
    double input = 0;
    double output = 0;
    double cacheRead = 0;
    double cacheWrite5m = 0; ///< kept for the provider's usual time: Anthropic five minutes, OpenAI half an hour
    double cacheWrite1h = 0;
    friend bool operator==(const Price &, const Price &) = default;
};

/// Tokens of one request by how they are billed. A prompt is all of them but the output.
struct BilledTokens {
    double input = 0; ///< neither read from nor written to a cache
    double cacheRead = 0;
    double cacheWrite5m = 0;
    double cacheWrite1h = 0;
    double output = 0;

    [[nodiscard]] double prompt() const { return input + cacheRead + cacheWrite5m + cacheWrite1h; }
};

/// In dollars.
[[nodiscard]] double costOf(const BilledTokens &tokens, const Price &price);

/// From so many prompt tokens on (more than `above`) the whole request has these prices: a cliff, not a bracket.
struct PriceTier {
    double above = 0;
    Price price;
};

/// Prices of a model for a time.
struct PriceRow {
    std::optional<Timestamp> from;                ///< midnight UTC of the first day
    std::optional<std::array<int, 2>> dayMinutes; ///< only from and until this minute of every day, UTC
    std::vector<PriceTier> tiers;                 ///< increasing; the first is above 0

    [[nodiscard]] bool holdsAt(Timestamp time) const;
    [[nodiscard]] const Price &of(double promptTokens) const;
};

struct PricedModel {
    std::string id;
    std::string provider;
    std::vector<std::string> names; ///< in small letters
    std::vector<PriceRow> rows;     ///< of those that hold the last one counts
    std::string source;             ///< where a correction is from; empty for what the package has
};

/// What models cost: the document `palimpsest.prices/1` (resources/prices/README.md says its members), and the user's
/// own of the same shape laid over it. A model that no name fits has no price; names are never fitted by how they
/// begin.
class Prices final {
public:
    /// The prices that the program comes with; parsed anew at every call.
    [[nodiscard]] static Prices bundled();

    /// An error names the member: `models[3].prices[0].tiers[1].input`.
    [[nodiscard]] static Result<Prices> parse(std::string_view json, const std::string &where);

    /// Models of `own` take the place of those with the same id, or are added; names that they claim are theirs alone.
    [[nodiscard]] Prices overlaidBy(const Prices &own) const;

    /// The model that is meant by a recorded name: it whole, or with the provider and `/` before it, or with a date,
    /// `-latest` or `[1m]` behind it; a whole name goes before a dated one. Nullptr if none is. O(names).
    [[nodiscard]] const PricedModel *find(std::string_view name) const;

    /// The prices of a model at a time; nullptr for an unknown model, or before its first row. O(names).
    [[nodiscard]] const PriceRow *rowAt(std::string_view model, Timestamp time) const;
    /// Nothing for an unknown model, or at a time before its first row.
    [[nodiscard]] std::optional<Price> priceAt(std::string_view model, Timestamp time, double promptTokens) const;

    [[nodiscard]] const std::string &date() const { return m_date; } ///< of the snapshot: `2026-11-21`
    [[nodiscard]] const std::vector<PricedModel> &models() const { return m_models; }

private:
    std::string m_date;
    std::vector<PricedModel> m_models;
};

/// The prices of the program with those of a file of the user's own laid over them, where there is such a file.
[[nodiscard]] Result<Prices> pricesWith(const std::filesystem::path &own);

} // namespace core
