// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/reach.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// The kinds of uses as the command line and documents name them: `quote`, `repeat`, `same-call`, `name`.
[[nodiscard]] std::string_view nameOf(UseKind kind);

/// The document `palimpsest.reach/1`: curves as pairs of tokens and share, `spread` as tokens, the share of the session
/// that a tenth of the others lie below, and of that which a tenth lie above. Tokens are estimated.
[[nodiscard]] nlohmann::ordered_json reachJson(const ReachSummary &summary);

/// A line for each session, then the median and its spread; a column for each step of the curve.
[[nodiscard]] std::string reachCsv(const ReachSummary &summary);

/// For the terminal: the curves of all sessions and their median, what the sessions would have to keep, a line each.
[[nodiscard]] std::string drawReach(const ReachSummary &summary);

} // namespace core
