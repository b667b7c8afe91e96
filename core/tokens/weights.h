// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/session/transcript.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace core {

/// The unit of a slot's size.
enum class WeightUnit : uint8_t { Tokens, Characters, Bytes };

/// How reliable a token figure is; shown with every figure.
enum class Basis : uint8_t {
    Exact,      ///< counted by the provider or with the model's encoding: `117,980`
    Calibrated, ///< fitted to recorded usage: `118.0k ±2 %`
    Estimated,  ///< from the text alone: `~118k`
};

struct TokenFigure {
    double value = 0;
    Basis basis = Basis::Estimated;
    double error = 0; ///< half-width relative to the value, if calibrated
};

/// A calibration's band applies to prompts. Sums below this scatter more and are shown as estimated.
inline constexpr double kLeastBanded = 30'000;

/// `117,980` if exact, `118.0k ±2 %` (four digits) if calibrated, `~118k` (at most three) if estimated or below
/// kLeastBanded. Zero is always `0`; a negative figure has its sign first: `−~118k`.
[[nodiscard]] std::string shown(TokenFigure figure);
/// For narrow places: `118k` if exact, else `~118k`.
[[nodiscard]] std::string shownShort(TokenFigure figure);

/// The tokens of every block of a session. Immutable; computed by a job, one table per session.
struct BlockTokens {
    std::vector<float> tokens;      ///< by BlockId
    Basis basis = Basis::Estimated; ///< of sums of blocks: their weakest basis
    /// For a calibrated table: half-width of the shown band, relative (see calibration.h).
    double error = 0;
    std::vector<bool> isExact; ///< by BlockId, if single blocks are more certain than sums; else empty
    /// A block of thinking that weighs less once its turn is over, because the provider then leaves it out.
    struct Thinking {
        BlockId block;
        float open = 0; ///< until the next message of the user
        float past = 0; ///< behind it
    };
    std::vector<Thinking> thinking; ///< by block, ascending; in `tokens` they weigh as at the end of their thread
    /// False if `tokens` only holds bytes divided by a constant, until bodies have been read.
    bool isCounted = false;

    [[nodiscard]] double of(BlockId id) const { return id.index() < tokens.size() ? tokens[id.index()] : 0.0; }
    /// Sum over a slot's blocks.
    [[nodiscard]] double of(const Transcript &transcript, const Slot &slot) const;
    [[nodiscard]] Basis basisOf(BlockId id) const
    {
        return id.index() < isExact.size() && isExact[id.index()] ? Basis::Exact : basis;
    }
    /// The weakest basis of these blocks, which is the basis of their sum.
    [[nodiscard]] Basis basisOf(std::span<const BlockId> ids) const;
};
using BlockTokensPtr = std::shared_ptr<const BlockTokens>;

/// A first table from lengths alone, without reading text; replace it by `estimateTokens`. Text counts 3.45 bytes per
/// o200k_base token (24,001 slots of a synthetic Claude Code file: half of the slots are within 12 %, nine in ten
/// within 29 %) × the factor of the session's model; other content has a flat assumption.
[[nodiscard]] BlockTokensPtr roughTokens(const Session &session);

/// Estimates from the text: pre-token pieces × a published factor (see estimate.h). Reads every body once, on up to
/// `threads` threads. The figures do not depend on the number of threads. nullptr if cancelled.
[[nodiscard]] BlockTokensPtr estimateTokens(const Session &session, unsigned threads, Progress *progress);

/// Assumed tokens of a body that is not text (base64 of an image or document, encrypted data), without reading it;
/// nullopt for text. `factor` is the tokenizer's. Assumptions: an image 1,500; an encrypted body one token per 6.4
/// bytes of base64 (from 34 responses of one Codex recording with recorded reasoning tokens; a guess for others); a
/// document one page per 50,000 bytes of base64 (a guess) and 2,250 tokens a page (the middle of the vendor's range for
/// PDF pages).
[[nodiscard]] std::optional<double> assumedTokens(const Block &block, double factor);

/// The weights of blocks and slots in one unit.
class Weights final {
public:
    Weights() = default;
    Weights(BlockTokensPtr tokens, WeightUnit unit)
        : m_tokens(std::move(tokens))
        , m_unit(unit)
    {
    }

    [[nodiscard]] WeightUnit unit() const { return m_unit; }
    [[nodiscard]] const BlockTokensPtr &tokens() const { return m_tokens; }
    [[nodiscard]] double of(const Session &session, BlockId id) const;
    [[nodiscard]] double of(const Transcript &transcript, const Slot &slot) const;
    /// Exact for characters and bytes; for tokens the basis of the table.
    [[nodiscard]] Basis basis() const;
    /// A weight in the notation of its basis: `14,521`, `~3.7k`.
    [[nodiscard]] std::string shown(double weight) const;
    /// The same for a sum over these blocks, which is exact if each of them is.
    [[nodiscard]] std::string shown(double weight, std::span<const BlockId> ids) const;
    /// The sum over these blocks.
    [[nodiscard]] std::string shown(const Session &session, std::span<const BlockId> ids) const;
    /// The unit of a sum: `tokens`, `characters`, `bytes`.
    [[nodiscard]] std::string_view unitName() const;

private:
    BlockTokensPtr m_tokens;
    WeightUnit m_unit = WeightUnit::Tokens;
};

} // namespace core
