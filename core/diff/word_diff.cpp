// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/diff/word_diff.h"

#include "core/base/text.h"
#include "core/base/visible.h"

#include <algorithm>

namespace core {

namespace {

/// How far the end of a common prefix moves back to the start of a word.
constexpr size_t kWordReach = 256;

bool isLetter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool isSpaceOrTab(unsigned char c) { return c == ' ' || c == '\t'; }

enum class Kind : uint8_t { Letter, Blank, Sign };

Kind kindOf(std::string_view text, size_t at, size_t &size)
{
    const auto c = static_cast<unsigned char>(text[at]);
    size = 1;
    if (c < 0x80)
        return isLetter(c) ? Kind::Letter : isSpaceOrTab(c) ? Kind::Blank : Kind::Sign;
    const CodePoint point = codePointAt(text, at);
    size = point.size;
    return point.size == 1 || columnsOf(point.value) == 2 ? Kind::Sign : Kind::Letter;
}

bool isContinuation(std::string_view text, size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// Whether a word may begin at `at`, judged by the neighbouring bytes.
bool splitsWords(std::string_view text, size_t at)
{
    if (at == 0 || at >= text.size())
        return true;
    if (isContinuation(text, at))
        return false;
    const auto isPart = [&](size_t i) {
        const auto c = static_cast<unsigned char>(text[i]);
        return c >= 0x80 || isLetter(c);
    };
    if (isPart(at - 1) && isPart(at))
        return false;
    return !(
        isSpaceOrTab(static_cast<unsigned char>(text[at - 1])) && isSpaceOrTab(static_cast<unsigned char>(text[at])));
}

size_t commonPrefix(std::string_view before, std::string_view after)
{
    const size_t most = std::min(before.size(), after.size());
    const auto differing
        = std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(most), after.begin());
    size_t size = static_cast<size_t>(differing.first - before.begin());
    const size_t found = size;
    while (size > 0 && found - size < kWordReach && !(splitsWords(before, size) && splitsWords(after, size)))
        --size;
    if (found - size < kWordReach)
        return size;
    for (size = found; size > 0 && found - size < 3; --size) {
        if (!isContinuation(before, size) && !isContinuation(after, size))
            break;
    }
    return size;
}

size_t commonSuffix(std::string_view before, std::string_view after)
{
    const size_t most = std::min(before.size(), after.size());
    const auto differing
        = std::mismatch(before.rbegin(), before.rbegin() + static_cast<std::ptrdiff_t>(most), after.rbegin());
    size_t size = static_cast<size_t>(differing.first - before.rbegin());
    const size_t found = size;
    const auto splits
        = [&] { return splitsWords(before, before.size() - size) && splitsWords(after, after.size() - size); };
    while (size > 0 && found - size < kWordReach && !splits())
        --size;
    if (found - size < kWordReach)
        return size;
    for (size = found; size > 0 && found - size < 3; --size) {
        if (!isContinuation(before, before.size() - size) && !isContinuation(after, after.size() - size))
            break;
    }
    return size;
}

} // namespace

void WordDiffer::split(std::string_view text, std::vector<Word> &words)
{
    words.clear();
    for (size_t at = 0; at < text.size();) {
        size_t size = 1;
        const Kind kind = kindOf(text, at, size);
        size_t end = at + size;
        while (kind != Kind::Sign && end < text.size() && kindOf(text, end, size) == kind)
            end += size;
        uint32_t hash = 2166136261U;
        for (size_t i = at; i < end; ++i)
            hash = (hash ^ static_cast<unsigned char>(text[i])) * 16777619U;
        words.push_back({ static_cast<uint32_t>(at), static_cast<uint32_t>(end), hash, kind == Kind::Letter });
        at = end;
    }
}

bool WordDiffer::isEqual(size_t before, size_t after) const
{
    const Word &first = m_beforeWords[before];
    const Word &second = m_afterWords[after];
    return first.hash == second.hash && first.end - first.begin == second.end - second.begin
        && m_before.substr(first.begin, first.end - first.begin)
        == m_after.substr(second.begin, second.end - second.begin);
}

void WordDiffer::compare(std::string_view before, size_t beforeBase, std::vector<ByteSpan> &beforeSpans,
    std::string_view after, size_t afterBase, std::vector<ByteSpan> &afterSpans)
{
    const size_t prefix = commonPrefix(before, after);
    before.remove_prefix(prefix);
    after.remove_prefix(prefix);
    const size_t suffix = commonSuffix(before, after);
    before.remove_suffix(suffix);
    after.remove_suffix(suffix);
    beforeBase += prefix;
    afterBase += prefix;
    if (before.empty() && after.empty())
        return;

    const auto add = [](std::vector<ByteSpan> &spans, size_t base, size_t begin, size_t end) {
        if (begin < end)
            spans.push_back({ base + begin, base + end });
    };
    const auto addAll = [&] {
        add(beforeSpans, beforeBase, 0, before.size());
        add(afterSpans, afterBase, 0, after.size());
    };
    const bool isLong = before.size() > kMostBytes || after.size() > kMostBytes;
    if (before.empty() || after.empty() || isLong || before.size() + after.size() > m_budget) {
        addAll();
        return;
    }
    m_budget -= before.size() + after.size();
    m_before = before;
    m_after = after;
    split(before, m_beforeWords);
    split(after, m_afterWords);
    size_t begin = 0;
    size_t beforeEnd = m_beforeWords.size();
    size_t afterEnd = m_afterWords.size();
    while (begin < beforeEnd && begin < afterEnd && isEqual(begin, begin))
        ++begin;
    while (beforeEnd > begin && afterEnd > begin && isEqual(beforeEnd - 1, afterEnd - 1)) {
        --beforeEnd;
        --afterEnd;
    }
    if (!findChanges(beforeEnd, afterEnd, begin))
        m_changes.assign(1, { begin, beforeEnd, begin, afterEnd });
    mergeChanges();
    const auto startOf = [](const std::vector<Word> &words, size_t word, size_t end) -> size_t {
        return word < words.size() ? words[word].begin : end;
    };
    for (const Change &change : m_changes) {
        add(beforeSpans, beforeBase, startOf(m_beforeWords, change.before, before.size()),
            startOf(m_beforeWords, change.beforeEnd, before.size()));
        add(afterSpans, afterBase, startOf(m_afterWords, change.after, after.size()),
            startOf(m_afterWords, change.afterEnd, after.size()));
    }
}

/// The greedy algorithm of Myers, "An O(ND) Difference Algorithm and Its Variations": the furthest place on each
/// diagonal for every number of changes, stored to trace the path back.
bool WordDiffer::findChanges(size_t beforeEnd, size_t afterEnd, size_t begin)
{
    m_changes.clear();
    const auto n = static_cast<int64_t>(beforeEnd - begin);
    const auto m = static_cast<int64_t>(afterEnd - begin);
    const int64_t most = std::min<int64_t>(n + m, kMostChanges);
    const int64_t middle = most + 1;
    m_furthest.assign(static_cast<size_t>(2 * middle + 1), 0);
    m_trace.clear();
    const auto furthest
        = [&](int64_t diagonal) -> int64_t & { return m_furthest[static_cast<size_t>(middle + diagonal)]; };
    const auto isSame
        = [&](int64_t x, int64_t y) { return isEqual(begin + static_cast<size_t>(x), begin + static_cast<size_t>(y)); };
    size_t steps = 0;
    int64_t changes = 0;
    for (bool isDone = false; !isDone; ++changes) {
        if (changes > most || steps > m_budget) {
            m_budget -= std::min(m_budget, steps);
            return false;
        }
        for (int64_t diagonal = -changes; diagonal <= changes; diagonal += 2) {
            const bool goesDown
                = diagonal == -changes || (diagonal != changes && furthest(diagonal - 1) < furthest(diagonal + 1));
            int64_t x = goesDown ? furthest(diagonal + 1) : furthest(diagonal - 1) + 1;
            int64_t y = x - diagonal;
            ++steps;
            for (; x < n && y < m && y >= 0 && isSame(x, y); ++x, ++y)
                ++steps;
            furthest(diagonal) = x;
            m_trace.push_back(x);
            if (x >= n && y >= m) {
                isDone = true;
                break;
            }
        }
    }
    m_budget -= std::min(m_budget, steps);

    // Trace back from the end. Round d stored d + 1 places, starting at d (d + 1) / 2.
    int64_t x = n;
    int64_t y = m;
    for (int64_t round = changes - 1; round > 0; --round) {
        const int64_t diagonal = x - y;
        const auto inRoundBefore = [&](int64_t of) {
            const int64_t place = (round - 1) * round / 2 + (of + round - 1) / 2;
            return m_trace[static_cast<size_t>(place)];
        };
        const bool goesDown
            = diagonal == -round || (diagonal != round && inRoundBefore(diagonal - 1) < inRoundBefore(diagonal + 1));
        const int64_t fromX = goesDown ? inRoundBefore(diagonal + 1) : inRoundBefore(diagonal - 1);
        const int64_t fromY = fromX - (goesDown ? diagonal + 1 : diagonal - 1);
        const auto word = [&](int64_t place) { return begin + static_cast<size_t>(place); };
        const Change change { word(fromX), word(goesDown ? fromX : fromX + 1), word(fromY),
            word(goesDown ? fromY + 1 : fromY) };
        if (!m_changes.empty() && m_changes.back().before == change.beforeEnd
            && m_changes.back().after == change.afterEnd) {
            m_changes.back().before = change.before;
            m_changes.back().after = change.after;
        } else {
            m_changes.push_back(change);
        }
        x = fromX;
        y = fromY;
    }
    std::ranges::reverse(m_changes);
    return true;
}

/// Merges changes with only a blank or a sign between them.
void WordDiffer::mergeChanges()
{
    size_t kept = 0;
    for (size_t i = 1; i < m_changes.size(); ++i) {
        Change &last = m_changes[kept];
        const Change &change = m_changes[i];
        const bool isWeak = change.before - last.beforeEnd == 1 && !m_beforeWords[last.beforeEnd].isWord;
        // Two insertions or two removals are not merged, so that only the changed words are marked.
        const bool replaces = last.before < last.beforeEnd && last.after < last.afterEnd
            && change.before < change.beforeEnd && change.after < change.afterEnd;
        if (isWeak && replaces) {
            last.beforeEnd = change.beforeEnd;
            last.afterEnd = change.afterEnd;
        } else {
            m_changes[++kept] = change;
        }
    }
    if (!m_changes.empty())
        m_changes.resize(kept + 1);
}

} // namespace core
