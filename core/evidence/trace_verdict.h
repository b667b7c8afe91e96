// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"

#include <string>

namespace core {

/// How many tokens of the array at the end stand behind a block of it; all of them for one of the prelude.
[[nodiscard]] double tokensBehind(const ContextSpans &spans, BlockId block, const BlockTokens &tokens);

/// How much of a text a partial carrier keeps: `5 of its 8 words`.
[[nodiscard]] std::string keptShareText(const Trace &trace, const TraceLane &lane);

/// The words that a carrier keeps, in the order of the text, `…` where some between are lost; at most twelve.
[[nodiscard]] std::string keptWordsText(const Trace &trace, const TraceLane &lane);

/// What became of a text by the end of the thread, in sentences: still there, partly there, last sent at call n, or not
/// known after call n; then what each compaction did to it, how many calls ran without it, and how many tokens of the
/// calls are not in the log.
[[nodiscard]] std::string traceVerdict(const ContextSpans &spans, const Trace &trace,
    std::span<const UnloggedStretch> unlogged, const BlockTokens &tokens);

} // namespace core
