// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash_index.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The words of a phrase that occur in a text.
struct KeptWords {
    uint32_t phrase = 0;
    std::vector<uint32_t> words; ///< indices of words in the phrase, ascending
};

/// Finds parts of phrases in texts. The words of a phrase are its runs of at least four letters and digits, ASCII
/// lower-cased; shorter runs are skipped in the phrase and in the text. A text keeps a word of the phrase if it
/// contains three consecutive words of the phrase, one of which is this word. For a phrase of two words, two are
/// enough. A phrase of one word has no parts. A text holds a part of the phrase if it keeps at least half of its words,
/// or eight consecutive words: the beginning of a long, truncated text is therefore a part. In scripts without blanks
/// everything between two punctuation marks is one word. Words that occur in many of the texts read say nothing about a
/// phrase: see `isTelling`.
class KeptWordFinder final {
public:
    static constexpr size_t kSmallestWord = 4;
    static constexpr size_t kRow = 3;
    static constexpr size_t kShortestRow = 2;
    static constexpr size_t kLongRun = 8;
    static constexpr size_t kRareTexts = 8;  ///< a word is rare if at most this many texts hold it,
    static constexpr size_t kRareShare = 20; ///< or at most one text in this many

    /// Returns the number of the phrase; numbers start at 0.
    uint32_t add(std::string_view phrase);

    [[nodiscard]] const std::vector<std::string> &words(uint32_t phrase) const { return m_phrases[phrase].words; }

    /// The phrases of which `text` holds a part or all words, in order. Costs O(text + words that occur in both).
    [[nodiscard]] std::vector<KeptWords> find(std::string_view text);

    /// Whether three of the kept words (all, of a phrase with fewer) are rare in the texts that `find` has read so far.
    [[nodiscard]] bool isTelling(const KeptWords &kept) const;

private:
    /// A word of phrases.
    struct Word {
        uint32_t texts = 0; ///< that hold it
        uint32_t seenIn = 0;
    };
    struct Phrase {
        std::vector<std::string> words;
        std::vector<uint32_t> numbers; ///< by word: into m_words
        std::vector<uint32_t> keptIn;  ///< by word: number of the last text that keeps it
        uint32_t touchedIn = 0;
    };
    /// A row of consecutive words, and its places in phrases.
    struct Row {
        uint32_t lastPlace = HashIndex::kNone; ///< index into m_places
        uint32_t seenIn = 0;
    };
    struct Place {
        uint32_t phrase = 0;
        uint32_t word = 0; ///< the first word of the row
        uint32_t previous = HashIndex::kNone;
    };

    void keep(Row &row, size_t size);
    [[nodiscard]] bool isPart(const Phrase &phrase, const std::vector<uint32_t> &kept) const;

    std::vector<Phrase> m_phrases;
    HashIndex m_wordNumbers;
    std::vector<Word> m_words;
    HashIndex m_rowNumbers;
    std::vector<Row> m_rows;
    std::vector<Place> m_places;
    std::vector<uint32_t> m_touched;
    uint32_t m_text = 0;
};

} // namespace core
