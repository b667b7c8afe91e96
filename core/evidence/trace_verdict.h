// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"

#include <string>

namespace core {

/// The tokens behind a block in the final array; all tokens of the array if the block is in the prelude.
[[nodiscard]] double tokensBehind(const ContextSpans &spans, BlockId block, const BlockTokens &tokens);

/// How much of a text a partial carrier keeps: `5 of its 8 words`.
[[nodiscard]] std::string keptShareText(const Trace &trace, const TraceLane &lane);

/// The words that a carrier keeps, in the order of the text, with `…` for lost words between them. At most twelve.
[[nodiscard]] std::string keptWordsText(const Trace &trace, const TraceLane &lane);

/// A few sentences on the fate of a text at the end of the thread: still there, partly there, last sent at call n, or
/// unknown after call n. Then the effect of each compaction, the number of calls without the text, and the unlogged
/// tokens of the calls.
[[nodiscard]] std::string traceVerdict(const ContextSpans &spans, const Trace &trace,
    std::span<const UnloggedStretch> unlogged, const BlockTokens &tokens);

} // namespace core
