// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"
#include "core/session/session.h"

#include <nlohmann/json.hpp>

namespace app {

/// What a harness writes to the standard input of a hook, or a session file in its place.
struct HookInput {
    std::string transcript; ///< the path of the session file
    std::string sessionId;
    std::string trigger;  ///< of a compaction: `auto` or `manual`
    std::string promptId; ///< of the prompt that is being answered
    std::optional<double> contextTokens;
    std::optional<double> windowTokens;
};

/// The input from the JSON of a hook or a status line. Fails with Usage if it names no transcript.
[[nodiscard]] core::Result<HookInput> parseHookInput(std::string_view json);

/// The FILE of the command line, else what stands in standard input. Fails with Usage if that is a terminal.
[[nodiscard]] core::Result<HookInput> readHookInput(const Arguments &arguments);

/// The session of the transcript; nullptr if the harness has not written it yet.
[[nodiscard]] core::Result<core::SessionPtr> readTranscript(const HookInput &input);

} // namespace app
