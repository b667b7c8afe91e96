// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/sourcedir.h"

const char *palimpsestSourceDir() { return SOURCE_DIR; }
