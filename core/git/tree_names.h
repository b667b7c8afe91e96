// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace core {

/// One segment of a name as a name in a git tree that can be checked out anywhere: what no file may be called is
/// percent-escaped (control, invisible and bidirectional characters, bytes that are not UTF-8, `\ : * ? " < > | ~ %`,
/// `.`, `..`, everything that begins with `.git`, names of Windows devices, blanks and dots at the end). An empty
/// segment is `%`; one of more than 200 bytes is cut and ends in `%-` and a hash. Different segments stay different.
[[nodiscard]] std::string escapedSegment(std::string_view segment);

/// Whether `path` can be a path of TreeNames: relative, of one or more segments that need no escape. A file at such a
/// path below a folder never lands outside of the folder, nor in its `.git`. For paths that somebody else wrote.
[[nodiscard]] bool isTreePath(std::string_view path);

/// Gives names that come from session files their paths in one tree. `/` parts segments, one at the beginning is
/// dropped, and what lies deeper than 16 segments becomes one. Names that would meet (the same name twice, names that
/// differ only in case, a file where a folder is needed, a name of ours) get `%+2`, `%+3`, … behind the segment where
/// they do: the same names in the same order always get the same paths.
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

    // Paths as a file system that ignores case sees them.
    std::unordered_set<std::string> m_files;
    std::unordered_set<std::string> m_folders;
    std::unordered_map<std::string, unsigned> m_next; ///< the number to try first
};

} // namespace core
