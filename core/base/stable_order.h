// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace core {

/// A number that grows as `figure` falls, for `orderBy`.
[[nodiscard]] inline uint64_t descendingKey(double figure)
{
    constexpr uint64_t kSign = uint64_t { 1 } << 63U;
    const auto bits = std::bit_cast<uint64_t>(figure + 0.0); // no negative zero
    return (bits & kSign) != 0 ? bits : ~(bits | kSign);
}

/// Sorts `order` by the 64-bit key of each entry, the smallest first; entries with equal keys keep their order. Sorts
/// by bytes: costs O(entries) for each byte in which the keys differ.
template <typename KeyOf>
void orderBy(std::vector<uint32_t> &order, const KeyOf &keyOf)
{
    constexpr size_t kBytes = sizeof(uint64_t);
    struct Entry {
        uint64_t key = 0;
        uint32_t value = 0;
    };
    const auto byteOf = [](uint64_t key, size_t byte) { return (key >> (8 * byte)) & 0xffU; };
    std::vector<Entry> entries;
    entries.reserve(order.size());
    std::array<std::array<uint32_t, 256>, kBytes> places {};
    for (const uint32_t value : order) {
        const uint64_t key = keyOf(value);
        entries.push_back({ key, value });
        for (size_t byte = 0; byte < kBytes; ++byte)
            ++places[byte][byteOf(key, byte)];
    }
    std::vector<Entry> sorted(entries.size());
    for (size_t byte = 0; byte < kBytes && !entries.empty(); ++byte) {
        if (places[byte][byteOf(entries.front().key, byte)] == entries.size())
            continue; // equal in all keys
        uint32_t next = 0;
        for (uint32_t &place : places[byte])
            next += std::exchange(place, next);
        for (const Entry &entry : entries)
            sorted[places[byte][byteOf(entry.key, byte)]++] = entry;
        entries.swap(sorted);
    }
    for (size_t i = 0; i < entries.size(); ++i)
        order[i] = entries[i].value;
}

} // namespace core
