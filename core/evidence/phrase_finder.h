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

/// Which of many phrases stand in a text, byte for byte. Each phrase is looked for by eight of its bytes (all, where it
/// has fewer) that few other phrases have; where those stand, the whole is compared, and where that happens too often
/// (texts that repeat themselves), the phrase is searched in linear time instead. A text costs O(bytes + phrases that
/// stand in it), whatever it is.
class PhraseFinder final {
public:
    /// The number of a phrase: equal ones have one. Not empty.
    uint32_t add(std::string_view phrase);
    /// To be called once, behind the last `add`.
    void prepare();

    [[nodiscard]] size_t size() const { return m_phrases.size(); }
    [[nodiscard]] const std::string &phrase(uint32_t number) const { return m_phrases[number]; }

    /// The phrases that stand in `text`, each once, in no order; valid until the next call.
    [[nodiscard]] const std::vector<uint32_t> &find(std::string_view text);

    /// Bytes looked at, those of comparisons included.
    [[nodiscard]] uint64_t effort() const { return m_effort; }

private:
    static constexpr size_t kAnchor = 8;

    struct Anchored {
        uint32_t phrase = 0;
        uint32_t offset = 0; ///< of the anchor in the phrase
    };
    /// The phrases whose anchor has one length.
    struct Table {
        std::unordered_map<uint64_t, std::vector<Anchored>> anchors;
        std::vector<uint64_t> filter; ///< a bit for each hash of an anchor
        size_t phraseCount = 0;
    };
    struct State {
        uint32_t decidedIn = 0; ///< the number of the last text in which it was found, or surely not
        uint32_t triedIn = 0;
        uint64_t work = 0; ///< bytes compared in that text
    };

    [[nodiscard]] static uint64_t load(const char *bytes, size_t size);
    [[nodiscard]] uint32_t anchorOf(std::string_view phrase, const std::vector<uint32_t> &counts) const;
    void findBy(size_t anchorSize, Table &table, std::string_view text);
    void compare(const Anchored &each, std::string_view text, size_t at);

    std::vector<std::string> m_phrases;
    HashIndex m_numbers;
    std::array<Table, kAnchor + 1> m_tables; ///< by the size of the anchor
    std::vector<State> m_states;
    std::vector<uint32_t> m_found;
    size_t m_decided = 0; ///< of the table in hand, in this text
    uint32_t m_text = 0;
    uint64_t m_effort = 0;
};

} // namespace core
