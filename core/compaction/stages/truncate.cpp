// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

void apply(StageRun &run)
{
    const uint64_t cap = run.count("cap");
    const uint64_t head = run.count("head");
    const uint64_t tail = run.count("tail");
    const uint64_t overhead = run.count("overhead");
    const uint64_t factor = run.isOn("counts-twice") ? 2 : 1;
    // What is compared is the result as the harness writes it: the payload once or twice, and its frame.
    const auto comparedOf
        = [&](const Block &block) { return lengthIn(block.body.lengths, run.unit()) * factor + overhead; };
    const auto wants = [&](const Block &block) {
        return block.kind == BlockKind::ToolResult && !block.is(BlockFlag::Stub) && comparedOf(block) > cap;
    };
    run.changeEach(StageRun::Reach::Everywhere, wants, [&](size_t element) -> std::optional<BlockChange> {
        const Draft &draft = run.draft();
        const Block &block = draft.blockOf(element);
        if (run.isOn("exempts-fetch") && draft.string(block.name) == run.text("fetch-tool"))
            return std::nullopt;
        const std::string whole = draft.text(draft.elements()[element].block);
        const std::string call(draft.string(block.callId));
        std::string body = whole;
        if (lengthIn(block.body.lengths, run.unit()) > head + tail) {
            const std::string start = headOf(whole, head, run.unit());
            const std::string end = tailOf(whole, tail, run.unit());
            const uint64_t left = lengthIn(textLengths(whole), run.unit()) - lengthIn(textLengths(start), run.unit())
                - lengthIn(textLengths(end), run.unit());
            body = start + filled(run.text("marker"), { { "n", std::to_string(left) } }) + end;
        }
        std::string artifact;
        if (run.isOn("saves"))
            artifact = filled(run.text("artifact"), { { "call", call }, { "session", run.context().sessionId } });
        const uint64_t compared = comparedOf(block);
        const std::string prefix = filled(run.text("prefix"), { { "n", std::to_string(compared) }, { "call", call } });
        BlockChange change
            = draft.textChange(element, prefix + body, artifact.empty() ? Fate::Shortened : Fate::Offloaded,
                groupedNumber(compared) + " are more than " + groupedNumber(cap));
        change.artifact = std::move(artifact);
        return change;
    });
}

} // namespace

StageKind truncateResults()
{
    return { "truncate-results", "Truncate tool results",
        "Of a large result the head and the tail stay, with a marker between them.",
        {
            { "cap", Type::Count, "Results larger than this are truncated, in the policy's length unit", 8192.0, 0,
                1e8 },
            { "head", Type::Count, "How much of the beginning stays", 2048.0, 0, 1e7 },
            { "tail", Type::Count, "How much of the end stays", 2048.0, 0, 1e7 },
            { "marker", Type::Text, "What stands between them; {n} is what was left out",
                std::string("\n\n[... {n} bytes elided ...]\n\n") },
            { "prefix", Type::Text, "What stands before them; {n} is the size that was compared, {call} the call",
                std::string() },
            { "overhead", Type::Count, "What the harness writes around the result, counted into what is compared", 0.0,
                0, 1e5 },
            { "counts-twice", Type::Switch, "The harness writes the payload twice, as text and as details", false },
            { "artifact", Type::Text, "Where the harness keeps the whole; {session} and {call} are filled in",
                std::string() },
            { "saves", Type::Switch, "The harness keeps it; off where its save fails", true },
            { "fetch-tool", Type::Text, "The tool that fetches the whole again", std::string() },
            { "exempts-fetch", Type::Switch, "Results of that tool are left whole", false },
        },
        apply };
}

} // namespace core::stages
