// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "ui/diff/diff_view.h"

namespace ui {

/// A block before and after a rewrite. The texts are read in jobs, which keep the compaction alive.
[[nodiscard]] DiffInput rewriteDiff(const core::CompactionPtr &made, const core::Rewrite &rewrite);

/// The original of an artifact, and the artifact.
[[nodiscard]] DiffInput artifactDiff(const core::CompactionPtr &made, const core::Artifact &artifact);

} // namespace ui
