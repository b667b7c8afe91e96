// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/summary/note_cost.h"

namespace core {

/// What the user chose before a note is asked for.
struct SummaryChoice {
    SummaryTarget target;
    SummaryTemplate form;
    Secrets secrets = Secrets::Masked;
};

/// Everything that is known before a request for a note is sent. Immutable.
struct SummaryPlan {
    PolicyPtr policy;
    SummaryChoice choice;
    SummaryInput input;
    SummaryPrompt prompt;
    SummaryRequest request;
    SummaryEstimate estimate;
    double replacedTokens = 0; ///< of the texts that the note replaces, whole
};

/// Sends nothing. Reads the texts that the policy's summary replaces. `time` is for the prices.
[[nodiscard]] Result<SummaryPlan> summaryPlan(
    const Compaction &compaction, const SummaryChoice &choice, const Prices &prices, Timestamp time);

/// The note without blanks at its ends, if it can stand for the messages; else why not: it is empty, it is not shorter
/// than the texts that it replaces, or it has none of the headings that the instruction asks for (a model that follows
/// a text of the transcript answers something else). Costs O(note).
[[nodiscard]] Result<std::string> checkedNote(std::string_view note, const SummaryPlan &plan);

} // namespace core
