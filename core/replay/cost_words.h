// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_figures.h"

namespace core {

/// What a policy would cost beside the recorded run, how the recorded cost compares with usage, and when the first
/// compaction has paid for itself: a paragraph each, of short sentences. Empty without prices.
[[nodiscard]] std::vector<std::string> costParagraphs(const PolicyFigures &policy, const RecordedFigures &recorded);

} // namespace core
