// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <string>

namespace ui {

/// Where the key of an API comes from. The key itself is kept nowhere.
struct SummaryKeySource {
    std::string variable; ///< of the environment; not used if there is a command
    std::string command;  ///< for /bin/sh; the first line of its output is the key

    /// `the key in ANTHROPIC_API_KEY`, `the key from a command`; empty if there is neither.
    [[nodiscard]] std::string words() const;
    [[nodiscard]] bool isSet() const; ///< there is a command, or the variable has a value
};

/// Reads the key; empty if the variable is not set and `isOptional` (a server on this computer). Waits for the command,
/// at most half a minute. Errors hold neither the key nor the command's output.
[[nodiscard]] core::Result<std::string> readSummaryKey(const SummaryKeySource &source, bool isOptional);

} // namespace ui
