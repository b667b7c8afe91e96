// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/new_message.h"

#include "core/base/text.h"

namespace core {

std::string newJsonString(std::string_view text) { return "\"" + escapedJson(text) + "\""; }

std::string copiedMembers(const JsonMembers &example, std::initializer_list<std::string_view> keys)
{
    std::string text;
    for (const std::string_view key : keys) {
        if (example.has(key))
            text += ",\"" + std::string(key) + "\":" + std::string(example.raw(key));
    }
    return text;
}

std::string_view roleWord(Role role, std::string_view assistant, std::string_view system)
{
    return role == Role::Assistant ? assistant : role == Role::System ? system : "user";
}

} // namespace core
