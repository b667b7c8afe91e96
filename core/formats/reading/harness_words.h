// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>

namespace core {

// What harnesses write into messages and arguments. One list for all formats: recordings of an API and converted
// sessions hold the texts of any harness.

/// True for user texts that a harness wrote, judged by how they begin: reminders, environment, command echoes, output
/// of tools in text protocols.
[[nodiscard]] bool looksInjected(std::string_view text);

/// Whether tool arguments name what the call is about, and under which key: `file_path`, `path`, `command`, …
/// `raw` is a JSON object; the result is the decoded value of the first such key, at most 300 bytes.
[[nodiscard]] std::string subjectOfArguments(std::string_view raw);

} // namespace core
