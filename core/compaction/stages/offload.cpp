// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"
#include "core/compaction/stages/markers.h"

#include <algorithm>
#include <cmath>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

SampleRule sampleOf(const StageParameters &run)
{
    SampleRule rule;
    rule.headLines = run.count("head-lines");
    rule.tailLines = run.count("tail-lines");
    rule.lineCap = run.count("line-cap");
    rule.omitted = run.text("omitted");
    rule.hasLineNumbers = run.isOn("line-numbers");
    rule.lines = run.isOn("javascript-lines") ? LineRule::JavaScript : LineRule::Python;
    rule.unit = run.unit();
    return rule;
}

std::vector<ParameterSpec> sampleParameters()
{
    return {
        { "head-lines", Type::Count, "Number of lines from the beginning in the sample", 5.0, 0, 1000, "lines" },
        { "tail-lines", Type::Count, "Number of lines from the end in the sample", 5.0, 0, 1000, "lines" },
        { "line-cap", Type::Count, "Cuts lines of the sample to this length", 1000.0, 1, 1e6, "characters" },
        { "omitted", Type::Text, "Replaces the {n} omitted lines in the sample",
            std::string("<<< {n} lines omitted >>>") },
        { "line-numbers", Type::Switch, "Numbers the lines of the sample", false },
        { "javascript-lines", Type::Switch, "Only \\n ends a line. If off, other line ends count, too", false },
    };
}

/// A call id as a file name, in Deep Agents' form.
std::string sanitised(std::string id)
{
    std::ranges::replace_if(id, [](char c) { return c == '.' || c == '/' || c == '\\'; }, '_');
    return id;
}

/// Replaces the text by a pointer and a sample; the whole text goes to an artifact.
BlockChange offloaded(const StageParameters &run, const BlockPool &pool, BlockId id, std::string name, std::string why)
{
    const std::string whole = pool.text(id);
    const std::string call(pool.string(pool.block(id).callId));
    std::string text
        = filled(run.text("inline"), { { "path", name }, { "call", call }, { "sample", sampleOf(run).of(whole) } });
    BlockChange change = pool.textChange(id, std::move(text), Fate::Offloaded, std::move(why));
    change.artifact = std::move(name);
    return change;
}

std::string tooLong(const StageParameters &run, const Block &block)
{
    return groupedNumber(lengthIn(block.body.lengths, run.unit())) + " characters are more than "
        + groupedNumber(run.count("cap"));
}

std::optional<BlockChange> offloadedResult(const StageParameters &stage, const BlockPool &pool, BlockId id)
{
    const Block &block = pool.block(id);
    if (stage.listsTool("exclude", block) || isMarked(stage, pool, id, "inline"))
        return std::nullopt;
    const std::string call(pool.string(block.callId));
    const std::string tool(pool.string(block.name));
    if (stage.isOn("has-session")) {
        return offloaded(stage, pool, id,
            filled(stage.text("name"),
                { { "tool", tool }, { "ref", call.empty() ? "00000000" : call }, { "call", sanitised(call) } }),
            tooLong(stage, block));
    }
    // Without an archive the recipe clips.
    const ClipRule rule { stage.count("cap"), 120, "…[truncated] ({n} chars total)", stage.unit(), true };
    const std::string head = pool.textHead(id, rule.headBytes());
    return pool.textChange(id, rule.clipped(head, block.body.lengths), Fate::Shortened,
        "the harness has no session, so it cannot keep a file");
}

BlockRule largeResultsRule(const StageParameters &stage)
{
    return { BlockRule::Reach::Everywhere,
        [unit = stage.unit(), cap = stage.count("cap")](const Block &block) {
            return block.kind == BlockKind::ToolResult && !block.is(BlockFlag::Stub)
                && lengthIn(block.body.lengths, unit) > cap;
        },
        [stage](const BlockPool &pool, BlockId id) { return offloadedResult(stage, pool, id); } };
}

void offloadLastUserMessage(StageRun &run)
{
    Draft &draft = run.draft();
    for (size_t i = draft.messages().size(); i > 0; --i) {
        const Draft::Message message = draft.messages()[i - 1];
        if (run.isOn("last-only") && i != draft.messages().size())
            return;
        if (message.role != Role::User || message.isSummary)
            continue;
        for (size_t element = message.first; element < message.first + message.count; ++element) {
            const Block &block = draft.blockOf(element);
            const Draft::Element &entry = draft.elements()[element];
            if (entry.isGone || entry.isPinned || block.kind != BlockKind::Text || block.is(BlockFlag::Stub))
                continue;
            if (lengthIn(block.body.lengths, run.unit()) <= run.count("cap"))
                continue;
            const Hash hash = hashOf(draft.text(entry.block));
            std::string id;
            for (const uint64_t half : { hash.high, hash.low }) {
                for (int shift = 60; shift >= 0; shift -= 4)
                    id += "0123456789abcdef"[(half >> static_cast<unsigned>(shift)) & 0xfU];
            }
            run.change(element,
                offloaded(
                    run, draft.pool(), entry.block, filled(run.text("name"), { { "id", id } }), tooLong(run, block)));
        }
    }
}

/// The size limit of the tail in tokens: the keep budget, if it is in tokens.
double tailBudget(const StageRun &run)
{
    const Measure &keep = run.keep().measure;
    if (keep.unit == Measure::Unit::Tokens)
        return keep.value;
    if (keep.unit == Measure::Unit::WindowFraction && run.context().windowTokens > 0)
        return std::floor(run.context().windowTokens * keep.value);
    return run.number("budget");
}

/// Clips the results at the end of the array if together they exceed the limit.
void clipResultsAtTheEnd(StageRun &run)
{
    Draft &draft = run.draft();
    const DraftArray array(draft, run.policy());
    size_t first = draft.messages().size();
    double tokens = 0;
    while (first > 0 && draft.messages()[first - 1].role == Role::Tool) {
        --first;
        tokens += array.factsOf(first).tokens;
    }
    if (first == draft.messages().size() || tokens < tailBudget(run))
        return;
    run.forEach([&](size_t element) {
        const Draft::Element &entry = draft.elements()[element];
        const Block &block = draft.blockOf(element);
        if (element < draft.messages()[first].first || block.kind != BlockKind::ToolResult || block.is(BlockFlag::Stub))
            return;
        const std::string call(draft.string(block.callId));
        if (!run.listsTool("reads", block)) {
            run.change(element,
                offloaded(run, draft.pool(), entry.block, filled(run.text("name"), { { "call", sanitised(call) } }),
                    "the results at the end of the array do not fit"));
            return;
        }
        const uint64_t cap = run.count("read-cap");
        if (lengthIn(block.body.lengths, run.unit()) <= cap)
            return;
        const std::string whole = draft.text(entry.block);
        const std::string text = std::string(headOf(whole, cap, run.unit()))
            + filled(run.text("read-notice"), { { "path", draft.string(block.subject) } });
        run.shorten(element, text, Fate::Shortened, "the results at the end of the array do not fit");
    });
}

std::optional<BlockChange> firstPage(const StageParameters &stage, const BlockPool &pool, BlockId id)
{
    const Block &block = pool.block(id);
    if (!stage.listsTool("tools", block))
        return std::nullopt;
    const uint64_t limit = stage.count("lines");
    const uint64_t cap = stage.count("cap");
    const std::string whole = pool.text(id);
    const auto lines = splitLines(whole, LineRule::Python);
    if (lines.size() <= limit && lengthIn(block.body.lengths, stage.unit()) <= cap)
        return std::nullopt;
    std::string kept;
    uint64_t length = 0;
    size_t shown = 0;
    while (shown < lines.size() && shown < limit) {
        length += lengthIn(textLengths(lines[shown]), stage.unit()) + 1;
        if (length > cap)
            break;
        kept.append(lines[shown]).append("\n");
        ++shown;
    }
    kept += filled(stage.text("notice"),
        { { "shown", groupedNumber(shown) }, { "n", groupedNumber(lines.size()) },
            { "rest", groupedNumber(lines.size() - shown) }, { "path", pool.string(block.subject) } });
    if (lengthIn(textLengths(kept), stage.unit()) >= lengthIn(block.body.lengths, stage.unit()))
        return std::nullopt; // a page is never longer than the whole text
    return pool.textChange(id, std::move(kept), Fate::Shortened,
        "lines 1 to " + groupedNumber(shown) + " of " + groupedNumber(lines.size()));
}

/// Whether no text of the session is long enough to offload.
bool hasNoLongText(const StageParameters &stage)
{
    return std::ranges::none_of(
        stage.session().blocks, [unit = stage.unit(), cap = stage.count("cap")](const Block &block) {
            return block.kind == BlockKind::Text && lengthIn(block.body.lengths, unit) > cap;
        });
}

BlockRule pagesRule(const StageParameters &stage)
{
    return { BlockRule::Reach::Everywhere,
        // Avoids reading: a text with fewer characters than allowed lines does not have too many lines.
        [least = std::min(stage.count("lines"), stage.count("cap"))](const Block &block) {
            return block.kind == BlockKind::ToolResult && !block.is(BlockFlag::Stub)
                && block.body.lengths.codePoints > least;
        },
        [stage](const BlockPool &pool, BlockId id) { return firstPage(stage, pool, id); } };
}

} // namespace

StageKind offloadResults()
{
    std::vector<ParameterSpec> parameters {
        { "cap", Type::Count, "Offloads results longer than this", 80000.0, 0, 1e8, "characters" },
        { "exclude", Type::Names, "Skips results of these tools", std::vector<std::string>() },
        { "name", Type::Text,
            "File for the whole result; {tool} is the tool, {ref} the id of the call, {call} the id as a file name",
            std::string("large_tool_results/{call}") },
        { "inline", Type::Text,
            "Replaces the text; {path} is the file with the whole text, {sample} a sample of its lines",
            std::string("[offloaded to {path}]\n{sample}") },
        { "has-session", Type::Switch, "The harness can keep files. If off, it clips the result instead", true },
    };
    std::ranges::move(sampleParameters(), std::back_inserter(parameters));
    return { "offload-results", "Offload large results",
        "Moves a large result to a file, also in the keep window. A pointer and a sample of its lines replace it.",
        std::move(parameters), largeResultsRule };
}

StageKind offloadUserMessages()
{
    std::vector<ParameterSpec> parameters {
        { "cap", Type::Count, "Offloads texts longer than this", 200000.0, 0, 1e8, "characters" },
        { "last-only", Type::Switch, "Offloads only the last message", true },
        { "name", Type::Text, "File for the whole text; {id} is the hash of the text",
            std::string("conversation_history/{id}.md") },
        { "inline", Type::Text,
            "Replaces the text; {path} is the file with the whole text, {sample} a sample of its lines",
            std::string("[saved to {path}]\n{sample}") },
    };
    std::ranges::move(sampleParameters(), std::back_inserter(parameters));
    return { .id = "offload-user-messages",
        .title = "Offload large user messages",
        .sentence
        = "Moves a very large text of the user to a file, also in the keep window. A pointer and a sample of its lines "
          "replace it.",
        .parameters = std::move(parameters),
        .apply = offloadLastUserMessage,
        .isIdle = hasNoLongText };
}

StageKind offloadTail()
{
    std::vector<ParameterSpec> parameters {
        { "budget", Type::Count, "Size limit of the results at the end, if keep is not in tokens", 5000.0, 0, 1e7,
            "tokens" },
        { "reads", Type::Names, "Tools that read files; their results are cut, because the files still exist",
            std::vector<std::string> { "read_file" } },
        { "read-cap", Type::Count, "Keeps this much of a read", 4000.0, 0, 1e8, "characters" },
        { "read-notice", Type::Text, "Written after a cut read; {path} is the file",
            std::string("\n[cut; the whole is at {path}]") },
        { "name", Type::Text, "File for every result that is not a read; {call} is the id of the call",
            std::string("large_tool_results/{call}") },
        { "inline", Type::Text, "Replaces every result that is not a read; {path}, {call} and {sample} are filled in",
            std::string("[offloaded to {path}]\n{sample}") },
    };
    std::ranges::move(sampleParameters(), std::back_inserter(parameters));
    return { "offload-tail", "Make the tail fit",
        "After the provider refuses a call as too long: moves the results at the end of the array to files, if they "
        "exceed a limit.",
        std::move(parameters), nullptr, clipResultsAtTheEnd };
}

StageKind pageReads()
{
    return { "page-reads", "Page whole-file reads",
        "Cuts the read of a whole file to its first page, also in the keep window. A notice says how to read on.",
        {
            { "lines", Type::Count, "Lines of a page", 100.0, 1, 1e6, "lines" },
            { "cap", Type::Count, "Characters of a page", 80000.0, 1, 1e8, "characters" },
            { "tools", Type::Names, "Results of these tools", std::vector<std::string> { "read_file" } },
            { "notice", Type::Text, "Written after the page; {shown}, {n}, {rest} and {path} are filled in",
                std::string("[{rest} more lines; read on with offset={shown}]") },
        },
        pagesRule };
}

} // namespace core::stages
