// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace core {

/// A hash map from Hash to number, with open addressing: a look-up reads one place in memory, a node-based map two or
/// three. Entries cannot be removed. Numbers are below `kNone`.
class HashIndex final {
public:
    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

    /// The number stored for `key`, or kNone.
    [[nodiscard]] uint32_t find(const Hash &key) const
    {
        return m_entries.empty() ? kNone : m_entries[placeOf(key)].number;
    }

    /// Inserts `number` unless `key` is present. Returns a reference to the stored number, valid until the next call,
    /// and true if it was inserted.
    std::pair<uint32_t &, bool> tryEmplace(const Hash &key, uint32_t number)
    {
        if (m_count * 3 >= m_entries.size() * 2)
            resize(m_entries.empty() ? kSmallest : m_entries.size() * 2);
        Entry &entry = m_entries[placeOf(key)];
        const bool isNew = entry.number == kNone;
        if (isNew) {
            entry = { key, number };
            ++m_count;
        }
        return { entry.number, isNew };
    }

    void reserve(size_t count)
    {
        size_t size = kSmallest;
        while (size * 2 < count * 3)
            size *= 2;
        if (size > m_entries.size())
            resize(size);
    }

    void clear()
    {
        m_entries.clear();
        m_count = 0;
    }

private:
    static constexpr size_t kSmallest = 64; ///< all sizes are powers of two

    struct Entry {
        Hash key;
        uint32_t number = kNone;
    };

    /// The entry of the key, or the free entry where it belongs.
    [[nodiscard]] size_t placeOf(const Hash &key) const
    {
        const size_t mask = m_entries.size() - 1;
        size_t place = key.low & mask;
        while (m_entries[place].number != kNone && m_entries[place].key != key)
            place = (place + 1) & mask;
        return place;
    }

    void resize(size_t size)
    {
        const std::vector<Entry> entries = std::exchange(m_entries, std::vector<Entry>(size));
        for (const Entry &entry : entries) {
            if (entry.number != kNone)
                m_entries[placeOf(entry.key)] = entry;
        }
    }

    std::vector<Entry> m_entries;
    size_t m_count = 0;
};

} // namespace core
