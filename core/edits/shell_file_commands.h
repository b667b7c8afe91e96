// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"
#include "core/edits/shell_script.h"

#include <string_view>
#include <vector>

namespace core {

/// What a program that is given files does to them.
struct FileCommand {
    std::vector<FileChange> changes;
    bool asksFirst = false; ///< it leaves files alone that are there already: `mv -n`, `cp -i`
};

/// `rm`, `mv` and `cp`; `git mv`, `git rm`, `git checkout` and `git restore` of files, `git stash` and `git reset
/// --hard` of all; and formatters and linters that write (`black`, `ruff`, `isort`, `gofmt -w`, `goimports -w`,
/// `rustfmt`, `cargo fmt`, `clang-format -i`, `prettier
/// --write`, `eslint --fix`, `biome`), also as `npx`, `uv run` and others run them. What git puts back and what a
/// formatter makes is not in the log: such a change is a Rewrite. Where wildcards or folders name the files, the change
/// says so (`PathNaming`); where a variable does, there is none. Relative paths stand behind `folder`.
[[nodiscard]] FileCommand fileCommand(const ShellCommand &command, std::string_view folder);

} // namespace core
