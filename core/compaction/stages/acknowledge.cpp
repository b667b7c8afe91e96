// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"

#include "core/json/json_probe.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <unordered_map>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

struct KnownFile {
    std::string text;
    bool isKnown = false;
};

uint64_t newlines(std::string_view text) { return static_cast<uint64_t>(std::ranges::count(text, '\n')); }

/// First member among these names, decoded.
std::optional<std::string> argument(const JsonMembers &arguments, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names) {
        if (isJsonString(arguments.raw(name)))
            return decodeJsonString(arguments.string(name));
    }
    return std::nullopt;
}

std::string replacedOnce(std::string text, std::string_view from, std::string_view to, bool everywhere)
{
    if (from.empty())
        return text;
    size_t at = text.find(from);
    while (at != std::string::npos) {
        text.replace(at, from.size(), to);
        if (!everywhere)
            break;
        at = text.find(from, at + to.size());
    }
    return text;
}

/// Tracks the files of the session by its own writes, edit by edit.
void applyAcknowledge(StageRun &run)
{
    Draft &draft = run.draft();
    std::unordered_map<std::string, KnownFile> files;
    std::unordered_map<StringId, size_t> calls;
    const uint64_t limit = run.count("lines");
    for (size_t i = 0; i < draft.elements().size(); ++i) {
        if (draft.elements()[i].isGone)
            continue;
        const Block block = draft.blockOf(i);
        if (block.kind == BlockKind::ToolCall) {
            calls[block.callId] = i;
            continue;
        }
        const auto call = calls.find(block.callId);
        if (block.kind != BlockKind::ToolResult || call == calls.end() || block.is(BlockFlag::Error))
            continue;
        const ToolDeed deed = toolDeed(draft.string(draft.blockOf(call->second).name));
        if ((deed != ToolDeed::Write && deed != ToolDeed::Edit) || !run.listsTool("tools", draft.blockOf(call->second)))
            continue;
        const std::string json = draft.text(draft.elements()[call->second].block);
        const JsonMembers arguments(json);
        const auto path = argument(arguments, { "file_path", "path", "target_file" });
        if (!path)
            continue;
        KnownFile &file = files[*path];
        const KnownFile before = file;
        std::optional<std::string> after;
        if (deed == ToolDeed::Write) {
            after = argument(arguments, { "content", "text", "file_text" });
        } else if (before.isKnown) {
            const auto from = argument(arguments, { "old_string", "old_str" });
            const auto to = argument(arguments, { "new_string", "new_str" });
            if (from && to && before.text.find(*from) != std::string::npos)
                after = replacedOnce(before.text, *from, *to, arguments.isTrue("replace_all"));
        }
        file = { after.value_or(std::string()), after.has_value() };
        const bool fits = after && newlines(*after) + 1 < limit && newlines(before.text) + 1 < limit;
        std::optional<size_t> artifact;
        if (fits && (deed == ToolDeed::Write || before.isKnown)) {
            const std::string original = before.isKnown ? quoteJson(before.text) : "null";
            std::string diff = R"({"diff": {"filePath": )" + quoteJson(*path) + R"(, "originalContent": )" + original
                + R"(, "newContent": )" + quoteJson(*after) + R"(, "isNewFile": )" + (before.isKnown ? "false" : "true")
                + "}}";
            Artifact kept;
            kept.name = "tool-artifact/" + std::string(draft.string(block.callId)) + ".json";
            kept.blocks = { draft.elements()[i].origin };
            kept.text = [diff = std::move(diff)](const Session &) { return diff; };
            artifact = run.keepArtifact(std::move(kept));
        }
        const std::string inlined = filled(run.text("inline"), { { "path", *path } });
        if (!inlined.empty() && !draft.elements()[i].isPinned
            && lengthIn(block.body.lengths, run.unit()) > lengthIn(textLengths(inlined), run.unit()))
            run.shorten(
                i, inlined, artifact ? Fate::Offloaded : Fate::Shortened, "replaced by an acknowledgement", artifact);
    }
}

} // namespace

StageKind acknowledgeEdits()
{
    return { .id = "acknowledge-edits",
        .title = "Acknowledge edits",
        .sentence = "Keeps the diff of each write or edit as an artifact. Can replace the result by one line.",
        .parameters = {
            { "tools", Type::Names, "Calls of these tools", std::vector<std::string> { "edit_file", "write_file" } },
            { "inline", Type::Text, "Replaces the result; empty keeps the result. {path} is the file",
                std::string() },
            { "lines", Type::Count, "Files with this many lines or more get no diff", 20000.0, 1, 1e9, "lines" },
        },
        .apply = applyAcknowledge,
        // The context is unchanged; only the artifact is new.
        .isIdle = [](const StageParameters &stage) { return stage.text("inline").empty(); },
        .readsKeep = [](const StageParameters &) { return false; } };
}

} // namespace core::stages
