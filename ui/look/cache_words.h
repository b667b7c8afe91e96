// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_model.h"

#include <QString>

#include <optional>

namespace ui {

/// The cause of a broken cache as text: `idle for 14 min`, `compaction`; empty if it is not broken.
[[nodiscard]] QString cacheCauseWords(core::CacheCause cause, std::optional<core::Timestamp> idle);

} // namespace ui
