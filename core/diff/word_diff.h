// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text_lines.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace core {

/// Finds the words that differ between two lines. Words are runs of letters, digits and `_`, runs of blanks, and every
/// other character alone; characters of scripts without blanks between words are words of their own. Holds its buffers
/// between lines, and a budget for all of them together: when it is used up, or a line is very long, what lies between
/// the common beginning and the common end counts as different. Characters of UTF-8 are not split.
class WordDiffer final {
public:
    /// Steps of comparison for all lines together.
    static constexpr size_t kBudget = 16'000'000;
    /// Of two lines, beyond their common beginning and end, at most so many bytes are split into words.
    static constexpr size_t kMostBytes = 256U << 10U;
    /// More changes in a line than this are one change.
    static constexpr size_t kMostChanges = 512;

    /// Appends the spans that differ, sorted, counted from `beforeBase` and `afterBase`. What is not in them is equal
    /// on both sides, in order.
    void compare(std::string_view before, size_t beforeBase, std::vector<ByteSpan> &beforeSpans, std::string_view after,
        size_t afterBase, std::vector<ByteSpan> &afterSpans);

private:
    struct Word {
        uint32_t begin = 0;
        uint32_t end = 0;
        uint32_t hash = 0;
        bool isWord = false; ///< letters: not blanks or a sign
    };
    /// Words [before, beforeEnd) became [after, afterEnd).
    struct Change {
        size_t before = 0;
        size_t beforeEnd = 0;
        size_t after = 0;
        size_t afterEnd = 0;
    };

    static void split(std::string_view text, std::vector<Word> &words);
    [[nodiscard]] bool isEqual(size_t before, size_t after) const;
    /// Fills m_changes; false if it costs too much.
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
