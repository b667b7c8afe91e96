// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/exact_tokens.h"
#include "core/tokens/weights.h"

namespace core {

/// The best token table for a session. Exact if every call went to a model with a published encoding (blocks with
/// content other than text stay estimated: `BlockTokens::isExact`), else calibrated if enough usage was recorded, else
/// estimated. Exact counts cover the text only; providers do not publish the cost of framing. Reads every body once, at
/// about 100 MB/s a thread. The figures do not depend on the number of threads. nullptr if cancelled.
[[nodiscard]] BlockTokensPtr countedTokens(const Session &session, unsigned threads, Progress *progress);

/// A token table, and the counts of single blocks that it was made from. If the session has grown, a new table needs
/// only the counts of the new blocks.
struct TokenCount {
    BlockTokensPtr table;    ///< nullptr if cancelled
    ExactTokensPtr exact;    ///< nullptr if `table` is an estimate
    std::string model;       ///< of the session
    size_t countedCount = 0; ///< blocks whose text was read
};
/// The same table as `countedTokens`. `before` counts a session whose blocks are the first of this one (`continues`).
[[nodiscard]] TokenCount countTokens(
    const Session &session, unsigned threads, Progress *progress, const TokenCount &before = {});

} // namespace core
