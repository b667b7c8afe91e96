// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"

#include <algorithm>
#include <array>

namespace core {

std::span<const StageKind> stageKinds()
{
#define PALIMPSEST_MAKE(name) stages::name(),
    static const std::array kinds { PALIMPSEST_STAGES(PALIMPSEST_MAKE) };
#undef PALIMPSEST_MAKE
    return kinds;
}

const StageKind *stageKind(std::string_view id)
{
    const auto kinds = stageKinds();
    const auto found = std::ranges::find(kinds, id, &StageKind::id);
    return found == kinds.end() ? nullptr : &*found;
}

} // namespace core
