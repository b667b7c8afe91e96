// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// What a drag of the Tuning view's marker costs in the whole window, on a generated session of about 2,000 calls that
/// is written into `folder`: mouse events come in through the platform's queue, and first it is seen to that the marker
/// and the pictures of the policy have come to where the pointer is. Under any platform: offscreen, or xcb on a
/// display.
void benchMarker(const std::filesystem::path &folder, const std::vector<std::string> &texts);

} // namespace bench
