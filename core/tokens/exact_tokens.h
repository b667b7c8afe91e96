// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash_index.h"
#include "core/base/progress.h"
#include "core/session/session.h"
#include "core/tokens/ranks.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// Counts the tokens of one text on up to `threads` threads; nullopt if cancelled. Cuts the text only at safe cuts (see
/// `lastSafeCut`), so a text without one is counted on one thread.
[[nodiscard]] std::optional<uint64_t> countText(
    std::string_view text, const RanksPtr &ranks, unsigned threads, Progress *progress = nullptr);

/// Counts the tokens of each of many texts; equal texts are counted once. nullopt if cancelled. The figures do not
/// depend on the number of threads.
[[nodiscard]] std::optional<std::vector<uint64_t>> countTexts(
    std::span<const std::string_view> texts, const RanksPtr &ranks, unsigned threads, Progress *progress = nullptr);

/// The countable part of a block.
struct ExactCount {
    uint64_t tokens = 0; ///< its text; for a tool call its name and its arguments, each as `Session::text` writes them
    bool isWhole = true; ///< false if it has other content: an image, a document, an encrypted body

    friend bool operator==(const ExactCount &, const ExactCount &) = default;
};

/// Exact token counts of every block of a session in one encoding. Nothing is added for messages, roles or tool
/// framing, whose cost providers do not publish. Immutable; computed by a job.
class ExactTokens final {
public:
    [[nodiscard]] Encoding encoding() const { return m_encoding; }
    [[nodiscard]] ExactCount of(BlockId id) const { return m_counts[id.index()]; }
    [[nodiscard]] size_t blockCount() const { return m_counts.size(); }
    /// Bodies read for this table: neither equal to another body nor found in `known`.
    [[nodiscard]] size_t countedBodies() const { return m_countedBodies; }

private:
    friend std::shared_ptr<const ExactTokens> exactTokens(const Session &session, const RanksPtr &ranks,
        unsigned threads, Progress *progress, const ExactTokens *known, size_t same);

    Encoding m_encoding = Encoding::O200kBase;
    std::vector<ExactCount> m_counts; ///< by BlockId
    HashIndex m_bodyOf;               ///< by content hash: index into m_bodies
    std::vector<ExactCount> m_bodies;
    size_t m_countedBodies = 0;
};
using ExactTokensPtr = std::shared_ptr<const ExactTokens>;

/// Counts the blocks of a session on up to `threads` threads; nullptr if cancelled. Counts equal bodies once, and takes
/// counts from `known`, a table of the same encoding (an earlier reading of the file, the session before a compaction).
/// Bodies are compared by 128-bit hash. The first `same` blocks are those of `known` and are not read at all. The
/// figures depend neither on `threads` nor on `known`.
[[nodiscard]] ExactTokensPtr exactTokens(const Session &session, const RanksPtr &ranks, unsigned threads,
    Progress *progress = nullptr, const ExactTokens *known = nullptr, size_t same = 0);

} // namespace core
