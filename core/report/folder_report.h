// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/list_report.h"
#include "core/report/session_report.h"

namespace core {

/// The content of `palimpsest report` for a folder.
struct FolderReport {
    std::string folder;                ///< its name without those above
    std::vector<SessionEntry> entries; ///< with findings; newest first; files relative to the folder
    size_t skipped = 0;                ///< files that are not sessions
};

/// What all sessions add up to.
struct FolderTotal {
    size_t sessions = 0;        ///< without subagents' files
    uint64_t calls = 0;         ///< subagents' files included
    std::optional<double> cost; ///< in dollars; a call that several sessions hold counts once
    size_t unpriced = 0;        ///< sessions without a known cost
};
[[nodiscard]] FolderTotal totalOf(const FolderReport &report);

/// Adds the conversations of a session file, with findings.
void addTo(FolderReport &report, const SessionPtr &session, const std::string &file, const BlockTokensPtr &tokens,
    const Prices &prices);
/// Newest first.
void sort(FolderReport &report);

/// The page for people. `redaction` masks its texts.
[[nodiscard]] Page pageOf(const FolderReport &report, ReportTexts texts, Redaction &redaction);
/// The document `palimpsest.report/1` of a folder: `folder`, `sessions` as in `palimpsest.list/1`, `total`.
[[nodiscard]] Json reportJson(const FolderReport &report, ReportTexts texts, Redaction &redaction);

} // namespace core
