// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"
#include "core/base/json.h"
#include "core/formats/format.h"
#include "core/report/trace_report.h"
#include "core/session/block_key.h"

#include <array>
#include <thread>

namespace app {

namespace {

constexpr std::array<Option, 4> kOptions {
    { { "text", "T", "the text to trace, as it stands in a message; without it and --block, every user message" },
        { "block", "KEY",
            "the block to trace: its key, as compact --json names it, or \"#n\", the first of message #n" },
        { "thread", "N", "another thread of the session, a subagent or run, counted from 0" },
        { "json", "", "as a document of schema palimpsest.trace/1" } }
};

/// The block that `--block` names: a key, `#n`, or `#n/k` for another block of the message.
core::Result<core::BlockId> parseBlock(const core::Session &session, const std::string &key)
{
    const core::BlockId named = core::BlockKeys(session).find(key);
    if (named.isValid())
        return named;
    const size_t slash = std::min(key.find('/'), key.size());
    const auto number
        = key.starts_with('#') ? parseNumber("block", key.substr(1, slash - 1)) : std::unexpected(core::Error());
    const auto place = slash < key.size() ? parseNumber("block", key.substr(slash + 1)) : size_t(0);
    if (number && place && *number < session.messages.size() && *place < session.messages[*number].count)
        return core::BlockId(session.messages[*number].first.index() + *place);
    return core::failure(core::ErrorKind::Usage, "There is no block \"" + key + "\".");
}

core::Result<core::TraceReport> traced(const Arguments &arguments)
{
    const auto text = arguments.value("text");
    const auto key = arguments.value("block");
    if (text && key)
        return core::failure(core::ErrorKind::Usage, "trace follows one thing: --text or --block, not both.");
    if (text && text->find_first_not_of(" \t\r\n") == std::string::npos)
        return core::failure(core::ErrorKind::Usage, "--text wants a text that is not blank.");
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const auto session = core::loadSession(arguments.files.front(), nullptr, {}, threads);
    if (!session)
        return std::unexpected(session.error());
    const auto position = parsePosition(**session, arguments);
    if (!position)
        return core::failure(position.error().kind, position.error().message, arguments.files.front());
    auto report = core::traceReport(*session, position->thread, core::estimateTokens(**session, threads, nullptr));
    if (text)
        report.trace = core::traceText(report.spans, *text, report.unlogged);
    if (key) {
        const auto block = parseBlock(**session, *key);
        if (!block)
            return core::failure(block.error().kind, block.error().message, arguments.files.front());
        report.trace = core::traceBlock(report.spans, *block, report.unlogged);
    }
    // Reading took a while: what changed in the meantime is not to be trusted.
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

const Command kTrace { "trace", "FILE", 1, 1, "what became of a text or block over the calls: there, in part, gone",
    kOptions, runTrace };

} // namespace app
