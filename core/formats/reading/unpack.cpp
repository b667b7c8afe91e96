// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/unpack.h"

#include "core/base/text.h"

#include <memory>
#include <zstd.h>

namespace core {

namespace {

struct ZstdDeleter {
    void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
};

} // namespace

bool isZstd(std::string_view bytes) { return bytes.starts_with("\x28\xB5\x2F\xFD"); }

Result<Unpacked> unpackZstd(std::string_view packed, const std::string &name, uint64_t most)
{
    const std::unique_ptr<ZSTD_DStream, ZstdDeleter> stream(ZSTD_createDStream());
    Unpacked unpacked;
    std::string buffer(ZSTD_DStreamOutSize(), '\0');
    ZSTD_inBuffer input { packed.data(), packed.size(), 0 };
    size_t pending = 0;
    bool isFull = false; // the buffer is full and more data is waiting
    while (input.pos < input.size || isFull) {
        ZSTD_outBuffer output { buffer.data(), buffer.size(), 0 };
        pending = ZSTD_decompressStream(stream.get(), &output, &input);
        if (ZSTD_isError(pending) != 0U) {
            const std::string reason = ZSTD_getErrorName(pending);
            if (unpacked.text.empty())
                return failure(
                    ErrorKind::Malformed, "The compressed file could not be unpacked: " + reason + ".", name);
            unpacked.damage
                = "The compressed file is damaged (" + reason + "); only the part before the damage was read.";
            return unpacked;
        }
        isFull = output.pos == output.size && pending != 0;
        if (unpacked.text.size() + output.pos > most) {
            return failure(ErrorKind::NotReadable,
                "The compressed file contains more than " + groupedNumber(most)
                    + " bytes. Unpack it with `zstd -d` and open the result.",
                name);
        }
        unpacked.text.append(buffer, 0, output.pos);
    }
    if (pending != 0)
        unpacked.damage = "The compressed file is cut off; only its beginning was read.";
    if (unpacked.text.empty() && pending != 0)
        return failure(ErrorKind::Malformed, "The compressed file is cut off before anything could be unpacked.", name);
    return unpacked;
}

} // namespace core
