// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/strings.h"

#include <algorithm>

namespace core {

StringId Strings::add(std::string_view text)
{
    constexpr size_t kPiece = 32U << 10U;
    if (text.size() > m_left) {
        const size_t size = std::max(kPiece, text.size());
        m_pieces.push_back(std::make_shared_for_overwrite<char[]>(size)); // NOLINT(*-avoid-c-arrays)
        m_free = m_pieces.back().get();
        m_left = size;
    }
    std::ranges::copy(text, m_free);
    m_texts.emplace_back(m_free, text.size());
    m_free += text.size();
    m_left -= text.size();
    return StringId(m_texts.size() - 1);
}

} // namespace core
