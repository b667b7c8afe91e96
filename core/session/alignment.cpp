// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/alignment.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

/// A pair of equal elements, as the last link of a longest increasing sequence.
struct Pair {
    uint32_t before = 0;
    uint32_t after = 0;
    uint32_t previous = Alignment::kNone; ///< the previous link
};

/// A half-open range of each sequence.
struct Gap {
    size_t beforeBegin = 0;
    size_t beforeEnd = 0;
    size_t afterBegin = 0;
    size_t afterEnd = 0;
};

/// Keeps the longest sequence of pairs, sorted by index after, whose indices before increase.
void keepLongest(std::vector<Pair> &pairs, std::vector<uint32_t> &places)
{
    // For each length, the pair with the smallest index that ends a sequence of this length.
    std::vector<uint32_t> ends;
    for (uint32_t i = 0; i < pairs.size(); ++i) {
        const auto place
            = std::ranges::lower_bound(ends, pairs[i].before, {}, [&](uint32_t end) { return pairs[end].before; });
        if (place != ends.begin())
            pairs[i].previous = *(place - 1);
        if (place == ends.end())
            ends.push_back(i);
        else
            *place = i;
    }
    for (uint32_t i = ends.empty() ? Alignment::kNone : ends.back(); i != Alignment::kNone; i = pairs[i].previous)
        places[pairs[i].after] = pairs[i].before;
}

/// Pairs elements that occur once on both sides, which are the most reliable.
void alignUnique(std::span<const Hash> before, std::span<const Hash> after, std::vector<uint32_t> &places)
{
    struct Count {
        uint32_t before = 0;
        uint32_t after = 0;
        uint32_t place = 0;
    };
    std::unordered_map<Hash, Count> counts;
    for (size_t i = 0; i < before.size(); ++i) {
        Count &count = counts[before[i]];
        ++count.before;
        count.place = static_cast<uint32_t>(i);
    }
    for (const Hash &each : after) {
        const auto found = counts.find(each);
        if (found != counts.end())
            ++found->second.after;
    }
    std::vector<Pair> pairs;
    for (size_t i = 0; i < after.size(); ++i) {
        const auto found = counts.find(after[i]);
        if (found != counts.end() && found->second.before == 1 && found->second.after == 1)
            pairs.push_back({ found->second.place, static_cast<uint32_t>(i), Alignment::kNone });
    }
    keepLongest(pairs, places);
}

/// Pairs elements that occur several times, the last with the last.
void alignRepeated(
    std::span<const Hash> before, std::span<const Hash> after, const Gap &gap, std::vector<uint32_t> &places)
{
    if (gap.beforeBegin == gap.beforeEnd || gap.afterBegin == gap.afterEnd)
        return;
    std::unordered_map<Hash, std::vector<uint32_t>> placesOf;
    for (size_t i = gap.beforeBegin; i < gap.beforeEnd; ++i)
        placesOf[before[i]].push_back(static_cast<uint32_t>(i));
    std::vector<Pair> pairs;
    for (size_t i = gap.afterEnd; i > gap.afterBegin; --i) {
        const auto found = placesOf.find(after[i - 1]);
        if (found == placesOf.end() || found->second.empty())
            continue;
        pairs.push_back({ found->second.back(), static_cast<uint32_t>(i - 1), Alignment::kNone });
        found->second.pop_back();
    }
    std::ranges::reverse(pairs);
    keepLongest(pairs, places);
}

} // namespace

Alignment align(std::span<const Hash> before, std::span<const Hash> after)
{
    Alignment result;
    result.places.assign(after.size(), Alignment::kNone);
    const auto [endBefore, endAfter] = std::ranges::mismatch(before, after);
    result.prefix = static_cast<size_t>(endAfter - after.begin());
    for (size_t i = 0; i < result.prefix; ++i)
        result.places[i] = static_cast<uint32_t>(i);
    if (result.prefix == before.size() || result.prefix == after.size())
        return result;

    alignUnique(before, after, result.places);
    Gap gap { result.prefix, result.prefix, result.prefix, result.prefix };
    for (; gap.afterEnd < after.size(); ++gap.afterEnd) {
        const uint32_t anchor = result.places[gap.afterEnd];
        if (anchor == Alignment::kNone)
            continue;
        gap.beforeEnd = anchor;
        alignRepeated(before, after, gap, result.places);
        gap.beforeBegin = anchor + 1;
        gap.afterBegin = gap.afterEnd + 1;
    }
    gap.beforeEnd = before.size();
    alignRepeated(before, after, gap, result.places);
    return result;
}

} // namespace core
