// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

namespace core::stages {

/// Whether `text` begins with a text that `filled` can make from this pattern and these values. Values that are not
/// given may be anything. Always false for an empty pattern.
[[nodiscard]] bool beginsAsFilled(std::string_view text, std::string_view pattern,
    std::initializer_list<std::pair<std::string_view, std::string_view>> values);

/// Whether the stage has already produced this result, in a session that was exported or recorded after it: it starts
/// with the parameter `marker`, filled in for its call. (Within a run BlockFlag::Stub marks such blocks, but a file
/// cannot store the flag.) A harness that shortens texts as it meets them does not shorten them again.
[[nodiscard]] bool isMarked(
    const StageParameters &stage, const BlockPool &pool, BlockId result, std::string_view marker);

} // namespace core::stages
