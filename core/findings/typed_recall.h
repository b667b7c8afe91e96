// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/recall.h"
#include "core/session/session.h"

namespace core {

/// The typed messages that a compaction of the main thread removes.
struct TypedRecall {
    std::vector<RecallMessage> messages; ///< in the order in which they were typed; equal ones once
    RecallCause cause = RecallCause::MayBeLost;
};

/// If the session ends with a compaction: the messages that the array after it does not hold word for word. Else, as
/// when a hook runs before the harness has written the summary: all of them. Without what a rewind removed. Messages
/// with a constraint (constraints.h), and those that rejected or interrupted the agent, come first. Reads the texts of
/// the user and of summaries only.
///
/// `promptId` names the prompt for which the hook runs, as Claude Code does: its record has this `promptId`. If no
/// response followed the prompt, the next request holds it anyway, and it is left out.
[[nodiscard]] TypedRecall messagesToRecall(const SessionPtr &session, std::string_view promptId = {});

} // namespace core
