// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

namespace ui {

/// Makes text surfaces readable for assistive technology and for end-to-end tests: their text, selection, caret and the
/// places of characters. Called by the first surface; more calls change nothing.
void installTextAccessibility();

} // namespace ui
