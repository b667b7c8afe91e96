// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/elision.h"
#include "core/compaction/stages/kinds.h"

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

/// The block behind the element that `at` stands on, which moves on.
BlockId following(const Draft &draft, size_t &at)
{
    while (++at < draft.elements().size()) {
        if (!draft.elements()[at].isGone)
            return draft.elements()[at].block;
    }
    return {};
}

/// The call and all that belongs to its result.
void remove(StageRun &run, const ElisionWatch::Result &result, const std::string &why)
{
    Draft &draft = run.draft();
    const StringId id = draft.blockOf(result.place).callId;
    const bool hasCall = result.call != ElisionWatch::kNowhere;
    if (hasCall && draft.elements()[result.call].isPinned)
        return;
    for (size_t i = result.place; i < draft.elements().size(); ++i) {
        const Block &block = draft.blockOf(i);
        if (block.callId != id || (i > result.place && block.kind == BlockKind::ToolResult))
            break;
        if (!draft.elements()[i].isGone && !draft.elements()[i].isPinned)
            run.drop(i, why);
    }
    if (hasCall && !draft.elements()[result.call].isGone)
        run.drop(result.call, why);
}

void applyElide(StageRun &run)
{
    Draft &draft = run.draft();
    ElisionWatch watch(run);
    for (size_t i = 0; i < draft.elements().size(); ++i) {
        if (!draft.elements()[i].isGone)
            watch.push(i, draft.pool(), draft.elements()[i].block);
    }
    const ElisionRung rung(run);
    const std::string why = watch.why();
    const size_t cut = run.cutoff();
    const size_t end = cut < draft.messages().size() ? draft.messages()[cut].first : draft.elements().size();
    const size_t count = watch.meantCount(cut == 0 ? 0 : end);
    for (const ElisionWatch::Result &result : std::span(watch.results()).first(count)) {
        const Draft::Element &element = draft.elements()[result.place];
        if (element.isGone || element.isPinned || draft.block(element.block).is(BlockFlag::Stub)
            || !watch.isMeant(result, draft.pool()))
            continue;
        if (rung.isRemoval()) {
            remove(run, result, why);
            continue;
        }
        size_t at = result.place;
        const auto note = [&] { return noteOn(draft.pool(), [&] { return following(draft, at); }); };
        if (const auto change = rung.of(draft.pool(), element.block, why, note))
            run.change(result.place, *change);
    }
}

} // namespace

StageKind elide()
{
    return { "elide", "Elide",
        "Old tool results make room: they go, or a stub, a pointer or a note stands in their place.",
        {
            { "selector", Type::Choice, "Which results", std::string("before-last-user"), 0, 0, {},
                { "before-last-user", "every-n-turns", "stale-reads", "older-than-results", "idle", "commit", "topic",
                    "by-tool" } },
            { "rung", Type::Choice, "What is left of them", std::string("stub"), 0, 0, {},
                { "remove", "stub", "pointer", "note", "hybrid" } },
            { "n", Type::Count, "Turns between passes, or results that stay", 5.0, 0, 1e6 },
            { "minutes", Type::Number, "Pause behind which everything older goes", 15.0, 0, 1e6, "minutes" },
            { "distance", Type::Number, "Lexical distance of two user messages at which the topic has changed", 0.95, 0,
                1 },
            { "tools", Type::Names, "Results of these tools, where the selector is by tool",
                std::vector<std::string>() },
            { "short", Type::Count, "Hybrid: shorter results stay", 200.0, 0, 1e7, "characters" },
            { "large", Type::Count, "Hybrid: from here on a pointer stays, below it a note", 4000.0, 0, 1e8,
                "characters" },
            { "stub", Type::Text, "The stub", std::string("elided") },
            { "pointer", Type::Text, "The pointer; {path} is filled in", std::string("elided, read from {path}") },
            { "name", Type::Text, "Where the whole goes; {call} is filled in", std::string("elided/{call}.txt") },
            { "note", Type::Text, "The note; {note} is what the agent did next", std::string("elided; {note}") },
        },
        nullptr, applyElide };
}

} // namespace core::stages
