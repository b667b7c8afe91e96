// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/finding.h"

#include <span>

/// All kinds of findings. To add one, write a file that defines `const FindingKind NAME`, and name it here.
#define PALIMPSEST_FINDING_KINDS(KIND)                                                                                 \
    KIND(kLostMessages)                                                                                                \
    KIND(kLostFacts)                                                                                                   \
    KIND(kNearWindow)                                                                                                  \
    KIND(kEditsOnLostText)                                                                                             \
    KIND(kUnusedResends)                                                                                               \
    KIND(kRepeatedTexts)                                                                                               \
    KIND(kPresetCuts)                                                                                                  \
    KIND(kCacheBreaks)                                                                                                 \
    KIND(kSilentClearings)                                                                                             \
    KIND(kUnloggedTexts)                                                                                               \
    KIND(kRepeatedReads)                                                                                               \
    KIND(kFailedEdits)                                                                                                 \
    KIND(kStoppedEdits)

namespace core {

#define PALIMPSEST_DECLARE_FINDING_KIND(name) extern const FindingKind name;
PALIMPSEST_FINDING_KINDS(PALIMPSEST_DECLARE_FINDING_KIND)
#undef PALIMPSEST_DECLARE_FINDING_KIND

/// The kinds of the table above.
[[nodiscard]] std::span<const FindingKind *const> findingKinds();
/// nullptr if there is none with this id.
[[nodiscard]] const FindingKind *findingKind(std::string_view id);

} // namespace core
