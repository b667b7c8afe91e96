// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json.h"

#include "core/json/json_error.h"

#include <algorithm>

namespace core {

std::optional<size_t> tooDeepJson(std::string_view text, bool allowsComments)
{
    size_t level = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i)
                i += text[i] == '\\' ? 1 : 0;
        } else if (allowsComments && c == '/') {
            const std::string_view end = text.substr(i).starts_with("/*") ? "*/" : "\n";
            i = std::min(text.find(end, i + 1), text.size() - 1);
        } else if ((c == '[' || c == '{') && ++level > kMostJsonLevels) {
            return i;
        } else if ((c == ']' || c == '}') && level > 0) {
            --level;
        }
    }
    return std::nullopt;
}

Json parseJson(std::string_view text, bool allowsComments)
{
    return tooDeepJson(text, allowsComments) ? Json(Json::value_t::discarded)
                                             : Json::parse(text, nullptr, false, allowsComments);
}

bool isJson(std::string_view text) { return Json::accept(text); }

std::string jsonText(const Json &json, int indent)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace core
