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

/// In what a slot's size is measured.
enum class WeightUnit : uint8_t { Tokens, Characters, Bytes };

/// How far a token figure can be trusted; shown with every figure.
enum class Basis : uint8_t {
    Exact,      ///< counted by the provider or with its own encoding: `117,980`
    Calibrated, ///< fitted to recorded usage: `118.0k ±2 %`
    Estimated,  ///< from the text alone: `~118k`
};

struct TokenFigure {
    double value = 0;
    Basis basis = Basis::Estimated;
    double error = 0; ///< half-width as a share of the value, where a calibration knows it
};

/// A calibration's band is that of prompts: sums of fewer tokens scatter more, and are shown as estimated.
inline constexpr double kLeastBanded = 30'000;

/// `117,980` if exact, `118.0k ±2 %` if calibrated, `~118k` if estimated or too little for a band: never more digits
/// than a figure deserves. Nothing is exactly nothing: `0`.
[[nodiscard]] std::string shown(TokenFigure figure);
/// `118k` if exact, else `~118k`: where there is little room.
[[nodiscard]] std::string shownShort(TokenFigure figure);

/// Tokens of every block of a session. Immutable; one table a session, made by a job.
struct BlockTokens {
    std::vector<float> tokens;      ///< by BlockId
    Basis basis = Basis::Estimated; ///< of sums of blocks: the weakest of theirs
    /// Of a calibrated table: half-width of the band that shows with its figures, as a share (see calibration.h).
    double error = 0;
    std::vector<bool> isExact; ///< by BlockId, where single blocks are known better than sums; else empty
    /// False while only lengths are known and `tokens` holds bytes divided by a constant.
    bool isCounted = false;

    [[nodiscard]] double of(BlockId id) const { return id.index() < tokens.size() ? tokens[id.index()] : 0.0; }
    /// The sum of a slot's blocks.
    [[nodiscard]] double of(const Transcript &transcript, const Slot &slot) const;
    [[nodiscard]] Basis basisOf(BlockId id) const
    {
        return id.index() < isExact.size() && isExact[id.index()] ? Basis::Exact : basis;
    }
    /// The weakest basis of these blocks: what their sum may be called.
    [[nodiscard]] Basis basisOf(std::span<const BlockId> ids) const;
};
using BlockTokensPtr = std::shared_ptr<const BlockTokens>;

/// At once, without reading text: from lengths only. To be replaced by `estimateTokens` when that is done.
/// Text is 3.45 bytes a token of o200k_base (24,001 slots of a synthetic Claude Code file: half of the slots are within
/// 12 %, nine in ten within 29 %) × the factor of the session's model; what is not text is a flat assumption.
[[nodiscard]] BlockTokensPtr roughTokens(const Session &session);

/// Estimates from the text: pre-token pieces × a published factor (see estimate.h). Reads every body once, on up to
/// `threads` threads; cancellable. The figures do not depend on the number of threads. Returns nullptr if cancelled.
[[nodiscard]] BlockTokensPtr estimateTokens(const Session &session, unsigned threads, Progress *progress);

/// Tokens of a body that is not text (base64 of an image, a document, something encrypted), without looking at it;
/// nothing for text. `factor` is that of the model's tokenizer. Assumptions: an image 1,500; an encrypted body one
/// token for 6.4 bytes of base64 (34 responses of one Codex recording that also tells their reasoning tokens: a guess
/// for any other); a document one page for 50,000 bytes of base64 (a guess), 2,250 tokens a page (the middle of what
/// the vendor says of PDF pages).
[[nodiscard]] std::optional<double> assumedTokens(const Block &block, double factor);

/// The weight of blocks and slots in one unit.
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
    /// Characters and bytes are exact counts; tokens are what their table says.
    [[nodiscard]] Basis basis() const;
    /// A weight as text, with the marks of its basis: `14,521`, `~3.7k`.
    [[nodiscard]] std::string shown(double weight) const;
    /// The same of a sum of these blocks only, which is exact where every one of them is.
    [[nodiscard]] std::string shown(double weight, std::span<const BlockId> ids) const;
    /// The unit's name for a sum: `tokens`, `characters`, `bytes`.
    [[nodiscard]] std::string_view unitName() const;

private:
    BlockTokensPtr m_tokens;
    WeightUnit m_unit = WeightUnit::Tokens;
};

/// What recorded usage proves was sent with a call and the log does not hold: system prompt, tools, and after a
/// recorded compaction whatever the harness put back. All token figures estimated, except `recorded`. Never negative.
struct Unlogged {
    double prelude = 0;   ///< as found at the first call with usage, or less behind a compaction; 0 if it is recorded
    double remainder = 0; ///< beyond the prelude, since the last recorded compaction before the call
    double recorded = 0;  ///< the call's prompt tokens, exact; 0 if there is no usage
};

/// Prelude: the recorded prompt of the thread's first call with usage less the weight of its array. Remainder: the same
/// of the first call with usage after the last recorded summary or replacement before `position`, less the prelude or,
/// where that is recorded, its weight; where it was sent less than the prelude, that shrinks. The same figures until
/// the next one; clearings and rollbacks put nothing back. Costs O(calls + blocks of two arrays).
[[nodiscard]] Unlogged unloggedAt(const Session &session, Position position, const BlockTokens &tokens);

} // namespace core
