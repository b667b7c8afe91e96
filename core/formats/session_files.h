// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace core {

/// All files below a folder, sorted by name, whatever they contain. Skips hidden files and folders, links, and folders
/// that cannot be opened.
[[nodiscard]] std::vector<std::string> filesBelow(const std::filesystem::path &folder);

/// The files in a folder itself, with the same exceptions.
[[nodiscard]] std::vector<std::string> filesIn(const std::filesystem::path &folder);

/// The files at these places, including all files below folders; each once, sorted by name.
[[nodiscard]] std::vector<std::string> filesOf(std::span<const std::filesystem::path> places);

} // namespace core
