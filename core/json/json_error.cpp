// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json_error.h"

#include "core/json/json.h"

#include <algorithm>

namespace core {

namespace {

size_t lineOf(std::string_view text, size_t at)
{
    return 1 + static_cast<size_t>(std::ranges::count(text.substr(0, at), '\n'));
}

} // namespace

std::optional<JsonError> jsonErrorOf(std::string_view text, bool allowsComments)
{
    if (const auto deep = tooDeepJson(text, allowsComments))
        return JsonError { lineOf(text, *deep),
            "the values are nested more than " + std::to_string(kMostJsonLevels) + " levels deep" };
    try {
        [[maybe_unused]] const Json read = Json::parse(text, nullptr, true, allowsComments);
        return std::nullopt;
    } catch (const Json::parse_error &error) {
        JsonError found;
        const size_t at = std::min(error.byte, text.size());
        // `byte` is the last byte read: if it is a line feed, the error is on the line that it ends.
        found.line = lineOf(text, at > 0 && error.byte <= text.size() && text[at - 1] == '\n' ? at - 1 : at);
        // `[json.exception.parse_error.101] parse error at line 3, column 2: the reason`
        const std::string_view what = error.what();
        const size_t column = what.find(", column ");
        const size_t reason = what.find(": ", column == std::string_view::npos ? 0 : column);
        found.reason = what.substr(reason == std::string_view::npos ? 0 : reason + 2);
        return found;
    } catch (const Json::out_of_range &error) {
        // `[json.exception.out_of_range.406] number overflow parsing '1e999'`
        const std::string_view what = error.what();
        const size_t begin = std::min(what.find('\''), what.size() - 1) + 1;
        const std::string_view number = what.substr(begin, what.find('\'', begin) - begin);
        const size_t at = std::min(text.find(number), text.size());
        return JsonError { lineOf(text, at), "the number " + std::string(number) + " is too large" };
    }
}

} // namespace core
