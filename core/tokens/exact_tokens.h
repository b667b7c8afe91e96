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

/// Tokens of one text, counted on up to `threads` threads; nothing if cancelled. The text is cut where no piece can
/// reach across (see `lastSafeCut`), so one that has no such place is one thread's work.
[[nodiscard]] std::optional<uint64_t> countText(
    std::string_view text, const RanksPtr &ranks, unsigned threads, Progress *progress = nullptr);

/// Tokens of each of many texts, equal ones counted once; nothing if cancelled. The figures do not depend on the number
/// of threads.
[[nodiscard]] std::optional<std::vector<uint64_t>> countTexts(
    std::span<const std::string_view> texts, const RanksPtr &ranks, unsigned threads, Progress *progress = nullptr);

/// What of a block can be counted.
struct ExactCount {
    uint64_t tokens = 0; ///< of its text; of a tool call its name's and its arguments', each as `Session::text` has it
    bool isWhole = true; ///< false if it holds what is no text: an image, a document, an encrypted body

    friend bool operator==(const ExactCount &, const ExactCount &) = default;
};

/// Exact tokens of every block of a session in one encoding. Nothing is added for messages, roles or tool framing,
/// which providers do not publish. Immutable; made by a job.
class ExactTokens final {
public:
    [[nodiscard]] Encoding encoding() const { return m_encoding; }
    [[nodiscard]] ExactCount of(BlockId id) const { return m_counts[id.index()]; }
    /// Bodies that had to be read for it: neither equal to another one nor known from before.
    [[nodiscard]] size_t countedBodies() const { return m_countedBodies; }

private:
    friend std::shared_ptr<const ExactTokens> exactTokens(
        const Session &session, const RanksPtr &ranks, unsigned threads, Progress *progress, const ExactTokens *known);

    Encoding m_encoding = Encoding::O200kBase;
    std::vector<ExactCount> m_counts; ///< by BlockId
    HashIndex m_bodyOf;               ///< by content: index of m_bodies
    std::vector<ExactCount> m_bodies;
    size_t m_countedBodies = 0;
};
using ExactTokensPtr = std::shared_ptr<const ExactTokens>;

/// Counts the blocks of a session on up to `threads` threads; nullptr if cancelled. Bodies of equal content are counted
/// once; those that `known` holds, of the same encoding (an earlier reading of the file, the session before a
/// compaction), not again. Content is compared by its 128-bit hash. The figures depend on neither.
[[nodiscard]] ExactTokensPtr exactTokens(const Session &session, const RanksPtr &ranks, unsigned threads,
    Progress *progress = nullptr, const ExactTokens *known = nullptr);

} // namespace core
