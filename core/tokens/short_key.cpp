// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/short_key.h"

#include <cassert>

namespace core {

namespace {

uint64_t word(const char *bytes, size_t size)
{
    uint64_t value = 0;
    std::memcpy(&value, bytes, size);
    return value;
}

uint64_t eight(const char *bytes) { return word(bytes, 8); }
uint64_t four(const char *bytes) { return word(bytes, 4); }

} // namespace

uint64_t quickHash(std::string_view bytes)
{
    if (bytes.size() <= ShortKey::kLongest)
        return ShortKey::of(bytes).hash();
    // Eight bytes at a time; the last eight overlap those before.
    uint64_t hash = bytes.size();
    for (size_t i = 0; i + 8 < bytes.size(); i += 8)
        hash = std::rotl((hash ^ eight(bytes.data() + i)) * ShortKey::kOdd, 29);
    return (hash ^ eight(bytes.data() + bytes.size() - 8)) * ShortKey::kOtherOdd;
}

ShortKey ShortKey::of(std::string_view bytes)
{
    assert(!bytes.empty() && bytes.size() <= kLongest);
    const size_t size = bytes.size();
    const char *begin = bytes.data();
    const uint64_t sizeBits = static_cast<uint64_t>(size) << kSizeShift;
    if (size > 8)
        return { eight(begin), eight(begin + size - 8) >> (8 * (16 - size)) | sizeBits };
    if (size == 8)
        return { eight(begin), sizeBits };
    if (size >= 4)
        return { four(begin) | four(begin + size - 4) << (8 * (size - 4)), sizeBits };
    const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(begin[i])) << (8 * i); };
    return { byte(0) | byte(size / 2) | byte(size - 1), sizeBits };
}

} // namespace core
