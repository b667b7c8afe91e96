// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/export.h"
#include "core/findings/compaction_loss.h"
#include "core/summary/summary_plan.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace core {

/// A note that a model wrote.
struct WrittenNote {
    std::string text;
    std::optional<Usage> usage;
    std::optional<double> cost; ///< in dollars, by the usage
};

/// `POST https://… (api.anthropic.com)`, `stays on this computer`: where a plan's text goes, and which key it needs.
/// `key` says where the key comes from: `the key in ANTHROPIC_API_KEY`; empty for none.
[[nodiscard]] std::string destinationOf(const SummaryPlan &plan, std::string_view key);
/// What is sent, how much of it, and what it costs.
[[nodiscard]] std::vector<std::string> factsOf(const SummaryPlan &plan);
/// The members of the body without its two texts, as one line of JSON.
[[nodiscard]] std::string settingsOf(const SummaryPlan &plan);
/// All of it for the terminal, with both texts; control characters are shown as marks. The document has the exact body.
[[nodiscard]] std::string drawSummaryPlan(const SummaryPlan &plan, std::string_view key);

/// The document `palimpsest.summary/1`, without a note.
[[nodiscard]] nlohmann::ordered_json summaryJson(const SummaryPlan &plan);
/// Adds the note, what it cost, and what the compaction loses with it. `session` is that of the array after it.
void addNoteJson(
    nlohmann::ordered_json &document, const WrittenNote &note, const Session &session, const CompactionLoss &loss);

/// `input 1,204 tokens, output 310 tokens, $0.01`.
[[nodiscard]] std::string usageSentence(const WrittenNote &note);

/// What the compaction loses with a note as its summary.
struct NoteCoverage {
    std::string name; ///< of the note
    CompactionLoss loss;
};
/// A table: the first row holds the names of the notes; a row for each kind of fact says how many of the removed facts
/// are still in context, then one for the typed messages.
[[nodiscard]] std::vector<std::vector<std::string>> coverageRows(std::span<const NoteCoverage> notes);
/// The document `palimpsest.note-coverage/1`.
[[nodiscard]] nlohmann::ordered_json coverageJson(std::span<const NoteCoverage> notes);
[[nodiscard]] std::string drawCoverage(std::span<const NoteCoverage> notes);

} // namespace core
