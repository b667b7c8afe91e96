// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/block_key.h"

#include <array>
#include <cstdio>

namespace core {

BlockKeys::BlockKeys(const Session &session)
{
    std::unordered_map<std::string, size_t> occurrences;
    std::vector<std::string> names(session.messages.size());
    for (size_t i = 0; i < session.messages.size(); ++i) {
        const Message &message = session.messages[i];
        std::string name(session.string(message.externalId));
        if (name.empty() && message.count > 0) {
            const Block &first = session.block(message.first);
            const std::string_view record = session.record(first);
            const Hash hash = hashOf(record.empty() ? session.rawBody(first.body) : record);
            std::array<char, 20> digits {};
            std::snprintf(digits.data(), digits.size(), "#%016llx", static_cast<unsigned long long>(hash.low));
            name = digits.data();
        }
        const size_t occurrence = occurrences[name]++;
        if (occurrence > 0 || name.starts_with('#'))
            name += ":" + std::to_string(occurrence);
        names[i] = std::move(name);
    }
    m_keys.reserve(session.blocks.size());
    std::unordered_map<uint32_t, size_t> stubs; // blocks added to a message later
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        const Block &block = session.blocks[i];
        if (!block.message.isValid()) {
            m_keys.push_back("block:" + std::to_string(i));
            continue;
        }
        const Message &message = session.message(block.message);
        const bool isOwn = i >= message.first.index() && i < message.first.index() + message.count;
        const std::string place
            = isOwn ? std::to_string(i - message.first.index()) : "+" + std::to_string(stubs[block.message.value()]++);
        m_keys.push_back(names[block.message.index()] + "/" + place);
    }
    for (size_t i = 0; i < m_keys.size(); ++i)
        m_blocks.try_emplace(m_keys[i], BlockId(i));
}

BlockId BlockKeys::find(std::string_view key) const
{
    const auto found = m_blocks.find(key);
    return found == m_blocks.end() ? BlockId() : found->second;
}

} // namespace core
