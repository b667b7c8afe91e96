// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/findings.h"
#include "core/report/better_policy.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace core {

/// The findings of one file.
struct FileFindings {
    std::string file;
    Findings findings;
    std::optional<BetterPolicy> better {}; ///< if it was asked for
    bool hasSmaller = false;               ///< whether the smaller findings are listed, too
};

/// `lost`, `costs`, `note`.
[[nodiscard]] std::string_view nameOf(FindingRank rank);

/// A part of a finding's place: text, or the number of a link.
struct WhereSegment {
    std::string text;
    std::optional<size_t> link; ///< index into `Finding::links`
};
/// `calls `, `18`, ` `, `20`, ` · `, `#161`, ` and 4 more · recorded 127,707 → 114,069`
[[nodiscard]] std::vector<WhereSegment> whereSegments(const Session &session, const Finding &finding);
/// The same as one text.
[[nodiscard]] std::string whereText(const Session &session, const Finding &finding);
/// `These findings cost $9.85 of the recorded $23.95`; empty without a price.
[[nodiscard]] std::string moneySentence(const Findings &findings);

/// `Smaller ones are not listed: files that were read again … (12, ~3,400 tokens)`; empty if all are listed.
[[nodiscard]] std::string leftOutSentence(const Findings &findings);

/// The findings of one file, as in the documents `palimpsest.findings/1`.
[[nodiscard]] nlohmann::ordered_json sessionFindingsJson(const FileFindings &file);
/// The document `palimpsest.findings/1` of several files.
[[nodiscard]] nlohmann::ordered_json findingsJson(std::vector<nlohmann::ordered_json> sessions);

/// For the terminal: a line for each finding, its place and its help below. Ends with a line end.
[[nodiscard]] std::string drawFindings(const FileFindings &file);

} // namespace core
