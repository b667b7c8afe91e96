// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/weights.h"

namespace core {

/// The best table that a session allows: exact where every call went to a model whose encoding is published (blocks
/// that are no text, or not all, stay estimated: `BlockTokens::isExact`), else calibrated where enough usage was
/// recorded, else estimated. Exact counts of blocks are of their text; providers do not publish what framing costs.
/// Reads every body once, at about 100 MB/s a thread; cancellable. The figures do not depend on the number of threads.
/// Returns nullptr if cancelled.
[[nodiscard]] BlockTokensPtr countedTokens(const Session &session, unsigned threads, Progress *progress);

} // namespace core
