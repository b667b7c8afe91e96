// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

namespace app {

/// The options of a command line without a command.
[[nodiscard]] std::span<const Option> programOptions();

/// What the program does, in one paragraph.
[[nodiscard]] std::string_view programSummary();

/// `palimpsest [FILE…|DIR…]` and the other forms of a command line.
[[nodiscard]] std::span<const std::string_view> programForms();

/// What each exit code means, in one sentence.
[[nodiscard]] std::string_view exitCodes();

/// `-o, --output DIR`
[[nodiscard]] std::string optionText(const Option &option);

/// What an option does, with its possible values.
[[nodiscard]] std::string optionHelp(const Option &option);

/// `palimpsest --help`
[[nodiscard]] std::string programHelp();

/// `palimpsest sessions --help`
[[nodiscard]] std::string sessionsHelp();

/// `palimpsest COMMAND --help`
[[nodiscard]] std::string commandHelp(const Command &command);

} // namespace app
