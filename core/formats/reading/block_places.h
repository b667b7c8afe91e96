// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <span>

namespace core {

/// Notes the record that a block comes from. `raw` is a view into the source `holder`.
void setRecord(const SessionBuilder &builder, Block &block, SourceId holder, std::string_view raw, uint64_t line);

/// The same for all blocks of a record. A block without a source gets `holder`; a block of another source keeps its
/// place.
void setRecords(
    const SessionBuilder &builder, std::span<Block> blocks, SourceId holder, std::string_view raw, uint64_t line);

/// Damage can move brackets, so that a record seems to end before a body in it. It then ends with the body.
void growToBody(Block &block);

/// Adds the system prompt and the tools of a request as one message, which every call of the thread was sent. Call it
/// after the messages, so that a growing array is one range.
void placePrelude(SessionBuilder &builder, ThreadIndex thread, const std::vector<Block> &blocks);

} // namespace core
