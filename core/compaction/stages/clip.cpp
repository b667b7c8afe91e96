// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"

#include "core/json/json_probe.h"

#include <algorithm>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

ClipRule clipOf(const StageParameters &stage)
{
    return { stage.count("cap"), stage.count("preview"), stage.text("suffix"), stage.unit(), stage.isOn("strip") };
}

std::string whyOf(const TextLengths &lengths, const ClipRule &rule)
{
    return groupedNumber(lengthIn(lengths, rule.unit)) + " characters are more than " + groupedNumber(rule.cap);
}

std::vector<ParameterSpec> parametersOf(double cap, double preview)
{
    return {
        { "cap", Type::Count, "Clips texts longer than this", cap, 0, 1e7, "characters" },
        { "preview", Type::Count, "Keeps this much of the beginning", preview, 0, 1e6, "characters" },
        { "suffix", Type::Text, "Written after a clipped text; {n} is the full length",
            std::string("…[truncated] ({n} chars total)") },
        { "strip", Type::Switch, "Removes blanks at the end of the clipped text", true },
    };
}

std::optional<BlockChange> clippedArguments(
    const BlockPool &pool, BlockId id, const ClipRule &rule, const std::vector<std::string> &keys)
{
    const std::string json
        = pool.block(id).body.coding == Coding::JsonValue ? std::string(pool.rawBody(id)) : pool.text(id);
    std::vector<ArgumentChange> changes;
    const JsonMembers members(json);
    if (!members.isWhole())
        return std::nullopt; // arguments other than objects stay
    for (const JsonMembers::Member &member : members.all()) {
        if (!isJsonString(member.value) || (!keys.empty() && std::ranges::find(keys, member.key) == keys.end()))
            continue;
        const std::string_view raw = jsonString(member.value);
        const TextLengths lengths = jsonStringLengths(raw);
        if (!rule.clips(lengths))
            continue;
        std::string head;
        (void)appendJsonString(head, raw, rule.headBytes());
        ArgumentChange change { rule.clipped(head, lengths),
            { "/" + std::string(member.key), lengths, {}, whyOf(lengths, rule) } };
        change.part.after = textLengths(change.text);
        changes.push_back(std::move(change));
    }
    if (changes.empty())
        return std::nullopt;
    return pool.argumentsChange(id, std::move(changes));
}

BlockRule argumentsRule(const StageParameters &stage)
{
    const ClipRule rule = clipOf(stage);
    const bool hasTools = !stage.names("tools").empty();
    return { BlockRule::Reach::BeforeCutoff,
        [rule](const Block &block) { return block.kind == BlockKind::ToolCall && rule.clips(block.body.lengths); },
        [rule, stage, hasTools, keys = stage.names("keys")](
            const BlockPool &pool, BlockId id) -> std::optional<BlockChange> {
            if (hasTools && !stage.listsTool("tools", pool.block(id)))
                return std::nullopt;
            return clippedArguments(pool, id, rule, keys);
        } };
}

/// Clips the blocks that `wants` accepts.
template <typename Wants>
BlockRule bodiesRule(const StageParameters &stage, Wants wants)
{
    const ClipRule rule = clipOf(stage);
    return { BlockRule::Reach::BeforeCutoff, [rule](const Block &block) { return rule.clips(block.body.lengths); },
        [rule, wants = std::move(wants)](const BlockPool &pool, BlockId id) -> std::optional<BlockChange> {
            if (!wants(pool.block(id)))
                return std::nullopt;
            const TextLengths whole = pool.block(id).body.lengths;
            const std::string head = pool.textHead(id, rule.headBytes());
            return pool.textChange(id, rule.clipped(head, whole), Fate::Shortened, whyOf(whole, rule));
        } };
}

BlockRule resultsRule(const StageParameters &stage)
{
    return bodiesRule(stage, [stage](const Block &block) {
        return block.kind == BlockKind::ToolResult && !stage.listsTool("exclude", block);
    });
}

BlockRule textsRule(const StageParameters &stage)
{
    return bodiesRule(stage,
        [&session = stage.session(), typed = stage.isOn("typed"), model = stage.isOn("model")](const Block &block) {
            if (block.kind != BlockKind::Text)
                return false;
            const bool isModel = block.message.index() < session.messages.size()
                && session.message(block.message).role == Role::Assistant;
            const bool isFileBody
                = block.is(BlockFlag::Injected) || block.is(BlockFlag::Summary) || !block.is(BlockFlag::Typed);
            return isModel ? model : typed || isFileBody;
        });
}

} // namespace

StageKind clipArguments()
{
    std::vector<ParameterSpec> parameters = parametersOf(400, 120);
    parameters.push_back({ "keys", Type::Names, "Clips only these members of the arguments; empty clips all texts",
        std::vector<std::string>() });
    parameters.push_back(
        { "tools", Type::Names, "Clips only calls of these tools; empty clips all calls", std::vector<std::string>() });
    return { "clip-arguments", "Clip tool arguments",
        "Cuts long texts in the arguments of old tool calls to their beginning.", std::move(parameters),
        argumentsRule };
}

StageKind clipResults()
{
    std::vector<ParameterSpec> parameters = parametersOf(1500, 120);
    parameters.push_back({ "exclude", Type::Names, "Skips results of these tools", std::vector<std::string>() });
    return { "clip-results", "Clip tool results", "Cuts long results of old tool calls to their beginning.",
        std::move(parameters), resultsRule };
}

StageKind clipTexts()
{
    std::vector<ParameterSpec> parameters = parametersOf(1500, 120);
    parameters.push_back({ "typed", Type::Switch, "Also clips texts that the user typed", true });
    parameters.push_back({ "model", Type::Switch, "Also clips texts of the model", true });
    return { "clip-texts", "Clip long texts",
        "Cuts long texts of old messages to their beginning, for example file contents that a harness put in as user "
        "messages.",
        std::move(parameters), textsRule };
}

} // namespace core::stages
