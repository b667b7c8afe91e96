// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/reach.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace core {

/// Kinds of uses in options and documents: `quote`, `repeat`, `same-call`, `name`.
[[nodiscard]] std::string_view nameOf(UseKind kind);

/// The document `palimpsest.reach/1`: curves as pairs of tokens and share; `spread` as tokens and the first and last
/// decile of the sessions' shares. Tokens are estimated.
[[nodiscard]] nlohmann::ordered_json reachJson(const ReachSummary &summary);

/// A line per session, then the median and its spread; a column per step of the curve.
[[nodiscard]] std::string reachCsv(const ReachSummary &summary);

/// For the terminal: the curves of all sessions and their median, then a line per session on what it would have to
/// keep.
[[nodiscard]] std::string drawReach(const ReachSummary &summary);

/// `3 of 5 files could not be read as sessions: a, b and 1 more.`
[[nodiscard]] std::string skippedSentence(std::span<const std::string> skipped, size_t all);

} // namespace core
