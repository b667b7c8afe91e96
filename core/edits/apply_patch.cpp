// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/apply_patch.h"

#include <optional>

namespace core {

namespace {

/// Removes and returns the first line of a text, without its line end (LF or CR LF).
std::string_view takeLine(std::string_view &text)
{
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

/// The trimmed text after `mark` if the line starts with it.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark)
{
    if (!line.starts_with(mark))
        return std::nullopt;
    line.remove_prefix(mark.size());
    const size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return std::string_view();
    return line.substr(first, line.find_last_not_of(" \t") + 1 - first);
}

/// Builds hunks line by line.
class HunkReader final {
public:
    void add(std::string_view line)
    {
        if (const auto anchor = behind(line, "@@")) {
            m_hunks.emplace_back().anchor = *anchor;
            m_isOpen = true;
            return;
        }
        if (line == "*** End of File") {
            if (!m_hunks.empty())
                m_hunks.back().isAtEnd = true;
            return;
        }
        if (!m_isOpen) { // the first hunk may lack `@@`
            m_hunks.emplace_back();
            m_isOpen = true;
        }
        PatchHunk &hunk = m_hunks.back();
        const char sign = line.empty() ? ' ' : line.front();
        const std::string text(line.empty() ? line : line.substr(1));
        if (sign != '+')
            hunk.before.push_back(sign == '-' || sign == ' ' ? text : std::string(line));
        if (sign != '-')
            hunk.after.push_back(sign == '+' || sign == ' ' ? text : std::string(line));
    }
    [[nodiscard]] std::vector<PatchHunk> take()
    {
        std::erase_if(m_hunks, [](const PatchHunk &hunk) { return hunk.before.empty() && hunk.after.empty(); });
        return std::move(m_hunks);
    }

private:
    std::vector<PatchHunk> m_hunks;
    bool m_isOpen = false;
};

bool isMark(std::string_view line) { return line.starts_with("*** ") && line != "*** End of File"; }

FileChange changeOf(ChangeKind kind, std::string_view path)
{
    FileChange change;
    change.kind = kind;
    change.path = path;
    return change;
}

/// The lines of a new file up to the next mark.
std::string takeNewFile(std::string_view &text)
{
    std::string content;
    while (!text.empty() && !isMark(text.substr(0, text.find('\n')))) {
        const std::string_view line = takeLine(text);
        content += line.starts_with('+') ? line.substr(1) : line;
        content += '\n';
    }
    return content;
}

} // namespace

std::vector<PatchHunk> parseHunks(std::string_view text)
{
    HunkReader reader;
    while (!text.empty())
        reader.add(takeLine(text));
    return reader.take();
}

std::vector<FileChange> parsePatch(std::string_view text)
{
    std::vector<FileChange> changes;
    const size_t begin = text.find("*** Begin Patch");
    if (begin == std::string_view::npos)
        return changes;
    text.remove_prefix(begin);
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (line.starts_with("*** End Patch"))
            break;
        if (const auto added = behind(line, "*** Add File:")) {
            changes.push_back(changeOf(ChangeKind::Write, *added));
            changes.back().text = takeNewFile(text);
            changes.back().isNewFile = true;
        } else if (const auto deleted = behind(line, "*** Delete File:")) {
            changes.push_back(changeOf(ChangeKind::Delete, *deleted));
        } else if (const auto updated = behind(line, "*** Update File:")) {
            changes.push_back(changeOf(ChangeKind::Patch, *updated));
            HunkReader reader;
            while (!text.empty() && (!isMark(text.substr(0, text.find('\n'))) || text.starts_with("*** Move to:"))) {
                const std::string_view hunkLine = takeLine(text);
                if (const auto moved = behind(hunkLine, "*** Move to:"))
                    changes.back().movedTo = *moved;
                else
                    reader.add(hunkLine);
            }
            changes.back().hunks = reader.take();
        }
    }
    return changes;
}

} // namespace core
