// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/trace_report.h"
#include "core/session/block_key.h"
#include "core/tokens/counted_tokens.h"

#include <array>
#include <optional>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "text", "TEXT",
        "the text to trace, copied from a message. Without --text and --block, every message of the user is traced" },
    { "block", "KEY",
        "the block to trace: its key or its number in `palimpsest show` as JSON, or #n for the first block of message "
        "#n" },
    { "policy", "P", "traces in the arrays that this policy would have sent: the name of a preset or a policy file" },
    kSetOption,
    kThreadOption,
    { "json", "", "prints JSON of schema palimpsest.trace/1" },
});

/// The block that `--block` names.
core::Result<core::BlockId> parseBlock(const core::Session &session, const std::string &key)
{
    const core::BlockId named = core::BlockKeys(session).find(key);
    if (named.isValid())
        return named;
    const bool isMessage = key.starts_with('#');
    const auto number = parseNumber("block", key.substr(isMessage ? 1 : 0));
    if (number && isMessage && *number < session.messages.size() && session.messages[*number].count > 0)
        return session.messages[*number].first;
    if (number && !isMessage && *number < session.blocks.size())
        return core::BlockId(*number);
    return core::failure(core::ErrorKind::Usage, "There is no block \"" + key + "\"; `show --json` lists the keys.");
}

/// The text or block to trace.
struct Wanted {
    core::Position position; ///< its thread; by default the block's
    std::optional<std::string> text;
    core::BlockId block;
};

core::Result<Wanted> parseWanted(const core::Session &session, const Arguments &arguments)
{
    const auto position = parsePosition(session, arguments);
    if (!position)
        return std::unexpected(position.error());
    Wanted wanted { *position, arguments.value("text"), {} };
    if (const auto key = arguments.value("block")) {
        const auto block = parseBlock(session, *key);
        if (!block)
            return std::unexpected(block.error());
        wanted.block = *block;
        const core::MessageId message = session.block(*block).message;
        if (!arguments.has("thread") && message.isValid())
            wanted.position.thread = session.message(message).thread;
    }
    return wanted;
}

core::Result<core::TraceReport> traced(const Arguments &arguments)
{
    const auto text = arguments.value("text");
    if (arguments.has("set") && !arguments.has("policy"))
        return core::failure(core::ErrorKind::Usage, "--set changes a policy; name one with --policy.");
    if (text && arguments.has("block"))
        return core::failure(core::ErrorKind::Usage, "trace follows one thing: --text or --block, not both.");
    if (text && text->find_first_not_of(" \t\r\n") == std::string::npos)
        return core::failure(core::ErrorKind::Usage, "The text of --text is blank.");
    const unsigned threads = threadCount();
    const auto session = core::loadSession(arguments.files.front(), nullptr, {}, threads);
    if (!session)
        return std::unexpected(session.error());
    const auto wanted = parseWanted(**session, arguments);
    if (!wanted)
        return core::failure(wanted.error().kind, wanted.error().message, arguments.files.front());
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return std::unexpected(policy.error());
    const auto tokens = core::countedTokens(**session, threads, nullptr);
    auto report = arguments.has("policy")
        ? core::traceReport(*core::replay(core::replayGround(*session, wanted->position.thread, tokens), *policy))
        : core::traceReport(*session, wanted->position.thread, tokens);
    if (wanted->text)
        report.trace = core::traceText(report.spans, *wanted->text, report.unlogged);
    if (wanted->block.isValid())
        report.trace = core::traceBlock(report.spans, wanted->block, report.unlogged);
    // Files may have changed while they were read.
    if (const auto torn = (*session)->torn())
        return std::unexpected(*torn);
    return report;
}

int runTrace(const Arguments &arguments)
{
    const auto made = traced(arguments);
    if (!made)
        return report(made.error());
    return arguments.has("json") ? printJson(core::traceJson(*made)) : print(core::drawTrace(*made));
}

} // namespace

const Command kTrace { "trace", "FILE", 1, 1,
    "shows at which calls a text or block was in the context: whole, in part, or gone", kOptions, runTrace };

} // namespace app
