// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/named_files.h"

#include <fnmatch.h>

#include <algorithm>
#include <string_view>

namespace core {

namespace {

/// Whether `path` is below `folder`; any path that stays inside is below `.`.
bool isBelow(std::string_view path, std::string_view folder)
{
    if (folder == "." || folder.empty())
        return isBelowFolder(path);
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// Whether `path`, or a folder above it, matches a shell pattern.
bool matches(const std::string &pattern, const std::string &path)
{
    const int flags = pattern.contains("**") ? FNM_PERIOD : FNM_PATHNAME | FNM_PERIOD;
    for (size_t end = path.size(); end != std::string::npos && end > 0; end = path.rfind('/', end - 1)) {
        if (fnmatch(pattern.c_str(), path.substr(0, end).c_str(), flags) == 0)
            return true;
    }
    return false;
}

std::string lastPart(const std::string &path) { return path.substr(path.rfind('/') + 1); }

class Namer final {
public:
    Namer(const FileChange &change, std::span<const std::string> known)
        : m_change(change)
        , m_known(known)
        , m_name(change.kind == ChangeKind::Copy ? change.from : change.path)
    {
    }

    std::vector<NamedChange> find()
    {
        if (m_change.naming == PathNaming::Pattern) {
            addRewrites([&](const std::string &path) { return matches(m_name, path); });
            return std::move(m_named);
        }
        const bool mayBeFolder = m_change.naming != PathNaming::File;
        const bool isFile = std::ranges::find(m_known, m_name) != m_known.end();
        if (!isFile && mayBeFolder && hasFilesBelow(m_name))
            addFolder();
        else if (isFile || m_change.naming != PathNaming::Known)
            add(m_name);
        return std::move(m_named);
    }

private:
    [[nodiscard]] bool hasFilesBelow(const std::string &folder) const
    {
        return std::ranges::any_of(m_known, [&](const std::string &path) { return isBelow(path, folder); });
    }

    void addFolder()
    {
        if (m_change.kind == ChangeKind::Rewrite) {
            addRewrites([&](const std::string &path) { return isBelow(path, m_name); });
            return;
        }
        for (const std::string &path : m_known) {
            if (isBelow(path, m_name))
                add(path);
        }
    }

    template <typename Takes>
    void addRewrites(const Takes &takes)
    {
        for (const std::string &path : m_known) {
            if (!takes(path) || (!m_change.suffixes.empty() && !hasSuffix(path, m_change.suffixes)))
                continue;
            FileChange change;
            change.path = path;
            change.command = m_change.command;
            m_named.push_back({ std::move(change), true });
        }
    }

    /// The target path of a moved or copied file: keeps its name, or its path below the folder.
    [[nodiscard]] std::string placeOf(const std::string &path, const std::string &target) const
    {
        const bool isInto = m_change.goesIntoFolder || target == "." || hasFilesBelow(target);
        const std::string rest = path.substr(m_name.size());
        const std::string place = isInto ? (target == "." ? std::string() : target + "/") + lastPart(m_name) : target;
        return place + rest;
    }

    void add(const std::string &path)
    {
        FileChange change = m_change;
        change.naming = PathNaming::File;
        if (change.kind == ChangeKind::Copy) {
            change.from = path;
            change.path = placeOf(path, m_change.path);
        } else {
            change.path = path;
            if (change.kind == ChangeKind::Move)
                change.movedTo = placeOf(path, m_change.movedTo);
        }
        m_named.push_back({ std::move(change), false });
    }

    const FileChange &m_change;
    std::span<const std::string> m_known;
    std::string m_name; ///< last part of the changed, moved or copied path
    std::vector<NamedChange> m_named;
};

} // namespace

bool isBelowFolder(std::string_view path)
{
    return !path.starts_with('/') && !path.starts_with('~') && !path.starts_with("..");
}

bool hasSuffix(std::string_view path, std::string_view suffixes)
{
    const size_t dot = path.rfind('.');
    return dot != std::string_view::npos && suffixes.contains(" " + std::string(path.substr(dot)) + " ");
}

std::vector<NamedChange> namedChanges(const FileChange &change, std::span<const std::string> known)
{
    return Namer(change, known).find();
}

} // namespace core
