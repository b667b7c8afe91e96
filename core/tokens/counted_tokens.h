// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/weights.h"

namespace core {

/// The best token table for a session. Exact if every call went to a model with a published encoding (blocks with
/// content other than text stay estimated: `BlockTokens::isExact`), else calibrated if enough usage was recorded, else
/// estimated. Exact counts cover the text only; providers do not publish the cost of framing. Reads every body once, at
/// about 100 MB/s a thread. The figures do not depend on the number of threads. nullptr if cancelled.
[[nodiscard]] BlockTokensPtr countedTokens(const Session &session, unsigned threads, Progress *progress);

} // namespace core
