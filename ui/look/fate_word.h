// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <QString>

namespace ui {

/// What became of a slot or block, in a word: the same in the array and in every list.
[[nodiscard]] QString fateWord(core::Fate fate);

/// What kind of compaction a harness recorded, in a word: `summary`, `clearing`. Every kind is a compaction, and all
/// are numbered together.
[[nodiscard]] QString compactionWord(core::CompactionKind kind);

} // namespace ui
