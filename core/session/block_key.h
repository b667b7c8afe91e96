// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace core {

/// Keys of blocks that survive reloading and growth of a session: the message's id in the file plus the block's index
/// in it, `a1b2…/2`. In formats without ids the hash of the raw record, its number among equal records, and the index,
/// `#9f86d081884c7d65:0/2`. Costs O(blocks), and reads the records of messages without an id.
class BlockKeys final {
public:
    explicit BlockKeys(const Session &session);

    [[nodiscard]] const std::string &of(BlockId id) const { return m_keys[id.index()]; }
    [[nodiscard]] size_t count() const { return m_keys.size(); }
    /// The block with this key, or invalid.
    [[nodiscard]] BlockId find(std::string_view key) const;

private:
    std::vector<std::string> m_keys;
    std::unordered_map<std::string_view, BlockId> m_blocks;
};

} // namespace core
