// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_model.h"

#include <QString>

#include <optional>

namespace ui {

/// What broke a cache, in words: `idle for 14 min`, `compaction`; empty where nothing did.
[[nodiscard]] QString cacheCauseWords(core::CacheCause cause, std::optional<core::Timestamp> idle);

} // namespace ui
