// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"
#include "core/compaction/stages/markers.h"

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

/// The head and tail of a text with a marker between; the whole text if that is not longer.
std::string truncated(const std::string &whole, const TextLengths &lengths, const StageParameters &stage)
{
    const uint64_t head = stage.count("head");
    const uint64_t tail = stage.count("tail");
    if (lengthIn(lengths, stage.unit()) <= head + tail)
        return whole;
    const std::string start = headOf(whole, head, stage.unit());
    const std::string end = tailOf(whole, tail, stage.unit());
    const uint64_t left = lengthIn(textLengths(whole), stage.unit()) - lengthIn(textLengths(start), stage.unit())
        - lengthIn(textLengths(end), stage.unit());
    return start + filled(stage.text("marker"), { { "n", std::to_string(left) } }) + end;
}

BlockRule rule(const StageParameters &stage)
{
    // Compares the result as the harness writes it: the payload once or twice, plus its frame.
    const auto comparedOf
        = [unit = stage.unit(), factor = stage.isOn("counts-twice") ? 2U : 1U, overhead = stage.count("overhead")](
              const Block &block) { return lengthIn(block.body.lengths, unit) * factor + overhead; };
    return { BlockRule::Reach::Everywhere,
        [comparedOf, cap = stage.count("cap")](const Block &block) {
            return block.kind == BlockKind::ToolResult && !block.is(BlockFlag::Stub) && comparedOf(block) > cap;
        },
        [comparedOf, stage](const BlockPool &pool, BlockId id) -> std::optional<BlockChange> {
            const Block &block = pool.block(id);
            if (stage.isOn("exempts-fetch") && pool.string(block.name) == stage.text("fetch-tool"))
                return std::nullopt;
            // PR #140 truncates in maybe_truncate_result, after a function has run, and never looks at recorded results
            // again. (The output of result::fetch is a new result of its own call, and is truncated.)
            if (isMarked(stage, pool, id, "prefix"))
                return std::nullopt;
            const std::string call(pool.string(block.callId));
            std::string artifact;
            if (stage.isOn("saves"))
                artifact
                    = filled(stage.text("artifact"), { { "call", call }, { "session", stage.context().sessionId } });
            const uint64_t compared = comparedOf(block);
            const std::string prefix
                = filled(stage.text("prefix"), { { "n", std::to_string(compared) }, { "call", call } });
            BlockChange change = pool.textChange(id, prefix + truncated(pool.text(id), block.body.lengths, stage),
                artifact.empty() ? Fate::Shortened : Fate::Offloaded,
                groupedNumber(compared) + " are more than " + groupedNumber(stage.count("cap")));
            change.artifact = std::move(artifact);
            return change;
        } };
}

} // namespace

StageKind truncateResults()
{
    return { "truncate-results", "Truncate tool results",
        "Cuts the middle out of a large result, also in the keep window. A marker replaces it.",
        {
            { "cap", Type::Count, "Truncates results larger than this, in the policy's length unit", 8192.0, 0, 1e8 },
            { "head", Type::Count, "Keeps this much of the beginning", 2048.0, 0, 1e7 },
            { "tail", Type::Count, "Keeps this much of the end", 2048.0, 0, 1e7 },
            { "marker", Type::Text, "Replaces the middle; {n} is the length of the middle",
                std::string("\n\n[... {n} bytes elided ...]\n\n") },
            { "prefix", Type::Text,
                "Written before the result; {n} is the size that was compared, {call} the id of the call",
                std::string() },
            { "overhead", Type::Count,
                "Length that the harness adds to the result before it compares the sum with the cap", 0.0, 0, 1e5 },
            { "counts-twice", Type::Switch,
                "Counts the size of the payload twice: the harness writes it as text and in the field `details`",
                false },
            { "artifact", Type::Text,
                "File in which the harness keeps the whole result; {session} and {call} are filled in", std::string() },
            { "saves", Type::Switch, "The harness can save that file. Off: its save fails", true },
            { "fetch-tool", Type::Text, "Tool that fetches the whole result again", std::string() },
            { "exempts-fetch", Type::Switch, "Leaves results of that tool whole", false },
        },
        rule };
}

} // namespace core::stages
