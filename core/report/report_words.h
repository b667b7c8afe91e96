// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/session_report.h"

#include <span>
#include <string>

namespace core {

/// `2 compactions, after calls 49, 126 · 1 clearing, after call 18`
[[nodiscard]] std::string compactionWords(std::span<const CompactionLoss> losses);

/// How many of the typed messages the array holds word for word, at the end and at the shown call; empty without any.
[[nodiscard]] std::string typedWords(const SessionReport &report);

} // namespace core
