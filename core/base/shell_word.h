// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>

namespace core {

/// The text as one word of a POSIX shell, in quotation marks if it needs them.
[[nodiscard]] std::string shellWord(const std::string &text);

} // namespace core
