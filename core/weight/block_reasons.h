// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// Why each of `blocks` is as heavy as it is: one short clause each, without full stop.
///
/// What it is comes from tool name and subject: `body of messages.py`, `arguments of a write to lexer.py`, `arguments
/// of an edit of parse.py`, `output of pytest -q`, `image`, `large text`. Behind it stands what makes it dispensable:
/// `read again as #41` (the first later message of the thread that shows the file of the same path, else the first that
/// reads it), `run again as #41` (the next call of the same tool with exactly the same arguments), `same text as #41`
/// (the newest other block of the array whose decoded text of 200 characters or more is equal). Costs O(blocks of the
/// array and of the thread), and reads only texts that have a twin of the same length. `effort` gets what it did: how
/// many blocks and readings were looked at and bytes of texts read.
[[nodiscard]] std::vector<std::string> blockReasons(
    const Transcript &transcript, ThreadIndex thread, std::span<const BlockId> blocks, uint64_t *effort = nullptr);

/// The path in the opening tag of a text that a tool queued as a user message: `<read_file path="a.py" …>`. Empty if it
/// is none. Costs a look at the first bytes.
[[nodiscard]] std::string pathOfTaggedBody(const Session &session, const Block &block);

} // namespace core
