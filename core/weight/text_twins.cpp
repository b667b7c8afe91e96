// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/weight/text_twins.h"

namespace core {

namespace {

constexpr size_t kHead = 256;

/// Groups list items by key, in the order in which keys first occur.
template <typename Key>
std::vector<std::vector<uint32_t>> partsBy(const std::vector<uint32_t> &places, const Key &keyOf)
{
    std::vector<std::vector<uint32_t>> parts;
    std::unordered_map<Hash, size_t> partOf;
    for (const uint32_t place : places) {
        const auto [part, isNew] = partOf.try_emplace(keyOf(place), parts.size());
        if (isNew)
            parts.emplace_back();
        parts[part->second].push_back(place);
    }
    return parts;
}

} // namespace

void TextTwins::find(std::span<const BlockId> array)
{
    if (m_byLength.empty())
        return;
    for (size_t i = 0; i < array.size(); ++i) {
        const auto found = m_byLength.find(lengthsOf(m_session.block(array[i])));
        if (found != m_byLength.end())
            found->second.push_back(static_cast<uint32_t>(i));
    }
    m_effort += array.size();
    for (const auto &[lengths, places] : m_byLength)
        findIn(array, places);
}

void TextTwins::findIn(std::span<const BlockId> array, const std::vector<uint32_t> &places)
{
    if (places.size() < 2)
        return;
    for (const auto &similar : partsBy(places, [&](uint32_t place) { return headHash(array[place]); })) {
        if (similar.size() < 2)
            continue;
        for (auto &equal : partsBy(similar, [&](uint32_t place) { return textHash(array[place]); })) {
            if (equal.size() < 2)
                continue;
            for (const uint32_t place : equal)
                m_textOf.try_emplace(array[place], static_cast<uint32_t>(m_texts.size()));
            m_texts.push_back(std::move(equal));
        }
    }
}

uint32_t TextTwins::textOf(BlockId id) const
{
    const auto found = m_textOf.find(id);
    return found == m_textOf.end() ? kNone : found->second;
}

std::span<const uint32_t> TextTwins::placesOf(BlockId id) const
{
    const uint32_t text = textOf(id);
    return text == kNone ? std::span<const uint32_t>() : m_texts[text];
}

Hash TextTwins::headHash(BlockId id)
{
    // The head has at least this many bytes; escapes determine how many more.
    const std::string head = m_session.textHead(m_session.block(id).body, kHead);
    m_effort += 1 + kHead;
    return hashOf(std::string_view(head).substr(0, kHead));
}

Hash TextTwins::textHash(BlockId id)
{
    const Body &body = m_session.block(id).body;
    m_effort += body.size;
    return body.coding == Coding::Plain ? hashOf(m_session.rawBody(body)) : hashOf(m_session.text(body));
}

} // namespace core
