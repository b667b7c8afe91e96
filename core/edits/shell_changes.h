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

/// Whether a command was run, as the script tells.
enum class RunCertainty : uint8_t {
    Run,          ///< if the script was
    AfterSuccess, ///< if what stands before its `&&` went well
    Perhaps,      ///< behind `||`, within an `if` or loop, or it asks first
};

/// A file that a command changes.
struct ShellChange {
    FileChange change;
    bool isPatch = false; ///< `apply_patch` makes it, and says so
    RunCertainty certainty = RunCertainty::Run;
};

/// The files that a shell script changes where its words tell which: output redirected to a file, `tee`, `sed -i`,
/// `perl -i`, `truncate`, what shell_file_commands.h names, and `apply_patch` with its patch as a word or
/// here-document. Bodies are known of `cat` with a here-document and of `echo` and `printf`, as far as nothing in them
/// is expanded, and what `sed -i 's/old/new/'` makes of plain texts; of all else only that the file was written. Names
/// with variables, devices, and programs that change files without naming them (`npm run`, `git merge`) tell nothing.
/// Relative paths stand behind the `cd`s of the script and `folder`.
[[nodiscard]] std::vector<ShellChange> shellChanges(std::string_view script, std::string_view folder = {});
[[nodiscard]] std::vector<ShellChange> shellChanges(
    const std::vector<ShellCommand> &commands, std::string_view folder = {});

/// The lines of one file that a script prints, if it prints nothing else: `cat F`, `head -n 20 F`, `sed -n '10,20p' F`,
/// `nl -ba F | sed -n '10,20p'`.
struct ShellView {
    std::string path;
    uint64_t firstLine = 0;            ///< 0-based
    std::optional<uint64_t> lineCount; ///< at most so many; nothing: to the end
    bool isNumbered = false;           ///< `nl` or `cat -n` puts a number before each line
};
[[nodiscard]] std::optional<ShellView> shellView(std::string_view script, std::string_view folder = {});

} // namespace core
