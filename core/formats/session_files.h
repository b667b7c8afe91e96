// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace core {

/// The files in a folder and below, by name, whatever they hold; hidden ones are left out, links not followed, what
/// cannot be entered is passed over.
[[nodiscard]] std::vector<std::string> filesBelow(const std::filesystem::path &folder);

} // namespace core
