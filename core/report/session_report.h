// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/compaction_loss.h"
#include "core/replay/replay_figures.h"
#include "core/report/edits_report.h"
#include "core/report/findings_report.h"
#include "core/report/page.h"
#include "core/report/redaction.h"
#include "core/report/show.h"

namespace core {

/// The content of `palimpsest report` for one thread of a session.
struct SessionReport {
    std::string file; ///< its name without folders
    Shown shown;      ///< the array of the chosen call
    InContext atEnd;  ///< the typed messages at the end
    FileFindings findings;
    std::vector<CompactionLoss> losses;
    EditsReport edits; ///< not compared with files: the page does not depend on the computer
    RecordedFiguresPtr figures;
};

/// Computes everything. Costs what `findFindings`, `recordedLosses` and `editsReport` cost together.
[[nodiscard]] SessionReport sessionReport(const std::string &file, const SessionPtr &session, Position position,
    const BlockTokensPtr &tokens, const Prices &prices, unsigned threads);

/// Whether a report holds texts of the session, or figures and labels only.
enum class ReportTexts : uint8_t { Included, LeftOut };

/// The drawings of a page, as SVG.
struct ReportPictures {
    std::string timeline;
    std::string array;
};

// Limits of a page. What is beyond is counted in a sentence.
inline constexpr size_t kMostReportSlots = 300;  ///< rows of the array, the heaviest
inline constexpr size_t kMostReportCalls = 2000; ///< rows of calls
inline constexpr size_t kMostReportEdits = 1000;
inline constexpr size_t kMostReportLosses = 3000;                  ///< lines of all compactions together
inline constexpr size_t kMostReportDiff = size_t { 64 } << 10U;    ///< bytes of one diff as written
inline constexpr size_t kMostReportDiffs = size_t { 1536 } << 10U; ///< of all diffs together

/// The slots of the array that the page has a row for, ascending.
[[nodiscard]] std::vector<size_t> listedSlots(const Shown &shown);
/// Whether the drawings lead to the rows of their page.
enum class PictureLinks : uint8_t { None, ToRows };

/// The page for people. `redaction` masks its texts.
[[nodiscard]] Page pageOf(
    const SessionReport &report, ReportTexts texts, const ReportPictures &pictures, Redaction &redaction);

/// The document `palimpsest.report/1`: the documents of `findings`, `observe`, `edits` and `show` in one, masked.
[[nodiscard]] Json reportJson(const SessionReport &report, ReportTexts texts, Redaction &redaction);
/// Replaces every string of a document by null but for those of members that hold words of the program only.
void leaveOutTexts(Json &document);
/// The member `masked`: how many places each rule masks.
[[nodiscard]] Json maskedJson(const std::vector<RedactedPlace> &places);

/// What stands below each page.
[[nodiscard]] PagePart reportFoot(ReportTexts texts, const std::vector<RedactedPlace> &places);

} // namespace core
