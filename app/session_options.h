// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

#include "core/compaction/policy.h"
#include "core/session/transcript.h"

namespace app {

/// What `--call` and `--thread` say; an error of kind Usage says what the session has instead.
[[nodiscard]] core::Result<core::Position> parsePosition(const core::Session &session, const Arguments &arguments);

/// The policy of `--policy` with every `--set` applied.
[[nodiscard]] core::Result<core::PolicyPtr> parsePolicyOptions(const Arguments &arguments);

} // namespace app
