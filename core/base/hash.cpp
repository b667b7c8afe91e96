// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>

namespace core {

Hash hashOf(std::string_view bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return { hash.low64, hash.high64 };
}

Hash combine(Hash a, Hash b)
{
    const std::array<uint64_t, 4> words { a.low, a.high, b.low, b.high };
    const XXH128_hash_t hash = XXH3_128bits(words.data(), sizeof(words));
    return { hash.low64, hash.high64 };
}

} // namespace core
