// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/phrase_finder.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace core {

namespace {

constexpr uint64_t kMix = 0x9E3779B97F4A7C15U;
constexpr size_t kFilterBits = 16;
constexpr size_t kMostCounts = size_t(1) << 22U;

size_t filterBit(uint64_t key) { return (key * kMix) >> (64U - kFilterBits); }

/// Number of distinct bytes of a key; common words and indentation have few.
uint32_t distinctBytes(std::string_view bytes)
{
    uint32_t count = 0;
    for (size_t i = 0; i < bytes.size(); ++i)
        count += bytes.substr(0, i).find(bytes[i]) == std::string_view::npos ? 1 : 0;
    return count;
}

} // namespace

uint64_t PhraseFinder::load(const char *bytes, size_t size)
{
    uint64_t key = 0;
    std::memcpy(&key, bytes, size);
    return key;
}

uint32_t PhraseFinder::add(std::string_view phrase)
{
    assert(!phrase.empty());
    const auto next = static_cast<uint32_t>(m_phrases.size());
    const auto [number, isNew] = m_numbers.tryEmplace(hashOf(phrase), next);
    if (isNew)
        m_phrases.emplace_back(phrase);
    return number;
}

void PhraseFinder::prepare()
{
    size_t total = 1;
    for (const std::string &phrase : m_phrases)
        total += phrase.size();
    // How often each anchor candidate of eight bytes occurs in the phrases. Candidates with the same hash are counted
    // together, which only costs time.
    std::vector<uint32_t> counts(std::min(std::bit_ceil(total * 2), kMostCounts));
    const auto countOf = [&](uint64_t key) -> uint32_t & { return counts[(key * kMix >> 32U) & (counts.size() - 1)]; };
    for (const std::string &phrase : m_phrases) {
        for (size_t i = 0; i + kAnchor <= phrase.size(); ++i)
            ++countOf(load(phrase.data() + i, kAnchor));
    }
    for (uint32_t number = 0; number < m_phrases.size(); ++number) {
        const std::string &phrase = m_phrases[number];
        const size_t size = std::min(phrase.size(), kAnchor);
        const uint32_t offset = anchorOf(phrase, counts);
        const uint64_t key = load(phrase.data() + offset, size);
        Table &table = m_tables[size];
        table.filter.resize((size_t(1) << kFilterBits) / 64);
        table.filter[filterBit(key) / 64] |= uint64_t(1) << (filterBit(key) % 64);
        table.anchors[key].push_back({ number, offset });
        ++table.phraseCount;
    }
    m_states.assign(m_phrases.size(), {});
}

uint32_t PhraseFinder::anchorOf(std::string_view phrase, const std::vector<uint32_t> &counts) const
{
    size_t best = 0;
    uint32_t bestCount = 0xffffffffU;
    uint32_t bestDistinct = 0;
    for (size_t i = 0; i + kAnchor <= phrase.size(); ++i) {
        const uint32_t count = counts[(load(phrase.data() + i, kAnchor) * kMix >> 32U) & (counts.size() - 1)];
        if (count > bestCount)
            continue;
        const uint32_t distinct = distinctBytes(phrase.substr(i, kAnchor));
        if (count < bestCount || distinct > bestDistinct) {
            best = i;
            bestCount = count;
            bestDistinct = distinct;
        }
    }
    return static_cast<uint32_t>(best);
}

const std::vector<uint32_t> &PhraseFinder::find(std::string_view text)
{
    ++m_text;
    m_found.clear();
    for (size_t size = 1; size < m_tables.size(); ++size) {
        if (m_tables[size].phraseCount > 0)
            findBy(size, m_tables[size], text);
    }
    return m_found;
}

void PhraseFinder::findBy(size_t anchorSize, Table &table, std::string_view text)
{
    m_decided = 0;
    for (size_t at = 0; at + anchorSize <= text.size() && m_decided < table.phraseCount; ++at) {
        ++m_effort;
        const uint64_t key = load(text.data() + at, anchorSize);
        const size_t bit = filterBit(key);
        if ((table.filter[bit / 64] >> (bit % 64) & 1U) == 0)
            continue;
        const auto found = table.anchors.find(key);
        if (found == table.anchors.end())
            continue;
        for (const Anchored &each : found->second)
            compare(each, text, at);
    }
}

void PhraseFinder::compare(const Anchored &each, std::string_view text, size_t at)
{
    State &state = m_states[each.phrase];
    ++m_effort;
    if (state.decidedIn == m_text)
        return;
    const std::string &phrase = m_phrases[each.phrase];
    if (at < each.offset || text.size() - (at - each.offset) < phrase.size())
        return;
    if (state.triedIn != m_text) {
        state.triedIn = m_text;
        state.work = 0;
    }
    const char *const begin = text.data() + (at - each.offset);
    bool isFound = false;
    if (*begin == phrase.front() && begin[phrase.size() - 1] == phrase.back()) {
        state.work += phrase.size();
        m_effort += phrase.size();
        isFound = std::memcmp(begin, phrase.data(), phrase.size()) == 0;
    }
    bool isDecided = isFound;
    if (!isFound && state.work > text.size()) {
        m_effort += text.size();
        isFound = memmem(text.data(), text.size(), phrase.data(), phrase.size()) != nullptr;
        isDecided = true;
    }
    if (isFound)
        m_found.push_back(each.phrase);
    if (isDecided) {
        state.decidedIn = m_text;
        ++m_decided;
    }
}

} // namespace core
