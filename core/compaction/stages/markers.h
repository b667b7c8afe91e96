// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

namespace core::stages {

/// Whether `text` begins as `filled` would have made it of the pattern with these values and any others. Nothing begins
/// with a pattern that says nothing.
[[nodiscard]] bool beginsAsFilled(std::string_view text, std::string_view pattern,
    std::initializer_list<std::pair<std::string_view, std::string_view>> values);

/// Whether the result is one that the stage made already, in a session that was exported or recorded behind it: it
/// begins as the parameter `marker` says, filled in for its own call. (Within a run BlockFlag::Stub tells; a file has
/// no place for that.) What a harness shortens when it comes about it does not shorten again.
[[nodiscard]] bool isMarked(
    const StageParameters &stage, const BlockPool &pool, BlockId result, std::string_view marker);

} // namespace core::stages
