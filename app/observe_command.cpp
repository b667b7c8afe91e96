// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"
#include "core/base/json.h"
#include "core/compaction/observe.h"
#include "core/formats/format.h"
#include "core/report/compaction_report.h"
#include "core/tokens/counted_tokens.h"

#include <array>

namespace app {

namespace {

constexpr std::array<Option, 4> kOptions { {
    { "recorded", "N", "the recorded compaction of that number, from 1, of a single file" },
    { "thread", "N", "of another thread of the session" },
    { "repo", "DIR",
        "where the session's files are looked for now; without it the session's own folder, if it is here" },
    { "json", "", "as a document of schema palimpsest.compaction/1" },
} };

/// `nextCall` is the first call behind the compaction, where one is recorded.
int show(const core::Compaction &compaction, const core::BlockTokens &tokens, const Arguments &arguments,
    core::ThreadIndex thread = core::ThreadIndex(0U), core::CallIndex nextCall = {})
{
    const auto folder = parseFolder(arguments);
    if (!folder)
        return report(folder.error());
    if (!arguments.has("json"))
        return print(core::drawCompaction(compaction, tokens));
    const core::Recoveries recoveries
        = core::recoveriesOf(compaction, { thread, nextCall, core::folderOf(*compaction.before.session(), *folder) });
    const auto document = core::compactionJson(compaction, tokens, &recoveries);
    return printJson(document);
}

int observeRecorded(const Arguments &arguments)
{
    const auto number = parseNumber("recorded", arguments.value("recorded").value_or("1"));
    if (!number)
        return report(number.error());
    const auto opened = openSession(arguments);
    if (!opened)
        return report(opened.error());
    const core::ThreadIndex thread = opened->position.thread;
    const auto &compactions = opened->session->thread(thread).compactions;
    const size_t count = compactions.size();
    if (*number == 0 || *number > count) {
        return report({ core::ErrorKind::Usage,
            count == 0 ? "This thread records no compaction."
                       : "There is no compaction " + std::to_string(*number) + ": this thread records "
                    + std::to_string(count) + ", counted from 1.",
            arguments.files.front() });
    }
    const core::CallIndex last = compactions[*number - 1].call;
    const core::CallIndex next(last.isValid() ? last.index() + 1 : 0);
    return show(core::observeRecorded(opened->session, thread, *number - 1, opened->tokens), *opened->tokens, arguments,
        thread, next);
}

int runObserve(const Arguments &arguments)
{
    if (arguments.files.size() == 1)
        return observeRecorded(arguments);
    if (arguments.has("recorded"))
        return report({ core::ErrorKind::Usage, "--recorded is for a single file.", {} });
    std::array<core::SessionPtr, 2> sessions;
    for (size_t i = 0; i < 2; ++i) {
        auto session = core::loadSession(arguments.files[i]);
        if (!session)
            return report(session.error());
        sessions[i] = *session;
    }
    const auto tokens = core::countedTokens(*sessions[0], threadCount(), nullptr);
    const auto tokensAfter = core::countedTokens(*sessions[1], threadCount(), nullptr);
    const core::Transcript before(sessions[0], sessions[0]->threads.front().end);
    const core::Transcript after(sessions[1], sessions[1]->threads.front().end);
    return show(core::observe(before, after, tokensAfter), *tokens, arguments);
}

} // namespace

const Command kObserve { "observe", "BEFORE [AFTER]", 1, 2,
    "what lies between two arrays: a recorded compaction, or two files in any formats", kOptions, runObserve };

} // namespace app
