// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace core {

/// Names of blocks that stay when a session is loaded again, or goes on: the message's own id in the file and the
/// block's place in it, `a1b2…/2`; where the format has no ids, the hash of the raw record, which of the equal ones it
/// is, and the place, `#9f86d081884c7d65:0/2`. Costs O(blocks), and reads the records of messages without an id.
class BlockKeys final {
public:
    explicit BlockKeys(const Session &session);

    [[nodiscard]] const std::string &of(BlockId id) const { return m_keys[id.index()]; }
    /// The block of that name; invalid if the session has none.
    [[nodiscard]] BlockId find(std::string_view key) const;

private:
    std::vector<std::string> m_keys;
    std::unordered_map<std::string_view, BlockId> m_blocks;
};

} // namespace core
