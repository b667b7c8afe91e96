// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/index/session_index.h"

#include <span>

namespace app {

/// The folders of the known harnesses; `folders` instead if there are any. Fails if one is not a folder.
[[nodiscard]] core::Result<core::SessionPlaces> placesOf(std::span<const std::string> folders);

/// The index of these places, up to date except for texts and findings. The index of the known harnesses is kept,
/// unless the prices are for this command only. The index of other folders is made anew in memory, and so is that of
/// the known harnesses if the kept one cannot be used; a note says why.
[[nodiscard]] core::Result<core::SessionIndex> updatedIndex(
    std::span<const std::string> folders, const core::Prices &prices, bool isKept);

/// Notes it if what was read of the index may lack something.
void noteDamage(const core::SessionIndex &index);

/// The newest session file of the project in this folder.
[[nodiscard]] core::Result<std::string> latestSession(const std::string &project);

} // namespace app
