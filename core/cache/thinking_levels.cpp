// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/thinking_levels.h"

namespace core {

std::string_view thinkingLevelBefore(const Session &session, BlockId block)
{
    // Inside a text these quotes would be escaped.
    constexpr std::string_view kLevel = R"("thinkingLevel":")";
    const Block &own = session.block(block);
    if (!own.body.source.isValid())
        return {};
    uint64_t begin = 0;
    if (block.value() > 0) {
        const Block &before = session.block(BlockId(block.value() - 1));
        if (before.body.source != own.body.source)
            return {};
        begin = before.recordOffset + before.recordSize;
    }
    if (begin >= own.recordOffset)
        return {};
    const std::string_view bytes = session.sources[own.body.source.index()]->bytes();
    const std::string_view between = bytes.substr(begin, own.recordOffset - begin);
    const size_t found = between.rfind(kLevel);
    if (found == std::string_view::npos)
        return {};
    const std::string_view level = between.substr(found + kLevel.size());
    return level.substr(0, level.find('"'));
}

} // namespace core
