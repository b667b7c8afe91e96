// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"

#include <unordered_map>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

void applyClearToolUses(StageRun &run)
{
    Draft &draft = run.draft();
    struct Result {
        size_t element = 0;
        std::optional<size_t> call; ///< the nearest before with its id: ids may repeat
    };
    std::unordered_map<StringId, size_t> calls;
    std::vector<Result> results;
    for (size_t i = 0; i < draft.elements().size(); ++i) {
        const Block &block = draft.blockOf(i);
        if (draft.elements()[i].isGone)
            continue;
        if (block.kind == BlockKind::ToolCall)
            calls[block.callId] = i;
        else if (block.kind == BlockKind::ToolResult)
            results.push_back({ i, calls.contains(block.callId) ? std::optional(calls[block.callId]) : std::nullopt });
    }
    const Measure measure = run.keep().measure;
    const bool countsResults = measure.unit == Measure::Unit::Results;
    const uint64_t keep = countsResults ? static_cast<uint64_t>(measure.value) : 0;
    const size_t cut = countsResults ? draft.messages().size() : run.cutoff();
    const size_t end = cut < draft.messages().size() ? draft.messages()[cut].first : draft.elements().size();
    const double atLeast = run.number("at-least");
    const std::string placeholder = run.text("placeholder");
    double cleared = 0;
    for (size_t k = 0; k + keep < results.size() && results[k].element < end; ++k) {
        const auto [element, call] = results[k];
        const Block block = draft.blockOf(element);
        const bool isMeant = !block.is(BlockFlag::Stub) && !draft.elements()[element].isPinned && call
            && !run.listsTool("exclude", draft.blockOf(*call));
        if (!isMeant)
            continue;
        const double before = draft.tokens(draft.elements()[element].block);
        run.shorten(element, placeholder, Fate::Cleared,
            countsResults ? "older than the last " + groupedNumber(keep) + " tool results" : "before the keep window");
        cleared += before - draft.tokens(draft.elements()[element].block);
        const Draft::Element &callElement = draft.elements()[*call];
        if (run.isOn("inputs") && !callElement.isPinned && !callElement.isGone && !hasNoArguments(draft.blockOf(*call)))
            run.shorten(*call, "{}", Fate::Cleared, "arguments of a cleared call");
        if (atLeast > 0 && cleared >= atLeast)
            break;
    }
}

} // namespace

StageKind clearToolUses()
{
    return { "clear-tool-uses", "Clear old tool uses", "All but the newest tool results become a placeholder.",
        {
            { "at-least", Type::Count, "Stops once that much is cleared; 0 clears all", 0.0, 0, 1e7, "tokens" },
            { "exclude", Type::Names, "Not results of these tools", std::vector<std::string>() },
            { "inputs", Type::Switch, "The arguments of the calls are cleared too", false },
            { "placeholder", Type::Text, "What stands in their place", std::string("[cleared]") },
        },
        nullptr, applyClearToolUses };
}

} // namespace core::stages
