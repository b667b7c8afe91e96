// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash_index.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace core {

/// Finds which of many phrases a text contains, byte for byte. Searches for an anchor of each phrase: eight of its
/// bytes (all of a shorter phrase) that few other phrases contain. At each hit it compares the whole phrase. In
/// repetitive texts with many hits it searches for the phrase in linear time instead. Every text costs O(bytes +
/// phrases found).
class PhraseFinder final {
public:
    /// Returns the number of the phrase; equal phrases share it. `phrase` must not be empty.
    uint32_t add(std::string_view phrase);
    /// Call once, after the last `add`.
    void prepare();

    [[nodiscard]] size_t size() const { return m_phrases.size(); }
    [[nodiscard]] const std::string &phrase(uint32_t number) const { return m_phrases[number]; }

    /// The phrases that `text` contains, each once, in no particular order. Valid until the next call.
    [[nodiscard]] const std::vector<uint32_t> &find(std::string_view text);

    /// Bytes read, comparisons included.
    [[nodiscard]] uint64_t effort() const { return m_effort; }

private:
    static constexpr size_t kAnchor = 8;

    struct Anchored {
        uint32_t phrase = 0;
        uint32_t offset = 0; ///< offset of the anchor in the phrase
    };
    /// The phrases with anchors of one length.
    struct Table {
        std::unordered_map<uint64_t, std::vector<Anchored>> anchors;
        std::vector<uint64_t> filter; ///< a Bloom filter of anchor hashes
        size_t phraseCount = 0;
    };
    struct State {
        uint32_t decidedIn = 0; ///< number of the last text for which the phrase is decided: found, or certainly absent
        uint32_t triedIn = 0;
        uint64_t work = 0; ///< bytes compared in that text
    };

    [[nodiscard]] static uint64_t load(const char *bytes, size_t size);
    [[nodiscard]] uint32_t anchorOf(std::string_view phrase, const std::vector<uint32_t> &counts) const;
    void findBy(size_t anchorSize, Table &table, std::string_view text);
    void compare(const Anchored &each, std::string_view text, size_t at);

    std::vector<std::string> m_phrases;
    HashIndex m_numbers;
    std::array<Table, kAnchor + 1> m_tables; ///< by anchor length
    std::vector<State> m_states;
    std::vector<uint32_t> m_found;
    size_t m_decided = 0; ///< decided phrases of the current table in the current text
    uint32_t m_text = 0;
    uint64_t m_effort = 0;
};

} // namespace core
