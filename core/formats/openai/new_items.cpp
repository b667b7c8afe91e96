// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/new_items.h"

#include "core/formats/reading/new_message.h"

namespace core {

std::string newChatMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + newJsonString(roleWord(message.role, "assistant", "system"))
        + ",\"content\":" + newJsonString(message.text) + "}";
}

std::string newResponsesItem(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    const std::string_view part = message.role == Role::Assistant ? "output_text" : "input_text";
    return R"({"type":"message","role":)" + newJsonString(roleWord(message.role, "assistant", "developer"))
        + R"(,"content":[{"type":)" + newJsonString(part) + ",\"text\":" + newJsonString(message.text) + "}]}";
}

} // namespace core
