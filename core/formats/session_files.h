// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace core {

/// The files in a folder and below, by name, whatever they hold; hidden ones are left out, links not followed, what
/// cannot be entered is passed over.
[[nodiscard]] std::vector<std::string> filesBelow(const std::filesystem::path &folder);

/// The files of these places, a folder's with all below; each once, by name.
[[nodiscard]] std::vector<std::string> filesOf(std::span<const std::filesystem::path> places);

} // namespace core
