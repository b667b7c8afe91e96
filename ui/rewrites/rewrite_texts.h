// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <string>

namespace ui {

/// The text that a rewrite found: of the member it names, else of the whole block; empty for something added. Reads the
/// session: any thread. An error if the file changed under us.
[[nodiscard]] core::Result<std::string> textBefore(const core::Compaction &compaction, const core::Rewrite &rewrite);
/// What it left; empty where nothing stands in its place.
[[nodiscard]] core::Result<std::string> textAfter(const core::Compaction &compaction, const core::Rewrite &rewrite);
/// The texts that an artifact was made of, in their order, between blank lines.
[[nodiscard]] core::Result<std::string> originalOf(const core::Compaction &compaction, const core::Artifact &artifact);

/// What there is to say of a rewrite beyond its row.
struct RewriteFacts {
    std::string artifact;   ///< its name; empty if the harness keeps none
    std::string difference; ///< how the artifact differs from the original; empty if it does not
};
/// Costs the texts of the artifact.
[[nodiscard]] RewriteFacts factsOf(const core::Compaction &compaction, const core::Rewrite &rewrite);

/// What there is to say of an artifact.
struct ArtifactFacts {
    uint64_t bytes = 0;
    std::string difference; ///< from what it was made of, in a sentence; empty if it holds that byte for byte
};
/// Of all of them. Costs their texts.
[[nodiscard]] std::vector<ArtifactFacts> artifactFacts(
    const core::Compaction &compaction, const core::Progress &progress);

} // namespace ui
