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

/// The text of a file as far as it is known: known stretches and gaps between them. The stretches are ranges of shared
/// strings, so the bodies before and after an edit share everything but the edit; a body costs as many parts as edits
/// and gaps came into it, not its bytes. Each stretch knows the block that showed or wrote it.
///
/// Places in the text are counted in its flat form, in which every gap is one NUL.
class KnownText final {
public:
    struct Part {
        std::shared_ptr<const std::string> text; ///< nullptr: a gap
        size_t offset = 0;
        size_t size = 1;
        BlockId from;                  ///< who showed or wrote it; invalid: recorded beside the context
        std::optional<uint64_t> lines; ///< of a gap: so many whole lines, where that is known

        [[nodiscard]] bool isGap() const { return text == nullptr; }
        [[nodiscard]] std::string_view view() const
        {
            return isGap() ? std::string_view("\0", 1) : std::string_view(*text).substr(offset, size);
        }
    };

    /// The empty text, which is known.
    KnownText() = default;
    [[nodiscard]] static KnownText of(std::string text, BlockId from);
    /// A text of which nothing is known, or only how many lines it has.
    [[nodiscard]] static KnownText gap(std::optional<uint64_t> lines = std::nullopt);

    [[nodiscard]] const std::vector<Part> &parts() const { return m_parts; }
    [[nodiscard]] bool isWhole() const { return gapCount() == 0; }
    [[nodiscard]] size_t gapCount() const;
    [[nodiscard]] uint64_t knownBytes() const;
    /// All of it, with a NUL for each gap.
    [[nodiscard]] std::string flat() const;
    /// The same for comparing lines: each gap is a line of its own that holds a NUL and nothing else.
    [[nodiscard]] std::string lines() const;
    /// All of it, each gap as a line that says how much is not known.
    [[nodiscard]] std::string readable() const;
    /// The blocks that showed or wrote the bytes [begin, end) of the flat form, each once, in order.
    [[nodiscard]] std::vector<BlockId> origins(size_t begin, size_t end) const;

    /// Adds at the end; neighbouring gaps become one.
    void append(const KnownText &other);
    [[nodiscard]] KnownText slice(size_t begin, size_t end) const;
    /// Puts `by` in the place of [begin, end) of the flat form.
    void replace(size_t begin, size_t end, const KnownText &by);

    /// Where line `line` (0-based) begins; a gap is cut there. Nothing where gaps before it do not tell, or the text
    /// ends before.
    [[nodiscard]] std::optional<size_t> cutAtLine(uint64_t line);

    /// Whether `whole` can be this text: it holds all known stretches in order, at the lines where they stand.
    [[nodiscard]] bool fits(std::string_view whole) const;

private:
    void append(Part part);

    std::vector<Part> m_parts;
};

} // namespace core
