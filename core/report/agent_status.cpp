// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/agent_status.h"

#include "core/base/counted.h"
#include "core/replay/forecast.h"

#include <cmath>

namespace core {

namespace {

/// The prompts since the last compaction.
std::vector<double> latestPrompts(const Thread &thread)
{
    std::vector<double> prompts;
    for (size_t i = startOfArray(thread); i < thread.calls.size(); ++i) {
        if (const auto prompt = thread.calls[i].prompt())
            prompts.push_back(*prompt);
    }
    return prompts;
}

std::string inThousands(double tokens)
{
    return groupedNumber(static_cast<uint64_t>(std::round(tokens / 1000) * 1000));
}

} // namespace

AgentStatus agentStatus(const SessionPtr &session, std::optional<double> context, std::optional<double> window)
{
    const Thread &thread = session->threads.front();
    std::vector<double> prompts = latestPrompts(thread);
    AgentStatus status;
    status.context = context;
    if (!status.context && !prompts.empty())
        status.context = prompts.back();
    status.window = window;
    if (!status.window && session->windowTokens)
        status.window = static_cast<double>(*session->windowTokens);
    const ContextLimit limit = contextLimit(*session, ThreadIndex(0U), status.window.value_or(0));
    if (limit.limit != Forecast::Limit::Window)
        status.compactsAt = limit.tokens;
    if (status.context && status.compactsAt) {
        prompts.push_back(*status.context);
        if (const auto soon = forecast(prompts, *status.compactsAt))
            status.callsLeft = soon->calls;
    }
    status.messages = userMessagesAt(session, { ThreadIndex(0U), {} });
    return status;
}

std::string drawAgentStatus(const AgentStatus &status)
{
    std::vector<std::string> parts;
    if (status.context) {
        parts.push_back(groupedNumber(static_cast<uint64_t>(*status.context))
            + (status.window ? " of " + groupedNumber(static_cast<uint64_t>(*status.window)) : std::string())
            + " tokens");
    }
    if (status.compactsAt) {
        std::string part = "compacts at ~" + inThousands(*status.compactsAt);
        if (status.callsLeft)
            part += *status.callsLeft == 0 ? ", at the next call" : ", in about " + counted(*status.callsLeft, "call");
        parts.push_back(std::move(part));
    }
    const size_t lost = status.messages.all - status.messages.standing;
    if (status.messages.all > 0) {
        parts.push_back(counted(status.messages.standing, "typed message") + " at risk"
            + (lost > 0 ? ", " + groupedNumber(lost) + " lost" : std::string()));
    }
    std::string line;
    for (const std::string &part : parts)
        line += (line.empty() ? "" : " · ") + part;
    return line;
}

} // namespace core
