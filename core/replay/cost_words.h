// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_figures.h"

namespace core {

/// Paragraphs of short sentences, empty without prices.
struct CostParagraphs {
    std::vector<std::string> answer;  ///< what a policy would cost beside the recorded run
    std::vector<std::string> details; ///< how that compares with usage, and when the first compaction has paid back
};
[[nodiscard]] CostParagraphs costParagraphs(const PolicyFigures &policy, const RecordedFigures &recorded);

} // namespace core
