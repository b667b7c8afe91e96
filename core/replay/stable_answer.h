// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <unordered_set>

namespace core {

/// Finds the newest assistant message whose calls all have results. It sees an array from the end on, block by block.
class StableAnswerFinder final {
public:
    /// True if the message is found; then no further block is needed.
    bool push(const Block &block, bool isOfModel, size_t place)
    {
        if (!isOfModel) {
            if (found())
                return true;
            m_last.reset();
            if (block.kind == BlockKind::ToolResult)
                m_answered.insert(block.callId);
            return false;
        }
        if (!m_last)
            m_isStable = true;
        m_last = m_last.value_or(place);
        m_isStable = m_isStable && (block.kind != BlockKind::ToolCall || m_answered.contains(block.callId));
        return false;
    }
    /// The place of the message's last block.
    [[nodiscard]] std::optional<size_t> found() const { return m_isStable ? m_last : std::nullopt; }

private:
    std::unordered_set<StringId> m_answered;
    std::optional<size_t> m_last; ///< of the assistant message that is being seen
    bool m_isStable = false;
};

} // namespace core
