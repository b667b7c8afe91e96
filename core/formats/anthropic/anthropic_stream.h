// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// The message, as JSON, from a response of the Anthropic Messages API streamed as server-sent events (`message_start`,
/// `content_block_start`, `content_block_delta`, `message_delta`); nullopt if no message started. A truncated stream
/// gives what arrived. Source: docs of the Messages API, "Streaming messages".
[[nodiscard]] std::optional<std::string> messageOfEventStream(std::string_view events);

} // namespace core
