// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/session_files.h"

#include <algorithm>
#include <iterator>

namespace core {

namespace {

/// The files that a directory iterator finds, sorted. Skips hidden files and folders, and links.
template <typename Iterator>
std::vector<std::string> filesFoundBy(const std::filesystem::path &folder)
{
    std::vector<std::string> files;
    std::error_code error;
    auto entry = Iterator(folder, std::filesystem::directory_options::skip_permission_denied, error);
    for (; !error && entry != Iterator(); entry.increment(error)) {
        std::error_code gone; // the file vanished meanwhile
        const bool isHidden = entry->path().filename().string().starts_with('.');
        if (!isHidden && entry->is_regular_file(gone) && !entry->is_symlink(gone))
            files.push_back(entry->path().string());
        if constexpr (requires { entry.disable_recursion_pending(); }) {
            if (isHidden)
                entry.disable_recursion_pending();
        }
    }
    std::ranges::sort(files);
    return files;
}

} // namespace

std::vector<std::string> filesBelow(const std::filesystem::path &folder)
{
    return filesFoundBy<std::filesystem::recursive_directory_iterator>(folder);
}

std::vector<std::string> filesIn(const std::filesystem::path &folder)
{
    return filesFoundBy<std::filesystem::directory_iterator>(folder);
}

std::vector<std::string> filesOf(std::span<const std::filesystem::path> places)
{
    std::vector<std::string> files;
    for (const std::filesystem::path &place : places) {
        std::error_code error;
        if (std::filesystem::is_directory(place, error))
            std::ranges::move(filesBelow(place), std::back_inserter(files));
        else
            files.push_back(place.string());
    }
    std::ranges::sort(files);
    const auto again = std::ranges::unique(files);
    files.erase(again.begin(), again.end());
    return files;
}

} // namespace core
