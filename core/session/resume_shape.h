// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/time_text.h"
#include "core/session/session.h"

#include <array>
#include <string>
#include <string_view>

namespace core {

/// A session that is new in its harness.
struct NewSession {
    std::string id; ///< a UUID in lower case
    std::string workingFolder;
    Timestamp time = 0;
};

/// The records that state the size of the context. A harness that resumes a session reads the last of them, and
/// compacts at once if the size is near the window.
struct UsageShape {
    std::string_view type {};                  ///< of the records: `assistant`
    std::array<std::string_view, 3> object {}; ///< the members that lead to the usage: `message`, `usage`
    std::string_view prompt {};                ///< the size of the prompt
    std::array<std::string_view, 2> cached {}; ///< the part of it that the cache read or wrote
    bool isCachedInPrompt = false;             ///< `prompt` includes `cached`; else they are added up
    std::string_view total {};                 ///< the prompt and the answer; empty: there is none
};

/// Where a harness keeps its sessions, how its records name a session, and how it resumes one. A format that no
/// harness resumes has no `file`.
struct ResumeShape {
    std::string_view harness {};  ///< `Claude Code`
    std::string_view variable {}; ///< the environment variable that names the harness's folder: `CLAUDE_CONFIG_DIR`
    std::string_view home {};     ///< the harness's folder without that variable, below the home folder: `.claude`
    std::string_view sessions {}; ///< the folder of all sessions below it: `projects`
    /// The folder of the session below `sessions`, and the name of its file.
    std::string (*folder)(const NewSession &session) = nullptr;
    std::string (*file)(const NewSession &session) = nullptr;
    bool isByProject = false; ///< one folder for each working folder, and the harness looks only there
    /// The harness keeps its sessions where Palimpsest does not write, but takes in a file that has the array alone.
    bool isTakenIn = false;
    /// The working folder of one of several sessions in a file; nullptr: `Session::workingFolder` is that of all.
    std::string (*folderOf)(const Session &session, ThreadIndex thread) = nullptr;

    std::string (*asId)(std::string_view uuid) = nullptr; ///< an id as the harness makes them; nullptr: a UUID

    std::string_view idType {};   ///< the type of the records that hold the session's id; empty: every record may
    std::string_view idObject {}; ///< the member of the record that holds it: `payload`; empty: the record itself
    std::string_view id {};       ///< its name: `sessionId`

    UsageShape usage {};

    std::string_view command {}; ///< the words before the id: `claude --resume`
    bool takesPath = false;      ///< the command takes the path of the file instead
    std::string_view next {};    ///< the words before the id in a second command; empty: there is none
};

/// The path with a dash for every character that is not an ASCII letter or digit, as Claude Code names folders.
[[nodiscard]] std::string dashedPath(std::string_view path);
/// `ID.jsonl`
[[nodiscard]] std::string idAsFile(const NewSession &session);

} // namespace core
