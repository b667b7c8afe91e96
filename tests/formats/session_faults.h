// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <random>
#include <string>
#include <vector>

namespace core {
struct Format;
}

/// What is wrong with what this program makes of a damaged session file: sentences, some of them empty.
namespace testing {

/// A reader reads the text, whatever it looks like.
[[nodiscard]] std::vector<std::string> faultsOfReader(const core::Format &format, const std::string &text);
/// Every reader does.
[[nodiscard]] std::vector<std::string> faultsOfReaders(const std::string &text);

/// Recognises and reads the text as a file, and runs the functions of `show`, `trace` and `edits` on the session.
[[nodiscard]] std::vector<std::string> faultsOfCommands(const std::string &text, std::mt19937_64 &random);

} // namespace testing
