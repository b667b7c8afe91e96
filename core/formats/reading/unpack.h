// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// Limit on unpacked bytes: a file of a few kilobytes can unpack to any size, all of it in memory.
inline constexpr uint64_t kMostUnpacked = uint64_t { 2 } << 30U;

/// Whether a file is compressed with zstd.
[[nodiscard]] bool isZstd(std::string_view bytes);

struct Unpacked {
    std::string text;
    std::string damage; ///< a sentence; empty if the file is intact
};

/// Unpacks a zstd file. A truncated or damaged file yields what precedes the damage. Fails with Malformed if that is
/// nothing, and with NotReadable if the file unpacks to more than `most` bytes. `name` is for error messages.
[[nodiscard]] Result<Unpacked> unpackZstd(
    std::string_view packed, const std::string &name, uint64_t most = kMostUnpacked);

} // namespace core
