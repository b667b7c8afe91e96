// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/kept_words.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

bool isWordByte(unsigned char c)
{
    return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// Calls `visit` with the bytes and the hash (FNV-1a of the lower case) of each word.
template <typename Visitor>
void forEachWord(std::string_view text, const Visitor &visit)
{
    for (size_t at = 0; at < text.size(); ++at) {
        const size_t begin = at;
        size_t characters = 0;
        uint64_t hash = 0xcbf29ce484222325U;
        for (; at < text.size() && isWordByte(static_cast<unsigned char>(text[at])); ++at) {
            const auto byte = static_cast<unsigned char>(lower(text[at]));
            characters += (byte & 0xC0U) != 0x80 ? 1 : 0;
            hash = (hash ^ byte) * 0x100000001b3U;
        }
        if (characters >= KeptWordFinder::kSmallestWord)
            visit(text.substr(begin, at - begin), hash);
    }
}

Hash keyOf(uint64_t word) { return { word, 1 }; }

/// The last words read, and the hashes of the rows they form.
class LastWords final {
public:
    void add(uint64_t hash)
    {
        std::ranges::rotate(m_hashes, m_hashes.end() - 1);
        m_hashes.front() = hash;
        ++m_count;
    }
    [[nodiscard]] size_t count() const { return m_count; }
    /// Hash of the last `size` words, in order.
    [[nodiscard]] Hash row(size_t size) const
    {
        uint64_t hash = 0;
        for (size_t i = size; i > 0; --i)
            hash = (hash ^ m_hashes[i - 1]) * 0x9E3779B97F4A7C15U + (hash >> 29U);
        return { hash ^ (hash >> 32U), size };
    }

private:
    std::array<uint64_t, KeptWordFinder::kRow> m_hashes {}; ///< the newest first
    size_t m_count = 0;
};

} // namespace

uint32_t KeptWordFinder::add(std::string_view phrase)
{
    const auto number = static_cast<uint32_t>(m_phrases.size());
    Phrase &added = m_phrases.emplace_back();
    forEachWord(phrase, [&](std::string_view word, uint64_t hash) {
        std::ranges::transform(word, std::back_inserter(added.words.emplace_back()), lower);
        const auto [known, isNew] = m_wordNumbers.tryEmplace(keyOf(hash), static_cast<uint32_t>(m_words.size()));
        added.numbers.push_back(known);
        if (isNew)
            m_words.emplace_back();
    });
    added.keptIn.assign(added.words.size(), 0);
    const size_t size = std::min(kRow, added.words.size());
    if (size < kShortestRow)
        return number;
    LastWords last;
    forEachWord(phrase, [&](std::string_view, uint64_t hash) {
        last.add(hash);
        if (last.count() < size)
            return;
        const auto [known, isNew] = m_rowNumbers.tryEmplace(last.row(size), static_cast<uint32_t>(m_rows.size()));
        if (isNew)
            m_rows.emplace_back();
        Row &row = m_rows[known];
        m_places.push_back({ number, static_cast<uint32_t>(last.count() - size), row.lastPlace });
        row.lastPlace = static_cast<uint32_t>(m_places.size() - 1);
    });
    return number;
}

std::vector<KeptWords> KeptWordFinder::find(std::string_view text)
{
    if (m_rows.empty())
        return {};
    ++m_text;
    m_touched.clear();
    LastWords last;
    forEachWord(text, [&](std::string_view, uint64_t hash) {
        if (const uint32_t word = m_wordNumbers.find(keyOf(hash)); word != HashIndex::kNone) {
            Word &known = m_words[word];
            known.texts += known.seenIn != m_text ? 1 : 0;
            known.seenIn = m_text;
        }
        last.add(hash);
        for (size_t size = kShortestRow; size <= std::min(kRow, last.count()); ++size) {
            const uint32_t row = m_rowNumbers.find(last.row(size));
            if (row != HashIndex::kNone)
                keep(m_rows[row], size);
        }
    });
    std::ranges::sort(m_touched);
    std::vector<KeptWords> found;
    for (const uint32_t number : m_touched) {
        const Phrase &phrase = m_phrases[number];
        KeptWords kept { .phrase = number, .words = {} };
        for (uint32_t word = 0; word < phrase.words.size(); ++word) {
            if (phrase.keptIn[word] == m_text)
                kept.words.push_back(word);
        }
        if (isPart(phrase, kept.words))
            found.push_back(std::move(kept));
    }
    return found;
}

bool KeptWordFinder::isTelling(const KeptWords &kept) const
{
    const Phrase &phrase = m_phrases[kept.phrase];
    const auto rare = std::ranges::count_if(kept.words, [&](uint32_t word) {
        return m_words[phrase.numbers[word]].texts <= std::max<size_t>(kRareTexts, m_text / kRareShare);
    });
    return static_cast<size_t>(rare) >= std::min(kRow, phrase.words.size());
}

void KeptWordFinder::keep(Row &row, size_t size)
{
    if (row.seenIn == m_text)
        return;
    row.seenIn = m_text;
    for (uint32_t at = row.lastPlace; at != HashIndex::kNone; at = m_places[at].previous) {
        const Place &place = m_places[at];
        Phrase &phrase = m_phrases[place.phrase];
        if (phrase.touchedIn != m_text) {
            phrase.touchedIn = m_text;
            m_touched.push_back(place.phrase);
        }
        std::fill_n(phrase.keptIn.begin() + place.word, size, m_text);
    }
}

bool KeptWordFinder::isPart(const Phrase &phrase, const std::vector<uint32_t> &kept) const
{
    if (kept.size() * 2 >= phrase.words.size())
        return true;
    for (size_t i = kLongRun - 1; i < kept.size(); ++i) {
        if (kept[i] - kept[i + 1 - kLongRun] == kLongRun - 1)
            return true;
    }
    return false;
}

} // namespace core
