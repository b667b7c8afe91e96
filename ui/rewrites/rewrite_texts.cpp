// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/rewrite_texts.h"

#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/compaction/commit.h"
#include "core/json/json_probe.h"

#include <string_view>

namespace ui {

namespace {

/// A member of the arguments of a tool call in readable form; all arguments if the member is missing.
std::string memberOf(std::string arguments, std::string_view pointer)
{
    if (!pointer.starts_with('/') || pointer.find('/', 1) != std::string_view::npos)
        return arguments;
    const core::JsonMembers members(arguments);
    const std::string_view key = pointer.substr(1);
    if (!members.has(key))
        return members.isWhole() ? std::string() : arguments;
    const std::string_view raw = members.raw(key);
    return core::isJsonString(raw) ? core::decodeJsonString(core::jsonString(raw)) : std::string(raw);
}

core::Result<std::string> textOf(const core::Session &session, core::BlockId id, std::string_view pointer)
{
    if (!id.isValid())
        return std::string();
    std::string text = session.text(session.block(id).body);
    if (const auto torn = session.torn())
        return std::unexpected(*torn);
    return pointer.empty() ? text : memberOf(std::move(text), pointer);
}

} // namespace

core::Result<std::string> textBefore(const core::Compaction &compaction, const core::Rewrite &rewrite)
{
    return textOf(*compaction.before.session(), rewrite.block, rewrite.pointer);
}

core::Result<std::string> textAfter(const core::Compaction &compaction, const core::Rewrite &rewrite)
{
    return textOf(*compaction.after.session(), rewrite.made, rewrite.pointer);
}

core::Result<std::string> originalOf(const core::Compaction &compaction, const core::Artifact &artifact)
{
    std::string whole;
    for (const core::BlockId id : artifact.blocks) {
        const auto text = textOf(*compaction.before.session(), id, {});
        if (!text)
            return text;
        whole += (whole.empty() ? "" : "\n\n") + *text;
    }
    return whole;
}

RewriteFacts factsOf(const core::Compaction &compaction, const core::Rewrite &rewrite)
{
    RewriteFacts facts;
    if (rewrite.artifact && *rewrite.artifact < compaction.artifacts.size()) {
        const core::Artifact &artifact = compaction.artifacts[*rewrite.artifact];
        facts.artifact = artifact.name;
        facts.difference = core::differenceOf(compaction, artifact, compaction.textOf(artifact));
    }
    return facts;
}

std::vector<ArtifactFacts> artifactFacts(const core::Compaction &compaction, const core::Progress &progress)
{
    std::vector<ArtifactFacts> all;
    for (const core::Artifact &artifact : compaction.artifacts) {
        if (progress.isCancelled())
            break;
        const std::string text = compaction.textOf(artifact);
        all.push_back({ text.size(), core::differenceOf(compaction, artifact, text) });
    }
    return all;
}

} // namespace ui
