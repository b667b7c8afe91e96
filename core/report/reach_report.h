// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/evidence/reach.h"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace core {

/// Kinds of uses in options and documents: `quote`, `repeat`, `same-call`, `name`.
[[nodiscard]] std::string_view nameOf(UseKind kind);
[[nodiscard]] std::optional<UseKind> useKindNamed(std::string_view name);

/// The uses of one session as a line of `palimpsest.reach_session/1`, with every digit, so that the reach of many
/// sessions can be measured on many machines and combined.
[[nodiscard]] std::string reachLine(UseKind kind, const SessionUses &uses);

/// Reads such lines from any number of files, in any order.
class ReachLines final {
public:
    /// Fails and names the line if it is another document, has another kind of use, or says of a file something else
    /// than an earlier line.
    [[nodiscard]] Result<void> add(const nlohmann::ordered_json &line, const std::string &where);
    /// What one process says that reads these files in the order of their names.
    [[nodiscard]] ReachSummary summary() const;

private:
    std::optional<UseKind> m_kind;             ///< of the first line
    std::map<std::string, SessionUses> m_uses; ///< by file
};

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
