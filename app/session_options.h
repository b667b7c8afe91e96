// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

#include "core/compaction/policy.h"
#include "core/money/prices.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace app {

// Options that several commands have.
inline constexpr Option kCallOption { "call", "N",
    "the array that was sent with call N, counted from 0. \"end\" (the default) is the array at the end of the file" };
inline constexpr Option kThreadOption { "thread", "N",
    "the thread of the session, counted from 0: subagents and runs are threads of their own. Default: 0, the main "
    "thread" };
inline constexpr Option kPolicyOption { "policy", "P",
    "the compaction policy: the name of a preset (`palimpsest policies` lists them) or a policy file" };
inline constexpr Option kSetOption { "set", "KEY=VALUE",
    "changes a setting of the policy: window, keep, trigger, counter, persistence, cache_marks, worker, STAGE=on, "
    "STAGE=off or STAGE.PARAMETER. Write sizes with a unit: 0.1w or 10% (of the context window), 20000tok, 6msg. May "
    "be repeated" };
inline constexpr Option kPricesOption { "prices", "FILE",
    "a file of your own prices, which replace those of the program. Default: prices.json in ~/.config/palimpsest, if "
    "it is there" };
inline constexpr Option kRepoOption { "repo", "DIR",
    "the folder with the files that the agent worked on. The command says which removed texts are still in this folder "
    "or its git repository. Default: the working folder that the session records, if it is on this computer" };
inline constexpr Option kThemeOption { "theme", "NAME", "the colours of the picture: light (the default) or dark" };
inline constexpr Option kNdjsonOption { "ndjson", "",
    "prints a line for each session as soon as the line is ready. --merge combines such lines, also lines from other "
    "computers" };
inline constexpr Option kMergeOption { "merge", "",
    "in place of sessions, reads files that --ndjson wrote, and combines their lines. A FILE named - is standard "
    "input" };
inline constexpr Option kAsIfFiredOption { "as-if-fired", "",
    "runs every stage of the policy, even if its trigger is not reached" };

/// The position of `--call` and `--thread`. Fails with Usage and lists what the session has.
[[nodiscard]] core::Result<core::Position> parsePosition(const core::Session &session, const Arguments &arguments);

inline constexpr Option kVerboseOption { "verbose", "", "for a folder: says why each skipped file was skipped" };

/// Calls `load` with each file of the arguments; for a folder, with all files below it. Reports what `load` returns:
/// for each named file, for each file of a folder with `--verbose`, else the skipped files of a folder in one sentence.
/// Returns the exit code. A file of a folder that is not a session does not change it.
[[nodiscard]] int eachSessionFile(
    const Arguments &arguments, const std::function<std::optional<core::Error>(const std::string &)> &load);

/// Calls `take` with each line of the files that `--ndjson` wrote, and with its place. `-` is standard input.
[[nodiscard]] core::Result<void> eachMergedLine(const Arguments &arguments,
    const std::function<core::Result<void>(const nlohmann::ordered_json &line, const std::string &where)> &take);

/// The number of processors.
[[nodiscard]] unsigned threadCount();

/// A session file that has been read and counted, and the position of `--call` and `--thread`.
struct OpenedSession {
    core::SessionPtr session;
    core::Position position;
    core::BlockTokensPtr tokens;
};
/// Opens the first file of the arguments.
[[nodiscard]] core::Result<OpenedSession> openSession(const Arguments &arguments);

/// Returns `made`, or an error if the session's file has changed meanwhile, because nothing read from it is reliable
/// then.
template <typename T>
[[nodiscard]] core::Result<T> unlessTorn(const core::Session &session, T made)
{
    if (auto torn = session.torn())
        return std::unexpected(*std::move(torn));
    return made;
}

/// A preset, or a policy from a file, with every `--set` applied.
[[nodiscard]] core::Result<core::PolicyPtr> policyOf(const std::string &name, const Arguments &arguments);

/// The policy of `--policy` with every `--set` applied.
[[nodiscard]] core::Result<core::PolicyPtr> parsePolicyOptions(const Arguments &arguments);

/// The policies of all `--policy` options, in order, with every `--set` applied to each; empty without the option.
[[nodiscard]] core::Result<std::vector<core::PolicyPtr>> parsePolicies(const Arguments &arguments);

/// The built-in prices, overlaid by those of `--prices`, else of `prices.json` in the user's configuration folder
/// (`$XDG_CONFIG_HOME/palimpsest`) if it exists.
[[nodiscard]] core::Result<core::Prices> parsePrices(const Arguments &arguments);

/// The folder of `--repo`; empty without the option. Fails if it is not a folder.
[[nodiscard]] core::Result<std::filesystem::path> parseFolder(const Arguments &arguments);

} // namespace app
