// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

#include "core/compaction/policy.h"
#include "core/money/prices.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"

#include <filesystem>

namespace app {

/// What `--call` and `--thread` say; an error of kind Usage says what the session has instead.
[[nodiscard]] core::Result<core::Position> parsePosition(const core::Session &session, const Arguments &arguments);

/// As many threads as the machine has.
[[nodiscard]] unsigned threadCount();

/// A session file that is read and counted, and the place in it that `--call` and `--thread` name.
struct OpenedSession {
    core::SessionPtr session;
    core::Position position;
    core::BlockTokensPtr tokens;
};
/// Opens the first of the named files.
[[nodiscard]] core::Result<OpenedSession> openSession(const Arguments &arguments);

/// What was made of a session; an error if its file changed in the meantime: then nothing read of it is to be trusted.
template <typename T>
[[nodiscard]] core::Result<T> unlessTorn(const core::Session &session, T made)
{
    if (auto torn = session.torn())
        return std::unexpected(*std::move(torn));
    return made;
}

/// A preset or a policy's file with every `--set` applied.
[[nodiscard]] core::Result<core::PolicyPtr> policyOf(const std::string &name, const Arguments &arguments);

/// The policy of `--policy` with every `--set` applied.
[[nodiscard]] core::Result<core::PolicyPtr> parsePolicyOptions(const Arguments &arguments);

/// The policies of all `--policy`, in order, with every `--set` applied to each; none if none is named.
[[nodiscard]] core::Result<std::vector<core::PolicyPtr>> parsePolicies(const Arguments &arguments);

/// The prices of the program, and laid over them those of `--prices`, else of `prices.json` in the user's configuration
/// folder (`$XDG_CONFIG_HOME/palimpsest`), where there is one.
[[nodiscard]] core::Result<core::Prices> parsePrices(const Arguments &arguments);

/// The folder of `--repo`, empty without it; an error if it is none.
[[nodiscard]] core::Result<std::filesystem::path> parseFolder(const Arguments &arguments);

} // namespace app
