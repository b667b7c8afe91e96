// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace core {

/// Gives memory that was freed back to the system. The allocator of glibc keeps it where small blocks in use lie behind
/// it, so that reading many files takes much more than the largest of them. Takes milliseconds.
inline void returnFreedMemory()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace core
