// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"

#include <algorithm>
#include <array>

namespace core {

std::span<const StageKind> stageKinds()
{
    using namespace stages;
    static const std::array<StageKind, 15> kinds { acknowledgeEdits(), offloadResults(), offloadUserMessages(),
        summariseWhenAsked(), truncateResults(), pageReads(), clipArguments(), clipResults(), clipTexts(), elide(),
        clearToolUses(), dropImages(), dropThinking(), summarise(), offloadTail() };
    return kinds;
}

const StageKind *stageKind(std::string_view id)
{
    const auto kinds = stageKinds();
    const auto found = std::ranges::find(kinds, id, &StageKind::id);
    return found == kinds.end() ? nullptr : &*found;
}

} // namespace core
