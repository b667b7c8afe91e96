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
    run.forEach([&](size_t element) {
        Draft &draft = run.draft();
        const Block &block = draft.blockOf(element);
        if (block.kind != BlockKind::ToolResult || block.is(BlockFlag::Stub))
            return;
        if (run.isOn("exempts-fetch") && draft.string(block.name) == run.text("fetch-tool"))
            return;
        const uint64_t length = lengthIn(block.body.lengths, run.unit());
        // What is compared is the result as the harness writes it: the payload once or twice, and its frame.
        const uint64_t compared = length * (run.isOn("counts-twice") ? 2 : 1) + overhead;
        if (compared <= cap)
            return;
        const std::string whole = draft.text(draft.elements()[element].block);
        const std::string call(draft.string(block.callId));
        std::string body = whole;
        if (length > head + tail) {
            const std::string start = headOf(whole, head, run.unit());
            const std::string end = tailOf(whole, tail, run.unit());
            const uint64_t left = lengthIn(textLengths(whole), run.unit()) - lengthIn(textLengths(start), run.unit())
                - lengthIn(textLengths(end), run.unit());
            body = start + filled(run.text("marker"), { { "n", std::to_string(left) } }) + end;
        }
        std::optional<size_t> artifact;
        if (const std::string name = run.text("artifact"); !name.empty() && run.isOn("saves")) {
            const BlockId origin = draft.elements()[element].origin;
            Artifact kept;
            kept.name = filled(name, { { "call", call }, { "session", run.context().sessionId } });
            kept.blocks = { origin };
            kept.text = [id = draft.elements()[element].block](
                            const Session &after) { return after.text(after.block(id).body); };
            artifact = run.keepArtifact(std::move(kept));
        }
        const std::string prefix = filled(run.text("prefix"), { { "n", std::to_string(compared) }, { "call", call } });
        run.shorten(element, prefix + body, artifact ? Fate::Offloaded : Fate::Shortened,
            groupedNumber(compared) + " are more than " + groupedNumber(cap), artifact);
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
