// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace core {

/// Turns one segment of a name into a git tree entry name that can be checked out on any system. Percent-escapes what
/// file names must not contain: control, invisible and bidirectional characters, invalid UTF-8, `\ : * ? " < > | ~ %`;
/// and `.`, `..`, names that begin with `.git`, Windows device names, blanks and dots at the end. An empty segment
/// becomes `%`. A segment over 200 bytes is cut and ends in `%-` and a hash. Different segments stay different.
[[nodiscard]] std::string escapedSegment(std::string_view segment);

/// Whether `path` is a path that TreeNames could have made: relative, with one or more segments that need no escape. A
/// file at such a path below a folder never lands outside of the folder or in its `.git`. Checks paths from other
/// sources.
[[nodiscard]] bool isTreePath(std::string_view path);

/// Assigns paths in one tree to names from session files. `/` separates segments, a leading `/` is dropped, and
/// everything deeper than 16 segments becomes one segment. Names that would collide (the same name twice, names that
/// differ only in case, a file where a folder is needed, one of our own names) get `%+2`, `%+3`, … after the colliding
/// segment. The same names in the same order always get the same paths.
class TreeNames final {
public:
    static constexpr std::string_view kOriginals = "originals";
    static constexpr std::string_view kPolicy = "policy.json";
    static constexpr std::string_view kLedger = "ledger.json";

    TreeNames();
    /// `originals/NAME`
    [[nodiscard]] std::string addOriginal(std::string_view name) { return add(std::string(kOriginals), name); }
    /// `NAME`
    [[nodiscard]] std::string addArtifact(std::string_view name) { return add({}, name); }

private:
    [[nodiscard]] std::string add(std::string path, std::string_view name);
    [[nodiscard]] std::string freeName(const std::string &path, std::string_view segment, bool isLast);

    // Case-folded paths, as a case-insensitive file system compares them.
    std::unordered_set<std::string> m_files;
    std::unordered_set<std::string> m_folders;
    std::unordered_map<std::string, unsigned> m_next; ///< the next number to try
};

} // namespace core
