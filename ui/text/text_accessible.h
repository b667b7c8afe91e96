// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

namespace ui {

/// Makes text surfaces accessible to assistive technology and end-to-end tests: text, selection, caret and character
/// positions. Called by the first surface; further calls do nothing.
void installTextAccessibility();

} // namespace ui
