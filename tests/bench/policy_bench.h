// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>

namespace bench {

/// What a drag of the keep boundary costs under a policy: on an array of 5,000 slots, and on the session of `file`.
/// First sees to it that the picture has come to what was dragged to.
void benchPolicy(const std::filesystem::path &file);

} // namespace bench
