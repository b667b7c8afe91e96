// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/rank_data.h"

// The assembler includes the files: a C++ array of two million numbers would compile longer than all of core.
// NOLINTBEGIN(readability-identifier-naming)
// clang-format off
#define PALIMPSEST_INCLUDE_BYTES(name, file)      \
    __asm__(".pushsection .rodata\n"               \
            ".global " #name "_begin\n"            \
            ".hidden " #name "_begin\n"            \
            #name "_begin:\n"                      \
            ".incbin \"" PALIMPSEST_RANKS file "\"\n" \
            ".global " #name "_end\n"              \
            ".hidden " #name "_end\n"              \
            #name "_end:\n"                        \
            ".byte 0\n"                            \
            ".popsection\n");                      \
    extern "C" const char name##_begin[];          \
    extern "C" const char name##_end[]
// clang-format on

PALIMPSEST_INCLUDE_BYTES(palimpsest_o200k, "/o200k_base.ranks");
PALIMPSEST_INCLUDE_BYTES(palimpsest_cl100k, "/cl100k_base.ranks");
// NOLINTEND(readability-identifier-naming)

namespace core {

std::string_view packedO200k() { return { palimpsest_o200k_begin, palimpsest_o200k_end }; }
std::string_view packedCl100k() { return { palimpsest_cl100k_begin, palimpsest_cl100k_end }; }

} // namespace core
