// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

namespace core {

/// Notes the record that a block comes from. `raw` is a view into the source `holder`.
void setRecord(const SessionBuilder &builder, Block &block, SourceId holder, std::string_view raw, uint64_t line);

/// Adds the system prompt and the tools of a request as one message, which every call of the thread was sent. Call it
/// after the messages, so that a growing array is one range.
void placePrelude(SessionBuilder &builder, ThreadIndex thread, const std::vector<Block> &blocks);

} // namespace core
