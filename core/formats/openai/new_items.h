// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/splice_shape.h"

namespace core {

/// `SpliceShape::message` of Chat Completions: LangChain writes such messages, too.
[[nodiscard]] std::string newChatMessage(const NewMessage &message, std::string_view example, bool isLine);

/// `SpliceShape::message` of the Responses API, whose items are the payloads of Codex.
[[nodiscard]] std::string newResponsesItem(const NewMessage &message, std::string_view example, bool isLine);

} // namespace core
