// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>

namespace ui {

/// The colours of both themes as variables of a style sheet: `--base`, `--hot`, …, and `--m0` to `--m7` for the
/// materials in their order. The reader's system chooses light or dark; paper is light.
[[nodiscard]] std::string themeCss();

/// The classes that the drawings of a report use. Expects the variables of `themeCss`.
[[nodiscard]] std::string pictureCss();

} // namespace ui
