// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/agent_status.h"

#include "core/base/counted.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr size_t kFewestCalls = 4; ///< from which growth is taken
constexpr size_t kMostCalls = 20;

/// The prompts since the last compaction.
std::vector<double> latestPrompts(const Thread &thread)
{
    size_t first = 0;
    for (const RecordedCompaction &each : thread.compactions)
        first = std::max<size_t>(first, each.call.isValid() ? each.call.index() + 1 : 0);
    std::vector<double> prompts;
    for (size_t i = first; i < thread.calls.size(); ++i) {
        if (const auto prompt = thread.calls[i].prompt())
            prompts.push_back(*prompt);
    }
    return prompts;
}

/// The size at which the session was last compacted by itself.
std::optional<double> recordedTrigger(const Thread &thread)
{
    std::optional<double> size;
    for (const RecordedCompaction &each : thread.compactions) {
        if (each.trigger == "auto" && each.beforeTokens)
            size = static_cast<double>(*each.beforeTokens);
    }
    return size;
}

std::string inThousands(double tokens)
{
    return groupedNumber(static_cast<uint64_t>(std::round(tokens / 1000) * 1000));
}

} // namespace

AgentStatus agentStatus(const SessionPtr &session, std::optional<double> context, std::optional<double> window)
{
    const Thread &thread = session->threads.front();
    const std::vector<double> prompts = latestPrompts(thread);
    AgentStatus status;
    status.context = context;
    if (!status.context && !prompts.empty())
        status.context = prompts.back();
    status.window = window;
    if (!status.window && session->windowTokens)
        status.window = static_cast<double>(*session->windowTokens);
    status.compactsAt = recordedTrigger(thread);
    status.isRecorded = status.compactsAt.has_value();
    if (!status.compactsAt && status.window && *status.window > 2 * kClaudeCodeReserve)
        status.compactsAt = *status.window - kClaudeCodeReserve;
    const size_t used = std::min(prompts.size(), kMostCalls);
    if (status.context && status.compactsAt && used >= kFewestCalls) {
        const double growth = (prompts.back() - prompts[prompts.size() - used]) / static_cast<double>(used - 1);
        if (growth > 0)
            status.callsLeft
                = static_cast<size_t>(std::ceil(std::max(0.0, *status.compactsAt - *status.context) / growth));
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
