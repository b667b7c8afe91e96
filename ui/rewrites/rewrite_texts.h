// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <string>

namespace ui {

/// The text before a rewrite: of the member it names, else of the whole block; empty for an added block. Reads the
/// session; any thread. Fails if the file has changed.
[[nodiscard]] core::Result<std::string> textBefore(const core::Compaction &compaction, const core::Rewrite &rewrite);
/// The new text of a rewrite; empty if nothing replaces the block.
[[nodiscard]] core::Result<std::string> textAfter(const core::Compaction &compaction, const core::Rewrite &rewrite);
/// The original texts of an artifact, in order, separated by blank lines.
[[nodiscard]] core::Result<std::string> originalOf(const core::Compaction &compaction, const core::Artifact &artifact);

/// Facts about a rewrite that its row does not show.
struct RewriteFacts {
    std::string artifact;   ///< its name; empty if the harness keeps none
    std::string difference; ///< how the artifact differs from the original; empty if it does not
};
/// Costs the texts of the artifact.
[[nodiscard]] RewriteFacts factsOf(const core::Compaction &compaction, const core::Rewrite &rewrite);

/// Facts about an artifact.
struct ArtifactFacts {
    uint64_t bytes = 0;
    std::string difference; ///< from its originals, in a sentence; empty if it holds them byte for byte
};
/// Reads the texts of all artifacts.
[[nodiscard]] std::vector<ArtifactFacts> artifactFacts(
    const core::Compaction &compaction, const core::Progress &progress);

} // namespace ui
