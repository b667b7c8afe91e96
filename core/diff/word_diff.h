// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text_lines.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace core {

/// Finds the words that differ between two lines. A word is a run of letters, digits and `_`, a run of blanks, or any
/// other single character. In scripts without blanks between words each character is a word. The object keeps its
/// buffers from line to line, and one budget for all lines. Once the budget is used up, and in very long lines,
/// everything between the common prefix and the common suffix counts as different. Never splits a UTF-8 character.
class WordDiffer final {
public:
    /// Comparison steps for all lines together.
    static constexpr size_t kBudget = 16'000'000;
    /// Bytes of the two lines, without common prefix and suffix, beyond which lines are not split into words.
    static constexpr size_t kMostBytes = 256U << 10U;
    /// If a line has more changes than this, they become one change.
    static constexpr size_t kMostChanges = 512;

    /// Appends the differing spans, sorted, offset by `beforeBase` and `afterBase`. Text outside of the spans is equal
    /// on both sides and in the same order.
    void compare(std::string_view before, size_t beforeBase, std::vector<ByteSpan> &beforeSpans, std::string_view after,
        size_t afterBase, std::vector<ByteSpan> &afterSpans);

private:
    struct Word {
        uint32_t begin = 0;
        uint32_t end = 0;
        uint32_t hash = 0;
        bool isWord = false; ///< a run of letters, digits and `_`
    };
    /// Words [before, beforeEnd) were replaced by [after, afterEnd).
    struct Change {
        size_t before = 0;
        size_t beforeEnd = 0;
        size_t after = 0;
        size_t afterEnd = 0;
    };

    static void split(std::string_view text, std::vector<Word> &words);
    [[nodiscard]] bool isEqual(size_t before, size_t after) const;
    /// Fills m_changes; false if that exceeds the budget.
    [[nodiscard]] bool findChanges(size_t beforeEnd, size_t afterEnd, size_t begin);
    void mergeChanges();

    size_t m_budget = kBudget;
    std::string_view m_before;
    std::string_view m_after;
    std::vector<Word> m_beforeWords;
    std::vector<Word> m_afterWords;
    std::vector<Change> m_changes;
    std::vector<int64_t> m_furthest;
    std::vector<int64_t> m_trace;
};

} // namespace core
