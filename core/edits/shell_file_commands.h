// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"
#include "core/edits/shell_script.h"

#include <string_view>
#include <vector>

namespace core {

/// The changes that a program makes to the files it is given.
struct FileCommand {
    std::vector<FileChange> changes;
    bool asksFirst = false; ///< it does not overwrite existing files: `mv -n`, `cp -i`
};

/// Knows `rm`, `mv` and `cp`; `git mv`, `git rm`, `git checkout` and `git restore` of files, `git stash` and `git reset
/// --hard` of all files; and formatters and linters that write (`black`, `ruff`, `isort`, `gofmt -w`, `goimports -w`,
/// `rustfmt`, `cargo fmt`, `clang-format -i`, `prettier --write`, `eslint --fix`, `biome`), also when started by `npx`,
/// `uv run` and the like. Changes by git and formatters are of kind Rewrite, as the log does not show the new text.
/// `PathNaming` marks wildcards and folders. Names with variables give no change. Relative paths are resolved by
/// `folder`.
[[nodiscard]] FileCommand fileCommand(const ShellCommand &command, std::string_view folder);

} // namespace core
