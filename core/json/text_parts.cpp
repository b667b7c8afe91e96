// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/text_parts.h"

#include "core/json/blank.h"
#include "core/json/json_probe.h"

#include <algorithm>

namespace core {

std::optional<std::string_view> jsonTextPart(std::string_view element)
{
    if (isJsonString(element))
        return jsonString(element);
    const JsonMembers members(element);
    const std::string_view type = members.string("type");
    const bool isText = type == "text" || type == "input_text" || type == "output_text" || !members.has("type");
    const std::string_view text = members.raw("text");
    return isText && isJsonString(text) ? std::optional(jsonString(text)) : std::nullopt;
}

std::optional<std::string_view> JsonTextParts::next()
{
    while (m_at < m_list.size()) {
        if (isBlank(m_list[m_at]) || m_list[m_at] == ',') {
            ++m_at;
            continue;
        }
        const auto end = skipJson(m_list, m_at);
        if (!end)
            break;
        const std::string_view element = m_list.substr(m_at, *end - m_at);
        m_at = *end;
        if (const auto text = jsonTextPart(element))
            return text;
    }
    return std::nullopt;
}

bool isListOfTexts(std::string_view list)
{
    const std::vector<std::string_view> elements = jsonElements(list).items;
    return elements.size() > 1
        && std::ranges::all_of(elements, [](std::string_view each) { return jsonTextPart(each).has_value(); });
}

} // namespace core
