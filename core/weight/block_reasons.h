// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// Why each of `blocks` is heavy: one short clause each, without a full stop.
///
/// The clause starts with the block's content, by tool name and subject: `body of messages.py`, `arguments of a write
/// to lexer.py`, `arguments of an edit of parse.py`, `output of pytest -q`, `image`, `large text`. A reason why the
/// block is dispensable follows: `read again as #41` (the first later message of the thread that shows the file of the
/// same path, else the first that reads it), `run again as #41` (the next call of the same tool with exactly the same
/// arguments), `same text as #41` (the newest other block of the array with an equal decoded text of 200 characters or
/// more). Costs O(blocks of the array and of the thread) and reads only texts with a twin of the same length. `effort`
/// receives the number of blocks and readings examined plus bytes of text read.
[[nodiscard]] std::vector<std::string> blockReasons(
    const Transcript &transcript, ThreadIndex thread, std::span<const BlockId> blocks, uint64_t *effort = nullptr);

/// The path in the opening tag of a text that a tool queued as a user message: `<read_file path="a.py" …>`. Empty
/// without such a tag. Reads the first bytes only.
[[nodiscard]] std::string pathOfTaggedBody(const Session &session, const Block &block);

} // namespace core
