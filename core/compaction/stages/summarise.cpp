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
        "The note reaches the array; off where a harness stores it and never loads it", true });
    return { .id = "summarise",
        .title = "Summarise",
        .sentence = "The messages before the keep window go to an archive; a handoff note stands for them.",
        .parameters = std::move(parameters),
        .apply = applySummarise,
        .summarises = true };
}

} // namespace core::stages
