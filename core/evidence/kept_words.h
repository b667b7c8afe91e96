// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash_index.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The words of a phrase that stand in a text.
struct KeptWords {
    uint32_t phrase = 0;
    std::vector<uint32_t> words; ///< places in the phrase, ascending
};

/// Which parts of phrases stand in a text. The words of a phrase are its runs of letters and digits of at least four
/// characters, in lower case (of ASCII); shorter ones are passed over on both sides. A word is kept where it stands in
/// the text with its neighbours: in a row of three words that follow each other in both (of two, where the phrase has
/// no more; a single word has no parts). A text holds a part of a phrase if it keeps at least half of its words, or
/// eight that follow each other: of a long text that was cut, the beginning is a part, too. Scripts without blanks are
/// one word from mark to mark.
class KeptWordFinder final {
public:
    static constexpr size_t kSmallestWord = 4;
    static constexpr size_t kRow = 3;
    static constexpr size_t kShortestRow = 2;
    static constexpr size_t kLongRun = 8;

    /// The number of a phrase, from 0 on.
    uint32_t add(std::string_view phrase);

    [[nodiscard]] const std::vector<std::string> &words(uint32_t phrase) const { return m_phrases[phrase].words; }

    /// The phrases of which `text` holds a part (or all words), in order. Costs O(text + words that stand in both).
    [[nodiscard]] std::vector<KeptWords> find(std::string_view text);

private:
    struct Phrase {
        std::vector<std::string> words;
        std::vector<uint32_t> keptIn; ///< by word: the number of the last text that keeps it
        uint32_t touchedIn = 0;
    };
    /// A row of words, and where it stands in phrases.
    struct Row {
        uint32_t lastPlace = HashIndex::kNone; ///< into m_places
        uint32_t seenIn = 0;
    };
    struct Place {
        uint32_t phrase = 0;
        uint32_t word = 0; ///< the first of the row
        uint32_t previous = HashIndex::kNone;
    };

    void keep(Row &row, size_t size);
    [[nodiscard]] bool isPart(const Phrase &phrase, const std::vector<uint32_t> &kept) const;

    std::vector<Phrase> m_phrases;
    HashIndex m_rowNumbers;
    std::vector<Row> m_rows;
    std::vector<Place> m_places;
    std::vector<uint32_t> m_touched;
    uint32_t m_text = 0;
};

} // namespace core
