// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The known text of a file: known stretches with gaps between them. Stretches are ranges of shared strings, so the
/// bodies before and after an edit share all text but the edit; the memory of a body grows with the number of its edits
/// and gaps, not its bytes. Each stretch has the block that showed or wrote it.
///
/// Offsets refer to the flat form, in which every gap is one NUL.
class KnownText final {
public:
    struct Part {
        std::shared_ptr<const std::string> text; ///< nullptr: a gap
        size_t offset = 0;
        size_t size = 1;
        BlockId from;                  ///< the block that showed or wrote it; invalid: recorded beside the context
        std::optional<uint64_t> lines; ///< for a gap: its number of whole lines, if known

        [[nodiscard]] bool isGap() const { return text == nullptr; }
        [[nodiscard]] std::string_view view() const
        {
            return isGap() ? std::string_view("\0", 1) : std::string_view(*text).substr(offset, size);
        }
    };

    /// An empty file, completely known.
    KnownText() = default;
    [[nodiscard]] static KnownText of(std::string text, BlockId from);
    /// A completely unknown text, possibly with a known number of lines.
    [[nodiscard]] static KnownText gap(std::optional<uint64_t> lines = std::nullopt);

    [[nodiscard]] const std::vector<Part> &parts() const { return m_parts; }
    [[nodiscard]] bool isWhole() const { return gapCount() == 0; }
    [[nodiscard]] size_t gapCount() const;
    [[nodiscard]] uint64_t knownBytes() const;
    /// The whole text, with a NUL for each gap.
    [[nodiscard]] std::string flat() const;
    /// The same for comparing lines: each gap becomes a line with a NUL only.
    [[nodiscard]] std::string lines() const;
    /// The whole text; a line in place of each gap says how much is unknown.
    [[nodiscard]] std::string readable() const;
    /// The blocks that showed or wrote the bytes [begin, end) of the flat form, in order, each once.
    [[nodiscard]] std::vector<BlockId> origins(size_t begin, size_t end) const;

    /// Merges a gap at the end with a gap at the start of `other`.
    void append(const KnownText &other);
    [[nodiscard]] KnownText slice(size_t begin, size_t end) const;
    /// Replaces [begin, end) of the flat form by `by`.
    void replace(size_t begin, size_t end, const KnownText &by);

    /// The offset of line `line` (0-based); splits a gap there. nullopt if a gap before it has no known line count, or
    /// the text is shorter.
    [[nodiscard]] std::optional<size_t> cutAtLine(uint64_t line);

    /// Whether `whole` can be this text: it contains all known stretches in order, at their line numbers.
    [[nodiscard]] bool fits(std::string_view whole) const;

private:
    void append(Part part);

    std::vector<Part> m_parts;
};

} // namespace core
