// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/hook_input.h"
#include "core/report/agent_status.h"

namespace app {

namespace {

int runStatusline(const Arguments &arguments)
{
    const auto input = readHookInput(arguments);
    if (!input)
        return report(input.error());
    const auto session = readTranscript(*input);
    if (!session)
        return report(session.error());
    if (*session == nullptr)
        return Done;
    const core::AgentStatus status = core::agentStatus(*session, input->contextTokens, input->windowTokens);
    return print(core::drawAgentStatus(status) + "\n");
}

} // namespace

const Command kStatusline { "statusline", "[FILE]", 0, 1,
    "prints a status line for an agent: context, calls until a compaction, typed messages that the next "
    "compaction can remove",
    {}, runStatusline, true };

} // namespace app
