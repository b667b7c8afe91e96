// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <QString>

namespace ui {

/// The word for a fate, the same in the array and in all lists.
[[nodiscard]] QString fateWord(core::Fate fate);

/// The word for a kind of recorded compaction: `summary`, `clearing`. Compactions of all kinds are numbered together.
[[nodiscard]] QString compactionWord(core::CompactionKind kind);

} // namespace ui
