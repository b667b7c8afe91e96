// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// A file of some kilobytes can unpack to any size, and all of it is held in memory.
inline constexpr uint64_t kMostUnpacked = uint64_t { 2 } << 30U;

/// Whether a file is compressed with zstd.
[[nodiscard]] bool isZstd(std::string_view bytes);

struct Unpacked {
    std::string text;
    std::string damage; ///< a sentence; empty for a whole file
};

/// Unpacks a zstd file. A file that is cut off or damaged gives what stands before. Fails with Malformed if that is
/// nothing, and with NotReadable if the file holds more than `most` bytes. `name` is for the error.
[[nodiscard]] Result<Unpacked> unpackZstd(
    std::string_view packed, const std::string &name, uint64_t most = kMostUnpacked);

} // namespace core
