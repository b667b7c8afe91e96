// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace core {

static_assert(std::endian::native == std::endian::little, "short keys are made of words read as they stand");

/// Hash of one or more bytes; for up to fifteen bytes the hash of their ShortKey.
[[nodiscard]] uint64_t quickHash(std::string_view bytes);

/// Up to fifteen bytes and their number, packed into two words that are cheap to compare and hash.
struct ShortKey {
    static constexpr size_t kLongest = 15;
    static constexpr unsigned kSizeShift = 56;
    static constexpr uint64_t kOdd = 0x9E3779B97F4A7C15U;
    static constexpr uint64_t kOtherOdd = 0xC2B2AE3D27D4EB4FU;

    uint64_t low = 0;
    uint64_t high = 0; ///< bytes from the ninth on; the size in the four lowest bits of the last byte

    /// Reads only `bytes`, nothing behind them.
    [[nodiscard]] static ShortKey of(std::string_view bytes);
    /// Key of the first `size` bytes; sixteen bytes must be readable.
    [[nodiscard]] static ShortKey ofSixteen(const char *bytes, size_t size)
    {
        ShortKey key;
        std::memcpy(&key.low, bytes, 8);
        std::memcpy(&key.high, bytes + 8, 8);
        key.low &= kMasks[size][0];
        key.high = (key.high & kMasks[size][1]) | static_cast<uint64_t>(size) << kSizeShift;
        return key;
    }

    [[nodiscard]] uint64_t hash() const { return low * kOdd + high * kOtherOdd; }
    friend bool operator==(const ShortKey &, const ShortKey &) = default;

private:
    /// By size: the bits of both words that belong to the bytes.
    static constexpr auto kMasks = [] {
        std::array<std::array<uint64_t, 2>, 16> masks {};
        for (unsigned size = 1; size < 16; ++size) {
            masks[size][0] = size >= 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * size)) - 1;
            masks[size][1] = size > 8 ? (uint64_t(1) << (8 * (size - 8))) - 1 : 0;
        }
        return masks;
    }();
};

} // namespace core
