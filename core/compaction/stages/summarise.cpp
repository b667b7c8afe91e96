// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/eviction.h"
#include "core/compaction/stages/kinds.h"

namespace core::stages {

namespace {

void applySummarise(StageRun &run) { evictBefore(run, run.cutoff(), !run.isOn("applies")); }

} // namespace

StageKind summarise()
{
    std::vector<ParameterSpec> parameters = evictionParameters();
    parameters.push_back({ "applies", ParameterSpec::Type::Switch,
        "Adds the summary to the array. Off: the harness stores the summary but never sends it", true });
    return { .id = "summarise",
        .title = "Summarise",
        .sentence = "Replaces the messages before the keep window with a summary, and can archive them in a file.",
        .parameters = std::move(parameters),
        .apply = applySummarise,
        .summarises = true };
}

} // namespace core::stages
