// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

namespace core {

/// The file in which a harness saved a whole tool output of which it sent a part.
struct SpilledOutput {
    std::string path;   ///< as the result names it
    std::string file;   ///< the file on this computer; empty if it is not there
    uint64_t bytes = 0; ///< its size
};

/// Whether a text says, in the words of a harness, that the whole of it can be had elsewhere.
[[nodiscard]] bool pointsElsewhere(std::string_view text);

/// The file that a tool result names so; nullopt if it names none. A file counts as there only inside of the folder
/// above that of the session file, or in the folder for temporary files: a session must not make us look anywhere else.
/// Claude Code's files are also found in `ID/tool-results` beside a session file that was moved. Reads the directory,
/// not the file.
[[nodiscard]] std::optional<SpilledOutput> spilledOutput(const Session &session, BlockId id);

} // namespace core
