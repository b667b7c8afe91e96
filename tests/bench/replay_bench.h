// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// Every preset over a generated session of about 2,000 calls, written into `folder`, beside planning every call from
/// scratch.
void benchReplay(const std::filesystem::path &folder, const std::vector<std::string> &texts);

} // namespace bench
