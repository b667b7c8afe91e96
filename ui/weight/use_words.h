// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/weight/resent_unused.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ui {

/// Indexes uses by the blocks that carried them. Qt-free; O(uses log uses) to build.
class UseIndex final {
public:
    UseIndex() = default;
    UseIndex(const core::Session &session, std::shared_ptr<const core::Uses> uses);

    [[nodiscard]] const std::shared_ptr<const core::Uses> &uses() const { return m_uses; }
    /// The messages that used any of the blocks, in headline kinds, ascending, each once. O(blocks log uses).
    [[nodiscard]] std::vector<core::MessageId> usersOf(std::span<const core::BlockId> blocks) const;

private:
    struct Entry {
        core::BlockId carrier;
        core::MessageId user;
        friend auto operator<=>(const Entry &, const Entry &) = default;
    };
    std::shared_ptr<const core::Uses> m_uses;
    std::vector<Entry> m_entries; ///< sorted
};

/// The later uses of a group resent unused, as text: `quoted again by #71, #75`, `never quoted again`, `stale: changed
/// since · never used again`. Empty if there is nothing to say.
[[nodiscard]] std::string useWords(const core::Session &session, const UseIndex &index,
    const core::ResentUnused &resent, const core::UnusedGroup &group);

} // namespace ui
