// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

/// The repository's root. Not a literal: with the path inside, no two worktrees could share a compiled test.
const char *palimpsestSourceDir();

#define PALIMPSEST_SOURCE_DIR palimpsestSourceDir()
