// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <string>

namespace core {

/// The whole of a tool output of which a harness sent a part: in a file, or in an artifact of the session.
struct SpilledOutput {
    std::string path;          ///< the file or artifact as the result names it
    std::string file;          ///< the file on this computer; empty if it is not there
    uint64_t bytes = 0;        ///< size of the file or artifact
    std::optional<Body> saved; ///< the artifact in the session file

    [[nodiscard]] bool isThere() const { return !file.empty() || saved.has_value(); }
    friend bool operator==(const SpilledOutput &one, const SpilledOutput &other)
    {
        return one.path == other.path && one.file == other.file && one.bytes == other.bytes;
    }
};

/// Whether a text says, in the words of a harness, that the whole of it can be had elsewhere.
[[nodiscard]] bool pointsElsewhere(std::string_view text);

/// The name by which an agent can have the whole of a tool result: the path of a file, the name of an artifact, or the
/// id of the call that `result::fetch` takes. Empty if the result names none. Does not look for the file.
[[nodiscard]] std::string nameOfWhole(const Session &session, BlockId id);

/// The file or artifact that a tool result names so; nullopt if it names none. A file counts as there only inside of
/// the folder above that of the session file, or in the folder for temporary files: a session must not make us look
/// anywhere else. Claude Code's files are also found in `ID/tool-results` beside a session file that was moved. Reads
/// the directory, not the file.
[[nodiscard]] std::optional<SpilledOutput> spilledOutput(const Session &session, BlockId id);
/// The first `most` bytes of the whole output; nullopt if it cannot be read.
[[nodiscard]] std::optional<std::string> textOf(
    const Session &session, const SpilledOutput &output, size_t most = std::string::npos);

} // namespace core
