// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/weights.h"

#include "core/base/decimal_text.h"
#include "core/tokens/image_tokens.h"
#include "core/tokens/model_family.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr double kBytesPerToken = 3.45;
constexpr double kEncryptedBytesPerToken = 6.4;
constexpr double kDocumentBytesPerPage = 50'000;
constexpr double kTokensPerPage = 2250;

uint64_t wholeNumber(double value)
{
    constexpr double kMost = 9e18; // llround gives anything beyond
    return value > 0 ? static_cast<uint64_t>(std::llround(std::min(value, kMost))) : 0;
}

/// Rounded to four significant digits, the precision of a calibrated figure: `118.0k`.
std::string fourDigits(double value)
{
    if (value < 9999.5)
        return groupedNumber(wholeNumber(value));
    const bool isMillions = value >= 999'950;
    const double scaled = isMillions ? value / 1e6 : value / 1e3;
    const int decimals = scaled < 9.9995 ? 3 : scaled < 99.995 ? 2 : scaled < 999.95 ? 1 : 0;
    return decimalText(scaled, decimals) + (isMillions ? "M" : "k");
}

} // namespace

namespace {

/// `−446`, `− ~446`: beside each other, both signs look like one.
std::string negative(const std::string &figure)
{
    return (figure.starts_with('~') ? "\u2212\u00a0" : "\u2212") + figure;
}

} // namespace

std::string shown(TokenFigure figure)
{
    if (figure.value <= -0.5)
        return negative(shown({ -figure.value, figure.basis, figure.error }));
    const uint64_t value = wholeNumber(figure.value);
    if (value == 0)
        return "0";
    switch (figure.basis) {
    case Basis::Exact:
        return groupedNumber(value);
    case Basis::Calibrated: {
        if (figure.value < kLeastBanded)
            break;
        const uint64_t percent = wholeNumber(std::ceil(figure.error * 100));
        return fourDigits(figure.value) + (percent > 0 ? " ±" + std::to_string(percent) + " %" : std::string());
    }
    case Basis::Estimated:
        break;
    }
    return shownShort(figure);
}

std::string shownShort(TokenFigure figure)
{
    if (figure.value <= -0.5)
        return negative(shownShort({ -figure.value, figure.basis, figure.error }));
    return (figure.basis == Basis::Exact ? "" : "~") + shortNumber(figure.value);
}

std::optional<double> assumedTokens(const Block &block, double factor)
{
    const auto bytes = static_cast<double>(block.body.size);
    if (block.is(BlockFlag::Encrypted))
        return bytes / kEncryptedBytesPerToken * factor;
    if (block.kind == BlockKind::Image)
        return kUnknownImageTokens;
    if (block.body.coding == Coding::Base64)
        return std::ceil(bytes / kDocumentBytesPerPage) * kTokensPerPage;
    return std::nullopt;
}

Basis BlockTokens::basisOf(std::span<const BlockId> ids) const
{
    Basis weakest = ids.empty() ? basis : Basis::Exact;
    for (const BlockId id : ids)
        weakest = std::max(weakest, basisOf(id));
    return weakest;
}

BlockTokensPtr roughTokens(const Session &session)
{
    const double factor = tokenFactor(tokenizerFamily(session.model));
    auto table = std::make_shared<BlockTokens>();
    table->tokens.reserve(session.blocks.size());
    for (const Block &block : session.blocks) {
        const double text = static_cast<double>(block.lengths.bytes) / kBytesPerToken * factor;
        table->tokens.push_back(static_cast<float>(assumedTokens(block, factor).value_or(text)));
    }
    return table;
}

double BlockTokens::of(const Transcript &transcript, const Slot &slot) const
{
    double sum = 0;
    for (const BlockId id : transcript.blocksOf(slot))
        sum += of(id);
    return sum;
}

double Weights::of(const Session &session, BlockId id) const
{
    switch (m_unit) {
    case WeightUnit::Tokens:
        break;
    case WeightUnit::Characters:
        return static_cast<double>(session.block(id).lengths.codePoints);
    case WeightUnit::Bytes:
        return static_cast<double>(session.block(id).lengths.bytes);
    }
    return m_tokens ? m_tokens->of(id) : 0.0;
}

double Weights::of(const Transcript &transcript, const Slot &slot) const
{
    double sum = 0;
    for (const BlockId id : transcript.blocksOf(slot))
        sum += of(*transcript.session(), id);
    return sum;
}

Basis Weights::basis() const
{
    if (m_unit != WeightUnit::Tokens)
        return Basis::Exact;
    return m_tokens ? m_tokens->basis : Basis::Estimated;
}

std::string Weights::shown(double weight) const { return shown(weight, {}); }

std::string Weights::shown(const Session &session, std::span<const BlockId> ids) const
{
    double weight = 0;
    for (const BlockId id : ids)
        weight += of(session, id);
    return shown(weight, ids);
}

std::string Weights::shown(double weight, std::span<const BlockId> ids) const
{
    if (m_unit != WeightUnit::Tokens || !m_tokens)
        return core::shown({ weight, basis(), 0 });
    // Recorded usage may leave encrypted thinking nothing. That is no count of it.
    if (!ids.empty() && std::abs(weight) < 0.5 && m_tokens->basisOf(ids) != Basis::Exact)
        return "~0";
    return core::shown({ weight, m_tokens->basisOf(ids), m_tokens->error });
}

std::string_view Weights::unitName() const
{
    switch (m_unit) {
    case WeightUnit::Tokens:
        return "tokens";
    case WeightUnit::Characters:
        return "characters";
    case WeightUnit::Bytes:
        return "bytes";
    }
    return "tokens";
}

} // namespace core
