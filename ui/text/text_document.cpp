// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_document.h"

#include <algorithm>
#include <cstring>

namespace ui {

TextDocument::TextDocument()
    : m_lineStarts { 0 }
{
}

TextDocument::TextDocument(std::string text)
    : m_text(std::move(text))
    , m_bytes(m_text)
{
    index();
}

TextDocument::TextDocument(std::string_view text, std::shared_ptr<const void> owner)
    : m_owner(std::move(owner))
    , m_bytes(text)
{
    index();
}

void TextDocument::index()
{
    m_lineStarts.push_back(0);
    const char *const begin = m_bytes.data();
    const char *const end = begin + m_bytes.size();
    for (const char *at = begin; at < end;) {
        const auto *hit = static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
        if (hit == nullptr)
            break;
        at = hit + 1;
        m_lineStarts.push_back(static_cast<size_t>(at - begin));
    }
}

size_t TextDocument::lineOf(size_t offset) const
{
    const auto next = std::ranges::upper_bound(m_lineStarts, offset);
    return static_cast<size_t>(next - m_lineStarts.begin()) - 1;
}

} // namespace ui
