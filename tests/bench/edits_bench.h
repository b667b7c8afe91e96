// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// A file of 20,000 lines in the Edits view, one line of it changed and then every fortieth: from choosing the edit
/// until its differences are painted, and until they are coloured. The session is written into `folder`.
void benchEdits(const std::filesystem::path &folder, const std::vector<std::string> &texts);

} // namespace bench
