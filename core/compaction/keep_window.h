// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/tokens/weights.h"

#include <string>

namespace core {

/// A measure carries its unit: `0.1w` (of the model's window), `20000tok`, `6msg`.
struct Measure {
    enum class Unit : uint8_t { WindowFraction, Tokens, Messages };
    double value = 0; ///< a share from 0 to 1, or a whole number
    Unit unit = Unit::Messages;

    /// What `parseMeasure` reads as this measure: `0.1w`, `20000tok`, `6msg`.
    [[nodiscard]] std::string text() const;
    friend bool operator==(const Measure &, const Measure &) = default;
};

/// `0.1w`, `20000tok` or `20k tok`, `6msg`; blanks and capitals do not matter, `tokens` and `messages` may be written
/// out, `k` and `M` stand for thousands and millions. An error of kind Usage says what is expected.
[[nodiscard]] Result<Measure> parseMeasure(std::string_view text);

/// Index of the first slot of the keep window: the trailing slots that hold at most `keep`. Slots before it may be
/// rewritten, it and those after it stay verbatim. A window fraction is of the model's window where that is known, else
/// of the array. Token measures keep whole slots, and at least the last one; `0msg` keeps none. Costs O(blocks kept),
/// with a fraction of an unknown window O(blocks).
[[nodiscard]] size_t keepCutoff(const Transcript &transcript, const Measure &keep, const BlockTokens &tokens);

/// What a session opens with, before anybody chose: a tenth of the model's window (the Deep Agents default); for Genkit
/// the last six messages, what the compaction recipe for it keeps.
[[nodiscard]] Measure openingKeep(const Session &session);

} // namespace core
