// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Trajectories of mini-SWE-agent. Source: agents/default.py, agents/interactive.py and models/litellm_model.py of
// mini-SWE-agent 1.0 to 2.2.

#include "core/base/text.h"
#include "core/formats/openai/chat_runs.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"

#include <algorithm>

namespace core {

namespace {

/// Who wrote a user message: the first one is the task. Behind it the harness writes, except when the person interrupts
/// it.
void markMiniUser(ChatMessage &message, bool isTask, const JsonMembers &extra)
{
    const bool isTyped = isTask || extra.has("interrupt_type");
    for (Block &block : message.draft.blocks) {
        if (block.kind != BlockKind::Text)
            continue;
        block.flags &= static_cast<uint16_t>(~static_cast<uint16_t>(
            static_cast<uint16_t>(BlockFlag::Typed) | static_cast<uint16_t>(BlockFlag::Injected)));
        block.set(isTyped ? BlockFlag::Typed : BlockFlag::Injected);
    }
}

/// Adds what `extra` says of a message: the whole response with its usage, what the command returned, the time.
void addMiniExtra(SessionBuilder &builder, ChatMessage &message, const JsonMembers &extra, std::string_view raw)
{
    const JsonMembers response = extra.object("response");
    message.usage = chatUsage(response.raw("usage"));
    message.draft.model = builder.intern(decodeJsonString(response.string("model")));
    if (const auto seconds = jsonNumber(extra.raw("timestamp")))
        message.draft.time = timeOfNumber(*seconds);
    message.draft.blocks.front().sideBytes += raw.size();
    message.sideBytes += raw.size();
    const std::string_view code = extra.raw("returncode");
    const bool isFailure = (!code.empty() && code != "0" && code != "null") || extra.raw("exception_info").size() > 2;
    for (Block &block : message.draft.blocks) {
        if (isFailure && block.kind == BlockKind::ToolResult)
            block.set(BlockFlag::Error);
    }
}

Result<SessionPtr> readMiniSweAgent(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    const auto document = documentText(builder, source);
    if (!document)
        return std::unexpected(document.error());
    const JsonMembers root(document->text);
    const JsonMembers info = root.object("info");
    const JsonMembers config = info.object("config");
    ChatReader chat(builder, document->source, LineCursor(builder.sourceBytes(document->source)));
    ChatRun run;
    Session &session = builder.session();
    setFormat(session, kMiniSweAgent);
    bool hasTask = false;
    for (const std::string_view raw : jsonElements(root.raw("messages")).items) {
        const JsonMembers members(raw);
        // The end of the run: nobody is sent it.
        if (members.string("role") == "exit") {
            session.sideBytes += raw.size();
            continue;
        }
        auto message = chat.read(raw);
        if (!message)
            continue;
        const JsonMembers extra = members.object("extra");
        addMiniExtra(builder, *message, extra, members.raw("extra"));
        if (message->draft.role == Role::User) {
            markMiniUser(*message, !hasTask, extra);
            hasTask = true;
        }
        run.messages.push_back(std::move(*message));
    }
    if (run.messages.empty())
        return context.noRecords();
    if (context.isCancelled())
        return context.cancelled();
    const std::string version = decodeJsonString(info.string("mini_version"));
    session.harness = version.empty() ? "mini-SWE-agent" : "mini-SWE-agent " + version;
    session.recordCount = run.messages.size();
    session.workingFolder = decodeJsonString(config.object("environment").string("cwd"));
    session.model = decodeJsonString(config.object("model").string("model_name"));
    session.sideBytes += root.raw("info").size();
    run.id = decodeJsonString(root.string("instance_id"));
    chat.report();
    addRun(builder, ThreadKind::Main, run);
    return builder.finish();
}

Likeness sniffMiniSweAgent(const Sample &sample)
{
    constexpr std::string_view kWord = "mini-swe-agent";
    if (!sample.isSingleValue || sample.records.empty() || !isJsonObject(sample.records.front()))
        return Likeness::No;
    // The name of the format is behind the messages.
    const auto at = static_cast<size_t>(sample.records.front().data() - sample.all.data());
    const JsonMembers root(sample.all.substr(at));
    if (root.string("trajectory_format").starts_with(kWord))
        return Likeness::Certain;
    const JsonMembers info = root.object("info");
    return isJsonArray(root.raw("messages")) && info.has("mini_version") ? Likeness::Certain : Likeness::No;
}

std::string miniMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + newJsonString(roleWord(message.role, "assistant", "system"))
        + ",\"content\":" + newJsonString(message.text) + "}";
}

} // namespace

const Format kMiniSweAgent { "mini-swe-agent", "mini-SWE-agent trajectory", "`.traj.json`, formats 1 and 1.1",
    sniffMiniSweAgent, openWhole<readMiniSweAgent>,
    { .splice = { .message = miniMessage, .emptyContent = "null", .hasSystem = true } } };

} // namespace core
