// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <simdjson.h>

namespace core {

/// How Claude Code begins the message that holds a summary.
inline constexpr std::string_view kSummaryOpening = "This session is being continued from a previous conversation";

/// Reads the `content` of an Anthropic message: a string, or a list of text, thinking, tool_use, tool_result, image,
/// document and server-tool blocks. Shared by every format that holds Anthropic messages.
///
/// One tool_result is one block: its body is the text if it is a string or has exactly one text part, else the JSON of
/// its content; images in it follow as blocks of their own with the same callId, and then so do all parts but the first
/// text, as opaque ones. Thinking that only has a signature is encrypted, its body the signature. Unknown types become
/// opaque blocks of their JSON. `cache_control` sets BlockFlag::CacheMark. Throws simdjson_error on damage and changes
/// nothing but `blocks` and the builder's interned names.
void readAnthropicContent(
    SessionBuilder &builder, SourceId source, simdjson::ondemand::value content, std::vector<Block> &blocks);

/// The `usage` object of an Anthropic response.
[[nodiscard]] Usage readAnthropicUsage(simdjson::ondemand::value value);

/// Gives tool results the name and subject of their calls, over the finished pool, which stands thread by thread: where
/// ids repeat, a result answers the nearest call before it.
void linkToolResults(Session &session);

} // namespace core
