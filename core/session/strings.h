// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/ids.h"

#include <memory>
#include <string_view>
#include <vector>

namespace core {

/// The names of a session: ids of tools, calls and messages, paths, models. They stand one behind the other in a few
/// large pieces of memory that never move and that copies share.
class Strings final {
public:
    Strings() = default;
    /// A copy goes on in a piece of its own, so that both may be added to.
    Strings(const Strings &other)
        : m_texts(other.m_texts)
        , m_pieces(other.m_pieces)
    {
    }
    Strings(Strings &&) = default;
    Strings &operator=(const Strings &other) { return *this = Strings(other); }
    Strings &operator=(Strings &&) = default;
    ~Strings() = default;

    /// A new one, whether or not the text is there already.
    StringId add(std::string_view text);

    [[nodiscard]] size_t size() const { return m_texts.size(); }
    /// An invalid id reads as the empty text.
    [[nodiscard]] std::string_view operator[](StringId id) const
    {
        return id.isValid() ? m_texts[id.index()] : std::string_view();
    }

private:
    std::vector<std::string_view> m_texts;
    std::vector<std::shared_ptr<char[]>> m_pieces; // NOLINT(*-avoid-c-arrays): what make_shared makes
    char *m_free = nullptr;                        ///< in the last piece
    size_t m_left = 0;
};

} // namespace core
