// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/diff/unified_patch.h"

#include "core/git/git_buffers.h"

#include <algorithm>

namespace core {

Result<std::string> unifiedPatch(std::string_view path, std::optional<std::string_view> before,
    std::optional<std::string_view> after, uint32_t context)
{
    path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
    if (path.empty() || path.find('\0') != std::string_view::npos)
        return failure(ErrorKind::Usage, "A patch needs the path of a file.", std::string(path));
    if (!before && !after)
        return std::string();
    return bufferPatch(before, after, std::string(path), context);
}

} // namespace core
