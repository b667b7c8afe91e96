// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// What a generated session holds, for checking that it was read right.
struct Generated {
    uint64_t bytes = 0;
    uint64_t records = 0;
    uint64_t slots = 0; ///< of the array at the end
    uint64_t calls = 0;
    uint64_t textBytes = 0; ///< decoded bytes of all bodies that are in the context
};

/// Texts to fill sessions with: the sources below `folder`, in the order of their names.
[[nodiscard]] std::vector<std::string> sourceTexts(const std::filesystem::path &folder);

/// Writes a Claude Code session of about `bytes` bytes in the shapes of real ones: a prompt, then reads, greps, edits
/// and writes with their results, `toolUseResult` copies, progress records in the parent chain, usage. The same seed
/// gives the same bytes.
Generated writeClaudeSession(
    const std::filesystem::path &file, uint64_t bytes, const std::vector<std::string> &texts, uint32_t seed = 1);

/// The same of so many calls, bodies and the prompts of usage `scale` times as long.
Generated writeClaudeCalls(
    const std::filesystem::path &file, uint64_t calls, double scale, const std::vector<std::string> &texts);

} // namespace bench
