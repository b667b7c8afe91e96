// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <simdjson.h>

namespace core {

/// The beginning of Claude Code's message with a summary.
inline constexpr std::string_view kSummaryOpening = "This session is being continued from a previous conversation";

/// Reads the `content` of an Anthropic message: a string, or a list of text, thinking, tool_use, tool_result, image,
/// document and server-tool blocks. Used by every format with Anthropic messages.
///
/// One tool_result becomes one block. Its body is the text of the string or of the text parts, or the JSON of its
/// content if that has other parts and no images. With images, the other parts follow as opaque blocks, then the images
/// as blocks of their own, all with the same callId. Thinking with only a signature is encrypted; its body is the
/// signature. Unknown types become opaque blocks with their JSON. `cache_control` sets BlockFlag::CacheMark. Throws
/// simdjson_error on damage; changes only `blocks` and the builder's interned names.
void readAnthropicContent(
    SessionBuilder &builder, SourceId source, simdjson::ondemand::value content, std::vector<Block> &blocks);

/// The `usage` object of an Anthropic response.
[[nodiscard]] Usage readAnthropicUsage(simdjson::ondemand::value value);

/// Marks a block in which the person typed some words among the harness's own. See `typedPartOf`.
void markTypedPart(const SessionBuilder &builder, Block &block);

/// Gives tool results the name and subject of their calls. The pool must be complete and ordered by thread. Where ids
/// repeat, a result belongs to the nearest earlier call.
void linkToolResults(Session &session);

} // namespace core
