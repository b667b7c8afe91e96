// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace core {

/// A strongly typed index: indices of different kinds cannot be mixed up. A default-constructed id is invalid.
template <typename Tag>
class Id final {
public:
    static constexpr uint32_t kInvalid = 0xffffffffU;

    constexpr Id() = default;
    constexpr explicit Id(uint32_t value)
        : m_value(value)
    {
    }
    constexpr explicit Id(size_t value)
        : m_value(static_cast<uint32_t>(value))
    {
    }
    constexpr explicit Id(int value)
        : m_value(static_cast<uint32_t>(value))
    {
    }

    [[nodiscard]] constexpr bool isValid() const { return m_value != kInvalid; }
    [[nodiscard]] constexpr uint32_t value() const { return m_value; }
    [[nodiscard]] constexpr size_t index() const { return m_value; }

    friend constexpr auto operator<=>(Id, Id) = default;

private:
    uint32_t m_value = kInvalid;
};

using BlockId = Id<struct BlockTag>;     ///< index in the session's block pool
using MessageId = Id<struct MessageTag>; ///< `#n`: index of the message in the session; never changes
using SlotIndex = Id<struct SlotTag>;    ///< `[n]`: index in the array of one call
using CallIndex = Id<struct CallTag>;    ///< index among the calls of one thread
using ThreadIndex = Id<struct ThreadTag>;
using SourceId = Id<struct SourceTag>;
using StringId = Id<struct StringTag>; ///< an interned name; an invalid id reads as the empty string

} // namespace core

template <typename Tag>
struct std::hash<core::Id<Tag>> {
    size_t operator()(core::Id<Tag> id) const noexcept { return std::hash<uint32_t> {}(id.value()); }
};
