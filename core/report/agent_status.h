// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"

#include <optional>
#include <string>

namespace core {

/// Where a session that still runs stands, for the line below the prompt of its agent.
struct AgentStatus {
    std::optional<double> context;    ///< tokens of the last prompt
    std::optional<double> window;     ///< of the model
    std::optional<double> compactsAt; ///< tokens; see `contextLimit`
    std::optional<size_t> callsLeft;  ///< until a prompt of that size; see `forecast`
    InContext messages;               ///< the typed messages
};

/// `context` and `window` are what the harness says, if it does; else those of the session.
[[nodiscard]] AgentStatus agentStatus(
    const SessionPtr &session, std::optional<double> context = {}, std::optional<double> window = {});

/// `124,000 of 200,000 tokens · compacts at ~167,000, in about 6 calls · 4 typed messages at risk, 2 lost`
[[nodiscard]] std::string drawAgentStatus(const AgentStatus &status);

} // namespace core
