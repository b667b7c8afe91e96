// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>

namespace core {

struct Block;
class SessionBuilder;

// What harnesses write into messages and arguments. One list for all formats: recordings of an API and converted
// sessions hold the texts of any harness.

/// True for user texts that a harness wrote, judged by how they begin: reminders, environment, command echoes, output
/// of tools in text protocols.
[[nodiscard]] bool looksInjected(std::string_view text);

/// Marks a text of a user as injected if a harness wrote it, else as typed.
void markUserText(const SessionBuilder &builder, Block &block);

/// What a tool call is about, by its arguments: the decoded value of the first key such as `file_path`, `path` or
/// `command`, at most 300 bytes; empty if there is none. `raw` is a JSON object.
[[nodiscard]] std::string subjectOfArguments(std::string_view raw);

} // namespace core
