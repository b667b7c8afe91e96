// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"
#include "core/edits/shell_script.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Whether a script certainly runs a command.
enum class RunCertainty : uint8_t {
    Run,          ///< if the script runs
    AfterSuccess, ///< if the command before its `&&` succeeds
    Perhaps,      ///< after `||`, inside an `if` or loop, or the command asks the user first (`rm -i`)
};

/// A file that a command changes.
struct ShellChange {
    FileChange change;
    bool isPatch = false; ///< made by `apply_patch`, which reports its result
    RunCertainty certainty = RunCertainty::Run;
};

/// The files that a shell script visibly changes: redirection to a file, `tee`, `sed -i`, `perl -i`, `truncate`, the
/// programs of shell_file_commands.h, and `apply_patch` with its patch as a word or here-document. The new body is
/// known for `cat` with a here-document and for `echo` and `printf` if the shell expands nothing in them, and the
/// replaced text for `sed -i 's/old/new/'` with plain texts. For other commands only the write itself is known. Finds
/// nothing for names with variables, devices, and programs that do not name the files they change (`npm run`, `git
/// merge`). Relative paths are resolved by `folder` and the `cd`s of the script.
[[nodiscard]] std::vector<ShellChange> shellChanges(std::string_view script, std::string_view folder = {});
[[nodiscard]] std::vector<ShellChange> shellChanges(
    const std::vector<ShellCommand> &commands, std::string_view folder = {});

/// The lines of one file that a script prints, if it prints nothing else: `cat F`, `head -n 20 F`, `sed -n '10,20p' F`,
/// `nl -ba F | sed -n '10,20p'`.
struct ShellView {
    std::string path;
    uint64_t firstLine = 0;            ///< 0-based
    std::optional<uint64_t> lineCount; ///< at most; nullopt: to the end
    bool isNumbered = false;           ///< `nl` or `cat -n` numbers the lines
};
[[nodiscard]] std::optional<ShellView> shellView(std::string_view script, std::string_view folder = {});

} // namespace core
