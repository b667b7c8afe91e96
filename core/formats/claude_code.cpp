// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/json_records.h"

namespace core {

namespace {
Likeness sniffNothing(const Sample &) { return Likeness::No; }
Result<SessionPtr> readNothing(const ReadContext &) { return failure(ErrorKind::Internal, "not yet"); }
} // namespace

const Format kClaudeCode { "claude-code", "Claude Code JSONL", "", sniffNothing, readNothing };
const Format kClaudeSdkStream { "claude-sdk-stream", "Claude SDK stream", "", sniffNothing, readNothing };

} // namespace core
