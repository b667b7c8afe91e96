// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/markers.h"

namespace core::stages {

namespace {

/// Splits a pattern at its first `{name}`. Other braces are text.
std::pair<std::string_view, std::string_view> cutAtName(std::string_view pattern)
{
    for (size_t open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{', open + 1)) {
        const size_t end = pattern.find_first_not_of("abcdefghijklmnopqrstuvwxyz", open + 1);
        if (end != std::string_view::npos && end > open + 1 && pattern[end] == '}')
            return { pattern.substr(0, open), pattern.substr(end + 1) };
    }
    return { pattern, {} };
}

} // namespace

bool beginsAsFilled(std::string_view text, std::string_view pattern,
    std::initializer_list<std::pair<std::string_view, std::string_view>> values)
{
    const std::string known = filled(pattern, values);
    std::string_view rest = known;
    bool saysSomething = false;
    bool isFirst = true;
    while (!rest.empty()) {
        const auto [literal, behind] = cutAtName(rest);
        const size_t at = isFirst && !text.starts_with(literal) ? std::string_view::npos : text.find(literal);
        if (at == std::string_view::npos)
            return false;
        text.remove_prefix(at + literal.size());
        saysSomething = saysSomething || !literal.empty();
        rest = behind;
        isFirst = false;
    }
    return saysSomething;
}

bool isMarked(const StageParameters &stage, const BlockPool &pool, BlockId result, std::string_view marker)
{
    constexpr size_t kNames = 4096; // upper bound for other filled-in values: numbers, paths
    const std::string pattern = stage.text(marker);
    return beginsAsFilled(pool.textHead(result, pattern.size() + kNames), pattern,
        { { "call", pool.string(pool.block(result).callId) } });
}

} // namespace core::stages
