// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>

namespace bench {

// What a drag of the keep boundary costs under a policy; first sees to it that the picture has come to what was dragged
// to.

/// On an array of 5,000 slots.
void benchDrag();
/// On the session of `file`.
void benchDrag(const std::filesystem::path &file);

} // namespace bench
