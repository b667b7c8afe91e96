// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/resume_shape.h"

#include <algorithm>

namespace core {

std::string dashedPath(std::string_view path)
{
    std::string dashed;
    size_t units = 0; // of UTF-16, one dash each
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isKept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        units = byte < 0x80U || byte >= 0xF0U ? (byte >= 0xF0U ? 2 : 1) : byte >= 0xC0U ? 1 : 0;
        dashed += isKept ? std::string(1, c) : std::string(units, '-');
    }
    return dashed;
}

std::string idAsFile(const NewSession &session) { return session.id + ".jsonl"; }

} // namespace core
