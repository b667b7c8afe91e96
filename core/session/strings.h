// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/ids.h"

#include <memory>
#include <string_view>
#include <vector>

namespace core {

/// The interned names of a session: ids of tools, calls and messages, paths, models. They are stored one after the
/// other in a few large pieces of memory, which never move and are shared by copies.
class Strings final {
public:
    Strings() = default;
    /// A copy adds to a piece of its own, so both can grow.
    Strings(const Strings &other)
        : m_texts(other.m_texts)
        , m_pieces(other.m_pieces)
    {
    }
    Strings(Strings &&) = default;
    Strings &operator=(const Strings &other) { return *this = Strings(other); }
    Strings &operator=(Strings &&) = default;
    ~Strings() = default;

    /// Adds a text without looking for an equal one.
    StringId add(std::string_view text);

    [[nodiscard]] size_t size() const { return m_texts.size(); }
    /// An invalid id reads as the empty text.
    [[nodiscard]] std::string_view operator[](StringId id) const
    {
        return id.isValid() ? m_texts[id.index()] : std::string_view();
    }

private:
    std::vector<std::string_view> m_texts;
    std::vector<std::shared_ptr<char[]>> m_pieces; // the type of make_shared
    char *m_free = nullptr;                        ///< next free byte in the last piece
    size_t m_left = 0;
};

} // namespace core
